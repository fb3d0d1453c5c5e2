#!/usr/bin/env python3
"""Can a thread wait forever? Random programs with loops that wait, against an interpreter of their interleavings.

usage: tests/fuzz/forever.py [-n N] [--seed S] [--porf PATH] [-m MODEL,...] [--only FORM] [-v]

Threads store to two variables, and wait for them in loops with local state: a toggle, a slot, a backoff, a counter, two
variables, a peeled iteration, a call, a compare-exchange, a choice, an assumption. All accesses are
seq_cst, so every model has the interleavings alone. The interpreter visits every state and looks for a fair cycle: one in which each thread that has not ended takes a step.
Some programs have one more thread, which works forever on a variable of its own, and may assume things: it changes nothing.
porf must find that a thread can wait forever exactly if there is one, whatever the options; it may say that it is
incomplete, and why. The last line is "N passed, M failed".
"""
import json
import subprocess
import sys

from runner import Runner
OPTIONS = [[], ['--unroll', '1'], ['--unroll', '3'], ['--unroll', '20'], ['--skip-retries'], ['--reduce=none'],
           ['--jobs', '2'], ['--jobs', '4'], ['--reduce=-symmetry'], ['--skip-retries', '--unroll', '3'],
           ['--reduce=none', '--unroll', '2'], ['--keep-going']]
NO_RETRIES = {'armv8', 'power', 'riscv', 'imm', 'xmm', 'wkmo2', 'jam19', 'jam21', 'jam21t', 'wrc11', 'lkmm'}
FUTURES = {'sc', 'tso', 'pso', 'sra', 'ra', 'rc11', 'rc20'}
ALWAYS = ['--jobs', '1', '--help-time', '0', '--timeout', '5', '--format', 'json']


