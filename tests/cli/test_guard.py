# What a demanding user of CI relies on: nothing is skipped or green in silence, and text of strangers is only text; run by run.py.
import signal
import xml.etree.ElementTree

BROKEN = 'int main (void) {\n'


def reports_of_tests(porf, *args):
    """Exit code of `porf test`, and what JUnit, SARIF, the annotations and the JSON say of failures."""
    names = {end: os.path.join(porf.directory, 'report.' + end) for end in ('xml', 'sarif', 'github', 'json')}
    code = porf('test', *(w for name in names.values() for w in ('--save', name)), *args)[0]
    texts = {}
    for end, name in names.items():
        with open(name, encoding='utf-8') as f:
            texts[end] = f.read()
    suites = xml.etree.ElementTree.fromstring(texts['xml'])
    junit = sum(int(s.get('failures')) + int(s.get('errors')) for s in suites)
    equal('failures and errors', junit, len(suites.findall('.//failure')) + len(suites.findall('.//error')))
    sarif = json.loads(texts['sarif'])['runs'][0]
    results = json.loads(texts['json'])
    results = results if isinstance(results, list) else [results]
    red = {'junit': junit, 'sarif': len(sarif['results']), 'github': len(re.findall('^::error ', texts['github'], re.M)),
           'json': sum('expected' in r for r in results)}
    return code, {k: v > 0 for k, v in red.items()}


@test
def reports_of_tests_that_fail(porf):
    """Every report says failure if and only if the exit status does."""
    porf.write('two.c', GOOD)
    cases = {'pass': ('', GOOD, 0), 'race expected': ('race', GOOD, 1), 'violation expected': ('violation', GOOD, 1),
             'another kind': ('race', BAD, 42), 'violation': ('', BAD, 42), 'expected': ('assert', BAD, 0),
             'no compile': ('', BROKEN, 2), 'no compile, expected': ('incomplete', BROKEN, 2), 'option': ('--nope', GOOD, 2),
             'incomplete': ('--max-executions 1', GOOD, 3), 'incomplete, expected': ('incomplete --max-executions 1', GOOD, 0),
             'two programs': ('two.c', GOOD, 0), 'two programs, one bad': ('two.c', BAD, 42), 'two, race expected': ('race two.c', GOOD, 1),
             'a file that is missing': ('nope.c', GOOD, 2), 'no time': ('--timeout 0.2', FOREVER, 3)}
    for name, (head, text, code) in cases.items():
        porf.write('t.c', f'// porf: {head}\n{text}')
        got, red = reports_of_tests(porf, 't.c')
        equal(f'{name}: exit code', got, code)
        equal(f'{name}: reports', red, dict.fromkeys(red, code != 0))


@test
def reports_of_yesterday(porf):
    """A run that cannot even begin leaves no green report behind."""
    porf.write('t.c', '// porf:\n' + GOOD)
    equal('exit code', porf('test', '--save', 'r.xml', 't.c')[0], 0)
    rejected(porf('test', '--save', 'r.xml', 'nothing'), 'nothing')
    with open(os.path.join(porf.directory, 'r.xml')) as f:
        equal('report', f.read(), '')


def is_parent(pid):
    with open(f'/proc/{pid}/task/{pid}/children', encoding='ascii') as f:
        return bool(f.read().split())


@test
def tests_that_were_not_started(porf):
    """After a signal the rest of the tests is red, not missing."""
    for name in 'ab':
        porf.write(name + '.c', '// porf:\n' + FOREVER)
    p = subprocess.Popen([porf.path, 'test', '--save', 'r.xml', 'a.c', 'b.c'], cwd=porf.directory, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT)
    end = time.monotonic() + 60
    while not is_parent(p.pid) and time.monotonic() < end:  # until the first test is running
        time.sleep(0.05)
    time.sleep(0.5)
    p.send_signal(signal.SIGTERM)
    p.communicate(timeout=60)
    equal('exit code', p.returncode, 3)
    suites = xml.etree.ElementTree.parse(os.path.join(porf.directory, 'r.xml')).getroot()
    equal('suites', [(s.get('name'), s.get('failures') != '0') for s in suites], [('a.c', True), ('b.c', True)])


