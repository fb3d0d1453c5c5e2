# Tests of `porf optimize`; run by run.py.

STRUCTURES = ('ttas', 'ticket', 'mcs', 'treiber', 'ms-queue', 'spsc', 'seqlock', 'chase-lev')
ORDERS = {'none': set(), 'relaxed': set(), 'acquire': {'a'}, 'release': {'r'}, 'acq_rel': {'a', 'r'},
          'seq_cst': {'a', 'r', 's'}}


def optimized(porf, *args):
    code, out, err = porf('optimize', '--format', 'json', *args)
    equal('exit code', (code, err), (0, ''))
    return json.loads(out)


def place(site):
    return os.path.basename(site['file']), site['line'], site['column']


@test
def structures_from_seq_cst(porf):
    """Started from seq_cst everywhere, the search finds orders at least as weak as the published ones."""
    for name in STRUCTURES:
        path = os.path.join(ROOT, 'tests', 'structures', name + '.c')
        published = {place(s): s for s in optimized(porf, path, '-DN=2')['sites']}
        found = optimized(porf, path, '-DN=2', '-DSEQ_CST')
        equal(f'{name}: places', {place(s) for s in found['sites']}, set(published))
        holds(found['complete'] and found['executions'] > 0, f'{name}: not complete')
        for s in found['sites']:
            for end in ('', '_failure'):
                if 'from' + end not in s:
                    continue
                was, wanted, got = s['from' + end], published[place(s)]['from' + end], s['to' + end]
                equal(f'{name}:{s["line"]} starts from', was, 'seq_cst')
                holds(s['reached'], f'{name}:{s["line"]} is not reached')
                holds(ORDERS[got] <= ORDERS[wanted], f'{name}:{s["line"]}: {got}, published: {wanted}')
            kept = ORDERS[s['to']] or s['access'] == 'fence' and s['to'] != 'none'
            equal(f'{name}:{s["line"]} has reasons', bool(s['refused']), bool(kept))
            for r in s['refused']:
                holds(r.get('kind') and r['message'] and ORDERS[r['to']] <= ORDERS[s['to']], f'{name}: {r}')


MP = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static int data;
static atomic_int ready, never;
static void *sender (void *u) {
  data = 42;
  %s
  atomic_store (&ready, 1);
  if (data == 1) atomic_store (&never, 1);
  return u;
}
static void *receiver (void *u) {
  if (atomic_load_explicit (&ready, memory_order_seq_cst)) assert (data == 42);
  return u;
}
int main (void) {
  pthread_t a, b;
  pthread_create (&a, 0, sender, 0);
  pthread_create (&b, 0, receiver, 0);
  pthread_join (a, 0);
  pthread_join (b, 0);
}
"""
FENCE = 'atomic_thread_fence (memory_order_seq_cst); /* full */'


def apply(porf, patch):
    p = subprocess.run(['git', 'apply', '-v', patch], cwd=porf.directory, capture_output=True, text=True)
    equal('git apply', (p.returncode, p.stderr if p.returncode else ''), (0, ''))


def read(porf, name):
    with open(os.path.join(porf.directory, name)) as f:
        return f.read()


@test
def weakest_orders(porf):
    porf.write('mp.c', MP % FENCE)
    code, out, err = porf('optimize', 'mp.c', '--patch', 'mp.patch')
    equal('exit code and messages', (code, err), (0, ''))
    for words in ('mp.c:8 .*fence .*seq_cst -> release', 'mp.c:9 .*store .*seq_cst -> relaxed',
                  'mp.c:10 .*store .*seq_cst   stays: never reached', 'mp.c:14 .*load .*seq_cst -> acquire',
                  'not none: data race on `data` at mp.c:14', 'not relaxed: data race', 'checked: .* all 2 executions'):
        holds(re.search(words, out), f'{words!r} is not in {out}')
    apply(porf, 'mp.patch')
    text = read(porf, 'mp.c')
    holds('atomic_thread_fence (memory_order_release); /* full */' in text, text)
    holds('atomic_store_explicit (&ready, 1, memory_order_relaxed);' in text, text)
    holds('atomic_store (&never, 1);' in text, text)
    equal('the patched program', porf('check', 'mp.c')[0], 0)
    again = optimized(porf, 'mp.c')['sites']
    holds(all(s['from'] == s['to'] for s in again), f'again: {again}')


@test
def few_fences(porf):
    """Rather a release store than a fence; its line goes, and what an `if` without braces needs stays."""
    for text, gone in ((MP % FENCE, True), (MP % ('if (data)\n    ' + FENCE), False)):
        porf.write('mp.c', text)
        code, out, err = porf('optimize', 'mp.c', '--few-fences', '--patch', 'mp.patch')
        holds('fence             seq_cst -> none' in out and 'seq_cst -> release' in out, out)
        holds('1 of 1 fences can go' in out, out)
        apply(porf, 'mp.patch')
        holds('atomic_thread_fence' not in read(porf, 'mp.c'), read(porf, 'mp.c'))
        equal('full', 'full' in read(porf, 'mp.c'), not gone)
        equal('the patched program', porf('check', 'mp.c')[0], 0)


@test
def patches(porf):
    """All the ways to write an order."""
    porf.write('p.c', """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y, z;
