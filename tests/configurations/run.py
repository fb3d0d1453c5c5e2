#!/usr/bin/env python3
"""The verdict does not depend on how the search is configured, on the programs of the test corpus.

usage: tests/configurations/run.py [--porf PATH] [-k PATTERN] [-c PATTERN] [--sample N] [--seed N] [--limit S] [-j N] [path …]

Every program that the corpus checks is checked once with one worker and everything else as a user has it, and then in
each configuration of the table below, with --keep-going. A configuration must give the same verdict and the same kinds
of findings, or say "incomplete" and why; then it may lack findings, but have no others. More workers must give exactly
the same. A configuration that the model does not support must be refused by name. A run ends after --limit seconds (by
porf's own --timeout, which is such a reason). -k: only runs whose name contains PATTERN; -c: only such configurations;
--sample: only N of them, drawn at random (--seed, printed).
The last line is "N passed, M failed".
"""

import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests"))
from compiled import Compiled  # noqa: E402
from corpus import PATHS, lines_of  # noqa: E402

Configuration = collections.namedtuple("Configuration", "name options exact models")
Verdict = collections.namedtuple("Verdict", "code verdict kinds reasons text")

ALL = None
CONFIGURATIONS = [
    Configuration("workers", ["--jobs", "3"], True, ALL),
    Configuration("no reductions", ["--reduce=none"], False, ALL),
    Configuration("no symmetry", ["--reduce=-symmetry"], False, ALL),
    Configuration("no commuting", ["--reduce=-commuting,-barriers"], False, ALL),
    Configuration("skip retries", ["--skip-retries"], False, ALL),
    Configuration("unroll", ["--unroll", "3"], False, ALL),
    Configuration("futures", ["--engine", "futures"], False, {"sc", "tso", "pso", "sra", "ra", "rc11", "rc20"}),
    Configuration("machine", ["--mca"], False, {"pso"}),
]
OWN = {w for c in CONFIGURATIONS for w in c.options if w.startswith("--")} - {"--unroll"}
REFUSED = re.compile(r"is not for|is not supported|does not support|has no `|cannot be combined")
BUSY = 4  # how much longer a run may take by the clock than by porf's own limit before it counts as one without an end


def check(porf, line, limit):
    """What porf says; Verdict.verdict is None if it says nothing."""
    try:
        p = subprocess.run([porf, *line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL,
                           text=True, errors="replace", cwd=ROOT, timeout=BUSY * (limit + 5))
    except subprocess.TimeoutExpired:
        return Verdict(-1, None, set(), [], f"no end, although --timeout is {limit}")
    try:
        document = json.loads(p.stdout)
    except ValueError:
        return Verdict(p.returncode, None, set(), [], p.stderr.strip()[:400])
    kinds = {f["kind"] for f in document["findings"]}
    return Verdict(p.returncode, document["verdict"], kinds, document["not_covered"] or [], p.stderr.strip()[:400])


def show(v):
    return f"{v.verdict or 'exit %d' % v.code} {sorted(v.kinds)} {v.reasons or v.text}"


def is_cut_short(v):
    return any("--timeout" in json.dumps(reason) for reason in v.reasons)


def agrees(base, other, exact):
    """Whether another configuration may say this."""
    if other.verdict is None:
        return other.code == 2 and REFUSED.search(other.text)
    if is_cut_short(base):  # what is not known of the one cannot be held against the other
        return other.verdict != "pass" or base.verdict == "incomplete"
    if exact and not is_cut_short(other):
        return (base.verdict, base.kinds) == (other.verdict, other.kinds)
    if base.reasons:  # another configuration may get further
        return base.kinds <= other.kinds or bool(other.reasons)
    return other.kinds == base.kinds and other.verdict == base.verdict or bool(other.reasons) and other.kinds <= base.kinds


def compare(item, args, compiled):
    """What is wrong with this program: a list of sentences; and how many configurations were tried."""
    name, model, options, source = item
    rest = compiled.ir(*source)
    limit = ["--timeout", str(args.limit)]
    base = check(args.porf, [*options, *limit, "--jobs", "1", *rest], args.limit)
    if base.verdict is None:
        return name, 1, [f"{show(base)}"]
    wrong, tried = [], 0
    for c in CONFIGURATIONS:
        if args.c not in c.name or (c.models and model not in c.models):
            continue
        before = [*options, *limit, *(["--jobs", "1"] if "--jobs" not in c.options else []), *c.options]
        if c.name == "machine":
            before = [w for i, w in enumerate(before) if w != "-m" and (i == 0 or before[i - 1] != "-m")]
        other = check(args.porf, [*before, *rest], args.limit)
        tried += 1
        if not agrees(base, other, c.exact):
            wrong.append(f"{c.name}: {show(other)}, instead of {show(base)}\n     {shlex.join(['porf', *before, *source])}")
    return name, tried, wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--porf", default="build/porf")
    parser.add_argument("-k", default="")
    parser.add_argument("-c", default="")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.randrange(1, 1 << 30))
    parser.add_argument("--limit", type=int, default=2)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    parser.add_argument("paths", nargs="*")
    args = parser.parse_args()
    os.chdir(ROOT)
    todo = [item for item in lines_of(args.paths or PATHS, OWN) if args.k in item[0]]
    if 0 < args.sample < len(todo):
        todo = random.Random(args.seed).sample(todo, args.sample)
        print(f"seed {args.seed}")
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(max_workers=args.j) as pool:
        compiled = Compiled(args.porf, folder, is_corpus=True)
        for name, tried, wrong in pool.map(lambda item: compare(item, args, compiled), todo):
            passed += tried - len(wrong)
            failed += len(wrong)
            for text in wrong:
                print(f"FAIL {name}: {text}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
