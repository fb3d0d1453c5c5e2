#!/usr/bin/env python3
"""Compares `porf check -m FILE` with the definition: every candidate execution of small programs, one by one.

usage: tests/oracle/cat_brute.py [--porf PATH] [--seed N] [--models N] [--programs N] [-m FILE.cat]

Draws random models, odd ones on purpose, and random programs whose branches all lead the same way. A candidate gives every
read any write of its location, and every location any order of its writes; the model is evaluated on it with sets of pairs. A loop that waits is one read
that does not see the initial value. A read-modify-write is one event, which reads and writes, unless the model mentions rmw. Where a program claims something that does not hold, porf must find it (it may
also find it in an execution that has not come to its end, and cannot). Else the number of candidates that are allowed must be the number of executions that porf
explores, but for those in which rf and dependencies (and the halves of read-modify-writes) have a common cycle: where the model allows one
porf must say that they are not covered. Models that porf refuses are counted apart.

It knows a part of cat: let, let rec, the operators, acyclic, irreflexive, empty, ~, flag, undefined_unless.
"""
import argparse
import functools
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import types

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# ---- cat ----

TOKEN = re.compile(r'\s+|\(\*.*?\*\)|(?P<t>"[^"]*"|\^-1|[A-Za-z_][A-Za-z0-9_.-]*|[()\[\]{}|;\\&*+?~=,0])', re.S)


def tokens(text):
    at, out = 0, []
    while at < len(text):
        m = TOKEN.match(text, at)
        if not m:
            raise ValueError(f'cannot read {text[at:at + 20]!r}')
        at = m.end()
        if m.group('t'):
            out.append(m.group('t'))
    return out + ['']


class Cat:
    """A model: definitions and checks as trees."""
    WORDS = {'let', 'rec', 'and', 'acyclic', 'irreflexive', 'empty', 'flag', 'undefined_unless', 'as', ''}

    def __init__(self, text):
        self.t, self.at, self.body = tokens(text), 0, []
        while self.t[self.at]:
            self.statement()

    def take(self, word=None):
        if word and self.t[self.at] != word:
            raise ValueError(f'expected {word}, not {self.t[self.at]}')
        self.at += 1
        return self.t[self.at - 1]

    def accept(self, word):
        if self.t[self.at] == word:
            self.at += 1
            return True
        return False

    def statement(self):
        if self.t[self.at].startswith('"'):
            self.take()
        elif self.accept('let'):
            is_rec, pairs = self.accept('rec'), []
            while True:
                name = self.take()
                self.take('=')
                pairs.append((name, self.expression()))
                if not self.accept('and'):
                    break
            self.body.append(('let', is_rec, pairs))
        else:
            role = next((w for w in ('flag', 'undefined_unless') if self.accept(w)), None)
            is_negated = self.accept('~')
            kind = self.take()
            if kind not in ('acyclic', 'irreflexive', 'empty'):
                raise ValueError(f'no statement: {kind}')
            e = self.expression()
            name = self.take() if self.accept('as') else None
            self.body.append(('check', role, is_negated, kind, e, name))

    def left(self, word, part):
        e = part()
        while self.t[self.at] == word:
            self.take()
            e = (word, e, part())
        return e

    def expression(self):
        return self.left('|', lambda: self.left(';', lambda: self.left('\\', lambda: self.left('&', self.cross))))

    def starts(self):
        word = self.t[self.at]
        if word == '~' and self.t[self.at + 1] in self.WORDS:  # a check
            return False
        return word in ('(', '[', '{', '~', '0') or (word not in self.WORDS and (word[0].isalpha() or word == '_'))

    def cross(self):
        e = self.unary()
        while self.t[self.at] == '*':
            self.take()
            e = ('x', e, self.unary())
        return e

    def unary(self):
        if self.accept('~'):
            return ('~', self.unary())
        e = self.primary()
        while self.t[self.at] in ('+', '?', '^-1', '*'):
            if self.t[self.at] == '*':
                self.at += 1
                is_infix = self.starts()
                self.at -= 1
                if is_infix:
                    return e
            e = ('post' + self.take(), e)
        return e

    def primary(self):
        word = self.take()
        if word == '(':
            e = self.expression()
            self.take(')')
            return e
        if word == '[':
            e = self.expression()
            self.take(']')
            return ('id', e)
        if word == '{':
            self.take('}')
            return ('none',)
        if word == '0':
            return ('none',)
        if word in ('domain', 'range'):
            return (word, self.unary())
        return ('name', word)


