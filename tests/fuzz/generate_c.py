"""Random C programs that are odd but valid, and that print the same whatever compiler builds them.

    text = generate_file(seed, programs)      one source file with `programs` programs in it

A program is a dozen functions with a common prefix and an entry that prints one line. Why the
result is certain: arithmetic is unsigned; every function gets a depth and calls earlier ones with
one less; a call changes nothing but T, a sum, so that the order of arguments doesn't matter; what
depends on order (S) is noted between statements only.
"""
import random
import re

HEAD = r"""
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <alloca.h>
#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#undef toupper /* a macro where the compiler optimizes, and then a string of it is another one */

typedef unsigned (*fn)(unsigned, unsigned, unsigned);
struct pair { unsigned x, y; };
struct bits { unsigned a : 3, : 2, b : 7; signed c : 5; bool d : 1; };
struct large { uint64_t v[9]; double f; };
struct queue { pthread_mutex_t m; pthread_cond_t full, empty; unsigned at, n, item[2], sum; };
typedef unsigned quad __attribute__((vector_size(16)));
struct ops { const char *name; fn go; fn table[3]; struct { fn deep; } in; };
static unsigned T, S;
static pthread_mutex_t M = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t C = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t W = PTHREAD_RWLOCK_INITIALIZER;
static sem_t Q;
static void mark(unsigned k) { __atomic_fetch_add(&T, k * 2654435761u, __ATOMIC_RELAXED); }
static void step(unsigned k) { S = S * 31u + k; }
static unsigned id(unsigned x) { return x; }
static int up(const void *p, const void *q) { unsigned x = *(const unsigned *)p, y = *(const unsigned *)q; return (x > y) - (x < y); }
static int down(const void *p, const void *q) { return up(q, p); }
static void note(unsigned *p) { mark(*p & 7); }
static void unlock(pthread_mutex_t **m) { pthread_mutex_unlock(*m); }
static void done(char **p) { mark((unsigned)strlen(*p)); free(*p); }
static void *worker(void *p) { unsigned *u = p; *u = id(*u) * 3 + 1; return p; }
static void put(struct queue *q, unsigned x) {
    pthread_mutex_lock(&q->m); while (q->n == 2) pthread_cond_wait(&q->empty, &q->m);
    q->item[(q->at + q->n++) % 2] = x; pthread_cond_signal(&q->full); pthread_mutex_unlock(&q->m); }
static unsigned take(struct queue *q) {
    pthread_mutex_lock(&q->m); while (!q->n) pthread_cond_wait(&q->full, &q->m);
    unsigned x = q->item[q->at]; q->at = (q->at + 1) % 2; q->n--; pthread_cond_broadcast(&q->empty); return pthread_mutex_unlock(&q->m), x; }
static void *consume(void *p) { struct queue *q = p; for (unsigned x; (x = take(q)) != 0;) q->sum = q->sum * 31u + id(x); return p; }
static unsigned sum(unsigned n, ...) { va_list l; va_start(l, n); unsigned s = 0; while (n--) s += va_arg(l, unsigned); va_end(l); return s; }
static struct pair mk(unsigned x, unsigned y) { return (struct pair){x, y}; }
static struct pair swap(struct pair p) { struct pair q = {p.y, p.x}; return q; }
#define MAX(x, y) ((x) > (y) ? (x) : (y))
#define TWICE(x) ((x) + (x))
#define STR(x) #x
#define XSTR(x) STR(x)
#define CAT(x, y) x##y
#define CALL(f, ...) f(__VA_ARGS__)
#define APPLY(f, args) f args
#define IDENT(x) id(x)
#define LEN(x) ((unsigned)strlen(x))
#define RET_IF(c, v) do { if (c) return (v); } while (0)
#define BLOCK {
#define KCOLB }
#define IF(c) if (c) {
#define FI }
#define EACH(i, n) for (unsigned i = 0; i < (n); i++)
#define UNLESS(c) if (!(c))
#define LOCKED(s) do { pthread_mutex_lock(&M); s; pthread_mutex_unlock(&M); } while (0)
#define LOCK() pthread_mutex_lock(&M)
#define UNLOCK() pthread_mutex_unlock(&M)
#define WITH(e) ({ unsigned with_ = (e); with_ ^ 5u; })
#define DEFUN(name, op) static unsigned name(unsigned d, unsigned a, unsigned b) { return d ? id(a) op id(b) : a; }
#define DEFUN2(name) static unsigned CAT(name, l)(unsigned d, unsigned a, unsigned b) { return id(a) - b + d; } \
    static unsigned CAT(name, r)(unsigned d, unsigned a, unsigned b) { return CAT(name, l)(d, b, a); }
#define BODY(e) { return (e); }
#define SIG(name) static unsigned name(unsigned d, unsigned a, unsigned b)
#define likely(x) __builtin_expect(!!(x), 1)
#define BEGIN(name) static unsigned name(unsigned d, unsigned a, unsigned b) {
#define END }
#define RETURN return
#define OUT(label, c) do { if (c) goto label; } while (0)
#define EMPTY
#define CALLIT (
#define DO(...) do { __VA_ARGS__ } while (0)
#define SHOWN(...) do { __VA_ARGS__ mark(sizeof(#__VA_ARGS__)); } while (0)
#define CHECKED(e) ((e) ? 1u : (unsigned)strlen(#e))
#define ARGS d - 1, a, b
#define PAIR id(a), b
#define ARROW(p) (p)->go
#define DOT .go
"""

STRINGS = ['"/* no */"', '"// no"', '"}{"', r'"\"("', '"a" "b{"', r'"\\"', '"#if 0"', '"%d);"', "\"'\"",
           r'"tab\tnew\n"', '"\u00e9\u4e16"', '"f(1, 2)"', r'"a\
b"', '"??"', r'"\x7f\101"']
NUMERALS = ['"12"', '"0x1f"', '"077"']
CHARS = ["'{'", "'}'", "'\"'", r"'\''", "'('", "';'", "'/'", r"'\\'"]
COMMENTS = ["/* { */", "/* ) */", "/* f(x); \" */", "/**/", "/* ' */", "// } ' \" {\n", "/* a\n * b\n */", "\\\n",
            "// go \\\n on }\n"]


