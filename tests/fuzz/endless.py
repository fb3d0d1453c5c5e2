#!/usr/bin/env python3
"""Random programs with threads that may go on forever, beside locks, read-write locks, semaphores and weak atomics.

usage: tests/fuzz/endless.py [-n N] [--seed S] [--porf PATH] [-m MODEL,...] [-v]

Only the engine futures gets to the end of such programs, so there is no second opinion about them as they are. But what
is found if every thread goes round its loops twice at most (-DBOUND=2: it is given up then) can happen without the bound,
too: whatever is wrong with the bounded program, waiting forever aside, must make the other one a violation, or it is
incomplete. Several workers must say the same as one. The last line is "N passed, M failed".
"""
import json
import subprocess
import sys

from runner import Runner

LOADS = ['relaxed', 'relaxed', 'acquire', 'seq_cst']
STORES = ['relaxed', 'release', 'seq_cst']
UPDATES = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst']
WAITING = {'liveness', 'deadlock'}  # a bound gives up threads that could go on
HEAD = '''#include <assert.h>
#include <porf/verifier.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD(x, order) atomic_load_explicit (&(x), memory_order_##order)
#define STORE(x, value, order) atomic_store_explicit (&(x), value, memory_order_##order)
#define SWAP(x, value, order) atomic_exchange_explicit (&(x), value, memory_order_##order)
#ifdef BOUND
#define ROUND if (++rounds > BOUND) __VERIFIER_assume (0)
#else
#define ROUND (void)0
#endif

static atomic_int x0, x1, x2, stop;
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s0, s1;
static int p0, p1, full;
static _Thread_local int own;
static int *_Atomic block;
'''


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.is_sc = rng.random() < .3
        self.locations = rng.sample(range(3), rng.choice([1, 2, 2, 3]))
        kinds = [self.locked, self.tried, self.read_write, self.condition, self.semaphore, self.plain, self.heap,
                 self.thread_local, self.chosen, self.retried, self.waits]
        self.kinds = rng.sample(kinds, rng.choice([1, 2, 2, 3]))

    def order(self, orders):
        return 'seq_cst' if self.is_sc else self.rng.choice(orders)

    def x(self):
        return f'x{self.rng.choice(self.locations)}'

    def load(self):
        return f'LOAD ({self.x()}, {self.order(LOADS)})'

    def store(self):
        return f'STORE ({self.x()}, {self.rng.randrange(3)}, {self.order(STORES)});'

    def access(self):
        rng = self.rng
        return rng.choice([f'sum = {self.load()};', f'sum = {self.load()};', self.store(),
                           f'sum = SWAP ({self.x()}, {rng.randrange(3)}, {self.order(UPDATES)});',
                           f'if ({self.load()} == {rng.randrange(3)}) {self.store()}',
                           f'atomic_thread_fence (memory_order_{rng.choice(["acquire", "release", "seq_cst"])});'])

    # ---- what a program has beside atomic accesses; `inside` is a statement

    def locked(self, inside):
        m = self.rng.choice(['m0', 'm0', 'm1'])
        return f'pthread_mutex_lock (&{m}); {self.rng.choice(["p0 ^= 1;", "sum = p0;", ""])} {inside} pthread_mutex_unlock (&{m});'

    def tried(self, inside):
        return f'if (!pthread_mutex_trylock (&m0)) {{ p0 ^= 1; {inside} pthread_mutex_unlock (&m0); }}'

    def read_write(self, inside):
        kind, use = self.rng.choice([('rd', 'sum = p1;'), ('wr', 'p1 ^= 1;')])
        return f'pthread_rwlock_{kind}lock (&rw); {use} {inside} pthread_rwlock_unlock (&rw);'

    def condition(self, inside):
        want, then = self.rng.choice([('full', 1), ('!full', 0)])
        wake = self.rng.choice(['signal', 'broadcast'])
        return (f'pthread_mutex_lock (&m0); while ({want}) pthread_cond_wait (&c, &m0); full = {then}; {inside} '
                f'pthread_cond_{wake} (&c); pthread_mutex_unlock (&m0);')

    def semaphore(self, inside):
        return self.rng.choice([f'sem_wait (&s0); p1 ^= 1; {inside} sem_post (&s1);', 'sem_wait (&s1); p1 ^= 1; sem_post (&s0);',
                                'if (!sem_trywait (&s0)) sem_post (&s1);'])

    def plain(self, inside):
        return self.rng.choice([f'if ({self.load()}) sum = p0;', f'p0 = 2; {self.store()}', f'if ({self.load()} == 1) p0 = 7;', inside])

    def heap(self, inside):
        return self.rng.choice(['{ int *q = malloc (4); *q = 1; free (atomic_exchange (&block, q)); }',
                                '{ int *q = atomic_load (&block); if (q) sum = *q; }', f'free (atomic_exchange (&block, 0)); {inside}'])

    def thread_local(self, inside):
        return self.rng.choice(['own = !own; sum = own;', f'own = {self.load()};', f'if (own) {{ {inside} }} own = !own;'])

    def chosen(self, inside):
        return f'if (__VERIFIER_nondet_bool ()) {{ {inside} }}'

    def retried(self, inside):
        x = self.x()
        return (f'{{ int e = LOAD ({x}, relaxed); while (!atomic_compare_exchange_weak_explicit (&{x}, &e, (e + 1) % 3, '
                f'memory_order_{self.order(UPDATES)}, memory_order_{self.order(LOADS)})) {{ ROUND; }} {inside} }}')

    def waits(self, inside):
        return f'while ({self.load()} != {self.rng.randrange(1, 3)}) {{ ROUND; }} {inside}'

    # ---- threads

    def check(self):
        return self.rng.choice([f'assert (!({self.load()} == {self.rng.randrange(3)} && {self.load()} == {self.rng.randrange(3)}));',
                                f'assert (sum != {self.rng.randrange(3)});'])

    def statement(self, depth=2):
        k = self.rng.random()
        if not depth or k < .4:
            return self.access()
        if k < .85:
            return self.rng.choice(self.kinds)(self.statement(depth - 1))
        return f'if ({self.load()}) {{ {self.statement(depth - 1)} }}' if k < .93 else self.check()

    def statements(self, counts):
        return ' '.join(self.statement() for _ in range(self.rng.choice(counts)))

    def loop(self):
        body, until = self.statements([1, 2, 2, 3]), f'LOAD (stop, {self.order(LOADS)})'
        return self.rng.choice([f'for (;;) {{ ROUND; {body} }}', f'while (!{until}) {{ ROUND; {body} }}',
                                f'for (;;) {{ ROUND; {body} if ({self.load()} == 1) break; }}'])

    def thread(self, loops):
        if loops:
            return f'{self.statements([0, 0, 1])} {self.loop()} {self.statements([0, 0, 1])}'
        return self.statements([1, 2, 3]) + self.rng.choice(['', f' STORE (stop, 1, {self.order(STORES)});'])

    def c(self):
        rng, n = self.rng, self.rng.choice([2, 2, 3])
        loops = [i == 0 or rng.random() < .5 for i in range(n)]
        text = HEAD
        for i in range(n):
            text += (f'\nstatic void *t{i} (void *arg) {{\n  int sum = 0, rounds = 0;\n  {self.thread(loops[i])}\n'
                     f'  {rng.choice(["", self.check()])}\n  (void)sum, (void)rounds;\n  return arg;\n}}\n')
        text += f'\nint main (void) {{\n  pthread_t t[{n}];\n  sem_init (&s0, 0, 1);\n  sem_init (&s1, 0, 0);\n'
        text += ''.join(f'  pthread_create (&t[{i}], 0, t{i}, 0);\n' for i in range(n))
        joins = rng.choice(['all', 'others', 'others', 'none', 'exit'])
        text += ''.join(f'  pthread_join (t[{i}], 0);\n' for i in range(n) if joins == 'all' or (joins == 'others' and not loops[i]))
        return text + ('  pthread_exit (0);\n' if joins == 'exit' else '  return 0;\n') + '}\n'


