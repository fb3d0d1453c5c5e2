#!/usr/bin/env python3
"""Objects of the C library x what may befall them: initialised, used, destroyed, in every order and at the same time.

usage: tests/library/lives.py [-k WORD] [-n N] [--sample N] [--seed N] [--porf FILE] [-v]

Every program is drawn from two tables: KINDS says what an object is made of, RULES what POSIX and C say about a
situation. The expected verdict follows from the rules alone. Then come N programs more with random sequences of
operations of one thread, whose verdict a little state machine tells (--seed; printed).
"""

import argparse
import concurrent.futures
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEAD = """#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <porf/verifier.h>
"""


class Kind:
    """`uses` are statements that leave the object as it was, if alone; `hold` and `release` take and give it back.

    o is a pointer to the object. `is_static`: static storage needs no initialiser.
    """

    def __init__(self, name, type, init, destroy, uses, is_static=False, hold=None, release=None, more=""):
        self.name, self.type, self.init, self.destroy, self.uses = name, type, init, destroy, uses
        self.is_static, self.hold, self.release, self.more = is_static, hold, release, more


MUTEX_USES = {
    "lock": "pthread_mutex_lock (o); pthread_mutex_unlock (o);",
    "trylock": "if (!pthread_mutex_trylock (o)) pthread_mutex_unlock (o);",
    "timedlock": "struct timespec t = {0}; if (!pthread_mutex_timedlock (o, &t)) pthread_mutex_unlock (o);",
}
WITH_MUTEX = "static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;\nstatic mtx_t other_mtx;\n"


def attributes(name, more_uses):
    uses = {"pshared": f"pthread_{name}attr_setpshared (o, PTHREAD_PROCESS_PRIVATE);"}
    return Kind(name + "attr", f"pthread_{name}attr_t", f"pthread_{name}attr_init (o);",
                f"pthread_{name}attr_destroy (o);", {**uses, **more_uses})