def compose(a, b):
    after = {}
    for x, y in b:
        after.setdefault(x, []).append(y)
    return frozenset((x, z) for x, y in a for z in after.get(y, ()))


@functools.lru_cache(maxsize=1000)  # of po, or of one order of writes, it is asked again and again
def closure(r):
    while True:
        more = r | compose(r, r)
        if more == r:
            return r
        r = more


def value(e, env, events):
    """A frozenset of events or of pairs."""
    op = e[0]
    if op == 'none':
        return frozenset()
    if op == 'name':
        return env[e[1]]
    a = value(e[1], env, events)
    identity = frozenset((x, x) for x in events)
    if op == 'id':
        return frozenset((x, x) for x in a)
    if op == '~':
        is_set = is_a_set(e[1], env)
        return frozenset(events) - a if is_set else frozenset(itertools.product(events, events)) - a
    if op == 'post+':
        return closure(a)
    if op == 'post*':
        return closure(a) | identity
    if op == 'post?':
        return a | identity
    if op == 'post^-1':
        return frozenset((y, x) for x, y in a)
    if op == 'domain':
        return frozenset(x for x, _ in a)
    if op == 'range':
        return frozenset(y for _, y in a)
    b = value(e[2], env, events)
    if op == '|':
        return a | b
    if op == '&':
        return a & b
    if op == '\\':
        return a - b
    if op == ';':
        return compose(a, b)
    assert op == 'x'
    return frozenset(itertools.product(a, b))


SETS = 'R W M F IW FW RMW X A NA RLX ACQ REL ACQ_REL SC Create Join _'.split()


def is_a_set(e, env):
    if e[0] == 'name':
        return e[1] in SETS or e[1] in env['sets']
    if e[0] in ('domain', 'range'):
        return True
    if e[0] in ('|', '&', '\\'):
        return is_a_set(e[1], env) or is_a_set(e[2], env)
    return e[0] == '~' and is_a_set(e[1], env)


def allows(model, base, candidates):
    """Whether the model allows it, and the names of the flags that it raises."""
    env, events = dict(base), candidates.events
    env['sets'], raised = set(), set()
    for s in model.body:
        if s[0] == 'let':
            _, is_rec, pairs = s
            if is_rec:
                env.update((name, frozenset()) for name, _ in pairs)
                while True:
                    new = {name: value(e, env, events) for name, e in pairs}
                    if all(env[name] == new[name] for name in new):
                        break
                    env.update(new)
            else:
                env.update({name: value(e, env, events) for name, e in pairs})
            env['sets'] |= {name for name, e in pairs if is_a_set(e, env)}
            continue
        _, role, is_negated, kind, e, name = s
        r = value(e, env, events)
        if kind == 'acyclic':
            r = closure(r)
        holds = not r if kind == 'empty' else not any(x == y for x, y in r)
        if role and (holds != is_negated) == (role == 'flag'):
            raised.add((role, name))
        if not role and holds == is_negated:
            return False, raised
    return True, raised


# ---- programs: threads of (kind, location, order, value) ----
# R read, W write, U exchange, F fence, D write that depends on the last read before it, B branch on that read,
# L loop that waits for a write, C read that claims not to see the value

C_ORDER = {'RLX': 'relaxed', 'ACQ': 'acquire', 'REL': 'release', 'ACQ_REL': 'acq_rel', 'SC': 'seq_cst'}


