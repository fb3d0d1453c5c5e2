"""Random programs, as porf IR, full of what reductions are about: locks, loops that wait, read-modify-writes in loops.

The oracle of tests/oracle knows no loops, so these are compared with themselves by fuzz_c.py: with and without
reductions, threads created in another order, under stronger and weaker models.
"""
import re

# globals: three variables, two mutexes, a condition variable, a semaphore, a rwlock, a barrier, a counter that main
# reads at the end, and a variable that is accessed plainly
NAMES = ['x', 'y', 'z', 'm0', 'm1', 'c', 's', 'rw', 'b', 'n', 'd']
SIZES = [4, 4, 4, 40, 40, 48, 32, 56, 32, 4, 4]
VARIABLES = 3
MUTEXES = 2
CONDITION, SEMAPHORE, RWLOCK, BARRIER, COUNTER, PLAIN = range(VARIABLES + MUTEXES, len(NAMES))
LIBRARY = {'pthread_mutex_lock': 1, 'pthread_mutex_unlock': 1, 'pthread_mutex_trylock': 1, 'pthread_cond_wait': 2,
           'pthread_cond_signal': 1, 'pthread_cond_broadcast': 1, 'sem_wait': 1, 'sem_trywait': 1, 'sem_post': 1,
           'pthread_rwlock_rdlock': 1, 'pthread_rwlock_wrlock': 1, 'pthread_rwlock_unlock': 1,
           'pthread_barrier_init': 3, 'pthread_barrier_wait': 1}
LOAD_ORDERS = ['rlx', 'acq', 'sc']
STORE_ORDERS = ['rlx', 'rel', 'sc']
RMW_ORDERS = ['rlx', 'acq', 'rel', 'acq_rel', 'sc']


