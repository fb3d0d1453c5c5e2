#!/usr/bin/env python3
"""Files touched in every way: after each edit, porf with its cache answers as without it.

usage: tests/cli/touched.py [--porf PATH] [-n EDITS] [--seed S] [-v]

A program reads headers on a path of three directories, one by a symbolic link, one by a name that a macro holds, and asks
for some with __has_include. Random edits change files without changing their size or time, put headers before others
of the same name, remove them, put directories in their place, switch links and directories, change flags and variables
of the environment, and damage entries of the cache. What the program returns tells all of them apart.
"""
import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = '''#include <assert.h>
#include "one.h"
#include <two.h>
#include "sub/three.h"
#define NAME <four.h>
#include NAME
#if __has_include (<maybe.h>)
#define MAYBE 1
#else
#define MAYBE 0
#endif
#if __has_include ("other/maybe.h")
#include "other/maybe.h"
#endif
#ifndef EXTRA
#define EXTRA 0
#endif
int main (void) { assert (ONE == %d || TWO == %d); assert (THREE + FOUR + MAYBE + EXTRA == %d); return 0; }
'''
HEADERS = {'one.h': 'ONE', 'two.h': 'TWO', 'sub/three.h': 'THREE', 'four.h': 'FOUR', 'maybe.h': 'MAYBE_TOO', 'other/maybe.h': 'EXTRA'}
PLACES = ['.', 'a', 'b', 'c', 'link']  # on the path, but for `.` and what `link` leads to
FLAGS = [['-Ia', '-Ib', '-Ic'], ['-Ia', '-Ib', '-Ilink', '-Ic'], ['-Ib', '-Ic', '-DEXTRA=1'], ['-iquote', 'a', '-Ic']]


class Files:
    def __init__(self, folder, rng):
        self.folder, self.rng = folder, rng
        self.flags, self.variables = FLAGS[0], {}
        self.numbers = [1, 1, 2]
        for name in ('a', 'b', 'c', 'd', 'e', 'cache'):
            os.mkdir(self.path(name))
        os.symlink('d', self.path('link'))
        for name in ('one.h', 'two.h', 'sub/three.h', 'four.h'):
            self.put('c', name)
        self.put_program()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, path, text, keep_time):
        """With the size and time of what was there, if that is wanted."""
        old = os.stat(path) if keep_time and os.path.isfile(path) else None
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.isdir(path):
            shutil.rmtree(path)
        with open(path, 'w') as f:
            f.write(text)
        if old:
            os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))

    def put_program(self):
        self.write(self.path('t.c'), PROGRAM % tuple(self.numbers), self.rng.random() < 0.8)

    def put(self, place, name):
        self.write(self.path(place, name), f'#define {HEADERS[name]} {self.rng.randrange(4)}\n', self.rng.random() < 0.8)

    def edit(self):
        rng = self.rng
        what = rng.choice(['number', 'header', 'header', 'header', 'remove', 'remove', 'folder', 'link', 'swap', 'flags', 'variable',
                           'damage', 'comment'])
        place, name = rng.choice(PLACES), rng.choice(list(HEADERS))
        path = self.path(place, name)
        if what == 'number':
            self.numbers[rng.randrange(3)] = rng.randrange(4)
            self.put_program()
        elif what == 'header':
            self.put(place, name)
        elif what == 'remove' and os.path.isfile(path):
            os.unlink(path)
        elif what == 'folder' and place != '.':
            if os.path.isfile(path):
                os.unlink(path)
            os.makedirs(path, exist_ok=True)
        elif what == 'link':
            os.unlink(self.path('link'))
            os.symlink(rng.choice('de'), self.path('link'))
        elif what == 'swap':
            a, b = rng.sample('abcde', 2)
            for x, y in ((a, 'x'), (b, a), ('x', b)):
                os.rename(self.path(x), self.path(y))
        elif what == 'flags':
            self.flags = rng.choice(FLAGS)
        elif what == 'variable':
            self.variables = rng.choice([{}, {'CPATH': 'd'}, {'C_INCLUDE_PATH': 'e'}, {'CPATH': self.path('a')}])
        elif what == 'damage':
            self.damage()
        elif what == 'comment':
            with open(self.path('t.c')) as f:
                text = f.read()
            self.write(self.path('t.c'), text.replace('int main', rng.choice(['int  main', 'int /**/ main'])), False)
        return what + (f' {place}/{name}' if what in ('header', 'remove', 'folder') else '')

    def damage(self):
        entries = sorted(e for e in os.listdir(self.path('cache')))
        if not entries:
            return
        path = self.path('cache', self.rng.choice(entries))
        with open(path, 'rb') as f:
            text = bytearray(f.read())
        way = self.rng.randrange(4)
        if way == 0:
            text = text[:self.rng.randrange(len(text) + 1)]
        elif way == 1 and text:
            text[self.rng.randrange(len(text))] ^= 1 << self.rng.randrange(8)
        elif way == 2:
            shutil.copy(self.path('cache', self.rng.choice(entries)), path + '~')
            os.rename(path + '~', path)
            return
        elif way == 3:
            os.chmod(path, 0o666)
            text += b' '
        with open(path, 'wb') as f:
            f.write(text)


def run(porf, files, *options):
    env = dict(os.environ, PORF_CACHE=files.path('cache'), **files.variables)
    p = subprocess.run([porf, 'check', '-q', '-j1', '--help-time', '0', *options, 't.c', '--', *files.flags], cwd=files.folder, env=env,
                       text=True, errors='replace', stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=100)
    return p.returncode, p.stdout, p.stderr


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--porf', default=os.path.join(ROOT, 'build/porf'))
    options.add_argument('-n', type=int, default=150)
    options.add_argument('--seed', type=int, default=random.randrange(1 << 30))
    options.add_argument('-v', action='store_true')
    args = options.parse_args()
    print(f'seed {args.seed}')
    passed, failed, codes = 0, 0, {}
    with tempfile.TemporaryDirectory() as folder:
        files = Files(folder, random.Random(args.seed))
        for i in range(args.n):
            edits = [files.edit() for _ in range(files.rng.randrange(1, 3))]
            want, got = run(args.porf, files, '--no-cache'), run(args.porf, files)
            codes[want[0]] = codes.get(want[0], 0) + 1
            if args.v or got != want:
                print(f'{"ok  " if got == want else "FAIL"} after {edits}: exit code {got[0]}, without the cache {want[0]}')
            if got != want:
                print(got, want, sep='\n')
            passed, failed = passed + (got == want), failed + (got != want)
    print(f'exit codes: {codes}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
