#!/usr/bin/env python3
"""Random headers of tests, as a stranger could write them: `porf test` runs no code, writes no file and says what it refuses.

usage: tests/cli/headers.py [--porf PATH] [-n N] [--seed S] [-v]

Every header is drawn from all options that the commands list in their help, flags of clang, and names of files. Without --trust no file may
appear or change in the directory, TMPDIR or home, no program but porf-cc and clang may be started, and a header with a
word that is not known to be safe ends in exit code 2 and a message that names it. What is safe is listed here, by hand:
an option that is new is not. Every fourth time the words are also flags in a compile_commands.json.
"""
import argparse
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = '// porf: %s\nint main (void) { return 0; }\n'
CANARY = '''#include <stdio.h>
__attribute__ ((constructor)) static void go (void) { FILE *f = fopen ("%s", "w"); if (f) fclose (f); }
'''

SAFE = """-m --model=sc --mapping=aarch64 --engine=explore --engine=futures --engine=machine --plain-races --no-race --volatile --leaks --keep-going
--nondet=0..3 --spurious --skip-retries --mca --non-mca --share --partition=0 --incoherent --window=2 --breadth-first --bit-state=10
--unroll=3 --timeout=5 --max-executions=9 --memory=100 --jobs=1 -j1 --estimate --bound=context=2 --sample=3 --seed=4
--format=json --full --print-executions --observe=x --help-time=0 --edits --finding=1 --stats --quiet -q --color=never
--reduce=none --reduce=-symmetry,-commuting --no-reductions --no-symmetry --no-commuting --no-barriers --no-lazy --no-eager --no-dead --no-own --no-cache --dependencies
--dump=ir --check-duplicates --check-invariants --no-liveness --overflow --malloc-fails --args=x --env=A=1 --time-passes
--join-all --reuse-addresses --no-abort""".split()
SAFE[0] = '-msc'
SAFE_NAMES = {w.split('=')[0] for w in SAFE} | {'-m'}

SAFE_FLAGS = """-DX=1 -D|Y=2 -UX -I. -I|include -isysteminclude -iquote|include -idirafterinclude -include|h.h -imacrosh.h -std=c11 -std=gnu17
-ansi -pthread -fsigned-char -funsigned-char -fwrapv -fexceptions -mavx2 -msse4.2 -mcx16 -m64 -march=x86-64 -Wall -Wextra -w -g
-xc -x|c -DA=@x""".split()
# `|` is a blank; EVIL is a library that leaves a mark when it is loaded, OUT a file that does not exist.
EVIL_FLAGS = """-fplugin=EVIL -Xclang|-load|-Xclang|EVIL -fpass-plugin=EVIL -Xclang|-fpass-plugin=EVIL -mllvm|-load=EVIL -mllvm=-load=EVIL
-D|@resp -D@resp --target=@resp -target|@resp -march=@resp -march=native -mtune=native -std=@resp -mabi=@resp -mtune=@resp @resp -U@resp -x|@resp
-o|OUT -oOUT -MF|OUT -MFOUT -MD -MMD -MJ|OUT -MJOUT -Wp,-MD,OUT -Wa,--listing -Wl,-o,OUT -Xpreprocessor|-MD -Xlinker|-o -Xassembler|x
-save-temps -save-temps=obj --save-temps -dumpdir|OUT -ftime-trace -ftime-trace=OUT -fmodules -fmodules-cache-path=OUT
-fcrash-diagnostics-dir=OUT --serialize-diagnostics|OUT -serialize-diagnostics|OUT -B. -B|. -wrapper|./tool,x --config|cfg --config=cfg -specs=specs
--ld-path=./tool -fuse-ld=./tool -fsanitize=address -fprofile-instr-generate=OUT -fcoverage-mapping --coverage -ftest-coverage
-foptimization-record-file=OUT -fsave-optimization-record -fdiagnostics-log-file=OUT -Rpass=.* -gsplit-dwarf -fproc-stat-report=OUT
-x|cuda -xhip -x|assembler-with-cpp -x|ir -xast -include-pch|h.pch --gcc-toolchain=. -resource-dir=. -resource-dir|. -ccc-install-dir|.
-fmodule-file=x -emit-ast -E -S -c -### -v --help -print-search-dirs -fembed-bitcode -fintegrated-cc1 -no-canonical-prefixes
-ivfsoverlay|y -fdebug-compilation-dir=OUT -working-directory|include -fprebuilt-module-path=. -load|EVIL -plugin|EVIL -remap|x
-fdepfile-entry=x -index-store-path|OUT -module-dependency-dir|OUT -fbasic-block-sections=list=x -fprofile-use=x -O2 -flto -D -I -x""".split()
EVIL_OPTIONS = """--checkpoint=OUT --resume=resp --output=OUT -oOUT -o|OUT --save=OUT.json --save=OUT.html --all-states=OUT --dot=OUT
--fix-patch=OUT --patch=OUT --keep=OUT --gdb --check=resp --trust --every=1 --mapping=/etc/passwd --mapping=../x -m/etc/x.cat -m|../m.cat
--model=sc,/x.cat --example --version --help -h --few-fences""".split()


