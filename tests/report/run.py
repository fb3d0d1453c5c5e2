#!/usr/bin/env python3
"""Golden tests of the reports: every kind of finding as text, JSON, SARIF, JUnit and HTML.

usage: tests/report/run.py [--porf PATH] [-k PATTERN] [--update]

The programs are those of examples/explain that are named after a kind, one with an edit of the text, and, as text only, broken twins of
tests/structures: two sides of a use after free, a loop, the hand-over of a lock, one line that both threads are at, a
function called twice. What porf says about them, without times and counters, must be what tests/report/golden holds;
--update writes it there, to be looked at with git diff. All JSON is validated against docs/porf-result.schema.json, all
SARIF against sarif.schema.json (what porf uses of the standard, and the standard's requirements on it) and, if
PORF_SARIF_SCHEMA names the standard's own schema, against that too. The other formats are checked for their structure,
patches by applying them.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

try:
    import jsonschema
except ImportError:  # Debian's package is for Debian's Python
    if os.path.realpath(sys.executable) == os.path.realpath('/usr/bin/python3'):
        sys.exit('the module jsonschema is missing: `scripts/deps tests` installs it')
    os.execv('/usr/bin/python3', ['/usr/bin/python3', *sys.argv])

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
GOLDEN = os.path.join(HERE, 'golden')
EXAMPLES = os.path.join('examples', 'explain')
FORMATS = {'text': 'txt', 'json': 'json', 'sarif': 'sarif', 'junit': 'xml', 'html': 'html'}
ENDINGS = {'json': 'json', 'html': 'html', 'dot': 'dot', 'sarif': 'sarif', 'junit': 'xml', 'github': 'github',
           'graphml': 'graphml', 'witness': 'yml'}  # of files that --save writes
VARIES = r'"(?:seconds|peak_bytes)": [0-9.e+-]+|time="[0-9.]+"|uuid: .*'
KEPT = ('version', 'executions', 'blocked')  # other numbers say how the search went, not what came out
OLD_MODELS = ('sc', 'tso', 'pso', 'sra', 'ra', 'rc11', 'rc20', 'wrc11')  # a new model shall not change golden files


def read(*path):
    with open(os.path.join(*path), encoding='utf-8') as f:
        return f.read()


def kinds():
    return re.findall(r'^FINDING \(\w+, "([^"]+)"', read(ROOT, 'src', 'core', 'finding.def'), re.M)


def cases():
    """Names of golden files: the program, and options."""
    found = {k: (os.path.join(EXAMPLES, k + '.c'), flags_of(os.path.join(EXAMPLES, k + '.c'))) for k in kinds()}
    found['edits'] = (os.path.join('tests', 'structures', 'mutex.c'), ['-j1', '-DBUG=2', '--edits'])
    found['load-buffering'] = (os.path.join(EXAMPLES, 'imm.c'), ['-m', 'imm'])
    return found


def twins():
    """Broken twins whose text has something that the programs above have not."""
    found = {name: (os.path.join('tests', 'structures', name + '.c'), ['-j1', '-DBUG=1'])
             for name in ('rcu', 'chase-lev', 'clh', 'arc', 'szymanski', 'treiber-aba')}
    found['bakery-edits'] = (os.path.join('tests', 'structures', 'bakery.c'), ['-j1', '-DBUG=2', '--edits'])
    found['dekker-armv8'] = (os.path.join('tests', 'structures', 'dekker.c'), ['-j1', '-m', 'armv8', '-DBUG=1'])
    return found


def flags_of(path):
    found = re.search(r'^// flags: (.*)$', read(ROOT, path), re.M)
    return found.group(1).split() if found else []


def validator(path, definition=None):
    schema = json.loads(read(path))
    if definition:
        schema = {**schema['definitions'][definition], 'definitions': schema['definitions']}
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


def validate(what, document, by):
    errors = [f'{"/".join(map(str, e.absolute_path))}: {e.message}' for e in by.iter_errors(document)]
    if errors:
        raise AssertionError(f'{what} is not valid: ' + '; '.join(e[:300] for e in errors[:3]))


RESULT = validator(os.path.join(ROOT, 'docs', 'porf-result.schema.json'), 'result')
SARIF = validator(os.path.join(HERE, 'sarif.schema.json'))
STANDARD = validator(os.environ['PORF_SARIF_SCHEMA']) if os.environ.get('PORF_SARIF_SCHEMA') else None


# ---- what must not change

def without_counters(result):
    return {k: v for k, v in result.items() if k in KEPT or not isinstance(v, (int, float))}


def models_of_old(text):
    """`also:` without the models that came later."""
    def keep(match):
        names = [n for n in re.split(r', | and ', match.group(2)) if n in OLD_MODELS]
        return f'{match.group(1)} {", ".join(names)}'
    return re.sub(r'((?:im)?possible under) ([a-z0-9, ]+)', keep, text)


def golden_text(out):
    return models_of_old(re.sub(r'\d+\.\d\d s$', 'N s', out, flags=re.M))


def golden_json(out):
    result = without_counters(json.loads(out))
    for finding in result['findings']:
        for names in finding.get('also', {}).values():
            names[:] = [n for n in names if n in OLD_MODELS]
    return json.dumps(result, indent=1, ensure_ascii=False) + '\n'


def golden_sarif(out):
    """The results; the rules are the same everywhere."""
    return json.dumps(json.loads(out)['runs'][0]['results'], indent=1, ensure_ascii=False) + '\n'


def golden_junit(out):
    return re.sub(r'time="[^"]*"', 'time="N"', out)


def golden_html(out):
    """What does not need the script; the data of the script are the JSON."""
    return golden_text(re.search(r'<main>\n.*</main>\n', out, re.S).group(0).replace(' s</p>', ' s\n</p>'))


# ---- what must hold

def check_html(porf, out, path, flags):
    data = re.search(r'<script type="application/json" id="data">\n(.*?)</script>', out, re.S).group(1)
    written = json.loads(data)
    result = json.loads(porf.one_of_all('json', path, *flags))
    if not (len(written) == 1 and without_counters(written[0]) == without_counters(result)):
        raise AssertionError('the data of the page are not the JSON')
    if re.search(r'(?:src|href)\s*=|url\(|@import|fetch\(|XMLHttp', out):
        raise AssertionError('the page refers to something outside')


def check_sarif(out):
    """What no schema can say."""
    log = json.loads(out)
    validate('SARIF', log, SARIF)
    if STANDARD:
        validate('SARIF (standard)', log, STANDARD)
    run = log['runs'][0]
    rules = [r['id'] for r in run['tool']['driver']['rules']]
    if rules != kinds() + ['expected']:
        raise AssertionError(f'rules {rules}')
    for result in run['results']:
        if rules[result['ruleIndex']] != result['ruleId']:
            raise AssertionError('ruleIndex does not fit ruleId')
        flows = [step for flow in result.get('codeFlows', []) for t in flow['threadFlows'] for step in t['locations']]
        orders = sorted(s['executionOrder'] for s in flows)
        if orders != list(range(1, len(flows) + 1)):
            raise AssertionError(f'executionOrder {orders}')
        for graph in result.get('graphs', []):
            nodes = {n['id'] for n in graph['nodes']}
            ends = {e[k] for e in graph['edges'] for k in ('sourceNodeId', 'targetNodeId')}
            ids = [e['id'] for e in graph['edges']]
            if not ends <= nodes or len(nodes) != len(graph['nodes']) or len(set(ids)) != len(ids):
                raise AssertionError('nodes and edges do not fit')


def check_junit(out):
    for suite in xml.etree.ElementTree.fromstring(out):
        for what, tag in (('failures', 'failure'), ('errors', 'error'), ('tests', None)):
            got = len(suite.findall(f'testcase/{tag}' if tag else 'testcase'))
            if int(suite.get(what)) != got:
                raise AssertionError(f'{what}="{suite.get(what)}", but there are {got}')


def check_json(out):
    """Indices lead to events."""
    result = json.loads(out)
    validate('JSON', result, RESULT)
    for f in result['findings']:
        events = f['execution']
        for e in events:
            if isinstance(e.get('from'), int) and 'written' not in events[e['from']]:
                raise AssertionError(f'{e} reads from what is no write')
        for at in [f, f.get('other', {}), *f['notes'], *f['steps']]:
            if 'event' in at and at['event'] >= len(events):
                raise AssertionError(f'no event {at["event"]}')
        for pairs in f['relations'].values():
            if any(max(p) >= len(events) for p in pairs):
                raise AssertionError('a relation leads nowhere')
        if 'interleaving' in f and sorted(f['interleaving']) != list(range(len(events))):
            raise AssertionError('an interleaving of other events')


def check_graphml(out):
    space = '{http://graphml.graphdrawing.org/xmlns}'
    root = xml.etree.ElementTree.fromstring(out)
    defined = {k.get('id'): k.get('for') for k in root.findall(space + 'key')}
    graph = root.find(space + 'graph')
    for tag, parents in (('graph', [graph]), ('node', graph.findall(space + 'node')), ('edge', graph.findall(space + 'edge'))):
        for parent in parents:
            for data in parent.findall(space + 'data'):
                if defined.get(data.get('key')) != tag:
                    raise AssertionError(f'key {data.get("key")} of a {tag}')
    nodes = [n.get('id') for n in graph.findall(space + 'node')]
    edges = [(e.get('source'), e.get('target')) for e in graph.findall(space + 'edge')]
    if edges != list(zip(nodes, nodes[1:])):
        raise AssertionError('the automaton is no path')
    marks = [d.get('key') for n in graph.findall(space + 'node') for d in n.findall(space + 'data')]
    if marks != ['entry', 'violation']:
        raise AssertionError(f'marks {marks}')


def check_witness(out, finding):
    """Structure by the few forms that are written; YAML proper needs a module that need not be there."""
    for word in ('entry_type: "violation_sequence"', 'format_version: "2.2"', 'input_file_hashes:', 'specification: "CHECK('):
        if word not in out:
            raise AssertionError(f'no {word}')
    if not re.search(r'uuid: "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}"', out):
        raise AssertionError('no uuid')
    segments = out.split('    - segment:\n')[1:]
    targets = [s.count('type: "target"') for s in segments]
    want = 2 if finding['kind'] == 'race' else 1
    if targets[-1] != want or any(targets[:-1]):
        raise AssertionError(f'targets {targets}')
    if out.count('thread_id: ') != out.count('- waypoint:'):
        raise AssertionError('a waypoint without a thread')


class Porf:
    def __init__(self, path):
        self.path, self.written = os.path.abspath(path), {}

    def __call__(self, form, path, *flags, code=42, cwd=ROOT):
        p = subprocess.run([self.path, 'check', '--format', form, '--help-time', '60', *flags, path], cwd=cwd,
                           capture_output=True, text=True, timeout=600, stdin=subprocess.DEVNULL,
                           env={**os.environ, 'SOURCE_DATE_EPOCH': '0'})
        if p.returncode != code:
            raise AssertionError(f'exit code {p.returncode}: {p.stderr[:300]}')
        return p.stdout

    def one_of_all(self, form, path, *flags):
        """What one run writes in all formats: it is what --format would print (saved_files_test)."""
        if (path, flags) not in self.written:
            with tempfile.TemporaryDirectory() as directory:
                files = {f: os.path.join(directory, 'out.' + end) for f, end in ENDINGS.items()}
                text = self('text', path, *flags, *[word for file in files.values() for word in ('--save', file)])
                self.written[path, flags] = {'text': text, **{f: read(file) for f, file in files.items()}}
        return self.written[path, flags][form]


def golden_test(porf, kind, form, update):
    path, flags = {**cases(), **twins()}[kind]
    out = porf.one_of_all(form, path, *flags)
    if form == 'json':
        check_json(out)
    if form == 'sarif':
        check_sarif(out)
    if form == 'junit':
        check_junit(out)
    if form == 'html':
        check_html(porf, out, path, flags)
    got = globals()['golden_' + form](out)
    file = os.path.join(GOLDEN, f'{kind}.{FORMATS[form]}')
    if update:
        os.makedirs(GOLDEN, exist_ok=True)
        with open(file, 'w', encoding='utf-8') as f:
            f.write(got)
    want = read(file) if os.path.exists(file) else ''
    for number, (a, b) in enumerate(zip(got.splitlines() + [''], want.splitlines() + ['']), 1):
        if a != b:
            raise AssertionError(f'{os.path.relpath(file, ROOT)}:{number}: {a.strip()!r}, expected {b.strip()!r}')
    if got != want:
        raise AssertionError(f'{os.path.relpath(file, ROOT)} is longer or shorter')


def witness_test(porf, kind):
    path, flags = cases()[kind]
    finding = json.loads(porf.one_of_all('json', path, *flags))['findings'][0]
    check_graphml(porf.one_of_all('graphml', path, *flags))
    check_witness(porf.one_of_all('witness', path, *flags), finding)
    dot = porf.one_of_all('dot', path, *flags)
    if dot.count('[label="') < len(finding['execution']) or dot.count('{') != dot.count('}'):
        raise AssertionError('no picture')
    lines = porf.one_of_all('github', path, *flags).splitlines()
    if not lines[0].startswith(f'::error file={path},line={finding["line"]},') or \
            any(not re.match(r'::(error|warning|notice) [^:]*title=[^:]*::.', line) for line in lines):
        raise AssertionError(f'annotations: {lines}')


PASSES = '''#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run (void *u) { atomic_fetch_add (&x, 1); return u; }
int main (void) { pthread_t t; pthread_create (&t, 0, run, 0); pthread_join (t, 0); }
'''
ENDLESS = PASSES.replace('atomic_fetch_add (&x, 1);', 'for (int i = 0; i < 9; i++) atomic_fetch_add (&x, 1);')


def pass_and_incomplete_test(porf):
    with tempfile.TemporaryDirectory() as directory:
        for name, text, code, flags in (('a "b" & <c>.c', PASSES, 0, []), ('endless.c', ENDLESS, 3, ['--unroll', '3'])):
            with open(os.path.join(directory, name), 'w') as f:
                f.write(text)
            def run(form):
                return porf(form, name, *flags, code=code, cwd=directory)
            check_json(run('json'))
            check_sarif(run('sarif'))
            check_junit(run('junit'))
            errors = run('junit').count('<error ')
            notes = len(json.loads(run('sarif'))['runs'][0]['invocations'][0]['toolExecutionNotifications'])
            if (errors, notes) != ((0, 0) if code == 0 else (1, 1)):
                raise AssertionError(f'{errors} errors in JUnit, {notes} notifications in SARIF')
            page = re.search(r'id="data">\n(.*?)</script>', run('html'), re.S).group(1)
            if not json.loads(page)[0]['last']['execution']:
                raise AssertionError('no execution in the page')
            if ('correctness_witness' in run('graphml')) != (code == 0) or ('invariant_set' in run('witness')) != (code == 0):
                raise AssertionError('witness of what was not shown')
            if run('patch'):
                raise AssertionError('a patch for nothing')


def several_programs_test(porf):
    paths = [os.path.join(EXAMPLES, k + '.c') for k in ('assert', 'race')]
    def run(form):
        return porf(form, paths[1], paths[0])
    results = json.loads(run('json'))
    for result in results:
        validate('JSON', result, RESULT)
    check_sarif(run('sarif'))
    check_junit(run('junit'))
    got = [r['ruleId'] for r in json.loads(run('sarif'))['runs'][0]['results']]
    if got != ['assert', 'race'] or [r['file'] for r in results] != paths:
        raise AssertionError(f'results {got}')
    if run('html').count('<article class="finding"') != 2:
        raise AssertionError('the page lacks a finding')


BUFFERS = '''#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int r0, r1;
static void *one (void *u) { atomic_store_explicit (&x, 1, ORDER); r0 = atomic_load_explicit (&y, ORDER); return u; }
static void *two (void *u) { atomic_store_explicit (&y, 1, ORDER); r1 = atomic_load_explicit (&x, ORDER); return u; }
int main (void) { pthread_t a, b;
  pthread_create (&a, 0, one, 0); pthread_create (&b, 0, two, 0); pthread_join (a, 0); pthread_join (b, 0);
  assert (!(r0 == 0 && r1 == 1)); }
'''


def neighbours_test(porf):
    """Store buffering where one thread comes second: could it have missed the other one's store?"""
    relaxed, strong = 'memory_order_relaxed', 'memory_order_seq_cst'
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, 'sb.c'), 'w') as f:
            f.write(BUFFERS)
        for model, order, axiom in (('sc', relaxed, 'global order'), ('tso', relaxed, None), ('tso', strong, 'global order'),
                                    ('rc11', relaxed, None), ('rc11', strong, 'psc'), ('ra', strong, None)):
            out = porf('json', 'sb.c', '-m', model, '-DORDER=' + order, cwd=directory)
            check_json(out)
            f = json.loads(out)['findings'][0]
            read = next(i for i, e in enumerate(f['execution']) if e.get('read') == 1 and e['location'] == 'x')
            n = next(n for n in f['neighbours'] if n['read'] == read and n['from'] == 'init')
            if n.get('axiom') != axiom:
                raise AssertionError(f'{model} {order}: {n}')
            cycle = n.get('cycle', [])
            if any(a['to'] != b['from'] for a, b in zip(cycle, cycle[1:] + cycle[:1])) or bool(cycle) != bool(axiom):
                raise AssertionError(f'{model} {order}: no cycle: {cycle}')
            if axiom and read not in [e['from'] for e in cycle]:
                raise AssertionError(f'{model} {order}: the read is not part of {cycle}')


