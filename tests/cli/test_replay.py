# Tests of `porf replay`; run by run.py.
import shutil

STALE = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int *_Atomic box;
static int value = 1;
static atomic_int ready;
static void *sender (void *u) {
  value = 42;
  atomic_store_explicit (&box, &value, memory_order_relaxed);
  atomic_fetch_add_explicit (&ready, 1, memory_order_relaxed);
  return u;
}
static void *receiver (void *u) {
  while (!atomic_load_explicit (&ready, memory_order_relaxed)) {
  }
  int *p = atomic_load_explicit (&box, memory_order_relaxed);
  assert (!p || *p == 42);
  return u;
}
int main (void) {
  pthread_t a, b;
  pthread_create (&b, 0, receiver, 0);
  pthread_create (&a, 0, sender, 0);
  pthread_join (a, 0);
  pthread_join (b, 0);
}
"""


def report(porf, text, *options):
    porf.write('t.c', text)
    equal('exit code', porf('check', '--no-race', '--format', 'json', '-o', 't.json', *options, 't.c')[0], 42)


def replay(porf, commands, *options):
    p = subprocess.run([porf.path, 'replay', *options], cwd=porf.directory, capture_output=True, text=True, input=commands,
                       timeout=300)
    return p.returncode, p.stdout, p.stderr


@test
def replay_steps(porf):
    """All steps if nothing is asked; else forwards, backwards and to a number."""
    report(porf, STALE)
    code, out, err = replay(porf, '', 't.json')
    equal('exit code and messages', (code, err), (0, ''))
    steps = [int(n) for n in re.findall(r'^step (\d+) of', out, re.M)]
    equal('steps', steps, list(range(1, len(steps) + 1)))
    holds('reads value = 1, the initial value; not the 42 of step' in out, out)
    holds('->    17 |   assert (!p || *p == 42);' in out and 'end: assertion' in out and 'help: ' in out, out)
    code, out, err = replay(porf, 'n\np\n4\nt\nl\nq\nn\n', 't.json')
    equal('steps', [int(n) for n in re.findall(r'^step (\d+) of', out, re.M)], [1, 2, 1, 4])
    equal('lines', len(re.findall(r'^(?:->|  ) +\d+  (?:main|t\d) ', out, re.M)), len(steps))
    holds('t1 (receiver): ' in out and 'has done nothing yet' in out, out)


@test
def replay_chooses(porf):
    """One of several findings, also of several programs."""
    porf.write('a.c', BAD)
    report(porf, STALE, 'a.c')
    rejected(replay(porf, '', 't.json'), 'no execution') # one thread, no events
    code, out, err = replay(porf, '', 't.json', '--finding', '2')
    holds(code == 0 and 't.c under rc11' in out, out + err)
    rejected(replay(porf, '', 't.json', '--finding', '3'), 'no violation')


@test
def replay_of_nothing(porf):
    rejected(replay(porf, ''), 'one report')
    rejected(replay(porf, '', 'no.json'), 'no.json')
    rejected(replay(porf, '', porf.write('x.json', '{')), 'x.json', 'line 1')
    rejected(replay(porf, '', porf.write('x.json', '{"findings": []}')), 'no violation')


@test
def replay_of_wrong_numbers(porf):
    """Numbers are what JSON means by them, and those that do not fit are refused, not cut."""
    event = '{"thread": "main", "kind": "fence", "file": "t.c", "line": %s, "size": %s}'
    text = '{"findings": [{"line": %s, "execution": [' + event + ']}]}'
    for line, size, end in ('1', '4', '4294967298'), ('4294967298', '4', '1'), ('1', '1e30', '1'), ('-1', '4', '1'):
        name = porf.write('x.json', text % (end, line, size))
        rejected(replay(porf, '', name), 'is not from 0 to 4294967295')
    code, out, err = replay(porf, '', porf.write('x.json', text % ('1e1', '2.0', '4')))
    holds(code == 0 and 'end: violation in ?: :10' in out, out + err)


def forced(porf, *cflags):
    """How the native program ends."""
    code, out, err = replay(porf, '', 't.json', '--keep', 'forced', *(['--', *cflags] if cflags else []))
    equal('build', (code, err), (0, ''))
    p = subprocess.run([os.path.join(porf.directory, 'forced')], capture_output=True, text=True, timeout=30, cwd=porf.directory)
    return p.returncode, p.stderr


@test
def replay_natively(porf):
    """The program itself runs into the failing assertion, every time, though no processor would read that."""
    report(porf, STALE)
    for _ in range(5):
        code, err = forced(porf)
        holds(code == -6 and '*p == 42' in err, f'{code} {err}')


@test
def replay_structures_natively(porf):
    for name, bug in (('seqlock', 1), ('chase-lev', 1), ('treiber', 1), ('mutex', 1), ('ms-queue', 3), ('ttas', 2)):
        path = os.path.join(ROOT, 'tests', 'structures', name + '.c')
        porf('check', '--no-race', '--help-time', '0', '--format', 'json', '-o', 't.json', path, f'-DBUG={bug}')
        with open(os.path.join(porf.directory, 't.json')) as f:
            finding = json.load(f)['findings'][0]
        code, err = forced(porf, f'-DBUG={bug}')
        holds(code == -6 and f':{finding["line"]}:' in err, f'{name} {bug}: {code} {err}')


@test
def replay_in_gdb(porf):
    if not shutil.which('gdb'):
        return
    report(porf, STALE)
    code, out, err = replay(porf, '', 't.json', '--gdb')
    equal('exit code', code, 0)
    holds('hit Breakpoint 1' in out and 'receiver (u=0x0) at t.c:17' in out, out + err)


@test
def replay_natively_not(porf):
    """What cannot be followed is refused by name."""
    report(porf, """#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static int x;
static void *run (void *u) { sem_wait (&s); x++; return u; }
int main (void) { pthread_t t; sem_init (&s, 0, 0); pthread_create (&t, 0, run, 0); sem_post (&s);
  pthread_join (t, 0); assert (x == 2); }
""")
    rejected(replay(porf, '', 't.json', '--gdb'), 't.c:7', 'inside a library function')
