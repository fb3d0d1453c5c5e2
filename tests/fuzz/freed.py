#!/usr/bin/env python3
"""Library objects in heap memory that is freed right after their last use, or too early, under every model and engine.

usage: tests/fuzz/freed.py [--porf PATH] [--seed N] [-n N] [--models LIST] [--all]

Programs are drawn from a table: which object, who frees it and when, what else the threads do. No run may end with an
internal error or a crash, and verdicts fit those of sc and rc11, or are "incomplete" with a reason. Without --all, N
programs are drawn.
"""
import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, 'tests'))
from compiled import Compiled  # noqa: E402
MODELS = 'rc11 rc20 wrc11 sc tso pso sra ra imm armv8 power riscv xmm wkmo2 jam19 jam21'.split()
MACHINES = ['mca', 'non-mca']
WITHOUT_ORDER = {'wrc11', 'jam19', 'jam21'}

# name: type, initialise, use (enter, leave), destroy
OBJECTS = {
    'mutex': ('pthread_mutex_t', 'pthread_mutex_init (o, 0)', 'pthread_mutex_lock (o)', 'pthread_mutex_unlock (o)',
              'pthread_mutex_destroy (o)'),
    'trylock': ('pthread_mutex_t', 'pthread_mutex_init (o, 0)', 'int got = !pthread_mutex_trylock (o)',
                'if (got) pthread_mutex_unlock (o)', 'pthread_mutex_destroy (o)'),
    'rwlock': ('pthread_rwlock_t', 'pthread_rwlock_init (o, 0)', 'pthread_rwlock_wrlock (o)', 'pthread_rwlock_unlock (o)',
               'pthread_rwlock_destroy (o)'),
    'reader': ('pthread_rwlock_t', 'pthread_rwlock_init (o, 0)', 'pthread_rwlock_rdlock (o)', 'pthread_rwlock_unlock (o)',
               'pthread_rwlock_destroy (o)'),
    'spin': ('pthread_spinlock_t', 'pthread_spin_init (o, 0)', 'pthread_spin_lock (o)', 'pthread_spin_unlock (o)',
             'pthread_spin_destroy (o)'),
    'semaphore': ('sem_t', 'sem_init (o, 0, 1)', 'sem_wait (o)', 'sem_post (o)', 'sem_destroy (o)'),
    'barrier': ('pthread_barrier_t', 'pthread_barrier_init (o, 0, 2)', 'pthread_barrier_wait (o)', '(void) 0',
                'pthread_barrier_destroy (o)'),
    'mtx': ('mtx_t', 'mtx_init (o, mtx_plain)', 'mtx_lock (o)', 'mtx_unlock (o)', 'mtx_destroy (o)'),
    'atomic': ('atomic_int', 'atomic_init (o, 0)', 'while (atomic_exchange (o, 1)) {}', 'atomic_store (o, 0)', '(void) 0'),
    'condition': ('struct { pthread_mutex_t m; pthread_cond_t c; }', 'pthread_mutex_init (&o->m, 0); pthread_cond_init (&o->c, 0)',
                  'pthread_mutex_lock (&o->m)', 'pthread_cond_signal (&o->c); pthread_mutex_unlock (&o->m)',
                  'pthread_cond_destroy (&o->c); pthread_mutex_destroy (&o->m)'),
}
# When it is freed: by the thread that counts to two inside; by one that counts outside; by the first thread, at once; by main
# after it has used the object, too; by main at once; by main after it has joined the threads.
WHEN = ('last-inside', 'last-outside', 'first', 'main-after-use', 'main-at-once', 'joined')