class Program:
    """A program, as C and as instructions for the interpreter.

    Instructions: ('set', local, expression), ('load', local, variable), ('store', variable, expression),
    ('cas', ok, variable, expected, expression), ('choose', local, values), ('assume', expression),
    ('unless', expression, target), ('jump', target), ('end',).
    """

    def __init__(self, rng, only):
        self.rng, self.only, self.forms = rng, only, []
        self.threads = [self.thread(i) for i in range(rng.choice([1, 2, 2, 2, 3]))]
        self.works = rng.choice([None, None, None, '', '__VERIFIER_assume (__VERIFIER_nondet_bool ());'])

    def thread(self, i):
        self.code, self.text, self.depth, self.locals = [], [], 1, 0
        for _ in range(self.rng.choice([1, 2, 2, 3])):
            if self.rng.random() < 0.5:
                self.wait()
            else:
                self.store(self.rng.choice('xy'), str(self.rng.randrange(3)))
        self.code.append(('end',))
        return self.code, self.text, self.locals

    # ---- what both sides consist of

    def line(self, text):
        self.text.append('  ' * self.depth + text)

    def local(self, value):
        self.locals += 1
        name = f'r{self.locals - 1}'
        self.set(name, value)
        return name

    def set(self, local, expression):
        self.code.append(('set', int(local[1:]), expression))
        self.line(f'{local} = {expression};')

    def load(self, local, variable):
        self.code.append(('load', int(local[1:]), variable))
        self.line(f'{local} = {variable};')

    def load_by_call(self, local, variable):
        self.code.append(('load', int(local[1:]), variable))
        self.line(f'{local} = get (&{variable});')

    def choose(self, local, call, values):
        self.code.append(('choose', int(local[1:]), values))
        self.line(f'{local} = {call};')

    def assume(self, expression):
        self.code.append(('assume', expression))
        self.line(f'__VERIFIER_assume ({expression});')

    def store(self, variable, expression):
        self.code.append(('store', variable, expression))
        self.line(f'{variable} = {expression};')

    def compare_exchange(self, ok, variable, expected, desired):
        self.code.append(('cas', int(ok[1:]), variable, int(expected[1:]), desired))
        self.line(f'{ok} = atomic_compare_exchange_strong (&{variable}, &{expected}, {desired});')

    def loop(self, body):
        """Repeats body until the expression that it returns is false."""
        head = len(self.code)
        self.line('for (;;) {')
        self.depth += 1
        condition = body()
        self.line(f'if (!({condition})) break;')
        self.depth -= 1
        self.line('}')
        self.code += [('unless', condition, len(self.code) + 2), ('jump', head)]

    def branch(self, condition, body):
        at = len(self.code)
        self.code.append(None)
        self.line(f'if ({condition}) {{')
        self.depth += 1
        body()
        self.depth -= 1
        self.line('}')
        self.code[at] = ('unless', condition, len(self.code))

    # ---- loops that wait

    def wait(self):
        forms = [f for f in dir(self) if f.startswith('wait_')]
        form = self.only or self.rng.choice(forms)
        self.forms.append(form)
        wanted = self.rng.randrange(1, 3)
        shown = getattr(self, form)(self.rng.choice('xy'), wanted)
        if self.rng.random() < 0.5:
            self.store(self.rng.choice('xy'), f'{shown} % 3')

    def wait_plainly(self, v, wanted):
        a = self.local('0')
        self.loop(lambda: (self.load(a, v), f'{a} != {wanted}')[1])
        return a

    def local_state(self, v, wanted, first, change):
        a, t = self.local('0'), self.local(first)

        def body():
            self.set(t, change.replace('T', t))
            self.load(a, v)
            return f'{a} != {wanted}'
        self.loop(body)
        return t

    def wait_toggle(self, v, wanted):
        return self.local_state(v, wanted, '0', 'T ^ 1')

    def wait_backoff(self, v, wanted):
        return self.local_state(v, wanted, '1', 'T * 2 % 15')

    def wait_limit(self, v, wanted):
        return self.local_state(v, wanted, '0', 'T + (T < 3)')

    def wait_modulo(self, v, wanted):
        return self.local_state(v, wanted, '0', '(T + 1) % 3')

    def wait_choice(self, v, wanted):
        """What is chosen does not lead out of the loop."""
        a, c, t = self.local('0'), self.local('0'), self.local('0')

        def body():
            self.choose(c, *self.rng.choice([('__VERIFIER_nondet_bool ()', (0, 1)), ('rand () % 2', (0, 1)),
                                             ('__VERIFIER_nondet_int () % 3', (0, 1, 2)),
                                             ('__VERIFIER_nondet_uchar () > 3', (0, 1))]))
            how = self.rng.randrange(3)
            if how == 0:
                self.load(a, v)
                self.set(t, c)
            elif how == 1:
                self.branch(f'{c} == 1', lambda: self.load(t, self.rng.choice('xy')))
                self.load(a, v)
            else:
                self.set(t, f'({t} + {c}) % 3')
                self.load(a, v)
            return f'{a} != {wanted}'
        self.loop(body)
        return t

    def wait_assumed(self, v, wanted):
        """What is chosen, or read, has to be something else."""
        a, b = self.local('0'), self.local('0')

        def body():
            if self.rng.random() < 0.5:
                self.choose(b, '__VERIFIER_nondet_bool ()', (0, 1))
            else:
                self.load(b, self.rng.choice('xy'))
            self.assume(f'{b} != {self.rng.randrange(3)}')
            self.load(a, v)
            return f'{a} != {wanted}'
        self.loop(body)
        return a

    def wait_slot(self, _, wanted):
        a, i = self.local('0'), self.local('0')

        def body():
            self.branch(f'{i} == 0', lambda: self.load(a, 'x'))
            self.branch(f'{i} == 1', lambda: self.load(a, 'y'))
            self.set(i, f'{i} ^ 1')
            return f'{a} != {wanted}'
        self.loop(body)
        return i

    def wait_either(self, _, wanted):
        a, b = self.local('0'), self.local('0')

        def body():
            self.load(a, 'x')
            self.load(b, 'y')
            return f'({a} != {wanted}) & ({b} != {3 - wanted})'
        self.loop(body)
        return a

    def wait_both(self, _, wanted):
        a, b = self.local('0'), self.local('0')

        def body():
            self.load(a, 'x')
            self.branch(f'{a} == {wanted}', lambda: self.load(b, 'y'))
            return f'({a} != {wanted}) | ({b} != {wanted})'
        self.loop(body)
        return b

    def wait_peeled(self, v, wanted):
        a = self.local('0')
        self.load(a, v)
        self.branch(f'{a} != {wanted}', lambda: self.loop(lambda: (self.load(a, v), f'{a} != {wanted}')[1]))
        return a

    def wait_call(self, v, wanted):
        a = self.local('0')
        self.loop(lambda: (self.load_by_call(a, v), f'{a} != {wanted}')[1])
        return a

    def wait_change(self, v, _):
        a, b = self.local('0'), self.local('0')
        self.load(b, v)
        self.loop(lambda: (self.load(a, v), f'{a} == {b}')[1])
        return a

    def wait_same(self, v, _):
        """Until it has read the same twice."""
        a, b, c = self.local('7'), self.local('0'), self.local('0')

        def body():
            self.set(b, a)
            self.load(a, v)
            self.set(c, f'{c} ^ 1')
            return f'({a} != {b}) | ({c} == 1)'
        self.loop(body)
        return a

    def wait_nested(self, v, wanted):
        a, i = self.local('0'), self.local('1')

        def body():
            n = self.local('0')
            self.loop(lambda: (self.set(n, f'{n} + 1'), f'{n} < {i}')[1])
            self.set(i, f'{i} * 2 % 7')
            self.load(a, v)
            return f'{a} != {wanted}'
        self.loop(body)
        return a

    def wait_update(self, v, wanted):
        """A compare-exchange in a loop, with a toggle or without."""
        a, ok = self.local('0'), self.local('0')
        t = self.local('0') if self.rng.random() < 0.5 else None

        def body():
            self.set(a, str(wanted))
            self.compare_exchange(ok, v, a, '0')
            if t:
                self.set(t, f'{t} ^ 1')
            return f'{ok} == 0'
        self.loop(body)
        return t or a

    def wait_retry(self, v, _):
        """Adds 1 by a compare-exchange; ends unless it is below zero."""
        a, ok = self.local('0'), self.local('0')
        t = self.local('0') if self.rng.random() < 0.5 else None
        self.load(a, v)

        def body():
            self.compare_exchange(ok, v, a, f'({a} + 1) % 3')
            if t:
                self.set(t, f'{t} ^ 1')
            return f'{ok} == 0'
        self.loop(body)
        return t or a

    # ---- as C

    def c(self):
        lines = ['#include <porf/verifier.h>', '#include <pthread.h>', '#include <stdatomic.h>', '#include <stdlib.h>', '', 'static atomic_int x, y, z;', '',
                 'static int get (atomic_int *p) { return *p; }']
        for i, (_, text, count) in enumerate(self.threads):
            names = ', '.join(f'r{k} = 0' for k in range(count)) or 'unused = 0'
            lines += ['', f'static void *t{i} (void *arg) {{', f'  int {names};', *text, '  (void)get;', '  return arg;', '}']
        n = len(self.threads)
        if self.works is not None:
            lines += ['', 'static void *work (void *arg) {', f'  for (;;) {{ {self.works} z = !z; }}', '  return arg;', '}']
        lines += ['', 'int main (void) {', f'  pthread_t t[{n}], other;']
        lines += ['  (void)other;'] if self.works is None else ['  pthread_create (&other, 0, work, 0);']
        lines += [f'  pthread_create (&t[{i}], 0, t{i}, 0);' for i in range(n)]
        lines += [f'  pthread_join (t[{i}], 0);' for i in range(n)]
        return '\n'.join(lines + ['}', ''])


