#!/usr/bin/env python3
"""Tests of the command line: bad input, exit codes, output formats, limits.

usage: tests/cli/run.py [--porf PATH] [-k PATTERN] [--all] [--seed N] [-v]

Bad input must give exit code 2, nothing on standard output and exactly one message on standard error.
Where a test asks every program under every model, each is asked under some, drawn at random (--seed); --all: under all.
"""
import argparse
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
import xml.dom.minidom

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

GOOD = '''#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *one (void *u) { atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_load_explicit (&y, memory_order_relaxed); return u; }
static void *two (void *u) { atomic_store_explicit (&y, 1, memory_order_relaxed);
  atomic_load_explicit (&x, memory_order_relaxed); return u; }
int main (void) { pthread_t a, b;
  pthread_create (&a, 0, one, 0); pthread_create (&b, 0, two, 0);
  pthread_join (a, 0); pthread_join (b, 0); return 0; }
'''
BAD = '''#include <assert.h>
int main (void) {
  int x = 1;
  assert (x == 2);
  return 0;
}
'''
FOREVER = '''#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[16];
static void *run (void *u) { for (int i = 0; i < 16; i++) atomic_fetch_add (&x[i], 1); return u; }
int main (void) { pthread_t t[8];
  for (int i = 0; i < 8; i++) pthread_create (&t[i], 0, run, 0);
  for (int i = 0; i < 8; i++) pthread_join (t[i], 0);
  return 0; }
'''
LOOP = '''#include <stdatomic.h>
#include <pthread.h>
static atomic_int x;
static void *run (void *u) { for (int i = 0; i < 100; i++) atomic_fetch_add (&x, 1); return u; }
int main (void) { pthread_t t;
  pthread_create (&t, 0, run, 0); pthread_join (t, 0); return 0; }
'''

TESTS = []


def test(function):
    TESTS.append(function)
    return function


class Porf:
    """Runs porf in a directory of its own."""

    def __init__(self, path, directory, seed, all):
        self.path, self.directory, self.rng, self.all = path, directory, random.Random(seed), all

    def some(self, choices, number):
        """Drawn at random, or all of them."""
        return choices if self.all else self.rng.sample(choices, min(number, len(choices)))

    def write(self, name, content):
        path = os.path.join(self.directory, name)
        with open(path, 'wb') as f:
            f.write(content if isinstance(content, bytes) else content.encode())
        return name

    def __call__(self, *args, timeout=120):
        p = subprocess.run([self.path, *args], cwd=self.directory, capture_output=True, timeout=timeout,
                           stdin=subprocess.DEVNULL)
        return p.returncode, p.stdout.decode('utf-8', 'replace'), p.stderr.decode('utf-8', 'replace')


def equal(what, got, want):
    if got != want:
        raise AssertionError(f'{what}: {got!r}, expected {want!r}')


def holds(condition, message):
    if not condition:
        raise AssertionError(message)


def rejected(result, *words, compiler=False):
    """Exit 2, nothing on standard output, one message that contains each of the words; a compiler may give several."""
    code, out, err = result
    holds(code == 2, f'exit code {code}, expected 2; stderr: {err.strip()[:300]!r}')
    equal('standard output', out, '')
    holds(err.strip(), 'no message on standard error')
    messages = re.findall(r'^(?:\S*: )?(?:fatal )?error\b', err, re.M)
    if not messages:
        messages = [l for l in err.splitlines() if l.startswith('porf')]
    holds(len(messages) == 1 or messages and compiler, f'{len(messages)} messages on standard error: {err.strip()[:400]!r}')
    for word in words:
        holds(word in err, f'the message does not name {word!r}: {err.strip()[:300]!r}')


def well_formed(out):
    result = json.loads(out)
    for key in ('verdict', 'model', 'executions', 'blocked', 'duplicates', 'findings', 'not_covered', 'seconds',
                'peak_bytes', 'instructions'):
        holds(key in result, f'the JSON has no "{key}"')
    for finding in result['findings']:
        for key in ('kind', 'message', 'file', 'line', 'column', 'thread'):
            holds(key in finding, f'a finding has no "{key}"')
    return result


@test
def model_file_that_counts_rounds(porf):
    """A rule that could tell whether a loop went round once more: what waits is not covered."""
    waits = porf.write('waits.c', """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run (void *u) { atomic_store (&x, 1); return u; }
int main (void) { pthread_t t; pthread_create (&t, 0, run, 0); while (!atomic_load (&x)); pthread_join (t, 0); }
""")
    rules = '"odd"\nlet com = rf | co | fr\nacyclic po | com as sc\nempty rmw & (fr; co) as atomic\n'
    code, out, _ = porf('check', '-m', porf.write('plain.cat', rules), waits)
    equal('exit code', code, 0)
    more = rules + 'acyclic (po \\ (po; [F]; po)) | com as odd\n'
    code, out, _ = porf('check', '-m', porf.write('odd.cat', more), waits)
    equal('exit code', code, 3)
    holds('further iterations of this spin loop' in out, out)


@test
def leaves_nothing_behind(porf):
    os.mkdir(os.path.join(porf.directory, 'scratch'))
    os.environ['TMPDIR'] = os.path.join(porf.directory, 'scratch')
    try:
        porf('check', '--no-cache', porf.write('good.c', GOOD))
        porf('check', '--no-cache', porf.write('bad.c', BAD))
        porf('check', '--no-cache', porf.write('broken.c', 'int main (void) { return undeclared; }\n'))
        left = [f for _, _, files in os.walk(porf.directory) for f in files if f not in ('good.c', 'bad.c', 'broken.c')]
    finally:
        del os.environ['TMPDIR']
    assert not left, left


@test
def missing_file(porf):
    rejected(porf('check', 'no-such-file.c'), 'no-such-file.c')


@test
def missing_file_json(porf):
    rejected(porf('check', '--format', 'json', 'no-such-file.c'), 'no-such-file.c')


@test
def directory(porf):
    os.mkdir(os.path.join(porf.directory, 'sources.c'))
    rejected(porf('check', 'sources.c'), 'sources.c')


@test
def unreadable_kind(porf):
    rejected(porf('check', porf.write('picture.png', b'\x89PNG\r\n\x1a\n\0\0\0')), 'picture.png')


@test
def not_c(porf):
    rejected(porf('check', porf.write('poem.c', 'Shall I compare thee to a summer day\n')), 'poem.c', compiler=True)


@test
def binary_as_c(porf):
    rejected(porf('check', porf.write('binary.c', bytes(range(256)) * 8)), 'binary.c', compiler=True)


@test
def c_with_errors(porf):
    rejected(porf('check', porf.write('broken.c', 'int main (void) {\n  return undeclared;\n}\n')), 'broken.c', 'undeclared')


@test
def missing_include(porf):
    rejected(porf('check', porf.write('inc.c', '#include "nowhere.h"\nint main (void) { return 0; }\n')), 'nowhere.h')


@test
def bad_cflags(porf):
    rejected(porf('check', porf.write('good.c', GOOD), '--', '-fno-such-flag'), '-fno-such-flag')


@test
def empty_file(porf):
    rejected(porf('check', porf.write('empty.c', '')), 'main')


@test
def no_main(porf):
    rejected(porf('check', porf.write('library.c', 'int twice (int x) { return 2 * x; }\n')), 'main')


@test
def no_input(porf):
    rejected(porf('check'))


@test
def unknown_model(porf):
    good = porf.write('good.c', GOOD)
    for name, meant in ('rc12', 'rc11'), ('x86', 'tso'), ('AArch64', 'armv8'), ('C11', 'rc11'), ('TSO', 'tso'):
        rejected(porf('check', '-m', name, good), name, f'did you mean `{meant}`')


@test
def unknown_model_file(porf):
    rejected(porf('check', '-m', 'nowhere.cat', porf.write('good.c', GOOD)), 'nowhere.cat')


@test
def unknown_option(porf):
    rejected(porf('check', '--no-such-option', porf.write('good.c', GOOD)), '--no-such-option')


@test
def unknown_command(porf):
    rejected(porf('chekc', porf.write('good.c', GOOD)), 'chekc')


@test
def unknown_format(porf):
    rejected(porf('check', '--format', 'csv', porf.write('good.c', GOOD)), 'csv')


@test
def option_without_value(porf):
    rejected(porf('check', porf.write('good.c', GOOD), '-m'), '-m')


@test
def number_expected(porf):
    for option in ('--unroll', '--timeout', '--jobs'):
        rejected(porf('check', option, 'many', porf.write('good.c', GOOD)), 'many')
        rejected(porf('check', option, '-3', porf.write('good.c', GOOD)), '-3')
    rejected(porf('check', '--jobs', '100000', porf.write('good.c', GOOD)), 'at most')


