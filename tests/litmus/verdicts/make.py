#!/usr/bin/env python3
"""Writes one C program per row of the table below: its assertion fails exactly when the outcome asked for is observed.

usage: make.py [DIRECTORY]          (default build/verdicts; tests/run calls it)

A row is   name | threads separated by || | outcome | model=verdict ...
  W x 1     relaxed store          R x      relaxed load       .rel .acq .sc .ar .na   other orders
  F sc      fence                  FAI x 1  fetch-and-add      XCHG x 1, CAS x old new
  W y r0    store that depends on r0, also fake: W y r0-r0+1      R x[r0-r0]  load with a fake address dependency
  if e { … } else { … }            assume e
Outcomes: T:rN=v for register N of thread T, x=v for a final value, which main reads after it joined every thread.
A '-' stands where the model has no answer, such as a final value under a model without a total order of writes.
The columns are the models of MODELS in that order: a allowed, f forbidden.
"""
import os
import re
import sys

ORDER = {'': 'relaxed', 'rel': 'release', 'acq': 'acquire', 'ar': 'acq_rel', 'sc': 'seq_cst'}
MODELS = 'sc tso pso sra ra rc11 rc20 wrc11 imm xmm wkmo2 jam19 jam21 jam21t armv8 power riscv'.split()
CHECKED = 'sc tso pso sra ra rc11 rc20 wrc11 imm xmm wkmo2 jam19 jam21 jam21t armv8 power riscv'.split()  # the columns that are turned into tests