def make_claim(rnd, threads):
    """Lets the last read of some thread claim that it does not see some write."""
    places = [(ops, i) for ops in threads for i, op in enumerate(ops) if op[0] == 'R' and
              not any(later[0] in 'RDB' for later in ops[i + 1:])]
    if places:
        ops, i = rnd.choice(places)
        _, loc, order, _ = ops[i]
        seen = [op[3] for others in threads for op in others if op[0] in 'WUD' and op[1] == loc]
        ops[i] = ('C', loc, order, rnd.choice([0] + seen))


def draw_program(rnd):
    while True:
        threads, waits, count = [], rnd.random() < 0.3, 0
        for _ in range(rnd.choice((2, 2, 3))):
            ops = []
            for _ in range(rnd.randint(1, 3)):
                has_read = any(op[0] == 'R' for op in ops)
                kind = rnd.choices('RWUFDBL', (5, 5, 2, 1, 2 * has_read, has_read, waits))[0]
                orders = {'R': ('RLX', 'ACQ', 'SC'), 'W': ('RLX', 'REL', 'SC'), 'F': ('ACQ', 'REL', 'SC'),
                          'U': ('RLX', 'ACQ_REL', 'SC'), 'D': ('RLX', 'REL', 'SC'), 'B': ('RLX',), 'L': ('RLX', 'ACQ', 'SC')}[kind]
                count += 1
                ops.append((kind, rnd.choice('xy'), rnd.choice(orders), count))
            threads.append(ops)
        if rnd.random() < 0.4:
            make_claim(rnd, threads)
        flat = [op for ops in threads for op in ops if op[0] not in 'FB']
        size = 1
        for loc in 'xy':
            writes = sum(op[1] == loc and op[0] in 'WUD' for op in flat)
            reads = sum(op[1] == loc and op[0] in 'RULC' for op in flat)
            size *= (writes + 1) ** reads
            for k in range(2, writes + 1):
                size *= k
        if size <= 600 and flat:
            return threads


def c_program(threads):
    out = ['#include <assert.h>', '#include <pthread.h>', '#include <stdatomic.h>', 'atomic_int x, y;']
    for i, ops in enumerate(threads):
        out.append(f'static void *run{i} (void *u) {{\n  int r = 0;')
        for kind, loc, order, number in ops:
            o = f'memory_order_{C_ORDER[order]}'
            out.append({'R': f'  r = atomic_load_explicit (&{loc}, {o});',
                        'D': f'  atomic_store_explicit (&{loc}, {number} + 0 * r, {o});',
                        'C': f'  r = atomic_load_explicit (&{loc}, {o});\n  assert (r != {number});',
                        'B': '  if (r < 0) return 0;',
                        'L': f'  while (!atomic_load_explicit (&{loc}, {o})) {{\n  }}',
                        'W': f'  atomic_store_explicit (&{loc}, {number}, {o});',
                        'U': f'  atomic_exchange_explicit (&{loc}, {number}, {o});',
                        'F': f'  atomic_thread_fence ({o});'}[kind])
        out.append('  return u;\n}')
    out.append(f'int main (void) {{\n  pthread_t t[{len(threads)}];')
    out += [f'  pthread_create (&t[{i}], 0, run{i}, 0);' for i in range(len(threads))]
    out += [f'  pthread_join (t[{i}], 0);' for i in range(len(threads))]
    return '\n'.join(out + ['}', ''])


