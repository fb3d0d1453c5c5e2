"""Mutations of programs, for fuzz_c.py: of C at source level, of LLVM modules and porf IR as text and bytes.

A program is a list of lines, formatted as in this repository: a statement a line, functions begin and end in column 0.
Every mutation takes a Mutator (its random numbers and the programs to borrow from) and the lines, and returns new lines,
or None if there is nothing to change. Nobody asks whether the result is C; clang decides.
"""
import re

TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|0[xX][0-9a-fA-F]+\w*|\d[\w.]*|[A-Za-z_]\w*'
                   r'|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\s+|.', re.DOTALL)
NAME = re.compile(r'[A-Za-z_]\w*$')
NUMBER = re.compile(r'\d')
# what is not a name of the program's own
FOREIGN = re.compile(
    r'(auto|break|case|char|const|continue|default|do|double|else|enum|extern|float|for|goto|if|inline|int|long|return'
    r'|register|short|signed|sizeof|static|struct|switch|typedef|union|unsigned|void|volatile|while|NULL|include'
    r'|define|ifn?def|endif|bool|assert|free|malloc|calloc|exit|abort|main|mem\w*|str\w*|pthread_\w*|atomic_\w*'
    r'|PTHREAD_\w*|ATOMIC\w*|_\w*|\w*_t)$')

ORDERS = ['memory_order_' + o for o in ('relaxed', 'consume', 'acquire', 'release', 'acq_rel', 'seq_cst')]
GNU_ORDERS = ['__ATOMIC_' + o for o in ('RELAXED', 'CONSUME', 'ACQUIRE', 'RELEASE', 'ACQ_REL', 'SEQ_CST')]
CONSTANTS = ['0', '1', '-1', '2', '3', '4', '5', '7', '8', '16', '31', '32', '63', '64', '65', '100', '255', '256', '4096',
             '65536', '0x7fffffff', '0x80000000u', '0xffffffffu', '0x7fffffffffffffffl', '(-0x7fffffffffffffffl - 1)',
             '1.5', '(void *)0', '1e308', "'a'", '"text"', 'sizeof (int)', '(char)200', '!0']
TYPES = '''
char
signed char
unsigned char
short
unsigned short
int
unsigned
long
unsigned long
long long
_Bool
float
double
long double
__int128
unsigned __int128
_Complex double
void *
int *
char *
_Atomic int
atomic_int
_Atomic char
_Atomic long
_Atomic short
_Atomic __int128
_Atomic double
_Atomic (int *)
volatile int
atomic_flag
_BitInt (7)
_BitInt (129)
struct { int a, b; }
_Atomic struct { int a; char b; }
struct { char c; int b : 3; long d : 40; }
struct { char c[3]; }
union { int a; char b[4]; double d; }
pthread_mutex_t
pthread_t
pthread_cond_t
int __attribute__ ((vector_size (16)))
enum { PORF_A, PORF_B }
int (*)(void)
_Thread_local int
unsigned _Atomic
struct __attribute__ ((packed)) { char c; int i; }
int __attribute__ ((aligned (64)))
'''.strip().splitlines()
TYPE_WORDS = {'char', 'short', 'int', 'long', 'unsigned', 'float', 'double', '_Bool', 'bool', 'atomic_int', 'atomic_uint',
              'atomic_long', 'atomic_bool', 'atomic_flag', 'int64_t', 'uint64_t', 'uint32_t', 'size_t', 'uintptr_t', 'void',
              'pthread_mutex_t', 'pthread_t'}
QUALIFIERS = '_Atomic volatile const static _Thread_local unsigned signed register extern inline'.split()
OPERATORS = [group.split(' ') for group in (
    '+ - * / % & | ^ << >>', '< <= > >= == !=', '&& || & |', '= += -= *= /= %= |= &= ^= <<= >>= ==', '++ --', '-> .',
    '! ~ - * & ')]
KEYWORDS = [['if', 'while'], ['break', 'continue', 'return 0'], ['while', 'for (;;) if'], ['return', 'goto']]
CALLS = [group.split() for group in (
    'pthread_mutex_lock pthread_mutex_unlock pthread_mutex_trylock pthread_mutex_destroy',
    'pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_rwlock_unlock pthread_rwlock_tryrdlock',
    'pthread_cond_signal pthread_cond_broadcast', 'sem_wait sem_post sem_trywait', 'malloc alloca', 'free (void)',
    'assert __VERIFIER_assume (void) assume',
    'atomic_fetch_add atomic_fetch_sub atomic_fetch_or atomic_fetch_and atomic_fetch_xor atomic_exchange',
    'atomic_fetch_add_explicit atomic_fetch_sub_explicit atomic_fetch_or_explicit atomic_exchange_explicit '
    'atomic_store_explicit',
    'atomic_compare_exchange_strong atomic_compare_exchange_weak',
    'atomic_compare_exchange_strong_explicit atomic_compare_exchange_weak_explicit', 'memcpy memmove strncpy memcmp',
    'pthread_join pthread_detach (void)', 'exit abort _Exit pthread_exit')]

