#!/usr/bin/env python3
"""Random programs full of compare-exchange loops: porf check and porf outcomes with and without --skip-retries.

The counts differ; what can go wrong and how the programs can end must not.
"""
import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests'))
from compiled import Compiled  # noqa: E402
LOADS = ['relaxed', 'acquire', 'seq_cst']
STORES = ['relaxed', 'release', 'seq_cst']
UPDATES = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst']


def order(rng, orders):
    return 'memory_order_' + rng.choice(orders[:-1] if rng.random() < 0.9 else orders)


def load(rng, variable):
    return f'atomic_load_explicit (&{variable}, {order(rng, LOADS)})'


def update(rng, variable, new):
    kind = rng.choice(['weak', 'strong'])
    return (f'atomic_compare_exchange_{kind}_explicit (&{variable}, &o, {new}, {order(rng, UPDATES)}, '
            f'{order(rng, LOADS)})')


def body(rng, i):
    """What a round does besides."""
    return rng.choice(['', '', 't += d[o & 1];', f'own[{i}] = o;', f'own[{i}] = o; t = d[o & 1];',
                       f't = {load(rng, "y")};', f't = {load(rng, "x")};', 'a++;', 'u = o;',
                       f'if (o == 2) t = own[{1 - i if i < 2 else 0}];'])


def loop(rng, i):
    variable = rng.choice(['x', 'x', 'y'])
    new = rng.choice(['o + 1', 'o ^ 1', 'o | 2', '2', '3', f'o + {i + 1}'])
    first, cas, do = load(rng, variable), update(rng, variable, new), body(rng, i)
    start = 'int o, t = 0, a = 0, u = 0; '
    end = f' r[{i}] = 4 * r[{i}] + {rng.choice(["o", "o + t", "o + u", "o + a"])};'
    form = rng.randrange(4)
    if form == 0:
        return f'{{ {start}o = {first}; do {{ {do} }} while (!{cas});{end} }}'
    if form == 1:
        return f'{{ {start}do {{ o = {first}; {do} }} while (!{cas});{end} }}'
    if form == 2:
        return f'{{ {start}o = {first}; while (o < 2 && !{cas}) {{ {do} }}{end} }}'
    return f'{{ {start}for (;;) {{ o = {first}; if (o > 2) break; {do} if ({cas}) break; }}{end} }}'


def statement(rng, i):
    roll = rng.random()
    variable, value = rng.choice('xyz'), rng.randrange(1, 4)
    if roll < 0.6:
        return loop(rng, i)
    if roll < 0.7:
        return f'atomic_store_explicit (&{variable}, {value}, {order(rng, STORES)});'
    if roll < 0.77:
        return f'r[{i}] = 4 * r[{i}] + {load(rng, variable)};'
    if roll < 0.9:
        what = rng.choice([f'd[{rng.randrange(2)}] = {value};', f'r[{i}] += own[{rng.randrange(2)}];'])
        return f'if ({load(rng, variable)} == {value}) {what}'
    if roll < 0.95:
        return f'atomic_fetch_add_explicit (&{variable}, 1, {order(rng, UPDATES)});'
    return f'atomic_thread_fence ({order(rng, UPDATES[1:])});'


def program(rng):
    n = rng.choice([2, 2, 3])
    lines = ['#include <pthread.h>', '#include <stdatomic.h>', '', 'static atomic_int x, y, z;',
             'static int d[2], own[3], r[3];']
    for i in range(n):
        lines += ['', f'static void *t{i} (void *arg) {{']
        lines += ['  ' + statement(rng, i) for _ in range(rng.randrange(1, 4 if n == 2 else 3))]
        lines += ['  return arg;', '}']
    lines += ['', 'int main (void) {', f'  pthread_t t[{n}];']
    lines += [f'  pthread_create (&t[{i}], 0, t{i}, 0);' for i in range(n)]
    lines += [f'  pthread_join (t[{i}], 0);' for i in range(n)]
    return '\n'.join(lines + ['}']) + '\n'


def run(porf, command, program, model, options):
    try:
        p = subprocess.run([porf, command, '-m', model, '-j1', '--timeout', '5', '--max-executions', '50000', *options, *program],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300)
    except subprocess.TimeoutExpired:
        return None, ''
    if p.returncode not in (0, 3, 42):
        print(p.stderr)
        return p.returncode, p.stdout
    return p.returncode, p.stdout


def findings(porf, program, model, options):
    code, text = run(porf, 'check', program, model, ['--keep-going', '--help-time=0', '--format=json', *options])
    if code not in (0, 42):
        return None if code in (3, None) else f'exit {code}'
    report = json.loads(text)
    return report['explored'], sorted({f['kind'] for f in report.get('findings', [])})


def outcomes(porf, program, model, options):
    code, text = run(porf, 'outcomes', program, model, options)
    if code not in (0, 42):
        return None if code in (3, None) else f'exit {code}'
    lines = text.split('\n')
    always = dict(re.findall(r'([^ ,]+) = ([^,]+)', next((x[9:] for x in lines if x.startswith('  always')), '')))
    at = next((k for k, line in enumerate(lines) if line.startswith('  executions')), None)
    if at is None:
        return [always]
    names, ends = lines[at].split()[1:], set()
    for line in lines[at + 1:]:
        if not re.match(r' +\d', line):
            break
        ends.add(tuple(sorted({**always, **dict(zip(names, line.split()[1:]))}.items())))
    return sorted({tuple((name, value) for name, value in end if ':' not in name) for end in ends})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('-n', type=int, default=100, help='programs')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--porf', default=os.path.join(ROOT, 'build', 'porf'))
    parser.add_argument('--models', default='rc11,rc11,rc20,ra,sc,tso')
    options = parser.parse_args()
    compared = skipped = fewer = wrong = 0
    explored = [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        compiled = Compiled(options.porf, folder)
        for seed in range(options.seed, options.seed + options.n):
            rng = random.Random(seed)
            text, model = program(rng), rng.choice(options.models.split(','))
            path = os.path.join(folder, f'{seed}.c')
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
            ir = compiled.ir(path)
            all_rounds = findings(options.porf, ir, model, [])
            without = findings(options.porf, ir, model, ['--skip-retries', '--check-invariants'])
            if all_rounds is None or without is None:
                skipped += 1
                continue
            same = all_rounds[1:] == without[1:] and not isinstance(all_rounds, str)
            if same and not all_rounds[1]:
                flags = ['--no-race'] if model in ('sc', 'tso') else []
                same = (outcomes(options.porf, ir, model, flags)
                        == outcomes(options.porf, ir, model, ['--skip-retries', *flags]))
            compared += 1
            if same:
                explored[0] += all_rounds[0]
                explored[1] += without[0]
                fewer += without[0] < all_rounds[0]
                continue
            wrong += 1
            print(f'seed {seed}, {model}: {all_rounds} and {without}\n{text}')
    print(f'{compared} programs compared ({skipped} too large), {wrong} differences; '
          f'{fewer} with fewer executions, {explored[0]} and {explored[1]} in all')
    sys.exit(wrong > 0 or not fewer)


main()