TABLE = '''
SB            | W x 1; r0=R y || W y 1; r0=R x                                             | 0:r0=0 1:r0=0 | faaaaaaaaaaaaaaaa
SB+scfs       | W x 1; F sc; r0=R y || W y 1; F sc; r0=R x                                 | 0:r0=0 1:r0=0 | fffaaffffffffffff
SB+4sc        | W.sc x 1; r0=R.sc y || W.sc y 1; r0=R.sc x                                 | 0:r0=0 1:r0=0 | fffaaffffffffffff
SB+ra         | W.rel x 1; r0=R.acq y || W.rel y 1; r0=R.acq x                             | 0:r0=0 1:r0=0 | faaaaaaaaaaaaafaa
SB+rfis       | W x 1; r0=R x; r1=R y || W y 1; r0=R y; r1=R x                             | 0:r0=1 0:r1=0 1:r0=1 1:r1=0 | faaaaaaaaaaaaaaaa
SB+rfis+sc    | W.sc x 1; r0=R.sc x; r1=R.sc y || W.sc y 1; r0=R.sc y; r1=R.sc x           | 0:r0=1 0:r1=0 1:r0=1 1:r1=0 | fffaaffffffffffff
MP            | W x 1; W y 1 || r0=R y; r1=R x                                             | 1:r0=1 1:r1=0 | ffaffaaaaaaaaaaaa
MP+rel+acq    | W x 1; W.rel y 1 || r0=R.acq y; r1=R x                                     | 1:r0=1 1:r1=0 | fffffffffffffffff
MP+relf+acqf  | W x 1; F rel; W y 1 || r0=R y; F acq; r1=R x                               | 1:r0=1 1:r1=0 | fffffffffffffffff
MP+rs         | W x 1; W.rel y 1; W y 2 || r0=R.acq y; r1=R x                              | 1:r0=2 1:r1=0 | ffffffaffafaaffff
MP+rel+addr   | W x 1; W.rel y 1 || r0=R y; r1=R x[r0-r0]                                  | 1:r0=1 1:r1=0 | fffffaaaaaaaaafff
LB            | r0=R x; W y 1 || r0=R y; W x 1                                             | 0:r0=1 1:r0=1 | ffffffffaaafffaaa
LB+data+po    | r0=R x; W y 1 || r0=R y; W x r0                                            | 0:r0=1 1:r0=1 | ffffffffaaafffaaa
LB+datas      | r0=R x; W y r0 || r0=R y; W x r0                                           | 0:r0=1 1:r0=1 | fffffffffffffffff
LB+fakedatas  | r0=R x; W y r0-r0+1 || r0=R y; W x r0-r0+1                                 | 0:r0=1 1:r0=1 | fffffffffaaffffff
LB+ctrls      | r0=R x; if r0 { W y 1 } || r0=R y; if r0 { W x 1 }                         | 0:r0=1 1:r0=1 | fffffffffffffffff
LB+acqs       | r0=R.acq x; W y 1 || r0=R.acq y; W x 1                                     | 0:r0=1 1:r0=1 | fffffffffffffffff
LB+rels       | r0=R x; W.rel y 1 || r0=R y; W.rel x 1                                     | 0:r0=1 1:r0=1 | fffffffffffffffff
S             | W x 2; W y 1 || r0=R y; W x 1                                              | 1:r0=1 x=2 | ffaffaa-aaaaa-aaa
S+rel+acq     | W x 2; W.rel y 1 || r0=R.acq y; W x 1                                      | 1:r0=1 x=2 | fffffffffffff-fff
R             | W x 1; W y 1 || W y 2; r0=R x                                              | y=2 1:r0=0 | faaaaaa-aaaaa-aaa
R+sc          | W.sc x 1; W.sc y 1 || W.sc y 2; r0=R.sc x                                  | y=2 1:r0=0 | fffaaff-fffff-fff
2+2W          | W x 1; W y 2 || W y 1; W x 2                                               | x=1 y=1 | ffafaaa-aaaaa-aaa
2+2W+rels     | W.rel x 1; W.rel y 2 || W.rel y 1; W.rel x 2                               | x=1 y=1 | ffffaaa-aaaaa-fff
2+2W+4sc      | W.sc x 1; W.sc y 2 || W.sc y 1; W.sc x 2                                   | x=1 y=1 | ffffaff-fffff-fff
CoRR          | W x 1 || r0=R x; r1=R x                                                    | 1:r0=1 1:r1=0 | fffffffffffffffff
CoRR2         | W x 1 || W x 2 || r0=R x; r1=R x || r0=R x; r1=R x                         | 2:r0=1 2:r1=2 3:r0=2 3:r1=1 | fffffffafffffffff
ww3R          | W x 1 || W x 2 || r0=R x; r1=R x; r2=R x                                   | 2:r0=1 2:r1=2 2:r2=1 | fffffffafffffffff
CoWR          | W x 1; r0=R x || W x 2                                                     | 0:r0=2 x=1 | fffffff-fffff-fff
CoRW1         | r0=R x; W x 1                                                              | 0:r0=1 | fffffffffffffffff
WRC           | W x 1 || r0=R x; W y 1 || r0=R y; r1=R x                                   | 1:r0=1 2:r0=1 2:r1=0 | fffffaaaaaaaaaaaa
WRC+rel+acq   | W x 1 || r0=R x; W.rel y 1 || r0=R.acq y; r1=R x                           | 1:r0=1 2:r0=1 2:r1=0 | fffffffffffffffff
WRC+ra        | W.rel x 1 || r0=R.acq x; W.rel y 1 || r0=R.acq y; r1=R.acq x               | 1:r0=1 2:r0=1 2:r1=0 | fffffffffffffffff
WRC+addrs     | W x 1 || r0=R x; W y r0-r0+1 || r0=R y; r1=R x[r0-r0]                      | 1:r0=1 2:r0=1 2:r1=0 | fffffaaaaaaaaafaf
ISA2+rel+acq  | W x 1; W.rel y 1 || r0=R.acq y; W.rel z 1 || r0=R.acq z; r1=R x            | 1:r0=1 2:r0=1 2:r1=0 | fffffffffffffffff
IRIW          | W x 1 || W y 1 || r0=R x; r1=R y || r0=R y; r1=R x                         | 2:r0=1 2:r1=0 3:r0=1 3:r1=0 | fffaaaaaaaaaaaaaa
IRIW+ra       | W.rel x 1 || W.rel y 1 || r0=R.acq x; r1=R.acq y || r0=R.acq y; r1=R.acq x | 2:r0=1 2:r1=0 3:r0=1 3:r1=0 | fffaaaaaaaaaaafaf
IRIW+sc       | W.sc x 1 || W.sc y 1 || r0=R.sc x; r1=R.sc y || r0=R.sc y; r1=R.sc x       | 2:r0=1 2:r1=0 3:r0=1 3:r1=0 | fffaaffffffffffff
IRIW-acq-sc   | W.sc x 1 || W.sc y 1 || r0=R.acq x; r1=R.sc y || r0=R.acq y; r1=R.sc x     | 2:r0=1 2:r1=0 3:r0=1 3:r1=0 | fffaaaaaaaafaafff
IRIW+scfs     | W x 1 || W y 1 || r0=R x; F sc; r1=R y || r0=R y; F sc; r1=R x             | 2:r0=1 2:r1=0 3:r0=1 3:r1=0 | fffaaffffffffffff
RWC+scfs      | W x 1 || r0=R x; F sc; r1=R y || W y 1; F sc; r0=R x                       | 1:r0=1 1:r1=0 2:r0=0 | fffaaffffffffffff
W+RWC         | W x 1; W.rel z 1 || r0=R.acq z; F sc; r1=R y || W y 1; F sc; r0=R x        | 1:r0=1 1:r1=0 2:r0=0 | fffaaffffffffafff
Z6.U          | W.sc x 1; W.rel y 1 || r0=FAI.sc y 1; r1=R y || W.sc y 3; r0=R.sc x        | 1:r0=1 1:r1=3 2:r0=0 | fffaaaaaaaafaafaf
vol-non-sc.4  | W.sc x 2; r0=R.sc y || W.sc y 1 || r0=R.sc y; W.sc x 1 || r0=R.sc x; r1=R.sc x | 0:r0=0 2:r0=1 3:r0=1 3:r1=2 | fffaaffafffafffff
2FAI          | r0=FAI x 1 || r0=FAI x 1                                                   | 0:r0=0 1:r0=0 | fffffffffffffffff
'''

