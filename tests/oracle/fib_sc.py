#!/usr/bin/env python3
"""Counts the executions of bench/fib_bench.c under sequential consistency by brute force.

Runs every interleaving of the three threads, step by step, merging only runs that have made the same reads from the same
writes and stand at the same place. An execution is what every read reads from (each location has one writer, so there is
one order of writes). Published counts differ: 1710 and 19706 for K = 3, 4 in one paper, 218243 and 219057 for K = 5.

usage: fib_sc.py K [EXPECTED]
"""
import sys


def count(k):
    x_thread = [("R", "x"), ("R", "y"), ("W", "x")] * k
    y_thread = [("R", "x"), ("R", "y"), ("W", "y")] * k
    check = [("R", "x"), ("R", "y")]
    threads = [x_thread, y_thread, check]
    total = sum(map(len, threads))
    layer = {((0, 0, 0), (0, 0), ())}
    for _ in range(total):
        after = set()
        for at, written, reads in layer:
            for t, code in enumerate(threads):
                if at[t] == len(code):
                    continue
                kind, where = code[at[t]]
                there = at[:t] + (at[t] + 1,) + at[t + 1:]
                slot = "xy".index(where)
                if kind == "W":
                    now = list(written)
                    now[slot] += 1
                    after.add((there, tuple(now), reads))
                else:
                    # one entry a read, in a fixed order, so that only what is read counts and not when
                    entry = (t, at[t], written[slot])
                    after.add((there, written, tuple(sorted(reads + (entry,)))))
        layer = after
    return len({reads for _, _, reads in layer})


if __name__ == "__main__":
    n = count(int(sys.argv[1]))
    print(n)
    sys.exit(len(sys.argv) > 2 and n != int(sys.argv[2]))