class Candidates:
    """The events of a program, what is the same in all its executions, and the executions."""

    def __init__(self, threads):
        self.events, self.kind, self.loc, self.order, self.thread = [], {}, {}, {}, {}
        lines = [[] for _ in range(len(threads) + 1)]
        used = sorted({op[1] for ops in threads for op in ops if op[0] not in 'FB'})
        self.initial = {loc: self.add('IW', loc, 'NA', f'init {loc}') for loc in used}
        self.rmw, self.data, self.ctrl, self.awaits = set(), set(), set(), set()
        self.value, self.claim = {e: 0 for e in self.initial.values()}, None
        for i, ops in enumerate(threads, 1):
            last, branched = None, set()
            for kind, loc, order, number in ops:
                if kind == 'B':
                    branched.add(last)
                    continue
                if kind == 'L':
                    new = [self.add('R', loc, order, i)]
                    branched.add(new[0])
                    self.awaits.add(new[0])
                elif kind == 'U':
                    new = [self.add('R', loc, order, i), self.add('W', loc, order, i)]
                    self.rmw.add(tuple(new))
                else:
                    new = [self.add({'D': 'W', 'C': 'R'}.get(kind, kind), None if kind == 'F' else loc, order, i)]
                self.value[new[-1]] = number
                if kind == 'C':
                    self.claim = (new[0], number)
                    branched.add(new[0])
                if kind == 'D':
                    self.data.add((last, new[0]))
                self.ctrl |= set(itertools.product(branched - set(new), new))
                last = new[0] if kind == 'R' else last
                lines[i] += new
        po = set()
        creates = [self.add('Create', None, None, 0) for _ in threads]
        joins = [self.add('Join', None, None, 0) for _ in threads]
        lines[0] = creates + joins
        for line in lines:
            po |= set(zip(line, line[1:]))
        for i, line in enumerate(lines[1:]):
            if line:
                po |= {(creates[i], line[0]), (line[-1], joins[i])}
        self.po = closure(frozenset(po))

    def add(self, kind, loc, order, thread):
        e = len(self.events)
        self.events.append(e)
        self.kind[e], self.loc[e], self.order[e], self.thread[e] = kind, loc, order, thread
        return e

    def merged(self):
        """What the first halves of read-modify-writes stand for, and the others: one event."""
        first = {w: r for r, w in self.rmw}
        return lambda e: first.get(e, e)

    def fixed(self):
        E, kind = self.events, self.kind
        both = {e for pair in self.rmw for e in pair}
        of = lambda test: frozenset(e for e in E if test(e))
        pairs = lambda test: frozenset((a, b) for a in E for b in E if test(a, b))
        env = {'R': of(lambda e: kind[e] == 'R'), 'W': of(lambda e: kind[e] in ('W', 'IW')),
               'M': of(lambda e: kind[e] in ('R', 'W', 'IW')), 'F': of(lambda e: kind[e] == 'F'),
               'IW': of(lambda e: kind[e] == 'IW'), 'RMW': frozenset(both), 'X': frozenset(both),
               'A': of(lambda e: kind[e] in ('R', 'W')), '_': frozenset(E),
               'Create': of(lambda e: kind[e] == 'Create'), 'Join': of(lambda e: kind[e] == 'Join'),
               'po': self.po, 'rmw': frozenset(self.rmw),
               'data': frozenset(self.data), 'ctrl': frozenset(self.ctrl), 'addr': frozenset(), 'id': frozenset((e, e) for e in E),
               'loc': pairs(lambda a, b: self.loc[a] is not None and self.loc[a] == self.loc[b]),
               'int': pairs(lambda a, b: self.thread[a] == self.thread[b]),
               'ext': pairs(lambda a, b: self.thread[a] != self.thread[b])}
        for order in ('NA', 'RLX', 'ACQ', 'REL', 'ACQ_REL', 'SC'):
            env[order] = of(lambda e: self.order[e] == order)
        env['po-loc'] = env['po'] & env['loc']
        return env

    def as_one(self, env):
        """The same where read-modify-writes are one event."""
        one = self.merged()
        merged = {}
        for name, v in env.items():
            if any(isinstance(x, tuple) for x in v):
                pairs = {(one(a), one(b), a != b) for a, b in v}
                merged[name] = frozenset((a, b) for a, b, apart in pairs if a != b or not apart or name in ('loc', 'int', 'rf'))
            else:
                merged[name] = frozenset(one(e) for e in v)
        merged['rmw'] = frozenset()
        return merged

    def all(self):
        """(rf, co, last writes, whether values come out of thin air) of every candidate."""
        writes = {loc: [e for e in self.events if self.kind[e] == 'W' and self.loc[e] == loc] for loc in self.initial}
        reads = [e for e in self.events if self.kind[e] == 'R']
        sources = [[self.initial[self.loc[r]]] * (r not in self.awaits) + writes[self.loc[r]] for r in reads]
        orders = [[(self.initial[loc],) + o for o in itertools.permutations(writes[loc])] for loc in writes]
        for chosen in itertools.product(*orders):
            co = frozenset(p for o in chosen for p in itertools.combinations(o, 2))
            for source in itertools.product(*sources):
                rf = frozenset(zip(source, reads))
                is_thin = any(a == b for a, b in closure(rf | self.rmw | self.data | self.ctrl))
                yield rf, co, frozenset(o[-1] for o in chosen), is_thin

    def count(self, allows, has_co, is_one):
        """How many candidates are allowed, not counting those that differ in co alone if the model has none, and whether
        the claim fails in one of them, which flags some raise, and whether others,
        which have cycles of rf and dependencies, are allowed."""
        env, found, fails, raised = self.fixed(), set(), False, set()
        ones = types.SimpleNamespace(events=sorted({self.merged()(e) for e in self.events}))
        is_thin = False
        for rf, co, last, thin in self.all():
            reads_itself = is_one and any((w, r) in rf for r, w in self.rmw)  # which no event does
            if reads_itself or (thin and is_thin):
                continue
            env['rf'], env['co'], env['FW'] = rf, co, last
            env['fr'] = compose(frozenset((r, w) for w, r in rf), co)
            for name in ('rf', 'co', 'fr'):
                env[name + 'e'], env[name + 'i'] = env[name] & env['ext'], env[name] & env['int']
            is_allowed, flags = allows(self.as_one(env), ones) if is_one else allows(env, self)
            if is_allowed and thin:
                is_thin = True
            elif is_allowed:
                raised |= flags
                found.add((rf, co if has_co else None))
                fails |= any((r, self.value[w]) == self.claim for w, r in rf)
        return len(found), fails, raised, is_thin


