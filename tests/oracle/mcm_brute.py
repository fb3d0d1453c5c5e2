#!/usr/bin/env python3
"""Compares `porf check -m FILE.mcm` with the definition, as cat_brute.py does for cat.

usage: tests/oracle/mcm_brute.py [--porf PATH] [--seed N] [--models N] [--programs N]

Models are drawn as trees, written in mcm for porf and evaluated here as they stand: loops run over all events, locations
and threads, and po has edges to the next events only, from all initial writes to the first event of each thread. Programs
are compiled first: orders become fences, by Table 6.1 of [Bajczi'20] or, if a model names fences of a processor, as usual there.
"""
import itertools
import sys

import cat_brute
from cat_brute import closure, compose

# Sets: ('base', name), ('tag', set, loop), ('fence', set, name), ('source' or 'target', relation), (operator, set, set).
# Relations: ('base', name), ('edges' or 'paths', relation, set, set), ('product', set, set), (operator, relation, relation).
# Both: ('each', kind, what it runs over, number of the loop, body), ('name', k).

SIGN = {'union': 'union', 'intersect': 'intersect', 'minus': '\\'}
LEVEL = {'union': 1, 'intersect': 2, 'minus': 3, 'product': 4}  # the first binds tightest

# What orders become: (kind, order) -> fences before and after an access, or instead of a fence.
ACQUIRES, RELEASES = ('ACQ', 'ACQ_REL', 'SC'), ('REL', 'ACQ_REL', 'SC')


def by_table(kind, order):
    if kind == 'F':
        return ['fence'], []
    return ['fence'] * (order in RELEASES), ['fence'] * (order in ACQUIRES)


def by_x86(kind, order):
    is_full = order == 'SC' and kind in 'FWD'
    return ([], ['mfence'] * is_full) if kind != 'F' else (['mfence'] * is_full, [])


def by_armv8(kind, order):
    return (['dmb.ld' if order == 'ACQ' else 'dmb.sy'] if kind == 'F' else []), []


FENCES = {by_table: [], by_x86: ['mfence', 'MFENCE'], by_armv8: ['dmb.sy', 'dmb.ld', 'DMB.SY']}


def compiled(mapping, threads):
    to = []
    for ops in threads:
        line = []
        for kind, loc, order, number in ops:
            if kind == 'B':
                line.append((kind, loc, order, number))
                continue
            before, after = mapping(kind, order)
            line += [('F', loc, fence, 0) for fence in before]
            line += [] if kind == 'F' else [(kind, loc, order, number)]
            line += [('F', loc, fence, 0) for fence in after]
        to.append(line)
    return to


class Drawing:
    def __init__(self, rnd, names, fences):
        self.rnd, self.names, self.fences, self.loops = rnd, names, fences, []

    def set(self, depth):
        rnd = self.rnd
        if self.loops and rnd.random() < 0.4:
            return ('tag', ('base', rnd.choice('WRFA')), rnd.randrange(len(self.loops)))
        if self.fences and rnd.random() < 0.2:
            return ('fence', ('base', rnd.choice('FFA')), rnd.choice(self.fences))
        if depth == 0 or rnd.random() < 0.4:
            return ('base', rnd.choice('WRFA'))
        what = rnd.randrange(6)
        if what < 4:
            return (rnd.choice(('source', 'target')), self.relation(depth - 1))
        if what == 4 and len(self.loops) < 2:
            return self.each(depth, self.set)
        return (rnd.choice(list(SIGN)), self.set(depth - 1), self.set(depth - 1))

    def named(self):
        if self.names and self.rnd.random() < 0.5:
            return ('name', self.rnd.randrange(len(self.names)))
        return ('base', self.rnd.choice(('po', 'po', 'rf', 'mo', 'rmw')))

    def relation(self, depth):
        rnd = self.rnd
        if depth == 0 or rnd.random() < 0.2:
            return self.named()
        what = rnd.randrange(10)
        if what < 4:
            return (rnd.choice(('edges', 'paths')), self.named(), self.set(depth - 1), self.set(depth - 1))
        if what < 6:
            return ('product', self.set(depth - 1), self.set(depth - 1))
        if what < 8 and len(self.loops) < 2:
            return self.each(depth, self.relation)
        return (rnd.choice(('union', 'union', 'intersect', 'minus')), self.relation(depth - 1), self.relation(depth - 1))

    def each(self, depth, body):
        kind = self.rnd.choice(('node', 'node', 'node', 'var', 'var', 'thrd', 'thread'))
        over = self.set(0 if depth < 2 else 1) if kind == 'node' else None
        number = len(self.loops)
        self.loops.append(kind)
        tree = ('each', kind, over, number, body(depth))
        self.loops.pop()
        return tree


def sort(kind):
    return 'thrd' if kind == 'thread' else kind


