#!/usr/bin/env python3
"""Random programs with spin loops whose local state takes turns: toggles, slots, values that are read anew and handed on.

usage: tests/fuzz/turns.py [-n N] [--seed S] [--porf PATH] [-m MODEL,...] [-v]

Such a loop comes back to a state it was in, but not from one iteration to the next. Where there is no engine futures,
porf stops a thread that has come back. main has an assertion for every result that the threads can have, so the lines of the findings say which results are
possible. They must be the same for --engine explore and futures, with several workers, and if nothing is reduced; and
all that are possible if the loops end after four failed iterations, which they count (-DBOUND=4), so that no state comes
back. The last line is "N passed, M failed".
"""
import sys

from runner import Runner, ask

LOADS = ['relaxed', 'relaxed', 'acquire', 'seq_cst']
STORES = ['relaxed', 'relaxed', 'release', 'seq_cst']
WAYS = [['--engine', 'explore'], ['--engine', 'futures'], ['--engine', 'explore', '--reduce=none'],
        ['--engine', 'explore', '--jobs', '3'], ['--engine', 'explore', '--skip-retries']]
ALWAYS = ['--keep-going', '--no-cache', '--no-liveness', '--help-time', '0', '--timeout', '4']
NOT_FOR_ALL = {'futures', '--skip-retries'}
FOR = {'sc', 'tso', 'ra', 'rc11', 'rc20'}  # models that have both
VALUES = range(3)

HEAD = '''#include <porf/verifier.h>
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int f[2], x, y, z;
static int r[3];

#ifdef BOUND
#define FAILED if (++failed > BOUND) __VERIFIER_assume (0)
#else
#define FAILED (void)0
#endif
'''


class Program:
    def __init__(self, rng):
        self.rng = rng
        self.threads = [self.waiter()] + [self.writer(i) for i in range(rng.choice([1, 2, 2]))]

    def load(self, at):
        return f'atomic_load_explicit (&{at}, memory_order_{self.rng.choice(LOADS)})'

    def store(self, at, what):
        return f'atomic_store_explicit (&{at}, {what}, memory_order_{self.rng.choice(STORES)});'

    def local(self):
        return self.rng.choice(['a', 'a', 'b', 's', 'a ^ b'])

    def turn(self):
        """What a failed iteration does to the local state."""
        return self.rng.choice(['s = !s;', 's = (s + 1) % 3;', f'a = {self.load("y")};', f'a = {self.load("x")};', 'b = a;',
                                't = a; a = b; b = t;', f'if ({self.load("x")}) s = !s;',
                                f'{{ int v = 9; atomic_compare_exchange_strong_explicit (&y, &v, 8, memory_order_acq_rel, '
                                f'memory_order_relaxed); a = v; }}', f'atomic_thread_fence (memory_order_{self.rng.choice(["acquire", "seq_cst"])});'])

    def waiter(self):
        flag = self.rng.choice(['f[s & 1]', 'f[s & 1]', 'f[0]', 'f[a & 1]'])
        turns = ' '.join(self.turn() for _ in range(self.rng.choice([1, 2, 2, 3])))
        first = [f'a = {self.load("x")};'] if self.rng.random() < 0.5 else []
        return [*first, f'while (!{self.load(flag)}) {{ {turns} FAILED; }}', self.store('z', self.local()), f'r[0] = {self.local()};']

    def writer(self, i):
        some = [self.store(self.rng.choice(['f[0]', 'f[1]']), 1)]
        more = [lambda: self.store('y', self.rng.choice([1, 2])), lambda: self.store('x', self.rng.choice([1, 2])),
                lambda: f'a = {self.load("z")};', lambda: self.store('x', 'a'), lambda: self.store('f[0]', 0)]
        some += [self.rng.choice(more)() for _ in range(self.rng.choice([1, 2, 2]))]
        self.rng.shuffle(some)
        return [*some, f'r[{i + 1}] = a;']

    def c(self):
        lines, n = [HEAD], len(self.threads)
        for i, body in enumerate(self.threads):
            lines += [f'static void *t{i} (void *unused) {{', '  int a = 0, b = 0, s = 0, t = 0, failed = 0;', '  (void)(a + b + s + t + failed);']
            lines += [*('  ' + line for line in body), '  return unused;', '}']
        lines += ['int main (void) {', f'  pthread_t t[{n}];']
        lines += [f'  pthread_create (&t[{i}], 0, t{i}, 0);' for i in range(n)]
        lines += [f'  pthread_join (t[{i}], 0);' for i in range(n)]
        lines += [f'  assert (r[0] != {a} || r[1] != {b} || r[2] != {c});' for a in VALUES for b in VALUES for c in VALUES]
        return '\n'.join(lines + ['}', ''])


def check(porf, program, model, options):
    """The verdict, the lines of the findings, and whether there is a reason why it is incomplete."""
    verdict, findings, has_reason = ask(porf, program, model, [*ALWAYS, *options])
    return verdict, {(f['kind'], f['line']) for f in findings}, has_reason


def judge(base, bounded, other):
    """What is wrong with an answer, or None."""
    verdict, found, has_reason = other
    if verdict not in ('pass', 'violation', 'incomplete'):
        return verdict
    if has_reason or base[2]:
        return None
    if found != base[1]:
        return f'finds {sorted(found)}, but explore finds {sorted(base[1])}'
    if not bounded[1] <= found:
        return f'finds {sorted(found)}, but with bounded loops it is {sorted(bounded[1])}'
    return None


def main():
    runner = Runner('sc,tso,ra,rc11,rc20,wrc11,imm,armv8,power')
    porf, compiled = runner.args.porf, runner.compiled
    incomplete = 0
    for i, rng in runner.programs():
        text, model = Program(rng).c(), runner.model(rng)
        path = runner.write(i, text)
        bounded = check(porf, compiled.ir(path, '--', '-DBOUND=4'), model, ['--engine', 'explore'])
        ways = [options for options in WAYS if model in FOR or not NOT_FOR_ALL & set(options)]
        answers = [check(porf, compiled.ir(path), model, options) for options in ways]
        for options, answer in zip(ways, answers):
            incomplete += answer[2]
            runner.tell(judge(answers[0], bounded, answer), f'program {i}, -m {model} {" ".join(options)}', answer,
                        text.replace(HEAD, '').split('  assert')[0])
    return runner.end(f'{incomplete} answers were incomplete')


if __name__ == '__main__':
    sys.exit(main())