KINDS = [
    Kind("mutex", "pthread_mutex_t", "pthread_mutex_init (o, 0);", "pthread_mutex_destroy (o);", MUTEX_USES,
         is_static=True, hold="pthread_mutex_lock (o);", release="pthread_mutex_unlock (o);"),
    Kind("recursive", "pthread_mutex_t",
         "{ pthread_mutexattr_t a; pthread_mutexattr_init (&a);"
         " pthread_mutexattr_settype (&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init (o, &a);"
         " pthread_mutexattr_destroy (&a); }", "pthread_mutex_destroy (o);",
         {**MUTEX_USES, "twice": "pthread_mutex_lock (o); pthread_mutex_lock (o);"
                                 " pthread_mutex_unlock (o); pthread_mutex_unlock (o);"},
         is_static=None, hold="pthread_mutex_lock (o);", release="pthread_mutex_unlock (o);"),
    Kind("rwlock", "pthread_rwlock_t", "pthread_rwlock_init (o, 0);", "pthread_rwlock_destroy (o);",
         {"rdlock": "pthread_rwlock_rdlock (o); pthread_rwlock_unlock (o);",
          "wrlock": "pthread_rwlock_wrlock (o); pthread_rwlock_unlock (o);",
          "tryrdlock": "if (!pthread_rwlock_tryrdlock (o)) pthread_rwlock_unlock (o);",
          "trywrlock": "if (!pthread_rwlock_trywrlock (o)) pthread_rwlock_unlock (o);"},
         is_static=True, hold="pthread_rwlock_wrlock (o);", release="pthread_rwlock_unlock (o);"),
    Kind("rwlock-read", "pthread_rwlock_t", "pthread_rwlock_init (o, 0);", "pthread_rwlock_destroy (o);",
         {"rdlock": "pthread_rwlock_rdlock (o); pthread_rwlock_unlock (o);"},
         is_static=True, hold="pthread_rwlock_rdlock (o);", release="pthread_rwlock_unlock (o);"),
    Kind("cond", "pthread_cond_t", "pthread_cond_init (o, 0);", "pthread_cond_destroy (o);",
         {"signal": "pthread_cond_signal (o);", "broadcast": "pthread_cond_broadcast (o);",
          "timedwait": "struct timespec t = {0}; pthread_mutex_lock (&other);"
                       " pthread_cond_timedwait (o, &other, &t); pthread_mutex_unlock (&other);"},
         is_static=True, more=WITH_MUTEX),
    Kind("barrier", "pthread_barrier_t", "pthread_barrier_init (o, 0, 1);", "pthread_barrier_destroy (o);",
         {"wait": "pthread_barrier_wait (o);",
          "serial": "if (pthread_barrier_wait (o) != PTHREAD_BARRIER_SERIAL_THREAD) abort ();"}),
    Kind("semaphore", "sem_t", "sem_init (o, 0, 2);", "sem_destroy (o);",
         {"wait": "sem_wait (o); sem_post (o);", "trywait": "if (!sem_trywait (o)) sem_post (o);",
          "timedwait": "struct timespec t = {0}; if (!sem_timedwait (o, &t)) sem_post (o);",
          "getvalue": "int v; sem_getvalue (o, &v);", "post": "sem_post (o);"}),
    Kind("spinlock", "pthread_spinlock_t", "pthread_spin_init (o, 0);", "pthread_spin_destroy (o);",
         {"lock": "pthread_spin_lock (o); pthread_spin_unlock (o);",
          "trylock": "if (!pthread_spin_trylock (o)) pthread_spin_unlock (o);"},
         hold="pthread_spin_lock (o);", release="pthread_spin_unlock (o);"),
    Kind("mtx", "mtx_t", "mtx_init (o, mtx_plain);", "mtx_destroy (o);",
         {"lock": "mtx_lock (o); mtx_unlock (o);", "trylock": "if (mtx_trylock (o) == thrd_success) mtx_unlock (o);",
          "timedlock": "struct timespec t = {0}; if (mtx_timedlock (o, &t) == thrd_success) mtx_unlock (o);"},
         hold="mtx_lock (o);", release="mtx_unlock (o);"),
    Kind("cnd", "cnd_t", "cnd_init (o);", "cnd_destroy (o);",
         {"signal": "cnd_signal (o);", "broadcast": "cnd_broadcast (o);"}, more=WITH_MUTEX),
    Kind("attr", "pthread_attr_t", "pthread_attr_init (o);", "pthread_attr_destroy (o);",
         {"set": "pthread_attr_setdetachstate (o, PTHREAD_CREATE_JOINABLE);",
          "get": "int v; pthread_attr_getdetachstate (o, &v);", "stack": "pthread_attr_setstacksize (o, 65536);"}),
    attributes("mutex", {"set": "pthread_mutexattr_settype (o, PTHREAD_MUTEX_NORMAL);",
                         "init": "pthread_mutex_t m; pthread_mutex_init (&m, o); pthread_mutex_destroy (&m);"}),
    attributes("cond", {"init": "pthread_cond_t c; pthread_cond_init (&c, o); pthread_cond_destroy (&c);"}),
    attributes("rwlock", {"init": "pthread_rwlock_t l; pthread_rwlock_init (&l, o); pthread_rwlock_destroy (&l);"}),
    attributes("barrier",
               {"init": "pthread_barrier_t b; pthread_barrier_init (&b, o, 1); pthread_barrier_destroy (&b);"}),
    Kind("key", "pthread_key_t", "pthread_key_create (o, 0);", "pthread_key_delete (*o);",
         {"get": "pthread_getspecific (*o);", "set": "pthread_setspecific (*o, o);"}),
    Kind("tss", "tss_t", "tss_create (o, 0);", "tss_delete (*o);", {"get": "tss_get (*o);", "set": "tss_set (*o, o);"}),
]

# Attribute objects and keys are plain data: threads that set the same ones race.
PLAIN = {"attr", "mutexattr", "condattr", "rwlockattr", "barrierattr"}
# Creating a key again gives another key, and a key that exists cannot be told from a new variable.
KEYS = {"key", "tss"}

OK, WRONG = "ok", "wrong"


def in_main(body):
    return "", body


def beside(first, second, before="", after=""):
    """Two threads at the same time."""
    threads = f"static void *p (void *v) {{ T *o = v; {first} return 0; }}\n" \
              f"static void *q (void *v) {{ T *o = v; {second} return 0; }}\n"
    return threads, f"{before} pthread_t s, t; pthread_create (&s, 0, p, o); pthread_create (&t, 0, q, o);" \
                    f" pthread_join (s, 0); pthread_join (t, 0); {after}"


def handed_over(first, second, before="", after=""):
    """The first thread is done before the second begins, which only an atomic flag tells."""
    return "static atomic_int flag;\n" + beside(
        first + " atomic_store_explicit (&flag, 1, memory_order_release);",
        "while (!atomic_load_explicit (&flag, memory_order_acquire)) ; " + second)[0], \
        beside("", "", before, after)[1]


