#!/usr/bin/env python3
"""Random programs in which an object ends while other threads may know it: what kind of object, who owns it, who touches
which bytes first, how its address is handed over, and what orders the end and the accesses.

usage: tests/memory/objects.py [--porf PATH] [-n N] [--seed S] [-j N] [-v]

What must be found is known from a small interpreter that runs every interleaving with vector clocks: whether an access
can come after the end of the object or is not ordered before it (use-after-free), and whether two accesses race. Flags
are written with release and read with acquire, so that all models agree. Each program is checked in one configuration
that is drawn, too: a model, workers, an engine. The failing program is printed with the command to reproduce it.
"""
import argparse
import concurrent.futures
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TIMEOUT = 300

# (options, whether races are looked for). Models of processors do not say what comes before a free; where happens-before
# does not, either, porf has to say so.
CONFIGURATIONS = [
    (['-m', 'sc'], True), (['-m', 'tso'], False), (['-m', 'pso'], False), (['-m', 'ra'], True), (['-m', 'rc11'], True),
    (['-m', 'wrc11'], True), (['-m', 'rc20'], True), (['-m', 'imm'], False), (['-m', 'armv8'], False),
    (['-m', 'power'], False), (['-m', 'riscv'], False),
    (['-m', 'xmm'], False), (['-m', 'wkmo2'], False), (['-m', 'jam21'], False),
    (['-m', 'rc11', '--jobs', '3'], True), (['-m', 'rc11', '--reduce=none'], True), (['-m', 'sc', '--reduce=-symmetry'], True),
    (['--engine', 'machine'], False), (['--engine', 'machine', '--jobs', '2'], False),
]
UNKNOWN = 'the model does not say what is before a free'
LOCAL = ['local', 'block', 'struct', 'alloca', 'vla', 'loop', 'byval']   # they end within a function of the owner's
OF_THREAD = ['tls', 'thread']                                            # with the owner
ZEROED = {'tls', 'global', 'calloc'}
KINDS = LOCAL + OF_THREAD + ['malloc', 'calloc', 'global']

HEAD = '''\
#include <alloca.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct pair { TYPE a, b; };
static struct pair *_Atomic known;
static atomic_int done[3], over;
static volatile int one = 1;
static pthread_t t[3];
static _Thread_local struct pair own;
static struct pair everybody;
static void *foreign0 (void *), *foreign1 (void *);
#define WAIT(flag) while (!atomic_load_explicit (&(flag), memory_order_acquire))
#define SET(flag, value) atomic_store_explicit (&(flag), value, memory_order_release)
#define CREATE(k, argument) pthread_create (&t[k], NULL, foreign##k, argument)
'''