# Statements to insert; @ is a name of the program, # a constant, ~ a memory order, $ a fresh number.
STATEMENTS = r'''
@ = #;
@ = @;
@++;
@ += @;
@[#] = #;
*@ = #;
@ = @[#];
@ = *@;
@ = (__typeof__ (@))(long)@;
@ = @ / @;
@ = @ % #;
@ = @ << @;
@ = &@;
free (@);
free (&@);
@ = malloc (#);
@ = calloc (#, #);
@ = realloc (@, #);
memset (&@, #, sizeof @);
memset (@, #, #);
memcpy (&@, &@, sizeof @);
memcpy (@, &@, #);
memmove (@, @, #);
memcmp (&@, &@, #);
strcpy (@, "abc");
@ = strlen (@);
printf ("%d %s %p\n", @, @, @);
puts (@);
fprintf (stderr, "%d", @);
char text$[8]; snprintf (text$, sizeof text$, "%ld", (long)@);
assert (@);
assert (@ == #);
assert (@ != @);
abort ();
exit (#);
pthread_exit ((void *)@);
return @;
return 0;
break;
continue;
pthread_mutex_lock (&@);
pthread_mutex_lock (@);
pthread_mutex_unlock (&@);
pthread_mutex_init (&@, 0);
pthread_mutex_destroy (&@);
pthread_create (&@, 0, @, 0);
pthread_create (@, 0, @, @);
pthread_join (@, 0);
pthread_join (@[#], 0);
pthread_detach (@);
pthread_cond_wait (&@, &@);
pthread_cond_signal (&@);
pthread_t t$; pthread_create (&t$, 0, @, 0);
pthread_t t$; pthread_create (&t$, 0, @, &@); pthread_join (t$, 0);
pthread_t t$ = pthread_self (); pthread_join (t$, 0);
sched_yield ();
usleep (#);
{ int local$[4]; local$[@ & 3] = #; @ = local$[0]; }
{ int vla$[@ & 7]; vla$[0] = #; }
{ char *a$ = __builtin_alloca (#); a$[0] = 1; @ = a$[@ & 1]; }
static int s$; s$++;
static _Atomic int s$; s$++;
if (@) goto out$; @ = #; out$:;
again$: if (@-- > 0) goto again$;
while (!@);
while (@) @ = #;
for (int i$ = 0; i$ < #; i$++) @ = i$;
do { @ = @; } while (@ != #);
switch (@) { case 0: @ = #; case 1: break; default: @ = #; }
atomic_store (&@, #);
atomic_store_explicit (&@, #, ~);
@ = atomic_load (&@);
@ = atomic_load_explicit (&@, ~);
atomic_fetch_add_explicit (&@, #, ~);
@ = atomic_fetch_sub (&@, @);
@ = atomic_exchange (&@, #);
{ __typeof__ (@ + 0) e$ = #; atomic_compare_exchange_strong (&@, &e$, #); }
{ __typeof__ (@ + 0) e$ = #; while (!atomic_compare_exchange_weak_explicit (&@, &e$, e$ + 1, ~, ~)); }
atomic_thread_fence (~);
atomic_signal_fence (~);
__atomic_store_n (&@, #, __ATOMIC_RELAXED);
__atomic_fetch_nand (&@, #, __ATOMIC_SEQ_CST);
__sync_synchronize ();
__sync_fetch_and_add (&@, #);
__sync_bool_compare_and_swap (&@, @, #);
__sync_lock_test_and_set (&@, 1);
@ = __atomic_max_fetch (&@, #, __ATOMIC_ACQ_REL);
__asm__ volatile ("" ::: "memory");
__asm__ volatile ("mfence" ::: "memory");
__asm__ volatile ("lock; addl $$1, %0" : "+m" (@));
__asm__ volatile ("xchgl %0, %1" : "+r" (@), "+m" (@));
__asm__ volatile ("pause; nop");
__asm__ ("mov %1, %0" : "=r" (@) : "r" (@));
__asm__ volatile ("lock; cmpxchgl %2, %1" : "+a" (@), "+m" (@) : "r" (@));
__builtin_unreachable ();
__builtin_trap ();
@ = __VERIFIER_nondet_int ();
@ = __VERIFIER_nondet_bool () ? @ : #;
__VERIFIER_assume (@ == #);
__VERIFIER_assume (@);
__VERIFIER_atomic_begin ();
__VERIFIER_atomic_end ();
union { int a; char b[4]; } u$; u$.a = @; @ = u$.b[1];
struct { int a : 5; unsigned b : 11; } f$ = {1, 2}; f$.b += @; @ = f$.a;
@ = __builtin_popcount (@) + __builtin_clz (@);
__builtin_add_overflow (@, #, &@);
@ = (int)((double)@ * 0.5);
@ = ({ int q$ = @; q$ + 1; });
@ = @ ? @ : #;
(*(void (**) (void))&@) ();
((void (*) (void))@) ();
@ ();
@ (@);
int __attribute__ ((vector_size (16))) v$ = {1, 2, @, 4}; @ = v$[@ & 3];
__int128 w$ = @; w$ *= w$; @ = (int)(w$ >> 64);
_Complex double z$ = @; z$ *= z$; @ = (int)__real__ z$;
long double l$ = @; @ = (int)(l$ / 3);
_BitInt (129) b$ = @; @ = (int)(b$ >> 3);
@ = (long)&&lab$; lab$:;
void *jump$ = @ ? &&one$ : &&two$; goto *jump$; one$: @ = #; two$:;
__builtin_va_list va$; (void)va$;
_Atomic struct { int a, b; } as$ = {1, 2}; __typeof__ (as$) *p$ = &as$; (void)p$;
'''.strip().splitlines()
GLOBALS = r'''
static int g$;
static _Atomic int g$ = #;
static int *g$ = (int *)&@;
static pthread_mutex_t g$ = PTHREAD_MUTEX_INITIALIZER;
static char g$[#];
static struct { int a; struct { char b; long c; } d[3]; } g$ = {1, {{2, 3}}};
static void *(*g$) (void *) = @;
static double g$ = #;
_Thread_local int g$;
static __int128 g$;
static int g$ (int n) { return n ? g$ (n - 1) + 1 : 0; }
static void __attribute__ ((constructor)) g$ (void) { @ = #; }
static int __attribute__ ((vector_size (8))) g$;
extern int g$;
extern int g$ (int);
int g$ (int n, ...) { __builtin_va_list a; __builtin_va_start (a, n); return __builtin_va_arg (a, int); }
static struct { int a : 3, : 0, b : 7; } g$;
static const char *g$[] = {"a", "b", (char *)&@};
static union { long a; char b[8]; } g$ = {#};
'''.strip().splitlines()
HEADERS = [f'#include <{name}.h>' for name in 'assert pthread stdatomic stdio stdlib string unistd sched'.split()]
WRAPPERS = [('if (@) {', '}'), ('while (@) {', '}'), ('for (int i$ = 0; i$ < #; i$++) {', '}'), ('do {', '} while (@);'),
            ('if (@ == #) {', '} else { @ = #; }'), ('switch (@) { case 1:', '}'), ('{', '}'),
            ('while (1) {', 'if (@) break; }'),
            ('pthread_mutex_lock (&@); {', '} pthread_mutex_unlock (&@);')]
