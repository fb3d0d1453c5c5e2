"""Random programs, as porf IR, full of what reductions are about: locks, loops that wait, read-modify-writes in loops.

The oracle of tests/oracle knows no loops, so these are compared with themselves by fuzz_c.py: with and without
reductions, threads created in another order, under stronger and weaker models.
"""

VARIABLES = 3
MUTEXES = 2
LOAD_ORDERS = ['rlx', 'acq', 'sc']
STORE_ORDERS = ['rlx', 'rel', 'sc']
RMW_ORDERS = ['rlx', 'acq', 'rel', 'acq_rel', 'sc']


class Thread:
    """Writes the body of one function."""

    def __init__(self, rng, has_sc, has_plain):
        self.rng, self.lines, self.registers, self.blocks = rng, ['b0:'], 0, 1
        self.has_sc, self.has_plain = has_sc, has_plain

    def emit(self, text):
        self.lines.append('  ' + text)

    def register(self):
        self.registers += 1
        return f'r{self.registers - 1}'

    def start_block(self, name):
        self.lines.append(name + ':')

    def order(self, orders):
        return self.rng.choice(orders if self.has_sc else orders[:-1])

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

    def critical_section(self):
        mutex, r = f'g{VARIABLES + self.rng.randrange(MUTEXES)}', self.register()
        self.emit(f'{r} = call LOCK({mutex})')
        for _ in range(self.rng.randrange(3)):
            self.simple()
        if self.rng.random() < 0.1:
            self.rng.choice([self.critical_section, self.wait])()
        if self.rng.random() < 0.97:
            self.emit(f'{r} = call UNLOCK({mutex})')

    def try_section(self):
        mutex, r = f'g{VARIABLES + self.rng.randrange(MUTEXES)}', self.register()
        self.emit(f'{r} = call TRYLOCK({mutex})')
        self.blocks += 2
        inside, out = f'b{self.blocks - 2}', f'b{self.blocks - 1}'
        self.emit(f'br {r}, {out}, {inside}')
        self.start_block(inside)
        self.simple()
        self.emit(f'{r} = call UNLOCK({mutex})')
        self.emit(f'jmp {out}')
        self.start_block(out)

    def condition(self):
        r = self.test(self.load())
        self.blocks += 2
        inside, out = f'b{self.blocks - 2}', f'b{self.blocks - 1}'
        self.emit(f'br {r}, {inside}, {out}')
        self.start_block(inside)
        self.simple()
        self.emit(f'jmp {out}')
        self.start_block(out)

    def plain(self):
        """Non-atomic, on a variable of its own kind; races are findings."""
        variable = f'g{VARIABLES + MUTEXES}'
        if self.rng.random() < 0.5:
            self.emit(f'{self.register()} = load.4 na {variable}')
        else:
            self.emit(f'store.4 na {variable}, {self.value()}')

    def simple(self):
        ways = [self.load, self.store, self.store, self.update, self.compare_exchange, self.fence]
        self.rng.choice(ways + [self.plain] * self.has_plain)()

    def statement(self):
        waits = [self.wait, self.wait, self.wait_for_either, self.increment, self.spin_lock, self.ticket,
                 self.critical_section, self.critical_section, self.try_section, self.condition]
        self.rng.choice(waits if self.rng.random() < 0.5 else [self.simple])()


def generate(rng):
    """The lines of a program."""
    has_sc, has_plain, has_aborts = rng.random() < 0.5, rng.random() < 0.3, rng.random() < 0.3
    has_twins = rng.random() < 0.4
    threads, functions = rng.choice([2, 3, 3, 4] if has_twins else [2, 2, 3]), []
    for _ in range(threads):
        t = Thread(rng, has_sc, has_plain)
        for _ in range(rng.randint(1, 2 if threads == 4 else 4)):
            t.statement()
        if has_aborts and rng.random() < 0.5:
            r = t.test(t.load())
            t.blocks += 2
            t.emit(f'br {r}, b{t.blocks - 2}, b{t.blocks - 1}')
            t.start_block(f'b{t.blocks - 2}')
            t.emit('builtin abort()')
            t.start_block(f'b{t.blocks - 1}')
        t.emit('ret 0')
        functions.append(t)
    lines = ['porf-ir 1', 'file 1 "mutant.ir"']
    for i in range(VARIABLES + MUTEXES + 1):
        kind = 'xyz'[i] if i < VARIABLES else f'm{i - VARIABLES}' if i < VARIABLES + MUTEXES else 'd'
        lines.append(f'global {i} "{kind}" size {40 if kind[0] == "m" else 4} align 8 type 0 = zero')
    place = 3
    for i, t in enumerate(functions):
        lines.append(f'func {i} "t{i}" params 1 regs {t.registers + 1} @1:{place}:1 {{')
        for line in t.lines:
            for name, number in (('LOCK', 1), ('UNLOCK', 2), ('TRYLOCK', 3)):
                line = line.replace(f' {name}(', f' f{threads + number}(')
            place += 1
            lines.append(line if line.endswith(':') else f'{line} @1:{place}:1')
        lines.append('}')
    lines += [f'func {threads} "main" params 0 regs {threads + 1} @1:1:1 {{', 'b0:']
    started = [rng.randrange(rng.choice([1, 2])) for _ in range(threads)] if has_twins else range(threads)
    lines += [f'  r{i} = builtin thread_create(f{k}, 0)' for i, k in enumerate(started)]
    lines += [f'  r{threads} = builtin thread_join(r{i})' for i in range(threads)]
    lines += ['  ret 0', '}']
    for i, name in enumerate(['lock', 'unlock', 'trylock'], 1):
        lines.append(f'func {threads + i} "pthread_mutex_{name}" params 1 regs 1 declared')
    return lines