class Program:
    """Threads 0 (main), 1 and 2 (foreign), 3 (the owner, unless that is main). An operation is (name, operand …):
    access field what, publish, create k, wait k, join k, end, set flag, get (the address)."""

    def __init__(self, seed):
        r = self.r = random.Random(seed)
        self.kind = r.choice(KINDS)
        self.is_atomic = r.random() < 0.4
        self.foreigners = r.choice([1, 1, 2])
        self.owner = 3 if self.kind in OF_THREAD else r.choice([0, 3])
        self.hand = r.choice(['argument', 'pointer', 'polled'])
        is_heap = self.kind in ('malloc', 'calloc')
        self.freer = r.choice([self.owner] + list(range(1, self.foreigners + 1))) if is_heap else self.owner
        self.touched = r.choice([[], [0], [1], [0, 1]])
        self.threads = {}
        self.draw_owner()
        for k in range(1, self.foreigners + 1):
            self.threads[k] = self.draw_foreign(k)
        if self.owner:
            others = range(1, self.foreigners + 1)
            self.threads[0] = ([('create', k) for k in others if self.hand == 'polled'] + [('create', 3), ('join', 3)] +
                               [('join', k) for k in others if k not in self.joined])

    def ways(self, is_defined):
        if not self.is_atomic:
            return ['read', 'write']
        return ['read', 'write', 'add'] if is_defined else ['write']

    def draw_owner(self):
        r, ops = self.r, []
        others = list(range(1, self.foreigners + 1))
        ops += [('access', f, 'write') for f in self.touched]
        self.is_defined = self.kind in ZEROED or self.touched == [0, 1]
        if self.hand == 'polled' and not self.owner:
            ops += [('create', k) for k in others]
        ops += [('publish',)] if self.hand != 'argument' else []
        ops += [('create', k) for k in others] if self.hand != 'polled' else []
        if r.random() < 0.4:
            f = r.choice([0, 1])
            ops.append(('access', f, r.choice(self.ways(self.kind in ZEROED or f in self.touched))))
        self.joined, waits = [], []
        for k in others:
            what = r.choice(['none', 'join', 'wait'])
            if what == 'join':
                self.joined.append(k)
            waits += [] if what == 'none' else [(what, k)]
        ops += waits
        self.before = ops
        self.after = [('set', 'over')] if r.random() < 0.5 and self.kind not in OF_THREAD else []
        rest = [] if self.owner else [('join', k) for k in others if k not in self.joined]
        end = [('end',)] if self.freer == self.owner and self.kind != 'global' else []
        self.threads[self.owner] = ops + end + self.after + rest
        self.rest = rest

    def draw_foreign(self, k):
        r, ops = self.r, []
        if self.hand == 'polled':
            ops.append((r.choice(['get', 'await']),))
        if self.after and r.random() < 0.3:
            ops.append(('wait', 'over'))
        body = []
        for _ in range(r.choice([1, 1, 2])):
            body.append(('access', r.choice([0, 1]), r.choice(self.ways(self.is_defined))))
        if r.random() < 0.15 and self.freer != k:
            body = []
        at = r.choice([len(body), len(body), 0])
        body.insert(at, ('set', k))
        if self.freer == k:
            body.insert(r.choice([len(body), r.randint(0, len(body))]), ('end',))
        return ops + body

    # ---- the text

    def access(self, p, f, what):
        place = f'{p}->{"ab"[f]}'
        if self.is_atomic:
            return {'read': f'(void)atomic_load_explicit (&{place}, memory_order_relaxed);',
                    'write': f'atomic_store_explicit (&{place}, 1, memory_order_relaxed);',
                    'add': f'atomic_fetch_add_explicit (&{place}, 1, memory_order_relaxed);'}[what]
        return {'read': f'{{ int copy = {place}; (void)copy; }}', 'write': f'{place} = 1;'}[what]

    def text_of(self, op, p):
        name = op[0]
        if name == 'access':
            return self.access(p, op[1], op[2])
        flag = 'over' if op[-1] == 'over' else f'done[{op[-1]}]'
        create = f'CREATE ({op[-1] - 1}, {"NULL" if self.hand == "polled" else p});' if name == 'create' else ''
        if name == 'create' and op[1] == 3:
            create = 'pthread_create (&t[2], NULL, owner, NULL);'
        if name == 'create' and self.hand == 'pointer' and op[1] != 3:
            create = f'CREATE ({op[1] - 1}, NULL);'
        return {'publish': f'SET (known, {p});', 'create': create, 'wait': f'WAIT ({flag});',
                'join': f'pthread_join (t[{op[-1] - 1 if name == "join" else 0}], NULL);',
                'set': f'SET ({flag}, 1);', 'end': f'free ({p});', 'get': '', 'await': ''}[name]

    def lines(self, ops, p):
        return ''.join('  ' + self.text_of(op, p) + '\n' for op in ops)

    def owner_text(self):
        body = self.lines(self.before, 'x')
        tail = self.lines(self.after + self.rest, 'x')
        if self.kind in LOCAL:
            if self.kind == 'byval':
                function, call = f'static void use (struct pair big[3]) {{\n  struct pair v[4], *x = &v[one];\n{body}}}\n', '  use (NULL);\n'
                return function, call + tail
            make = {'local': '  struct pair v, *x = &v;\n', 'struct': '  struct { int n; struct pair v; } s, *y = &s;\n  struct pair *x = &y->v;\n',
                    'alloca': '  struct pair *x = alloca (sizeof *x * one);\n', 'vla': '  int n = one;\n  struct pair v[n], *x = v;\n'}
            if self.kind in make:
                function = f'static void use (void) {{\n{make[self.kind]}{body}}}\n'
                return function, '  use ();\n' + tail
            if self.kind == 'block':
                return '', f'  {{\n  struct pair v, *x = &v;\n{body}  }}\n' + tail
            return '', f'  for (int i = 0; i < one + 1; i++) {{\n  struct pair v, *x = &v;\n  if (i) continue;\n{body}  }}\n' + tail
        make = {'tls': '&own', 'global': '&everybody', 'malloc': 'malloc (sizeof *x)', 'calloc': 'calloc (1, sizeof *x)',
                'thread': '&v'}[self.kind]
        variable = '  struct pair v;\n' if self.kind == 'thread' else ''
        end = '  free (x);\n' if self.freer == self.owner and self.kind in ('malloc', 'calloc') else ''
        return '', f'{variable}  struct pair *x = {make};\n{body}{end}{tail}'

    def foreign_text(self, k):
        take = 'p' if self.hand == 'argument' else 'atomic_load_explicit (&known, memory_order_acquire)'
        ops = self.threads[k]
        text = f'static void *foreign{k - 1} (void *p) {{\n'
        if ('await',) in ops:
            text += '  WAIT (known);\n'
        text += f'  struct pair *x = {take};\n'
        if ('get',) in ops:
            text += '  if (!x) return NULL;\n'
        return text + self.lines([op for op in ops if op[0] not in ('get', 'await')], 'x') + '  return NULL;\n}\n'

    def text(self):
        function, body = self.owner_text()
        foreign = ''.join(self.foreign_text(k) for k in range(1, self.foreigners + 1))
        if self.foreigners == 1:
            foreign += 'static void *foreign1 (void *p) { return p; }\n'
        out = HEAD.replace('TYPE', 'atomic_int' if self.is_atomic else 'int') + foreign + function
        if self.owner:
            out += f'static void *owner (void *nothing) {{\n{body}  return NULL;\n}}\n'
            out += f'int main (void) {{\n{self.lines(self.threads[0], "x")}'
        else:
            out += f'int main (void) {{\n{body}'
        return out + '  return 0;\n}\n'


