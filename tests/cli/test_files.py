# Tests of what porf writes and starts; run by run.py.
import shutil
import stat


@test
def checkpoints_that_cannot_be_written(porf):
    """Said before the search, and what is no regular file stays what it is."""
    good = porf.write('good.c', GOOD)
    place = lambda name: os.path.join(porf.directory, name)
    os.mkdir(place('folder'))
    os.mkfifo(place('fifo'))
    os.symlink('elsewhere', place('link'))
    porf.write('taken', '')
    os.mkfifo(place('taken.new'))
    for path in ('/dev/null', 'folder', 'fifo', 'link', 'taken', 'missing/cp', '/proc/cp'):
        rejected(porf('check', '--checkpoint', path, good), 'checkpoint', path)
    holds(stat.S_ISCHR(os.stat('/dev/null').st_mode), '/dev/null is no device any more')
    holds(stat.S_ISFIFO(os.stat(place('fifo')).st_mode) and stat.S_ISFIFO(os.stat(place('taken.new')).st_mode), 'a FIFO is gone')
    holds(not os.path.lexists(place('elsewhere')), 'the link was followed')
    code, out, err = porf('check', '--checkpoint', 'cp', good)
    equal('exit code', (code, os.path.lexists(place('cp.new'))), (0, False))


@test
def reports_into_devices(porf):
    """-o and --save write into what is there."""
    bad = porf.write('bad.c', BAD)
    equal('-o /dev/null', porf('check', '-o', '/dev/null', bad)[:2], (42, ''))
    code, out, _ = porf('check', '-o', '/dev/stdout', bad)
    holds(code == 42 and 'error[assert]' in out, out)
    holds(stat.S_ISCHR(os.stat('/dev/null').st_mode), '/dev/null is no device any more')
    for option in ('-o', '--patch', '--save'):
        rejected(porf('check', option, 'missing/x', bad), 'missing/x')


@test
def compiler_that_cannot_start(porf):
    """What ends before porf-cc has begun, as for want of a library, is no exit code of porf."""
    os.mkdir(os.path.join(porf.directory, 'bin'))
    own = os.path.join(porf.directory, 'bin/porf')
    shutil.copy(porf.path, own)
    for code in (127, 126, 1):
        porf.write('bin/porf-cc', f'#!/bin/sh\nexit {code}\n')
        os.chmod(os.path.join(porf.directory, 'bin/porf-cc'), 0o755)
        p = subprocess.run([own, porf.write('good.c', GOOD)], cwd=porf.directory, capture_output=True, text=True)
        rejected((p.returncode, p.stdout, p.stderr), 'porf-cc', 'cannot be started', str(code))
    porf.write('bin/porf-cc', '#!/no/such/interpreter\n')
    p = subprocess.run([own, 'good.c'], cwd=porf.directory, capture_output=True, text=True)
    rejected((p.returncode, p.stdout, p.stderr), 'porf-cc')


