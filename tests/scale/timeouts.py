#!/usr/bin/env python3
"""--timeout S ends everything within 1.1 S + 1 seconds, with a report: whatever porf is doing at that moment.

usage: tests/scale/timeouts.py [--porf PATH] [-k NAME] [--seconds S] [-v]

The programs are made so that some phase takes long: compiling, a deadlock among many threads, large graphs, loops in
private memory, large witnesses, fixes and other models, the machine, several models. The last line is "N passed, M failed".
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = '#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n'
SLACK = float(os.environ.get('PORF_SLACK', 0))  # seconds, for machines that are busy with something else
TRIES = 4  # the machine may have been busy; what does not look at the clock is late each time

DEADLOCK = HEAD + '''
static pthread_mutex_t m[N];
static void *f (void *arg) {
  long i = (long)arg;
  pthread_mutex_lock (&m[i]);
  pthread_mutex_lock (&m[(i + 1) % N]);
  pthread_mutex_unlock (&m[(i + 1) % N]);
  pthread_mutex_unlock (&m[i]);
  return 0;
}
int main (void) {
  static pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create (&t[i], 0, f, (void *)i);
  for (long i = 0; i < N; i++) pthread_join (t[i], 0);
}
'''
STARVED = HEAD + '''
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *f (void *arg) { pthread_mutex_lock (&m); return arg; }
int main (void) {
  static pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create (&t[i], 0, f, 0);
  for (long i = 0; i < N; i++) pthread_join (t[i], 0);
}
'''
MACROS = '#define A(x) x x x x x x x x x x\n#define B(x) A (A (A (A (A (A (A (x)))))))\nint y;\nint main (void) { B (y++;) }\n'
TEMPLATES = '''template <int N, int M> struct F { static constexpr unsigned long v = F<N - 1, M>::v + F<N - 1, M + N>::v + F<N - 1, M + 1>::v; };
template <int M> struct F<0, M> { static constexpr unsigned long v = M; };
int main () { return (int)F<400, 1>::v; }
'''
LARGE = HEAD + '''
static atomic_int x[8];
static void *f (void *arg) {
  for (int i = 0; i < 400; i++) {
    atomic_store_explicit (&x[i % 8], i, memory_order_relaxed);
    (void)atomic_load_explicit (&x[(i + 3) % 8], memory_order_relaxed);
  }
  return arg;
}
int main (void) {
  pthread_t t[6];
  for (int i = 0; i < 6; i++) pthread_create (&t[i], 0, f, 0);
  for (int i = 0; i < 6; i++) pthread_join (t[i], 0);
  assert (x[0] != 399);
}
'''
PRIVATE = HEAD + '''
static atomic_int x;
int main (void) {
  volatile unsigned long n = 0;
  unsigned long k = 1;
  x = 1;
  for (unsigned long i = 0; i < 4000000000ul; i++) k = k * 6364136223846793005ul + i;
  n = k;
  x = (int)n;
}
'''
WITNESS = HEAD + '''
static atomic_int x;
int main (void) {
  for (int i = 0; i < 15000; i++) x++;
  assert (x != 15000);
}
'''
RACY = HEAD + '''
static atomic_int x, y, n;
static void *f (void *arg) {
  for (int i = 0; i < 6; i++) {
    int a = atomic_load_explicit (&x, memory_order_relaxed);
    atomic_store_explicit (&x, a + 1, memory_order_relaxed);
    atomic_fetch_add_explicit (&n, 1, memory_order_relaxed);
  }
  return arg;
}
int main (void) {
  pthread_t t[5];
  for (int i = 0; i < 5; i++) pthread_create (&t[i], 0, f, 0);
  for (int i = 0; i < 5; i++) pthread_join (t[i], 0);
  assert (LIMIT x >= 30);
}
'''
FORKS = HEAD + '''
static atomic_int x, y;
static void *f (void *arg) { for (;;) x++; return arg; }
int main (void) { pthread_t a, b; pthread_create (&a, 0, f, 0); pthread_create (&b, 0, f, 0); pthread_join (a, 0); }
'''
# name, program, command, options, flags
CASES = [
    ('deadlock', DEADLOCK, 'check', [], ['-DN=1000']),
    ('deadlock-jobs', DEADLOCK, 'check', ['--jobs', '4'], ['-DN=1000']),
    ('starved', STARVED, 'check', [], ['-DN=1000']),
    ('starved-help', STARVED, 'check', ['--help-time', '60'], ['-DN=300']),
    ('starved-armv8', STARVED, 'check', ['-m', 'armv8'], ['-DN=300']),
    ('macros', MACROS, 'check', [], []),
    ('macros-machine', MACROS, 'check', ['--engine', 'machine'], []),
    ('templates.cpp', TEMPLATES, 'check', [], ['-ftemplate-depth=2000']),
    ('templates-outcomes.cpp', TEMPLATES, 'outcomes', [], ['-ftemplate-depth=2000']),
    ('large-armv8', LARGE, 'check', ['-m', 'armv8'], []),
    ('large-jam21', LARGE, 'check', ['-m', 'jam21'], []),
    ('large-cat', LARGE, 'check', ['-m', os.path.join(ROOT, 'cat/rc11.cat')], []),
    ('private', PRIVATE, 'check', [], []),
    ('private-machine', PRIVATE, 'check', ['--engine', 'machine'], []),
    ('witness', WITNESS, 'check', [], []),
    ('witness-html', WITNESS, 'check', ['--format', 'html', '-o', os.devnull], []),
    ('fix', RACY, 'check', ['--help-time', '100'], ['-DLIMIT=']),
    ('edits', RACY, 'check', ['--edits', '--help-time', '100'], ['-DLIMIT=']),
    ('machine', RACY, 'check', ['--engine', 'machine'], ['-DLIMIT=1||']),
    ('machine-jobs', RACY, 'check', ['--engine', 'machine', '--jobs', '4'], ['-DLIMIT=1||']),
    ('compare', RACY, 'compare', ['-m', 'sc,rc11,imm'], ['-DLIMIT=1||']),
    ('outcomes', RACY, 'outcomes', [], ['-DLIMIT=1||']),
    ('optimize', RACY, 'optimize', ['-m', 'sc,rc11'], ['-DLIMIT=1||']),
    ('sample', RACY, 'check', ['--sample', '1000000000'], ['-DLIMIT=1||']),
    ('endless', FORKS, 'check', [], []),
    ('endless-jobs', FORKS, 'check', ['--jobs', '3'], []),
]


def run(porf, folder, case, seconds):
    """What is wrong, or None; and how long it took."""
    name, text, command, options, flags = case
    path = os.path.join(folder, name if '.' in name else name + '.c')
    with open(path, 'w') as f:
        f.write(text)
    form = [] if '--format' in options or command != 'check' else ['--format', 'json']
    line = [porf, command, '--no-cache', '--timeout', str(seconds), *form, *options, path, '--', '-w', *flags]
    start = time.monotonic()
    try:
        done = subprocess.run(line, capture_output=True, text=True, errors='replace', timeout=20 * seconds + 60)
    except subprocess.TimeoutExpired:
        return 'no end', 20 * seconds + 60
    took = time.monotonic() - start
    if took > 1.1 * seconds + 1 + SLACK:
        return f'took {took:.1f} s', took
    if done.returncode not in (0, 3, 10, 42):
        return f'exit code {done.returncode}: {done.stderr[-300:]}', took
    if form:
        report = json.loads(done.stdout)
        verdict = {0: 'pass', 3: 'incomplete', 42: 'violation'}[done.returncode]
        if report['verdict'] != verdict:
            return f'verdict {report["verdict"]}, exit code {done.returncode}', took
        if verdict == 'incomplete' and not any('--timeout' in n['what'] or 'within the time limit' in n['what'] for n in report['not_covered']) and took > seconds:
            return f'does not say why: {report["not_covered"]}', took
        if report['model'].startswith('machine') != ('machine' in options):
            return f'is said to be about {report["model"]}', took
    return None, took


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--porf', default=os.path.join(ROOT, 'build/porf'))
    parser.add_argument('-k', default='')
    parser.add_argument('-v', action='store_true')
    parser.add_argument('--seconds', type=float, default=2)
    args = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for case in CASES:
            if args.k not in case[0]:
                continue
            for _ in range(TRIES):
                wrong, took = run(args.porf, folder, case, args.seconds)
                if not wrong or not wrong.startswith('took'):
                    break
            passed += not wrong
            failed += bool(wrong)
            if wrong:
                print(f'FAIL {case[0]}: {wrong}', flush=True)
            elif args.v:
                print(f'{case[0]}: {took:.1f} s', flush=True)
    print(f'{passed} passed, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
