#!/usr/bin/env python3
"""Mutates the C programs of this repository and sends them through the whole of porf.

usage: tests/fuzz/fuzz_c.py [--seconds S] [--mutants N] [-j N] [--seed N] [--porf PATH] [--asan PATH] [-v]

Each mutant (mutate.py) is checked by the release build and by the sanitizer build with a random model and random
options. A run must end by itself, in time, with an exit code that fits its report; a mutant that clang refuses must
end with exit code 2. Then runs that must agree are compared (COMPARISONS below): with and without reductions, with
and without self-checks, threads created in another order, a stronger model with a weaker one, and so on. Some mutants
are not C but LLVM modules (.ll, .bc) and porf IR (.ir) made from the programs, and damaged; others are random programs
with locks and loops (waits.py).

A failure is shrunk line by line and written to build/fuzz/c-KIND-*, with the commands that show it in a .txt beside
it; failures of the same kind are shown once. The last line says how many mutants there were; the exit status is 1 if
one failed. The mutants depend on the seed alone. With -j N there are N workers, with the seeds N*seed, N*seed + 1, ...
"""
import argparse
import collections
import hashlib
import json
import multiprocessing
import os
import queue as queues
import random
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time

import mutate
import waits

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ['tests/litmus', 'tests/bugs', 'tests/programs', 'tests/structures', 'tests/front', 'bench', 'examples']
OUT = os.path.join(ROOT, 'build', 'fuzz')
EXIT = {'pass': 0, 'violation': 42, 'incomplete': 3}
MODELS = ['sc', 'tso', 'pso', 'sra', 'ra', 'rc11', 'rc20', 'wrc11']
# Every execution of the first model is one of the second.
INCLUDED = [('sc', m) for m in MODELS[1:]] + [
    ('tso', 'pso'), ('tso', 'sra'), ('tso', 'ra'), ('tso', 'rc11'), ('sra', 'ra'), ('rc11', 'rc20'), ('rc11', 'wrc11')]
INCLUDED_WITHOUT_SC = [('ra', 'rc11'), ('ra', 'rc20'), ('sra', 'rc11')]
TIMEOUT = 4                 # of porf, in seconds
GRACE = 3                   # processor time that a run may take beyond that
WALL = 60                   # for a run that does not use the processor
MEMORY = 4 << 30            # address space of a run of the release build
SHRINK_SECONDS = 60
CLANG = os.environ.get('PORF_CLANG', 'clang-19')
ENVIRONMENT = {'ASAN_OPTIONS': 'exitcode=99:allocator_may_return_null=1:soft_rss_limit_mb=1500',
               'UBSAN_OPTIONS': 'print_stacktrace=1:exitcode=99',
               # LLVM's reader loses memory when it gives up on broken bitcode
               'LSAN_OPTIONS': f'print_suppressions=0:suppressions={ROOT}/tests/fuzz/leaks.txt'}


# ---- one run

class Run:
    """What came out of one call of porf."""

    def __init__(self, code, out, err, seconds):
        self.code, self.err, self.seconds = code, err.decode(errors='replace'), seconds
        self.out = out
        self.result = None

    def parse(self):
        try:
            self.result = json.loads(self.out)
        except ValueError:
            self.result = None

    def kinds(self):
        return {f['kind'] for f in self.result['findings']}

    def not_covered(self):
        return {n['what'] for n in self.result['not_covered']}

    def is_complete(self):
        return self.result and not self.result['not_covered']


