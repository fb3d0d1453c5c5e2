"""What generators of random programs share: options, programs that are written and compiled once, counts of answers."""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests'))
from compiled import Compiled  # noqa: E402


def ask(porf, program, model, options):
    """The verdict, the findings, and whether there is a reason why it is incomplete; of one worker unless options say."""
    jobs = [] if '--jobs' in options else ['--jobs', '1']
    command = [porf, 'check', '-m', model, '--format', 'json', *jobs, *options, *program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return f'exit code {done.returncode}: {done.stderr}', [], False
    return report['verdict'], report['findings'], bool(report['not_covered'])


class Runner:
    def __init__(self, models, add_options=None):
        parser = argparse.ArgumentParser()
        parser.add_argument('-n', type=int, default=100)
        parser.add_argument('--seed', type=int, default=random.randrange(1 << 30))
        parser.add_argument('--porf', default=os.path.join(ROOT, 'build/porf'))
        parser.add_argument('-m', dest='models', default=models)
        parser.add_argument('-v', action='store_true')
        if add_options:
            add_options(parser)
        self.args = parser.parse_args()
        self.passed = self.failed = 0
        self.folder = tempfile.TemporaryDirectory()
        self.compiled = Compiled(self.args.porf, self.folder.name)
        print(f'seed {self.args.seed}')

    def programs(self):
        """The number of each program that is to be drawn, and the random numbers for it."""
        for i in range(self.args.n):
            yield i, random.Random(f'{self.args.seed} {i}')

    def model(self, rng):
        return rng.choice(self.args.models.split(','))

    def write(self, i, text):
        path = os.path.join(self.folder.name, f'program{i}.c')
        with open(path, 'w') as f:
            f.write(text)
        return path

    def tell(self, wrong, what, answer, text):
        """One more answer; wrong: None, or what is wrong with it."""
        self.passed += not wrong
        self.failed += bool(wrong)
        if wrong or self.args.v:
            print(f'{"FAIL" if wrong else "ok"} {what}: {wrong or answer}', flush=True)
        if wrong:
            print(text)

    def end(self, summary):
        self.folder.cleanup()
        print(summary)
        print(f'{self.passed} passed, {self.failed} failed')
        return self.failed != 0