@test
def heads_in_other_words(porf):
    """Comments and files of all kinds: each is run."""
    place = lambda name: os.path.join(porf.directory, name)
    os.makedirs(place('t/real'))
    os.makedirs(place('elsewhere/deep'))
    heads = ['// porf: assert', '/// porf: assert', '//! porf: assert', '//!< porf: assert', '//////porf: assert', '/* porf: assert */',
             '/** porf: assert */', '/*! porf: assert */', '/*!\n * porf: assert\n */', '/**\n porf: assert\n **/', '//\tporf: assert\r',
             '// a\0b\n// porf: assert', '\ufeff// porf: assert', '\ufeff/* x\n   porf: assert */']
    for i, head in enumerate(heads):
        porf.write(f't/{i}.c', head + '\n' + BAD)
        equal(head, porf('test', f't/{i}.c')[0], 0)
    for i, end in enumerate(('cpp', 'cc', 'cxx', 'c++', 'C')):
        porf.write(f't/real/{i}.{end}', '// porf: assert\n' + BAD)
    porf.write('elsewhere/one.c', '// porf: assert\n' + BAD)
    porf.write('elsewhere/deep/two.c', '// porf: assert\n' + BAD)
    os.symlink('../elsewhere/one.c', place('t/link.c'))
    os.symlink('../elsewhere/deep', place('t/folder'))
    os.symlink('..', place('t/loop'))
    os.symlink('nowhere', place('t/.#lock'))
    os.symlink('nowhere', place('t/README'))
    code, out, _ = porf('test', 't')
    # through the loop, elsewhere/one.c and all that is above is seen once more, but no directory twice
    equal('exit code', code, 0)
    for name in ('t/link.c', 't/folder/two.c', 't/real/4.C', 't/0.c', 't/13.c', 't/loop/elsewhere/one.c'):
        holds(name + ': assert' in out, f'{name} is not run: {out}')
    equal('runs', len(re.findall('^violation', out, re.M)), len(heads) + 5 + 3)


@test
def tests_that_cannot_be_read(porf):
    """Said, and an error: whatever could be a test."""
    place = lambda name: os.path.join(porf.directory, name)
    os.mkdir(place('t'))
    porf.write('t/a.c', '// porf:\n' + GOOD)
    os.symlink('nowhere', place('t/b.c'))
    rejected(porf('test', 't'), 't/b.c')
    os.unlink(place('t/b.c'))
    os.mkfifo(place('t/b.c'))
    rejected(porf('test', 't', timeout=60), 't/b.c')
    os.unlink(place('t/b.c'))
    os.symlink('/dev/zero', place('t/b.c'))
    rejected(porf('test', 't', timeout=60), 't/b.c')
    os.unlink(place('t/b.c'))
    os.symlink('b.c', place('t/b.c'))
    rejected(porf('test', 't'), 't/b.c')
    os.unlink(place('t/b.c'))
    if not os.geteuid():
        return
    os.mkdir(place('t/closed'))
    porf.write('t/closed/c.c', '// porf:\n' + GOOD)
    for mode in (0o000, 0o400):
        os.chmod(place('t/closed'), mode)
        rejected(porf('test', 't'), 't/closed')
    os.chmod(place('t/closed'), 0o700)
    os.chmod(place('t/closed/c.c'), 0)
    rejected(porf('test', 't'), 't/closed/c.c')