class Scratch:
    def __init__(self, folder):
        self.folder = folder
        self.mark, self.work = os.path.join(folder, 'MARK'), os.path.join(folder, 'work')
        for name in ('work/include', 'home', 'tmp', 'cache'):
            os.makedirs(os.path.join(folder, name))
        source = os.path.join(folder, 'evil.c')
        with open(source, 'w') as f:
            f.write(CANARY % self.mark)
        self.evil = os.path.join(folder, 'evil.so')
        subprocess.run(['cc', '-shared', '-fPIC', '-o', self.evil, source], check=True)
        self.write('work/resp', f'-load {self.evil} -fplugin={self.evil}\n')
        self.write('work/cfg', f'-fplugin={self.evil}\n')
        self.write('work/h.h', '')
        self.write('work/tool', f'#!/bin/sh\ntouch {self.mark}\n')
        os.chmod(os.path.join(self.work, 'tool'), 0o755)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), 'w') as f:
            f.write(text)

    def state(self):
        """Everything but the cache."""
        found = {}
        for name in ('work', 'home', 'tmp'):
            for where, folders, files in os.walk(os.path.join(self.folder, name)):
                for file in files:
                    path = os.path.join(where, file)
                    with open(path, 'rb') as f:
                        found[path] = hashlib.sha256(f.read()).hexdigest()
                found.update((os.path.join(where, f), 'folder') for f in folders)
        return found, os.path.exists(self.mark)

    def environment(self):
        return dict(os.environ, HOME=self.folder + '/home', TMPDIR=self.folder + '/tmp', PORF_CACHE=self.folder + '/cache')


def draw(rng, scratch, evil_options):
    """Options, flags, and those words of them that are not safe."""
    options, flags, evil = [], [], []
    def put(into, word, is_evil):
        word = word.replace('EVIL', scratch.evil).replace('OUT', rng.choice(['out', scratch.folder + '/home/out', 'h.h']))
        into += word.split('|')
        if is_evil:
            evil.append(word)
    for _ in range(rng.randrange(3)):
        put(options, rng.choice(SAFE), False)
    for _ in range(rng.randrange(3)):
        put(flags, rng.choice(SAFE_FLAGS), False)
    bad = rng.randrange(4)
    if bad == 1:
        put(options, rng.choice(evil_options), True)
    if bad >= 2:
        put(flags, rng.choice(EVIL_FLAGS), True)
    return options + (['--'] + flags if flags else []), evil


def run(porf, scratch, line, traced):
    """Exit code, what it says, and what was started."""
    scratch.write('work/t.c', PROGRAM % line)
    trace = os.path.join(scratch.folder, 'trace')
    under = ['strace', '-f', '-qq', '-e', 'trace=execve', '-o', trace] if traced else []
    p = subprocess.run([*under, porf, 'test', '--timeout', '20', 't.c'], cwd=scratch.work, env=scratch.environment(), text=True,
                       errors='replace', stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
    started = set()
    if traced:
        with open(trace) as f:
            started = {os.path.basename(m) for m in re.findall(r'execve\("([^"]+)".* = 0', f.read())}
    return p.returncode, p.stdout, started


def run_database(porf, scratch, words):
    """The same words as flags of compile_commands.json: what is not safe is left out."""
    entry = {'directory': scratch.work, 'file': 't.c', 'arguments': ['cc', *words, 't.c']}
    scratch.write('database.json', json.dumps([entry]))
    p = subprocess.run([porf, 'check', '--timeout', '20', '../database.json'], cwd=scratch.work, env=scratch.environment(), text=True,
                       errors='replace', stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=100)
    return p.stdout


def judge(code, said, started, evil, before, after):
    if after != before:
        changed = set(before[0].items()) ^ set(after[0].items())
        return f'it has run code or changed files: {sorted(p for p, _ in changed)[:3]}'
    strange = {s for s in started if not re.fullmatch(r'porf(-cc)?|clang(\+\+)?(-\d+)?', s)}
    if strange:
        return f'it has started {strange}'
    if not evil:
        return None if 'needs `porf test --trust`' not in said else 'what is safe is refused'
    if code != 2:
        return f'exit code {code}, not 2'
    if 'needs `porf test --trust`' not in said and 'needs' not in said:
        return 'the message does not say what is refused'
    word = evil[0].split('|')[0].split('=')[0]
    return None if word in said or evil[0].split('|')[-1] in said else f'the message does not name {word}'


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--porf', default=os.path.join(ROOT, 'build/porf'))
    options.add_argument('-n', type=int, default=300)
    options.add_argument('--seed', type=int, default=random.randrange(1 << 30))
    options.add_argument('-v', action='store_true')
    args = options.parse_args()
    print(f'seed {args.seed}')
    rng, passed, failed = random.Random(args.seed), 0, 0
    porf = os.path.abspath(args.porf)
    shown = ''.join(subprocess.run([porf, 'help', command], capture_output=True, text=True, check=True).stdout
                    for command in ('check', 'test', 'outcomes', 'optimize', 'replay', 'models', 'explain'))
    listed = re.findall(r'^  (?:-(\w), )?(--[\w-]+)(?: (\S+))?(?: |$)', shown, re.M)
    evil_options = EVIL_OPTIONS + [name + ('=OUT' if argument else '') for _, name, argument in listed if name not in SAFE_NAMES]
    strace = shutil.which('strace')
    with tempfile.TemporaryDirectory() as folder:
        scratch = Scratch(folder)
        for i in range(args.n):
            words, evil = draw(rng, scratch, evil_options)
            line = ' '.join(words)
            scratch.write('work/t.c', PROGRAM % line)
            scratch.write('work/h.h', '')
            before = scratch.state()
            code, said, started = run(porf, scratch, line, strace and i % 5 == 0)
            wrong = judge(code, said, started, evil, before, scratch.state())
            if not wrong and i % 4 == 0:
                said = run_database(porf, scratch, [w for w in words if w != '--'])
                wrong = judge(0, said, set(), [], before, scratch.state())
            if wrong:
                print(f'FAIL header `{line}`: {wrong}\n{said[:600]}')
                if os.path.exists(scratch.mark):
                    os.unlink(scratch.mark)
            elif args.v:
                print(f'ok   {line}')
            passed, failed = passed + (not wrong), failed + bool(wrong)
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
