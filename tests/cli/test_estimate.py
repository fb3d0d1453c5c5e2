# Tests of --estimate, --sample, --bound and of the share that was covered; run by run.py.

MODELS_TO_DRAW = ('sc', 'rc11', 'wrc11', 'jam21', 'armv8', 'imm')


def graphs(porf, *args):
    """The executions that are visited, one line each, and what came out. When the search starts over, so do they."""
    code, out, err = porf('check', '--dump', 'graph', '--format', 'json', '--help-time', '0', *args)
    seen = []
    for number, graph in re.findall(r'^(\d+)(?: blocked)?: (.*)$', err, re.M):
        seen = [] if number == '1' else seen
        seen.append(graph)
    return seen, code, json.loads(out)


def bench(name):
    return os.path.join(ROOT, 'bench', name + '.c')


@test
def estimate_is_near_the_truth(porf):
    """Generous bounds: on a busy machine a second is short. scripts/bench-estimate measures it."""
    for name, flag, truth in (('ainc', '-DN=10', 3628800), ('scaling', '-DT=20', 1 << 20), ('fib_bench', '-DK=6', 8149694)):
        code, out, err = porf('check', '--estimate', '--reduce=-commuting', '--format', 'json', bench(name), '--', flag)
        result = well_formed(out)
        equal('exit code', (code, result['verdict']), (3, 'incomplete'))
        e = result['estimate']
        holds(truth / 5 < e['executions'] + e['blocked'] < truth * 5, f'{name}: {e}, truth {truth}')
        holds(e['spread'] >= 1 and e['seconds'] > 0 and e['tours'] > 0, e)


@test
def estimate_is_exact_if_the_search_ends(porf):
    code, out, err = porf('check', '--estimate', porf.write('good.c', GOOD))
    equal('exit code', code, 3)
    holds('estimate: about 4 executions; exploring all takes ' in out and 'not a check (--estimate)' in out, out)


@test
def cut_off_searches_say_how_much_they_covered(porf):
    truth = 1 << 24
    flags = ('--format', 'json', bench('variables'), '--', '-DN=24')
    for limit in (('--timeout', '1'), ('--max-executions', '20000')):
        result = well_formed(porf('check', *limit, *flags)[1])
        e = result['estimate']
        holds(truth / 10 < e['executions'] < truth * 10, e)
        equal('share', round(e['covered'], 6), round(min(result['explored'] / e['explored'], 1), 6))
    out = porf('check', '--timeout', '2', bench('variables'), '--', '-DN=24')[1]
    holds(re.search(r'estimate: about \S+ executions.*; exploring all takes .*; \S+ % explored', out), out)
    holds('estimate' not in json.loads(porf('check', '--format', 'json', porf.write('good.c', GOOD))[1]), 'estimate of a pass')


@test
def violations_are_found_without_checking_everything(porf):
    bad = porf.write('bad.c', BAD)
    for way in (('--estimate',), ('--sample', '1'), ('--bound', 'preemptions=0'), ('--bound', 'context=0')):
        equal(way, porf('check', *way, bad)[0], 42)
        equal(way, porf('check', *way, porf.write('good.c', GOOD))[0], 3)


@test
def samples_are_executions_and_reproducible(porf):
    for model in MODELS_TO_DRAW:
        args = ('--reduce=-symmetry', '-m', model, bench('casrot'), '--', '-DN=5')
        every, code, result = graphs(porf, *args)
        equal('verdict', (code, len(every)), (0, result['executions']))
        one, code, result = graphs(porf, '--sample', '200', *args)
        equal('drawn', (code, len(one), result['executions']), (3, 200, 200))
        holds(set(one) <= set(every), f'{model}: no such execution')
        holds(len(set(one)) > len(every) / 2, f'{model}: {len(set(one))} of {len(every)}')
        equal('again', graphs(porf, '--sample', '200', *args)[0], one)
        holds(graphs(porf, '--sample', '200', '--seed', '2', *args)[0] != one, 'another seed, the same executions')


