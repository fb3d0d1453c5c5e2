"""Programs as porf IR: what is checked several times need not be compiled as often. To start clang takes twenty times as
long as to check a small program."""

import collections
import hashlib
import os
import subprocess
import threading


class Compiled:
    """Programs that porf-cc, beside `porf`, has compiled into `folder`."""

    def __init__(self, porf, folder):
        self.compiler, self.folder = os.path.join(os.path.dirname(os.path.abspath(porf)), "porf-cc"), folder
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
        path = os.path.join(self.folder, hashlib.sha256("\0".join(arguments).encode()).hexdigest()[:16] + ".ir")
        line = [self.compiler, "-o", path, *arguments]
        p = subprocess.run(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, cwd=cwd)
        return list(arguments) if p.returncode else [path]