@test
def many_tests_and_few_files(porf):
    """Tests that have ended keep nothing open while an earlier one goes on."""
    os.mkdir(os.path.join(porf.directory, 't'))
    porf.write('t/0.c', '// porf: incomplete --timeout 4\n' + FOREVER)
    for i in range(30):
        porf.write(f't/{i + 1}.ir', '; porf: violation\n')
    p = subprocess.run(['sh', '-c', f'ulimit -n 40; exec {porf.path} test -j2 t'], cwd=porf.directory, capture_output=True, text=True)
    holds('31' not in p.stdout or 'open files' not in p.stderr, p.stderr)
    equal('exit code and rows', (p.returncode, len(re.findall('^(?:incomplete|not checked) ', p.stdout, re.M))), (2, 31))


@test
def output_without_end(porf):
    """A test that asks for more output than anybody reads is wrong, and takes no more memory."""
    porf.write('t.c', '// porf: --print-executions --timeout 20\n' + FOREVER)
    code, out, _ = porf('test', '--timeout', '6', 't.c')
    holds(code in (2, 3), code)


@test
def programs_that_cannot_be_compiled(porf):
    """A file of a database that cannot be compiled may have been a program: no success."""
    porf.write('a.c', GOOD)
    porf.write('b.c', BROKEN)
    porf.write('c.c', BAD)
    def entries(*names):
        porf.write('compile_commands.json', json.dumps([{'directory': porf.directory, 'file': n, 'command': 'cc -c ' + n} for n in names]))
    entries('a.c', 'b.c')
    code, out, err = porf('check', 'compile_commands.json')
    equal('exit code', code, 2)
    holds('left out' in err and 'b.c' in err and 'ok: ' in out, (out, err))
    code, out, _ = porf('check', '--format', 'junit', 'compile_commands.json')
    holds(code == 2 and '<error ' in out, out)
    code, out, _ = porf('check', '--format', 'json', 'compile_commands.json')
    equal('verdicts', sorted(r['verdict'] for r in json.loads(out)), ['incomplete', 'pass'])
    equal('a program that is named', porf('check', 'compile_commands.json', 'a.c')[0], 0)
    entries('a.c', 'b.c', 'c.c')
    equal('a violation beside it', porf('check', 'compile_commands.json')[0], 42)
    entries('missing.c', 'a.c')
    equal('a file that is missing', porf('check', 'compile_commands.json')[0], 2)


COMMAND = re.compile(r'^[\s\x80-\U0010ffff]*::|##(?:|vso|teamcity)\[', re.M | re.I)
COLOUR = re.compile(r'\x1b')
EVIL = r'a\n::error::x\r  ::add-mask::y\033[1;31mz##[error]w##vso[task]v'
EVIL_PROGRAM = r'''#include <assert.h>
#include <pthread.h>
#include <stdio.h>
struct s { int f; };
struct s x __asm__ ("EVIL");
static void *run (void *u) __asm__ ("EVILrun");
static void *run (void *u) { x.f = 1; return u; }
extern void miss (void) __asm__ ("EVILmiss");
int main (void) { pthread_t t;
  printf ("EVIL\n");
#line 1 "EVIL"
  pthread_create (&t, 0, run, 0); x.f = 2;
  pthread_join (t, 0);
  if (x.f == 2) __assert_fail ("EVIL", "EVIL", 3, "EVIL"); // ##[error]
  miss ();
  return 0; }
'''.replace('EVIL', EVIL)