def write(tree, loops=(), bare=False, most=9):
    """As text; operators that bind no tighter than `most` get parentheses, and without `bare` all do."""
    op = tree[0]
    if op == 'base':
        return tree[1]
    if op == 'name':
        return f'd{tree[1]}'
    if op == 'tag':
        kind = loops[tree[2]]
        return f'{write(tree[1])}[{kind}{[sort(k) for k in loops[:tree[2]]].count(sort(kind))}]'
    if op == 'fence':
        return f'{write(tree[1])}[{tree[2]}]'
    if op in ('source', 'target'):
        return f'{op}({write(tree[1], loops, bare)})'
    if op in ('edges', 'paths'):
        arrow = '->' if op == 'edges' else '-->'
        return f'{write(tree[1], loops)}({write(tree[2], loops, bare)} {arrow} {write(tree[3], loops, bare)})'
    if op == 'each':
        _, kind, over, _, body = tree
        head = f'for_each_{kind} ' + (write(over, loops, bare) + ' ' if over else '')
        return f'{head}begin {write(body, loops + (kind,), bare)} end'
    level = LEVEL[op]
    sign = SIGN.get(op, '*')
    text = f'{write(tree[1], loops, bare, level + 1)} {sign} {write(tree[2], loops, bare, level)}'
    return text if bare and level < most else f'({text})'


def value(tree, env, values):
    op = tree[0]
    if op == 'base':
        return env['mcm'][tree[1]]
    if op == 'name':
        return values[tree[1]]
    if op == 'tag':
        return value(tree[1], env, values) & env['loops'][tree[2]]
    if op == 'fence':
        return frozenset(e for e in value(tree[1], env, values) if env['fence'].get(e) == tree[2].lower())
    if op in ('source', 'target'):
        return frozenset(pair[op == 'target'] for pair in value(tree[1], env, values))
    if op in ('edges', 'paths'):
        r, a, b = (value(t, env, values) for t in tree[1:])
        r = closure(r) if op == 'paths' else r
        return frozenset((x, y) for x, y in r if x in a and y in b)
    if op == 'product':
        return frozenset(itertools.product(value(tree[1], env, values), value(tree[2], env, values)))
    if op == 'each':
        _, kind, over, _, body = tree
        parts = [frozenset([e]) for e in value(over, env, values)] if over else env['parts'][sort(kind)]
        result = frozenset()
        for part in parts:
            env['loops'].append(part)
            result |= value(body, env, values)
            env['loops'].pop()
        return result
    a, b = value(tree[1], env, values), value(tree[2], env, values)
    return a | b if op == 'union' else a & b if op == 'intersect' else a - b


def parts_of(candidates, of):
    classes = {}
    for e in candidates.events:
        if of[e] is not None and not str(of[e]).startswith('init'):
            classes.setdefault(of[e], set()).add(e)
    return [frozenset(c) for c in classes.values()]


def program_order(env, candidates):
    """Edges to the next events; initial writes come right before the first event of each thread."""
    firsts = [min(part) for part in parts_of(candidates, candidates.thread)]
    return (env['po'] - compose(env['po'], env['po'])) | frozenset(itertools.product(candidates.initial.values(), firsts))


def needs(tree, definitions):
    """Which of rf and mo, in which alone the candidates of a program differ, the value of a tree depends on."""
    if tree[0] == 'base':
        return frozenset(tree[1:]) & {'rf', 'mo'}
    if tree[0] == 'name':
        return needs(definitions[tree[1]], definitions)
    return frozenset().union(*(needs(part, definitions) for part in tree[1:] if isinstance(part, tuple)))


class Values:
    """Those of the definitions, for one model and all candidates of one program; what nobody asks for is not evaluated."""

    def __init__(self, definitions, env, candidates):
        self.definitions, self.known = definitions, {}
        self.needs = [sorted(needs(tree, definitions)) for tree in definitions]
        mcm = {name: env[name] for name in ('W', 'R', 'F', 'rmw')}
        mcm.update(A=env['_'], po=program_order(env, candidates))
        self.env = {'mcm': mcm, 'fence': {e: candidates.order[e] for e in env['F']},
                    'parts': {'var': parts_of(candidates, candidates.loc), 'thrd': parts_of(candidates, candidates.thread)}}

    def at(self, rf, mo):
        self.env['mcm'].update(rf=rf, mo=mo)
        return self

    def __getitem__(self, k):
        key = (k, *(self.env['mcm'][name] for name in self.needs[k]))
        if key not in self.known:
            self.known[key] = value(self.definitions[k], {**self.env, 'loops': []}, self)
        return self.known[key]


def allows(definitions, rules, env, candidates):
    if not hasattr(candidates, 'values'):
        candidates.values = Values(definitions, env, candidates)
    values = candidates.values.at(env['rf'], env['co'])

    def holds(claim):
        k, what = claim
        r = closure(values[k]) if what == 'acyclic' else values[k]
        return not r if what == 'empty' else not any(x == y for x, y in r)

    return all(any(map(holds, alternatives)) for alternatives in rules)


