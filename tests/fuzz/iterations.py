#!/usr/bin/env python3
"""Random programs with spin loops over several locations, and with frees and plain writes after them.

usage: tests/fuzz/iterations.py [-n N] [--seed S] [--porf PATH] [-m MODEL,...] [-v]

An iteration that fails may read, lock a mutex, have fences and compare-exchanges that fail; what it has read may be freed
or written plainly once the loop has ended. porf leaves such iterations out where it can, but not what is wrong with them.
So all of these must find the same kinds of violations, or be incomplete and say why: --engine explore and futures,
--reduce=none, and several workers. Moreover each must find what is found if loops end after two failed iterations and
count them (-DBOUND=2), so that none is left out. The last line is "N passed, M failed".
"""
import sys

from runner import Runner, ask
LOADS = ['relaxed', 'relaxed', 'acquire', 'seq_cst']
STORES = ['relaxed', 'relaxed', 'release', 'seq_cst']
FENCES = ['acquire', 'release', 'seq_cst']
CONFIGURATIONS = [['--engine', 'explore'], ['--engine', 'futures'], ['--engine', 'explore', '--reduce=none'],
                  ['--engine', 'explore', '--jobs', '3'], ['--engine', 'futures', '--jobs', '3']]
ALWAYS = ['--keep-going', '--no-cache', '--help-time', '0', '--timeout', '5']
FUTURES = {'sc', 'ra', 'rc11', 'rc20'}  # models for which there is that engine
WAITING = {'liveness', 'deadlock'}  # loops with a bound do not

HEAD = '''#include <porf/verifier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y, z, *b;
static int p, q, *h;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

#ifdef BOUND
#define FAILED if (++failed > BOUND) __VERIFIER_assume (0)
#else
#define FAILED (void)0
#endif

static int locked (const int *at) {
  pthread_mutex_lock (&m);
  int value = *at;
  pthread_mutex_unlock (&m);
  return value;
}
static int fails (memory_order order) {
  int expected = 7;
  return atomic_compare_exchange_strong_explicit (&z, &expected, 8, order, memory_order_relaxed);
}
static int fenced (memory_order order) {
  atomic_thread_fence (order);
  return 0;
}
'''


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.threads = [self.thread(i == 0) for i in range(rng.choice([2, 2, 2, 3]))]

    def order(self, orders):
        return 'memory_order_' + self.rng.choice(orders)

    def flag(self):
        return f'atomic_load_explicit (&{self.rng.choice("xy")}, {self.order(LOADS)})'

    def read(self):
        """An expression without an effect that others see."""
        return self.rng.choice([self.flag, self.flag, self.block, self.block, lambda: 'p', lambda: 'q', lambda: '*h',
                                lambda: f'locked (&{self.rng.choice("pq")})', lambda: 'locked (h)',
                                lambda: f'(fenced ({self.order(FENCES)}) || {self.read()})',
                                lambda: f'(fails ({self.order(LOADS)}) || {self.read()})'])()

    def block(self):
        return f'atomic_load_explicit (b, {self.order(LOADS)})'

    def loop(self):
        first, second = [self.flag(), self.read()] if self.rng.random() < 0.7 else [self.read(), self.flag()]
        return self.rng.choice([f'while (!{first} && !{second}) FAILED;',
                                f'while (!{first} || !{second}) FAILED;',
                                f'while (!{self.flag()}) {{ (void)({second}); FAILED; }}',
                                f'do {{ (void)({second}); FAILED; }} while (!{self.flag()});'])

    def store(self, variable=None):
        at = variable or self.rng.choice('xyxyz')
        return f'atomic_store_explicit (&{at}, {self.rng.choice([1, 2, 4])}, {self.order(STORES)});'

    def action(self):
        return self.rng.choice(['p = 1;', 'q = 2;', '*h = 1;', 'free (b);', 'free (h);', 'locked (&p);',
                                'pthread_mutex_lock (&m); p = 3; pthread_mutex_unlock (&m);'])

    def guarded(self):
        return f'if ({self.flag()} == {self.rng.choice([1, 2, 4])}) {{ {self.action()} }}'

    def thread(self, loops):
        """The first one has a loop, and then tells others that it has ended."""
        some = [self.loop(), self.store()] if loops else [self.store('x'), self.store('y')]
        more = [self.loop, self.store, self.guarded, self.guarded, self.action]
        some += [self.rng.choice(more)() for _ in range(self.rng.choice([0, 1, 1] if loops else [1, 1, 2]))]
        return some

    def c(self):
        lines = [HEAD]
        for i, body in enumerate(self.threads):
            lines += [f'static void *t{i} (void *unused) {{', '  int failed = 0;', '  (void)failed;']
            lines += [*('  ' + line for line in body), '  return unused;', '}']
        n = len(self.threads)
        lines += ['int main (void) {', f'  pthread_t t[{n}];', '  b = calloc (1, sizeof *b);', '  h = calloc (1, sizeof *h);']
        lines += [f'  pthread_create (&t[{i}], 0, t{i}, 0);' for i in range(n)]
        lines += [f'  pthread_join (t[{i}], 0);' for i in range(n)]
        return '\n'.join(lines + ['  (void)locked, (void)fails, (void)fenced;', '}', ''])


def check(porf, program, model, options):
    """The verdict, the kinds of findings, and whether there is a reason why it is incomplete."""
    verdict, findings, has_reason = ask(porf, program, model, [*ALWAYS, *options])
    return verdict, {f['kind'] for f in findings}, has_reason


def judge(base, bounded, other):
    """What is wrong with an answer, or None."""
    verdict, kinds, has_reason = other
    if verdict not in ('pass', 'violation', 'incomplete'):
        return verdict
    if has_reason or base[2]:
        return None
    if kinds != base[1]:
        return f'finds {sorted(kinds)}, but explore finds {sorted(base[1])}'
    if not bounded[1] - WAITING <= kinds:
        return f'finds {sorted(kinds)}, but with bounded loops it is {sorted(bounded[1])}'
    return None


def main():
    runner = Runner('sc,ra,rc11,rc20')
    porf, compiled = runner.args.porf, runner.compiled
    incomplete = found = 0
    for i, rng in runner.programs():
        text, model = Program(rng).c(), runner.model(rng)
        path = runner.write(i, text)
        bounded = check(porf, compiled.ir(path, '--', '-DBOUND=2'), model, ['--engine', 'explore'])
        ways = [options for options in CONFIGURATIONS if 'futures' not in options or model in FUTURES]
        answers = [check(porf, compiled.ir(path), model, options) for options in ways]
        found += bool(answers[0][1])
        for options, answer in zip(ways, answers):
            incomplete += answer[2]
            runner.tell(judge(answers[0], bounded, answer), f'program {i}, -m {model} {" ".join(options)}', answer,
                        text.replace(HEAD, ''))
    return runner.end(f'{found} of {runner.args.n} programs are wrong; {incomplete} answers were incomplete')


if __name__ == '__main__':
    sys.exit(main())