class Program:
    def __init__(self, number, seed):
        self.random = random.Random(seed)
        self.prefix = f"p{number}_"
        self.out = []
        self.plain = []    # functions of the type fn
        self.special = []  # texts of calls with %s for expressions
        self.names = 0
        self.calls = 0
        self.locals = []

    # -- small things

    def pick(self, *items):
        return self.random.choice(items)

    def chance(self, percent):
        return self.random.random() * 100 < percent

    def name(self, what="v"):
        self.names += 1
        return f"{what}{self.names}"

    def number(self):
        return self.pick(str(self.random.randrange(10)) + "u", hex(self.random.randrange(1 << 16)) + "u",
                         "0x7fffffffu", "1u", "0u", "010u", f"(unsigned){self.pick(*CHARS)}")

    def noise(self):
        return " " + self.pick(*COMMENTS) if self.chance(6) else ""

    def args(self, depth):
        """d - 1 and two more."""
        return f"d - 1,{self.noise()} {self.expr(depth - 1)}, {self.expr(depth - 1)}"

    # -- calls

    def call(self, depth):
        self.calls += 1
        if self.calls > 12:
            return self.pick(*self.locals)
        f = self.pick(*self.plain)
        if self.special and self.chance(25):
            text = self.pick(*self.special)
            while "%s" in text:
                text = text.replace("%s", self.expr(depth - 1), 1)
            return text
        kind = self.random.randrange(31)
        args = self.args(depth)
        if kind < 8:
            return f"{f}{self.noise()}({args})"
        return [f"({f})({args})", f"(*{f})({args})", f"(&{f})({args})", f"(**{f})({args})",
                f"({self.expr(1)} & 1 ? {f} : {self.pick(*self.plain)})({args})",
                f"{self.prefix}ops.go({args})", f"{self.prefix}ops.table[{self.expr(1)} % 3]({args})",
                f"(&{self.prefix}ops)->in.deep({args})", f"{self.prefix}all[{self.expr(1)} % 2]\n({args})",
                f"((fn)(void *){f})({args})", f"CALL({f}, {args})", f"APPLY({f}, ({args}))",
                f"{f}(d - 1, {f}(d - 1, {self.atom()}, {self.atom()}), {self.pick(*self.plain)}(d - 1, 1, 2))",
                f"{f} EMPTY ({args})", f"{f}(ARGS)", f"{f}(d - 1, PAIR)", f"ARROW(&{self.prefix}ops)({args})",
                f"{self.prefix}ops DOT({args})", f"{f[:4]}\\\n{f[4:]}({args})", f"{f}\f(\t{args}\v)",
                f"(__extension__ {f}({args}))", f"((unsigned (*)(unsigned, unsigned, unsigned)){f})({args})",
                f"_Generic(&{f}, fn: {f}, default: {f})({args})"][kind - 8]

    def atom(self):
        return self.pick(self.number(), *self.locals)

    def libc(self, depth):
        e = lambda: self.expr(depth - 1)
        return self.pick(
            f"(unsigned)strlen({self.pick(*STRINGS)})", f"LEN({self.pick(*STRINGS)})",
            f"(unsigned)abs((int)({e()} & 255))", f"(unsigned)toupper((int)({e()} % 100))",
            f"(unsigned)strtoul({self.pick(*NUMERALS)}, NULL, 0)",
            f"(unsigned)(memcmp(\"abc\", \"abd\", {e()} % 3) == 0)", f"(unsigned)atoi(\"42\")",
            f"(unsigned)labs((long)({e()} % 77))", f"sum(3, {e()}, {e()}, 5u)", f"sum(0)",
            f"(unsigned)({self.pick(*STRINGS)})[0]", f"mk({e()}, {e()}).x", f"swap(mk({e()}, 2u)).y",
            f"(unsigned)strchr(\"abcdef\", 'a' + (int)({e()} % 6))[0]",
            f"(unsigned)snprintf(NULL, 0, \"%u\", {e()})", f"(unsigned)isdigit('0' + (int)({e()} % 12)) / 2048u",
            f"(unsigned)div((int)({e()} % 99), 7).quot", f"(unsigned)strcmp(\"b\", \"b\")",
            f"*(unsigned *)memcpy(&(unsigned){{0}}, &(unsigned){{{e()}}}, sizeof(unsigned))",
            f"(unsigned)pthread_equal(pthread_self(), pthread_self()) / 2u * 0u")

    # -- expressions, all unsigned

    def expr(self, depth):
        if depth <= 0 or self.chance(8):
            return self.atom()
        e = lambda: self.expr(depth - 1)
        kind = self.random.randrange(36)
        if kind < 9:
            return self.call(depth)
        if kind < 12:
            return self.libc(depth)
        return [lambda: f"({e()} {self.pick('+', '-', '*', '^', '&', '|')} {e()})",
                lambda: f"({e()} {self.pick('/', '%')} ({e()} | 1u))",
                lambda: f"({e()} {self.pick('<<', '>>')} ({e()} & 7))",
                lambda: f"(unsigned)({e()} {self.pick('<', '==', '>=', '!=')} {e()})",
                lambda: f"(~{e()} + !{e()})",
                lambda: f"({e()} & 1 ? {e()} : {e()})",
                lambda: f"({e()} ?: {e()})",
                lambda: f"(unsigned)({e()} {self.pick('&&', '||')} {e()})",
                lambda: f"(mark({self.number()}), {e()})",
                lambda: f"({e()}, {e()})",
                lambda: self.statement_expression(depth),
                lambda: f"(unsigned){self.pick('(unsigned char)', '(unsigned short)', '(uint64_t)')}({e()})",
                lambda: f"(unsigned)sizeof({self.call(depth)})",
                lambda: f"(unsigned)sizeof(__typeof__({e()}))",
                lambda: f"MAX({e()}, {e()})", lambda: f"TWICE({e()})",
                lambda: f"LEN({self.pick('STR', 'XSTR')}({self.call(1)}))",
                lambda: f"CHECKED({e()})", lambda: f"IDENT({e()})", lambda: f"WITH({e()})",
                lambda: self.auto_type(e()),
                lambda: f"((unsigned[]){{{e()}, {e()}, {e()}}})[{e()} % 3]",
                lambda: f"((struct pair){{.y = {e()}, .x = {e()}}}).{self.pick('x', 'y')}",
                lambda: f"_Generic({e()}, unsigned: {e()}, default: 0u)",
                lambda: f"(unsigned)__builtin_popcount({e()})",
                lambda: f"(likely({e()}) ? {e()} : 3u)",
                lambda: f"__builtin_choose_expr(1, {e()}, {e()})",
                lambda: f"\\\n{e()}",
                lambda: f"(__LINE__ + {e()})", lambda: f"((unsigned)sizeof __func__ - 1u + LEN(__func__))",
                lambda: f"(__builtin_constant_p({self.call(1)}) ? 7u : 7u)",
                lambda: f"(unsigned)(__builtin_return_address(0) == NULL)",
                lambda: f"(unsigned)__builtin_types_compatible_p(__typeof__({self.call(1)}), unsigned)",
                lambda: f"({e()} ? {e()} ? {e()} : {e()} : {e()} ? {e()} : {e()})",
                lambda: f"((quad){{{e()}, {e()}, 1u, 2u}} + (quad){{{e()}}})[{e()} & 3]",
                lambda: f"(unsigned)((unsigned __int128){e()} * {e()} >> 3)",
                lambda: self.local_label(e)][self.random.randrange(37)]()

    def local_label(self, e):
        label, name = self.name("l"), self.name("u")
        return (f"({{ __label__ {label}; unsigned {name} = {e()}; if ({name} & 1) goto {label}; {name} += {e()}; "
                f"{label}: {name}; }})")

    def auto_type(self, value):
        name = self.name("q")
        return f"({{ __auto_type {name} = {value}; {name}; }})"

    def statement_expression(self, depth):
        name = self.name("t")
        inner = self.expr(depth - 1)
        self.locals.append(name)
        body = self.inside([name]) if self.chance(40) and not self.no_return else ""
        text = f"({{ unsigned {name} = {inner}; {body}{self.expr(depth - 1)} + {name}; }})"
        self.locals.remove(name)
        return text

    def inside(self, mutable):
        """A statement within an expression: it changes nothing that the rest of it may read."""
        before = self.directives, self.mutable, self.no_return, self.in_expression
        self.directives, self.mutable, self.no_return, self.in_expression = False, mutable, True, True
        text = self.statement(1, True)
        self.directives, self.mutable, self.no_return, self.in_expression = before
        return text

    # -- statements

    def statements(self, count, depth):
        return "".join(self.statement(depth) for _ in range(count))

    def end(self):
        return self.pick("\n", "\n", "\n", " ", " /* } */\n", " // {\n", "", "\n", "\r\n", "\f\n")

    def statement(self, depth, alone=False):
        """`alone`: where the grammar wants exactly one."""
        e = lambda: self.expr(self.pick(2, 2, 3))
        v = self.pick(*self.mutable)
        if depth <= 0:
            return self.pick(f"{v} += {e()};", f"{v} = {e()};", f"{v} ^= {self.call(2)};", f"mark({e()});",
                             f"(void){self.call(2)};", f"{self.call(2)};", ";", f"{v}++;",
                             f"{v} = {self.call(2)}, {v} += {self.atom()};") + self.end()
        s = lambda: self.statement(depth - 1, True)
        kind = self.random.randrange(30)
        if kind < 6:
            return self.statement(0)
        i = self.name("i")
        many = [
            lambda: f"unsigned {i}; for (mark(1), {i} = 0; {i} < 2; mark({e()}), {i}++) {s()}",
            lambda: f"pthread_mutex_lock(&M);{self.end()}{v} += {self.atom()};\npthread_mutex_unlock(&M);\n",
            lambda: f"pthread_cond_signal(&C); pthread_cond_broadcast(&C);\n",
            lambda: self.local_macro(i, v),
            lambda: self.jump(v, s),
            lambda: f"pthread_rwlock_{self.pick('rd', 'wr')}lock(&W); {v} ^= {self.atom()}; pthread_rwlock_unlock(&W);\n",
            lambda: f"_Static_assert(sizeof({self.call(1)}) == sizeof(unsigned), \"{{\");\n",
            lambda: f"unsigned {i} = {e()}; {v} ^= {i};\n",
        ]
        if not self.directives:
            many.pop(3)
        elif self.chance(4):
            return f"{v} ^= ({self.pick(*self.plain)} CALLIT {self.args(2)}));\n"
        if self.chance(20):
            text = self.random.choice(many)()
            return f"{{ {text} }}" if alone else text
        table = [
            lambda: f"if ({e()} & 1) {s()}", lambda: f"if ({e()} > {e()}) {s()} else {s()}",
            lambda: f"if ({self.call(2)} & 2) {{ {s()} }} else if ({e()}) {s()} else {{ {s()} }}\n",
            lambda: f"for (unsigned {i} = {e()} % 2; {i} < 3; {i}++) {s()}",
            lambda: f"{{ unsigned {i} = 3; while ({i}-- > {self.call(2)} % 2) {s()} }}\n",
            lambda: f"{{ unsigned {i} = 0; do {s()} while (++{i} < ({e()} & 3)); }}\n",
            lambda: f"{{ unsigned {v} = {self.atom_not(v)}; {s()}{s()} mark({v}); }}\n",
            lambda: self.switch(depth, e, s, v),
            lambda: f"EACH({i}, {e()} % 3) {s()}", lambda: f"UNLESS({e()} & 1) {s()}",
            lambda: f"IF({e()}) {s()} FI\n", lambda: f"BLOCK {s()} KCOLB\n",
            lambda: f"LOCKED({v} += {e()});\n",
            lambda: f"if (pthread_mutex_trylock(&M) == 0) {{ {v}++; pthread_mutex_unlock(&M); }}\n",
            lambda: f"if (!LOCK()) UNLOCK();\n",
            lambda: f"sem_post(&Q), sem_wait(&Q);\n",
            lambda: f"\n#if {self.pick('0', '1', 'defined(MAX)')}\n{s()}\n#else\n{s()}\n#endif\n",
            lambda: self.early(e),
            lambda: f"__asm__ volatile(\"\" : \"+r\"({v}));\n",
            lambda: f"for (;;) {{ {s()} break; }}\n",
            lambda: f"if ({e()})\n#ifdef NEVER\n{s()}\n#else\n{v}--;\n#endif\n",
            lambda: self.big_expression(v, e),
            lambda: f"if (mark(1), {e()}) {s()}", lambda: f"{e()} & 1 ? mark({e()}) : mark({e()});\n",
            lambda: f"({e()} & 1) && (mark(3), 1);\n", lambda: f"switch ({e()} % 3) case 1: {s()}",
            lambda: f"while (mark(1), {v} > 0xffffff) {v} >>= {e()} % 5 + 3;\n",
            lambda: self.in_macro(s), lambda: f"assert({self.call(2)} || 1);\n",
            lambda: f"if ((pthread_mutex_lock)(&M) == 0 && {e()} > 3) pthread_mutex_unlock(&M); else {{ pthread_mutex_unlock(&M); {s()} }}\n",
            lambda: f"{{ int (*lock)(pthread_mutex_t *) = pthread_mutex_lock; lock(&M); {v}--; (void)(pthread_mutex_unlock(&M)); }}\n",
            lambda: f"{{ pthread_barrier_t bar; pthread_barrier_init(&bar, NULL, 1); if (pthread_barrier_wait(&bar) != 0) {v}++; pthread_barrier_destroy(&bar); }}\n",
            lambda: f"{{ struct timespec t = {{1, 0}}; if (sem_timedwait(&Q, &t) && errno == ETIMEDOUT) {v} += 9; }}\n",
            lambda: f"switch (pthread_rwlock_rdlock(&W)) {{ case 0: {v} += {self.atom()}; default: pthread_rwlock_unlock(&W); }}\n",
            lambda: f"do {{ {s()} }} while (0);\n",
        ]
        text = self.random.choice(table)()
        return text if self.directives or "#" not in text.replace("\"#if 0\"", "") else f"{v}++;"

    def atom_not(self, name):
        others = [n for n in self.locals if n != name]
        return self.pick(self.number(), *others)

    def switch(self, depth, e, s, v):
        fall = self.pick("", "__attribute__((fallthrough));\n", "break;\n")
        return (f"switch ({self.expr(2)} % 7) {{ {self.pick('', f'unsigned unused{self.name()};')}\n"
                f"case 0: {s()}{self.pick('', 'break;')}\ncase 1: case 2: {{ {s()} }} {fall}"
                f"case 4 ... 5: {v} += {e()}; {self.pick('', 'break;')}\ndefault: {s()} }}\n")

    def big_expression(self, v, e):
        name, init = self.name("t"), e()
        self.locals.append(name)
        text = f"{v} += ({{ unsigned {name} = {init}; if ({e()}) {self.inside([name])} else {self.inside([name])} {name} + {e()}; }});\n"
        self.locals.remove(name)
        return text

    def in_macro(self, s):
        before, self.directives = self.directives, False
        text = f"{self.pick('DO', 'SHOWN')}({s()});\n"
        self.directives = before
        return text if "//" not in text and "CALLIT" not in text else "mark(4);"

    def local_macro(self, name, v):
        call = self.call(1)
        if "\n" in call:
            call = "id(2)"
        return f"\n#define LOCAL{name} {call}\n{v} += LOCAL{name};\n#undef LOCAL{name}\n"

    def early(self, e):
        if self.no_return:
            return "mark(9);"
        return self.pick(f"if ({e()} % 5 == 0) return {e()};\n", f"RET_IF({e()} % 7 == 1, {e()});\n",
                         f"if ({e()} % 9 == 2) {{ mark(2); return {self.call(2)}; }}\n",
                         f"RET_IF(d > 90, {self.call(2)});\n")

    def jump(self, v, s):
        if self.in_expression:
            return f"{v}--;"
        label = self.name("l")
        return (f"if ({self.expr(2)} & 1) goto {label};\n{s()}{label}: {self.pick('', ';')} mark({v});\n")

    # -- functions

    def begin(self, mutable=("a", "b"), more=()):
        self.locals = ["a", "b", *more]
        self.mutable = list(mutable)
        self.calls = 0
        self.no_return = self.in_expression = True
        self.directives = True

    def body(self, count=None):
        """Statements that may return; goto only where no statement expression is around."""
        self.no_return = self.in_expression = False
        text = ""
        for _ in range(count or self.random.randrange(2, 6)):
            self.in_expression = self.chance(70)
            text += self.statement(2)
        self.no_return = self.in_expression = True
        return text

    def guard(self):
        return self.pick("if (d == 0) return a ^ b;", "if (!d) { return a + b * 3u; }", "RET_IF(!d, a);",
                         "if (d == 0)\n return a\n - b;")

    def head(self, name):
        quals = self.pick("static", "static", "static", "static inline", "static __attribute__((noinline))",
                          "static inline __attribute__((always_inline))", "", "__attribute__((unused)) static")
        if not quals:
            self.out.append(f"unsigned {name}(unsigned, unsigned, unsigned);\n")
        return f"{quals}{self.noise()} unsigned {name}"

    PARAMS = "(unsigned d, unsigned a, unsigned b)"

    def add(self, text, name=None):
        self.out.append(text)
        if name:
            self.plain.append(name)

    def function(self):
        name = self.prefix + self.name("f")
        self.begin()
        shapes = [self.f_plain] * 7 + [
            self.f_knr, self.f_line, self.f_macro, self.f_setjmp, self.f_vla, self.f_computed, self.f_duff,
            self.f_cleanup, self.f_sort, self.f_errno, self.f_string, self.f_struct, self.f_variadic, self.f_bool,
            self.f_pick, self.f_thread, self.f_bits, self.f_recursion, self.f_digraph, self.f_nest_local,
            self.f_attribute, self.f_wide, self.f_split, self.f_generated, self.f_pointer_arg, self.f_void,
            self.f_alloca, self.f_const, self.f_condition, self.f_double, self.f_static_local, self.f_queue,
            self.f_far_jump, self.f_signal, self.f_fork, self.f_asm, self.f_tangle, self.f_begin_end, self.f_large,
            self.f_many, self.f_vla_parameter, self.f_va_copy, self.f_once, self.f_alias, self.f_unicode,
            self.f_lines, self.f_aligned, self.f_declared, self.f_unbraced, self.f_barrier]
        self.random.choice(shapes)(name)

    def f_plain(self, name):
        extra = self.name("x")
        guard = self.guard()
        init = self.expr(2)
        self.locals.append(extra)
        self.mutable.append(extra)
        body = self.body()
        brace = self.pick(" {", "\n{\n", " { ", "{", "\n\n{ /* { */ ")
        self.add(f"{self.head(name)}{self.PARAMS}{brace}{guard} unsigned {extra} = {init};\n{body}"
                 f"return {self.expr(3)};{self.pick(' ', chr(10))}}}\n", name)

    def f_knr(self, name):
        self.add(f"static unsigned {name}(d, a, b) unsigned d; unsigned a, b;{self.noise()}\n"
                 f"{{ {self.guard()} {self.body(2)} return {self.expr(2)}; }}\n", name)

    def f_line(self, name):
        names = [f"{name}{c}" for c in "abc"]
        self.add(" ".join(f"static unsigned {n}{self.PARAMS} {{ {self.guard()} return {self.expr(2)}; }}"
                          for n in names) + "\n")
        self.plain += names

    def f_macro(self, name):
        self.add(f"DEFUN({name}, {self.pick('+', '-', '^')})\nDEFUN2({name})\n"
                 f"SIG({name}s) {{ {self.guard()} return {self.expr(2)}; }}\n"
                 f"static unsigned {name}b{self.PARAMS} BODY(d ? {self.expr(1)} : a)\n")
        self.plain += [name, name + "l", name + "r", name + "s", name + "b"]

    def f_generated(self, name):
        self.add(f"#define {name}_list(X) X({name}g, a) X({name}h, b)\n"
                 f"#define {name}_def(n, v) SIG(n) {{ {self.guard().replace(chr(10), ' ')} mark(v); return id(v); }}\n"
                 f"{name}_list({name}_def)\n#undef {name}_def\n")
        self.plain += [name + "g", name + "h"]

    def f_setjmp(self, name):
        self.add(f"static void {name}t(unsigned d, unsigned n, jmp_buf *e) {{ if (n < 4) longjmp(*e, (int)n); mark(d); }}\n"
                 f"static __attribute__((noinline)) unsigned {name}{self.PARAMS} {{ {self.guard()} jmp_buf env; volatile unsigned n = 0, x = a;\n"
                 f"{self.pick('if (setjmp(env) < 3)', 'switch (setjmp(env)) { case 0: case 1: case 2:')} "
                 f"{{ n = n + 1; x = x * 3 + id(b); {name}t(d - 1, n, &env); }} "
                 .replace("switch (setjmp(env)) { case 0: case 1: case 2:", "switch (setjmp(env)) case 0: case 1: case 2:") +
                 f"x = x ^ {self.expr(2)}; return x + n; }}\n", name)

    def f_vla(self, name):
        init = self.expr(2)
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned n = {init} % 5 + 2; unsigned v[n];\n"
                 f"for (unsigned i = 0; i < n; i++) v[i] = {self.expr(2)} + i;\n"
                 f"unsigned (*w)[n] = &v; {self.body(1)} return (*w)[{self.expr(1)} % n] + (unsigned)(sizeof v / sizeof *v); }}\n",
                 name)

    def f_computed(self, name):
        self.add(f"static __attribute__((noinline)) unsigned {name}{self.PARAMS} {{ {self.guard()} static void *const go[] = {{&&one, &&two, &&out}}; unsigned n = 0;\n"
                 f"again: goto *go[{self.expr(2)} % 3];\none: a += {self.expr(2)};\ntwo: b ^= {self.expr(2)}; if (n++ < 2) goto again;\n"
                 f"out: return a + b + n; }}\n", name)

    def f_duff(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned n = (b % 3) + 1;\n"
                 f"switch (a % 4) {{ case 0: do {{ a += {self.expr(2)};\ncase 3: mark(a); case 2: b ^= {self.expr(2)};\n"
                 f"case 1: a++; }} while (--n > 0); }}\nreturn a - b; }}\n", name)

    def f_cleanup(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} __attribute__((cleanup(note))) unsigned k = {self.expr(2)};\n"
                 f"__attribute__((cleanup(done))) char *s = strdup({self.pick(*STRINGS)});\n"
                 f"for (unsigned i = 0; i < 2; i++) {{ __attribute__((cleanup(note))) unsigned j = {self.expr(2)}; if (j & 1) continue; mark(j); }}\n"
                 f"pthread_mutex_lock(&M); {{ __attribute__((cleanup(unlock))) pthread_mutex_t *m = &M; if (a & 1) return a + k; }}\n"
                 f"return {self.expr(2)} + k; }}\n", name)

    def f_sort(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned v[] = {{{self.expr(2)}, {self.expr(2)}, a, b, 7}};\n"
                 f"qsort(v, sizeof v / sizeof *v, sizeof *v, {self.pick('up', 'a & 1 ? up : down', '&down')});\n"
                 f"unsigned key = v[1]; qsort(v, 5, sizeof *v, up); unsigned *at = bsearch(&key, v, 5, sizeof *v, up);\n"
                 f"return at ? *at : 0u; }}\n", name)

    def f_errno(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} errno = 0; unsigned long v = strtoul(\"99999999999999999999999\", NULL, 10);\n"
                 f"unsigned r = errno == ERANGE ? 5u : 6u; errno = 0; (void)fclose(fopen(\"/dev/null\", \"r\"));\n"
                 f"if (fopen(\"/nonexistent/x\", \"r\") == NULL && errno == ENOENT) r += 11;\n"
                 f"errno = EDOM; mark(id(r)); a = {self.pick(*self.plain)}(0, a, b); if (errno == EDOM) r *= 3;\n"
                 f"return r + a + (unsigned)(v == ULONG_MAX); }}\n", name)

    def f_string(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} char buffer[64] = {self.pick(*STRINGS)}; const char *restrict s = {self.pick(*STRINGS)} {self.pick(*STRINGS)};\n"
                 f"snprintf(buffer, sizeof buffer, \"%s:%u:%%\", s, {self.expr(2)}); char *copy = strdup(buffer); unsigned n = (unsigned)strlen(copy);\n"
                 f"memmove(buffer, copy, n / 2); strncpy(buffer, \"ab\", 2); strcat(buffer, \"x\"); free(copy);\n"
                 f"while (*s) a = a * 31 + (unsigned char)*s++; return a + n + (unsigned char)buffer[n / 2] + (unsigned)strspn(buffer, \"ab\"); }}\n",
                 name)

    def f_struct(self, name):
        self.add(f"static struct pair {name}(unsigned d, struct pair p) {{ if (!d) return p; unsigned a = p.x, b = p.y; "
                 f"struct pair q = {{.y = {self.expr(2)}, .x = {self.expr(2)}}}; q = swap(q); return a & 1 ? q : mk({self.expr(1)}, q.x); }}\n")
        self.special += [f"{name}(d - 1, mk(%s, %s)).x", f"{name}(d - 1, (struct pair){{%s, %s}}).y",
                         f"swap({name}(d - 1, swap(mk(%s, %s)))).x"]

    def f_variadic(self, name):
        self.add(f"static unsigned {name}(unsigned d, unsigned n, ...) {{ if (!d) return n; va_list l; va_start(l, n); unsigned a = 1, b = n;\n"
                 f"while (n--) a = a * 3 + va_arg(l, unsigned); va_end(l); return {self.expr(2)}; }}\n")
        self.special += [f"{name}(d - 1, 2, %s, %s)", f"{name}(d - 1, 0)", f"{name}(d - 1, 3, %s, id(%s), (%s, 1u))"]

    def f_bool(self, name):
        self.add(f"static bool {name}{self.PARAMS} {{ {self.guard()} return {self.expr(2)} > {self.expr(2)} && {self.expr(2)}; }}\n")
        self.special += [f"(unsigned){name}(d - 1, %s, %s)", f"({name}(d - 1, %s, %s) ? %s : 2u)", f"!{name}(d - 1, 1, %s)"]

    def f_pick(self, name):
        f, g = self.pick(*self.plain), self.pick(*self.plain)
        self.add(f"static unsigned (*{name}(unsigned k))(unsigned, unsigned, unsigned) {{ return k & 1 ? {f} : &{g}; }}\n"
                 f"static fn {name}q(fn f) {{ return f; }}\n"
                 f"static unsigned (*(*{name}r(void))(unsigned))(unsigned, unsigned, unsigned) {{ return {name}; }}\n")
        self.special += [f"{name}(%s)(d - 1, %s, %s)", f"{name}q({f})(d - 1, %s, 3)", f"{name}r()(%s)(d - 1, 1, %s)",
                         f"(*{name}(%s))(d - 1, 2, 3)"]

    def f_thread(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} if (d < 3) return a - b; pthread_t t; unsigned v = {self.expr(1)}; void *r = NULL;\n"
                 f"if (pthread_create(&t, NULL, worker, &v) != 0) return 0; {self.pick('', 'mark(a);')} pthread_join(t, &r); return *(unsigned *)r; }}\n",
                 name)

    def f_bits(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} struct bits k = {{.a = {self.expr(2)} & 7, .b = {self.expr(2)} & 127, .d = id(a)}};\n"
                 f"k.a += {self.expr(2)}; k.c = (int)({self.expr(2)} & 7); union {{ unsigned u; unsigned char c[4]; }} u = {{{self.expr(2)}}};\n"
                 f"return k.a + k.b * 3u + (unsigned)k.c + k.d + u.c[{self.expr(1)} % 4]; }}\n", name)

    def f_recursion(self, name):
        self.add(f"static unsigned {name}o(unsigned n, unsigned a);\n"
                 f"static unsigned {name}e(unsigned n, unsigned a) {{ return n == 0 ? a : {name}o(n - 1, a * 3); }}\n"
                 f"static unsigned {name}o(unsigned n, unsigned a) {{ if (n) return {name}e(n - 1, a ^ 5); else return a; }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} return {name}(d - 1, a + {name}e(b % 9, a), {name}(d - 1, b, 1)); }}\n",
                 name)

    def f_digraph(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} <% {self.guard()} unsigned v<:2:> = <%{self.expr(2)}, b%>; if (a) <% v[0]++; %> return v<:{self.expr(1)} % 2:>; %>\n",
                 name)

    def f_nest_local(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned r = a; {{ unsigned r = {self.expr(2)}; {{ unsigned a = r; {{ unsigned b = id(a); r += b; }} mark(a); }} b += r; }}\n"
                 f"struct {{ unsigned (*f)(unsigned); }} s = {{id}}; {{ unsigned (*id)(unsigned) = s.f; r += id(r) + s.f(b); }} return r; }}\n", name)

    def f_attribute(self, name):
        attribute = self.pick("noinline", "pure", "cold", "hot", "unused", "flatten", "warn_unused_result",
                              "section(\".text.x\")", "aligned(32)", "noinline, no_instrument_function", "used")
        text = self.expr(1) if attribute != "pure" else "a * 3 + b"
        self.add(f"__attribute__(({attribute})) static unsigned {name}{self.PARAMS} {{ {self.guard()} return {text}; }}\n"
                 f"static unsigned {name}n(unsigned d, unsigned a, unsigned b) __attribute__((unused));\n"
                 f"static unsigned {name}n(unsigned d, unsigned a, unsigned b)\n{{\n    return {name}(d ? d - 1 : 0, a, b);\n}}\n", name)
        self.plain.append(name + "n")

    def f_wide(self, name):
        self.add(f"static uint64_t {name}(uint64_t a, uint8_t b, char c, short d) {{ if (c == 'x') return a << (b & 31); return a * b + (uint64_t)d; }}\n")
        self.special += [f"(unsigned){name}(%s, (uint8_t)%s, 'x', 2)", f"(unsigned)({name}(%s, 3, '{{', -1) >> 7)"]

    def f_split(self, name):
        self.add(f"static\nunsigned\n{name}\n(\nunsigned d\n,\nunsigned a /* ) */,\nunsigned b // {{\n)\n#if 1\n{{\n#else\n{{ {{\n#endif\n"
                 f"{self.guard()}\nreturn\n{self.expr(2)}\n;\n}}\n", name)

    def f_pointer_arg(self, name):
        self.add(f"static unsigned {name}a(unsigned d, fn f, unsigned v[static 2], const volatile unsigned *restrict p) {{ return d ? f(d - 1, v[0], v[1]) + *p : *p; }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned v[2] = {{a, b}}; return {name}a(d - 1, {self.pick(*self.plain)}, v, &(unsigned){{{self.expr(2)}}}); }}\n",
                 name)

    def f_void(self, name):
        self.add(f"static void {name}(unsigned d, unsigned a, unsigned *out) {{ unsigned b = d; if (!d) {{ *out = a; return; }} if (a & 1) {{ *out = {self.expr(2)}; return; }}\n"
                 f"*out += {self.expr(2)}; }}\nstatic void {name}w(unsigned d, unsigned a, unsigned *out) {{ return {name}(d ? d - 1 : 0, a, out); }}\n")
        self.special += [f"({{ unsigned o_ = 4; {name}(d - 1, %s, &o_); o_; }})",
                         f"({{ unsigned o_ = %s; if (o_ & 1) {name}w(d - 1, 2, &o_); else {name}(d - 1, 3, &o_); o_; }})"]

    def f_alloca(self, name):
        self.add(f"static __attribute__((noinline)) unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned n = {self.expr(2)} % 6 + 1; unsigned char *p = alloca(n);\n"
                 f"memset(p, (int)(a & 255), n); p[0] = (unsigned char)b; char *h = malloc(n + 1); memset(h, 'x', n); h[n] = 0;\n"
                 f"n = (unsigned)strlen(h); free(h); return p[n - 1] + p[0] * 3u; }}\n", name)

    def f_const(self, name):
        self.add(f"static const struct {{ const char *const s; unsigned (*const f)(unsigned, unsigned, unsigned); }} {name}t[] = {{ {{ {self.pick(*STRINGS)}, {self.pick(*self.plain)} }}, [1] = {{ .f = {self.pick(*self.plain)}, .s = \"}}\" }} }};\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} const volatile unsigned k = {self.expr(2)}; return {name}t[k & 1].f(d - 1, k, b) + (unsigned)strlen({name}t[a & 1].s); }}\n", name)

    def f_condition(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} struct timespec t = {{0, 0}}; unsigned r = 0; pthread_mutex_lock(&M); pthread_cond_signal(&C);\n"
                 f"if (pthread_cond_timedwait(&C, &M, &t) == ETIMEDOUT) r = 3; pthread_mutex_unlock(&M); if (sem_trywait(&Q) != 0 && errno == EAGAIN) r += 7;\n"
                 f"return r + a + {self.expr(1)}; }}\n", name)

    def f_double(self, name):
        self.add(f"static double {name}(double x, float y) {{ return x * 2 + (double)y; }}\n"
                 f"static long double {name}l(long double x) {{ return x + 1; }}\n"
                 f"static _Complex double {name}c(double x) {{ return x + 2.0i; }}\n")
        self.special += [f"(unsigned){name}((double)(%s % 100), 1.5f)", f"(unsigned){name}l(%s % 50)",
                         f"(unsigned)__real__ {name}c(%s % 30)"]

    def f_static_local(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} static unsigned (*const f[2])(unsigned, unsigned, unsigned) = {{ {self.pick(*self.plain)}, {self.pick(*self.plain)} }}; static __thread unsigned z;\n"
                 f"enum {{ K = sizeof(\"{{\") }}; typedef struct {{ unsigned k; }} local; local l = {{ f[a & 1](d - 1, b, K) }}; return l.k + z; }}\n", name)

    def f_queue(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} if (d < 3) return {self.expr(1)}; pthread_t t; struct queue q = {{PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0, {{0}}, 1}};\n"
                 f"if (pthread_create(&t, NULL, consume, &q)) return 0; for (unsigned i = 1; i < 6; i++) put(&q, {self.pick('i', 'a | 1', 'i * 7')});\n"
                 f"put(&q, 0); if (pthread_join(t, NULL) != 0) return 1; pthread_cond_destroy(&q.full); return q.sum + {self.expr(1)}; }}\n", name)

    def f_barrier(self, name):
        self.add(f"struct {name}s {{ pthread_barrier_t w; sem_t s; pthread_rwlock_t r; unsigned v; }};\n"
                 f"static void *{name}t(void *p) {{ struct {name}s *s = p; pthread_rwlock_wrlock(&s->r); s->v *= 3; pthread_rwlock_unlock(&s->r);\n"
                 f"pthread_barrier_wait(&s->w); while (sem_wait(&s->s) != 0); return s; }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} if (d < 3) return a; pthread_t t; struct {name}s s = {{.v = b}}; pthread_barrier_init(&s.w, NULL, 2);\n"
                 f"sem_init(&s.s, 0, 0); pthread_rwlock_init(&s.r, NULL); pthread_create(&t, NULL, {name}t, &s); pthread_barrier_wait(&s.w); sem_post(&s.s);\n"
                 f"pthread_join(t, NULL); pthread_rwlock_rdlock(&s.r); a = s.v; pthread_rwlock_unlock(&s.r); pthread_barrier_destroy(&s.w); return a + {self.expr(1)}; }}\n",
                 name)

    def f_far_jump(self, name):
        buffer, set_, leave = self.pick(("jmp_buf", "setjmp(env)", "longjmp"), ("sigjmp_buf", "sigsetjmp(env, 1)", "siglongjmp"),
                                        ("jmp_buf", "_setjmp(env)", "_longjmp"))
        self.add(f"static _Noreturn void {name}x({buffer} *e, unsigned n) {{ {leave}(*e, (int)(n & 3) + 1); }}\n"
                 f"static unsigned {name}t(unsigned n, {buffer} *e) {{ if (n == 0) {name}x(e, 2); mark(n); return {name}t(n - 1, e) + 1; }}\n"
                 f"static __attribute__((noinline)) unsigned {name}{self.PARAMS} {{ {self.guard()} {buffer} env; volatile unsigned x = a, y = b;\n"
                 f"if ({set_} == 0) {{ x = x + {name}t({self.number()} % 5, &env); y = 0; }} else y = y * 3 + id(x);\n"
                 f"return x + y + {self.plain[-1]}(d - 1, x, y); }}\n", name)

    def f_signal(self, name):
        self.add(f"static volatile sig_atomic_t {name}v;\nstatic void {name}h(int number) {{ {name}v += number == SIGUSR1 ? 3 : 1; mark(5); }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} if (d < 2) return b; {name}v = 0; void (*old)(int) = signal(SIGUSR1, {name}h);\n"
                 f"if (old == SIG_ERR || raise(SIGUSR1) != 0) return 1; signal(SIGUSR1, old); return (unsigned){name}v + {self.expr(2)}; }}\n", name)

    def f_fork(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} if (d < 3) return a ^ 1u; int status = 0; pid_t child = fork();\n"
                 f"if (child == 0) _exit((int)({self.expr(2)} & 63)); while (waitpid(child, &status, 0) < 0); return WIFEXITED(status) ? (unsigned)WEXITSTATUS(status) + b : 99u; }}\n", name)

    def f_asm(self, name):
        goto = self.pick("", '__asm__ goto("" : : "r"(k) : : far); b += id(k);')
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned r = {self.expr(2)}; __asm__(\"\" : \"=r\"(r) : \"0\"(r + {self.call(1)}), \"m\"(a) : \"memory\", \"cc\");\n"
                 f"unsigned k = r; __asm__ volatile(\"\" : \"+r\"(k)); {goto}\nif (k == 3) goto far; a += {self.expr(1)};\n"
                 f"far: __asm__ volatile(\"# }}\" ::: \"memory\"); return a + b + k; }}\n", name)

    def f_tangle(self, name):
        self.add(f"static __attribute__((noinline)) unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned n = 0; if (a & 1) goto in;\n"
                 f"for (n = 0; n < 3; n++) {{ if ({self.expr(2)} & 2) continue; else in: mark(n); if (b & 1) break; }}\n"
                 f"switch (n) {{ unsigned k; default: k = 1; a += k; if (0) {{ case 1: a ^= {self.expr(2)}; {{ case 2: n += 5; }} }} while (0) case 0: b += {self.expr(2)}; }}\n"
                 f"back: OUT(end, n > 6); n += 2; {{ if (n & 1) goto back; else goto end; }} return 5;\nend:; return a + b + n; }}\n", name)

    def f_begin_end(self, name):
        self.add(f"BEGIN({name}) {self.guard()} mark(a); RETURN {self.expr(2)}; END\n"
                 f"BEGIN({name}v)\n  {self.guard()}\n  unsigned r = {self.expr(2)};\n  OUT(no, r & 1);\n  return r;\nno: RETURN id(r);\n}}\n"
                 f"static unsigned {name}w{self.PARAMS} {{ {self.guard()} return {self.expr(1)}; END\n", name)
        self.plain += [name + "v", name + "w"]

    def f_large(self, name):
        self.add(f"static struct large {name}m(unsigned d, struct large l, float f) {{ if (!d) return l; l.v[d % 9] += id(d); l.f += f; return l; }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} struct large l = {{{{a, b, {self.expr(2)}}}, 1.5}}; l = {name}m(d - 1, {name}m(d, l, 0.5f), 2);\n"
                 f"struct large *volatile p = &l; const struct large m = {name}m(1, *p, {name}m(2, l, 1).f); return (unsigned)(m.v[1] + m.v[2] + m.v[d % 9]) + (unsigned)(m.f * 4); }}\n", name)

    def f_many(self, name):
        self.add(f"static double {name}m(char a, double b, short c, float d, uint64_t e, struct pair f, long double g, _Bool h, const char *i, double j, uint8_t k, struct bits l, int m) "
                 f"{{ return a + b * c + d + (double)(e & 15) + f.x % 9 + (double)g + h + i[1] + j + k + l.b + m; }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} return (unsigned){name}m('a', 2.5, (short)(a & 31), 3, {self.expr(1)}, mk(b, {self.expr(1)}), 4.0L, {self.expr(1)} > 3, \"xyz\", id(a) % 8, 5, (struct bits){{.b = 3}}, (int)({self.expr(2)} & 7)); }}\n", name)

    def f_vla_parameter(self, name):
        self.add(f"static unsigned {name}m(unsigned n, unsigned m, unsigned v[n][m], unsigned w[const restrict static n]) {{ unsigned r = (unsigned)(sizeof v[0] / sizeof v[0][0]); "
                 f"for (unsigned i = 0; i < n; i++) for (unsigned j = 0; j < m; j++) r = r * 3 + v[i][j] + w[i]; return r; }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned n = {self.expr(2)} % 3 + 1, v[n][n + 1], w[n]; for (unsigned i = 0; i < n * (n + 1); i++) v[0][i] = i + {self.atom()};\n"
                 f"for (unsigned i = n; i-- > 0;) w[i] = {self.expr(1)}; if (a & 1) return {name}m(n, n + 1, v, w); typedef unsigned row[id(n)]; row q; q[0] = {name}m(n, n + 1, v, w); return q[0] + (unsigned)sizeof(row); }}\n", name)

    def f_va_copy(self, name):
        self.add(f"static __attribute__((format(printf, 3, 4))) int {name}p(char *to, size_t n, const char *format, ...) {{ va_list l, m; va_start(l, format); va_copy(m, l); int r = vsnprintf(NULL, 0, format, l); "
                 f"r += vsnprintf(to, n, format, m); va_end(m); va_end(l); return r; }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} char t[40]; unsigned n = (unsigned){name}p(t, sizeof t, \"%u-%s-%.1f\", {self.expr(2)}, \"q\", 1.5); return n + (unsigned char)t[0] + (unsigned)strlen(t); }}\n", name)

    def f_once(self, name):
        self.add(f"static pthread_once_t {name}c = PTHREAD_ONCE_INIT; static unsigned {name}k; static void {name}i(void) {{ {name}k = id(7); }}\n"
                 f"static void {name}u(void *p) {{ mark(*(unsigned *)p & 7); }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned r = {self.expr(2)}; pthread_once(&{name}c, {name}i); pthread_cleanup_push({name}u, &r); r += {self.expr(2)} + {name}k; mark(r);\n"
                 f"pthread_cleanup_pop({self.pick('0', '1')}); return r; }}\n", name)

    def f_alias(self, name):
        attribute = self.pick("weak", "visibility(\"hidden\")", "constructor", "destructor", "cold, weak")
        self.add(f"static unsigned {name}k = 3;\nvoid {name}c(void);\n__attribute__(({attribute})) void {name}c(void) {{ {name}k |= id(4); }}\n"
                 f"unsigned {name}{self.PARAMS};\nunsigned {name}{self.PARAMS} {{ {self.guard()} {name}c(); return {name}k + {self.expr(2)}; }}\n"
                 f"static unsigned {name}a{self.PARAMS} __attribute__((alias(\"{name}\")));\n", name)
        self.plain.append(name + "a")

    def f_unicode(self, name):
        odd = name + self.pick("\u00e9\u00df", "\u4e16", "\\u00e9", "$")
        self.add(f"static unsigned {odd}{self.PARAMS} {{ {self.guard()} /* \u4e16\u754c */ mark({self.expr(1)}); return a + LEN(\"\u00e9\"); }}\n"
                 f"static unsigned {name}{self.PARAMS} {{ {self.guard()} return {odd}(d - 1, a, {self.expr(1)}) + ({odd})(0, b, 1); }}\n", name)

    def f_lines(self, name):
        self.add(f"#line {self.random.randrange(1, 99999)} \"{self.pick('odd.y', 'a b.c')}\"\nstatic unsigned {name}{self.PARAMS} {{ {self.guard()} unsigned r = __LINE__;\n"
                 f"#line 7\nr += {self.expr(2)}; r += LEN(__FILE__);\n#pragma GCC diagnostic push\n_Pragma(\"GCC diagnostic ignored \\\"-Wall\\\"\") r ^= {self.call(2)};\n#pragma GCC diagnostic pop\nreturn r + __LINE__; }}\n", name)

    def f_aligned(self, name):
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()} _Alignas(64) unsigned v[2] = {{{self.expr(2)}, b}}; static __thread unsigned z; _Atomic unsigned n = a; n += {self.expr(1)}; z = 0;\n"
                 f"__attribute__((aligned(32))) char c[3] = \"ab\"; return (unsigned)((uintptr_t)v % 64 + (uintptr_t)c % 32) + v[n & 1] + z; }}\n", name)

    def f_declared(self, name):
        self.add(f"typedef unsigned {name}_type(unsigned, unsigned, unsigned);\nstatic {name}_type {name}, {name}z;\n"
                 f"static unsigned ({name}){self.PARAMS} {{ {self.guard()} extern int abs(int); return {self.expr(2)} + (unsigned)abs(-3); }}\n"
                 f"static inline unsigned {name}z{self.PARAMS} {{ {self.guard()} {name}_type *f = &{name}, **g = &f; return (**g)(d - 1, a, {self.expr(1)}); }}\n", name)
        self.plain.append(name + "z")

    def f_unbraced(self, name):
        e = lambda: self.expr(2)
        self.add(f"static unsigned {name}{self.PARAMS} {{ {self.guard()}\nif ({e()} & 1) if ({e()} & 1) return {e()}; else return {e()}; else if (b) for (;;) if (b-- & 1) return {e()}; else if (!b) break; else continue;\n"
                 f"do if (a & 1) {{ a >>= 1; }} else break; while (a);\nfor (unsigned i = 0; i < 2; i++) switch (a & 1) case 0: default: if (i) return {e()};\nwhile (1) return {e()}; }}\n", name)

    # -- a whole program

    def costs(self):
        """By depth and text: about how many calls a call of its functions leads to."""
        home, uses = {}, []
        for index, text in enumerate(self.out):
            names = re.findall(rf"\b{self.prefix}(?:f\d+|\w+)", text)
            for name in names:
                home.setdefault(name, index)
            uses.append([home[name] for name in names])
        tables = home[self.prefix + "ops"]
        depths = [[1] * len(self.out)]
        for _ in range(3):
            last = depths[-1]
            most = max(last)
            depths.append([1 + 2 * sum(most if use == tables else last[use] for use in names) for names in uses])
        return home, depths

    def deepest(self, text, home, depths):
        names = re.findall(rf"\b{self.prefix}(?:f\d+|\w+)", text)
        for depth in (3, 2):
            if sum(depths[depth][home[name]] for name in names) < 30000:
                return depth
        return 1

    def text(self, functions):
        self.plain = [self.prefix + "id3"]
        self.add(f"static unsigned {self.plain[0]}{self.PARAMS} {{ return a + d * b; }}\n")
        self.add(f"static struct ops {self.prefix}ops = {{ .go = {self.plain[0]}, .table = {{ {self.plain[0]}, {self.plain[0]}, {self.plain[0]} }}, .in.deep = {self.plain[0]} }};\n"
                 f"static fn {self.prefix}all[2] = {{ {self.plain[0]}, {self.plain[0]} }};\n")
        for number in range(functions):
            self.function()
            if number == functions // 2:
                self.add(f"static void {self.prefix}set(void) {{ {self.prefix}ops.go = {self.pick(*self.plain)}; {self.prefix}ops.in.deep = {self.pick(*self.plain)}; "
                         f"{self.prefix}ops.table[1] = {self.pick(*self.plain)}; {self.prefix}all[1] = {self.pick(*self.plain)}; }}\n")
        self.begin(more=("d",))
        home, depths = self.costs()
        lines = "".join(f"step({f}({self.deepest(f, home, depths)}, {self.random.randrange(99)}, {self.random.randrange(9)}));\n"
                        for f in self.plain)
        special = ""
        for text in self.special:
            while "%s" in text:
                text = text.replace("%s", self.number(), 1)
            special += f"d = {self.deepest(text, home, depths)}; step({text});\n"
        self.add(f"void {self.prefix}main(void);\nvoid {self.prefix}main(void)\n{{\nunsigned d = 3, a = 1, b = 2; T = S = 0;\n{self.prefix}set();\n{lines}{special}"
                 f"printf(\"{self.prefix[:-1]} %u %u\\n\", T, S);\n}}\n")
        return "".join(self.out)


def generate_program(number, seed):
    program = Program(number, f"{seed}:{number}")
    return program.text(program.random.randrange(3, 9))


def generate_file(numbers, seed):
    parts = [HEAD]
    parts += [generate_program(number, seed) for number in numbers]
    calls = "".join(f"    p{number}_main();\n" for number in numbers)
    parts.append(f"int main(void)\n{{\n    setvbuf(stdout, NULL, _IOLBF, 0);\n    sem_init(&Q, 0, 0);\n{calls}    return (int)(S & 63);\n}}\n")
    return "".join(parts)


if __name__ == "__main__":
    import sys
    print(generate_file([int(n) for n in sys.argv[2:]], sys.argv[1]))