def base(name):
    return ('base', name)


def here(name, loop=0):
    return ('tag', base(name), loop)


def each(kind, over, body, number=0):
    return ('each', kind, over, number, body)


def paths(r, a, b):
    return ('paths', r, a, b)


def edges(r, a, b):
    return ('edges', r, a, b)


W, R, F, A, PO, RF, MO, RMW = map(base, ('W', 'R', 'F', 'A', 'po', 'rf', 'mo', 'rmw'))
PORF = ('union', PO, RF)
# The definitions of mcm/, whose names are their numbers.
USUAL = [
    each('node', R, ('product', here('R'), ('target', paths(MO, ('source', edges(RF, W, here('R'))), W)))),  # 0: fr
    each('var', None, paths(PO, here('A'), here('A'))),
    ('union', ('union', ('name', 1), RF), ('union', MO, ('name', 0))),  # 2: coherence
    ('union', RF, paths(PO, R, W)),
    each('thrd', None, ('product', here('A'), here('A'))),
    ('union', ('minus', RF, ('name', 4)), ('union', ('minus', MO, ('name', 4)), ('minus', ('name', 0), ('name', 4)))),
    each('node', F, ('product', ('source', paths(PO, ('union', R, W), here('F'))),
                     ('target', paths(PO, here('F'), ('union', R, W))))),
    ('union', ('name', 5), ('name', 6)),  # 7: order by fences
    each('node', R, edges(RF, ('source', paths(MO, W, ('source', edges(RF, W, here('R'))))),
                          ('target', paths(PO, here('R'), R)))),  # 8: coherence as printed
    each('node', R, each('node', W, ('product', here('R'), here('W', 1)), 1)),
    ('intersect', RMW, each('node', R, ('product', here('R'), ('target', paths(MO, ('target', edges(('name', 0), here('R'), W)), W))))),
    PORF,
    each('node', F, each('node', F, paths(('name', 11), ('source', paths(('name', 11), W, here('F'))),
                                          ('target', paths(('name', 11), here('F', 1), R))), 1)),
]
OTHER = {'edges': 'paths', 'paths': 'edges', 'source': 'target', 'target': 'source', 'union': 'intersect', 'intersect': 'minus',
         'minus': 'union'}


def vary(rnd, tree, chance):
    """The tree, with a few operators and names exchanged."""
    op = tree[0]
    is_changed = rnd.random() < chance
    if op == 'base':
        others = 'WRFA' if tree[1] in 'WRFA' else ('po', 'rf', 'mo', 'rmw')
        return base(rnd.choice(others)) if is_changed else tree
    if op == 'name':
        return ('name', rnd.randrange(tree[1] + 1)) if is_changed else tree
    if op in ('tag', 'fence'):
        return (op, vary(rnd, tree[1], chance), tree[2])
    if op == 'each':
        _, kind, over, number, body = tree
        return (op, kind, vary(rnd, over, chance) if over else None, number, vary(rnd, body, chance))
    parts = tuple(vary(rnd, part, chance) for part in tree[1:])
    return (OTHER.get(op, op) if is_changed else op, *parts)


def draw(rnd):
    chance, mapping = rnd.choice((0, 0.02, 0.05)), rnd.choice((by_table, by_table, by_x86, by_armv8))
    definitions, rules = [vary(rnd, tree, chance) for tree in USUAL], []
    for _ in range(rnd.randint(0, 2)):
        definitions.append(Drawing(rnd, definitions, FENCES[mapping]).relation(3))
    claims = [(2, 'acyclic'), (3, 'acyclic'), (7, 'acyclic'), (8, 'empty'), (10, 'empty'), (12, 'empty')]
    for claim in rnd.sample(claims, rnd.randint(0, 4)):
        rules.append([claim])
    for _ in range(rnd.randint(not rules, 2)):
        rules.append([(rnd.randrange(len(definitions)), rnd.choice(('acyclic', 'irreflexive', 'empty')))
                      for _ in range(rnd.choice((1, 1, 1, 2)))])
    if mapping is not by_table:  # a rule must name its fences, or orders become what the table says
        definitions.append(('product', ('fence', F, FENCES[mapping][0]), R))
        rules.append([(len(definitions) - 1, 'irreflexive')])
    bare = rnd.random() < 0.5
    text = ''.join(f'd{k} = {write(tree, bare=bare)}\n' for k, tree in enumerate(definitions))
    for claims in rules:
        text += ' | '.join(f'd{k} {what}' for k, what in claims) + '\n'
    return (text, lambda env, candidates: (allows(definitions, rules, env, candidates), set()),
            lambda threads: compiled(mapping, threads))


if __name__ == '__main__':
    sys.exit(cat_brute.main(__doc__, draw, 'mcm'))