# ---- models ----

def draw_set(rnd, depth):
    if depth == 0 or rnd.random() < 0.5:
        return rnd.choice('R W M F IW FW RMW X A NA RLX ACQ REL SC Create Join _'.split())
    what = rnd.randrange(6)
    if what == 0:
        return f'domain ({draw_relation(rnd, depth - 1)})'
    if what == 1:
        return f'range ({draw_relation(rnd, depth - 1)})'
    if what == 2:
        return f'(~({draw_set(rnd, depth - 1)}))'
    return f'({draw_set(rnd, depth - 1)} {rnd.choice(("|", "&", chr(92)))} {draw_set(rnd, depth - 1)})'


def draw_relation(rnd, depth):
    if depth == 0 or rnd.random() < 0.2:
        return rnd.choice('po po rf co fr rmw loc int ext id po-loc rfe rfi coe coi fre fri po rf co fr data ctrl'.split())
    what = rnd.randrange(14)
    r = draw_relation(rnd, depth - 1)
    if what < 4:
        return f'({r} | {draw_relation(rnd, depth - 1)})'
    if what < 7:
        return f'({r}; {draw_relation(rnd, depth - 1)})'
    if what == 7:
        return f'({r} & {draw_relation(rnd, depth - 1)})'
    if what == 8:
        return f'({r} \\ {draw_relation(rnd, depth - 1)})'
    if what == 9:
        return f'({r}){rnd.choice(("+", "*", "?", "^-1"))}'
    if what == 10:
        return f'[{draw_set(rnd, depth - 1)}]'
    if what == 11:
        return f'({draw_set(rnd, depth - 1)} * {draw_set(rnd, depth - 1)})'
    if what == 12:
        return f'(~({r}))'
    return f'([{draw_set(rnd, depth - 1)}]; {r}; [{draw_set(rnd, depth - 1)}])'


