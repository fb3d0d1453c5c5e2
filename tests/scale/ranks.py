#!/usr/bin/env python3
"""porf-mpi: as many ranks as there may be find what one worker of porf finds, also if one of them is killed.

usage: tests/scale/ranks.py [--ranks N,…]

Every program is checked by one worker of build/porf and by `mpirun -n N build/porf-mpi` with one worker a rank, for
each N (default 1,2,4); what they say must be the same. Then a rank is killed with SIGKILL: mpirun ends the others,
and what is left in the checkpoint is done by another number of ranks, or by porf. The last line is
"N passed, M failed".
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from told import told  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# more ranks than cores, as any user, without a word about how memory is shared; other MPIs do not know these
ENVIRONMENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
               "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
LIMIT = 300
PROGRAMS = [  # file, options, flags of the compiler
    ("bench/lastzero.c", [], ["-DN=15"]),
    ("bench/ticketlock.c", ["--reduce=-symmetry"], ["-DN=7"]),
    ("tests/scale/facts.c", [], ["-DN=4", "-mcx16"]),
    ("tests/scale/facts.c", ["-m", "tso"], ["-DN=4", "-mcx16"]),
    ("tests/scale/findings.c", ["--keep-going"], ["-DN=4"]),
    ("tests/scale/findings.c", [], ["-DN=5"]),
    ("tests/scale/findings.c", ["-m", "wrc11", "--keep-going"], ["-DN=4"]),
    ("bench/fib_bench.c", ["-m", "imm"], ["-DK=3"]),
    ("bench/coherence.c", ["-m", "armv8"], ["-DK=4"]),
    ("bench/scaling.c", ["-m", "mcm/weak.mcm"], ["-DT=7", "-DM=3"]),
]
LONG = ("bench/lastzero.c", [], ["-DN=19"])


class Tests:
    def __init__(self):
        self.passed = self.failed = 0

    def judge(self, name, fine, why=""):
        self.passed += bool(fine)
        self.failed += not fine
        if not fine:
            print(f"FAIL {name}: {str(why)[:3000]}", flush=True)


def command(program, ranks, *more):
    """Ranks: 0 for porf itself."""
    file, options, flags = program
    start = ["mpirun", "-n", str(ranks), "build/porf-mpi"] if ranks else ["build/porf"]
    return [*start, "check", "--format", "json", "--help-time", "0", "--jobs", "1", *options, *more, file, "--", *flags]


def run(line):
    return subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=LIMIT,
                          stdin=subprocess.DEVNULL)


def children(pid):
    """The processes that mpirun has started, by number."""
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as f:
            return [int(word) for word in f.read().split()]
    except OSError:
        return []


def is_porf(pid):
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe")) == "porf-mpi"
    except OSError:
        return False


def wait_for(condition):
    end = time.monotonic() + LIMIT
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)


def killed(tests, folder):
    file = os.path.join(folder, "checkpoint")
    whole = told(run(command(LONG, 0)).stdout)
    p = subprocess.Popen(command(LONG, 3, "--checkpoint", file, "--every", "0.2"), stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    wait_for(lambda: os.path.exists(file) or p.poll() is not None)
    ranks = [c for c in children(p.pid) if is_porf(c)]
    if ranks:
        os.kill(ranks[-1], signal.SIGKILL)
    out, _ = p.communicate(timeout=LIMIT)
    tests.judge("a rank that is killed", p.returncode != 0 or told(out) == whole, out)
    for ranks in (2, 0):
        again = told(run(command(LONG, ranks, "--resume", file)).stdout)
        tests.judge(f"resumed by {ranks} ranks", again is not None and again == whole, again)


def limited(tests, folder):
    file = os.path.join(folder, "limited")
    whole = told(run(command(LONG, 0)).stdout)
    for seconds in ("0.5", "2", "8"):  # on a busy machine it may be over before the search begins: then nothing is saved
        first = run(command(LONG, 2, "--checkpoint", file, "--timeout", seconds))
        if first.returncode != 3 or os.path.exists(file):
            break
    tests.judge("--timeout", first.returncode in (0, 3), first.stderr)
    if first.returncode == 3:
        again = told(run(command(LONG, 4, "--resume", file)).stdout)
        tests.judge("resumed after --timeout", again is not None and again == whole, again)
    second = run(command(LONG, 2, "--timeout", "0.3"))
    tests.judge("--timeout alone", second.returncode in (0, 3) and told(second.stdout), second.stderr)


def refused(tests):
    missing = run(command(("nothing.c", [], []), 2))
    tests.judge("no such file", missing.returncode == 2 and missing.stderr.count("nothing.c") == 1, missing.stderr)
    other = run(["mpirun", "-n", "2", "build/porf-mpi", "outcomes", "examples/mp.c"])
    tests.judge("another command", other.returncode == 2 and "only supports `check`" in other.stderr, other.stderr)


def several(tests):
    """More than one program: the ranks go from one to the next together."""
    files = ["examples/mp.c", "bench/lastzero.c", "examples/treiber.c"]
    alone = run(["build/porf", "check", "-j", "1", "--format", "json", "--help-time", "0", *files])
    together = run(["mpirun", "-n", "2", "build/porf-mpi", "check", "-j", "1", "--format", "json", "--help-time", "0", *files])
    tests.judge("several programs", told(alone.stdout) == told(together.stdout) and alone.returncode == together.returncode,
                together.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ranks", default="1,2,4")
    args = parser.parse_args()
    os.chdir(ROOT)
    os.environ.update(ENVIRONMENT)
    tests = Tests()
    for program in PROGRAMS:
        alone = run(command(program, 0))
        for ranks in map(int, args.ranks.split(",")):
            r = run(command(program, ranks))
            name = " ".join([program[0], *program[1], *program[2], f"{ranks} ranks"])
            expected, found = told(alone.stdout), told(r.stdout)
            tests.judge(name, expected is not None and found == expected and r.returncode == alone.returncode,
                        f"{r.returncode} {r.stderr} {r.stdout}\ninstead of {alone.stdout}")
    with tempfile.TemporaryDirectory() as folder:
        killed(tests, folder)
        limited(tests, folder)
    several(tests)
    refused(tests)
    print(f"{tests.passed} passed, {tests.failed} failed")
    return 1 if tests.failed else 0


sys.exit(main())