ODD_NUMBERS = '0 1 2 3 7 8 16 63 64 65 255 4294967295 -1 2147483648 18446744073709551615 99999999999999999999'.split()


def tokens(line):
    return TOKEN.findall(line)


def functions(lines):
    """(first, last) line of every function body, without its braces."""
    found, start = [], None
    for i, line in enumerate(lines):
        if start is None and re.match(r'[A-Za-z_].*\)\s*\{$', line):
            start = i + 1
        elif start is not None and line.startswith('}'):
            if i > start:
                found.append((start, i - 1))
            start = None
    return found


def statements(lines):
    """Lines that are a whole statement inside a function."""
    return [i for first, last in functions(lines) for i in range(first, last + 1)
            if lines[i].rstrip().endswith(';') and lines[i].count('(') == lines[i].count(')')
            and lines[i].count('{') == lines[i].count('}')]


class Mutator:
    def __init__(self, random, library):
        self.random, self.library, self.fresh = random, library, 0

    def name(self, lines):
        """Some identifier of the program, preferably one that is declared at top level."""
        at_top = [m.group(1) for line in lines for m in re.finditer(r'\b(\w+)\s*(?:=|;|,|\[|\()', line)
                  if line[:1].isalpha() and NAME.match(m.group(1)) and not FOREIGN.match(m.group(1))]
        anywhere = [t for line in lines if line[:1] != '#' for t in tokens(line) if NAME.match(t) and not FOREIGN.match(t)]
        pool = at_top if at_top and self.random.random() < 0.7 else anywhere
        return self.random.choice(pool) if pool else 'x'

    def fill(self, template, lines):
        self.fresh += 1
        constants = CONSTANTS[:12] if self.random.random() < 0.8 else CONSTANTS
        put = {'@': lambda: self.name(lines), '#': lambda: self.random.choice(constants),
               '~': lambda: self.random.choice(ORDERS), '$': lambda: str(self.fresh)}
        return re.sub(r'\$\$|[@#~$]', lambda m: '$' if m.group() == '$$' else put[m.group()](), template)

    def mutate(self, lines):
        lines = list(lines)
        count = 1
        while count < 8 and self.random.random() < 0.45:
            count += 1
        for _ in range(count):
            for _ in range(10):
                changed = self.random.choice(MUTATIONS)(self, lines)
                if changed is not None:
                    lines = changed
                    break
        return lines