STORAGE = {
    "static": ("static T object;\n", "T *o = &object;", ""),
    "heap": ("", "T *o = malloc (sizeof *o);", "free (o);"),
    "zeroed": ("", "T *o = calloc (1, sizeof *o);", "free (o);"),
    "local": ("", "T object; T *o = &object;", ""),
    "field": ("static struct { int before; T object; int after; } s[2];\n", "T *o = &s[1].object;", ""),
}


def starts_initialised(kind, storage):
    """None: nobody can tell by what is in memory."""
    if storage in ("heap", "local"):
        return False
    return kind.is_static


def situations(kind, use):
    """(name, (threads, main), verdict); `unready` ones depend on the storage."""
    init, destroy = kind.init, kind.destroy
    race = WRONG
    yield "used", in_main(f"{init} {use} {destroy}"), OK
    yield "used-after-destroy", in_main(f"{init} {use} {destroy} {use}"), WRONG
    yield "destroyed-twice", in_main(f"{init} {use} {destroy} {destroy}"), WRONG
    yield "again", in_main(f"{init} {use} {destroy} {init} {use} {destroy}"), OK
    yield "shared", beside(use if kind.name not in PLAIN else "", use, init, destroy), OK
    yield "init-beside-use", beside(init, use), race
    yield "destroy-beside-use", beside(destroy, use, init), race
    yield "init-beside-destroy", beside(init, destroy), race
    yield "destroy-beside-destroy", beside(destroy, destroy, init), race
    yield "init-handed-over", handed_over(init, use, "", destroy), OK
    yield "destroy-handed-over", handed_over(use, destroy, init), OK
    yield "all-handed-over", handed_over(init + use, use + destroy), OK
    yield "use-handed-over-after-destroy", handed_over(destroy, use, init), WRONG
    yield "unready", in_main(use), None
    yield "unready-elsewhere", beside("", use), None
    yield "unready-sometimes", beside("", use, f"if (__VERIFIER_nondet_bool ()) {{ {init} }}"), None
    if kind.name not in KEYS:
        yield "initialised-twice", in_main(f"{init} {use} {init} {use}"), WRONG
        yield "init-beside-init", beside(init, init), race
        yield "initialised-again-elsewhere", handed_over(init + use, init), WRONG
        yield "copied", in_main(f"{init} {use} T *copy = malloc (sizeof *copy); memcpy (copy, o, sizeof *o);"
                                f" {destroy} {{ T *o = copy; memset (o, 0, sizeof *o); {init} {use} {destroy} }}"
                                " free (copy);"), OK
    if kind.hold:
        yield "destroyed-while-held", in_main(f"{init} {kind.hold} {destroy} {kind.release}"), WRONG
        yield "initialised-while-held", in_main(f"{init} {kind.hold} {init} {kind.release}"), WRONG
        yield "released-after-destroy", in_main(f"{init} {kind.hold} {kind.release} {destroy} {kind.release}"), WRONG
        yield "released-after-destroy-elsewhere", handed_over(
            f"{kind.hold} {kind.release} {destroy}", kind.release, init), WRONG
        yield "unready-initialised-while-held", in_main(f"{kind.hold} {init}"), WRONG
        yield "unready-initialised-beside-hold", beside(f"{kind.hold} {kind.release}", init), WRONG
        if "rwlock" not in kind.name:  # whose words are elsewhere
            overwrite = "memset (o, 0, sizeof *o);"
            store = "atomic_store_explicit ((_Atomic int *) o, 0, memory_order_relaxed);"
            yield "overwritten-while-held", in_main(f"{init} {kind.hold} {overwrite}"), WRONG
            yield "overwritten-beside-hold", beside(f"{kind.hold} {kind.release}", overwrite, init), WRONG
            yield "stored-to-while-held", in_main(f"{init} {kind.hold} {store}"), WRONG
            yield "stored-to-beside-hold", beside(f"{kind.hold} {kind.release}", store, init), WRONG
            yield "stored-to-before-hold", handed_over(store, f"{kind.hold} {kind.release}", init), OK
            yield "stored-to-after-hold", handed_over(f"{kind.hold} {kind.release}", store, init), OK
        yield "destroy-beside-hold", beside(f"{kind.hold} {kind.release}", destroy, init), WRONG
        yield "destroyed-after-last-release", handed_over(
            f"{kind.hold} {kind.release}", f"{kind.hold} {kind.release} {destroy}", init), OK
        yield "released-by-another", handed_over(kind.hold, kind.release, init), \
            OK if kind.name == "recursive" else WRONG  # which is told by EPERM