@test
def no_escape_sequences(porf):
    """What programs, reports and names of files say does not reach the terminal as it is; porf's own colours do."""
    def plain(result, what):
        for text in result[1:]:
            strange = set(re.findall(r'[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u202a-\u202e\u2066-\u2069]', re.sub(r'\x1b\[[\d;]*m', '', text)))
            holds(not strange, f'{what}: {strange}')
        return result
    evil = 'a\033[2J\033]0;x\007b\rc\u009b\u202e'
    quoted = evil.replace('\033', '\\033').replace('\007', '\\007').replace('\r', '\\r').replace('\u009b', '\\302\\233')
    porf.write('out.c', '#include <stdio.h>\n#include <assert.h>\nint main (void) { printf ("%s\\n"); assert (!"%s"); return 0; }\n'
               % (quoted, evil.replace('\r', '')))
    code, out, err = plain(porf('check', '--show-output', '--color', 'always', 'out.c'), 'check')
    equal('exit code', code, 42)
    holds('\u241b[2J' in err and '\x1b[' in out, (out, err))
    for format in ('text', 'json', 'github', 'junit', 'sarif', 'html', 'dot'):
        plain(porf('check', '--format', format, 'out.c'), format)
    plain(porf('check', '-o', 'text', 'out.c'), '-o')
    with open(os.path.join(porf.directory, 'text'), encoding='utf-8') as f:
        plain((0, f.read()), 'text in a file')
    plain(porf('check', evil + '.c'), 'missing file')
    plain(porf('check', '--' + evil), 'unknown option')
    plain(porf('check', '-m', evil, 'out.c'), 'unknown model')
    porf('check', '--format', 'json', '-o', 'r.json', 'out.c')
    with open(os.path.join(porf.directory, 'r.json'), encoding='utf-8') as f:
        report = json.load(f)
    report['file'] = report['model'] = report['findings'][0]['message'] = report['findings'][0]['thread'] = evil
    for event in report['findings'][0].get('execution', []):
        event['location'] = event['thread'] = event['file'] = evil
    porf.write('r.json', json.dumps(report))
    plain(porf('replay', 'r.json'), 'replay')
    porf.write('r.json', json.dumps(report)[:-20])
    plain(porf('replay', 'r.json'), 'damaged report')


@test
def github_commands(porf):
    """A line that a name of a file begins is no command."""
    name = porf.write('a\n::stop-commands::x\nb.c', GOOD)
    code, out, _ = porf('check', '--format', 'github', name)
    equal('exit code', code, 0)
    holds(not re.search(r'^::stop', out, re.M), out)


@test
def names_in_reports(porf):
    """What a report names is compiled if it is a source, and is nothing else for clang; and is not read for ever."""
    porf.write('race.c', RACY % '')
    porf('check', '--format', 'json', '-o', 'r.json', 'race.c')
    with open(os.path.join(porf.directory, 'r.json'), encoding='utf-8') as f:
        report = json.load(f)
    porf.write('flags.c', '-fplugin=nothing.so')
    for name in ('@flags.c', '-fplugin=x.c', '/tmp/@flags.c', 'x.so', 'race.c + @flags.c', '-', '', 'a\nb.c'):
        porf.write('forged.json', json.dumps(dict(report, file=name)))
        rejected(porf('replay', '--keep', 'program', 'forged.json'), 'report names')
    for event in report['findings'][0]['execution']:
        event['file'] = '/dev/zero'
    porf.write('forged.json', json.dumps(report))
    equal('exit code', porf('replay', 'forged.json')[0], 0)
    porf.write('line.c', '#line 1 "/dev/zero"\n#include <assert.h>\nint main (void) { assert (0); return 0; }\n')
    equal('exit code', porf('check', 'line.c')[0], 42)


@test
def reports_that_lack_something(porf):
    """Whatever is left out of a report, replay says `(null)` of nothing."""
    porf.write('race.c', RACY % '')
    porf('check', '--format', 'json', '-o', 'r.json', 'race.c')
    with open(os.path.join(porf.directory, 'r.json'), encoding='utf-8') as f:
        text = f.read()
    def paths(node, path=()):
        for key, value in (node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()):
            yield path + (key,)
            yield from paths(value, path + (key,))
    names = sorted({p[-1] for p in paths(json.loads(text)) if isinstance(p[-1], str)})
    def change(node, name, value):
        if isinstance(node, dict):
            return {k: (value if k == name else change(v, name, value)) for k, v in node.items() if k != name or value != 'drop'}
        return [change(v, name, value) for v in node] if isinstance(node, list) else node
    for name in names:
        for value in ('drop', None, 7, [], {}):
            porf.write('x.json', json.dumps(change(json.loads(text), name, value)))
            code, out, err = porf('replay', 'x.json')
            holds(code in (0, 2) and '(null)' not in out + err, f'{name} = {value}: exit code {code}: {out + err}')