@test
def commands_and_colours_in_texts(porf):
    """Neither names, nor texts of a program, nor names of files are commands of a CI service or colours."""
    folder = '::error::d\n::error::e'
    os.mkdir(os.path.join(porf.directory, folder))
    name = porf.write(folder + '/::f ##[error]\033[1mx\n.c', '// porf: -m sc ##[error]y\033[1m\n' + EVIL_PROGRAM)
    def clean(what, text):
        for pattern in (COMMAND, COLOUR):
            found = pattern.search(text)
            holds(not found, f'{what}: {text[max(found.start() - 60, 0):found.end() + 60]!r}' if found else '')
    for engine in ('explore', 'machine'):
        for format in ('text', 'json', 'junit', 'sarif', 'html', 'dot', 'graphml', 'witness'):
            code, out, err = porf('check', '--engine', engine, '--keep-going', '--full', '--show-output', '--format', format, name)
            equal('exit code', code, 42)
            clean(format, out)
            clean(format + ', messages', err)
    for line in porf('check', '--keep-going', '--format', 'github', name)[1].splitlines():
        holds(re.match(r'::(error|warning|notice) [^:]*title=[^:]*::', line) and not COLOUR.search(line), line)
    for words in (('test',), ('test', folder), ('test', '--format', 'json'), ('check', '--print-executions', name), ('outcomes', name),
                  ('check', '--dump', 'effects', name), ('check', '--dump', 'ir', name), ('check', name + 'missing'), ('check', name, name),
                  ('check', '-m', name, name), ('check', '--' + name, name), ('models', '--check', name), ('mappings', name)):
        code, out, err = porf(*words)
        clean(words, out)
        clean(words, err)
    porf('check', '--format', 'json', '-o', 'r.json', name)
    with open(os.path.join(porf.directory, 'r.json'), encoding='utf-8') as f:
        report = json.loads(f.read().replace('\u240a', '\\n').replace('\u241b', '\\u001b'))
    porf.write('r.json', json.dumps(report))
    code, out, err = porf('replay', 'r.json')
    clean('replay', out + err)


@test
def commands_in_messages_of_clang(porf):
    """What goes to a log is filtered, and has an end."""
    for text in ('#pragma message "%s"\n' % EVIL, '#line 1 "%s"\nint *q = 1.0;\n' % EVIL, '_Static_assert (0, "%s");\n' % EVIL):
        porf.write('t.c', '// porf:\n' + text + 'int main (void) { return 0; }\n')
        for command in ('check', 'test'):
            code, out, err = porf(command, 't.c')
            holds(not COMMAND.search(out + err), out + err)
    porf.write('many.c', '#pragma message "' + 'x' * 1000 + '"\n#if __INCLUDE_LEVEL__ < 13\n#include "many.c"\n#include "many.c"\n#endif\n'
               '#if !__INCLUDE_LEVEL__\nint main (void) { return 0; }\n#endif\n')
    code, out, err = porf('check', '--no-cache', 'many.c', timeout=120)
    equal('exit code', code, 0)
    holds(len(err) < 1 << 21 and 'omitted' in err, len(err))


@test
def reports_and_links(porf):
    """A link in a checkout does not lead a report elsewhere."""
    bad = porf.write('bad.c', BAD)
    porf.write('precious', 'mine')
    for end in ('xml', 'json', 'dot', 'txt'):
        os.symlink('precious', os.path.join(porf.directory, 'r.' + end))
    for option in (('-o', 'r.txt'), ('--save', 'r.xml'), ('--save', 'r.dot'), ('--patch', 'r.txt')):
        rejected(porf('check', *option, bad), 'is a link')
    good = porf.write('good.c', 'int main (void) { return 0; }\n')
    for name in ('index.txt', '000001.dot'):
        os.makedirs(os.path.join(porf.directory, 'of-' + name))
        os.symlink('../precious', os.path.join(porf.directory, 'of-' + name, name))
        code, _, err = porf('check', '--all-states', 'of-' + name, good)
        holds(code == 2 and 'is a link' in err, err)
    porf.write('race.c', RACY % '')
    porf('check', '--format', 'json', '-o', 'race.json', 'race.c')
    os.symlink('precious', os.path.join(porf.directory, 'kept.plan'))
    rejected(porf('replay', '--keep', 'kept', 'race.json'), 'is a link')
    rejected(porf('replay', '--keep', 'r.txt', 'race.json'), 'is a link')
    with open(os.path.join(porf.directory, 'precious')) as f:
        equal('content', f.read(), 'mine')