def nested():
    """Programs that fit in no row."""
    for kind in KINDS:
        use = next(iter(kind.uses.values()))
        if kind.name not in KEYS:
            f = f"static void f (void) {{ T object, *o = &object; {kind.init} {use} }}\n"
            yield f"{kind.name}/local-of-two-calls", source(kind, "", f, "f (); f ();"), OK
    for wait, kind in (("pthread_cond_wait", "cond"), ("cnd_wait", "cnd")):
        k = next(k for k in KINDS if k.name == kind)
        other, lock, unlock = ("&other", "pthread_mutex_lock", "pthread_mutex_unlock") if kind == "cond" else (
            "&other_mtx", "mtx_lock", "mtx_unlock")
        waiting = f"{lock} ({other}); ready = 1; {wait} (o, {other}); {unlock} ({other});"
        start = k.init + (" mtx_init (&other_mtx, mtx_plain);" if kind == "cnd" else "")
        # a store beside the flag of the waiting thread: it only goes on when the other waits for sure
        see = f"int w = 0; while (!w) {{ {lock} ({other}); w = ready; {unlock} ({other}); }}"
        broadcast = "pthread_cond_broadcast (o);" if kind == "cond" else "cnd_broadcast (o);"
        third = "static pthread_mutex_t third = PTHREAD_MUTEX_INITIALIZER;\n" if kind == "cond" else "static mtx_t third;\n"
        both = start + ("" if kind == "cond" else " mtx_init (&third, mtx_plain);")
        for name, mutex, verdict in (("two-mutexes", "&third", WRONG), ("one-mutex", other, OK)):
            t, m = beside(*(f"struct timespec t = {{0}}; {lock} ({x}); {wait.replace('wait', 'timedwait')} (o, {x}, &t);"
                            f" {unlock} ({x});" for x in (other, mutex)), both)
            yield f"{kind}/{name}", source(k, "static T object;\n" + third, t, "T *o = &object; " + m), verdict
        for name, act, verdict in (("destroyed-while-waited-for", k.destroy, WRONG),
                                   ("initialised-while-waited-for", k.init, WRONG),
                                   ("destroyed-after-broadcast", broadcast + k.destroy, OK)):
            t, m = beside(waiting, see + act, start)
            yield f"{kind}/{name}", source(k, "static T object; static int ready;\n", t, "T *o = &object; " + m), verdict
    for name, act, verdict in (("destroyed-while-waited-for", "pthread_barrier_destroy (o);", WRONG),
                               ("initialised-while-waited-for", "pthread_barrier_init (o, 0, 2);", WRONG)):
        k = next(k for k in KINDS if k.name == "barrier")
        t, m = beside("pthread_barrier_wait (o);", act, "pthread_barrier_init (o, 0, 2);")
        yield f"barrier/{name}", source(k, "static T object;\n", t, "T *o = &object; " + m), verdict
    k = next(k for k in KINDS if k.name == "barrier")
    t, m = beside("pthread_barrier_wait (o);", "pthread_barrier_wait (o);", "pthread_barrier_init (o, 0, 2);",
                  "pthread_barrier_destroy (o);")
    yield "barrier/two", source(k, "static T object;\n", t, "T *o = &object; " + m), OK
    k = next(k for k in KINDS if k.name == "semaphore")
    t, m = beside("sem_wait (o);", "sem_post (o);", "sem_init (o, 0, 0);", "sem_destroy (o);")
    yield "semaphore/handover", source(k, "static T object;\n", t, "T *o = &object; " + m), OK
    t, m = beside("sem_wait (o); sem_destroy (o);", "sem_post (o);", "sem_init (o, 0, 0);")
    yield "semaphore/destroyed-after-wait", source(k, "static T object;\n", t, "T *o = &object; " + m), OK
    t, m = beside("sem_wait (o);", "sem_init (o, 0, 0); sem_post (o);")
    yield "semaphore/init-and-post-beside-wait", source(k, "static T object;\n", t, "T *o = &object; " + m), WRONG
    once = Kind("once", "pthread_once_t", "", "", {})
    calls = "static int n; static void f (void) { n++; }\n"
    t, m = beside("pthread_once (o, f);", "pthread_once (o, f);", "", "if (n != 1) abort ();")
    yield "once/two", source(once, calls + "static T object = PTHREAD_ONCE_INIT;\n", t, "T *o = &object; " + m), OK
    yield "once/garbage", source(once, calls, "", "T *o = malloc (sizeof *o); pthread_once (o, f); free (o);"), WRONG
    yield "once/itself", source(once, "static pthread_once_t object; static void f (void) { pthread_once (&object, f); }\n",
                                "", "pthread_once (&object, f);"), WRONG