@test
def bounds_grow_to_everything(porf):
    """A higher bound visits the same executions and more, none twice; in the end all of them. Without reductions, since
    with fewer executions less may turn out to be shared, and executions then have fewer events."""
    for model, name, flag in (('rc11', 'treiber', '-DN=2'), ('sc', 'fib_bench', '-DK=2'), ('armv8', 'lbn', '-DN=4')):
        args = ('--reduce=none', '-m', model, bench(name), '--', flag)
        every = graphs(porf, *args)[0]
        for kind in ('preemptions', 'context'):
            before, sizes = set(), []
            for most in range(40):
                now, code, result = graphs(porf, '--bound', f'{kind}={most}', *args)
                equal('exit code', code, 3)
                holds(before <= set(now) <= set(every), f'{kind}={most} of {name}')
                equal('once', len(now), len(set(now)))
                before = set(now)
                sizes.append(len(now))
                if 'without --bound' in result['not_covered'][0]['what']:
                    break
            equal(f'{name}: all', before, set(every))
            holds(sizes[0] < sizes[-1], f'{name}: {kind} {sizes}')


@test
def bounds_do_not_depend_on_workers(porf):
    args = ('--bound', 'context=6', '--format', 'json', bench('treiber'), '--', '-DN=3')
    counts = [[json.loads(porf('check', '-j', str(n), *args)[1])[k] for k in ('executions', 'blocked')] for n in (1, 4)]
    equal('counts', counts[0], counts[1])


@test
def guesses_are_refused_where_they_mean_nothing(porf):
    good = porf.write('good.c', GOOD)
    rejected(porf('outcomes', '--sample', '5', good), '--sample')
    rejected(porf('compare', '-m', 'sc,tso', '--bound', 'context=1', good), '--bound')
    rejected(porf('check', '--engine', 'machine', '--estimate', good), '--estimate')
    rejected(porf('check', '--sample', '5', '--estimate', good), 'only one')
    for wrong in ('preemptions', 'switches=1', 'context=-1', 'context='):
        rejected(porf('check', '--bound', wrong, good), wrong)


@test
def endless_programs_can_be_sampled(porf):
    endless = porf.write('endless.c', '''#include <stdatomic.h>
#include <pthread.h>
static atomic_int x;
static void *run (void *u) { for (int i = 0;; i++) atomic_store (&x, i); return u; }
int main (void) { pthread_t t;
  pthread_create (&t, 0, run, 0); atomic_load (&x); return 0; }
''')
    for way in (('--estimate',), ('--sample', '3', '--timeout', '1')):
        equal(way, porf('check', *way, endless, timeout=120)[0], 3)


@test
def progress_line_on_a_terminal(porf):
    """Counts all workers, says how much is left, and looking ahead changes nothing that is counted."""
    import pty
    terminal, end = pty.openpty()
    p = subprocess.Popen([porf.path, 'check', '--engine', 'explore', '-j', '2', '--format', 'json', bench('peterson_sc'), '--', '-DK=5'],
                         stdout=subprocess.PIPE, stderr=end, stdin=subprocess.DEVNULL)
    os.close(end)
    shown = b''
    try:
        while more := os.read(terminal, 4096):
            shown += more
    except OSError:  # the other end was closed
        pass
    result = json.loads(p.communicate()[0])
    os.close(terminal)
    equal('counts', (p.returncode, result['executions'], result['blocked']), (0, 93652, 93652))
    holds(re.search(rb'\d+ executions of about \S+, \d+/s, depth \d+, \d+ s, about .* left, [12] of 2 workers busy', shown),
          shown[-300:])
    holds('estimate' not in result, 'estimate of a pass')


@test
def samples_of_many_threads(porf):
    """Graphs are not widened while a sample is drawn: the search starts over."""
    many = porf.write('many.c', """#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run (void *u) { atomic_fetch_add (&x, 1); return u; }
int main (void) { pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create (&t[i], 0, run, 0);
  for (int i = 0; i < N; i++) pthread_join (t[i], 0);
  return 0; }
""")
    for n in (7, 8, 15, 16, 17, 100, 300):
        for way in (['--sample', '1'], ['--estimate', '--timeout', '0.2']):
            code, out, err = porf('check', '-j1', *way, many, f'-DN={n}')
            equal(f'exit code of {n} threads with {way[0]}', code, 3)