def execute(command, sanitized):
    def limit():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (TIMEOUT + GRACE + 10, TIMEOUT + GRACE + 12))
        if not sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, preexec_fn=limit,
                                   cwd=ROOT, env={**os.environ, **ENVIRONMENT}, start_new_session=True)
        try:
            code = process.wait(WALL)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            code = 'hang'
        out.seek(0)
        err.seek(0)
        texts = out.read(1 << 24), err.read(1 << 20)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Run(code, *texts, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def trouble_of(run, wants_json, limit):
    """The kind of failure that one run shows by itself, or None."""
    bug = re.search(r'internal error at (\S+?):(\d+): (.*)', run.err)
    if bug:
        return f'internal error {os.path.basename(bug.group(1))} {bug.group(3)[:60]}'
    broken = re.search(r'SUMMARY: (\S+): (.*)', run.err) or re.search(r'(\S+):\d+: (runtime error: .*)', run.err)
    if broken:
        return 'sanitizer ' + re.sub(r'0x[0-9a-f]+|\d+|/\S*/', '', ' '.join(broken.groups()))[:100]
    if run.code == 'hang' or run.code in (-24, -9) or run.seconds > limit:
        return 'hang'
    if isinstance(run.code, int) and (run.code < 0 or run.code not in (0, 2, 3, 42)):
        return f'exit {run.code} {re.sub(r"[^a-z ]", "", run.err[:60])}'
    if run.code == 2:
        return None if run.err.strip() else 'exit 2 without a message'
    if run.code == 3 and 'out of memory' in run.err:
        return None
    if wants_json:
        run.parse()
        if run.result is None:
            return 'malformed JSON'
        if EXIT.get(run.result['verdict']) != run.code:
            return f'verdict {run.result["verdict"]} and exit {run.code}'
        if run.result['verdict'] == 'pass' and (run.result['findings'] or run.result['not_covered']):
            return 'passes with findings or reasons'
        if (run.result['verdict'] == 'violation') != bool(run.result['findings']):
            return 'verdict violation without findings, or findings without it'
        if run.result['duplicates']:
            return f'duplicates under {run.result["model"]}'
    return None


# ---- a mutant

class Mutant:
    """A program with compiler flags, a model, and options that change what is explored."""

    def __init__(self, suffix, lines, cflags, model, options):
        self.suffix, self.lines, self.cflags, self.model, self.options = suffix, lines, cflags, model, options

    def content(self):
        if self.suffix == '.bc':
            return ''.join(self.lines).encode('latin-1')
        return ('\n'.join(self.lines) + '\n').encode('utf-8', errors='replace')

    def joins_all(self):
        """Probably. When main ends first, it depends on reductions whether others that wait are in the way."""
        text = self.content().decode('latin-1')
        return text.count('_create') == text.count('_join') and not re.search(r'exit|detach|abort|thrd_', text)

    def with_lines(self, lines):
        return Mutant(self.suffix, lines, self.cflags, self.model, self.options)


class Bench:
    """Runs mutants in a folder of its own."""

    def __init__(self, args, folder):
        self.args, self.folder = args, folder
        self.counts = collections.Counter()
        self.log = []   # the commands of the present comparison
        ENVIRONMENT['PORF_CACHE'] = os.path.join(folder, 'cache')

    def path(self, mutant):
        return os.path.join(self.folder, 'mutant' + mutant.suffix)

    def command(self, mutant, extra, sanitized=False, model=None):
        porf = self.args.asan if sanitized else self.args.porf
        return [porf, 'check', '-m', model or mutant.model, '--timeout', str(TIMEOUT), *mutant.options, *extra,
                self.path(mutant), '--', '-w', *mutant.cflags]

    def run(self, mutant, extra, sanitized=False, model=None):
        """A run and what is wrong with it. The mutant is written first, since shrinking changes it all the time."""
        with open(self.path(mutant), 'wb') as f:
            f.write(mutant.content())
        command = self.command(mutant, extra, sanitized, model)
        self.log.append(command)
        self.counts['runs'] += 1
        limit = TIMEOUT + GRACE * (4 if sanitized else 1)
        run = execute(command, sanitized)
        what = trouble_of(run, 'json' in extra, limit)
        if what == 'hang':
            run = execute(command, sanitized)   # the machine may have been busy
            what = trouble_of(run, 'json' in extra, limit)
        return run, what


JSON = ['--format', 'json', '--keep-going']


# ---- comparisons: each gets the bench, a mutant and its plain run; and says what is wrong or None

def fair(a, b):
    """Nothing was cut off by limits that depend on the order of the search."""
    limits = re.compile(r'executions|visible events|memory')
    return not any(limits.search(n) for n in a.not_covered() | b.not_covered())


# Where a stray pointer leads depends on how objects lie, and what happens behind a wrong access on who noticed it.
WILD = {'out-of-bounds', 'invalid-free', 'use-after-free', 'double-free', 'lock-misuse', 'uninitialised'}


HARMLESS = {'race', 'deadlock', 'liveness'}   # the execution goes on, or has come to its end


def comparable_kinds(run):
    """Models without mo cannot always tell whether a thread waits forever: MODELS.md."""
    return run.kinds() - ({'liveness'} if run.result['model'] == 'wrc11' else set())


def differ(name, mutant, a, b, counts=True):
    if not fair(a, b) or a.not_covered() != b.not_covered():
        return None
    ours, theirs = comparable_kinds(a), comparable_kinds(b)
    if ours != theirs and (not ours or not theirs or not (ours | theirs) & WILD):
        return f'{name}: findings differ under {a.result["model"]}: {"+".join(sorted(ours ^ theirs))}'
    if counts and mutant.joins_all() and a.kinds() <= HARMLESS and a.result['executions'] != b.result['executions']:
        return f'{name}: executions differ under {a.result["model"]}'
    return None


def has_sc(run):
    """Of a run with --dump ir."""
    return re.search(r'\bsc\b', run.err)


def compare_reductions(bench, mutant, plain):
    switch = bench.random.choice(['--reduce=none', '--reduce=none', '--reduce=-symmetry', '--reduce=-commuting'])
    other, what = bench.run(mutant, JSON + [switch, '--dump', 'ir'])
    if what or not other.result:
        return what
    # ALGORITHM.md §9: private accesses are not there to matter in psc
    corner = mutant.model in ('rc11', 'rc20', 'wrc11') and switch == '--reduce=none' and has_sc(other)
    merged = switch == '--reduce=none' and 'builtin turn' in other.err   # barriers, §9c: not counted
    counts = not merged and (not corner or plain.result['executions'] < other.result['executions'])
    return differ(switch, mutant, plain, other, counts)


def compare_self_checks(bench, mutant, plain):
    other, what = bench.run(mutant, JSON + ['--check-invariants', '--check-duplicates'])
    return what or (other.result and differ('self-checks', mutant, plain, other))


def compare_again(bench, mutant, plain):
    other, what = bench.run(mutant, JSON + ['--no-cache'])
    if what or not other.result or not fair(plain, other):
        return what
    volatile = ('seconds', 'peak_bytes')
    same = all(plain.result[k] == other.result[k] for k in plain.result if k not in volatile)
    return None if same else 'two runs differ'


def compare_stopping(bench, mutant, plain):
    """The first violation is one of all violations."""
    other, what = bench.run(mutant, ['--format', 'json'])
    if what or not other.result or not plain.is_complete() and plain.result['verdict'] != 'violation':
        return what
    if not fair(plain, other):
        return None
    if other.result['verdict'] != plain.result['verdict'] or not other.kinds() <= plain.kinds():
        return f'--keep-going: {plain.result["verdict"]} and {other.result["verdict"]} under {mutant.model}'
    return None


DISPLAYS = [['--full'], ['--stats'], ['--print-executions'], ['--show-output'], ['--color', 'always'], ['-q'],
            ['--format', 'dot', '-o', os.devnull], ['--dump', 'graph'], ['--dump', 'effects'], ['--dump', 'ir']]


def compare_formats(bench, mutant, plain):
    extra = sum(bench.random.sample(DISPLAYS, 3), ['--keep-going', '--format', bench.random.choice(['text', 'dot'])])
    other, what = bench.run(mutant, extra, sanitized=bench.random.random() < 0.3)
    if what or plain.result['verdict'] == 'incomplete' or other.code == 3:
        return what
    return None if other.code == plain.code else f'exit {plain.code} as JSON and {other.code} otherwise'


def compare_unrolled(bench, mutant, plain):
    """Fewer executions have no more kinds of errors."""
    other, what = bench.run(mutant, JSON + ['--unroll', str(bench.random.choice([1, 2, 3, 7]))])
    if what or not other.result or not plain.is_complete() or other.kinds() <= plain.kinds():
        return what
    return f'--unroll: finds more under {mutant.model}: {"+".join(sorted(other.kinds() - plain.kinds()))}'


def compare_races(bench, mutant, plain):
    other, what = bench.run(mutant, JSON + ['--no-race'])
    if what or not other.result or not fair(plain, other) or plain.not_covered() != other.not_covered():
        return what
    changed = comparable_kinds(other) ^ comparable_kinds(plain)
    if changed <= {'race'} or (other.kinds() | plain.kinds()) & WILD:
        return None
    return f'--no-race: findings differ under {mutant.model}: {"+".join(sorted(changed))}'


def compare_models(bench, mutant, plain):
    """What a stronger model allows, a weaker one allows, too."""
    without_sc = bench.random.random() < 0.4
    strong, weak = bench.random.choice(INCLUDED_WITHOUT_SC if without_sc else INCLUDED)
    a, what = bench.run(mutant, JSON + ['--no-race', '--dump', 'ir'], model=strong)
    if what or not a.result or (without_sc and has_sc(a)):
        return what
    b, what = bench.run(mutant, JSON + ['--no-race'], model=weak)
    if what or not b.is_complete():
        return what
    lost = a.kinds() - b.kinds() - ({'liveness'} if weak == 'wrc11' else set())
    if strong == 'sc' and weak in ('tso', 'pso'):
        lost -= {'use-after-free', 'double-free'}   # unordered by C11's hb, but not for a machine
    if lost:
        return f'{strong} finds more than {weak}: {"+".join(sorted(lost))}'
    if mutant.joins_all() and b.kinds() <= HARMLESS and weak != 'wrc11' and a.result['executions'] > b.result['executions']:
        return f'{strong} has more executions than {weak}'
    return None


def compare_creation(bench, mutant, plain):
    """The order in which threads are created back to back does not matter."""
    pattern = re.compile(r'\s*(pthread_create \(&?\w+(\[\d+\])?, \w+, \w+, [^()]*\);|r\d+ = builtin thread_create.*)$')
    pairs = [i for i, (a, b) in enumerate(zip(mutant.lines, mutant.lines[1:])) if pattern.match(a) and pattern.match(b)]
    if not pairs:
        return None
    i = bench.random.choice(pairs)
    lines = list(mutant.lines)
    lines[i], lines[i + 1] = lines[i + 1], lines[i]
    other, what = bench.run(mutant.with_lines(lines), JSON)
    return what or (other.result and differ('creation order', mutant, plain, other))


COMPARISONS = [compare_reductions] * 3 + [compare_models] * 4 + [compare_creation] * 2 + [
    compare_self_checks, compare_again, compare_stopping, compare_formats, compare_unrolled, compare_races]

FOR_GENERATED = [compare_reductions, compare_creation, compare_models]


# ---- judging, shrinking

def judge(bench, mutant, plan):
    """What is wrong with a mutant, by a plan: (sanitized, comparisons, random state), or None."""
    sanitized, comparisons, state = plan
    bench.log = []
    bench.random = random.Random(state)
    plain, what = bench.run(mutant, JSON, sanitized)
    bench.accepted = plain.code != 2
    if what or not plain.result:
        return what
    for comparison in comparisons:
        what = what or comparison(bench, mutant, plain)
    return what


def shrink(bench, mutant, plan, kind):
    """Delta debugging by lines, for a while: takes out ever smaller pieces, single lines until none is left."""
    end = time.monotonic() + SHRINK_SECONDS
    lines, size = mutant.lines, max(1, len(mutant.lines) // 2)
    while time.monotonic() < end:
        i, before = 0, len(lines)
        while i < len(lines) and time.monotonic() < end:
            fewer = lines[:i] + lines[i + size:]
            if judge(bench, mutant.with_lines(fewer), plan) == kind:
                lines = fewer
            else:
                i += size
        if size == 1 and len(lines) == before:
            break
        size = max(1, size // 2)
    return mutant.with_lines(lines)


def save(bench, mutant, plan, kind):
    judge(bench, mutant, plan)   # for the commands
    name = re.sub(r'[^a-z0-9]+', '-', kind.lower()).strip('-')[:60]
    path = os.path.join(OUT, f'c-{name}-{hashlib.sha1(mutant.content()).hexdigest()[:6]}{mutant.suffix}')
    commands = [shlex.join(path if word == bench.path(mutant) else word for word in command) for command in bench.log]
    os.makedirs(OUT, exist_ok=True)
    with open(path, 'wb') as f:
        f.write(mutant.content())
    with open(path + '.txt', 'w', encoding='utf-8') as f:
        print(kind, *commands, sep='\n', file=f)
    return os.path.relpath(path, ROOT), commands


# ---- seeds and the loop

def inline_headers(path):
    """The lines of a program, with the headers that stand beside it put in."""
    with open(path, encoding='utf-8', errors='replace') as f:
        lines = []
        for line in f.read().splitlines():
            header = re.match(r'#include "([\w.]+)"', line)
            beside = header and os.path.join(os.path.dirname(path), header.group(1))
            lines += inline_headers(beside) if beside and os.path.exists(beside) else [line]
    return [line for line in lines if line.strip() and not line.startswith('//')]


def seeds():
    """(suffix, lines, lists of compiler flags) of every program."""
    found = []
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            suffix = os.path.splitext(name)[1]
            if suffix not in ('.c', '.cpp'):
                continue
            path = os.path.join(ROOT, folder, name)
            with open(path, encoding='utf-8', errors='replace') as f:
                heads = re.findall(r'^// \w+\[([^\]]*)\]:', f.read(), re.MULTILINE)
            flags = [[w for w in shlex.split(h) if re.match(r'-D\w+(=\w+)?$', w)] for h in heads]
            found.append((suffix, inline_headers(path), [[]] + flags))
    return found


def lowered(bench, suffix, lines, cflags, to):
    """The program as an LLVM module or as porf IR; None if it is not valid."""
    source = Mutant(suffix, lines, cflags, None, [])
    with open(bench.path(source), 'wb') as f:
        f.write(source.content())
    flags = ['-w', f'-I{ROOT}/include', '-include', f'{ROOT}/include/porf/verifier.h', '-D__PORF__=1', *cflags]
    clang = [CLANG, '-O0', '-g', '-Xclang', '-disable-O0-optnone', '-emit-llvm', *flags, '-o', '-', bench.path(source)]
    command = {'.ll': clang + ['-S'], '.bc': clang + ['-c'],
               '.ir': [bench.args.porf + '-cc', bench.path(source), '--', '-w', *cflags]}[to]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    made = made.decode('latin-1')
    width = mutate.BYTES_A_LINE
    return [made[i:i + width] for i in range(0, len(made), width)] if to == '.bc' else made.splitlines()


def random_options(rng):
    options = ['--max-executions', '3000', '--help-time', str(rng.choice([0, 0, 0, 0.2]))]
    nondet = ['0..1', '-1..2', '7', '3,5,1', '-5..-5', '9223372036854775807']
    for chance, words in [(0.15, ['--no-race']), (0.1, ['--unroll', str(rng.choice([0, 1, 2, 5]))]),
                          (0.1, ['--nondet', rng.choice(nondet)]), (0.05, ['--memory', str(rng.choice([0, 1, 10]))]),
                          (0.1, ['--reduce=none']), (0.1, ['--check-invariants']), (0.1, ['--check-duplicates']),
                          (0.05, ['-j', '3']), (0.1, ['--spurious']), (0.1, ['--reduce=-symmetry'])]:
        if rng.random() < chance:
            options += words
    return options


def worker(args, seed, queue):
    rng = random.Random(seed)
    corpus = seeds()
    library = [lines for _, lines, _ in corpus]
    mutator = mutate.Mutator(rng, library)
    kinds = collections.Counter()
    young = collections.deque(maxlen=100)   # accepted mutants, to be mutated further
    end = time.monotonic() + args.seconds
    with tempfile.TemporaryDirectory(prefix='porf-fuzz-') as folder:
        bench = Bench(args, folder)
        while time.monotonic() < end and (not args.mutants or bench.counts['mutants'] < args.mutants):
            suffix, lines, flags = rng.choice(young) if young and rng.random() < 0.3 else rng.choice(corpus)
            cflags = list(rng.choice(flags))
            if rng.random() < 0.1:
                cflags.append(f'-DN={rng.choice([0, 1, 2, 3, 4, 5, 8])}')
            generated = rng.random() < args.generated
            lower = rng.choice(['.ll', '.bc', '.ir']) if rng.random() < args.lowered else None
            if generated:
                suffix, lines, cflags = '.ir', waits.generate(rng), []
            elif lower:
                suffix, lines = lower, lowered(bench, suffix, lines, cflags, lower)
                lines = lines and (mutate.mutate_bytes if lower == '.bc' else mutate.mutate_text)(rng, lines)
            else:
                lines = mutator.mutate(lines)
            if not lines:
                continue
            mutant = Mutant(suffix, lines, cflags, rng.choice(MODELS), random_options(rng))
            comparable = not {'--memory', '--reduce=none', '--unroll'} & set(mutant.options)
            comparisons = FOR_GENERATED if generated else rng.sample(COMPARISONS, 3)
            plan = (rng.random() < (0.1 if generated else 0.5), comparisons if comparable else [], rng.random())
            kind = judge(bench, mutant, plan)
            bench.counts['mutants'] += 1
            if bench.accepted:
                bench.counts['accepted'] += 1
                if suffix in ('.c', '.cpp') and len(lines) < 200:
                    young.append((suffix, lines, [cflags]))
            if kind:
                kinds[kind] += 1
                if kinds[kind] == 1:
                    began = time.monotonic()
                    small = shrink(bench, mutant, plan, kind)
                    path, commands = save(bench, small, plan, kind)
                    queue.put(('failure', kind, path, commands))
                    end += time.monotonic() - began
            elif args.verbose and bench.counts['mutants'] % 100 == 0:
                print(f'seed {seed}: {dict(bench.counts)} {dict(kinds)}', flush=True)
        queue.put(('done', dict(bench.counts), dict(kinds)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=float, default=20)
    parser.add_argument('--mutants', type=int, default=0, help='stop after this many for each worker')
    parser.add_argument('-j', type=int, default=1, metavar='N')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--porf', default='build/porf')
    parser.add_argument('--asan', default='build/asan/porf')
    parser.add_argument('--generated', type=float, default=0.5, metavar='SHARE',
                        help='share of programs that are not mutated but made by waits.py')
    parser.add_argument('--lowered', type=float, default=0.12, metavar='SHARE',
                        help='share of the others that are damaged LLVM modules or porf IR')
    parser.add_argument('-v', '--verbose', action='store_true')
    args = parser.parse_args()
    args.porf, args.asan = os.path.abspath(args.porf), os.path.abspath(args.asan)
    queue = multiprocessing.Queue()
    workers = [multiprocessing.Process(target=worker, args=(args, args.j * args.seed + i, queue), daemon=True)
               for i in range(args.j)]
    for w in workers:
        w.start()
    counts, kinds, running = collections.Counter(), collections.Counter(), args.j
    while running:
        try:
            message = queue.get(timeout=10)
        except queues.Empty:
            if all(w.exitcode is not None for w in workers):
                sys.exit('fuzz_c.py: a worker died')
            continue
        if message[0] == 'failure':
            print(f'FAIL {message[1]}\n  {message[2]}', *('  ' + c for c in message[3]), sep='\n', flush=True)
            continue
        counts.update(message[1])
        kinds.update(message[2])
        running -= 1
    for kind, count in kinds.most_common():
        print(f'{count} of: {kind}')
    print(f'{counts["mutants"]} mutants, {counts["accepted"]} of them accepted by clang, {counts["runs"]} runs, '
          f'{sum(kinds.values())} failures of {len(kinds)} kinds')
    return 1 if kinds else 0


if __name__ == '__main__':
    sys.exit(main())