STATEMENT = re.compile(
    r'(?:(r\d)=)?(W|R|FAI|XCHG|CAS|F|assume)\b(?:\.(\w+))?\s*([a-z]\w*)?(?:\[([^\]]*)\])?\s*(.*)$')


def parse_thread(text):
    """A list of (register, op, order, location, index, [arguments]) and ('if', condition, then, else)."""
    tokens = [t.strip() for t in re.split(r'([;{}])', text) if t.strip() and t.strip() != ';']

    def block(i):
        out = []
        while i < len(tokens) and tokens[i] != '}':
            t = tokens[i]
            if t.startswith('if '):
                then, j = block(i + 2)
                other = []
                if j < len(tokens) and tokens[j] == 'else':
                    other, j = block(j + 2)
                out.append(('if', t[3:], then, other))
                i = j
                continue
            if t.startswith('assume '):
                out.append((None, 'assume', '', '', None, [t[7:]]))
                i += 1
                continue
            m = STATEMENT.match(t)
            if not m:
                raise SystemExit(f'cannot read the statement {t!r}')
            register, op, order, loc, index, rest = m.groups()
            if op == 'F':
                order, loc = loc, ''
            out.append((register, op, order or '', loc or '', index, rest.split()))
            i += 1
        return out, i + 1

    return block(0)[0]


def parse_program(text):
    return [parse_thread(t) for t in text.split('||')]


def walk(statements):
    for s in statements:
        if s[0] == 'if':
            yield from walk(s[2])
            yield from walk(s[3])
        else:
            yield s


def emit_statements(statements, used, indent):
    out = []
    pad = '  ' * indent

    def expr(e):
        return re.sub(r'([-+^*]|[<>=!]=|<(?!=)|>(?!=)|&&|\|\|)', r' \1 ', e)

    for s in statements:
        if s[0] == 'if':
            out += [f'{pad}if ({expr(s[1])}) {{'] + emit_statements(s[2], used, indent + 1)
            if s[3]:
                out += [f'{pad}}} else {{'] + emit_statements(s[3], used, indent + 1)
            out += [f'{pad}}}']
            continue
        register, op, order, loc, index, args = s
        args = [expr(a) for a in args]
        where = f'&{loc}' + (f' + ({expr(index)})' if index else '')
        mo = 'memory_order_' + ORDER.get(order, '')
        if op == 'W':
            code = f'{loc} = {args[0]}' if order == 'na' else f'atomic_store_explicit ({where}, {args[0]}, {mo})'
        elif op == 'R':
            code = loc if order == 'na' else f'atomic_load_explicit ({where}, {mo})'
        elif op == 'F':
            code = f'atomic_thread_fence ({mo})'
        elif op == 'assume':
            code = f'__VERIFIER_assume ({args[0]})'
        elif op in ('FAI', 'XCHG'):
            name = {'FAI': 'atomic_fetch_add_explicit', 'XCHG': 'atomic_exchange_explicit'}[op]
            code = f'{name} ({where}, {args[0]}, {mo})'
        elif op == 'CAS':
            fail = 'memory_order_' + {'rel': 'relaxed', 'ar': 'acquire'}.get(order, ORDER[order])
            var = register or 'old'
            out.append(f'{pad}{var} = {args[0]};' if var in used else f'{pad}int {var} = {args[0]};')
            used.add(var)
            out.append(f'{pad}atomic_compare_exchange_strong_explicit ({where}, &{var}, {args[1]}, {mo},')
            out.append(f'{pad}                                         {fail});')
            continue
        if register:
            code = f'{register} = {code}' if register in used else f'int {register} = {code}'
            used.add(register)
        out.append(f'{pad}{code};')
    return out