@test
def signals_of_the_caller(porf):
    """Whoever starts porf may ignore or block signals; porf must still learn how its children end."""
    porf.write('wrong.c', 'int main (void) { return x; }\n')
    porf.write('good.c', '// porf:\nint main (void) { return 0; }\n')
    numbers = set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGHUP}

    def ignore():
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)

    for prepare in (ignore, lambda: signal.pthread_sigmask(signal.SIG_BLOCK, numbers)):
        for code, command in (2, ['check', 'wrong.c']), (0, ['check', '--no-cache', 'good.c']), (0, ['test', 'good.c']):
            p = subprocess.run([porf.path, *command], cwd=porf.directory, capture_output=True, text=True, timeout=60,
                               preexec_fn=prepare)
            equal('exit code', p.returncode, code)
            holds('no function main' not in p.stderr, p.stderr)


@test
def numbers_in_reports(porf):
    """Indices that lead nowhere are refused."""
    porf.write('race.c', RACY % '')
    porf('check', '--format', 'json', '-o', 'r.json', 'race.c')
    with open(os.path.join(porf.directory, 'r.json'), encoding='utf-8') as f:
        report = json.load(f)
    for number in (-2000000, -3, -1, 2 ** 31, 2 ** 32, 2 ** 63, 99999):
        for event in report['findings'][0]['execution']:
            event['from'] = number
        porf.write('forged.json', json.dumps(report))
        rejected(porf('replay', 'forged.json'), 'reads from one that is not there')


@test
def models_that_are_no_files(porf):
    """Neither devices nor pipes are models, nor parts of them."""
    good = porf.write('good.c', GOOD)
    place = lambda name: os.path.join(porf.directory, name)
    os.symlink('/dev/zero', place('zero.cat'))
    os.symlink('/dev/zero', place('zero.mcm'))
    os.mkfifo(place('fifo.cat'))
    porf.write('reads.cat', 'include "fifo.cat"\n')
    porf.write('zeros.cat', 'include "/dev/zero"\n')
    for name in ('zero.cat', 'zero.mcm', 'fifo.cat', 'reads.cat', 'zeros.cat'):
        holds(porf('check', '-m', name, good, timeout=60)[0] == 2, name)


@test
def memory_that_is_not_counted(porf):
    """--memory holds for tables of bits, too."""
    good = porf.write('good.c', GOOD)
    code, out, err = porf('check', '--mca', '--bit-state', '100000', '--memory', '100', '-j1', good)
    equal('exit code', code, 3)
    holds('out of memory' in err, err)
    equal('enough', porf('check', '--mca', '--memory', '100', '-j1', good)[0], 0)


@test
def compilers_end_with_porf(porf):
    """Nobody waits for what porf has started after it was killed."""
    os.mkfifo(os.path.join(porf.directory, 'fifo'))
    porf.write('t.c', '#include "fifo"\nint main (void) { return 0; }\n')
    p = subprocess.Popen([porf.path, 'check', 't.c'], cwd=porf.directory, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    def started():
        found = []
        for entry in filter(str.isdigit, os.listdir('/proc')):
            try:
                if os.readlink(f'/proc/{entry}/cwd') == os.path.realpath(porf.directory):
                    found.append(entry)
            except OSError:
                pass
        return found
    for _ in range(50):
        time.sleep(0.1)
        if len(started()) >= 3:
            break
    holds(len(started()) >= 3, 'clang is not there')
    p.send_signal(signal.SIGTERM)
    p.wait()
    for _ in range(30):
        time.sleep(0.1)
        if not started():
            return
    raise AssertionError(f'still there: {started()}')


@test
def litmus_tests_leave_nothing_behind(porf):
    """Not even if they cannot be compiled."""
    os.mkdir(os.path.join(porf.directory, 'scratch'))
    porf.write('x.litmus', 'C x\n{}\nP0 (int *x) { *x = nonsense; }\nexists (x=1)\n')
    p = subprocess.run([porf.path, 'check', '--no-cache', 'x.litmus'], cwd=porf.directory, capture_output=True,
                       env=dict(os.environ, TMPDIR=os.path.join(porf.directory, 'scratch')))
    equal('exit code', p.returncode, 2)
    equal('left', os.listdir(os.path.join(porf.directory, 'scratch')), [])
