#!/usr/bin/env python3
"""Compares `porf outcomes -m sc` with brute force on what threads and libraries can do: threads that create and join
others and return what they read, mutexes, read-write locks, condition variables, barriers, semaphores, pthread_once.

Every interleaving is run, state by state. Both have to agree on the values of all variables at the end, and on whether
threads can wait forever.

usage: threads_sc.py PORF [-n PROGRAMS] [--seed SEED]
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

REGISTERS = 3
MOST_STATES = 8000

# ---- operations: C text, and a function of the thread t, its registers r, memory m, and the operands. It returns
# the ways to go on, each as (is the operation over?, {register: value}, {location: value}); none: the thread waits.


def over(registers=None, memory=None):
    return [(True, registers or {}, memory or {})]


def load(t, r, m, reg, var):
    return over({reg: m.get(var, 0)})


def store(t, r, m, var, value):
    return over(memory={var: value})


def store_register(t, r, m, var, reg):
    return over(memory={var: r[reg]})


def add(t, r, m, reg, var, value):
    return over({reg: m.get(var, 0)}, {var: m.get(var, 0) + value})


def compare_exchange(t, r, m, reg, var, expected, value):
    old = m.get(var, 0)
    return over({reg: old}, {var: value} if old == expected else {})


def lock(t, r, m, name):
    return [] if m.get(name) else over(memory={name: 1})


def unlock(t, r, m, name):
    return over(memory={name: 0})


def try_lock(t, r, m, reg, name):
    return over({reg: 1}) if m.get(name) else over({reg: 0}, {name: 1})


def read_lock(t, r, m):
    return [] if m.get('writer') else over(memory={'readers': m.get('readers', 0) + 1})


def read_unlock(t, r, m):
    return over(memory={'readers': m['readers'] - 1})


def write_lock(t, r, m):
    return [] if m.get('writer') or m.get('readers') else over(memory={'writer': 1})


def write_unlock(t, r, m):
    return over(memory={'writer': 0})


ASLEEP, WOKEN = 1, 2


def wait_for_flag(t, r, m):
    """With mutex k, which is held before and after."""
    me = 'sleep', t
    if m.get(me) == ASLEEP or (m.get(me) == WOKEN and m.get('k')):
        return []
    if m.get(me) == WOKEN:
        return [(False, {}, {me: 0, 'k': 1})]
    return over() if m.get('flag') else [(False, {}, {me: ASLEEP, 'k': 0})]


def sleepers(m):
    return [key for key, value in m.items() if key[0] == 'sleep' and value == ASLEEP]


def signal(t, r, m):
    return [way for key in sleepers(m) for way in over(memory={key: WOKEN})] or over()


def broadcast(t, r, m):
    return over(memory={key: WOKEN for key in sleepers(m)})


def barrier(t, r, m):
    """Of two threads."""
    if m.get('met') or m.get('first') == t + 1:
        return over() if m.get('met') else []
    return over(memory={'met': 1}) if m.get('first') else [(False, {}, {'first': t + 1})]


def semaphore_wait(t, r, m):
    return over(memory={'tokens': m['tokens'] - 1}) if m.get('tokens') else []


def semaphore_post(t, r, m):
    return over(memory={'tokens': m.get('tokens', 0) + 1})


def once(t, r, m):
    state = m.get('once', 0)   # 1 + the thread that is at it, or -1
    if state == t + 1:
        return over(memory={'calls': m.get('calls', 0) + 1, 'once': -1})
    return over() if state == -1 else [] if state else [(False, {}, {'once': t + 1})]


def create(t, r, m, child):
    return over(memory={('runs', child): 1})


def join(t, r, m, reg, child):
    return over({reg: m['result', child]}) if m.get(('ended', child)) else []


TEXT = {
    load: 'r{0} = atomic_load_explicit (&{1}, memory_order_relaxed);',
    store: 'atomic_store_explicit (&{0}, {1}, memory_order_relaxed);',
    store_register: 'atomic_store_explicit (&{0}, r{1}, memory_order_relaxed);',
    add: 'r{0} = atomic_fetch_add_explicit (&{1}, {2}, memory_order_relaxed);',
    compare_exchange: 'e = {2}; atomic_compare_exchange_strong (&{1}, &e, {3}); r{0} = e;',
    lock: 'pthread_mutex_lock (&{0});',
    unlock: 'pthread_mutex_unlock (&{0});',
    try_lock: 'r{0} = pthread_mutex_trylock (&{1}) != 0;',
    read_lock: 'pthread_rwlock_rdlock (&w);',
    read_unlock: 'pthread_rwlock_unlock (&w);',
    write_lock: 'pthread_rwlock_wrlock (&w);',
    write_unlock: 'pthread_rwlock_unlock (&w);',
    wait_for_flag: 'while (!flag) pthread_cond_wait (&c, &k);',
    signal: 'pthread_cond_signal (&c);',
    broadcast: 'pthread_cond_broadcast (&c);',
    barrier: 'pthread_barrier_wait (&b);',
    semaphore_wait: 'sem_wait (&s);',
    semaphore_post: 'sem_post (&s);',
    once: 'pthread_once (&o, count);',
    create: 'pthread_create (&thread[{0}], 0, f{0}, 0);',
    join: 'pthread_join (thread[{1}], &result); r{0} = (int)(long)result;',
}

# ---- drawing; a statement is (guard, operation, operands), the guard (register, is it zero?) or None


def draw_statements(rng, guard=None, depth=0):
    reg, var = rng.randrange(REGISTERS), rng.choice('xxy')
    guard = guard or ((rng.randrange(REGISTERS), rng.random() < 0.5) if rng.random() < 0.12 else None)
    memory = [(load, reg, var), (store, var, rng.randint(1, 2)), (store_register, var, reg), (add, reg, var, rng.randint(1, 2)),
              (compare_exchange, reg, var, rng.randint(0, 1), 2)]
    others = [(once,), (semaphore_post,), (semaphore_wait,)]
    pairs = [((lock, 'm'), (unlock, 'm')), ((read_lock,), (read_unlock,)), ((write_lock,), (write_unlock,)),
             ((semaphore_wait,), (semaphore_post,)), ((try_lock, REGISTERS, 'n'), (unlock, 'n'))]
    if depth or rng.random() < 0.55:
        return [(guard, *rng.choice(memory if rng.random() < 0.85 else others))]
    before, after = rng.choice(pairs)
    inner = (REGISTERS, True) if before[0] is try_lock else None   # the register of its own says whether it is ours
    body = draw_statements(rng, inner, 1) + draw_statements(rng, inner, 1)
    return [(None, *before), *((inner or g, *rest) for g, *rest in body), (inner, *after)]


def draw(rng):
    """Code of main, which is thread 0, and of the others, and what they return."""
    count = rng.choice((2, 2, 3))
    threads = [[] for _ in range(count + 1)]
    for code in threads[1:]:
        for _ in range(rng.randint(2, 4) if count == 2 else rng.randint(1, 2)):
            code += draw_statements(rng)
    first, second = rng.sample(range(1, count + 1), 2)
    extra = rng.random()
    if extra < 0.3:
        threads[first] += [(None, lock, 'k'), (None, wait_for_flag), (None, unlock, 'k')]
        wake = (None, signal) if rng.random() < 0.6 else (None, broadcast)
        locked = [(None, lock, 'k'), (None, store, 'flag', 1), (None, unlock, 'k')]
        threads[second][0:0] = [*locked, wake] if rng.random() < 0.5 else [*locked[:2], wake, locked[2]]
    elif extra < 0.5:
        for t in (first, second):
            threads[t].insert(rng.randint(0, 1) and len(threads[t]), (None, barrier))
    for t in range(count, 0, -1):
        parent = rng.randrange(t) if rng.random() < 0.4 else 0
        threads[parent].insert(0, (None, create, t))
        threads[parent].append((None, join, rng.randrange(REGISTERS), t))
    if rng.random() < 0.3:
        threads[0] += draw_statements(rng, depth=1)
    return threads, [rng.choice((None, 0, 1)) for _ in threads]


def c_program(threads, returns):
    lines = ['#include <pthread.h>', '#include <semaphore.h>', '#include <stdatomic.h>', 'atomic_int x, y, calls, flag;',
             'pthread_mutex_t m, n, k;', 'pthread_rwlock_t w;', 'pthread_cond_t c;', 'pthread_barrier_t b;', 'sem_t s;',
             'pthread_once_t o = PTHREAD_ONCE_INIT;', f'pthread_t thread[{len(threads)}];', f'int seen[{len(threads)}][{REGISTERS}];',
             'static void count (void) { atomic_fetch_add_explicit (&calls, 1, memory_order_relaxed); }']
    for t in reversed(range(len(threads))):
        lines += [f'static void *f{t} (void *unused) {{', f'  int r0 = 0, r1 = 0, r2 = 0, r{REGISTERS} = 0, e = 0; void *result = unused;']
        for guard, operation, *operands in threads[t]:
            condition = f'if (r{guard[0]} {"==" if guard[1] else "!="} 0) ' if guard else ''
            lines.append(f'  {condition}{{ {TEXT[operation].format(*operands)} }}')
        lines += [f'  seen[{t}][{i}] = r{i};' for i in range(REGISTERS)]
        lines += [f'  return (void *)(long)({"0" if returns[t] is None else f"r{returns[t]}"} + 0 * e);', '}']
    lines += ['int main (void) {', '  pthread_barrier_init (&b, 0, 2);', '  sem_init (&s, 0, 1);', '  f0 (0);', '  return 0;', '}']
    return '\n'.join(lines) + '\n'


# ---- every interleaving


def steps(threads, returns, state):
    places, memory = state
    m = dict(memory)
    for t, (at, registers) in enumerate(places):
        if not m.get(('runs', t)) or m.get(('ended', t)):
            continue
        code, r = threads[t], list(registers)
        while at < len(code) and code[at][0] and (r[code[at][0][0]] == 0) != code[at][0][1]:
            at += 1
        if at == len(code):
            result = 0 if returns[t] is None else r[returns[t]]
            ways = [(False, {}, {('ended', t): 1, ('result', t): result})]
        else:
            ways = code[at][1](t, r, m, *code[at][2:])
        for is_over, new_registers, new_memory in ways:
            after = tuple(new_registers.get(i, value) for i, value in enumerate(r))
            now = {**m, **new_memory}
            yield places[:t] + ((at + is_over, after),) + places[t + 1:], frozenset(now.items())


def brute_force(threads, returns):
    """All outcomes, and whether threads can wait forever; None: too many states."""
    start = tuple((0, (0,) * (REGISTERS + 1)) for _ in threads), frozenset({(('runs', 0), 1), ('tokens', 1)})
    seen, left, outcomes, waits = {start}, [start], set(), False
    while left:
        state = left.pop()
        m = dict(state[1])
        if m.get(('ended', 0)):   # all are joined
            outcomes.add(tuple(m.get(v, 0) for v in ('x', 'y', 'calls')) + tuple(v for _, r in state[0] for v in r[:REGISTERS]))
            continue
        after = set(steps(threads, returns, state))
        waits |= not after
        left += after - seen
        seen |= after
        if len(seen) > MOST_STATES:
            return None
    return outcomes, waits


def by_porf(porf, path, count):
    p = subprocess.run([porf, 'outcomes', '-m', 'sc', '--observe', 'globals', '--format', 'json', path],
                       capture_output=True, text=True, timeout=120, check=False)
    assert p.stdout, p.stderr
    result = json.loads(p.stdout)
    kinds = {f['kind'] for f in result['models'][0]['findings']}
    assert not result['models'][0]['not_covered'] and kinds <= {'deadlock', 'liveness'}, p.stdout
    names = ['x', 'y', 'calls'] + [f'seen[{t}][{i}]' for t in range(count) for i in range(REGISTERS)]
    return {tuple(row['values'].get(name, 0) for name in names) for row in result['outcomes']}, bool(kinds)


def main():
    options = argparse.ArgumentParser()
    options.add_argument('porf')
    options.add_argument('-n', type=int, default=30)
    options.add_argument('--seed', type=int, default=1)
    args = options.parse_args()
    rng = random.Random(args.seed)
    programs = total = waiting = 0
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, 'drawn.c')
        while programs < args.n:
            threads, returns = draw(rng)
            want = brute_force(threads, returns)
            if not want:
                continue
            with open(path, 'w', encoding='utf-8') as f:
                f.write(c_program(threads, returns))
            got = by_porf(args.porf, path, len(threads))
            programs, total, waiting = programs + 1, total + len(want[0]), waiting + want[1]
            if want != got:
                print(c_program(threads, returns), f'program {programs}: porf has {got}\nbrute force has {want}', sep='\n')
                sys.exit(1)
    print(f'{programs} programs, {total} outcomes agree; threads can wait forever in {waiting}')


if __name__ == '__main__':
    main()