WIDE = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int data, ready;
static void *sender (void *u) {
  atomic_store_explicit (&data, 1, memory_order_relaxed);
  /* \u00e4\u20ac\U0001f600 */ atomic_store_explicit (&ready, 1, memory_order_relaxed);
  return u;
}
int main (void) {
  pthread_t t;
  pthread_create (&t, 0, sender, 0);
  if (atomic_load_explicit (&ready, memory_order_acquire)) assert (atomic_load_explicit (&data, memory_order_relaxed));
  pthread_join (t, 0);
}
"""


def wide_test(porf):
    """Columns are bytes in JSON, and UTF-16 code units in SARIF: a, e and a smile have 2 + 3 + 4 bytes, 1 + 1 + 2 units."""
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, 'wide.c'), 'w', encoding='utf-8') as f:
            f.write(WIDE)
        finding = json.loads(porf('json', 'wide.c', cwd=directory))['findings'][0]
        result = json.loads(porf('sarif', 'wide.c', cwd=directory))['runs'][0]['results'][0]
        edit, = finding['edits']
        region = result['fixes'][0]['artifactChanges'][0]['replacements'][0]['deletedRegion']
        line = WIDE.splitlines()[edit['line'] - 1]
        for column, got in ((edit['column'], region['startColumn']), (edit['end_column'], region['endColumn'])):
            want = len(line.encode()[:column - 1].decode().encode('utf-16-le')) // 2 + 1
            if got != want or got == column:
                raise AssertionError(f'byte {column} is column {got}, not {want}')
        note = next(n for n in result['relatedLocations'] if n['physicalLocation']['region']['startLine'] == edit['line'])
        region = note['physicalLocation']['region']
        text = line.encode('utf-16-le')[2 * region['startColumn'] - 2:2 * region['endColumn'] - 2].decode('utf-16-le')
        if not (text.startswith('atomic_store_explicit') and text.endswith(')')):
            raise AssertionError(f'the note is at {text!r}')


def machine_test(porf):
    """The other engine has the same reports."""
    path = os.path.join('examples', 'mp.c')
    check_json(porf('json', path, '--engine', 'machine'))
    check_sarif(porf('sarif', path, '--engine', 'machine'))
    check_html(porf, porf('html', path, '--engine', 'machine'), path, ['--engine', 'machine'])


def saved_files_test(porf):
    path = os.path.join(EXAMPLES, 'assert.c')
    with tempfile.TemporaryDirectory() as directory:
        files = {form: os.path.join(directory, 'out.' + end) for form, end in {**ENDINGS, 'patch': 'patch'}.items()}
        text = porf('text', path, *[word for f in files.values() for word in ('--save', f)])
        if not text.startswith('error[assert]'):
            raise AssertionError('no text beside the files')
        for form, file in files.items():
            saved, printed = [re.sub(VARIES, '', out) for out in (read(file), porf(form, path))]
            if saved != printed:
                raise AssertionError(f'{file} is not what --format {form} writes')


# ---- patches

QUICK_EDITS = ('mutex.c', 'mcs.c', 'peterson.c', 'clh.c', 'treiber-aba.c')  # a kind each, found in a second or two


def patched_sources():
    """Programs that have a verified fix, and the options that break them."""
    yield os.path.join(EXAMPLES, 'assert.c'), []
    yield os.path.join('examples', 'mp.c'), []
    folder = os.path.join('tests', 'structures')
    for name in sorted(os.listdir(os.path.join(ROOT, folder))):
        path = os.path.join(folder, name)
        text = read(ROOT, path) if name.endswith('.c') else ''
        flags = re.search(r'^// flags: (.*)$', text, re.M)
        for options in re.findall(r'^// fix\[([^\]]*)\]: rc11 ', text, re.M):
            if '--edits' in options and name not in QUICK_EDITS:
                continue
            words = (flags.group(1).split() if flags else []) + options.split()
            yield path, [w for w in words if w.startswith('--')] + ['--'] + [w for w in words if not w.startswith('--')]


def patch_test(porf, path, options):
    """There is a patch, and with it the very same check passes."""
    split = options.index('--') if '--' in options else len(options)
    own, cflags = [o for o in options[:split] if o != '--'], options[split + 1:]
    for help_time in ([], ['--help-time', '30']):  # the second time if the machine was busy
        finding = json.loads(run_checked(porf, 'json', path, [*help_time, *own], cflags, 42))['findings'][0]
        patch = finding.get('patch')
        if patch:
            break
    else:
        raise AssertionError('there is no patch')
    with tempfile.TemporaryDirectory() as directory:
        for folder in ('tests/structures', 'examples', 'examples/explain'):
            os.makedirs(os.path.join(directory, folder), exist_ok=True)
            for name in os.listdir(os.path.join(ROOT, folder)):
                if name.endswith(('.c', '.h')):
                    with open(os.path.join(directory, folder, name), 'w', encoding='utf-8') as f:
                        f.write(read(ROOT, folder, name))
        p = subprocess.run(['patch', '-p1', '-s'], input=patch, text=True, cwd=directory, capture_output=True)
        if p.returncode:
            raise AssertionError(f'the patch does not apply: {p.stdout}{p.stderr}\n{patch}')
        run_checked(porf, 'json', path, own, cflags, 0, cwd=directory)


def run_checked(porf, form, path, own, cflags, code, cwd=ROOT):
    p = subprocess.run([porf.path, 'check', '--format', form, *own, path, '--', *cflags], cwd=cwd, capture_output=True,
                       text=True, timeout=600, stdin=subprocess.DEVNULL)
    if p.returncode != code:
        raise AssertionError(f'exit code {p.returncode}, expected {code}: {p.stderr[:300]}{p.stdout[:300] if code == 0 else ""}')
    return p.stdout


def main():
    options = argparse.ArgumentParser()
    options.add_argument('--porf', default=os.path.join(ROOT, 'build', 'porf'))
    options.add_argument('-k', metavar='PATTERN', default='')
    options.add_argument('--update', action='store_true')
    args = options.parse_args()
    porf = Porf(args.porf)
    tests = [(f'{k} {f}', lambda k=k, f=f: golden_test(porf, k, f, args.update)) for k in cases() for f in FORMATS]
    tests += [(f'{k} text', lambda k=k: golden_test(porf, k, 'text', args.update)) for k in twins()]
    tests += [(f'{k} witnesses', lambda k=k: witness_test(porf, k)) for k in cases()]
    tests += [(t.__name__, lambda t=t: t(porf)) for t in (pass_and_incomplete_test, several_programs_test, machine_test,
                                                              neighbours_test, wide_test,
                                                              saved_files_test)]
    tests += [(f'patch {p} {" ".join(o)}', lambda p=p, o=o: patch_test(porf, p, o)) for p, o in patched_sources()]
    passed = failed = 0
    for name, run in tests:
        if args.k not in name:
            continue
        try:
            run()
            passed += 1
        except (AssertionError, ValueError, KeyError, IndexError, TypeError, AttributeError, OSError,
                subprocess.TimeoutExpired, xml.etree.ElementTree.ParseError) as error:
            failed += 1
            print(f'FAIL tests/report {name}\n     {type(error).__name__}: {error}')
    print(f'{passed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