@test
def truncated_bitcode(porf):
    porf.write('good.c', GOOD)
    for clang in ('clang-19', 'clang'):
        try:
            p = subprocess.run([clang, '-c', '-emit-llvm', '-g', 'good.c', '-o', 'whole.bc'], cwd=porf.directory,
                               capture_output=True)
            break
        except OSError:
            continue
    equal('exit code of clang', p.returncode, 0)
    with open(os.path.join(porf.directory, 'whole.bc'), 'rb') as f:
        whole = f.read()
    for size in (0, 3, 4, 20, len(whole) // 2, len(whole) - 8):
        rejected(porf('check', porf.write('cut.bc', whole[:size])), 'cut.bc')
    equal('exit code for the whole file', porf('check', 'whole.bc')[0], 0)


@test
def garbage_bitcode(porf):
    rejected(porf('check', porf.write('garbage.bc', b'BC\xc0\xde' + os.urandom(300))), 'garbage.bc')


@test
def garbage_ll(porf):
    rejected(porf('check', porf.write('garbage.ll', 'define i32 @main( {\n')), 'garbage.ll')


@test
def garbage_ir(porf):
    rejected(porf('check', porf.write('garbage.ir', 'this is no program\n')), 'garbage.ir')
    rejected(porf('check', porf.write('random.ir', os.urandom(500))), 'random.ir')
    rejected(porf('check', porf.write('empty.ir', '')), 'empty.ir')


@test
def garbage_litmus(porf):
    rejected(porf('check', porf.write('garbage.litmus', 'C nothing\n{ P0 ( }\n')), 'garbage.litmus')


@test
def output_not_writable(porf):
    rejected(porf('check', '--format', 'json', '-o', 'no/such/directory/out.json', porf.write('good.c', GOOD)),
             'no/such/directory/out.json')


@test
def exit_code_pass(porf):
    code, out, err = porf('check', porf.write('good.c', GOOD))
    equal('exit code', code, 0)
    holds(out.strip(), 'nothing is reported on standard output')


@test
def exit_code_violation(porf):
    code, out, err = porf('check', porf.write('bad.c', BAD))
    equal('exit code', code, 42)
    holds('assert' in out and 'bad.c' in out, f'the report does not name the assertion: {out[:300]!r}')


@test
def plain_file_means_check(porf):
    equal('exit code', porf(porf.write('good.c', GOOD))[0], 0)
    equal('exit code', porf(porf.write('bad.c', BAD))[0], 42)


@test
def json_pass(porf):
    code, out, err = porf('check', '--format', 'json', porf.write('good.c', GOOD))
    result = well_formed(out)
    equal('verdict', result['verdict'], 'pass')
    equal('model', result['model'], 'rc11')
    equal('executions', result['executions'], 4)
    equal('blocked', result['blocked'], 0)
    equal('duplicates', result['duplicates'], 0)
    equal('findings', result['findings'], [])
    equal('not_covered', result['not_covered'], [])
    equal('standard error', err, '')


@test
def json_violation(porf):
    code, out, err = porf('check', '-m', 'sc', '--format', 'json', porf.write('bad.c', BAD))
    result = well_formed(out)
    equal('exit code', code, 42)
    equal('verdict', result['verdict'], 'violation')
    equal('model', result['model'], 'sc')
    finding = result['findings'][0]
    equal('kind', finding['kind'], 'assert')
    equal('line', finding['line'], 4)
    holds(finding['file'].endswith('bad.c'), f'file {finding["file"]!r}')


@test
def json_strings_are_escaped(porf):
    name = porf.write('odd "name"\\.c', BAD)
    code, out, err = porf('check', '--format', 'json', name)
    equal('exit code', code, 42)
    holds('odd "name"' in well_formed(out)['findings'][0]['file'], 'the file name is not given')


@test
def output_file(porf):
    code, out, err = porf('check', '--format', 'json', '-o', 'out.json', porf.write('good.c', GOOD))
    equal('exit code', code, 0)
    equal('standard output', out, '')
    with open(os.path.join(porf.directory, 'out.json')) as f:
        equal('verdict', well_formed(f.read())['verdict'], 'pass')


@test
def stop_at_first_or_keep_going(porf):
    name = porf.write('two.c', GOOD.replace('return 0; }', 'if (1) __builtin_abort (); return 0; }'))
    first = well_formed(porf('check', '--format', 'json', name)[1])
    every = well_formed(porf('check', '--format', 'json', '--keep-going', name)[1])
    equal('verdict', (first['verdict'], every['verdict']), ('violation', 'violation'))
    equal('executions with --keep-going', every['executions'], 4)
    holds(first['executions'] <= every['executions'], 'stopping at the first finding explores more')


@test
def timeout_is_incomplete(porf):
    code, out, err = porf('check', '--timeout', '1', '--format', 'json', porf.write('forever.c', FOREVER))
    result = well_formed(out)
    equal('exit code', code, 3)
    equal('verdict', result['verdict'], 'incomplete')
    holds(result['not_covered'], 'not_covered is empty')


@test
def unroll_is_incomplete(porf):
    code, out, err = porf('check', '--unroll', '3', '--format', 'json', porf.write('loop.c', LOOP))
    result = well_formed(out)
    equal('exit code', code, 3)
    equal('verdict', result['verdict'], 'incomplete')
    holds(result['not_covered'], 'not_covered is empty')


@test
def unroll_large_enough(porf):
    code, out, err = porf('check', '--unroll', '1000', '--format', 'json', porf.write('loop.c', LOOP))
    equal('exit code', code, 0)
    equal('verdict', well_formed(out)['verdict'], 'pass')


# What stands behind the reads r (event 0, of 1) and s (event 1, of 2), and what the store to z then depends on. Nothing
# between the source and the VM may look at values: a processor does not.
DEPENDENCIES = {
    'W (z, 1);': '',
    'W (z, r);': 'data 0',
    'W (z, r ^ r);': 'data 0',
    'W (z, 1 + (r ^ r));': 'data 0',
    'W (z, r - r);': 'data 0',
    'W (z, r & 0);': 'data 0',
    'W (z, 0 * s);': 'data 1',
    'W (z, r % 1);': 'data 0',
    'W (z, s >> 31);': 'data 1',
    'W (z, (char) r + (short) s);': 'data 1,0',
    'W (z, r == r);': 'data 0',
    'W (z, !!r);': 'data 0',
    'W (z, r ? 1 : 1);': 'data 0',
    'W (z, (r, 1));': '',
    'W (z, sizeof (r + s));': '',
    'W (z, same (r));': 'data 0',
    'W (z, (int) (double) s);': 'data 1',
    'int t = r; t = 5; W (z, t);': '',
    'if (r) same (0); W (z, 1);': 'ctrl 0',
    'if (r == r) same (0); W (z, s);': 'data 1 ctrl 0',
    'int t = 0; if (s) t = 1; else t = 2; W (z, t);': 'ctrl 1',
    'W (z, r && s);': 'data 1 ctrl 0',
    'for (int i = 0; i < s; i++) same (i); W (z, 1);': 'ctrl 1',
    'switch (r) { case 7: same (1); } W (z, 1);': 'ctrl 0',
    'int (*f) (int) = functions[r & 1]; W (z, f (1));': 'ctrl 2',
    'int t[2] = {0, 0}; t[0] = r; t[1] = s; W (z, t[0]);': 'data 0',
    'struct { int a, b; } p = {r, s}, q; q = p; W (z, q.a + q.b);': 'data 1,0',
    'own = r; W (z, own);': 'data 0',
    'own = r; own = 3; W (z, own);': '',
    'int *p = malloc (4 * s); *p = r; W (z, *p);': 'data 3',
    'int *p = malloc (4 * s); W (z, p != 0);': '',
    'W (*(&z + (r ^ r)), s);': 'addr 0 data 1',
    'int t = R (*(&y + (r ^ r))); W (z, t);': 'data 2',
}

DEPENDENT = """#include <stdatomic.h>
#include <stdlib.h>
#define R(l) atomic_load_explicit (&(l), memory_order_relaxed)
#define W(l, v) atomic_store_explicit (&(l), v, memory_order_relaxed)
static atomic_int x = 1, y = 2, z;
static _Thread_local int own;
static int same (int v) { return v; }
static int other (int v) { return v; }
int (*functions[2]) (int) = {same, other};
int main (void) { int r = R (x), s = R (y); (void) r; (void) s; %s return other (0); }
"""


@test
def dependencies(porf):
    for body, want in DEPENDENCIES.items():
        code, out, err = porf('check', '--dependencies', '--reduce=none', '--no-cache', '--check-invariants', '--dump',
                              'graph', porf.write('dependent.c', DEPENDENT % body))
        equal(f'exit code of {body}', code, 0)
        got = re.search(r' W z rlx -?\d+((?: (?:addr|data|ctrl|rmw_dep) [\d,]+)*)', err)
        holds(got, f'no store to z: {body}: {err}')
        equal(body, got[1].strip(), want)


@test
def dependencies_of_compare_exchange(porf):
    body = 'int e = s - 2; int n = r; atomic_compare_exchange_strong (&z, &e, n); W (y, 1);'
    code, out, err = porf('check', '--dependencies', '--reduce=none', '--dump', 'graph',
                          porf.write('dependent.c', DEPENDENT % body))
    equal('exit code', code, 0)
    holds(' U z sc 0>1<init data 0 rmw_dep 1;' in err, f'the update: {err}')
    holds(re.search(r' W y rlx 1 ctrl 2,1\b', err), f'the store behind it: {err}')  # whether it has succeeded


@test
def dependencies_in_reports(porf):
    file = porf.write('dependent.c', DEPENDENT % 'if (s) W (z, r); W (x, 3); abort ();')
    code, out, err = porf('check', '--dependencies', '--reduce=none', '--help-time', '0', '--format', 'json', file)
    equal('exit code', code, 42)
    events = json.loads(out)['findings'][0]['execution']
    at = {(e['kind'], e['location']): e for e in events}
    x, y = (events.index(at['read', name]) for name in 'xy')
    equal('data of z', at['write', 'z'].get('data'), [x])
    equal('ctrl of z', at['write', 'z'].get('ctrl'), [y])
    equal('ctrl of x', at['write', 'x'].get('ctrl'), [y])
    holds('data' not in at['write', 'x'], 'the store to x depends on nothing')
    code, out, err = porf('check', '--dependencies', '--reduce=none', '--help-time', '0', '--format', 'dot', file)
    z = events.index(at['write', 'z'])
    for name, start in (('data', x), ('ctrl', y)):
        equal(f'{name} edges', re.findall(rf'e(\d+) -> e(\d+) \[label="{name}"', out), [(str(start), str(z))])
    code, out, err = porf('check', '--reduce=none', '--help-time', '0', '--format', 'json', file)
    holds('"data"' not in out and '"ctrl"' not in out, 'dependencies that nobody has asked for')


@test
def mappings(porf):
    code, out, err = porf('mappings')
    equal('exit code', code, 0)
    names = out.split()
    holds({'x86', 'armv8', 'power', 'riscv', 'imm'} <= set(names), f'mappings: {names}')
    for name in names:
        code, out, err = porf('mappings', name)
        equal('exit code', code, 0)
        equal('printed and read again', porf('mappings', porf.write('same.map', out))[1], out)
    rejected(porf('mappings', 'powr'), 'powr', 'power')
    rejected(porf('mappings', 'no-such-file.map'), 'no-such-file.map')
    rejected(porf('mappings', porf.write('bad.map', 'target power\nload rlx = R isnyc\n')), 'bad.map:2:14:', 'isnyc',
             'lwsync', '              ^^^^^')


@test
def mappings_of_hotspot(porf):
    """Volatile accesses on POWER: there is a full fence between any two of them in the repaired mapping only."""
    def volatile(name):
        code, out, err = porf('mappings', os.path.join(ROOT, 'mappings', name))
        equal('exit code', code, 0)
        rows = dict(re.findall(r'^(\w+) +sc += (.*)$', out, re.M))
        return [rows['load'].split(), rows['store'].split()]

    def is_fenced(first, second):
        access = [s.index('R' if 'R' in s else 'W') for s in (first, second)]
        return 'sync' in first[access[0]:] + second[:access[1]]

    for name, want in (('hotspot-power-old.map', False), ('hotspot-power.map', True)):
        rows = volatile(name)
        equal(name, all(is_fenced(a, b) for a in rows for b in rows), want)


@test
def volatile_on_power(porf):
    """Programs of seq_cst accesses alone: HotSpot's old mapping to POWER breaks this one, the repaired one does not, and porf
    proposes just that repair."""
    path = porf.write('volatile.c', """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b, c, d;
static void *t1 (void *p) { x = 2; a = y; return p; }
static void *t2 (void *p) { y = 1; return p; }
static void *t3 (void *p) {
  b = y;
  x = 1; /* here */
  return p;
}
static void *t4 (void *p) { c = x; d = x; return p; }
int main (void) {
  pthread_t t[4];
  void *(*f[4]) (void *) = {t1, t2, t3, t4};
  for (int i = 0; i < 4; i++) pthread_create (&t[i], 0, f[i], 0);
  for (int i = 0; i < 4; i++) pthread_join (t[i], 0);
  assert (!(a == 0 && b == 1 && c == 1 && d == 2));
}
""")

    def check(mapping, *model):
        return porf('check', *model, '--mapping', mapping, path)

    old, new = (os.path.join(ROOT, 'mappings', name) for name in ('hotspot-power-old.map', 'hotspot-power.map'))
    code, out, err = check(old, '-m', 'power')
    equal('old mapping', code, 42)
    holds('under power with hotspot-power-old.map' in out, out)
    holds(re.search(r'help: add atomic_thread_fence \(memory_order_seq_cst\) (before|after) the store at volatile.c:1[01] ', out), out)
    equal('repaired mapping', check(new, '-m', 'power')[0], 0)
    equal('usual mapping', porf('check', '-m', 'power', path)[0], 0)
    twin = os.path.join(ROOT, 'cat', 'power.cat')
    equal('twin, old', check(old, '-m', twin, '-q')[0], 42)
    equal('twin, repaired', check(new, '-m', twin, '-q')[0], 0)
    rows = [len(porf('outcomes', '-m', 'power', '--mapping', m, '--observe', 'a,b,c,d', path)[1].splitlines()) for m in (old, new)]
    holds(rows[0] > rows[1], f'lines of outcomes: {rows}')
    rejected(check(old, '-m', 'rc11'), '--mapping', 'rc11')
    rejected(check(old, '-m', 'armv8'), 'power', 'armv8')
    rejected(check(porf.write('bad.map', 'target power\nload rlx = R isnyc\n'), '-m', 'power'), 'bad.map:2:14:')
    rejected(check('no-such.map', '-m', 'power'), 'no-such.map')


@test
def unsupported_is_incomplete(porf):
    text = 'void no_such_function (int);\nint main (void) {\n  no_such_function (1);\n  return 0;\n}\n'
    code, out, err = porf('check', '--format', 'json', porf.write('extern.c', text))
    result = well_formed(out)
    equal('exit code', code, 3)
    equal('verdict', result['verdict'], 'incomplete')
    holds('no_such_function' in json.dumps(result['not_covered']), f'not named: {result["not_covered"]}')


@test
def unsupported_but_not_reached(porf):
    text = 'void no_such_function (int);\nint main (void) {\n  if (0 > 1) no_such_function (1);\n  return 0;\n}\n'
    equal('exit code', porf('check', porf.write('extern.c', text))[0], 0)


@test
def jobs_do_not_change_counts(porf):
    name = porf.write('good.c', GOOD)
    for jobs in ('1', '2', '4'):
        code, out, err = porf('check', '--jobs', jobs, '--format', 'json', name)
        equal(f'executions with --jobs {jobs}', well_formed(out)['executions'], 4)


@test
def options_after_the_file(porf):
    code, out, err = porf('check', porf.write('good.c', GOOD), '-m', 'sc', '--format=json')
    equal('executions', well_formed(out)['executions'], 3)


@test
def cflags_are_passed(porf):
    name = porf.write('flag.c', '#include <assert.h>\nint main (void) { assert (N == 3); return 0; }\n')
    equal('exit code with -DN=3', porf('check', name, '--', '-DN=3')[0], 0)
    equal('exit code with -DN=4', porf('check', name, '--', '-DN=4')[0], 42)


@test
def no_race_flag(porf):
    text = ('#include <pthread.h>\nint x;\nvoid *f (void *u) { x = 1; return u; }\n'
            'int main (void) { pthread_t t; pthread_create (&t, 0, f, 0); x = 2; pthread_join (t, 0); return 0; }\n')
    name = porf.write('race.c', text)
    equal('exit code', porf('check', name)[0], 42)
    equal('exit code with --no-race', porf('check', '--no-race', name)[0], 0)


@test
def volatile_races_are_named(porf):
    source = os.path.join(ROOT, 'tests', 'bugs', 'volatile.c')
    status, out, _ = porf('check', source)
    equal('status', status, 42)
    holds('`volatile` does not make accesses atomic' in out and 'help: --volatile treats' in out, f'no word of volatile: {out}')
    status, out, _ = porf('check', '--volatile', source)
    equal('status', status, 0)


@test
def steps_in_several_files(porf):
    porf.write('other.c', '#include <stdatomic.h>\natomic_int x;\nvoid *add (void *u) { x = x + 1; return u; }\n')
    main = porf.write('main.c', '''#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern atomic_int x;
void *add (void *);
int main (void) { pthread_t t;
  pthread_create (&t, 0, add, 0); x = x + 1; pthread_join (t, 0);
  assert (x == 2); return 0; }
''')
    status, out, _ = porf('check', '--help-time', '0', main, 'other.c')
    equal('status', status, 42)
    holds('steps: in this order\n' in out, f'no steps: {out}')


@test
def constructors_of_several_files(porf):
    """By their priorities, whatever file they are in; exit handlers come before all destructors."""
    def function(kind, priority, digit):
        return f'__attribute__ (({kind} ({priority}))) static void f{digit} (void) {{ all = all * 10 + {digit}; }}\n'
    porf.write('other.c', 'int all;\n' + function('constructor', 101, 1) + function('constructor', 300, 3) +
               function('destructor', 101, 8) + '#include <assert.h>\n'
               '__attribute__ ((destructor (100))) static void last (void) { assert (all == 12345678); }\n')
    main = porf.write('main.c', '#include <stdlib.h>\nextern int all;\n' + function('constructor', 102, 2) +
                      function('constructor', 65000, 4) + function('destructor', 200, 7) +
                      'static void handler (void) { all = all * 10 + 6; }\n'
                      '__attribute__ ((constructor)) static void registers (void) { atexit (handler); }\n'
                      'int main (void) { all = all * 10 + 5; return 0; }\n')
    for files in ((main, 'other.c'), ('other.c', main)):
        code, out, _ = porf('check', *files)
        holds(code == 0, out)


@test
def other_formats(porf):
    porf.write('bad.c', BAD)
    known = porf('check', '--help')[1]
    for form in ('text', 'sarif', 'junit', 'github', 'html', 'dot'):
        if form not in known:
            continue
        code, out, err = porf('check', '--format', form, 'bad.c')
        equal(f'exit code with --format {form}', code, 42)
        holds(out.strip(), f'--format {form} prints nothing')
        if form == 'sarif':
            sarif = json.loads(out)
            equal('SARIF version', sarif['version'], '2.1.0')
            equal('results', len(sarif['runs'][0]['results']), 1)
        elif form == 'junit':
            xml.dom.minidom.parseString(out)
        elif form == 'github':
            holds(out.startswith('::error'), f'no annotation: {out[:100]!r}')
        elif form == 'html':
            holds('<html' in out.lower(), f'no HTML: {out[:100]!r}')
        elif form == 'dot':
            holds('digraph' in out, f'no graph: {out[:100]!r}')


@test
def help_and_version(porf):
    for args in (['--help'], ['-h'], ['help'], ['check', '--help']):
        code, out, err = porf(*args)
        equal(f'exit code of {args}', code, 0)
        holds('check' in out, f'{args} does not explain itself: {out[:200]!r}')
        equal(f'standard error of {args}', err, '')
    for args in (['help', 'check'], ['check', '--help'], ['optimize', '--help'], ['test', '--help'], ['--help']):
        lines = porf(*args)[1].split('\n')
        holds(len(lines) <= (51 if args == ['--help'] else 100), f'{args}: {len(lines)} lines')
        holds(max(map(len, lines)) <= 84, f'{args}: {max(lines, key=len)}')
    holds('--gdb' in porf('help', 'replay')[1] and '--gdb' not in porf('help', 'check')[1], 'options of other commands')
    rejected(porf('help', 'chekc'), 'did you mean `porf help check`?')
    code, out, err = porf('--version')
    equal('exit code of --version', code, 0)
    holds(re.match(r'porf \d+\.\d+', out), f'--version prints {out!r}')


MACHINE = '''#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
_Atomic int x, y;
static void *writer (void *arg) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  atomic_store_explicit (&y, 1, ORDER);
  return arg;
}
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, writer, 0);
  int b = atomic_load_explicit (&y, memory_order_acquire);
  int a = atomic_load_explicit (&x, memory_order_relaxed);
  assert (!b || a);
  pthread_join (t, 0);
  return 0;
}
'''


@test
def machine(porf):
    program = porf.write('mp.c', MACHINE)
    for mode in ('--mca', '--non-mca', '--share', '--engine=machine', '--partition=0,1'):
        code, out, err = porf('check', mode, program, '--', '-DORDER=memory_order_relaxed')
        equal(f'exit code of {mode}', code, 42)
        holds('steps: in this order' in out and "t1's store of 1 to `y` arrives" in out, f'no steps in\n{out}')
        holds('memories: main' in err, f'no memories in {err}')
        equal(f'exit code of {mode}', porf('check', mode, program, '--', '-DORDER=memory_order_release')[0], 0)
    code, out, _ = porf('check', '--bit-state', '1', '--non-mca', program, '--', '-DORDER=memory_order_release')
    equal('exit code with bits for states', code, 3)
    holds('--bit-state' in out, out)
    equal('with bits', porf('check', '--bit-state=1', '--mca', program, '--', '-DORDER=memory_order_relaxed')[0], 42)


@test
def machine_verifies_a_partition(porf):
    program = porf.write('mp.c', MACHINE)
    code, out, err = porf('check', '--share', '--partition=0,1', program, '--', '-DORDER=memory_order_release')
    equal('exit code', code, 0)
    holds('memories: main | t1' in err, err)
    holds('main and t1 cannot share a memory: main reads `y`, which t1 writes' in err, err)
    code, out, err = porf('check', '--share', '--partition=0/1', program, '--', '-DORDER=memory_order_release')
    holds('cannot share' not in err, err)


@test
def machine_takes_other_options(porf):
    program = porf.write('mp.c', MACHINE)
    rejected(porf('check', '--mca', '--share', program), '--mca', '--share')
    rejected(porf('check', '--mca', '--all-states', 'dir', program), '--all-states')
    rejected(porf('compare', '--mca', '-m', 'sc,tso', program), 'compare')
    for partition in ('0,0', 'x', '0,', '64', '', '1//2'):
        rejected(porf('check', f'--partition={partition}', program), '--partition')
    rejected(porf('check', '--engine', 'engine', program), 'engine')


# What options that have an argument are given.
VALUES = {'mapping': 'riscv', 'model': 'sc', 'engine': 'explore', 'partition': '0,1', 'bound': 'context=1', 'format': 'json',
          'color': 'never', 'nondet': '0..1', 'dump': 'graph', 'check_model': 'm.cat', 'observe': 'x'}
# Options that do what they say with both engines.
BOTH = set("""engine races volatile_is_atomic keep_going nondet spurious unroll timeout memory jobs format output saves full
observe show_output help_time few_fences finding gdb keep stats quiet color reduce cache dump
check_invariants check_model example version help trust liveness overflow malloc_fails words environment time_passes
join_all aborts""".split())


def option_rows(file, pattern):
    with open(os.path.join(ROOT, 'src', 'session', file), encoding='utf-8') as f:
        return re.findall(pattern, f.read(), re.M)


@test
def options_without_effect(porf):
    program = porf.write('mp.c', MACHINE)
    options = {field: (name, argument) for field, name, argument in option_rows(
        'options.def', r'^(?:SAFE_)?OPTION \([^,]*(?:<[^>]*>)?, (\w+), .*?, "([\w-]+)", (?:0|\'\w\'), \w+, (NULL|"[^"]*")')}
    engines = dict(option_rows('scope.def', r'^ENGINE \((\w+), (\w+)\)'))
    commands = {field: re.findall(r'FOR \((\w+)\)', text) for field, text in option_rows('scope.def', r'^COMMAND \((\w+), (.*), "')}
    equal('options of which nobody says where they have an effect', set(options) - set(engines) - BOTH, set())
    equal('options that are said to be for one engine and for both', set(engines) & BOTH, set())

    def word(field):
        name, argument = options[field]
        return [f'--{name}'] if argument == 'NULL' else [f'--{name}={VALUES.get(field, "3")}']
    for field, engine in engines.items():
        other = 'explore' if engine == 'MACHINE' else 'machine'
        command = commands.get(field, ['check'])[0]
        rejected(porf(command, f'--engine={other}', *word(field), program), other, f'--{options[field][0]}')
    for field, names in commands.items():
        for command in {'check', 'outcomes', 'optimize'} - set(names):
            rejected(porf(command, *word(field), program), f'--{options[field][0]}', names[0])
    for words in (['--every=3'], ['--plain-races', '--no-race'], ['--edits', '--help-time=0'], ['--patch=p', '--help-time=0'],
                  ['--skip-retries', '--reduce=none'], ['--plain-races', '-m', 'tso'],
                  ['--mca', '--dump=graph'], ['--engine=machine', '-m', 'tso'], ['--bit-state=3'], ['--incoherent']):
        rejected(porf('check', *words, program), words[0].split('=')[0] if words[0] not in ('--mca', '--engine=machine') else 'machine')


RENAMED = {'no-symmetry': '--reduce=-symmetry', 'no-commuting': '--reduce=-commuting', 'no-barriers': '--reduce=-barriers',
           'no-lazy': '--reduce=-lazy', 'no-eager': '--reduce=-eager', 'no-dead': '--reduce=-dead', 'no-own': '--reduce=-own',
           'fix-patch': '--patch FILE', 'dot': '--save FILE.dot', 'no-reductions': None}


@test
def renamed_options(porf):
    """Former spellings are read, with one note each, and are in no help and no completion."""
    bad = porf.write('bad.c', BAD)
    rows = option_rows('renamed.def', r'^RENAMED \("([\w-]+)", \w+, \w+, (NULL|"\w+"), (?:"(.*)"|NULL)\)')
    equal('former spellings', {old: now or None for old, _, now in rows}, RENAMED)
    shown = ''.join(porf(*words)[1] for words in (
        ['--help'], *(['help', c] for c in ('check', 'test', 'outcomes', 'compare', 'optimize', 'replay')),
        *(['completion', kind] for kind in ('bash', 'zsh', 'fish', 'man'))))
    for old, argument, now in rows:
        holds(not re.search(rf'--{old}\b', shown.replace('\\', '')), f'--{old} is still shown')
        on = ['--mca'] if now[10:] in ('lazy', 'eager', 'dead', 'own') else []
        words = [f'--{old}'] if argument == 'NULL' else [f'--{old}', 'out.x']
        code, out, err = porf('check', *on, *words, bad)
        equal(f'exit code of --{old}', code, 42)
        equal(f'notes of --{old}', err.count(f'--{old}'), 1 if now else 0)
        holds(not now or f'is now {now}\n' in err, err)
        if argument != 'NULL':
            holds(os.path.getsize(os.path.join(porf.directory, 'out.x')) > 9 or old == 'fix-patch', f'--{old} wrote nothing')
    porf.write('t1.c', '// porf: --no-symmetry\nint main (void) { return 0; }\n')
    porf.write('t2.c', '// porf: --no-symmetry\nint main (void) { return 0; }\n')
    code, out, err = porf('test', 't1.c', 't2.c')
    equal('exit code of old headers', code, 0)
    equal('notes on old headers', err.count('--no-symmetry is now --reduce=-symmetry'), 1)


@test
def completions_of_explain(porf):
    """bash completes what `porf explain` knows; the others list the same words. The manual page has examples."""
    words = porf('completion', 'bash')[1]
    script = words + '\nCOMP_WORDS=(porf explain de); COMP_CWORD=2; _porf; echo "${COMPREPLY[@]}"\n'
    shown = subprocess.run(['bash', '-c', script], capture_output=True, text=True).stdout.split()
    equal('completions of `porf explain de`', shown, ['deadlock'])
    for kind in ('bash', 'zsh', 'fish'):
        holds(all(f' {w} ' in porf('completion', kind)[1] for w in ('race', 'rc11', 'coherence', 'MP')), kind)
    holds('.SH EXAMPLES' in porf('completion', 'man')[1], 'no examples')


TWO_EQUAL = '''#include <pthread.h>
#include <stdatomic.h>
_Atomic int x, y;
static void *f (void *a) { atomic_load (&x); atomic_store (&x, 1); atomic_fetch_add_explicit (&y, 1, memory_order_relaxed); return a; }
int main (void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create (&t[i], 0, f, 0);
  for (int i = 0; i < 2; i++) pthread_join (t[i], 0); return 0; }
'''


@test
def reduce(porf):
    """--reduce: all, none, all but some, only some; what is not known is refused with a suggestion."""
    program = porf.write('two.c', TWO_EQUAL)

    def count(*words):
        code, out, err = porf('check', '--format', 'json', *words, program)
        equal(f'exit code and notes of {words}', (code, err), (0, ''))
        return json.loads(out)['nodes']   # `executions` are the same
    everything, nothing = count(), count('--no-reductions')
    no_symmetry, no_commuting = count('--reduce=-symmetry'), count('--reduce=-commuting')
    both = count('--reduce=-symmetry,-commuting')
    holds(everything < no_symmetry < both and everything < no_commuting < both, (everything, no_symmetry, no_commuting, both))
    for expected, same in (
            (everything, (['--reduce=all'], ['--reduce', 'all'], ['--reduce=none', '--reduce=all'], ['--reduce=-symmetry,symmetry'],
                          ['--reduce=-symmetry', '--reduce=+symmetry'], ['--reduce=symmetry,commuting'])),
            (nothing, (['--reduce=none'], ['--reduce=all,none'], ['--reduce=none,-symmetry'], ['--reduce=symmetry', '--reduce=none'])),
            (no_symmetry, (['--reduce', '-symmetry'], ['--reduce=all,-symmetry'], ['--reduce=commuting'], ['--reduce=none', '--reduce=commuting'])),
            (both, (['--reduce=-symmetry', '--reduce=-commuting'], ['--reduce=barriers']))):
        for words in same:
            equal(f'nodes with {words}', count(*words), expected)
    for words, said in ((['--reduce=-symetry'], 'did you mean `symmetry`?'), (['--reduce=nonne'], 'did you mean `none`?'),
                        (['--reduce=xyzzy'], 'choose from symmetry, commuting'), (['--reduce='], 'all, none'), (['--reduce'], 'all, none'),
                        (['--reduce=none,symmetry'], '--reduce=symmetry'), (['--reduce=-symmetry,'], 'there is no reduction ``'),
                        (['--reduce=-lazy'], 'the engine `explore` has no reduction `lazy`'),
                        (['--mca', '--reduce=-commuting'], 'the engine `machine` has no reduction `commuting`'),
                        (['--engine=futures', '--reduce=-commuting'], 'the engine `futures` has no reduction `commuting`')):
        rejected(porf('check', program, *words), said)


@test
def machine_names_missing_threads(porf):
    program = porf.write('mp.c', MACHINE)
    for words in (['--partition=0,1/7,9'], ['--share', '--partition=0/1,7,9'], ['-q', '--partition=0,7/1,9']):
        code, out, err = porf('check', *words, program, '--', '-DORDER=memory_order_release')
        holds('warning: --partition names threads that no execution has: 7, 9' in err, f'{words}: {err!r}')
    for words in (['--partition=0,1'], ['--share']):
        holds('warning' not in porf('check', *words, program, '--', '-DORDER=memory_order_release')[2], 'a warning without reason')


@test
def late_sharing_with_workers(porf):
    """Not in the corpus, whose runs count duplicates: then the workers share less."""
    program = os.path.join(ROOT, 'tests', 'bugs', 'late-sharing-workers.c')
    for jobs in ('1', '2', '3', '4'):
        code, out, err = porf('check', '-q', '--keep-going', '--help-time=0', '-m', 'armv8', f'--jobs={jobs}', program)
        equal(f'exit code with {jobs} workers ({err})', code, 3)


@test
def machine_in_json(porf):
    program = porf.write('mp.c', MACHINE)
    code, out, _ = porf('check', '--share', '--format', 'json', program, '--', '-DORDER=memory_order_relaxed')
    result = json.loads(out)
    equal('model', result['model'], 'machine (share)')
    equal('memories', result['memories'], 2)
    holds(result['states'] > 1 and result['transitions'] > 1, out)
    equal('kind', result['findings'][0]['kind'], 'assert')


@test
def models_lists_the_models(porf):
    code, out, err = porf('models')
    equal('exit code', code, 0)
    for model in ('sc', 'tso', 'ra', 'rc11', 'wrc11'):
        holds(re.search(rf'\b{model}\b', out), f'{model} is not listed')


@test
def models_check_reads_a_model(porf):
    code, out, err = porf('models', '--check', porf.write('m.cat', '"mine"\nacyclic po | rf | co | fr as order\n'))
    equal('exit code', code, 0)
    for line in ('model +mine', 'rule +order: acyclic', 'coherence +implied', 'read-modify-writes +are one event', 'atomic updates +implied',
                 'allows with relaxed accesses: nothing'):
        holds(re.search(line, out), f'{line} is not in {out!r}')
    equal('what porf explain says of a file', porf('explain', 'm.cat')[1], out)
    code, out, err = porf('models', '--check', porf.write('m.mcm', 'a = po union rf\na acyclic\n'))
    equal('exit code', code, 0)
    for line in (r'acyclic po \| rf +implied', 'coherence +not proved', 'accesses: SB MP IRIW CoRR WRC$', 'order of writes +not mentioned'):
        holds(re.search(line, out), f'mcm: {line} is not in {out!r}')
    code, out, err = porf('models', '--check', porf.write('m.cat', '~empty rf \\ (po; rf) as odd\nflag ~empty rf\n'))
    for line in ('rule, at the end +odd: ', 'flag +~empty rf', 'rules at the end +are asked of complete', 'spin loops +are not covered'):
        holds(re.search(line, out), f'{line} is not in {out!r}')


MCM_FR = 'fr = for_each_node R begin R[node] * target(mo(source(rf(W -> R[node])) --> W)) end\n'


@test
def mcm_models(porf):
    def allowed(text, *more):
        code, out, err = porf('models', '--check', porf.write('m.mcm', text), *more)
        equal(f'exit code for {text!r} ({err})', code, 0)
        found = re.search('with release/acquire accesses: (.*)', out)
        return set(found.group(1).split())
    weak = MCM_FR + 'a = for_each_node F begin source(po(A --> F[node])) * target(po(F[node] --> A)) end\n'
    rest = 'b = a union rf union mo union fr\nb acyclic\n'
    equal('release and acquire are fences', allowed(weak + rest) & {'MP', 'SB', 'LB'}, {'SB'})
    equal('no fence of x86 does that', allowed(weak.replace('F', 'F[mfence]') + rest) & {'MP', 'SB'}, {'MP', 'SB'})
    equal('initial writes come first', 'CoRR' in allowed('a = po(W --> R) intersect (W * R)\nb = source(a) * R\nc = R * W\n'
          'd = for_each_var begin po(W[var] --> R[var]) end\nd empty\n'), False)
    tags = ['for_each_thread begin A[thread] * A[thread0] end', 'for_each_thrd begin A[thread] * A[thrd] end']
    for tag in tags:
        equal(tag, allowed(MCM_FR + f'a = {tag}\nb = (rf union fr union mo) \\ a union po\nb acyclic\n'), allowed(
            MCM_FR + 'b = (rf union fr union mo) \\ (for_each_thrd begin A[thrd] * A[thrd] end union po)\nb acyclic\n'))
    equal('a dead part of a choice', 'MP' in allowed('a = for_each_node R begin R[node] * target(rmw(source(rf(W -> R[node])) --> W)) end\n'
          'b = for_each_var begin po(A[var] --> R[var]) end\na irreflexive | b acyclic\n'), True)
    rejected(porf('models', '--check', porf.write('m.mcm', 'a = F[mfens] * F\na empty\n')), 'm.mcm:1:7:', 'mfens', 'mfence')


@test
def models_check_shows_mistakes(porf):
    code, out, err = porf('models', '--check', porf.write('m.cat', 'let hb = po | rf\nacyclic bh\n'))
    equal('exit code', code, 2)
    equal('standard output', out, '')
    holds(err.endswith("m.cat:2:9: error: `bh` is not defined here\n    2 | acyclic bh\n      |         ^^\n"
                       " help: did you mean `hb`?\n"), f'the message is {err!r}')
    code, out, err = porf('models', '--check', porf.write('m.mcm', 'a = po unio rf\na acyclic\n'))
    holds('m.mcm:1:8: error: `unio` is not defined here' in err and 'did you mean `union`?' in err, f'{err!r}')
    code, out, err = porf('models', '--check', 'missing.cat')
    equal('exit code of a missing file', code, 2)


MESSAGE = '''#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, ready;
void *sender (void *x) {
  atomic_store_explicit (&data, 1, memory_order_relaxed);
  atomic_store_explicit (&ready, 1, memory_order_relaxed);
  return x;
}
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, sender, 0);
  if (atomic_load_explicit (&ready, memory_order_relaxed))
    assert (atomic_load_explicit (&data, memory_order_relaxed));
  pthread_join (t, 0);
}
'''
COHERENT = 'acyclic po-loc | rf | co | fr as coherence\nempty rmw & (fr; co)\nacyclic po | rf\n'


@test
def a_model_can_be_a_file(porf):
    program = porf.write('mp.c', MESSAGE)
    strong = porf.write('strong.cat', COHERENT + 'acyclic po | rf | co | fr as order\n')
    weak = porf.write('weak.cat', COHERENT)
    code, out, err = porf('check', '--format', 'json', '-m', strong, program)
    equal('exit code under the strong model', code, 0)
    holds('given up as soon as they break a rule' in err, f'the mode is not told: {err!r}')
    stats = json.loads(out)
    equal('executions', stats['executions'], 2)
    equal('executions that are forbidden when they are complete', stats['forbidden'], 0)
    late = porf.write('late.cat', COHERENT + 'acyclic po | rf | co | fr\nempty rf & co (* who knows? *)\n')
    code, out, err = porf('check', '--format', 'json', '-m', late, program)
    equal('exit code under a model that is not extensible', code, 0)
    holds('the rules of late.cat choose among' in err, f'the mode is not told: {err!r}')
    stats = json.loads(out)
    equal('executions', stats['executions'], 2)
    equal('executions that are forbidden when they are complete', stats['forbidden'], 1)
    code, out, err = porf('check', '-q', '-m', weak, program)
    equal('exit code under the weak model', code, 42)
    equal('standard error with -q', err, '')
    holds('can fail under weak.cat' in out, f'the model is not named: {out!r}')


@test
def no_execution_is_no_plain_ok(porf):
    """Nothing that the model allows: incomplete. Nothing that comes to its end: the verdict says so."""
    nothing = porf.write('nothing.cat', '"nothing"\n~empty 0 as never\n')
    program = porf.write('good.c', GOOD)
    code, out, _ = porf('check', '--format', 'json', '-m', nothing, program)
    equal('exit code where nothing is allowed', code, 3)
    holds('the model allows no execution' in json.loads(out)['not_covered'][0]['what'], out)
    litmus = porf.write('sb.litmus', 'C sb\n{}\nP0 (atomic_int *x) { atomic_store (x, 1); }\nforall (x = 1)\n')
    code, out, _ = porf('outcomes', '-m', nothing, litmus)
    holds('\nIncomplete\n' in out and 'Not covered: ' in out, out)
    held = porf.write('held.c', 'void __VERIFIER_assume (int);\nint main (void) { __VERIFIER_assume (0); }\n')
    for more in ((), ('-m', 'tso'), ('--engine', 'machine')):
        code, out, _ = porf('check', *more, held)
        equal('exit code where nothing comes to its end', code, 0)
        holds('no execution completes' in out, out)
        code, out, _ = porf('check', '-q', *more, held)
        holds('no execution completes' in out, out)


UPDATES = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_long x;
static void *run (void *u) { return (void *)atomic_fetch_add_explicit (&x, 1, memory_order_relaxed); }
int main (void) { pthread_t s, t; void *a, *b;
  pthread_create (&s, 0, run, 0); pthread_create (&t, 0, run, 0);
  pthread_join (s, &a); pthread_join (t, &b); assert (a != b); return 0; }
"""


@test
def updates_are_one_event_or_two(porf):
    """As models of C in herd's library say that they are atomic, and as models of processors do."""
    program = porf.write('updates.c', UPDATES)
    coherent = 'acyclic po-loc | rf | co | fr\n'
    for rules in (coherent, 'acyclic po | rf | co | fr', 'irreflexive rf | (co; co; rf^-1) | (co; rf)',
                  'let cosucc = co \\ (co; co)\nempty (rf; [RMW]) \\ cosucc', 'acyclic co\nempty (rf & (W * (R & W))) \\ (co \\ (co; co))',
                  coherent + 'show rmw', coherent + 'empty rmw & (fre; coe)', 'include "cos.cat"\nacyclic po-loc | rf | co | fr'):
        code, out, _ = porf('check', '--format', 'json', '--keep-going', '-m', porf.write('m.cat', rules), program)
        equal(f'findings under {rules}', [f['kind'] for f in json.loads(out)['findings']], [])
        equal(f'executions under {rules}', json.loads(out)['executions'], 2)
    for rules in ('acyclic po | rf', coherent + 'acyclic rmw', coherent + 'let two = rmw\n', 'acyclic po-loc | rf | co\n'):
        code, out, _ = porf('check', '-m', porf.write('m.cat', rules), program)
        equal(f'exit code under {rules}', code, 42)


@test
def values_out_of_thin_air(porf):
    """They are not visited: a model that allows them makes programs with dependencies incomplete."""
    head = '#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, y;\n'
    get, put = 'atomic_load_explicit (&%s, memory_order_relaxed)', 'atomic_store_explicit (&%s, %s, memory_order_relaxed)'
    main = """int main (void) { pthread_t s, t;
  pthread_create (&s, 0, one, 0); pthread_create (&t, 0, two, 0);
  pthread_join (s, 0); pthread_join (t, 0); assert (x < 2); }
"""
    threads = lambda body: ''.join(f'static void *{n} (void *u) {{ {body % v}; return u; }}\n' for n, v in (('one', ('x', 'y')), ('two', ('y', 'x'))))
    kinds = {'ctrl': f'if ({get} == 1) {put % ("%s", 1)}'}
    kinds['data'] = 'int r = ' + get + '; ' + put % ('%s', 'r')
    kinds['none'] = get + '; ' + put % ('%s', 1)
    rules = {'acyclic po-loc | rf | co | fr': 3, 'acyclic po-loc | rf | co | fr\nacyclic po | rf': 0,
             'acyclic po-loc | rf | co | fr\nacyclic rf | addr | data | rmw_dep': 3, 'acyclic po-loc | rf | co | fr\nacyclic rfe | data | ctrl | addr': 3,
             'acyclic po-loc | rf | co | fr\nempty rmw & (fr; co)\nacyclic rf | addr | data | ctrl | rmw | rmw_dep': 0}
    for kind, body in kinds.items():
        program = porf.write(f'{kind}.c', head + threads(body) + main)
        for text, code in rules.items():
            found, out, _ = porf('check', '-m', porf.write('m.cat', text), program)
            equal(f'exit code for {kind} under {text}', found, 0 if kind == 'none' else code)
            equal(f'whether thin air is told for {kind} under {text}', 'thin air' in out, found == 3)
        for twin in ('imm', 'armv8', 'power', 'riscv', 'rc11'):
            found, out, _ = porf('check', '-m', os.path.join(ROOT, 'cat', f'{twin}.cat'), program)
            equal(f'exit code for {kind} under {twin}', found, 0)


@test
def ctrl_of_models_of_c(porf):
    """It ends with the `if` there, which is said; on processors it does not."""
    program = porf.write('ctrl.c', """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static void *run (void *u) { atomic_store (&x, 1); return u; }
int main (void) { pthread_t t; pthread_create (&t, 0, run, 0);
  if (atomic_load (&x)) atomic_store (&y, 1);
  atomic_store (&z, 1);
  pthread_join (t, 0); }
""")
    rules = 'acyclic po | rf | co | fr\n'
    for more, code in (('', 0), ('irreflexive ctrl; rf', 3), ('irreflexive ctrl; rf\nlet two = rmw\nempty rmw & (fr; co)', 0)):
        found, out, _ = porf('check', '-m', porf.write('m.cat', rules + more), program)
        equal(f'exit code with {more!r}', found, code)
        equal('whether it is said', 'ctrl ends with the `if`' in out, code == 3)


@test
def flags_of_a_model_are_told(porf):
    """undefined_unless is a violation where it is broken, a flag a warning with its name."""
    program = porf.write('race.c', """#include <pthread.h>
#include <stdatomic.h>
static int x;
static atomic_int y;
static void *run (void *u) { x = 1; atomic_store_explicit (&y, 1, memory_order_release); return u; }
int main (void) { pthread_t t; pthread_create (&t, 0, run, 0);
#ifdef BUG
  int r = x;
#else
  int r = atomic_load_explicit (&y, memory_order_acquire) ? x : 0;
#endif
  pthread_join (t, 0); return r < 0; }
""")
    rules = COHERENT + """let hb = (po | ([REL]; rf; [ACQ]))+
let dr = (((W * M) | (M * W)) & loc & ext) \\ (hb | hb^-1) \\ (A * A) \\ (IW * _) \\ (_ * IW)
"""
    undefined = porf.write('undefined.cat', rules + 'undefined_unless empty dr as Dr\n')
    flag = porf.write('flag.cat', rules + 'flag ~empty dr as racy\n')
    code, out, err = porf('check', '-m', undefined, program, '--', '-DBUG')
    equal('exit code with a race', code, 42)
    holds('error[race]' in out and '`Dr`' in out and 'races are not looked for' not in err, out + err)
    equal('exit code without', porf('check', '-m', undefined, program)[0], 0)
    equal('exit code with --no-race', porf('check', '--no-race', '-m', undefined, program, '--', '-DBUG')[0], 0)
    code, out, err = porf('check', '--format', 'json', '-m', flag, program, '--', '-DBUG')
    equal('exit code with a flag', code, 0)
    equal('flags', {w['message'] for w in json.loads(out)['warnings']}, {'the model raises the flag `racy`'})
    equal('flags without a race', json.loads(porf('check', '--format', 'json', '-m', flag, program)[1])['warnings'], [])
    litmus = porf.write('w.litmus', 'C w\n{}\nP0 (int *x) { *x = 1; }\nP1 (int *x) { int r0 = *x; }\nexists (1:r0 = 1)\n')
    holds('racy' in porf('outcomes', '-m', flag, litmus)[1], 'the flag is not told')
    shown = porf.write('shown.cat', 'acyclic po | rf\nflag ~acyclic [X] as f\nlet halves = rmw\n')
    equal('exit code where a flag is about cycles', porf('check', '-m', shown, porf.write('updates.c', UPDATES))[0], 42)


@test
def a_file_beside_the_model_is_included(porf):
    """Not the built-in one of that name, unless it computes the orders of writes."""
    program = porf.write('mp.c', MESSAGE)
    strong = COHERENT + 'acyclic po | rf | co | fr as order\n'
    for name in ('filters.cat', 'cos.cat', 'stdlib.cat', 'c11_cos.cat', 'cross.cat', 'x86fences.cat'):
        model = porf.write('m.cat', f'include "{name}"\n{COHERENT}')
        equal(f'exit code with the built-in {name}', porf('check', '-m', model, program)[0], 42)
        porf.write(name, strong)
        equal(f'exit code with my {name}', porf('check', '-m', model, program)[0], 0)
        porf.write(name, strong + 'acyclic nobody\n')
        rejected(porf('check', '-m', model, program), 'nobody')
        os.remove(os.path.join(porf.directory, name))
    porf.write('cross.cat', 'let generate_cos (r) = {} ++ r\n')
    model = porf.write('m.cat', f'include "cross.cat"\nwith co from generate_cos (0)\n{strong}')
    equal('exit code where the orders of writes are computed', porf('check', '-m', model, program)[0], 0)
    porf.write('filters.cat', 'let A = {} ++ 0\n')
    rejected(porf('check', '-m', porf.write('m.cat', 'include "filters.cat"'), program), '++')


@test
def a_model_file_is_announced_once(porf):
    program, model = porf.write('mp.c', MESSAGE), porf.write('weak.cat', COHERENT)
    for command in (('outcomes', '-m', model), ('compare', '-m', f'sc,{model}')):
        code, out, err = porf(*command, program)
        equal(f'lines on standard error of {command[0]}', err.count('\n'), 1)


@test
def what_the_runtime_keeps_is_not_shown(porf):
    code, out, err = porf('check', '--reduce=none', '--print-executions', porf.write('good.c', GOOD))
    equal('exit code', code, 0)
    holds('join t2' in out and 'porf_runtime' not in out, out)


@test
def nothing_is_assumed_of_a_weak_model(porf):
    program = porf.write('mp.c', MESSAGE)
    for rules in ('acyclic po | rf', 'acyclic po-loc | rf | co | fr', 'empty 0', COHERENT + 'acyclic data | rf'):
        code, out, err = porf('check', '-m', porf.write('m.cat', rules), program)
        equal(f'exit code for {rules}', code, 42)
    code, out, err = porf('check', '-m', porf.write('m.cat', 'acyclic po | rf | co | fr'), program)
    equal('exit code for sequential consistency without atomicity', code, 0)
    code, out, err = porf('check', '-m', porf.write('m.cat', COHERENT + 'acyclic fencerel (SYNC) | rf'), program)
    equal('exit code for instructions of POWER', code, 42)
    code, out, err = porf('check', '-m', porf.write('m.cat', COHERENT + 'acyclic fencerel (SYNC | MFENCE) | rf'), program)
    equal('exit code for instructions of two processors', code, 2)
    holds('--mapping' in err, f'not said: {err!r}')


# What the outcomes of a program are under rules, as rows of values.
LOAD_BUFFERING = '''#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int a, b;
#define relaxed memory_order_relaxed
void *one (void *p) {
  a = atomic_load_explicit (&x, relaxed);
  atomic_store_explicit (&y, ONE, relaxed);
  return p;
}
void *two (void *p) {
  b = atomic_load_explicit (&y, relaxed);
  atomic_store_explicit (&x, b, relaxed);
  return p;
}
int main (void) {
  pthread_t s, t;
  pthread_create (&s, 0, one, 0);
  pthread_create (&t, 0, two, 0);
  pthread_join (s, 0);
  pthread_join (t, 0);
}
'''


@test
def dependencies_are_there_for_rules_that_ask(porf):
    program = porf.write('lb.c', LOAD_BUFFERING)
    for rules_text, count in (('', 3), ('empty data', 0), ('~empty data', 3), ('~empty ctrl', 0)):
        rules = porf.write('m.cat', COHERENT + rules_text)
        code, out, err = porf('check', '--format', 'json', '-m', rules, program, '--', '-DONE=1')
        equal(f'executions with {rules_text!r}', json.loads(out)['executions'], count)


UPDATE = '''#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void *one (void *p) { atomic_store (&x, 1); return p; }
void *two (void *p) { atomic_exchange (&x, 2); return p; }
int main (void) {
  pthread_t s, t;
  pthread_create (&s, 0, one, 0);
  pthread_create (&t, 0, two, 0);
  pthread_join (s, 0);
  pthread_join (t, 0);
}
'''


@test
def an_update_can_be_before_what_it_reads_if_nothing_forbids_it(porf):
    program = porf.write('u.c', UPDATE)
    atomic = 'acyclic po | rf\nempty rmw & (fr; co)\n'
    for rules_text, count in (('', 4), (atomic, 3), (atomic + 'irreflexive rmw; co; rf', 2), (COHERENT, 2)):
        code, out, err = porf('check', '--format', 'json', '-m', porf.write('m.cat', 'empty 0\n' + rules_text), program)
        equal(f'executions with {rules_text!r}', json.loads(out)['executions'], count)


@test
def load_buffering_needs_no_values_out_of_thin_air(porf):
    program = porf.write('lb.c', LOAD_BUFFERING)
    for one, rules_text, expected in (('1', '', True), ('1 + 0 * a', '', False), ('a', '', False),
                                      ('1', 'acyclic po | rf', False), ('1 + 0 * a', 'acyclic data | rf', False)):
        rules = porf.write('m.cat', 'acyclic po-loc | rf | co | fr\n' + rules_text)
        code, out, err = porf('outcomes', '--observe', 'a,b', '-m', rules, program, '--', f'-DONE=({one})')
        equal(f'exit code: {err}', code, 0 if 'po | rf' in rules_text else 3)
        equal(f'a = b = 1 with {one} under {rules_text!r}: {out}', re.search(r'^ +\d+ +1 +1$', out, re.M) is not None, expected)


@test
def a_mistake_in_a_model_is_shown(porf):
    program = porf.write('mp.c', MESSAGE)
    code, out, err = porf('check', '-m', porf.write('m.cat', 'acyclic po | rff'), program)
    equal('exit code for a mistake', code, 2)
    holds('did you mean `rfe`?' in err, f'the mistake is not shown: {err!r}')


@test
def frees_under_a_model_file_are_incomplete(porf):
    code, out, err = porf('check', '-m', porf.write('m.cat', COHERENT), porf.write('f.c', '''#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
static atomic_int *p;
void *user (void *x) { atomic_store (p, 1); return x; }
int main (void) {
  pthread_t t;
  p = malloc (sizeof *p);
  pthread_create (&t, 0, user, 0);
  pthread_join (t, 0);
  free (p);
}
'''))
    equal('exit code', code, 3)
    holds('what is before a free' in out, f'the reason is not told: {out!r}')


def text_of(porf, name, content, *args):
    """The report without what changes from run to run."""
    code, out, err = porf('check', '-q', *args, porf.write(name, content))
    equal('standard error', err, '')
    return re.sub(r'\n (seen|also): .*', '', out).split('\n\n')[0].rstrip('\n')


THREADS = '''#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
'''
MAIN = '''int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, one, NULL);
  pthread_create (&b, NULL, two, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  return 0;
}
'''


@test
def text_of_a_weak_assertion(porf):
    program = THREADS + '''static atomic_int data, ready;
static void *one (void *_) {
  atomic_store_explicit (&data, 42, memory_order_relaxed);
  atomic_store_explicit (&ready, 1, memory_order_relaxed);
  return NULL;
}
static void *two (void *_) {
  if (atomic_load_explicit (&ready, memory_order_acquire)) {
    int d = atomic_load_explicit (&data, memory_order_relaxed);
    assert (d == 42);
  }
  return NULL;
}
''' + MAIN
    equal('text', text_of(porf, 'mp.c', program), '''\
error[assert]: assertion `d == 42` can fail under rc11            mp.c:14:5
  in t2 (two):
    12 |   if (atomic_load_explicit (&ready, memory_order_acquire)) {
       |       --------------------------------------------------- reads 1, written by t1 (one) at mp.c:8
    13 |     int d = atomic_load_explicit (&data, memory_order_relaxed);
       |             -------------------------------------------------- reads 0, the initial value, although t1 wrote 42 at mp.c:7
    14 |     assert (d == 42);
       |     ^^^^^^^^^^^^^^^^ fails here
  in t1 (one):
     8 |   atomic_store_explicit (&ready, 1, memory_order_relaxed);
       |   ------------------------------------------------------- writes 1, relaxed
  why: the store at mp.c:8 is relaxed, so it does not synchronise with the acquire load at mp.c:12
 help: use memory_order_release at mp.c:8 (checked: no violation in all 2 executions)''')


@test
def text_of_a_deadlock(porf):
    program = THREADS + '''static struct account { pthread_mutex_t lock; long balance; } acc[2];
static void transfer (struct account *from, struct account *to) {
  pthread_mutex_lock (&from->lock);
  pthread_mutex_lock (&to->lock);
  from->balance--, to->balance++;
  pthread_mutex_unlock (&to->lock);
  pthread_mutex_unlock (&from->lock);
}
static void *one (void *_) { transfer (&acc[0], &acc[1]); return NULL; }
static void *two (void *_) { transfer (&acc[1], &acc[0]); return NULL; }
''' + MAIN
    equal('text', text_of(porf, 'bank.c', program), '''\
error[deadlock]: t1 and t2 can wait for each other forever under rc11   bank.c:8:3
  in t1 (one):
     8 |   pthread_mutex_lock (&to->lock);
       |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ waits for `acc[1].lock`, held by t2 (two) since bank.c:7
  in main:
    19 |   pthread_join (a, NULL);
       |   ---------------------- waits for t1 to end
  in t2 (two):
     8 |   pthread_mutex_lock (&to->lock);
       |   ------------------------------ waits for `acc[0].lock`, held by t1 since bank.c:7''')


@test
def text_of_a_race_on_a_local_variable(porf):
    program = '''#include <pthread.h>
static void *increment (void *arg) {
  int *p = arg;
  ++*p;
  return NULL;
}
int main (void) {
  int counter = 0;
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create (&t[i], NULL, increment, &counter);
  for (int i = 0; i < 2; i++) pthread_join (t[i], NULL);
  return counter;
}
'''
    equal('text', text_of(porf, 'local.c', program), '''\
error[race]: data race on `counter` under rc11                    local.c:4:3
  in t2 (increment):
     4 |   ++*p;
       |   ^^^^ reads `counter`, non-atomic
  in t1 (increment):
     4 |   ++*p;
       |   ---- writes `counter`, non-atomic
  why: nothing orders these accesses: no lock, no join, no release store that an acquire load reads; stronger memory orders would not change that''')


@test
def text_of_a_use_after_free(porf):
    program = THREADS + '''typedef struct { atomic_int refs; int payload; } object;
static object *o;
static void put (object *x) {
  if (atomic_fetch_sub_explicit (&x->refs, 1, memory_order_relaxed) == 1) free (x);
}
static void *one (void *_) { put (o); return NULL; }
int main (void) {
  pthread_t t;
  o = malloc (sizeof *o);
  atomic_init (&o->refs, 2);
  pthread_create (&t, NULL, one, NULL);
  put (o);
  pthread_join (t, NULL);
}
'''
    text = text_of(porf, 'refs.c', program)
    for line in (
            'error[use-after-free]: `x` can be freed while another thread uses it under rc11   refs.c:8:75',
            'is freed here',
            'is used here',
            '    13 |   o = malloc (sizeof *o);\n       |       ------------------ is allocated here',
            '  why: the update at refs.c:8 is relaxed, so what one thread does before it need not be visible to the next',
            ' help: use memory_order_acq_rel at refs.c:8 (checked: no violation in all 2 executions)'):
        holds(line in text, f'{line!r} is missing in:\n{text}')


@test
def text_of_a_wait_for_what_nobody_writes(porf):
    program = THREADS + '''static atomic_int x, flag;
static void *one (void *_) {
  atomic_fetch_add (&x, 1);
  while (!atomic_load_explicit (&flag, memory_order_acquire))
    ;
  return NULL;
}
static void *two (void *_) { atomic_fetch_add (&x, 1); return NULL; }
''' + MAIN
    text = text_of(porf, 'wait.c', program)
    for line in ('error[liveness]: t1 can wait forever for `flag` to change',
                 'waits here forever: no other thread writes `flag`'):
        holds(line in text, f'{line!r} is missing in:\n{text}')


@test
def text_of_an_interleaving(porf):
    program = THREADS + '''static atomic_int x;
static int get (void) { return atomic_load_explicit (&x, memory_order_relaxed); }
static void *one (void *_) {
  int old = get ();
  atomic_store_explicit (&x, old + 1, memory_order_relaxed);
  return NULL;
}
static void *two (void *_) {
  int old = get ();
  atomic_store_explicit (&x, old + 1, memory_order_relaxed);
  return NULL;
}
int main (void) {
  pthread_t a, b;
  pthread_create (&a, NULL, one, NULL);
  pthread_create (&b, NULL, two, NULL);
  pthread_join (a, NULL);
  pthread_join (b, NULL);
  assert (x == 2);
}
'''
    text = text_of(porf, 'lost.c', program)
    holds('''\
steps: in lost.c, in this order
       t1 line 6, called at 8   reads 0 from `x`
       t2 line 6, called at 13  reads 0 from `x`
       t1 line 9                writes 1 to `x`
       t2 line 14               writes 1 to `x`
       main line 23             reads 1 from `x`
       main line 23             assertion `x == 2` fails
  why: an ordinary interleaving of the threads leads here: no memory order and no fence can prevent it''' in text, text)
    holds('help:' not in text, text)


@test
def edits(porf):
    """Edits of the text that make the check pass, as a patch; none that only keep something from being done."""
    def fix_of(name, text, *flags):
        porf.write(name, THREADS + text + MAIN)
        return json.loads(porf('--edits', '--format', 'json', name, *flags)[1])['findings'][0]
    untested = fix_of('untested.c', '''static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void add (void) {
  pthread_mutex_trylock (&m);
  x++;
  pthread_mutex_unlock (&m);
}
static void *one (void *_) { add (); return NULL; }
static void *two (void *_) { add (); return NULL; }
''')
    equal('fix', [(f['line'], f['replace'], f['by']) for f in untested['fix']],
          [(8, 'pthread_mutex_trylock (&m);', 'pthread_mutex_lock (&m);')])
    holds('checked: no violation in all 2 executions' in untested['help'], untested['help'])
    early = '''static atomic_int ready;
static int data;
static void *one (void *_) {
  data = 42;
  atomic_store_explicit (&ready, 1, memory_order_release);
  return NULL;
}
static void *two (void *_) {
  assert (data == 42);
  return NULL;
}
'''
    wait = fix_of('early.c', early)
    equal('fix', [(f['line'], f['insert']) for f in wait['fix']], [(13, 'while (!atomic_load (&ready)) {}')])
    equal('edits', [(e['line'], e['column'], e['end_column'], e['text']) for e in wait['edits']],
          [(13, 1, 1, '  while (!atomic_load (&ready)) {}\n')])
    lines = (THREADS + early + MAIN).splitlines(keepends=True)
    lines.insert(12, wait['edits'][0]['text'])
    porf.write('edited.c', ''.join(lines))
    equal('edited', porf('edited.c')[0], 0)
    holds('edits' not in json.loads(porf('--format', 'json', 'early.c')[1])['findings'][0], 'edits that were not asked for')
    unwanted = fix_of('unwanted.c', '''static atomic_int x;
static void *one (void *_) {
  atomic_store (&x, 1);
  return NULL;
}
static void *two (void *_) {
  assert (!atomic_load (&x));
  return NULL;
}
''', '--help-time', '10')
    equal('fix of what is meant', unwanted['fix'], [])
    kept = '''static atomic_int data;
static void *one (void *_) { atomic_store (&data, 42); return NULL; }
static void *two (void *_) {
  int d = atomic_load (&data);
  %s
  return NULL;
}
'''
    for check in 'assert (d == 42);', '#define CHECK assert\n  CHECK (d == 42);', 'if (d != 42) {\n    abort ();\n  }':
        fix, = fix_of('kept.c', '#include <stdlib.h>\n' + kept % check)['fix']
        equal('fix that leaves the assertion alone', (fix['line'], fix.get('insert')),
              (9, 'while (!atomic_load (&data)) {}'))
    under_sc = json.loads(porf('--edits', '-m', 'sc', '--format', 'json', 'early.c')[1])['findings'][0]
    equal('fix under sc', under_sc['fix'], wait['fix'])


@test
def skip_retries(porf):
    """Rounds in vain are left out where the model allows it, and not together with what would need the notes of others."""
    porf.write('retry.c', THREADS + """static atomic_int x, sum;
static void add (void) {
  int old = atomic_load (&x);
  while (!atomic_compare_exchange_weak (&x, &old, old + 1)) {}
  atomic_fetch_add (&sum, old);
}
static void *one (void *_) { add (); return NULL; }
static void *two (void *_) { add (); return NULL; }
""" + MAIN)
    def executions(*flags):
        return json.loads(porf('--format', 'json', 'retry.c', *flags)[1])['executions']
    equal('all rounds', executions(), 8)
    equal('none in vain', executions('--skip-retries'), 4)
    for model in ['armv8', 'wrc11', 'xmm', os.path.join(ROOT, 'cat', 'sc.cat')]:
        rejected(porf('--skip-retries', '-m', model, 'retry.c'), '--skip-retries')
    rejected(porf('--skip-retries', '--checkpoint', 'c', 'retry.c'), '--skip-retries')


@test
def edits_where_they_can_be(porf):
    """The hint at --edits stands where it can help; asked for elsewhere, the report says why there are none."""
    porf.write('early.c', THREADS + """static int data;
static void *one (void *_) { data = 42; return NULL; }
static void *two (void *_) { assert (data == 42); return NULL; }
""" + MAIN)
    porf.write('race.litmus', """C race
{}
P0 (int *x) { *x = 1; }
P1 (int *x) { int r0 = *x; }
exists (1:r0=1)
""")
    text = porf('--no-race', 'early.c')[1]
    holds('--edits also tries' in text, text)
    holds('--edits' not in porf('--no-race', '--help-time', '0', 'early.c')[1], 'a hint at fixes that are not wanted')
    code, text, _ = porf('race.litmus')
    equal('race', code, 42)
    holds('--edits' not in text, text)
    text = porf('--edits', 'race.litmus')[1]
    holds('help: --edits needs the names of all files, in C or C++: neither litmus tests' in text, text)
    rejected(porf('--edits', '-m', os.path.join(ROOT, 'cat', 'sc.cat'), 'early.c'), 'sc.cat', '--edits')
    rejected(porf('--edits', '--engine', 'machine', 'early.c'), 'machine', '--edits')


@test
def help_time(porf):
    porf.write('mp.c', THREADS + '''static atomic_int data, ready;
static void *one (void *_) {
  atomic_store_explicit (&data, 42, memory_order_relaxed);
  atomic_store_explicit (&ready, 1, memory_order_relaxed);
  return NULL;
}
static void *two (void *_) {
  if (atomic_load_explicit (&ready, memory_order_acquire)) assert (data == 42);
  return NULL;
}
''' + MAIN)
    holds('help:' in porf('mp.c')[1], 'no help by default')
    holds('help:' not in porf('--help-time', '0', 'mp.c')[1], 'help although no time was given')
    finding = json.loads(porf('--format', 'json', 'mp.c')[1])['findings'][0]
    fix = finding['fix'][0]
    equal('fix', (len(finding['fix']), fix['line'], fix['from'], fix['to']),
          (1, 8, 'memory_order_relaxed', 'memory_order_release'))
    equal('blame', [b['line'] for b in finding['blame']], [8, 12])


def apply_fix(source, fix):
    """The source with the changes made by hand, as a user would."""
    lines = source.splitlines()
    for change in sorted(fix, key=lambda c: -c['line']):
        at = change['line'] - 1
        if 'fence' in change:
            text = f'  atomic_thread_fence ({change["fence"]});'
            lines.insert(at + 1 if change['after'] == change['line'] else at, text)
        else:
            before, after = lines[at][:change['column'] - 1], lines[at][change['column'] - 1:]
            holds(change['from'] in after, f'{change} does not fit {lines[at]!r}')
            lines[at] = before + after.replace(change['from'], change['to'], 1)
    return '\n'.join(lines) + '\n'


@test
def fixes_hold(porf):
    relaxed = 'memory_order_relaxed'
    body = {
        # message passing: both sides are relaxed
        'mp.c': (f'''static atomic_int data, ready;
static void *one (void *_) {{
  atomic_store_explicit (&data, 42, {relaxed});
  atomic_store_explicit (&ready, 1, {relaxed});
  return NULL;
}}
static void *two (void *_) {{
  if (atomic_load_explicit (&ready, {relaxed}))
    assert (atomic_load_explicit (&data, {relaxed}) == 42);
  return NULL;
}}
''', 2),
        # store buffering: a full fence on each side
        'sb.c': (f'''static atomic_int x, y, in;
static void *one (void *_) {{
  atomic_store_explicit (&x, 1, {relaxed});
  if (!atomic_load_explicit (&y, {relaxed}))
    assert (!atomic_fetch_add (&in, 1));
  return NULL;
}}
static void *two (void *_) {{
  atomic_store_explicit (&y, 1, {relaxed});
  if (!atomic_load_explicit (&x, {relaxed}))
    assert (!atomic_fetch_add (&in, 1));
  return NULL;
}}
''', 2),
        # a lock whose exchange does not acquire
        'lock.c': (f'''static atomic_int held;
static int counter;
static void *one (void *_) {{
  while (atomic_exchange_explicit (&held, 1, {relaxed}))
    ;
  counter++;
  atomic_store_explicit (&held, 0, memory_order_release);
  return NULL;
}}
#define two one
''', 1),
    }
    for name, (text, count) in body.items():
        source = THREADS + text + MAIN
        porf.write(name, source)
        code, out, _ = porf('--format', 'json', name)
        fix = json.loads(out)['findings'][0]['fix']
        equal(f'{name}: exit code and changes', (code, len(fix)), (42, count))
        fixed = 'fixed-' + name
        porf.write(fixed, apply_fix(source, fix))
        equal(f'{name}: exit code when fixed', porf('-q', fixed)[0], 0)
        for left_out in range(count if count > 1 else 0):
            porf.write(fixed, apply_fix(source, fix[:left_out] + fix[left_out + 1:]))
            equal(f'{name}: exit code when half fixed', porf('-q', fixed)[0], 42)


@test
def text_of_memory_errors(porf):
    def headline(body):
        text = text_of(porf, 'memory.c', f'#include <stdlib.h>\nstatic int table[4];\nint main (void) {{\n{body}\n}}\n')
        return text.splitlines()[0].split(' under rc11')[0]
    for body, want in (
            ('for (int i = 0; i <= 4; i++) table[i] = i;',
             'error[out-of-bounds]: a write of 4 bytes can reach offset 16 of `table` (16 bytes)'),
            ('int *p = malloc (8); return p[-1];',
             'error[out-of-bounds]: a read of 4 bytes can reach 4 bytes before `malloc(8)#1 of main` (8 bytes)'),
            ('int *p = malloc (8); return p[1];', 'error[uninitialised]: `p[1]` can be read before it is written'),
            ('int *p = malloc (8); free (p); p[1] = 2;', 'error[use-after-free]: `p[1]` can be used after it was freed'),
            ('int *p = malloc (8); free (p); free (p);', 'error[double-free]: `p` can be freed twice'),
            ('char *p = malloc (8); free (p + 4);',
             'error[invalid-free]: `p + 4` can be freed, although it is not the start of a block'),
            ('int *q = table; free (q);', 'error[invalid-free]: `table[0]` can be freed, although it was not allocated'),
            ('volatile int *p = NULL; return *p;', 'error[null]: a null pointer can be dereferenced')):
        equal(body, headline(body), want)


@test
def library_code_is_blamed_on_the_caller(porf):
    program = '#include <string.h>\nstatic char to[4];\nint main (void) {\n  strcpy (to, "too long");\n}\n'
    code, out, err = porf('check', '--format', 'json', porf.write('copy.c', program))
    finding = well_formed(out)['findings'][0]
    equal('place', (finding['kind'], finding['file'], finding['line']), ('out-of-bounds', 'copy.c', 4))


@test
def cxx_library_code_is_blamed_on_the_caller(porf):
    program = '''#include <atomic>
#include <thread>
#include <cassert>
std::atomic<int> x{0};
int main () {
  std::thread t ([] { x.store (1); });
  int r = x.load ();
  t.join ();
  assert (r == 0);
}
'''
    code, out, err = porf('check', porf.write('cxx.cpp', program))
    if code == 2:
        return  # no C++ headers on this machine
    equal('exit code', code, 42)
    holds('t1 (started at cxx.cpp:6)' in out, f'the thread is not introduced: {out}')
    holds('/usr/' not in out and '<porf>' not in out, f'code of libraries is shown: {out}')


@test
def files_make_one_program(porf):
    main = '''#include <assert.h>
#include <pthread.h>
extern int limit, list[]; int next (void); void *other (void *); static int counter = 10;
static int helper (void) { return counter++; }
int main (void) { pthread_t t;
  pthread_create (&t, 0, other, 0); pthread_join (t, 0);
  assert (limit == 3 && next () == 101 && helper () == 10 && list[2] == 7);
  return 0; }
'''
    rest = '''int limit = 1, list[3]; static int counter = 99;
__attribute__ ((constructor)) static void start (void) { limit += 2; }
static int helper (void) { return ++counter; }
int next (void) { return helper () + BUG; }
void *other (void *u) { list[2] = 7; counter = 100; return u; }
'''
    names = [porf.write('main.c', main), porf.write('rest.c', rest)]
    code, out, err = porf('check', '--format', 'json', *names, '--', '-DBUG=0')
    result = well_formed(out)
    equal('verdict', (code, result['verdict'], result['file']), (0, 'pass', 'main.c + rest.c'))
    equal('the other order', porf('check', *reversed(names), '--', '-DBUG=0')[0], 0)
    equal('a violation', porf('check', *names, '--', '-DBUG=1')[0], 42)
    code, out, err = porf('check', names[0])
    holds(code == 3 and 'the call of `other`: no file given defines it' in out, out)
    code, out, err = porf('check', '--format', 'json', *names, porf.write('bad.c', BAD), '--', '-DBUG=0')
    equal('two programs', [r['verdict'] for r in json.loads(out)], ['pass', 'violation'])
    rejected(porf('check', names[1], '--', '-DBUG=0'), 'rest.c', 'main')
    rejected(porf('check', *names, porf.write('more.c', 'int limit = 4;'), '--', '-DBUG=0'), 'more.c', '`limit`')


@test
def a_folder_called_runtime(porf):
    os.mkdir(os.path.join(porf.directory, 'runtime'))
    out = porf('check', porf.write('runtime/bad.c', BAD))[1]
    holds('runtime/bad.c:4' in out and 'assert (x == 2);' in out, out)


@test
def what_was_not_covered_is_named(porf):
    out = porf('check', '--unroll', '3', porf.write('loop.c', LOOP))[1]
    holds('not covered: loop.c:4: the loop was cut after 3 iterations (--unroll)' in out, out)
    out = porf('check', '--timeout', '2', porf.write('forever.c', FOREVER))[1]
    holds('not covered: stopped after 2 s (--timeout) before exploring everything' in out, out)


@test
def values_that_the_user_chose_are_covered(porf):
    program = 'int __VERIFIER_nondet_int (void);\nint main (void) { return __VERIFIER_nondet_int () & 0; }\n'
    code, out, _ = porf('check', porf.write('nondet.c', program))
    holds(code == 0 and '\n  assumed: nondet from 0..9 (--nondet)\n  10 complete executions' in out, out)
    for values, n in (('1..3', '3'), ('-1,5', '2')):
        code, out, _ = porf('check', '--nondet', values, 'nondet.c')
        holds(code == 0 and 'assumed' not in out and f'\n  {n} complete executions' in out, out)


@test
def a_pass_says_what_was_checked(porf):
    out = porf('check', porf.write('good.c', GOOD))[1]
    holds('  checked: assertions, data races, invalid memory accesses, ' in out, out)
    out = porf('check', '--no-race', 'good.c')[1]
    holds('  checked: assertions, invalid memory accesses, ' in out, out)
    out = porf('check', '-m', 'tso', 'good.c')[1]
    holds('data races' not in out, out)


@test
def standard_input_and_later_commands(porf):
    rejected(porf('check', '-'), 'standard input')
    porf.write('good.c', GOOD)
    rejected(porf('check', '--save', 'no/such/x.dot', 'good.c'), 'no/such/x.dot')


@test
def repeated_runs_agree(porf):
    name = porf.write('good.c', GOOD)
    results = []
    for _ in range(2):
        result = well_formed(porf('check', '--format', 'json', name)[1])
        results.append({k: v for k, v in result.items() if k not in ('seconds', 'peak_bytes')})
    equal('second run', results[1]['executions'], results[0]['executions'])
    equal('instructions of the second run', results[1]['instructions'], results[0]['instructions'])


OBSERVED = THREADS + '''static atomic_int x, y;
static struct { int seen; short list[2]; } s;
static int same = 5;
static void *one (void *_) {
  atomic_store_explicit (&x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  s.list[1] = -r0;
  return NULL;
}
static void *two (void *_) {
  atomic_store_explicit (&y, 1, memory_order_relaxed);
  s.seen = atomic_load_explicit (&x, memory_order_relaxed);
  return (void *)&s.list[s.seen];
}
''' + MAIN


def without_times(text):
    return re.sub(r', [0-9.]+ s\n', '\n', text)


@test
def outcomes_as_text(porf):
    code, out, err = porf('outcomes', porf.write('sb.c', OBSERVED))
    equal('exit code and standard error', (code, err), (0, ''))
    equal('text', without_times(out), '''\
sb.c under rc11: 4 outcomes of 4 executions
  executions  t1:r0  t2:x   t2:return  s.seen  s.list[1]
           1      0     0  &s.list[0]       0          0
           1      0     1  &s.list[1]       1          0
           1      1     0  &s.list[0]       0         -1
           1      1     1  &s.list[1]       1         -1
  always: x = 1, y = 1
ok: sb.c: no violation under rc11; every execution was explored
  4 complete executions
''')
    equal('a failing program', porf('outcomes', porf.write('bad.c', BAD))[0], 42)
    out = porf('outcomes', 'bad.c')[1]
    holds('always: fails = assert:4\n' in out and 'error[assert]' in out, out)
    equal('a program that is cut off', porf('outcomes', '--unroll', '3', porf.write('loop.c', LOOP))[0], 3)


# What outcomes show of the past: how often a read was made, what threads have left, what they returned, what has failed.
FORGETFUL = '''#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, turns;
static int own[2];
int __VERIFIER_nondet_int (void);
static void *one (void *u) {
  int n = __VERIFIER_nondet_int () & 1;
  for (int i = 0; i <= n; i++) atomic_load (&x);
  atomic_load (&y);
  own[0] = n;
  return u; }
static void *two (void *u) {
  atomic_store (&x, 1);
  own[1] = atomic_fetch_add (&turns, 1);
  atomic_store (&y, 1);
  return (void *)(long)(own[1] + 1); }
int main (void) { pthread_t a, b;
  pthread_create (&a, 0, one, 0); pthread_create (&b, 0, two, 0);
  assert (atomic_fetch_add (&turns, 1) == 0);
  pthread_join (a, 0); atomic_load (&y); pthread_join (b, 0); return 0; }
'''


@test
def outcomes_of_futures(porf):
    names = [porf.write('forgetful.c', FORGETFUL), porf.write('sb.c', OBSERVED), os.path.join(ROOT, 'tests', 'structures', 'treiber.c')]
    for name in names:
        for model in ('sc', 'ra', 'rc11', 'rc20'):
            results = [json.loads(porf('outcomes', '--format', 'json', '-m', model, '--engine', engine, name)[1])['outcomes']
                       for engine in ('explore', 'futures')]
            explored, counted = (sorted((sorted(map(str, o['values'].items())), o['executions'][model]) for o in r) for r in results)
            holds(explored, f'{name} has no outcome under {model}')
            equal(f'outcomes of {name} under {model}', counted, explored)
    texts = [porf('compare', '-m', 'sc,rc11', '--full', '--engine', engine, names[1])[1] for engine in ('explore', 'futures')]
    explored, counted = (text[:text.index('ok: ')] for text in texts)
    equal('examples', counted, explored)
    holds('possible under rc11' in counted, counted)
    out = porf('outcomes', os.path.join(ROOT, 'tests', 'futures', 'spsc.c'), '--', '-DK=40')[1]
    holds('1 outcome of 86386620248019319897623892066304 executions' in out, out)


@test
def outcomes_to_choose_from(porf):
    porf.write('sb.c', OBSERVED)

    def chosen(names):
        result = json.loads(porf('outcomes', '--format', 'json', '--observe', names, 'sb.c')[1])
        return ([c['name'] for c in result['columns']],
                sorted((*o['values'].values(), o['executions']['rc11']) for o in result['outcomes']))
    equal('a register', chosen('r0'), (['t1:r0'], [(0, 2), (1, 2)]))
    equal('members', chosen('s.list,x'), (['x', 's.list[0]', 's.list[1]'], [(1, 0, -1, 2), (1, 0, 0, 2)]))
    equal('a variable that stays', chosen('y,t2:x'), (['t2:x', 'y'], [(0, 1, 2), (1, 1, 2)]))
    equal('kinds', chosen('returns')[0], ['t2:return'])
    rejected(porf('outcomes', '--observe', 'x,q', 'sb.c'), '`q`', 't1:r0', 's.seen')
    rejected(porf('outcomes', '--format', 'dot', 'sb.c'), 'text and json')


@test
def outcomes_of_many_variables(porf):
    """Each has a column of its own, whatever else there is to see."""
    names = [f'v{i}' for i in range(40)]
    program = THREADS + f'int {", ".join(names)};\nint main (void) {{ ' + ' '.join(f'{v} = 7;' for v in names) + ' return 3; }\n'
    result = json.loads(porf('outcomes', '--format', 'json', '--observe', 'all', porf.write('many.c', program))[1])
    equal('values', result['outcomes'][0]['values'], {**{v: 7 for v in names}, 'main:return': 3})


@test
def outcomes_add_up(porf):
    """The executions of all outcomes are those of check, blocked ones apart."""
    litmus = os.path.join(ROOT, 'tests', 'litmus')
    for name in ('SB', 'IRIW', '2+2W', 'RMWFix', 'CAS-chain', 'MPU2+rels+acqf', 'FAIS', 'assume-ctrl', 'TC16', 'XCHG3', 'Z6.U'):
        path = os.path.join(litmus, name + '.c')
        for model in ('sc', 'pso', 'rc11', 'wrc11'):
            check = json.loads(porf('check', '-m', model, '--format', 'json', '--keep-going', '--help-time', '0', path)[1])
            result = json.loads(porf('outcomes', '-m', model, '--format', 'json', path)[1])
            counts = [o['executions'][model] for o in result['outcomes']]
            values = [json.dumps(o['values'], sort_keys=True) for o in result['outcomes']]
            equal(f'{name} {model}: executions', sum(counts), check['executions'])
            equal(f'{name} {model}: blocked', result['models'][0]['blocked'], check['blocked'])
            holds(min(counts) > 0 and len(set(values)) == len(values), f'{name} {model}: {result["outcomes"]}')


@test
def outcomes_of_equal_threads(porf):
    """Executions that differ by an exchange of equal threads have different outcomes."""
    program = THREADS + '''static atomic_int x;
static void *one (void *_) { int r0 = atomic_fetch_add (&x, 1); return NULL; }
#define two one
''' + MAIN
    result = json.loads(porf('outcomes', '--format', 'json', porf.write('twins.c', program))[1])
    equal('outcomes', sorted((o['values']['t1:r0'], o['values']['t2:r0'], o['executions']['rc11']) for o in result['outcomes']),
          [(0, 1, 1), (1, 0, 1)])


@test
def outcomes_name_what_is_read(porf):
    """A name on the left is only used for the value read itself."""
    program = THREADS + '''static atomic_int x;
static void *one (void *_) {
  int a = atomic_load (&x) + 1;
  int e = 1;
  int b = atomic_compare_exchange_strong (&x, &e, 3);
  int c = ++x;
  int d = x;
  return NULL;
}
static void *two (void *_) { x = 1; return NULL; }
''' + MAIN
    result = json.loads(porf('outcomes', '--format', 'json', porf.write('names.c', program))[1])
    equal('columns', [c['name'] for c in result['columns']], ['t1:x@7', 't1:x@9', 't1:d', 'x'])


@test
def comparisons_with_processors(porf):
    program = THREADS + '''static atomic_int x, y, mine;
static void *one (void *_) { int r0 = x; mine = r0; int r1 = mine; y = r1; return NULL; }
static void *two (void *_) { int r0 = y; x = r0; return NULL; }
''' + MAIN
    porf.write('private.c', program)
    for models in ('rc11,armv8', 'power,sc', 'rc11,cat/rc11.cat', 'rc11,jam21t'):
        code, out, err = porf('compare', '-m', models.replace('cat/', f'{ROOT}/cat/'), 'private.c')
        equal(f'what one thread alone uses, under {models}:\n{out}', code, 0)
    program = THREADS + '''static atomic_int x, y;
static void *one (void *_) { int r0 = atomic_load_explicit (&x, memory_order_relaxed);
  atomic_store_explicit (&y, 1, memory_order_relaxed); return NULL; }
static void *two (void *_) { int r0 = atomic_load_explicit (&y, memory_order_relaxed);
  atomic_store_explicit (&x, 1, memory_order_relaxed); return NULL; }
''' + MAIN
    code, out, err = porf('compare', '-m', 'imm,rc11,armv8', porf.write('lb.c', program))
    for line in ('possible under imm and armv8, not possible under rc11\n',
                 '  violates the axiom porf of rc11: #3 -po-> #4 -rf-> #6 -po-> #7 -rf-> #3\n'):
        holds(line in out, f'{line!r} is missing in:\n{out}')


@test
def comparisons(porf):
    porf.write('sb.c', OBSERVED)
    code, out, err = porf('compare', '-m', 'sc,tso', 'sb.c')
    equal('exit code and standard error', (code, err), (1, ''))
    for line in ('sb.c: 4 outcomes, 3 in common under sc and tso\n',
                 '          sc         tso  t1:r0  t2:x   t2:return  s.seen  s.list[1]\n'
                 '           -           1      0     0  &s.list[0]       0          0\n',
                 'possible under tso, not possible under sc\n'
                 '  violates the axiom global order of sc: #3 -po-> #4 -fr-> #5 -po-> #6 -fr-> #3\n',
                 'read y -> 0, relaxed  (initial value)'):
        holds(line in out, f'{line!r} is missing in:\n{out}')
    equal('equal sets', porf('compare', '-m', 'tso,rc11', 'sb.c')[0], 0)
    equal('of what is observed', porf('compare', '-m', 'sc,tso', '--observe', 'r0', 'sb.c')[0], 0)
    equal('not covered', porf('compare', '-m', 'sc,rc11', '--unroll', '3', porf.write('loop.c', LOOP))[0], 3)
    equal('a certain difference', porf('compare', '-m', 'rc11,sc', 'sb.c', porf.write('good.c', GOOD))[0], 1)
    result = json.loads(porf('compare', '-m', 'sc,ra,rc11', '--format', 'json', 'sb.c')[1])
    equal('models', [(m['model'], m['executions']) for m in result['models']], [('sc', 3), ('ra', 4), ('rc11', 4)])
    rejected(porf('compare', '-m', 'sc', 'sb.c'), '2 to 8 models')
    rejected(porf('check', '-m', 'sc,tso', 'sb.c'), 'compare')
    rejected(porf('compare', '-m', 'sc,tzo', 'sb.c'), 'tzo', 'tso')


@test
def all_states(porf):
    porf.write('sb.c', OBSERVED)
    directory = os.path.join(porf.directory, 'states')
    equal('exit code', porf('check', '--all-states', 'states', 'sb.c')[0], 0)
    names = [f'{n:06}.dot' for n in range(1, 5)]
    equal('files', sorted(os.listdir(directory)), names + ['index.txt'])
    with open(os.path.join(directory, 'index.txt')) as f:
        lines = f.read().splitlines()
    equal('index', [line.split()[0] for line in lines], names)
    equal('outcomes', len({line.split('  ')[1] for line in lines}), 4)
    for line in lines:
        with open(os.path.join(directory, line.split()[0])) as f:
            dot = f.read()
        holds(dot.startswith('digraph') and dot.count('{') == dot.count('}'), dot)
        read = re.search(r'R rlx y = (\d)', dot).group(1)
        holds(f' t1:r0={read};' in line, f'{line} but {dot}')
    rejected(porf('check', '--all-states', 'states', 'sb.c', porf.write('good.c', GOOD)), '--all-states')
    rejected(porf('check', '--all-states', 'no/such', 'sb.c'), 'no/such')
    rejected(porf('compare', '-m', 'sc,tso', '--all-states', 'states', 'sb.c'), '--all-states')


@test
def the_table_of_models(porf):
    """What `porf models` computes is what the table of verdicts says."""
    sys.path.insert(0, os.path.join(ROOT, 'tests', 'litmus', 'verdicts'))
    import make
    verdicts = {}
    for row in make.TABLE.strip().splitlines():
        name, _, _, letters = (field.strip() for field in row.split(' | '))
        verdicts[name] = dict(zip(make.MODELS, letters))
    out = porf('models')[1]
    head, *rows = out[out.index('Which weak behaviours'):].splitlines()[2:]
    shapes = head.split()
    half = len(shapes) // 2
    equal('shapes', shapes[:half], shapes[half:])
    rows = [row.split() for row in rows[:rows.index('')]]
    equal('models', sorted(row[0] for row in rows), sorted(make.CHECKED))
    strong = {'SB': 'SB+ra', 'MP': 'MP+rel+acq', 'LB': 'LB+acqs', 'IRIW': 'IRIW+ra', '2+2W': '2+2W+rels', 'WRC': 'WRC+ra',
              'S': 'S+rel+acq'}
    word = {'a': 'yes', 'f': '-', '-': '?'}
    for model, *cells in rows:
        for shape, cell in zip(shapes, cells[:half]):
            if model != 'jam21t' or verdicts[shape][model] != '-':  # which has an order of writes, but not in the table
                equal(f'{model} {shape}', cell, word[verdicts[shape][model]])
        for shape, cell in zip(shapes, cells[half:]):
            if shape in strong:
                want = word[verdicts[strong[shape]][model]]
                # without an order of writes the table has no answer where what comes last is open
                if model != 'jam21t' or want != '?':
                    equal(f'{model} {strong[shape]}', cell, want)


@test
def everything_is_explained(porf):
    with open(os.path.join(ROOT, 'src', 'core', 'finding.def')) as f:
        kinds = re.findall(r'^FINDING \(\w+, "([^"]+)"', f.read(), re.M)
    with open(os.path.join(ROOT, 'src', 'models', 'models.def')) as f:
        models = re.findall(r'^(?:HARDWARE_|JAVA_|REEXECUTING_)?MODEL \((\w+)\)$', f.read(), re.M)
    holds(len(kinds) > 10 and len(models) > 5, 'the tables were not read')
    axioms = {}
    for name in kinds + models + ['SB', 'IRIW']:
        code, out, err = porf('explain', name)
        equal(f'explain {name}', (code, err, out.splitlines()[0].split(':')[0]), (0, '', name))
        holds(len(out.splitlines()) > 4, out)
        if name in models:
            line = re.search(r'^axioms: (.*) \(porf explain NAME\)$', out, re.M).group(1)
            for axiom in line.split(', '):
                axioms.setdefault(axiom, []).append(name)
            twin = os.path.join(ROOT, 'cat', name + '.cat')
            if name not in ('imm', 'armv8', 'power', 'riscv'):
                continue
            with open(twin) as f:
                rules = set(re.findall(r'^(?:acyclic|irreflexive|empty) .* as (\S+)$', f.read(), re.M))
            holds(rules == set(line.split(', ')), f'{name}: {rules}, {line}')
    holds(len(axioms) > 5, axioms)
    for axiom, of in axioms.items():
        code, out, err = porf('explain', axiom)
        equal(f'explain {axiom}', (code, err, out.splitlines()[0]), (0, '', axiom))
        holds(f'axiom of {", ".join(of)}\n' in out, f'{of} not in {out}')
    # what each example is expected to do is in its head, and tests/run looks after it
    for name in [*kinds, *models, *axioms]:
        code, out, err = porf('explain', '--example', name)
        file = os.path.join(ROOT, 'examples', 'explain', name.replace(' ', '-') + '.c')
        with open(file) as f:
            equal(f'explain --example {name}', (code, out, err), (0, f.read(), ''))
        holds(name not in kinds or re.search(f'^// finding: rc11 {name}\\b', out, re.M), f'{name} is not shown by {file}')
        holds(name not in models or re.search(f'^// (finding|verdict): {name} ', out, re.M), f'{name} is not used by {file}')
    rejected(porf('explain', 'rase'), '`race`')
    rejected(porf('explain'), 'name')


@test
def outcomes_of_brute_force(porf):
    script = os.path.join(ROOT, 'tests', 'oracle', 'outcomes_sc.py')
    p = subprocess.run([sys.executable, script, porf.path, '-n', '40'], capture_output=True, timeout=600)
    equal('exit code', (p.returncode, p.stderr), (0, b''))
    holds(p.stdout.startswith(b'40 programs'), p.stdout)


@test
def threads_of_brute_force(porf):
    script = os.path.join(ROOT, 'tests', 'oracle', 'threads_sc.py')
    p = subprocess.run([sys.executable, script, porf.path, '-n', '30'], capture_output=True, timeout=600)
    equal('exit code', (p.returncode, p.stderr), (0, b''))
    holds(p.stdout.startswith(b'30 programs'), p.stdout)


LITMUS = r'''C SB
(* a comment *)
{ x = 0; [y] = 0; int z = 5; }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit (x, 1, memory_order_relaxed);
  int r0 = atomic_load_explicit (y, memory_order_relaxed);
}
P1 (atomic_int* y, volatile int *x) {
  WRITE_ONCE (*y, 1);
  int r0 = READ_ONCE (*x);
}
locations [z; x;]
exists (0:r0=0 /\ 1:r0=0)
'''


@test
def litmus_logs(porf):
    code, out, err = porf('outcomes', porf.write('sb.litmus', LITMUS))
    equal('exit code and standard error', (code, err), (0, ''))
    equal('log', re.sub(r'Time SB .*', 'Time', out), r'''Test SB Allowed
States 4
0:r0=0; 1:r0=0; x=1; z=5;
0:r0=0; 1:r0=1; x=1; z=5;
0:r0=1; 1:r0=0; x=1; z=5;
0:r0=1; 1:r0=1; x=1; z=5;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (0:r0=0 /\ 1:r0=0)
Observation SB Sometimes 1 3
Time

''')

    def asked(question, model='rc11'):
        text = LITMUS[:LITMUS.index('locations')] + question + '\n'
        out = porf('outcomes', '-m', model, porf.write('asked.litmus', text))[1].splitlines()
        at = out.index('Witnesses')
        return out[at - 1], out[at + 1]
    both = r'(0:r0=0 /\ 1:r0=0)'
    equal('forbidden under sc', asked('exists ' + both, 'sc'), ('No', 'Positive: 0 Negative: 3'))
    equal('~exists', asked('~exists ' + both), ('No', 'Positive: 3 Negative: 1'))
    equal('~exists under sc', asked('~exists ' + both, 'sc'), ('Ok', 'Positive: 3 Negative: 0'))
    equal('forall', asked(r'forall (x=1 /\ (0:r0=0 \/ ~(0: r0 != 1)))'), ('Ok', 'Positive: 4 Negative: 0'))
    equal('precedence', asked(r'exists 0:r0=7 /\ 1:r0=0 \/ 0:r0=1'), ('Ok', 'Positive: 2 Negative: 2'))
    equal('an example', asked('exists (1:r0=1)'), ('Ok', 'Positive: 2 Negative: 2'))
    equal('filter', asked(r'filter (0:r0=1) forall (1:r0=1)'), ('No', 'Positive: 1 Negative: 1'))
    out = porf('outcomes', '--max-executions', '1', 'asked.litmus')[1]
    holds('\nNot covered: ' in out and '\nIncomplete\n' in out and ' Open ' in out, out)
    equal('comparison', porf('compare', '-m', 'sc,tso', 'sb.litmus')[0], 1)
    equal('check', porf('check', 'sb.litmus')[0], 0)


@test
def litmus_mistakes(porf):
    for text, *words in (
            ('MIPS MP\n{}\n', 'mistake.litmus:1:', 'MIPS'),
            ('AArch64 MP\n{}\n', 'mistake.litmus:3:', 'P0'),
            ('C x\n', 'initial state'),
            (LITMUS.replace('P1 ', 'P2 '), 'mistake.litmus:8:', 'P1'),
            (LITMUS.replace('1:r0=0)', '1:r7=0)'), '`r7`'),
            (LITMUS.replace('1:r0=0)', '4:r0=0)'), '`4:r0`'),
            (LITMUS.replace('[z; x;]', '[z; w;]'), '`w`'),
            (LITMUS.replace('1:r0=0)', '1:r0=0'), 'mistake.litmus:14:', '`)`'),
            (LITMUS.replace('1:r0=0)', '1:r0=x)'), 'addresses'),
            (LITMUS.replace('x = 0;', '0:r0 = 0;'), 'registers'),
            (LITMUS + 'more', 'after the condition'),
            (LITMUS.replace('atomic_int* x,', 'int x,'), 'parameter')):
        rejected(porf('outcomes', porf.write('mistake.litmus', text)), *words)


@test
def assembler_litmus(porf):
    """Every test of tests/litmus/asm says in its head what is expected of it under which model."""
    folder = os.path.join(ROOT, 'tests', 'litmus', 'asm')
    asked = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as f:
            for model, often in re.findall(r'(\w+) (Never|Sometimes|Always)', re.search(r'expect: (.*) \*\)', f.read())[1]):
                asked.setdefault(model, []).append((os.path.join(folder, name), often))
    for model in sorted(asked):
        names = [model] + [os.path.join(ROOT, 'cat', model + '.cat')] * (model not in ('sc', 'tso'))
        for given in names:
            code, out, err = porf('outcomes', '-q', '-m', given, *(path for path, _ in asked[model]))
            equal(f'{given}: exit code and standard error', (code, err), (0, ''))
            seen = re.findall(r'^Observation \S+ (\w+)', out, re.M)
            equal(f'{given}: tests', len(seen), len(asked[model]))
            for (path, often), got in zip(asked[model], seen):
                equal(f'{path} under {given}', got, often)
    paths = [path for path, often in asked['armv8']][:3]
    equal('the model of the processor', porf('outcomes', '-q', paths[0])[1].split('Time')[0],
          porf('outcomes', '-q', '-m', 'armv8', paths[0])[1].split('Time')[0])
    equal('another processor', porf('outcomes', '-m', 'power', paths[0])[0], 2)
    equal('a model of C11', porf('outcomes', '-m', 'rc11', paths[0])[0], 2)
    wrong = porf.write('wrong.litmus', 'AArch64 wrong\n{}\n P0 ;\n NOP ;\n FOO X1,X2 ;\nexists (x=1)\n')
    code, out, err = porf('outcomes', '-q', wrong, *paths)
    equal('exit code of a list with a test that cannot be read', code, 2)
    holds('wrong.litmus:5: instruction `FOO` is not known' in err, err)
    equal('the others', len(re.findall('^Observation', out, re.M)), len(paths))


ASSEMBLER = """AArch64 T
{ 0:X1=x; uint64_t 0:X5; 0:X6=-1; int x=-7; }
 P0 ;
 %s ;
locations [%s;]
forall (true)
"""


@test
def assembler_instructions(porf):
    """What single instructions leave in registers."""
    for code, what, state in (
            ('LDR W0,[X1]', '0:X0', '0:X0=-7'),
            ('MOV X5,#-1', '0:X5', '0:X5=18446744073709551615'),
            ('MOV W5,#-1', '0:X5', '0:X5=4294967295'),
            ('LDRSW X5,[X1]', '0:X5', '0:X5=18446744073709551609'),
            ('MOV W2,#3 ; ADD W0,W2,W2,LSL #2', '0:X0', '0:X0=15'),
            ('MOV W2,#3 ; SUB W0,W2,#5 ; CMP W0,#0 ; CSET W3,LT', '0:X3', '0:X3=1'),
            ('CMP W6,#0 ; CSET W3,HI', '0:X3', '0:X3=1'),
            ('MOV W2,#4 ; TBZ W2,#2,L ; MOV W0,#1 ; L: NOP', '0:X0', '0:X0=1'),
            ('MOV W2,#2 ; SWP W2,W0,[X1]', '0:X0; x', '0:X0=-7; x=2'),
            ('MOV W2,#7 ; LDCLR W2,W0,[X1]', '0:X0; x', '0:X0=-7; x=-8'),
            ('MOV W0,#1 ; STR W0,[X1] ; B L ; STR WZR,[X1] ; L:', 'x', 'x=1'),
            ('CSEL X0,X1,X0,EQ', '0:X1', '0:X1=x')):
        out = porf('outcomes', '-q', porf.write('t.litmus', ASSEMBLER % (code.replace(' ; ', ' ;\n '), what)))
        holds(f'\nStates 1\n{state};\n' in out[1], f'{code}: {out}')
    for code, why in (
            ('LDXR W0,[X1] ; DMB SY ; STXR W2,W3,[X1]', 'must only compute'),
            ('STXR W2,W3,[X1]', 'without its load-exclusive'),
            ('LDXR W0,[X1] ; STXR W2,W3,[X4]', 'another place'),
            ('LDXR W0,[X1] ; ADD X1,X1,#4 ; STXR W2,W3,[X1]', 'another place'),
            ('LDXR W0,[X1] ; STXR W2,W0,[X1] ; LDR W4,[X1]', 'by its store-exclusive'),
            ('LDXR W0,[X1] ; MUL W3,W0,W0 ; STXR W2,W3,[X1]', 'what a store-exclusive stores'),
            ('B NOWHERE', '`NOWHERE`'),
            ('DSB ST', '`ST`'),
            ('LDR W0,[IP]', '`[IP]`'),
            ('LDR W0,[X1,W2,QXTW]', '`QXTW`'),
            ('LDR W0,[X1],#4', 'such operands'),
            ('LDADD W2,WZR,[X1]', 'drops the old value')):
        rejected(porf('outcomes', porf.write('t.litmus', ASSEMBLER % (code.replace(' ; ', ' ;\n '), 'x'))), 't.litmus:', why)


@test
def java_litmus(porf):
    """Tests in herd's Java: handles, methods, fences, and the three kinds of condition."""
    volatile = os.path.join(ROOT, 'examples', 'volatile.litmus')
    for model, answer in (('jam19', 'Sometimes'), ('jam21', 'Never')):
        code, out, err = porf('outcomes', '-m', model, volatile)
        equal(f'{model}: exit code', code, 0)
        holds(f'Observation volatile {answer}' in out, f'{model}: {out}')
    fences = porf.write('fences.litmus', """Java fences
{ x = 0; y = 0; 0:A = x; }
Thread0 { A.setOpaque(1); VarHandle.fullFence(); int r0 = y.getOpaque(); }
P1 { y.setOpaque(1); VarHandle.fullFence(); int r0 = x . getOpaque ( ); }
%s (0:r0=0 /\\ 1:r0=0)
""".replace('%s', '~exists'))
    code, out, err = porf('outcomes', '-m', 'jam21', fences)
    holds('\nOk\n' in out and 'Observation fences Never' in out, out)
    update = porf.write('update.litmus', """Java update
{ 0:X = x; 1:X = x; }
Thread0 { int r0 = X.getAndAdd(1); boolean r1 = X.compareAndSet(2, 5); }
Thread1 { int r0 = X.getAndAdd(1); if (r0 == 7) { X.set(9); } }
forall ([x]=2 \\/ [x]=5)
""")
    code, out, err = porf('outcomes', '-m', 'jam21', update)
    holds('\nOk\n' in out and 'Observation update Always' in out, out)
    wrong = porf.write('wrong.litmus', 'Java wrong\n{ 0:X = 1; }\nThread0 { X.set(1); }\nexists (x=1)\n')
    code, out, err = porf('outcomes', '-m', 'jam21', wrong)
    equal('exit code', code, 2)
    holds('expected a handle' in err, err)


@test
def java_causality(porf):
    """The causality tests of Java's first memory model: with opaque accesses all that needs a cycle is forbidden."""
    tests = sorted(f for f in os.listdir(os.path.join(ROOT, 'tests', 'xmm')) if f.startswith('TC'))
    equal('tests', len(tests), 21)
    for name in tests:
        path = os.path.join(ROOT, 'tests', 'xmm', name)
        acyclic = int(re.search(r'expect:.*rc20 (\d+)', open(path).read()).group(1))
        for model in ('jam19', 'jam21'):
            code, out, err = porf('check', '--format', 'json', '-m', model, path)
            equal(f'{name} {model}', (code, json.loads(out)['executions']), (0, acyclic))


@test
def load_buffering_tells_models_apart(porf):
    """Of the same tests, outcomes that rc11 forbids, by the models that allow them."""
    allowed = {'imm wkmo2 xmm': 'TC7 TC11', 'wkmo2 xmm': 'TC1 TC2 TC3 TC6 TC8 TC9 TC17 TC18', 'xmm': 'TC5 TC9a TC10 TC19 TC20'}
    for models, names in [*allowed.items(), ('', 'TC4 TC12 TC13 TC14 TC15 TC16')]:
        for name in names.split():
            path = os.path.join(ROOT, 'tests', 'xmm', name + '.c')
            code, out, err = porf('compare', '-m', 'rc11,imm,wkmo2,xmm', path)
            table = out.split('\n\n')[0].splitlines()[1:]
            head = table[0].split()[:4] if table and models else []
            rows = [row.split()[:4] for row in table[1:] if head and not row.startswith(('  always', '  assumed'))]
            equal(f'{name}: exit code and models', (code, {' '.join(m for m, n in zip(head, row) if n != '-') for row in rows}),
                  (1, {models}) if models else (0, set()))


@test
def litmus_verdicts(porf):
    """The table of verdicts once more, as litmus tests: tests/run asks all of it, as C."""
    sys.path.insert(0, os.path.join(ROOT, 'tests', 'litmus', 'verdicts'))
    import make
    files, asked = [], {}
    for name, program, outcome, verdicts in make.rows():
        threads = make.parse_program(program)
        conditions = re.findall(r'(?:(\d+):)?(\w+)=(-?\d+)', outcome)
        locations = sorted({s[3] for t in threads for s in make.walk(t) if s[3]})
        text = f'C {name}\n{{ ' + ' '.join(f'{x}=0;' for x in locations) + ' }\n'
        for t, statements in enumerate(threads):
            registers = sorted({s[0] for s in make.walk(statements) if s[0]})
            body = make.emit_statements(statements, set(registers), 1)
            body = [re.sub(r'&(%s)\b' % '|'.join(locations), r'\1', line) for line in body]
            text += f'P{t} (' + ', '.join(f'atomic_int *{x}' for x in locations) + ') {\n'
            text += ''.join(f'  int {r} = 0;\n' for r in registers) + '\n'.join(body) + '\n}\n'
        text += 'exists (' + ' /\\ '.join(f'{t}:{r}={v}' if t else f'[{r}]={v}' for t, r, v in conditions) + ')\n'
        files.append(porf.write(name + '.litmus', text))
        asked[name] = verdicts
    twins = [m for m in make.CHECKED if m in ('imm', 'armv8', 'power', 'riscv')]
    columns = [(m, m) for m in make.CHECKED] + [(m, os.path.join(ROOT, 'cat', m + '.cat')) for m in twins]
    drawn = {file: porf.some(columns, 5) for file in files}
    for model, name in columns:
        some = [file for file in files if (model, name) in drawn[file]] or files[:1]
        code, out, err = porf('outcomes', '-q', '-m', name, *some)
        equal(f'{name}: exit code and standard error', (code, err), (0, ''))
        logs = re.findall(r'^Test (\S+) Allowed$(.*?)^Observation (\S+) (\w+)', out, re.M | re.S)
        equal(f'{model}: tests', len(logs), len(some))
        for name, log, same, often in logs:
            letter = asked[name][model]
            equal('name', same, name)
            if letter == '-':
                holds(model != 'wrc11' or '\nOpen: ' in log, f'{model} {name}: {log}')
            else:
                holds(('\nOk\n' in log) == (letter == 'a') and ('\nNo\n' in log) == (letter == 'f'), f'{model} {name}: {log}')
                equal(f'{model} {name}', often in ('Never', 'Open'), letter == 'f')


def load_others():
    """The other files of this folder go on from here: they use what is defined above."""
    for path in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'test_*.py'))):
        with open(path, encoding='utf-8') as f:
            exec(compile(f.read(), path, 'exec'), globals())


def main():
    load_others()
    options = argparse.ArgumentParser()
    options.add_argument('--porf', default=os.path.join(ROOT, 'build', 'porf'))
    options.add_argument('-k', metavar='PATTERN')
    options.add_argument('--all', action='store_true')
    options.add_argument('--seed', type=int, default=random.randrange(1, 1 << 30))
    options.add_argument('-v', action='store_true')
    args = options.parse_args()
    print(f'seed {args.seed}')
    passed = failed = 0
    for function in TESTS:
        name = f'tests/cli {function.__name__}'
        if args.k and args.k not in name:
            continue
        with tempfile.TemporaryDirectory() as directory:
            try:
                function(Porf(os.path.abspath(args.porf), directory, args.seed, args.all))
            except subprocess.TimeoutExpired:
                problem = 'no answer in time'
            except (AssertionError, ValueError, OSError, KeyError, IndexError, TypeError) as error:
                problem = f'{type(error).__name__}: {error}' if not isinstance(error, AssertionError) else str(error)
            else:
                problem = None
        if problem:
            failed += 1
            print(f'FAIL {name}\n     {problem}')
        else:
            passed += 1
            if args.v:
                print(f'ok   {name}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
