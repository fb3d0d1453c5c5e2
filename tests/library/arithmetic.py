#!/usr/bin/env python3
"""Arithmetic that has no result in C, and atomic accesses that are misaligned: types x operations x operands.

usage: tests/library/arithmetic.py [-k WORD] [-n N] [--seed N] [--porf FILE] [-v]

The table has every integer type with the operands at the edges of what C allows; the verdict follows from exact
arithmetic in Python, by the rules of C: operands are promoted, shifts have the width of the promoted left side, signed
numbers overflow (--overflow), unsigned ones wrap. N random cases more (--seed; printed).
"""

import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OK, WRONG = "ok", "wrong"

TYPES = {"signed char": (8, True), "unsigned char": (8, False), "short": (16, True), "unsigned short": (16, False),
         "int": (32, True), "unsigned": (32, False), "long": (64, True), "unsigned long": (64, False)}


def promoted(name):
    bits, is_signed = TYPES[name]
    return (32, True) if bits < 32 else (bits, is_signed)


def common(a, b):
    """The type of a binary operation on promoted operands."""
    (wa, sa), (wb, sb) = promoted(a), promoted(b)
    if wa != wb:
        return (wa, sa) if wa > wb else (wb, sb)
    return wa, sa and sb


def limits(bits, is_signed):
    return (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)


def converted(value, bits, is_signed):
    value &= (1 << bits) - 1
    return value - (1 << bits) if is_signed and value >> (bits - 1) else value


def judge(op, ta, a, tb, b, with_overflow):
    """What C says about a OP b."""
    if op in ("<<", ">>"):
        return WRONG if b < 0 or b >= promoted(ta)[0] else OK
    bits, is_signed = common(ta, tb)
    a, b = converted(a, bits, is_signed), converted(b, bits, is_signed)
    low, high = limits(bits, is_signed)
    if op in ("/", "%"):
        return WRONG if b == 0 or (is_signed and a == low and b == -1) else OK
    result = {"+": a + b, "-": a - b, "*": a * b}[op]
    return WRONG if with_overflow and is_signed and not low <= result <= high else OK


def literal(value):
    return f"({value + 1}L - 1)" if value == -(1 << 63) else f"{value}{'ul' if value >= 1 << 63 else 'L'}"


def expression(op, ta, a, tb, b, form):
    head = f"volatile {ta} a = ({ta}){literal(a)}; volatile {tb} b = ({tb}){literal(b)};"
    if form == "compound":
        return f"{head} a {op}= b;"
    return f"{head} __typeof__ (a {op} b) r = a {op} b; (void)r;"


def edges(name):
    low, high = limits(*TYPES[name])
    return sorted({low, -1 if low else 0, 0, 1, high})


def amounts(ta, tb):
    width = promoted(ta)[0]
    low, high = limits(*TYPES[tb])
    return [n for n in (-1, 0, width - 1, width, width + 1, high) if low <= n <= high]


def cases():
    for name in TYPES:
        for op in ("<<", ">>"):
            for tb in ("int", "unsigned char", name):
                for n in amounts(name, tb):
                    yield op, name, 1, tb, n, "plain", False
        for op in ("/", "%"):
            for a in edges(name):
                for b in edges(name):
                    yield op, name, a, name, b, "plain", False
        for op in ("+", "-", "*"):
            for a in edges(name):
                for b in edges(name):
                    for with_overflow in (False, True):
                        yield op, name, a, name, b, "plain", with_overflow
            yield op, name, limits(*TYPES[name])[1], "int", 2, "compound", True


def drawn(rng):
    op = rng.choice(["<<", ">>", "/", "%", "+", "-", "*"])
    ta, tb = rng.choice(list(TYPES)), rng.choice(list(TYPES))
    a = rng.choice(edges(ta) + [rng.randint(*limits(*TYPES[ta]))])
    b = rng.choice(amounts(ta, tb)) if op in ("<<", ">>") else rng.choice(edges(tb) + [rng.randint(*limits(*TYPES[tb]))])
    return op, ta, a, tb, b, rng.choice(["plain", "compound"]), rng.random() < 0.5


def arithmetic(case):
    op, ta, a, tb, b, form, with_overflow = case
    name = f"{ta} {a} {op} {tb} {b} {form}{' overflow' if with_overflow else ''}"
    return name, expression(op, ta, a, tb, b, form), judge(op, ta, a, tb, b, with_overflow), with_overflow