def program(name, when, destroys, bump):
    kind, init, enter, leave, destroy = OBJECTS[name]
    release = ('DESTROY; ' if destroys else '') + 'free (o);'
    inside = f'last = {bump};' if when == 'last-inside' else ''
    outside = f'last = {bump};' if when == 'last-outside' else 'last = k == 0;' if when == 'first' else ''
    in_main = {'main-after-use': f'{{ USE; LEAVE; }}\n  {release}', 'main-at-once': release}.get(when, '')
    return f'''#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
typedef {kind} Object;
static Object *o;
static int plain;
static atomic_int count;
#define USE {enter}
#define LEAVE {leave}
#define DESTROY {destroy}
static void *run (void *arg) {{
  int last = 0, k = arg != NULL;
  USE;
  {inside}
  LEAVE;
  {outside}
  if (last) {{ {release} }}
  return (void *) (long) k;
}}
int main (void) {{
  pthread_t t[2];
  o = malloc (sizeof *o);
  {init};
  pthread_create (&t[0], 0, run, 0);
  pthread_create (&t[1], 0, run, t);
  {in_main}
  pthread_join (t[0], 0);
  pthread_join (t[1], 0);
  {release if when == 'joined' else ''}
}}
'''


BUMPS = ('++plain == 2', 'atomic_fetch_add (&count, 1) == 1',
         'atomic_fetch_add_explicit (&count, 1, memory_order_relaxed) == 1',
         'atomic_fetch_add_explicit (&count, 1, memory_order_acq_rel) == 1')
CASES = [c for c in itertools.product(OBJECTS, WHEN, (True, False), BUMPS)
         if c[3] == BUMPS[0] or c[1].startswith('last')]


def run(porf, program, model):
    how = [f'--{model}'] if model in MACHINES else ['-m', model]
    line = [porf, 'check', '-q', '--keep-going', '--help-time', '0', '--format', 'json', '--timeout', '20', *how, *program]
    p = subprocess.run(line, capture_output=True, text=True, timeout=300)
    try:
        result = json.loads(p.stdout)
        return p.returncode, result['verdict'], result.get('not_covered', []), sorted({f['kind'] for f in result['findings']})
    except (ValueError, KeyError):
        return p.returncode, None, [], p.stderr[:400]


def problem(model, result, sc, rc11, is_relaxed):
    """What goes wrong under sc goes wrong everywhere, and what is right under rc11 is right under what it is compiled to. But
    in C relaxed accesses order nothing, not even under sc, and on processors they do. Where writes have no order, an exchange
    of 1 for 1 may stay after the unlock (tests/bugs/wrc11-idle-exchange.c)."""
    code, verdict, reasons, kinds = result
    if model in WITHOUT_ORDER and kinds == ['liveness']:
        return None
    if verdict is None:
        return f'exit {code}: {kinds}'
    if verdict == 'incomplete':
        return None if reasons else 'incomplete without a reason'
    if verdict == 'pass' and sc[1] == 'violation' and 'race' not in sc[3] and not is_relaxed:
        return f'pass, under sc {sc[3]}'
    if verdict == 'violation' and rc11[1] == 'pass':
        return f'{kinds}, under rc11 a pass'
    return None


def main():
    options = argparse.ArgumentParser(usage=__doc__.split('\n')[2].split(': ')[1])
    options.add_argument('--porf', default=os.path.join(ROOT, 'build', 'porf'))
    options.add_argument('--seed', type=int, default=1)
    options.add_argument('-n', type=int, default=20)
    options.add_argument('--models', default=','.join(MODELS + MACHINES))
    options.add_argument('--all', action='store_true')
    args = options.parse_args()
    rnd, passed, failed = random.Random(args.seed), 0, 0
    cases = CASES if args.all else rnd.sample(CASES, min(args.n, len(CASES)))
    print(f'seed {args.seed}, {len(cases)} of {len(CASES)} programs')
    with tempfile.TemporaryDirectory() as folder:
        compiled = Compiled(args.porf, folder)
        for i, case in enumerate(cases):
            path = os.path.join(folder, f'p{i}.c')
            with open(path, 'w', encoding='utf-8') as f:
                f.write(program(*case))
            ir = compiled.ir(path)
            sc, rc11 = run(args.porf, ir, 'sc'), run(args.porf, ir, 'rc11')
            for model in args.models.split(','):
                why = problem(model, run(args.porf, ir, model), sc, rc11, case[3] == BUMPS[2])
                passed, failed = passed + (why is None), failed + (why is not None)
                if why:
                    print(f'FAIL {case} under {model}: {why}')
    print(f'{passed} passed, {failed} failed')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
