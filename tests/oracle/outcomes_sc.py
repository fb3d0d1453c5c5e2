#!/usr/bin/env python3
"""Compares `porf outcomes -m sc` with brute force: runs every interleaving of small random programs, step by step.

An outcome is what every load and read-modify-write has read and what the variables hold at the end; its number of executions
is that of the different reads-from and modification orders that lead to it. Both have to agree with what porf prints.

usage: outcomes_sc.py PORF [-n PROGRAMS] [--seed SEED]
"""
import argparse
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

VARIABLES = 'xyz'
ORDERS = 'relaxed', 'seq_cst'


def draw(rng):
    """Threads of operations; an operation is (kind, variable, operand, condition), the condition a register or None."""
    threads = []
    for _ in range(rng.choice((2, 2, 2, 3))):
        code = []
        for k in range(rng.randint(2, 4) if len(threads) < 2 else rng.randint(1, 2)):
            kind = rng.choice(('write', 'write', 'write', 'read', 'read', 'read', 'add', 'exchange', 'cas'))
            condition = rng.randrange(k) if k and rng.random() < 0.3 else None
            code.append((kind, rng.choice(VARIABLES[:2 if rng.random() < 0.9 else 3]), rng.randint(1, 2), condition))
        threads.append(code)
    return threads


def c_program(threads, order):
    """The program, and the line of every operation."""
    lines = ['#include <pthread.h>', '#include <stdatomic.h>', 'static atomic_int x, y, z;']
    where = {}
    for t, code in enumerate(threads):
        lines.append(f'static void *thread{t} (void *u) {{')
        lines.append('  int ' + ', '.join(f'r{k} = 0' for k in range(len(code))) + ', e;')
        for k, (kind, var, operand, condition) in enumerate(code):
            at = f'&{var}, '
            last = f'memory_order_{order}'
            text = {'write': f'atomic_store_explicit ({at}{operand}, {last});',
                    'read': f'r{k} = atomic_load_explicit ({at}{last});',
                    'add': f'r{k} = atomic_fetch_add_explicit ({at}{operand}, {last});',
                    'exchange': f'r{k} = atomic_exchange_explicit ({at}{operand}, {last});',
                    'cas': f'e = 1; atomic_compare_exchange_strong_explicit ({at}&e, {operand}, {last}, {last}); r{k} = e;',
                    }[kind]
            lines.append(f'  if ({"1" if condition is None else f"r{condition}"}) {{ {text} }}')
            where[t, k] = len(lines)
        lines += ['  return u;', '}']
    n = len(threads)
    lines += ['int main (void) {', f'  pthread_t t[{n}];']
    lines += [f'  pthread_create (&t[{t}], 0, thread{t}, 0);' for t in range(n)]
    lines += [f'  pthread_join (t[{t}], 0);' for t in range(n)] + ['  return 0;', '}']
    return '\n'.join(lines) + '\n', where


def step(threads, state, t):
    """The state after the next operation of thread t."""
    at, memory, last, registers, reads, mo = state
    k = at[t]
    kind, var, operand, condition = threads[t][k]
    v = VARIABLES.index(var)
    at = at[:t] + (k + 1,) + at[t + 1:]
    if condition is not None and not dict(registers).get((t, condition), 0):
        return at, memory, last, registers, reads, mo
    old = memory[v]
    new = {'write': operand, 'read': None, 'add': old + operand, 'exchange': operand,
           'cas': operand if old == 1 else None}[kind]
    if kind != 'write':
        # a compare-exchange that succeeds leaves e alone, which is 1, the value it found
        registers = tuple(sorted(registers + (((t, k), old),)))
        reads = tuple(sorted(reads + (((t, k), last[v]),)))
    if new is not None:
        memory = memory[:v] + (new,) + memory[v + 1:]
        last = last[:v] + ((t, k),) + last[v + 1:]
        mo = mo[:v] + (mo[v] + ((t, k),),) + mo[v + 1:]
    return at, memory, last, registers, reads, mo


def brute_force(threads):
    """{(values read, last values): how many graphs}, and the variables whose reads count"""
    layer = {((0,) * len(threads), (0, 0, 0), (None,) * 3, (), (), ((),) * 3)}
    for _ in range(sum(map(len, threads))):
        layer = {step(threads, s, t) for s in layer for t in range(len(threads)) if s[0][t] < len(threads[t])}
    # of variables that one thread alone uses, or that nobody writes, porf lists no reads
    users, written = collections.defaultdict(set), set()
    for _, _, _, registers, _, mo in layer:
        for v, order in zip(VARIABLES, mo):
            users[v] |= {t for t, _ in order}
            written |= {v} if order else set()
        for (t, k), _ in registers:
            users[threads[t][k][1]].add(t)
    shared = {v for v in written if len(users[v]) > 1}
    return collections.Counter((unsure(threads, s[3], shared), s[1]) for s in layer), shared


def unsure(threads, registers, shared):
    return tuple(((t, k), value) for (t, k), value in registers if threads[t][k][1] in shared)


def by_porf(porf, path, threads, where, shared):
    p = subprocess.run([porf, 'outcomes', '-m', 'sc', '--format', 'json', path], capture_output=True, timeout=300)
    result = json.loads(p.stdout)
    operation = {line: key for key, line in where.items()}
    key_of = {}
    for column in result['columns']:
        if column['kind'] == 'read':
            key = operation[column['line']]
            assert column['thread'] == f't{key[0] + 1}', column
            key_of[column['name']] = key
        elif column['kind'] == 'global':
            key_of[column['name']] = column['name']
    outcomes = {}
    for row in result['outcomes']:
        values = {key_of[name]: value for name, value in row['values'].items() if name in key_of}
        registers = tuple(sorted((k, v) for k, v in values.items() if isinstance(k, tuple) and v is not None))
        registers = unsure(threads, registers, shared)
        memory = tuple(values.get(v, 0) for v in VARIABLES)
        assert (registers, memory) not in outcomes, 'an outcome is listed twice'
        outcomes[registers, memory] = row['executions']['sc']
    assert sum(outcomes.values()) == result['models'][0]['executions'], 'the executions of outcomes do not add up'
    return outcomes


def main():
    options = argparse.ArgumentParser()
    options.add_argument('porf')
    options.add_argument('-n', type=int, default=40)
    options.add_argument('--seed', type=int, default=1)
    args = options.parse_args()
    rng = random.Random(args.seed)
    total = 0
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, 'drawn.c')
        for number in range(args.n):
            threads = draw(rng)
            text, where = c_program(threads, ORDERS[number % 2])
            with open(path, 'w') as f:
                f.write(text)
            want, shared = brute_force(threads)
            got = by_porf(args.porf, path, threads, where, shared)
            total += len(want)
            if want != got:
                print(text, f'program {number}: porf has {got}\nbrute force has {dict(want)}', sep='\n')
                sys.exit(1)
    print(f'{args.n} programs, {total} outcomes agree')


if __name__ == '__main__':
    main()