def check(porf, program, model, options):
    """The verdict and the kinds of findings."""
    command = [porf, 'check', '-m', model, '--no-cache', '--help-time', '0', '--timeout', '4', '--format', 'json', *options, *program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 3, 42):
        return f'exit code {done.returncode}: {done.stderr.strip()}', set()
    report = json.loads(done.stdout)
    return report['verdict'], {f['kind'] for f in report['findings']}


def judge(answers, wrong):
    """What is wrong with the answers, or None."""
    verdicts = {verdict for verdict, _ in answers}
    for verdict in verdicts - {'pass', 'violation', 'incomplete'}:
        return verdict
    if wrong and 'pass' in verdicts:
        return f'pass, but with bounded loops there is {sorted(wrong)}'
    return 'several workers find something else' if {'pass', 'violation'} <= verdicts else None


def main():
    runner = Runner('sc,sc,tso,pso,sra,ra,rc11,rc11,rc20')
    porf, compiled = runner.args.porf, runner.compiled
    incomplete = found = 0
    for i, rng in runner.programs():
        text, model = Program(rng).c(), runner.model(rng)
        path = runner.write(i, text)
        whole, bounded = compiled.ir(path), compiled.ir(path, '--', '-DBOUND=2')
        wrong = check(porf, bounded, model, ['--engine', 'explore', '--jobs', '1'])[1] - WAITING
        answers = [check(porf, whole, model, ['--engine', 'futures', '--jobs', jobs]) for jobs in ('1', '3')]
        incomplete += any(verdict == 'incomplete' for verdict, _ in answers)
        found += bool(wrong)
        runner.tell(judge(answers, wrong), f'program {i}, -m {model}', answers[0][0], text.replace(HEAD, ''))
    return runner.end(f'{found} of {runner.args.n} programs are wrong; {incomplete} were incomplete')


if __name__ == '__main__':
    sys.exit(main())