static int w, old;
#define STORE(p) atomic_store_explicit (p, 1, memory_order_seq_cst)
static void *run (void *u) {
  int zero = 0;
  __atomic_store_n (&w, 1, __ATOMIC_SEQ_CST);
  atomic_fetch_add (&x, 1); atomic_fetch_add_explicit (&y, 1, memory_order_seq_cst);
  atomic_compare_exchange_strong (&z, &zero, 2); /* ) */
  atomic_compare_exchange_strong_explicit (&z, &zero, /* , ( */ 3,
                                           memory_order_seq_cst,
                                           memory_order_seq_cst);
  __atomic_compare_exchange_n (&w, &old, 3, 0, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE);
  x = 1;
  STORE (&y);
  return u;
}
int main (void) { pthread_t t; pthread_create (&t, 0, run, 0); pthread_join (t, 0); }
""")
    code, out, err = porf('optimize', 'p.c', '--patch', 'p.patch')
    equal('exit code', code, 0)
    equal('by hand', sorted(set(re.findall(r'p\.c:(\d+)', err))), ['15', '16'])
    apply(porf, 'p.patch')
    text = read(porf, 'p.c')
    for line in ('__atomic_store_n (&w, 1, __ATOMIC_RELAXED);',
                 'atomic_fetch_add_explicit (&x, 1, memory_order_relaxed); '
                 'atomic_fetch_add_explicit (&y, 1, memory_order_relaxed);',
                 'atomic_compare_exchange_strong_explicit (&z, &zero, 2, memory_order_relaxed, memory_order_relaxed); /* ) */',
                 '                           memory_order_relaxed,\n                                           memory_order_relaxed);',
                 '3, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);', '  x = 1;'):
        holds(line in text, f'{line!r} is not in {text}')


@test
def patches_of_cpp(porf):
    porf.write('p.cpp', """#include <atomic>
#include <thread>
static std::atomic<int> x, y;
int main () {
  std::thread t ([] { y.store (1); x.store (1, std::memory_order_seq_cst); });
  int a = x.load (), e = 0;
  y.compare_exchange_strong (e, 2, std::memory_order_acq_rel);
  t.join ();
  return a;
}
""")
    code, out, err = porf('optimize', 'p.cpp', '--patch', 'p.patch')
    equal('exit code', code, 0)
    if 'p.cpp' in read(porf, 'p.patch'):
        apply(porf, 'p.patch')
        equal('the patched program', porf('check', 'p.cpp')[0], 0)


@test
def optimize_under_several_models(porf):
    """What one model allows is not enough."""
    porf.write('sb.c', """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int a, b;
static void *one (void *u) { atomic_store (&x, 1); a = atomic_load (&y); return u; }
static void *two (void *u) { atomic_store (&y, 1); b = atomic_load (&x); return u; }
int main (void) { pthread_t s, t; pthread_create (&s, 0, one, 0); pthread_create (&t, 0, two, 0);
  pthread_join (s, 0); pthread_join (t, 0); assert (a || b); }
""")
    holds(all(s['to'] == 'relaxed' for s in optimized(porf, '-m', 'sc', 'sb.c')['sites']), 'sc')
    both = optimized(porf, '-m', 'sc,rc11', 'sb.c')
    equal('models', both['models'], ['sc', 'rc11'])
    holds(all(s['to'] == 'seq_cst' and s['refused'][0]['model'] == 'rc11' for s in both['sites']), f'{both}')
    code, out, err = porf('optimize', '--full', 'sb.c')
    equal('counterexamples', out.count('error[assert]'), 4)
    holds('help: use memory_order_seq_cst instead of release at sb.c:6' in out, out)


@test
def optimize_needs_a_program_that_passes(porf):
    code, out, err = porf('optimize', porf.write('bad.c', BAD))
    equal('exit code', code, 42)
    holds('error[assert]' in out and 'only programs that pass' in err, out + err)
    rejected(porf('optimize', '--format', 'dot', porf.write('good.c', GOOD)), 'dot')
    code, out, err = porf('optimize', '--timeout', '0.000001', 'good.c')
    equal('no time', code, 3)
