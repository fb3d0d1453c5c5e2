#!/usr/bin/env python3
"""Random programs with locks and atomics in heap memory that is freed at any time, and with locals and thread-locals that
others may touch, under models that allow cycles of program order and reads-from.

usage: tests/fuzz/heap.py [--porf PATH] [--seed N] [-n N] [--models LIST]

No run may end with an internal error or a crash.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests'))
from compiled import Compiled  # noqa: E402
MODELS = 'imm armv8 power riscv xmm wkmo2 jam19 jam21 wrc11 rc11'.split()
ORDERS = {'load': ('relaxed', 'acquire', 'seq_cst'), 'store': ('relaxed', 'release', 'seq_cst'),
          'update': ('relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst')}


class Drawing:
    def __init__(self, rnd):
        self.rnd = rnd

    def order(self, kind):
        return 'memory_order_' + self.rnd.choice(ORDERS[kind])

    def place(self):
        return self.rnd.choice(('&p->x', '&p->y', '&g', '&h'))

    def operand(self):
        return self.rnd.choice(('1', '2', 'r', 'r + 1'))

    def statement(self, depth):
        rnd = self.rnd
        kind = rnd.choices(('load', 'store', 'update', 'cas', 'lock', 'trylock', 'if', 'free', 'reload', 'publish', 'plain', 'sem',
                            'destroy', 'lend', 'touch', 'own'), (4, 4, 3, 2, 4, 1, 2, 2, 2, 1, 2, 1, 1, 3, 3, 3))[0]
        if depth == 0 and kind in ('lock', 'if', 'trylock'):
            kind = 'store'
        read = f'atomic_load_explicit (&g, {self.order("load")})'
        body = ' '.join(self.statement(depth - 1) for _ in range(rnd.randint(0, 2))) if depth else ''
        return {
            'load': f'r = atomic_load_explicit ({self.place()}, {self.order("load")});',
            'store': f'atomic_store_explicit ({self.place()}, {self.operand()}, {self.order("store")});',
            'update': f'r = atomic_{rnd.choice(("fetch_add", "exchange"))}_explicit ({self.place()}, {self.operand()}, {self.order("update")});',
            'cas': f'e = {rnd.choice(("0", "1", "r"))}; r = atomic_compare_exchange_strong_explicit ({self.place()}, &e, {self.operand()}, '
                   f'{self.order("update")}, memory_order_relaxed);',
            'lock': f'pthread_mutex_lock (&p->m); {body} pthread_mutex_unlock (&p->m);',
            'trylock': f'if (!pthread_mutex_trylock (&p->m)) {{ {body} pthread_mutex_unlock (&p->m); }}',
            'if': f'if (r{rnd.choice((" == 1", "", " > 1"))}) {{ {body} }}',
            'free': 'free (p);' if rnd.random() < 0.6 else 'if (r == 1) free (p);',
            'reload': f'p = atomic_load_explicit (&shared, {self.order("load")});',
            'publish': f'q = make (); atomic_store_explicit (&shared, q, {self.order("store")});',
            'plain': rnd.choice(('p->plain = r;', 'r = p->plain;', 'r = ++p->plain;')),
            'sem': rnd.choice(('sem_post (&p->s);', 'r = sem_trywait (&p->s);')),
            'destroy': 'pthread_mutex_destroy (&p->m);',
            'lend': f'atomic_store_explicit (&where, &{rnd.choice(("mine", "tls"))}, {self.order("store")});',
            'touch': f'w = atomic_load_explicit (&where, {self.order("load")}); if (w{rnd.choice(("", " && r == 1"))}) '
                     f'{{ *w = r; atomic_store_explicit ({self.place()}, 7, {self.order("store")}); }}',
            'own': f'{rnd.choice(("mine", "tls"))} = {rnd.choice(("r", read))};',
        }[kind]

    def with_noise(self, lines):
        """The lines, perhaps with a statement more somewhere."""
        at = self.rnd.randrange(len(lines) + 1)
        return lines[:at] + ([self.statement(1)] if self.rnd.random() < 0.4 else []) + lines[at:]

    def late(self):
        """Two threads of which one turns out to touch what the other has, once that has stored ahead of what it reads."""
        what = self.rnd.choice(('mine', 'tls'))
        touch = f'{{ *w = 1; atomic_store_explicit (&g, 7, {self.order("store")}); }}'
        first = [f'r = atomic_load_explicit (&h, {self.order("load")});', f'w = atomic_load_explicit (&where, {self.order("load")});',
                 f'if (r == 1 && w) {touch}']
        second = [f'atomic_store_explicit (&where, &{what}, {self.order("store")});',
                  f'{what} = atomic_load_explicit (&g, {self.order("load")});', f'atomic_store_explicit (&h, 1, {self.order("store")});']
        return [self.with_noise(first), self.with_noise(second)]

    def threads(self):
        rnd = self.rnd
        if rnd.random() < 0.4:
            return self.late()
        return [[self.statement(2) for _ in range(rnd.randint(1, 4))] for _ in range(rnd.choice((2, 2, 3)))]

    def program(self):
        rnd, threads = self.rnd, self.threads()
        count = len(threads)
        out = ['#include <pthread.h>', '#include <semaphore.h>', '#include <stdatomic.h>', '#include <stdlib.h>',
               'typedef struct { pthread_mutex_t m; sem_t s; atomic_int x, y; int plain; } Node;',
               'static _Atomic (Node *) shared;', 'static _Atomic (int *) where;', 'static _Thread_local int tls;',
               'static atomic_int g, h;', 'static Node *make (void) {',
               '  Node *n = calloc (1, sizeof *n);', '  pthread_mutex_init (&n->m, 0);', '  sem_init (&n->s, 0, 1);', '  return n;', '}']
        for t in range(count):
            out += [f'static void *run{t} (void *u) {{', '  int r = 0, e = 0, mine = 0, *w = 0; Node *q = 0;',
                    f'  Node *p = atomic_load_explicit (&shared, {self.order("load")});']
            out += ['  ' + line for line in threads[t]]
            out += ['  (void) r, (void) e, (void) q, (void) w, (void) mine;', '  return u;', '}']
        out += ['int main (void) {', f'  pthread_t t[{count}];', '  Node *p = make ();', '  atomic_init (&shared, p);']
        out += [f'  pthread_create (&t[{t}], 0, run{t}, 0);' for t in range(count)]
        if rnd.random() < 0.5:
            out += ['  int r = 0, e = 0, mine = 0, *w = 0; Node *q = 0;', '  ' + self.statement(1),
                    '  (void) r, (void) e, (void) q, (void) w, (void) mine;']
        return '\n'.join(out + [f'  pthread_join (t[{t}], 0);' for t in range(count)] + ['}', ''])


def main():
    options = argparse.ArgumentParser(usage=__doc__.split('\n')[3].split(': ')[1])
    options.add_argument('--porf', default=os.path.join(ROOT, 'build', 'porf'))
    options.add_argument('--seed', type=int, default=1)
    options.add_argument('-n', type=int, default=100)
    options.add_argument('--models', default=','.join(MODELS))
    args = options.parse_args()
    print(f'seed {args.seed}')
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        compiled = Compiled(args.porf, folder)
        for k in range(args.n):
            rnd = random.Random(args.seed + k)
            text, path = Drawing(rnd).program(), os.path.join(folder, f'p{k}.c')
            with open(path, 'w', encoding='utf-8') as f:
                f.write(text)
            for model in rnd.sample(args.models.split(','), min(3, args.models.count(',') + 1)):
                line = [args.porf, 'check', '-q', '--keep-going', '--help-time', '0', '--timeout', '3', '-m', model, *compiled.ir(path)]
                p = subprocess.run(line, capture_output=True, text=True, timeout=300)
                is_fine = p.returncode in (0, 3, 42)
                passed, failed = passed + is_fine, failed + (not is_fine)
                if not is_fine:
                    print(f'FAIL seed {args.seed + k} under {model}: exit {p.returncode}\n{p.stderr[:600]}\n{text}', flush=True)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