def unary():
    """(name, statements, what --overflow says)."""
    yield "negation", "volatile int x = (-2147483647 - 1); x = -x;", WRONG
    yield "negation long", "volatile long x = (-9223372036854775807L - 1); x = -x;", WRONG
    yield "negation char", "volatile signed char x = -128; x = -x;", OK
    yield "increment", "volatile int x = 2147483647; x++;", WRONG
    yield "increment char", "volatile signed char x = 127; x++;", OK
    yield "increment unsigned", "volatile unsigned x = 4294967295u; x++;", OK
    yield "decrement", "volatile int x = (-2147483647 - 1); --x;", WRONG
    yield "fetch_add", "_Atomic int x = 2147483647; __c11_atomic_fetch_add (&x, 1, 5);", OK
    yield "atomic ++", "_Atomic int x = 2147483647; x++;", OK
    yield "bit-field", "struct { int a : 3; unsigned b : 30; } s = {3, 0}; s.a++; s.b--; (void)s;", OK
    yield "abs", "volatile int x = (-2147483647 - 1); x = abs (x);", WRONG


ATOMICS = {"load": "__atomic_load_n (p, __ATOMIC_{order});", "store": "__atomic_store_n (p, 1, __ATOMIC_{order});",
           "add": "__atomic_fetch_add (p, 1, __ATOMIC_{order});", "xchg": "__atomic_exchange_n (p, 1, __ATOMIC_{order});",
           "cas": "__typeof__ (*p) e = 0; __atomic_compare_exchange_n (p, &e, 1, 0, __ATOMIC_{order}, __ATOMIC_RELAXED);"}


def alignment():
    for size, type in ((1, "char"), (2, "short"), (4, "int"), (8, "long")):
        for offset in (0, 1, 2, 4, 8):
            for name, text in ATOMICS.items():
                for order in ("RELAXED", "SEQ_CST") if name in ("load", "store") else ("RELAXED",):
                    yield f"{name} {type} + {offset} {order}", \
                        f"static _Alignas (16) char bytes[32]; {type} *p = ({type} *)(bytes + {offset}); " + \
                        text.format(order=order), WRONG if offset % size else OK
    yield "mutex", "static char bytes[100]; pthread_mutex_t *m = (pthread_mutex_t *)(bytes + 2);" \
                   " pthread_mutex_lock (m); pthread_mutex_unlock (m);", WRONG
    yield "plain", "static char bytes[100]; int *p = (int *)(bytes + 2); *p = 1;", OK


def source(body):
    return f"#include <pthread.h>\n#include <stdlib.h>\nint main (void) {{\n  {body}\n  return 0;\n}}\n"


def check(porf, name, body, expected, with_overflow):
    with tempfile.NamedTemporaryFile("w", suffix=".c", delete=False) as f:
        f.write(source(body))
    command = [porf, "check", "-q", "--no-cache", *(["--overflow"] if with_overflow else []), f.name, "--", "-w"]
    try:
        run = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             text=True, timeout=300)
        code, out = run.returncode, run.stdout
    except subprocess.TimeoutExpired:
        code, out = -1, "no end within 300 s"
    os.unlink(f.name)
    return name, body, expected, {0: OK, 42: WRONG}.get(code, f"exit status {code}"), out


def joined(programs):
    """All that is expected to pass in one program a group: a compilation takes longer than the check."""
    groups = {}
    for name, body, expected, with_overflow in programs:
        if expected == WRONG:
            yield name, body, expected, with_overflow
        else:
            groups.setdefault(with_overflow, []).append((name, body))
    for with_overflow, all_ok in groups.items():
        for k in range(0, len(all_ok), 40):
            part = all_ok[k:k + 40]
            yield f"{part[0][0]} to {part[-1][0]}", "\n  ".join(f"{{ {body} }}" for _, body in part), OK, with_overflow


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-k", default="", help="only cases whose name has this")
    p.add_argument("-n", type=int, default=100, help="random cases")
    p.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    p.add_argument("--porf", default=os.path.join(ROOT, "build/porf"))
    p.add_argument("-v", action="store_true")
    a = p.parse_args()
    rng = random.Random(a.seed)
    print(f"seed {a.seed}")
    programs = [arithmetic(c) for c in cases()] + [arithmetic(drawn(rng)) for _ in range(a.n)]
    programs += [(n, t, v, True) for n, t, v in unary()] + [(n, t, OK, False) for n, t, v in unary()]
    programs += [(n, t, v, False) for n, t, v in alignment()]
    programs = list(joined(x for x in programs if a.k in x[0]))
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name, body, expected, found, out in pool.map(lambda x: check(a.porf, *x), programs):
            good = found == expected
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"FAIL {name}: {found}, expected {expected}")
                if a.v:
                    print(source(body) + out)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