def replace_token(m, lines, choose):
    """Replace one token for which choose gives a list of others."""
    places = []
    for i, line in enumerate(lines):
        if line.startswith(('//', '#include')):
            continue
        words = tokens(line)
        for k, word in enumerate(words):
            others = choose(word, words, k)
            if others:
                places.append((i, words, k, others))
    if not places:
        return None
    i, words, k, others = m.random.choice(places)
    words[k] = m.random.choice(others)
    return lines[:i] + [''.join(words)] + lines[i + 1:]


def swap_order(m, lines):
    return replace_token(m, lines, lambda w, *_: ORDERS if w in ORDERS else GNU_ORDERS if w in GNU_ORDERS else None)


def change_constant(m, lines):
    return replace_token(m, lines, lambda w, *_: CONSTANTS[:10] * 3 + CONSTANTS if NUMBER.match(w) else None)


def change_operator(m, lines):
    def others(word, words, k):
        return [o for group in OPERATORS if word and word in group for o in group]
    return replace_token(m, lines, others)


def change_call(m, lines):
    return replace_token(m, lines, lambda w, *_: next((g for g in CALLS + KEYWORDS if w in g), None))


def change_type(m, lines):
    return replace_token(m, lines, lambda w, *_: TYPES if w in TYPE_WORDS else None)


def change_name(m, lines):
    name = m.name(lines)
    return replace_token(m, lines, lambda w, *_: [name] if NAME.match(w) else None)


def change_qualifier(m, lines):
    if m.random.random() < 0.5:
        return replace_token(m, lines, lambda w, *_: [''] if w in QUALIFIERS else None)
    qualifier = m.random.choice(QUALIFIERS)
    return replace_token(m, lines, lambda w, *_: [f'{qualifier} {w}', f'{w} {qualifier}'] if w in TYPE_WORDS else None)


def change_string(m, lines):
    def others(word, words, k):
        if word[0] not in '"\'' or len(word) < 3:
            return None
        at = m.random.randrange(1, len(word) - 1)
        return [word[:at] + word[at + 1:], word[:at] + m.random.choice('abeflmnx%$; ,0123()') + word[at:], word[0] * 2]
    return replace_token(m, lines, others)


def delete_token(m, lines):
    return replace_token(m, lines, lambda w, *_: [''] if not w.isspace() else None)


def weaken_atomic(m, lines):
    """Make an atomic access plain or a plain one atomic."""
    others = {'atomic_int': ['int'], 'int': ['atomic_int'], '_Atomic': ['', 'volatile']}
    return replace_token(m, lines, lambda w, *_: others.get(w))


def delete_statement(m, lines):
    at = statements(lines)
    if not at:
        return None
    i = m.random.choice(at)
    return lines[:i] + lines[i + m.random.choice([1, 1, 1, 2, 3]):]


def delete_sync(m, lines):
    at = [i for i in statements(lines) if re.search(r'lock|join|free|fence|wait|post|signal|malloc', lines[i])]
    if not at:
        return None
    i = m.random.choice(at)
    return lines[:i] + [lines[i]] * m.random.choice([0, 0, 2]) + lines[i + 1:]


def duplicate_statement(m, lines):
    at = statements(lines)
    if not at:
        return None
    i = m.random.choice(at)
    return lines[:i] + [lines[i]] * m.random.choice([1, 1, 2]) + lines[i:]


def move_statement(m, lines):
    at = statements(lines)
    if len(at) < 2:
        return None
    i, k = m.random.sample(at, 2)
    moved = list(lines)
    moved[i], moved[k] = moved[k], moved[i]
    if m.random.random() < 0.5:
        moved = lines[:i] + lines[i + 1:]
        moved.insert(min(k, len(moved)), lines[i])
    return moved