# ---- every interleaving

def join_clocks(a, b):
    return tuple(map(max, a, b))


def tick(clocks, t):
    c = list(clocks[t])
    c[t] += 1
    return clocks[:t] + (tuple(c),) + clocks[t + 1:]


class Search:
    """A state: (program counters, clocks, flags with their clocks, accesses, the end's clock or None). An access:
    (thread, its time, field, is it a write, all its clock)."""

    def __init__(self, program):
        self.p = program
        self.is_stuck = self.is_too_large = False
        self.found = set()
        self.seen = set()

    def run(self):
        start = (tuple(0 if t == 0 else -1 for t in range(4)), ((0,) * 4,) * 4, (), (), None)
        todo = [start]
        while todo:
            state = todo.pop()
            if state in self.seen:
                continue
            self.seen.add(state)
            if len(self.seen) > 60000:
                self.is_too_large = True
                return
            todo += self.steps(state)

    def ops(self, t):
        return self.p.threads.get(t, [])

    def steps(self, state):
        pcs = state[0]
        moving = [t for t in range(4) if 0 <= pcs[t] < len(self.ops(t))]
        ways = [s for t in moving for s in [self.step(state, t)] if s]
        if moving and not ways:
            self.is_stuck = True
        return ways

    def end(self, accesses, clocks, t):
        for who, time, *_ in accesses:
            if who != t and clocks[t][who] < time:
                self.found.add('use-after-free')

    def touch(self, state, t, field, what):
        pcs, clocks, flags, accesses, end = state
        writes = what != 'read'
        if end is not None:
            self.found.add('use-after-free')
        for who, time, other, wrote in accesses:
            if who != t and other == field and (wrote or writes) and clocks[t][who] < time and not self.p.is_atomic:
                self.found.add('race')
        new = (t, clocks[t][t], field, writes)
        return tuple(sorted(set(accesses) | {new}))

    def step(self, state, t):
        pcs, clocks, flags, accesses, end = state
        flag = dict(flags)
        op = self.ops(t)[pcs[t]]
        name, to = op[0], pcs[t] + 1
        clocks = tick(clocks, t)
        state = pcs, clocks, flags, accesses, end
        if name == 'access':
            accesses = self.touch(state, t, op[1], op[2])
        elif name == 'end':
            self.end(accesses, clocks, t)
            end = t
        elif name == 'publish' or name == 'set':
            flag['known' if name == 'publish' else op[1]] = clocks[t]
        elif name == 'create':
            k = op[1]
            clocks = clocks[:k] + (join_clocks(clocks[k], clocks[t]),) + clocks[k + 1:]
            pcs = pcs[:k] + (0,) + pcs[k + 1:]
        elif name == 'join':
            k = op[1]
            if pcs[k] < 0 or pcs[k] < len(self.ops(k)):
                return None
            clocks = clocks[:t] + (join_clocks(clocks[t], clocks[k]),) + clocks[t + 1:]
        else:   # wait, await, get
            which = op[1] if name == 'wait' else 'known'
            if which in flag:
                clocks = clocks[:t] + (join_clocks(clocks[t], flag[which]),) + clocks[t + 1:]
            elif name == 'get':
                to = len(self.ops(t))
            else:
                return None
        pcs = pcs[:t] + (to,) + pcs[t + 1:]
        return pcs, clocks, tuple(sorted(flag.items(), key=str)), accesses, end