# ---- the interpreter

def evaluate(expression, local):
    return int(eval(expression, {'__builtins__': {}}, {f'r{i}': v for i, v in enumerate(local)}))  # our own text


class Interpreter:
    def __init__(self, program):
        self.codes = [code for code, _, _ in program.threads]
        self.start = (0, 0), tuple(self.settle(t, 0, (0,) * n) for t, (_, _, n) in enumerate(program.threads))
        self.memo = {}

    def settle(self, t, pc, local):
        """To the next access of memory, or the end; None if an assumption does not hold."""
        code = self.codes[t]
        while code[pc][0] in ('set', 'assume', 'unless', 'jump'):
            op = code[pc]
            if op[0] == 'assume':
                if not evaluate(op[1], local):
                    return None
                pc += 1
                continue
            if op[0] == 'set':
                local = local[:op[1]] + (evaluate(op[2], local),) + local[op[1] + 1:]
                pc += 1
            elif op[0] == 'unless':
                pc = pc + 1 if evaluate(op[1], local) else op[2]
            else:
                pc = op[1]
        return pc, local

    def step(self, t, memory, state):
        """All that can become of it."""
        pc, local = state
        op = self.codes[t][pc]
        if op[0] == 'choose':
            return [(memory, self.settle(t, pc + 1, local[:op[1]] + (value,) + local[op[1] + 1:])) for value in op[2]]
        v = 'xy'.index(op[1] if op[0] == 'store' else op[2])
        if op[0] == 'load':
            local = local[:op[1]] + (memory[v],) + local[op[1] + 1:]
        elif op[0] == 'store':
            memory = memory[:v] + (evaluate(op[2], local),) + memory[v + 1:]
        else:
            ok, seen = memory[v] == local[op[3]], memory[v]
            if ok:
                memory = memory[:v] + (evaluate(op[4], local),) + memory[v + 1:]
            else:
                local = local[:op[3]] + (seen,) + local[op[3] + 1:]
            local = local[:op[1]] + (int(ok),) + local[op[1] + 1:]
        return [(memory, self.settle(t, pc + 1, local))]

    def successors(self, state):
        if state not in self.memo:
            memory, threads = state
            out = []
            for t, s in enumerate(threads):
                if self.codes[t][s[0]][0] == 'end':
                    continue
                out += [(t, (m, threads[:t] + (n,) + threads[t + 1:])) for m, n in self.step(t, memory, s) if n]
            self.memo[state] = out
        return self.memo[state]

    def components(self, most):
        """Strongly connected ones, by Tarjan; None if there are too many states."""
        index, low, stack, on, found = {}, {}, [], set(), []
        work = [(self.start, iter(self.successors(self.start)))]
        index[self.start] = low[self.start] = 0
        stack.append(self.start)
        on.add(self.start)
        while work:
            if len(index) > most:
                return None
            v, left = work[-1]
            for _, w in left:
                if w not in index:
                    index[w] = low[w] = len(index)
                    stack.append(w)
                    on.add(w)
                    work.append((w, iter(self.successors(w))))
                    break
                if w in on:
                    low[v] = min(low[v], index[w])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[v])
                if low[v] == index[v]:
                    component = set()
                    while v not in component:
                        component.add(stack.pop())
                    on -= component
                    found.append(component)
        return found

    def waits_forever(self, most=30000):
        """None: too large."""
        components = self.components(most)
        if components is None:
            return None
        for c in components:
            some = next(iter(c))
            alive = {t for t, s in enumerate(some[1]) if self.codes[t][s[0]][0] != 'end'}
            moving = {t for s in c for t, n in self.successors(s) if n in c}
            if alive and alive <= moving:
                return True
        return False