class Thread:
    """Writes the body of one function."""

    def __init__(self, rng, traits):
        self.rng, self.lines, self.registers, self.blocks = rng, ['b0:'], 0, 1
        self.traits = traits

    def emit(self, text):
        self.lines.append('  ' + text)

    def register(self):
        self.registers += 1
        return f'r{self.registers - 1}'

    def start_block(self, name):
        self.lines.append(name + ':')

    def order(self, orders):
        return self.rng.choice(orders if 'sc' in self.traits else orders[:-1])

    def variable(self):
        return f'g{self.rng.randrange(VARIABLES)}'

    def value(self):
        return self.rng.choice([0, 1, 1, 2])

    def load(self, variable=None):
        r = self.register()
        self.emit(f'{r} = load.4 {self.order(LOAD_ORDERS)} {variable or self.variable()}')
        return r

    def store(self):
        self.emit(f'store.4 {self.order(STORE_ORDERS)} {self.variable()}, {self.value()}')

    def update(self):
        r, op = self.register(), self.rng.choice(['add', 'xchg', 'or'])
        self.emit(f'{r} = rmw.4.{op} {self.order(RMW_ORDERS)} {self.variable()}, {self.value()}')

    def count(self):
        self.emit(f'{self.register()} = rmw.4.add rlx g{COUNTER}, {self.value()}')

    def compare_exchange(self, variable=None, expected=None, desired=None):
        r = self.register()
        expected = self.value() if expected is None else expected
        desired = self.value() if desired is None else desired
        self.emit(f'{r} = cas.4 {self.order(RMW_ORDERS)} {self.order(LOAD_ORDERS)} {variable or self.variable()}, '
                  f'{expected}, {desired}')
        return r

    def fence(self):
        self.emit(f'fence {self.order(["acq", "rel", "acq_rel", "sc"])}')

    def loop(self, body):
        """Repeats what body writes until the register that it returns is not 0."""
        self.blocks += 2
        head, out = f'b{self.blocks - 2}', f'b{self.blocks - 1}'
        # blocks are numbered in the order in which they stand, so the body may have none of its own
        self.emit(f'jmp {head}')
        self.start_block(head)
        done = body()
        self.emit(f'br {done}, {out}, {head}')
        self.start_block(out)

    def test(self, r):
        done = self.register()
        self.emit(f'{done} = {self.rng.choice(["eq", "ne", "ule"])}.32 {r}, {self.value()}')
        return done

    def wait(self):
        variable = self.variable()
        self.loop(lambda: self.test(self.load(variable)))

    def wait_for_either(self):
        def body():
            a, b, r = self.test(self.load()), self.test(self.load()), self.register()
            self.emit(f'{r} = {self.rng.choice(["or", "and"])}.32 {a}, {b}')
            return r
        self.loop(body)

    def increment(self):
        variable = self.variable()

        def body():
            old, new, done = self.load(variable), self.register(), self.register()
            self.emit(f'{new} = add.32 {old}, 1')
            seen = self.compare_exchange(variable, old, new)
            self.emit(f'{done} = eq.32 {seen}, {old}')
            return done
        self.loop(body)

    def spin_lock(self):
        """A lock on a variable; whether it works depends on what the others do with it."""
        variable, way = self.variable(), self.rng.randrange(3)

        def exchange():
            seen, done = self.register(), self.register()
            self.emit(f'{seen} = rmw.4.xchg {self.order(RMW_ORDERS)} {variable}, 1')
            self.emit(f'{done} = eq.32 {seen}, 0')
            return done

        def compare():
            seen, done = self.compare_exchange(variable, 0, 1), self.register()
            self.emit(f'{done} = eq.32 {seen}, 0')
            return done
        if way == 2:
            self.loop(lambda: self.test_zero(self.load(variable)))
        self.loop(exchange if way else compare)
        self.simple()
        self.emit(f'store.4 {self.order(STORE_ORDERS)} {variable}, 0')

    def test_zero(self, r):
        done = self.register()
        self.emit(f'{done} = eq.32 {r}, 0')
        return done

    def ticket(self):
        first, second = self.rng.sample(range(VARIABLES), 2)
        mine = self.register()
        self.emit(f'{mine} = rmw.4.add {self.order(RMW_ORDERS)} g{first}, 1')

        def body():
            seen, done = self.load(f'g{second}'), self.register()
            self.emit(f'{done} = eq.32 {seen}, {mine}')
            return done
        self.loop(body)
        self.simple()
        next_one = self.register()
        self.emit(f'{next_one} = rmw.4.add {self.order(RMW_ORDERS)} g{second}, 1')

    def call(self, name, *arguments):
        r = self.register()
        self.emit(f'{r} = call {name}({", ".join(arguments)})')
        return r

    def mutex(self):
        return f'g{VARIABLES + self.rng.randrange(MUTEXES)}'

    def critical_section(self):
        mutex = self.mutex()
        self.call('pthread_mutex_lock', mutex)
        for _ in range(self.rng.randrange(3)):
            self.simple()
        if self.rng.random() < 0.1:
            self.rng.choice([self.critical_section, self.wait])()
        if self.rng.random() < 0.97:
            self.call('pthread_mutex_unlock', mutex)

    def branch(self, r, first, second):
        """Two new blocks, the first of which goes on to the second, for what comes next."""
        self.blocks += 2
        names = [f'b{self.blocks - 2}', f'b{self.blocks - 1}']
        self.emit(f'br {r}, {names[first]}, {names[second]}')
        self.start_block(names[0])
        return names[1]

    def join_branch(self, out):
        self.emit(f'jmp {out}')
        self.start_block(out)

    def try_section(self):
        mutex = self.mutex()
        out = self.branch(self.call('pthread_mutex_trylock', mutex), 1, 0)
        self.simple()
        self.call('pthread_mutex_unlock', mutex)
        self.join_branch(out)

    def wait_for_condition(self):
        mutex, variable = f'g{VARIABLES}', self.variable()
        self.call('pthread_mutex_lock', mutex)
        if self.rng.random() < 0.5:
            def body():
                self.call('pthread_cond_wait', f'g{CONDITION}', mutex)
                return self.test(self.load(variable))
            self.loop(body)
        else:
            out = self.branch(self.test(self.load(variable)), 0, 1)
            self.call('pthread_cond_wait', f'g{CONDITION}', mutex)
            self.join_branch(out)
        self.call('pthread_mutex_unlock', mutex)

    def signal_condition(self):
        self.call('pthread_mutex_lock', f'g{VARIABLES}')
        self.store()
        self.call(self.rng.choice(['pthread_cond_signal', 'pthread_cond_broadcast']), f'g{CONDITION}')
        self.call('pthread_mutex_unlock', f'g{VARIABLES}')

    def semaphore(self):
        self.call(self.rng.choice(['sem_wait', 'sem_trywait', 'sem_post', 'sem_post']), f'g{SEMAPHORE}')

    def rwlock(self):
        self.call(self.rng.choice(['pthread_rwlock_rdlock', 'pthread_rwlock_wrlock']), f'g{RWLOCK}')
        self.simple()
        self.call('pthread_rwlock_unlock', f'g{RWLOCK}')

    def condition(self):
        out = self.branch(self.test(self.load()), 0, 1)
        self.simple()
        self.join_branch(out)

    def plain(self):
        """Non-atomic, on a variable of its own kind; races are findings."""
        variable = f'g{PLAIN}'
        if self.rng.random() < 0.5:
            self.emit(f'{self.register()} = load.4 na {variable}')
        else:
            self.emit(f'store.4 na {variable}, {self.value()}')

    def simple(self):
        ways = [self.load, self.store, self.store, self.update, self.compare_exchange]
        for trait, way in (('plain', self.plain), ('fence', self.fence), ('count', self.count), ('count', self.count)):
            ways += [way] * (trait in self.traits)
        self.rng.choice(ways)()

    def statement(self):
        waits = [self.wait, self.wait, self.wait_for_either, self.increment, self.spin_lock, self.ticket,
                 self.critical_section, self.critical_section, self.try_section, self.condition,
                 self.wait_for_condition, self.signal_condition, self.semaphore, self.semaphore, self.rwlock]
        self.rng.choice(waits if self.rng.random() < 0.5 else [self.simple])()