def draw(seed):
    """The first program from this seed on that nobody waits in forever, and what it shows."""
    for k in range(1000):
        program = Program(f'{seed}.{k}')
        search = Search(program)
        search.run()
        if not search.is_stuck and not search.is_too_large:
            return program, search.found
    raise SystemExit('no program drawn')


def check(porf, seed):
    program, expected = draw(seed)
    options, finds_races = random.Random(f'{seed} options').choice(CONFIGURATIONS)
    if not finds_races:
        options = options + ['--no-race']
        expected = expected - {'race'}
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, 'program.c')
        with open(path, 'w') as out:
            out.write(program.text())
        command = [porf, 'check', '--no-cache', '--keep-going', '--format', 'json', *options, path]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
            result = json.loads(run.stdout)
        except subprocess.TimeoutExpired:
            return f'no end within {TIMEOUT} s', program, command
        except json.JSONDecodeError:
            return f'exit status {run.returncode}: {run.stderr}', program, command
    found = {f['kind'] for f in result['findings']}
    if any(UNKNOWN in note['what'] for note in result['not_covered']) and expected and not found:
        return None, program, command
    if found == expected and result['verdict'] == ('violation' if expected else 'pass'):
        return None, program, command
    return (f'expected {sorted(expected)}, found {sorted(found)}, verdict {result["verdict"]} '
            f'{result.get("not_covered")}'), program, command


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument('--porf', default=os.path.join(ROOT, 'build', 'porf'))
    options.add_argument('-n', type=int, default=100)
    options.add_argument('--seed', type=int, default=None)
    options.add_argument('-j', type=int, default=os.cpu_count())
    options.add_argument('-v', action='store_true', help='print every program')
    args = options.parse_args()
    first = random.SystemRandom().randrange(1 << 30) if args.seed is None else args.seed
    print(f'seed {first}')
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        seeds = range(first, first + args.n)
        for seed, (why, program, command) in zip(seeds, pool.map(lambda s: check(args.porf, s), seeds)):
            failed += why is not None
            if why or args.v:
                print(program.text())
            if why:
                print(f'FAIL {why}\n  {" ".join(command)}\n  tests/memory/objects.py --seed {seed} -n 1 -v')
    print(f'{args.n - failed} passed, {failed} failed')
    return failed > 0


if __name__ == '__main__':
    sys.exit(main())