def registers_read(statements):
    """Registers that some expression of the thread uses."""
    seen = set()
    for s in statements:
        if s[0] == 'if':
            seen |= set(re.findall(r'r\d', s[1])) | registers_read(s[2]) | registers_read(s[3])
        else:
            seen |= set(re.findall(r'r\d', ' '.join([s[4] or ''] + s[5])))
    return seen


def emit_program(head, threads, outcome=None, post=''):
    """The C text. With an outcome, registers are globals that main looks at when all threads are done."""
    every = [s for t in threads for s in walk(t)]
    locs = sorted({s[3] for s in every if s[3]})
    plain = {s[3] for s in every if s[2] == 'na'}
    atomic = [x for x in locs if x not in plain]
    conditions = re.findall(r'(?:(\d+):)?(\w+)=(-?\d+)', outcome or '')
    asked = {(int(t), r) for t, r, v in conditions if t}
    out = list(head) + ['#include <assert.h>'] * bool(conditions or post) + ['#include <pthread.h>']
    out += ['#include <stdatomic.h>', '']
    if any(s[1] == 'assume' for s in every):
        out += ['void __VERIFIER_assume (int);', '']
    if atomic:
        out.append(f'static atomic_int {", ".join(atomic)};')
    if plain:
        out.append(f'static int {", ".join(sorted(plain))};')
    if asked:
        out.append('static int ' + ', '.join(f't{t}_{r}' for t, r in sorted(asked)) + ';')
    for t, statements in enumerate(threads):
        read = registers_read(statements)
        used = set()
        asked_here = sorted(r for u, r in asked if u == t)
        kept = [(s if s[0] == 'if' or not s[0] or s[0] in read or (t, s[0]) in asked else (None,) + s[1:])
                for s in statements]

        out += ['', f'static void *thread{t} (void *unused) {{']
        out += emit_statements(kept, used, 1) + [f'  t{t}_{r} = {r};' for r in asked_here]
        out += ['  return NULL;', '}']
    n = len(threads)
    out += ['', 'int main (void) {', f'  pthread_t t[{n}];', '']
    out += [f'  pthread_create (&t[{t}], NULL, thread{t}, NULL);' for t in range(n)]
    out += [f'  pthread_join (t[{t}], NULL);' for t in range(n)]
    if conditions:
        parts = [f't{t}_{r} == {v}' if t else f'atomic_load_explicit (&{r}, memory_order_relaxed) == {v}'
                 for t, r, v in conditions]
        out.append(f'  assert (!({" && ".join(parts)}));')
    if post:
        out.append(post)
    return '\n'.join(out + ['  return 0;', '}']) + '\n'


def rows():
    for line in TABLE.strip().splitlines():
        name, program, outcome, verdicts = [p.strip() for p in re.split(r'(?<!\|)\|(?!\|)', line)]
        yield name, program, outcome, dict(zip(MODELS, verdicts))


def main():
    where = sys.argv[1] if len(sys.argv) > 1 else 'build/verdicts'
    os.makedirs(where, exist_ok=True)
    for name, program, outcome, verdicts in rows():
        head = [f'// {name}: can {" and ".join(outcome.split())} be observed?']
        for model in CHECKED:
            letter = verdicts[model]
            if letter == 'a':
                head.append(f'// finding: {model} assert')
            elif letter == 'f':
                head.append(f'// verdict: {model} pass')
        text = emit_program(head, parse_program(program), outcome)
        path = os.path.join(where, name + '.c')
        if not os.path.exists(path) or open(path).read() != text:
            with open(path, 'w') as f:
                f.write(text)


if __name__ == '__main__':
    main()
