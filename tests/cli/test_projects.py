# Tests of `porf test` and of compilation databases; run by run.py.

RACY = """%s#include <pthread.h>
static int x;
static void *run (void *u) { x = 1; return u; }
int main (void) { pthread_t t; pthread_create (&t, 0, run, 0); x = 2; pthread_join (t, 0); return 0; }
"""


@test
def heads_say_what_is_run(porf):
    """Every line is a run; what comes out is compared with what it says."""
    porf.write('good.c', '// porf: -m sc\n// porf: pass -m tso -- -DX=1\n' + GOOD)
    porf.write('bad.c', '/* A test.\n *\n * porf: assert\n * porf: violation -m sc */\n' + BAD)
    porf.write('racy.c', RACY % '#include <assert.h>\n// porf: race\n')
    porf.write('other.c', '\nint f (void) { return 0; }\n// porf: this is no head\n')
    code, out, err = porf('test')
    equal('exit code and messages', (code, err), (0, ''))
    holds('5 runs as expected, 0 not' in out, out)
    equal('rows', len(re.findall(r'^(?:pass|violation)', out, re.M)), 5)
    holds('violation (race)' in out and 'error[' not in out, out)
    equal('in parallel', porf('test', '-j', '3', '.')[1].count('\n'), out.count('\n'))


@test
def heads_that_are_wrong(porf):
    """A mismatch is shown with its report, and the exit code says what kind it is."""
    def codes(head, text, *words):
        porf.write('t.c', head + '\n' + text)
        code, out, err = porf('test', 't.c')
        for word in words:
            holds(word in out, f'{word!r} is not in {out!r}')
        return code
    equal('unexpected violation', codes('// porf:', BAD, 'error[assert]', 'expected pass', '0 runs as expected, 1 not'), 42)
    equal('unexpected pass', codes('// porf: race', GOOD, 'expected race'), 1)
    equal('another violation', codes('// porf: race', BAD, 'error[assert]', 'expected race'), 42)
    equal('incomplete', codes('// porf: --max-executions 1', GOOD, 'incomplete'), 3)
    equal('expected incomplete', codes('// porf: incomplete --max-executions 1', GOOD), 0)
    equal('wrong option', codes('// porf: --nope', GOOD, 'unknown option `--nope`', 'not checked'), 2)
    equal('missing file', codes('// porf: nope.c', GOOD, 'no such file'), 2)
    equal('does not compile', codes('// porf:', 'int main (void) {', 'not checked'), 2)
    rejected(porf('test', 'nothing'), 'nothing')
    porf.write('u.c', GOOD)
    rejected(porf('test', 'u.c'), 'u.c', 'porf:')


@test
def heads_of_strangers(porf):
    """Without --trust a header neither writes files nor chooses any flag; headers.py draws many more."""
    def said(head):
        porf.write('t.c', head + '\nint main (void) { return 0; }\n')
        code, out, err = porf('test', 't.c')
        equal(f'exit code of {head}', code, 2)
        return out
    for word in ('--save', '--dot', '--checkpoint', '--output', '--all-states', '--patch', '--fix-patch'):
        holds(f'option `{word}` in the header of a test needs' in said(f'// porf: {word}=x.dot'), word)
    for flag in ('--target=x86_64-unknown-linux/gnu', '--target=nvptx64-nvidia-cuda', '-march=native', '-fplugin=evil.so', '-O2', '-save-temps', '-Wl,x', '-mllvm'):
        holds(f'flag `{flag}` in the header of a test needs' in said(f'// porf: -- {flag}'), flag)
    holds('option `--trust` in the header' in said('// porf: --trust'), '--trust')
    holds('`-D`' in said('// porf: -D @flags'), 'file of flags')
    holds('file `/etc/passwd`' in said('// porf: -m armv8 --mapping /etc/passwd'), 'file elsewhere')
    porf.write('t.c', '// porf: --save x.json -- -O1\nint main (void) { return 0; }\n')
    equal('with trust', porf('test', '--trust', 't.c')[0], 0)
    holds(os.path.exists(os.path.join(porf.directory, 'x.json')), 'no x.json')
    os.mkdir(os.path.join(porf.directory, 'at'))
    porf.write('at/@x.c', '// porf:\nint main (void) { return 0; }\n')
    holds('rename at/@x.c' in porf('test', 'at')[1], 'file of flags')
    porf.write('at/-x.c', '// porf:\nint main (void) { return 0; }\n')
    os.unlink(os.path.join(porf.directory, 'at/@x.c'))
    equal('a name that begins with -', porf('test', 'at')[0], 0)


@test
def a_target_names_no_file_of_flags(porf):
    """Clang looks for flags in a file that is called after the target."""
    os.makedirs(os.path.join(porf.directory, 'x86_64-unknown-linux'))
    porf.write('x86_64-unknown-linux/gnu-clang.cfg', '-DBAD=1\n')
    porf.write('t.c', '#ifdef BAD\nvoid abort (void);\nint main (void) { abort (); }\n#else\nint main (void) { return 0; }\n#endif\n')
    equal('exit code', porf('check', 't.c', '--', '--target=x86_64-unknown-linux/gnu')[0], 0)