COHERENT = ['acyclic po-loc | rf | co | fr', 'irreflexive po; (rf | co | fr)+ | (rf | co | fr)+',
            'acyclic po | rf | co | fr', 'acyclic (po & (M * M)) | rf | co | rf^-1; co',
            'irreflexive po; (rf | co | fr | co; rf | fr; rf)']
ATOMIC = ['empty rmw & (fr; co)', 'empty rmw & (fre; coe)', 'irreflexive rf; rmw; co^-1; co^-1', 'irreflexive rf | (co; co; rf^-1) | (co; rf)',
          'empty (rf; [R & W]) \\ (co \\ (co; co))', 'irreflexive [RMW]; fr; co']
PORF = ['acyclic po | rf', 'acyclic (po & (R * W)) | rfe', 'acyclic (po & (_ * W)) | ((W * _) & rf)', 'irreflexive (po | rf)+']


# Models that have their own order of writes.
MO = ['let mo = [W]; (((po | IW * (_ \\ IW)) & loc) | rf)+; [W]', 'let mo = ((po-loc | rf)+ & (W * W)) | ((IW * (W \\ IW)) & loc)',
      'let mo = [W]; (po-loc | rf)+; [W]', 'let mo = po-loc & (W * W)']
COHERENT_MO = ['irreflexive po; (rf | mo | (rf^-1; mo))+', 'acyclic po-loc | rf | mo | (rf^-1; mo)', 'acyclic po | rf | ((rf^-1; mo) \\ id)']
ATOMIC_MO = ['irreflexive rf; rmw; mo^-1; mo^-1', 'empty rmw & ((rf^-1; mo); mo)']
RIVALS = ['empty ((rf; rmw)^-1; (rf; rmw)) \\ id', 'empty (rmw^-1; rf^-1; rf; rmw) & ~id']
OWN_ORDER = {'co': 'mo', 'fr': '(rf^-1; mo)', 'coe': '(mo & ext)', 'coi': '(mo & int)', 'fre': '((rf^-1; mo) & ext)',
             'fri': '((rf^-1; mo) & int)', 'FW': 'W'}

NEARLY = {'po': ['po+', '(po; po?)', '([M]; po; [M])', '(po \\ (R * R))', '(po & int)', '(po \\ rmw)', '(po \\ (IW * _))', '(po | rmw)',
                 '(po & (M * M))', '(po \\ (po; [F]; po))', '(po \\ (W * R))', '(po & ((R * _) | (_ * W)))'],
          'po-loc': ['(po & loc)', '(po-loc \\ (R * R))', '([W]; po-loc | po-loc; [W])', '(po-loc \\ rmw)', '(po & rf | po-loc)',
                     '(po-loc & ~(X * X))', '(po-loc \\ (po-loc; po-loc))'],
          'rf': ['rfe', '(rfe | rfi)', '(rf; [R])', '(rf \\ po)', '(rf \\ (IW * _))', '(rf & loc)', '(rf | rf; rmw)', '(rf \\ int)'],
          'co': ['coe', '(coe | coi)', 'co+', '(co \\ (IW * W))', '(co \\ (co; co))', '(co & (W * FW))', '(co; co?)'],
          'mo': ['mo+', '(mo; mo?)', '(mo & ext)', '(mo \\ (IW * W))', '(mo \\ (X * X))', '(mo & loc)', '([W]; mo)', '(mo | rf; rmw)'],
          'fr': ['(rf^-1; co)', 'fre', '(fr; co?)', '((rf^-1; co) \\ id)', '(fr \\ (X * X))', '(fr & ext | fri)', '(rf^-1; coe)']}


