/* Macros that make functions by other macros, at any depth; what is shared is told apart by the line, the
 * text and the name. */
#include <stdio.h>

#define BODY(n) int n(int a) {VPROF_FUNCTION_MADE(0) return a + 1; }
#define HOOK(n) BODY(ap_run_##n)
#define NAMED(prefix, n) prefix##n
#define DEEP_3(n) static int n(int a) {VPROF_FUNCTION_MADE(16) if (a > 100) { return 0; } return a + 3; }
#define DEEP_2(n) DEEP_3(n)
#define DEEP_1(n) DEEP_2(NAMED(deep_, n))
#define DEEP(n) DEEP_1(n) extern int no_such_variable
#define LINK_STRUCT(n) struct { int (*run)(int); int count; } hooks_##n
#define IMPLEMENT_GET(n) int get_##n(int a) {VPROF_FUNCTION_MADE(32) return a + hooks_##n.count; }
#define IMPLEMENT(type, n, args, use, otherwise) \
    static LINK_STRUCT(n); \
    void link_##n(int (*f)(int)) {VPROF_FUNCTION_MADE(48) hooks_##n.run = f; hooks_##n.count++; } \
    IMPLEMENT_GET(n) \
    type run_##n args {VPROF_FUNCTION_MADE(49) return hooks_##n.run ? hooks_##n.run use : otherwise; }
#define RECORD(n) struct n { int a; union n##_u { int b; } u; }; static struct n n##_value = { 3, { 4 } }; \
    enum n##_e { n##_A }; int n##_of args_of(n) {VPROF_FUNCTION_MADE(64) return n ? 0 : n##_value.a + 5; }
#define args_of(n) (struct n *n)
#define RECORDS(n) RECORD(n)
#define PAIR(n) BODY(n) BODY(n##_too)
#define TWINS(a, b) static int a(int n) {VPROF_FUNCTION_MADE(80) return n + 7; } TWIN(b)
#define TWIN(b) static int b(int n) {VPROF_FUNCTION_MADE(96) return n + 8; }
#define SAME(a, b) SAME_ONE(a) SAME_ONE(b)
#define SAME_ONE(n) static int n(int a) { return a + 9; }
#define OPEN(n) static int n(int a) {VPROF_FUNCTION_MADE(112)
#define WITH(head, body) head body
#define THROUGH(n) WITH(static int n(int a), {VPROF_FUNCTION_MADE(128) if (a) { return a + 11; } return 0; })
#define HEAD(n) static int n(int a)
#define BODY_AFTER(n) HEAD(n) {VPROF_FUNCTION_MADE(144) return a + 12; }
#define TEXT(x) static const char *text_of(void) {VPROF_FUNCTION_MADE(160) return #x; }
#define AS_TEXT(n) TEXT(int n(int a) { return a; })
#define HEADERS_TOO(n) static int n(int a) { return a + 13; }
#define OUTER_TOO(n) HEADERS_TOO(n)
#define ITSELF(n) static int n(int a) {VPROF_FUNCTION_MADE(176) return a + 14; } extern int ITSELF
#define EITHER(n) EITHER_ONE(n)
#define EITHER_ONE(n) static int n(int a) {VPROF_FUNCTION_MADE(192) return a + 15; }
HEADERS_TOO(in_header)
