#!/usr/bin/env python3
"""Counts and findings are the same for any number of workers and ranks, on the programs of the test corpus.

usage: tests/scale/same.py [--first] [--sample N] [--seed N] [-j N] [--ways R:J,…] [--mpirun COMMAND] [path …]

Every run that the heads of the programs ask for (tests/run says how) is made by one worker, with --keep-going, or, with
--first, without it, so that it ends with its first finding. Then it is made in each of the other ways: R ranks of J
workers (default 1:2, 1:8, 2:1, 2:2, 4:1), by build/porf-ranks, whose ranks are threads and share what there is to do from the first step on. With --mpirun it is
COMMAND -n R build/porf-mpi instead. What they say must be the same but for times and for how the work was divided.
The last line is "N passed, M failed".
"""

import argparse
import concurrent.futures
import os
import random
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.dirname(os.path.abspath(__file__)), os.path.join(ROOT, "tests")]
from compiled import Compiled  # noqa: E402
from corpus import corpus  # noqa: E402
from told import told  # noqa: E402

LIMIT = 300
PATHS = ["tests/litmus", "tests/xmm", "tests/bugs", "tests/programs", "tests/structures", "tests/faulty", "bench", "examples"]

# Besides, and in every sample: what only some of the ranks may have met.
ALWAYS = [("a bound that is exceeded", ["check", "--format", "json", "--bound", f"preemptions={k}"],
           ["bench/fib_bench.c", "--", "-DK=2"]) for k in (1, 2)]


def run(line, ranks=1):
    environment = dict(os.environ, PORF_RANKS=str(ranks))
    try:
        p = subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True,
                           timeout=LIMIT, env=environment, cwd=ROOT, errors="replace")
    except subprocess.TimeoutExpired:
        return None, f"no end within {LIMIT} s"
    return told(p.stdout), f"{p.returncode} {p.stderr.strip()[:300]} {p.stdout[:3000]}"


def are_same(a, b, keeps_going):
    """How far others have come when one of them meets a limit, and all stop, is a matter of time, and so is what they
    have met when the first finding is all that is wanted."""
    if a != b and a and b and a["verdict"] == b["verdict"] == "incomplete":
        a, b = [{key: d[key] for key in ("verdict", "not_covered", "warnings", "findings")} for d in (a, b)]
    if a != b and a and b and a["verdict"] == b["verdict"] == "violation" and not keeps_going:
        a, b = [{key: value for key, value in d.items() if key not in ("locations", "threads")} for d in (a, b)]
    return a == b


def compare(options, program, ways, mpirun):
    """What is wrong, for each way in which the run differs from that of one worker."""
    expected, text = run(["build/porf", *options, "--jobs", "1", *program])
    if expected is None:
        return [f"one worker: {text}"]
    wrong = []
    for ranks, jobs in ways:
        start = [*mpirun, "-n", str(ranks), "build/porf-mpi"] if mpirun else ["build/porf-ranks"]
        found, other = run([*start, *options, "--jobs", str(jobs), *program], ranks)
        if not are_same(found, expected, "--keep-going" in options):
            wrong.append(f"{ranks} ranks of {jobs} workers: {other}\ninstead of {text}")
    return wrong


def lines_of(module, paths, keep):
    """What the heads ask for, with --keep-going or without: a name, the options, the rest from the file on."""
    for path in module.collect(paths)[0]:
        runs, flags = module.parse_head(path)
        for r in runs:
            if r.is_slow or r.culprit or r.model in module.MACHINE:
                continue
            line = module.command([], r, flags)
            if "--skip-retries" in line or any(w.startswith(("--jobs", "--engine")) for w in line):
                continue  # for one worker, or about workers; endless loops are deepened in one process alone
            at = line.index(r.path)
            yield r.name(), [*(w for w in line[:at] if keep or w != "--keep-going"), "--engine", "explore"], line[at:]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(1, 1 << 30))
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("--ways", default="1:2,1:8,2:1,2:2,4:1")
    parser.add_argument("--mpirun", default="")
    parser.add_argument("paths", nargs="*")
    args = parser.parse_args()
    os.chdir(ROOT)
    ways = [tuple(map(int, way.split(":"))) for way in args.ways.split(",")]
    todo = list(lines_of(corpus(), args.paths or PATHS, not args.first))
    if 0 < args.sample < len(todo):
        todo = random.Random(args.seed).sample(todo, args.sample)
        print(f"seed {args.seed}")
    todo += [] if args.paths else ALWAYS
    passed = failed = 0

    def one(item):
        name, options, source = item
        return name, compare(options, compiled.ir(*source), ways, shlex.split(args.mpirun))

    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(max_workers=args.j) as pool:
        compiled = Compiled("build/porf", folder, is_corpus=True)
        for name, wrong in pool.map(one, todo):
            passed += not wrong
            failed += bool(wrong)
            for text in wrong:
                print(f"FAIL {name}: {text}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