# ---- porf

def run(porf, program, model, options):
    engine = ['--mca'] if model == 'mca' else ['-m', model]
    command = [porf, 'check', *engine, *ALWAYS, *options, *program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode not in (0, 3, 42):
        return command, f'exit code {done.returncode}: {done.stderr}'
    report = json.loads(done.stdout)
    report = report[0] if isinstance(report, list) else report
    return command, report


def judge(report, waits):
    """What is wrong with the answer, or None."""
    if isinstance(report, str):
        return report
    kinds = {f['kind'] for f in report['findings']}
    if kinds - {'liveness'}:
        return f'finds {"+".join(sorted(kinds))}'
    if report['verdict'] == 'incomplete':
        return None if report['not_covered'] else 'is incomplete, and does not say why'
    if (report['verdict'] == 'violation') != waits:
        return f'says {report["verdict"]}, but some thread {"can" if waits else "cannot"} wait forever'
    return None


def main():
    runner = Runner('sc,rc11,tso,wrc11', lambda parser: parser.add_argument('--only'))
    unknown = waiting = 0
    for i, rng in runner.programs():
        program = Program(rng, runner.args.only and 'wait_' + runner.args.only)
        waits = Interpreter(program).waits_forever()
        if waits is None:
            continue
        waiting += waits
        path, model = runner.write(i, program.c()), runner.model(rng)
        runs = [(model, options) for options in [[]] + rng.sample(OPTIONS[1:], 4)
                if '--skip-retries' not in options or model not in NO_RETRIES]
        runs.append(('mca', []))
        if program.works is not None:  # others do not get to an end
            model, runs = rng.choice(sorted(FUTURES)), []
        if model in FUTURES:
            runs.append((model, ['--engine', 'futures']))
        for model, options in runs:
            command, report = run(runner.args.porf, runner.compiled.ir(path), model, options)
            is_known = not isinstance(report, str)
            unknown += is_known and report['verdict'] == 'incomplete'
            runner.tell(judge(report, waits), f'program {i} ({", ".join(program.forms)}), {" ".join(command[1:-1])}',
                        is_known and report['verdict'], program.c())
    return runner.end(f'{waiting} of {runner.args.n} programs wait forever; {unknown} answers were incomplete')


if __name__ == '__main__':
    sys.exit(main())
