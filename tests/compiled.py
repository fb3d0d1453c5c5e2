"""Programs as porf IR: what is checked several times need not be compiled as often. To start clang takes twenty times as
long as to check a small program."""

import collections
import hashlib
import os
import subprocess
import threading


SHARED = os.environ.get("PORF_TEST_COMPILED")  # by all tests of one run of scripts/test: what they compile does not change


class Compiled:
    """Programs that porf-cc, beside `porf`, has compiled into `folder`; `is_corpus`: others may compile the same."""

    def __init__(self, porf, folder, is_corpus=False):
        self.compiler = os.path.join(os.path.dirname(os.path.abspath(porf)), "porf-cc")
        self.folder = SHARED if is_corpus and SHARED else folder
        self.guard, self.locks, self.made = threading.Lock(), collections.defaultdict(threading.Lock), {}

    def ir(self, *arguments, cwd=None):
        """What to give to porf instead of a file and the flags behind it: they themselves if porf-cc refuses them."""
        with self.guard:
            lock = self.locks[arguments]
        with lock:
            if arguments not in self.made:
                self.made[arguments] = self.compile(arguments, cwd)
            return self.made[arguments]

    def compile(self, arguments, cwd):
        name = hashlib.sha256("\0".join([self.compiler, *arguments]).encode()).hexdigest()[:16]
        path, new = [os.path.join(self.folder, name + suffix) for suffix in (".ir", f".{os.getpid()}.ir")]
        if os.path.exists(path):
            return [path]
        line = [self.compiler, "-o", new, *arguments]
        p = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=cwd)
        if p.returncode:
            return list(arguments)
        os.rename(new, path)
        return [path]
