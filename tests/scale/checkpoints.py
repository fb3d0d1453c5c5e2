#!/usr/bin/env python3
"""Checkpoints: runs that are killed and resumed end as if nothing had happened; other files are refused.

usage: tests/scale/checkpoints.py [--kills N] [--seed N] [--porf FILE]

Every program is checked without interruption by one worker. Then it is checked with a checkpoint every few
hundredths of a second, killed with SIGKILL after a random time, and resumed with another number of workers, until it
comes to its end or has been killed N times (default 6). Counts and findings must be the same. The last line is
"N passed, M failed".
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from told import told  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORKERS = [2, 1, 3, 8, 2]
PROGRAMS = [  # file, options, flags of the compiler
    ("bench/lastzero.c", [], ["-DN=17"]),
    ("bench/ticketlock.c", [], ["-DN=8"]),
    ("tests/scale/findings.c", ["--keep-going"], ["-DN=5"]),
    ("tests/scale/findings.c", ["-m", "wrc11", "--keep-going"], ["-DN=5"]),
    ("tests/scale/findings.c", ["-m", "tso", "--keep-going", "--no-race"], ["-DN=5"]),
    ("bench/fib_bench.c", ["-m", "imm"], ["-DK=3"]),
    ("bench/coherence.c", ["-m", "armv8"], ["-DK=5"]),
    ("bench/scaling.c", ["-m", "mcm/weak.mcm"], ["-DT=9", "-DM=3"]),
]
SMALL = ("bench/lastzero.c", [], ["-DN=17"])


class Tests:
    def __init__(self, porf):
        self.porf, self.passed, self.failed = porf, 0, 0

    def judge(self, name, fine, why=""):
        self.passed += fine
        self.failed += not fine
        if not fine:
            print(f"FAIL {name}: {why}")

    def command(self, program, *more):
        file, options, flags = program
        return [self.porf, "check", "--format", "json", "--help-time", "0", *options, *more, file, "--", *flags]

    def run(self, program, *more):
        return subprocess.run(self.command(program, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=300)


def run_and_kill(tests, program, seconds, *more):
    """What the run says, or None if it had to be killed."""
    p = subprocess.Popen(tests.command(program, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        out, err = p.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        p.send_signal(signal.SIGKILL)
        p.communicate()
        return None
    return out if out else err


def survive(tests, program, kills, folder, draw):
    name = " ".join([program[0], *program[1], *program[2]])
    file = os.path.join(folder, "checkpoint")
    start = time.monotonic()
    whole = tests.run(program, "--jobs", "1").stdout
    most = time.monotonic() - start
    killed = resumed = 0
    out = None
    while out is None:
        more = ["--jobs", str(WORKERS[killed % len(WORKERS)]), "--checkpoint", file, "--every", "0.02"]
        if os.path.exists(file):
            more += ["--resume", file]
            resumed += 1
        if killed == kills:
            out = tests.run(program, *more).stdout
        else:
            out = run_and_kill(tests, program, draw.uniform(0.05, max(0.3, 0.5 * most)), *more)
            killed += out is None
    expected, found = told(whole), told(out)
    tests.judge(name, expected is not None and expected == found,
                f"killed {killed} times, resumed {resumed} times: {out[:2000]}\ninstead of {whole[:2000]}")
    if os.path.exists(file):
        os.remove(file)
    return killed, resumed


def interrupted(tests, folder):
    """SIGTERM leaves a checkpoint behind, and so does --timeout."""
    file = os.path.join(folder, "interrupted")
    whole = told(tests.run(SMALL, "--jobs", "2").stdout)
    for seconds in (0.5, 2, 8):  # on a busy machine the search may not have begun: then nothing is saved
        p = subprocess.Popen(tests.command(SMALL, "--jobs", "2", "--checkpoint", file), stdout=subprocess.PIPE, text=True)
        time.sleep(seconds)
        p.send_signal(signal.SIGTERM)
        first = told(p.communicate()[0])
        if p.returncode == 0 or os.path.exists(file):
            break
    if p.returncode == 0:  # a fast machine: it was done by then
        first = None
    fine = first is None or (p.returncode == 3 and first["verdict"] == "incomplete" and os.path.exists(file))
    tests.judge("SIGTERM", fine, f"{p.returncode} {first}")
    if first is None:
        return None
    again = told(tests.run(SMALL, "--jobs", "3", "--resume", file).stdout)
    tests.judge("resumed after SIGTERM", again == whole, f"{again} instead of {whole}")
    first = tests.run(SMALL, "--jobs", "2", "--checkpoint", file, "--timeout", "0.2")
    tests.judge("--timeout", first.returncode in (0, 3), first.stderr)
    again = told(tests.run(SMALL, "--jobs", "1", "--resume", file).stdout)
    tests.judge("resumed after --timeout", again == whole, f"{again} instead of {whole}")
    return file


def refused(tests, file, folder):
    with open(file, "rb") as f:
        data = f.read()

    def refuses(name, content, message, program=SMALL, *more):
        path = os.path.join(folder, "other")
        with open(path, "wb") as f:
            f.write(content)
        r = tests.run(program, "--resume", path, *more)
        tests.judge(name, r.returncode == 2 and message in r.stderr, f"{r.returncode} {r.stderr}")

    file, options, flags = SMALL
    middle = len(data) // 2
    refuses("an empty file", b"", "is not a porf checkpoint")
    refuses("a file of something else", b"int main(void) { return 0; }\n" * 100, "is not a porf checkpoint")
    refuses("the head alone", data[:16], "it is truncated")
    refuses("half a file", data[:middle], "it is truncated")
    refuses("all but a byte", data[:-1], "it is truncated")
    refuses("a byte more", data + b"x", "damaged")
    refuses("a bit", data[:middle] + bytes([data[middle] ^ 4]) + data[middle + 1:], "damaged")
    refuses("another version", data[:16] + bytes([99]) + data[17:], "version 99")
    refuses("another program", data, "another program", (file, options, ["-DN=16"]))
    refuses("another model", data, "another model", (file, ["-m", "tso"], flags))
    for option in ("--no-race", "--no-liveness", "--overflow", "--malloc-fails", "--join-all"):
        refuses(f"with {option}", data, "options are not the same", (file, [option], flags))
    r = tests.run(SMALL, "--resume", os.path.join(folder, "nothing"))
    tests.judge("no file", r.returncode == 2 and "cannot read" in r.stderr, r.stderr)
    for option in ["--max-executions=5", "--print-executions", "--check-duplicates"]:
        r = tests.run(SMALL, "--checkpoint", os.path.join(folder, "x"), option)
        tests.judge(option, r.returncode == 2 and "cannot be combined with" in r.stderr, r.stderr)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--porf", default="build/porf")
    args = parser.parse_args()
    os.chdir(ROOT)
    tests, draw = Tests(args.porf), random.Random(args.seed)
    killed = resumed = 0
    with tempfile.TemporaryDirectory() as folder:
        for program in PROGRAMS:
            k, r = survive(tests, program, args.kills, folder, draw)
            killed, resumed = killed + k, resumed + r
        file = interrupted(tests, folder)
        if file:
            refused(tests, file, folder)
    print(f"{killed} kills, resumed {resumed} times")
    print(f"{tests.passed} passed, {tests.failed} failed")
    return 1 if tests.failed else 0


sys.exit(main())
