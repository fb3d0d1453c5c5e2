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
    for option in ('-o', '--dot', '--fix-patch'):
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
