#!/usr/bin/env python3
"""What `ok` says it assumes: every row of src/core/assumption.def, done at every place of a program.

usage: tests/cli/assumed.py [--porf PATH] [-k PATTERN] [-v]

A program does the thing in main, in a thread, in a thread that nobody joins, in an exit handler, in a function that
main's start calls (a constructor), never, or in code that no execution reaches. The list of what was assumed must be
exact, with the option that lifts it and without, with one worker and several, of both engines, and over a checkpoint.
Prints failures and "N passed, M failed".
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests'))
from compiled import Compiled  # noqa: E402

HEAD = '''#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int __VERIFIER_nondet_int (void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static atomic_int x, never;
static int *kept;
static void get_ready (void) {
  pthread_mutex_lock (&m);
  ready = 1;
  pthread_cond_broadcast (&c);
  pthread_mutex_unlock (&m);
}
'''

# name: (words, the option that lifts the first of them, code)
THINGS = {
    'nothing': ([], None, ''),
    'wait': (['spurious-wakeups'], '--spurious',
             'pthread_mutex_lock (&m); while (!ready) pthread_cond_wait (&c, &m); pthread_mutex_unlock (&m);'),
    'weak': (['spurious-failures'], '--spurious', 'int e = 0; while (!atomic_compare_exchange_weak (&x, &e, e + 1)) {}'),
    'strong': ([], None, 'int e = 0; atomic_compare_exchange_strong (&x, &e, 1);'),
    'malloc': (['malloc-succeeds'], '--malloc-fails', 'int *p = malloc (4); if (p) *p = 1; free (p);'),
    'calloc': (['malloc-succeeds'], '--malloc-fails', 'kept = calloc (1, 4);'),
    'strdup': (['malloc-succeeds'], '--malloc-fails', 'free (strdup ("a"));'),
    'free-null': ([], None, 'free (NULL);'),
    'again': (['addresses-fresh', 'malloc-succeeds'], '--reuse-addresses', 'free (malloc (4)); free (malloc (8));'),
    'both': (['malloc-succeeds'], None, 'void *p = malloc (4), *q = malloc (8); free (p); free (q);'),
    'getenv': (['environment-empty'], '--env=A=1', 'if (getenv ("NONE")) abort ();'),
    'clock': (['time-stands-still'], '--time-passes', 'if (time (NULL) < 0) abort ();'),
    'order': (['layout-fixed'], None, 'int a, b; if (&a == (&a < &b ? &b : &a + 1)) abort ();'),
    'order-of-numbers': (['layout-fixed'], None, 'if ((unsigned long)&x - (unsigned long)&m == 1) abort ();'),
    'order-inside': ([], None, 'int a[9] = {0}; for (int *p = a; p < a + 9; p++) *p = (int)(p - a);'),
    'order-moved': ([], None, 'char a[9] = "a", b[9]; memmove (b, a, 9); memmove (a, b, 9);'),
    'hash': (['layout-fixed'], None, 'if (((unsigned long)&x >> 4) % 64 == 64) abort ();'),
    'hash-small': (['layout-fixed'], None, 'if ((unsigned)(unsigned long)&x * 31u == 1) abort ();'),
    'hash-mixed': (['layout-fixed'], None, 'if ((14695981039346656037ul ^ (unsigned long)&x) == 1) abort ();'),
    'hash-masked': (['layout-fixed'], None, 'if (((unsigned long)&x & 0xff0) == 1) abort ();'),
    'tags': ([], None, 'unsigned long p = (unsigned long)&x | 1; if (!(p & 3) || p >> 48 || (p ^ 1) % 4) abort ();'),
    'xor-list': ([], None, 'unsigned long l = (unsigned long)&x ^ (unsigned long)&m; if ((atomic_int *)(l ^ (unsigned long)&m) != &x) abort ();'),
    'overflow': (['overflow-wraps'], None, 'int i = 2147483647 - atomic_load (&never); i++; if (i > 0) abort ();'),
    'unsigned': ([], None, 'unsigned i = 0u - atomic_load (&never); i--; if (!i) abort ();'),
    'nondet': (['nondet-range'], '--nondet=0..2', 'if (__VERIFIER_nondet_int () < 0) abort ();'),
    'rand': (['nondet-range'], '--nondet=0..2', 'if (rand () < 0) abort ();'),
}

# Where it is done. `thing` is the function that does it, `never` is never set, which no compiler can know.
PLACES = {
    'main': 'static void *other (void *a) { get_ready (); return a; }\n'
            'int main (void) { pthread_t t; pthread_create (&t, 0, other, 0); thing (); pthread_join (t, 0); return 0; }',
    'thread': 'static void *other (void *a) { thing (); return a; }\n'
              'int main (void) { pthread_t t; pthread_create (&t, 0, other, 0); get_ready (); pthread_join (t, 0); return 0; }',
    'detached': 'static void *other (void *a) { thing (); return a; }\n'
                'int main (void) { pthread_t t; pthread_create (&t, 0, other, 0); pthread_detach (t); get_ready (); return 0; }',
    'late': 'static void *other (void *a) { while (!atomic_load (&x)) {} thing (); return a; }\n'
            'static void last (void) { atomic_store (&x, 1); }\n'
            'int main (void) { pthread_t t; get_ready (); pthread_create (&t, 0, other, 0); pthread_detach (t);\n'
            '  atexit (last); return 0; }',
    'handler': 'int main (void) { get_ready (); return atexit (thing); }',
    'start': '__attribute__ ((constructor)) static void first (void) { ready = 1; thing (); }\n'
             'int main (void) { return 0; }',
    'one-execution': 'static void *other (void *a) { get_ready (); atomic_store_explicit (&x, 1, memory_order_relaxed); return a; }\n'
                     'int main (void) { pthread_t t; pthread_create (&t, 0, other, 0);\n'
                     '  if (atomic_load_explicit (&x, memory_order_relaxed)) { thing (); } pthread_join (t, 0); return 0; }',
    'dead': 'int main (void) { get_ready (); if (atomic_load (&never)) thing (); return 0; }',
    'dead-thread': 'static void *other (void *a) { if (atomic_load (&never)) thing (); return a; }\n'
                   'int main (void) { pthread_t t; pthread_create (&t, 0, other, 0); get_ready (); pthread_join (t, 0); return 0; }',
    'unused': 'int main (void) { get_ready (); return thing == 0; }',
}
# Places where the waiting thread finds the condition true: then it does not wait.
NEVER_WAITS = ('late', 'handler', 'start', 'one-execution')

# Programs that say themselves what they assume, and the option with which nothing is left of it.
OWN = {
    'argc': (['argc-one'], '--args=', 'int main (int argc, char **argv) { return argc > 1; }'),
    'argv': (['argc-one'], '--args=a', 'int main (int argc, char **argv) { return !argv[0]; }'),
    'argc-unused': ([], None, 'int main (int argc, char **argv) { return 0; }'),
    'argc-void': ([], None, 'int main (int argc, char **argv) { (void)argc, (void)argv; return 0; }'),
    'cut-off-spin': (['threads-cut-off'], None, 'static void *f (void *a) { while (!atomic_load (&never)) {} return a; }\n'
                     'int main (void) { pthread_t t; pthread_create (&t, 0, f, 0); pthread_detach (t); return 0; }'),
    'cut-off-condition': (['spurious-wakeups', 'threads-cut-off'], None,
                          'static void *f (void *a) { pthread_mutex_lock (&m); while (!ready) pthread_cond_wait (&c, &m); return a; }\n'
                          'int main (void) { pthread_t t; pthread_create (&t, 0, f, 0); pthread_detach (t); return 0; }'),
    'cut-off-sometimes': (['threads-cut-off'], None,
                          'static void *f (void *a) { if (!atomic_load (&x)) while (!atomic_load (&never)) {} return a; }\n'
                          'int main (void) { pthread_t t; pthread_create (&t, 0, f, 0); pthread_detach (t); atomic_store (&x, 1); return 0; }'),
    'ends-anyway': ([], '--join-all', 'static void *f (void *a) { atomic_store (&x, 1); return a; }\n'
                    'int main (void) { pthread_t t; pthread_create (&t, 0, f, 0); pthread_detach (t); return 0; }'),
    'handed-over': (['malloc-succeeds'], '--malloc-fails',  # the only block is allocated before the thread is there
                    'static void *f (void *a) { free (a); return 0; }\n'
                    'int main (void) { pthread_t t; pthread_create (&t, 0, f, malloc (4)); pthread_join (t, 0); return 0; }'),
    'handed-over-twice': (['malloc-succeeds', 'addresses-fresh'], None,
                          'static void *f (void *a) { free (a); return 0; }\n'
                          'int main (void) { pthread_t t, u; pthread_create (&t, 0, f, malloc (4)); pthread_create (&u, 0, f, malloc (4));\n'
                          '  pthread_join (t, 0); pthread_join (u, 0); return 0; }'),
    'each-its-own': (['malloc-succeeds', 'addresses-fresh'], None,
                     'static void *f (void *a) { free (malloc (4)); return 0; }\n'
                     'int main (void) { pthread_t t, u; pthread_create (&t, 0, f, 0); pthread_create (&u, 0, f, 0);\n'
                     '  pthread_join (t, 0); pthread_join (u, 0); return 0; }'),
    'after-join': (['malloc-succeeds', 'addresses-fresh'], None,
                   'static void *f (void *a) { free (a); return 0; }\n'
                   'int main (void) { pthread_t t; pthread_create (&t, 0, f, malloc (4)); pthread_join (t, 0); free (malloc (4)); return 0; }'),
    'realloc': (['malloc-succeeds', 'addresses-fresh'], None,
                'int main (void) { int *p = malloc (4); int *q = realloc (p, 8); q = realloc (q, 16); free (q); return 0; }'),
}

ENGINES = (  # the first two are enough with an option
    [], ['--mca'], ['-m', 'sc'], ['-j', '3'], ['--reduce=none'], ['-m', 'tso'], ['--mca', '-j', '2'])


def option_exists(porf, option):
    help_text = subprocess.run([porf, 'check', '--help'], capture_output=True, text=True).stdout
    return option.partition('=')[0] in help_text


def cases(porf):
    """(name, source, options, the words that are expected)"""
    for thing, (words, option, code) in THINGS.items():
        for place, text in PLACES.items():
            expected = set() if place in ('dead', 'dead-thread', 'unused') else set(words)
            if thing == 'wait' and place in NEVER_WAITS:
                expected = set()
            source = (HEAD + f'static void thing (void) {{ {code} }}\n' + text)
            yield f'{thing} in {place}', source, [], expected
            if option and option_exists(porf, option):
                yield f'{thing} in {place} {option}', source, [option], expected - {words[0]}
    for name, (words, option, text) in OWN.items():
        yield name, HEAD + text, [], set(words)
        if option:
            yield f'{name} {option}', HEAD + text, [option], set(words[1:])


def wrong(porf, compiled, path, options, expected, engine):
    command = [porf, 'check', '--format', 'json', '--help-time', '0', *engine, *options, *compiled.ir(path)]
    p = subprocess.run(command, capture_output=True, text=True, timeout=100)
    if '--reuse-addresses' in options and {'--mca', 'tso'} & set(engine):
        return '' if p.returncode == 2 and '--reuse-addresses' in p.stderr else 'not refused'
    if p.returncode:
        return f'exit code {p.returncode}: {p.stderr[:300]} {re.findall("message.*", p.stdout)[:3]}\n     {shlex.join(command)}'
    result = json.loads(p.stdout)
    if set(result.get('assumed', ['?'])) == expected and [r['name'] for r in result['assumptions']] == result['assumed']:
        return ''
    return f'assumed {result.get("assumed")}, expected {sorted(expected)}\n     {shlex.join(command)}'


def text_is_wrong(porf, compiled, path):
    """The line of the text says what the JSON says, once, and not of a violation."""
    both = [subprocess.run([porf, 'check', *form, *compiled.ir(path)], capture_output=True, text=True).stdout for form in ([], ['--format', 'json'])]
    rows = json.loads(both[1]).get('assumptions', [{'text': '?'}])
    line = '  assumed: ' + ', '.join(r['text'] + (f' ({r["option"]})' if 'option' in r else '') for r in rows) + '\n'
    fine = both[0].count('assumed:') == bool(rows) and (line in both[0] or not rows)
    return '' if fine else f'the text does not have `{line}`: {both[0]}'


LONG = HEAD + '''static void *f (void *a) {
  for (int i = 0; i < 4; i++) atomic_store_explicit (&x, atomic_load_explicit (&x, memory_order_relaxed) + 1, memory_order_relaxed);
  return a;
}
int main (void) {
  pthread_t t[4];
  free (malloc (4));
  if (getenv ("NONE")) abort ();
  for (long i = 0; i < 4; i++) pthread_create (&t[i], 0, f, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join (t[i], 0);
  return 0;
}
'''


def checkpoint_is_wrong(porf, directory):
    """What was learned before a checkpoint is known after it."""
    path, saved = os.path.join(directory, 'long.c'), os.path.join(directory, 'saved')
    with open(path, 'w') as f:
        f.write(LONG)
    subprocess.run([porf, 'check', '--format', 'json', '--checkpoint', saved, '--timeout', '1', path], capture_output=True, timeout=100)
    p = subprocess.run([porf, 'check', '--format', 'json', '--resume', saved, '--timeout', '0.2', path], capture_output=True, text=True, timeout=100)
    got = json.loads(p.stdout).get('assumed')
    return '' if got == ['malloc-succeeds', 'environment-empty'] else f'assumed {got} after a checkpoint'


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--porf', default=os.path.join(ROOT, 'build', 'porf'))
    options.add_argument('-k', default='')
    options.add_argument('-v', action='store_true')
    args = options.parse_args()
    porf, passed, failed = os.path.abspath(args.porf), 0, 0
    with tempfile.TemporaryDirectory() as directory:
        jobs, paths, compiled = [], {}, Compiled(porf, directory)
        for name, source, flags, expected in cases(porf):
            path = paths.setdefault(source, os.path.join(directory, f'{len(paths)}.c'))
            with open(path, 'w') as f:
                f.write(source + '\n')
            jobs += [(f'{name} {shlex.join(e)}', wrong, (porf, compiled, path, flags, expected, e))
                     for e in (ENGINES[:2] if flags else ENGINES)]
            if not flags:
                jobs.append((f'{name} as text', text_is_wrong, (porf, compiled, path)))
        jobs.append(('checkpoint', checkpoint_is_wrong, (porf, directory)))
        jobs = [j for j in jobs if args.k in j[0]]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for (name, _, _), said in zip(jobs, pool.map(lambda j: j[1](*j[2]), jobs)):
                failed += bool(said)
                passed += not said
                if said or args.v:
                    print(f'{"FAIL" if said else "ok"} tests/cli/assumed {name}\n     {said}')
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
