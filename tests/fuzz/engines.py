#!/usr/bin/env python3
"""Random programs with locks that are taken or tried, semaphores, condition variables and atomics of any order.

usage: tests/fuzz/engines.py [-n N] [--seed S] [--porf PATH] [-m MODEL,...] [-v]

The engine futures must count the executions that explore counts, and find the same kinds of violations at the same places.
Some programs have seq_cst accesses only, some but for one location, some a mix: that decides which search futures makes.
Programs of which either engine is incomplete are not compared. The last line is "N passed, M failed".
"""
import json
import subprocess
import sys

from runner import Runner

ORDERS = {'load': ['relaxed', 'acquire', 'seq_cst'], 'store': ['relaxed', 'release', 'seq_cst'],
          'update': ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst']}
HEAD = '''#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x[3];
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int guarded, ready, end[3];
'''


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.mix = rng.choice(['seq_cst', 'one', 'any'])
        self.weak = rng.randrange(3)
        self.locations = rng.choice([1, 2, 2, 3])

    def order(self, location, kind):
        is_sc = self.mix == 'seq_cst' or (self.mix == 'one' and location != self.weak)
        return 'memory_order_' + ('seq_cst' if is_sc else self.rng.choice(ORDERS[kind]))

    def access(self):
        v, rng = self.rng.randrange(self.locations), self.rng
        at = f'&x[{v}]'
        kind = rng.randrange(10)
        if kind < 4:
            return f'sum = sum * 3 + atomic_load_explicit ({at}, {self.order(v, "load")});'
        if kind < 7:
            return f'atomic_store_explicit ({at}, {rng.randrange(1, 3)}, {self.order(v, "store")});'
        if kind < 9:
            return f'sum = sum * 3 + atomic_fetch_add_explicit ({at}, 1, {self.order(v, "update")});'
        return (f'{{ int old = {rng.randrange(2)}; sum = sum * 2 + atomic_compare_exchange_strong_explicit '
                f'({at}, &old, 2, {self.order(v, "update")}, {self.order(v, "load")}); }}')

    def waiting(self):
        v, rng = self.rng.randrange(self.locations), self.rng
        return rng.choice([f'while (!atomic_load_explicit (&x[{v}], {self.order(v, "load")})) {{ }}', 'sem_wait (&s);',
                           'if (!sem_trywait (&s)) sum++;',
                           'pthread_mutex_lock (&m[0]); while (!ready) pthread_cond_wait (&c, &m[0]); pthread_mutex_unlock (&m[0]);'])

    def waking(self):
        wake = self.rng.choice(['signal', 'broadcast'])
        inside = f'pthread_mutex_lock (&m[0]); ready = 1; pthread_cond_{wake} (&c); pthread_mutex_unlock (&m[0]);'
        outside = f'pthread_mutex_lock (&m[0]); ready = 1; pthread_mutex_unlock (&m[0]); pthread_cond_{wake} (&c);'
        return self.rng.choice(['sem_post (&s);', inside, outside])

    def locked(self, depth, held):
        rng, mutex = self.rng, self.rng.randrange(2)
        if mutex in held:
            return 'guarded++;' if 0 in held else 'sum++;'
        inside = held | {mutex}
        body = ' '.join(self.statement(depth - 1, inside) for _ in range(rng.randrange(1, 3)))
        if 0 in inside and rng.random() < .5:
            body += ' guarded++;'
        unlock = f'pthread_mutex_unlock (&m[{mutex}]);'
        if rng.random() < .5:
            return f'pthread_mutex_lock (&m[{mutex}]); {body} {unlock}'
        return f'if (!pthread_mutex_trylock (&m[{mutex}])) {{ {body} {unlock} }} else {{ {self.access()} }}'

    def statement(self, depth, held=frozenset()):
        k = self.rng.random()
        if k < .6 or not depth:
            return self.access()
        if k < .66:
            order = self.rng.choice(['acquire', 'release', 'seq_cst'])
            return f'atomic_thread_fence (memory_order_{order});'
        if held or k < .88:
            return self.locked(depth, held)
        return self.waking() if k < .95 else self.waiting()

    def c(self):
        rng, text = self.rng, HEAD
        threads = rng.choice([2, 2, 3])
        for t in range(threads):
            body = '\n'.join('  ' + self.statement(2) for _ in range(rng.randrange(2, 5)))
            text += f'\nstatic void *thread{t} (void *arg) {{\n  int sum = 0;\n{body}\n  end[{t}] = sum;\n  return arg;\n}}\n'
        text += f'\nint main (void) {{\n  pthread_t t[{threads}];\n  sem_init (&s, 0, 0);\n'
        text += ''.join(f'  pthread_create (&t[{t}], 0, thread{t}, 0);\n' for t in range(threads))
        text += ''.join(f'  pthread_join (t[{t}], 0);\n' for t in range(threads))
        if rng.random() < .5:
            text += f'  assert (end[0] != {rng.randrange(5)});\n'
        return text + '}\n'


def check(porf, program, model, engine):
    """Executions and findings; None if not all was covered."""
    line = [porf, 'check', '--engine', engine, '-m', model, '--jobs', '1', '--keep-going', '--no-cache', '--help-time', '0', '--timeout',
            '4', '--format', 'json', *program]
    p = subprocess.run(line, capture_output=True, text=True)
    if p.returncode not in (0, 3, 42):
        return f'exit code {p.returncode}: {p.stderr.strip()}'
    r = json.loads(p.stdout)
    if r['not_covered'] or r['verdict'] == 'incomplete':
        return None
    return r['executions'], sorted({(f['kind'], f['line']) for f in r['findings']})


def main():
    runner = Runner('sc,tso,pso,sra,ra,rc11,rc11,rc20')
    incomplete = 0
    for i, rng in runner.programs():
        text, model = Program(rng).c(), runner.model(rng)
        path = runner.write(i, text)
        explore, futures = [check(runner.args.porf, runner.compiled.ir(path), model, engine) for engine in ('explore', 'futures')]
        if explore is None or futures is None:
            incomplete += 1
            continue
        answers = f'explore {explore}, futures {futures}'
        is_equal = explore == futures and not isinstance(explore, str)
        runner.tell(None if is_equal else answers, f'program {i}, -m {model}', answers, text)
    return runner.end(f'{incomplete} of {runner.args.n} programs were not compared')


if __name__ == '__main__':
    sys.exit(main())