def generate(rng):
    """The lines of a program."""
    traits = {t for t in ('sc', 'plain', 'fence', 'count', 'abort', 'twins', 'barrier') if rng.random() < 0.4}
    threads, functions = rng.choice([2, 3, 3, 4] if 'twins' in traits else [2, 2, 3]), []
    for _ in range(threads):
        t = Thread(rng, traits)
        for _ in range(rng.randint(1, 2 if threads == 4 else 4)):
            t.statement()
            if 'barrier' in traits and rng.random() < 0.5:
                t.call('pthread_barrier_wait', f'g{BARRIER}')
        if 'abort' in traits and rng.random() < 0.5:
            r = t.test(t.load())
            t.blocks += 2
            t.emit(f'br {r}, b{t.blocks - 2}, b{t.blocks - 1}')
            t.start_block(f'b{t.blocks - 2}')
            t.emit('builtin abort()')
            t.start_block(f'b{t.blocks - 1}')
        t.emit('ret 0')
        functions.append(t)
    lines = ['porf-ir 1', 'file 1 "mutant.ir"']
    for i, (name, size) in enumerate(zip(NAMES, SIZES)):
        lines.append(f'global {i} "{name}" size {size} align 8 type 0 = zero')
    called = {name: threads + 1 + i for i, name in enumerate(LIBRARY)}
    place = 3
    for i, t in enumerate(functions):
        lines.append(f'func {i} "t{i}" params 1 regs {t.registers + 1} @1:{place}:1 {{')
        for line in t.lines:
            line = re.sub(r'call (\w+)', lambda m: f'call f{called[m.group(1)]}', line)
            place += 1
            lines.append(line if line.endswith(':') else f'{line} @1:{place}:1')
        lines.append('}')
    lines += [f'func {threads} "main" params 0 regs {threads + 1} @1:1:1 {{', 'b0:']
    started = [rng.randrange(rng.choice([1, 2])) for _ in range(threads)] if 'twins' in traits else range(threads)
    lines.append(f'  r0 = call f{called["pthread_barrier_init"]}(g{BARRIER}, 0, {threads})')
    lines += [f'  r{i} = builtin thread_create(f{k}, 0)' for i, k in enumerate(started)]
    lines += [f'  r{threads} = builtin thread_join(r{i})' for i in range(threads)]
    lines += [f'  r{threads} = load.4 rlx g{COUNTER}', '  ret 0', '}']
    lines += [f'func {called[name]} "{name}" params {n} regs {n} declared' for name, n in LIBRARY.items()]
    return lines
