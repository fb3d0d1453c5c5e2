"""porf svcomp: task definitions, what answers a property, and scores."""
TASKS = os.path.join(ROOT, 'tests', 'svcomp')


def task(porf, name, program, prop, verdict, more=''):
    porf.write(f'{name}.c', program)
    return porf.write(f'{name}.yml', f"format_version: '2.0'\ninput_files: {name}.c\nproperties:\n"
                      f'  - property_file: {TASKS}/properties/{prop}.prp\n    expected_verdict: {verdict}\n{more}')


@test
def svcomp_tasks(porf):
    code, out, _ = porf('svcomp', TASKS)
    equal('exit code', code, 3)
    rows = {name: verdict for verdict, name in re.findall(r'^(\w+(?: \(.*?\))?) +\d.*/(\S+: [-\w]+)', out, re.M)}
    equal('answers', rows, {
        'counter-bug.yml: no-data-race': 'violation (race)', 'counter-bug.yml: unreach-call': 'violation (assert)',
        'counter.yml: unreach-call': 'pass', 'counter.yml: no-data-race': 'pass', 'memory.yml: valid-memsafety': 'violation (leak)',
        'memory.yml: no-overflow': 'violation (overflow)', 'memory.yml: unreach-call': 'incomplete'})
    holds('score 8: 6 right, 0 wrong, 1 unknown' in out, out)
    equal('one task', porf('svcomp', os.path.join(TASKS, 'counter.yml'))[0], 0)
    equal('with workers', porf('svcomp', '-j2', TASKS)[1].splitlines()[-1], out.splitlines()[-1])


@test
def svcomp_wrong_verdicts(porf):
    fine, bad = 'int main (void) { return 0; }\n', 'void reach_error () {}\nint main (void) { reach_error (); }\n'
    code, out, _ = porf('svcomp', task(porf, 'fine', fine, 'unreach-call', 'false'))
    holds(code == 1 and 'score -32: 0 right, 1 wrong' in out, f'{code} {out}')
    code, out, _ = porf('svcomp', task(porf, 'bad', bad, 'unreach-call', 'true'))
    holds(code == 42 and 'score -16: 0 right, 1 wrong' in out, f'{code} {out}')


@test
def svcomp_unknown(porf):
    """What was not asked for, and what holds only for some inputs, is no answer."""
    unknown = [('null', 'int main (void) { int *p = 0; return *p; }\n', 'unreach-call', ()),
               ('ends', 'int main (void) { return 0; }\n', 'termination', ()),
               ('any', 'int nondet_int (void);\nint main (void) { return nondet_int (); }\n', 'unreach-call', ()),
               ('some', 'int nondet_int (void);\nint main (void) { return nondet_int (); }\n', 'unreach-call', ('--nondet=0..1',)),
               ('words', 'int main (int argc, char **argv) { return argc > 1; }\n', 'unreach-call', ())]
    for name, program, prop, options in unknown:
        code, out, _ = porf('svcomp', *options, task(porf, name, program, prop, 'true'))
        holds('0 wrong, 1 unknown' in out, f'{name}: {code} {out}')


@test
def svcomp_of_32_bits(porf):
    out = porf('svcomp', task(porf, 'small', 'int main (void) { return 0; }\n', 'unreach-call', 'true', 'options:\n  data_model: ILP32\n'))[1]
    holds('unreach-call (ILP32 checked as LP64)' in out, out)


@test
def svcomp_mistakes(porf):
    rejected(porf('svcomp'), 'no input file')
    rejected(porf('svcomp', 'missing.yml'), 'missing.yml')
    rejected(porf('svcomp', porf.write('odd.yml', 'a: 1\n  b: 2\n')), 'odd.yml', 'line 2')
    rejected(porf('svcomp', porf.write('none.yml', 'a: 1\n')), 'no task')
    rejected(porf('svcomp', porf.write('lost.yml', 'input_files: x.c\nproperties:\n  - property_file: no.prp\n    expected_verdict: true\n')), 'no.prp')