def vary(rnd, line):
    """The line, or one that says nearly the same."""
    return re.sub(r'(?<![\w-])(po-loc|po|rf|co|fr|mo)(?![\w-])',
                  lambda m: rnd.choice(NEARLY[m.group(1)]) if rnd.random() < 0.08 else m.group(1), line)


def draw_rule(rnd):
    kind = rnd.choices(('acyclic', 'irreflexive', 'empty', '~empty', '~acyclic', 'flag empty', 'flag ~empty', 'flag ~acyclic', 'undefined_unless empty',
                        'undefined_unless ~empty', 'undefined_unless irreflexive'), (12, 12, 10, 2, 2, 1, 3, 1, 2, 1, 1))[0]
    name = f' as f{rnd.randint(0, 10 ** 9)}' if kind[0] in 'fu' else ''
    return f'{kind} {draw_relation(rnd, rnd.randint(1, 3))}{name}'


def with_own_order(rule):
    return re.sub(r'(?<![\w-])(coe|coi|co|fre|fri|fr|FW)(?![\w-])', lambda m: OWN_ORDER[m.group(1)], rule)


def draw_orderless(rnd):
    definition, how_strong = vary(rnd, rnd.choice(MO[:2] + MO)), rnd.choice((1, 0.9, 0.7))
    lines = [vary(rnd, rnd.choice(choices)) for choices in (PORF, COHERENT_MO, ATOMIC_MO, RIVALS) if rnd.random() < how_strong]
    lines += [with_own_order(draw_rule(rnd)) for _ in range(rnd.choice((0, 0, 1, 2)))]
    rnd.shuffle(lines)
    return '\n'.join([re.sub(r'let .*? =', 'let mo =', definition)] + lines) + '\n'


def draw_model(rnd):
    if rnd.random() < 0.25:
        return draw_orderless(rnd)
    lines, how_strong = [], rnd.choice((1, 0.9, 0.5))
    for choices in (COHERENT, ATOMIC, PORF):
        if rnd.random() < how_strong:
            lines.append(vary(rnd, rnd.choice(choices)))
    if rnd.random() < 0.2:
        lines.append(f'let rec mine = {rnd.choice("po rf co fr".split())} | (mine; {draw_relation(rnd, 1)})')
        lines.append(f'{rnd.choice(("acyclic", "irreflexive"))} mine')
    lines += [draw_rule(rnd) for _ in range(rnd.randint(0, 3))]
    rnd.shuffle(lines)
    if any(line.startswith('let') for line in lines): # before they are used
        lines.sort(key=lambda line: not line.startswith('let'))
    return '\n'.join(lines) + '\n'


# ---- comparing ----

def raised_in(result):
    """Flags, by role and name, that porf tells of."""
    texts = [('flag', w['message']) for w in result['warnings']]
    texts += [('undefined_unless', f['message']) for f in result['findings'] if f['kind'] == 'race']
    return {(role, re.search('`(.*)`', text).group(1)) for role, text in texts if 'flag `' in text or 'undefined' in text}


def is_verdict_right(result, want, is_thin):
    reasons = [n['what'] for n in result['not_covered']]
    if not want and not reasons:
        return False
    if is_thin and not any('thin air' in what for what in reasons):
        return False
    known = ('thin air', 'allows no execution', 'ctrl ends')
    return (result['verdict'] == 'pass') == (not reasons) and all(any(k in what for k in known) for what in reasons)


def is_right(result, candidates, want, fails, raised, is_thin):
    kinds = {f['kind'] for f in result['findings']} - {'liveness', 'race'}
    told = raised_in(result)
    if candidates.claim and any('allows no execution' in n['what'] for n in result['not_covered']):
        return not want or fails  # where the claim fails all ends, and a rule may ask for what would come later
    if told != raised and not candidates.claim:  # a claim that fails ends an execution before its end
        return False
    if any(role == 'undefined_unless' for role, _ in told):
        return result['verdict'] == 'violation' and (candidates.claim or result['executions'] == want)
    return (result['duplicates'] == 0 and
            (kinds == {'assert'} if fails else kinds <= ({'assert'} if candidates.claim else set())) and
            (candidates.awaits or kinds or is_verdict_right(result, want, is_thin)) and
            (candidates.claim or result['executions'] == want))