def source(kind, declarations, threads, body):
    return f"{HEAD}{kind.more}typedef {kind.type} T;\n{declarations}{threads}" \
           f"int main (void) {{\n  {body}\n  return 0;\n}}\n"


def table():
    for kind in KINDS:
        for storage, (declaration, start, end) in STORAGE.items():
            for use_name, use in list(kind.uses.items())[:None if storage == "static" else 1]:
                use = "{ " + use + " }"
                for name, (threads, main), verdict in situations(kind, use):
                    if verdict is None:
                        ready = starts_initialised(kind, storage)
                        if ready is None or (storage == "local" and kind.name in PLAIN | KEYS):
                            continue
                        verdict = OK if ready else WRONG
                        if verdict == OK and name == "unready-sometimes" and kind.name in PLAIN:
                            continue
                    yield (f"{kind.name}/{storage}/{use_name}/{name}",
                           source(kind, declaration, threads, f"{start} {main} {end}"), verdict)


def drawn(rng):
    """One thread, some operations: the first one that the rules forbid makes it wrong."""
    kind = rng.choice([k for k in KINDS if k.name not in KEYS])
    storage = rng.choice(list(STORAGE))
    declaration, start, end = STORAGE[storage]
    state = "ready" if starts_initialised(kind, storage) else "raw"
    is_marked = False
    if starts_initialised(kind, storage) is None:
        state = "unknown"
    verdict, text = OK, []
    for _ in range(rng.randint(1, 7)):
        op = rng.choice(["init", "use", "use", "destroy"])
        if op == "init":
            text.append(kind.init)
            if state == "ready" and is_marked:
                verdict = WRONG
            state, is_marked = "ready", True
        elif op == "use":
            text.append("{ " + rng.choice(list(kind.uses.values())) + " }")
            if state == "unknown":
                return None
            if state != "ready":
                verdict = WRONG
        else:
            text.append(kind.destroy)
            if state == "unknown":
                return None
            if state != "ready":
                verdict = WRONG
            state, is_marked = "gone", False
        if verdict == WRONG:
            break
    return f"{kind.name}/{storage}/drawn", source(kind, declaration, "", f"{start} {' '.join(text)} {end}"), verdict


def check(porf, name, text, expected, options):
    with tempfile.NamedTemporaryFile("w", suffix=".c", delete=False) as f:
        f.write(text)
    try:
        run = subprocess.run([porf, "check", "-q", "--no-cache", *options, f.name], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=300)
        code, out = run.returncode, run.stdout
    except subprocess.TimeoutExpired:
        code, out = -1, "no end within 300 s"
    os.unlink(f.name)
    found = {0: OK, 42: WRONG}.get(code, f"exit status {code}")
    return name, text, expected, found, options, out


def runs_of(programs):
    """Each in the search of graphs; those of one thread, of which an order of stores makes no difference, as states, too."""
    for name, text, verdict in programs:
        yield name, text, verdict, []
        if "pthread_create" not in text and "/static/" in name and not name.endswith("/copied"):
            yield name + " --mca", text, verdict, ["--mca"]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("-k", default="", help="only programs whose name has this")
    p.add_argument("-n", type=int, default=200, help="random programs")
    p.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    p.add_argument("--porf", default=os.path.join(ROOT, "build/porf"))
    p.add_argument("--sample", type=int, default=0, help="only so many of all programs, drawn at random")
    p.add_argument("--storage", default="", help="only this one")
    p.add_argument("-v", action="store_true")
    a = p.parse_args()
    rng = random.Random(a.seed)
    print(f"seed {a.seed}")
    programs = list(nested()) + list(table())
    while a.n > 0:
        if one := drawn(rng):
            programs.append((f"{one[0]}-{a.n}", *one[1:]))
            a.n -= 1
    programs = list({x[1]: x for x in reversed(programs)}.values())[::-1]  # some have no use in them
    programs = [x for x in programs if a.k in x[0] and (not a.storage or f"/{a.storage}/" in x[0])]
    if 0 < a.sample < len(programs):
        programs = rng.sample(programs, a.sample)
    passed, failed = 0, 0
    with concurrent.futures.ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for name, text, expected, found, options, out in pool.map(lambda x: check(a.porf, *x), list(runs_of(programs))):
            good = found == expected
            passed, failed = passed + good, failed + (not good)
            if not good:
                print(f"FAIL {name}: {found}, expected {expected}")
                if a.v:
                    print(text + out)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


sys.exit(main())