@test
def programs_that_were_not_begun(porf):
    """One of two programs is never compiled in time: no pass."""
    porf.write('slow.c', '#include "fifo"\nint main (void) { return 0; }\n')
    os.mkfifo(os.path.join(porf.directory, 'fifo'))
    porf.write('t.c', '// porf: slow.c\nint main (void) { return 0; }\n')
    equal('exit code', porf('test', '--timeout', '2', 't.c')[0], 3)


@test
def tests_that_never_end(porf):
    """Whatever the compiler is made to read, and whatever limit the header asks for."""
    os.mkfifo(os.path.join(porf.directory, 'fifo'))
    for text in ('#include "fifo"\n', '__asm__ (".incbin \\"/dev/zero\\"");\n'):
        porf.write('t.c', '// porf: --timeout 1000\n' + text + 'int main (void) { return 0; }\n')
        start = time.monotonic()
        code, out, _ = porf('test', '--timeout', '1', 't.c')
        equal('exit code', code, 3)
        holds(time.monotonic() - start < 60, f'{time.monotonic() - start:.0f} s')


@test
def heads_name_other_files(porf):
    os.makedirs(os.path.join(porf.directory, 'deep/er'))
    porf.write('lib.c', 'int one (void) { return 1; }\n')
    porf.write('deep/er/t.c', '// porf: ../../lib.c\nint one (void);\nint main (void) { return one () - 1; }\n')
    code, out, err = porf('test', 'deep')
    equal('exit code and messages', (code, err), (0, ''))
    holds('deep/er/t.c: ../../lib.c' in out, out)


@test
def tests_as_json(porf):
    """Violations that were expected are none for those who read the report; the table goes to standard error."""
    porf.write('a.c', '// porf:\n' + GOOD)
    porf.write('b.c', '// porf: assert\n' + BAD)
    porf.write('c.c', '// porf:\n' + BAD)
    code, out, err = porf('test', '--format', 'json', '-j2')
    equal('exit code', code, 42)
    equal('files', [r['file'] for r in json.loads(out)], ['a.c', 'c.c'])
    holds('2 runs as expected, 1 not' in err, err)
    equal('in a file', porf('test', '--format', 'json', '-o', 'out.json')[:2], (42, ''))
    with open(os.path.join(porf.directory, 'out.json')) as f:
        equal('files', len(json.load(f)), 2)


def project(porf):
    """Two programs and a library with an own header, one file that nobody needs, and one that does not compile."""
    os.makedirs(os.path.join(porf.directory, 'src/include'))
    porf.write('src/include/lib.h', 'int answer (void); extern int shared;\n')
    porf.write('src/lib.c', '#include "lib.h"\nint shared; int answer (void) { return ANSWER; }\n')
    porf.write('src/unused.c', 'int answer_twice (void) { return 84; }\nint helper (void) { return 1; }\n')
    porf.write('src/broken.c', 'int broken (void) { return\n')
    main = '#include <assert.h>\n#include "lib.h"\nint main (void) { assert (answer () == %d); return shared; }\n'
    porf.write('src/good.c', main % 42)
    porf.write('src/bad.c', main % 43)
    entries = []
    for name in ('lib', 'unused', 'broken', 'good', 'bad'):
        entry = {'directory': os.path.join(porf.directory, 'src'), 'file': name + '.c'}
        line = ['cc', '-O2', '-Wall', '-Iinclude', '-DANSWER=42', '-fno-such-flag', '-MF', 'x.d', '-o', name + '.o', '-c',
                name + '.c']
        if name == 'lib':
            entry['arguments'] = line
        else:
            entry['command'] = ' '.join(line).replace('-DANSWER=42', '"-DANSWER=42"')
        entries.append(entry)
    porf.write('compile_commands.json', json.dumps(entries))


@test
def compilation_database(porf):
    """All programs of a project, each with the files it needs."""
    project(porf)
    code, out, err = porf('check', 'compile_commands.json')
    equal('exit code', code, 42)
    holds('broken.c' in err and 'left out' in err, err)
    rows = re.findall(r'^(pass|violation)\b.* (\S+) \+ (\S+)$', out, re.M)
    equal('rows', [(v, os.path.basename(a), os.path.basename(b)) for v, a, b in rows],
          [('pass', 'good.c', 'lib.c'), ('violation', 'bad.c', 'lib.c')])
    equal('again, from the cache', porf('check', 'compile_commands.json')[0], 42)


@test
def compilation_database_and_a_file(porf):
    """The file is checked as the database says it is compiled."""
    project(porf)
    code, out, err = porf('check', 'compile_commands.json', 'src/good.c')
    equal('exit code', code, 0)
    holds('ok: src/good.c + ' in out and 'bad.c' not in out, out)
    porf.write('own.c', '#include "src/include/lib.h"\nint main (void) { return answer () - 42; }\n')
    code, out, err = porf('check', 'own.c', 'compile_commands.json')
    equal('a file that is not in it', code, 0)


@test
def wrong_compilation_databases(porf):
    for text in ('{', '{}', '[1]', '[{"file": "x.c", "directory": "."}]'):
        rejected(porf('check', porf.write('compile_commands.json', text)), 'compile_commands.json')
    rejected(porf('check', porf.write('compile_commands.json', '[]')), 'no function main')