def compare(porf, rnd, pool, path, text, allows, compiled=lambda threads: threads):
    """(passed, failed) for a model, or None if porf refuses it. Stops at the first difference."""
    with open(path, 'w', encoding='utf-8') as f:
        f.write(text)
    line = [porf, 'check', '-q', '--keep-going', '--check-duplicates', '--format', 'json', '-m', path]
    p = subprocess.run(line + [f for f, _ in pool], capture_output=True, text=True, timeout=300)
    if p.returncode == 2 and 'cannot be checked' in p.stderr:
        return None
    try:
        results = json.loads(p.stdout)
    except ValueError:
        print(f'FAIL exit {p.returncode}: {p.stderr[:500]}\n{text}')
        return 0, 1
    facts = subprocess.run([porf, 'models', '--check', path], capture_output=True, text=True, timeout=300).stdout
    has_co = not re.search('^order of writes +not mentioned: ', facts, re.M)
    for i, ((file, threads), result) in enumerate(zip(pool, results if isinstance(results, list) else [results])):
        candidates = Candidates(compiled(threads))
        want, fails, raised, is_thin = candidates.count(allows, has_co, path.endswith('.cat') and not re.search(r'(?<![\w-])rmw(?![\w-])', text))
        if is_right(result, candidates, want, fails, raised, is_thin):
            continue
        print(f'FAIL executions {result["executions"]}, expected {want}; duplicates {result["duplicates"]}, '
              f'verdict {result["verdict"]} {result["not_covered"]}, thin air {is_thin}, the claim {"fails" if fails else "holds"}; raised {raised_in(result)}, expected {raised}\n{text}')
        with open(file, encoding='utf-8') as f:
            print(f.read())
        return i, 1
    return len(pool), 0


def draw_cat(rnd):
    text = draw_model(rnd)
    model = Cat(text)
    return text, lambda env, candidates: allows(model, env, candidates)


def main(usage, draw, suffix):
    """draw (rnd) gives the text of a model, whether it allows a candidate, and perhaps what a program is compiled to."""
    options = argparse.ArgumentParser(usage=usage.split('\n')[2].split(': ')[1])
    options.add_argument('--porf', default=os.path.join(ROOT, 'build', 'porf'))
    options.add_argument('--seed', type=int, default=1)
    options.add_argument('--models', type=int, default=100)
    options.add_argument('--programs', type=int, default=8)
    options.add_argument('--pool', type=int, default=100)
    options.add_argument('-m', metavar='FILE')
    args = options.parse_args()
    porf, rnd = os.path.abspath(args.porf), random.Random(args.seed)
    passed = failed = refused = 0
    if args.m:
        with open(args.m, encoding='utf-8') as f:
            text = f.read()
        model = Cat(text)
        draw = lambda rnd: (text, lambda env, candidates: allows(model, env, candidates))
    with tempfile.TemporaryDirectory() as folder:
        pool = []
        for i in range(args.pool):
            threads = draw_program(rnd)
            path = os.path.join(folder, f'p{i}.c')
            with open(path, 'w', encoding='utf-8') as f:
                f.write(c_program(threads))
            pool.append((path, threads))
        for n in range(1 if args.m else args.models):
            some = rnd.sample(pool, min(args.programs, len(pool)))
            result = compare(porf, rnd, some, os.path.join(folder, f'm{n}.{suffix}'), *draw(rnd))
            refused += result is None
            passed += result[0] if result else 0
            failed += result[1] if result else 0
    print(f'{refused} models refused')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main(__doc__, draw_cat, 'cat'))