def insert_statement(m, lines):
    places = functions(lines)
    if not places:
        return None
    first, last = m.random.choice(places)
    i = m.random.randint(first, last + 1)
    return lines[:i] + ['  ' + m.fill(m.random.choice(STATEMENTS), lines)] + lines[i:]


def insert_global(m, lines):
    places = functions(lines)
    if not places:
        return None
    i = m.random.choice(places)[0] - 1
    return lines[:i] + [m.fill(m.random.choice(GLOBALS), lines)] + lines[i:]


def wrap_statement(m, lines):
    at = statements(lines)
    if not at:
        return None
    i = m.random.choice(at)
    k = min(i + m.random.choice([0, 0, 1, 2]), len(lines) - 1)
    head, tail = m.random.choice(WRAPPERS)
    return lines[:i] + [m.fill(head, lines)] + lines[i:k + 1] + [m.fill(tail, lines)] + lines[k + 1:]


def borrow_lines(m, lines):
    """Lines of another program, with its names replaced by ours half of the time."""
    other = m.random.choice(m.library)
    theirs, ours = functions(other), functions(lines)
    if not theirs or not ours:
        return None
    first, last = m.random.choice(theirs)
    start = m.random.randint(first, last)
    taken = other[start:min(last + 1, start + m.random.randint(1, 4))]
    if m.random.random() < 0.5:
        taken = [''.join(m.name(lines) if NAME.match(t) and m.random.random() < 0.3 else t for t in tokens(line))
                 for line in taken]
    i = m.random.randint(ours[0][0], m.random.choice(ours)[1] + 1)
    return lines[:i] + taken + lines[i:]


def borrow_function(m, lines):
    """A whole function of another program, in front of one of ours or instead of it."""
    other = m.random.choice(m.library)
    theirs, ours = functions(other), functions(lines)
    if not theirs or not ours:
        return None
    first, last = m.random.choice(theirs)
    body = other[first - 1:last + 2]
    i, k = m.random.choice(ours)
    if m.random.random() < 0.5:
        return lines[:i] + body[1:-1] + lines[k + 1:]
    return lines[:i - 1] + body + lines[i - 1:]


def add_headers(m, lines):
    return HEADERS + lines if '#include <sched.h>' not in lines else None


MUTATIONS = ([swap_order, change_constant, change_operator, insert_statement] * 4
             + [delete_statement, delete_sync, duplicate_statement, move_statement, wrap_statement] * 3
             + [change_type, change_name] * 3
             + [change_call, change_qualifier, weaken_atomic, insert_global, borrow_lines] * 2
             + [change_string, delete_token, borrow_function, add_headers])


# ---- text that is not C: lines and tokens, as they come

def mutate_text(rng, lines):
    lines = list(lines)
    for _ in range(rng.choice([1, 1, 2, 3])):
        i, k = rng.randrange(len(lines)), rng.randrange(len(lines))
        words = tokens(lines[i])
        way = rng.random()
        if way < 0.1:
            del lines[i]
        elif way < 0.2:
            lines.insert(k, lines[i])
        elif way < 0.3:
            lines[i], lines[k] = lines[k], lines[i]
        elif way < 0.6:
            numbers = [n for n, w in enumerate(words) if NUMBER.match(w)]
            if numbers:
                words[rng.choice(numbers)] = rng.choice(ODD_NUMBERS)
        elif words:
            n = rng.randrange(len(words))
            others = [w for w in tokens(lines[k]) if not w.isspace()]
            words[n] = rng.choice(others + ['']) if way < 0.9 else rng.choice(['', '\0', '"', '}', '\xff', words[n] * 2])
        if way >= 0.3:
            lines[i] = ''.join(words)
        if not lines:
            return ['']
    return lines


BYTES_A_LINE = 16


def mutate_bytes(rng, lines):
    """Bitcode, as lines of bytes that are joined without a separator."""
    data = bytearray(''.join(lines), 'latin-1')
    for _ in range(rng.choice([1, 1, 2, 4, 16])):
        i, way = rng.randrange(len(data)), rng.random()
        if way < 0.5:
            data[i] ^= 1 << rng.randrange(8)
        elif way < 0.8:
            data[i] = rng.randrange(256)
        elif way < 0.9:
            del data[i:i + rng.choice([1, 4, 100])]
        else:
            data[i:i] = rng.randbytes(4)
        if not data:
            data = bytearray(4)
    text = data.decode('latin-1')
    return [text[i:i + BYTES_A_LINE] for i in range(0, len(text), BYTES_A_LINE)]
