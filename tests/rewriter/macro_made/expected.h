/* Functions that a macro makes are timed in its definition: __LINE__ tells the uses apart. */
#include <stdio.h>

#define MAKE_PAIR(t)                                                                               \
    static t add_##t(t a, t b)                                                                     \
    {VPROF_FUNCTION_MADE(0)                                                                                              \
        if (a > b) {                                                                               \
            return b + a;                                                                          \
        }                                                                                          \
        return a + b;                                                                              \
    }                                                                                              \
    static t sub_##t(t a, t b) {VPROF_FUNCTION_MADE(1) return a < 0 ? (t)getchar() : a - b; }                            \
    extern int no_such_variable
#define MAGIC int magic(void) {VPROF_FUNCTION_MADE(16) return 7; } extern int no_such_variable
#define BODY_ONLY {VPROF_FUNCTION_MADE(32) return 3; }
#define NESTING(t) MAKE_ONE(t)
#define MAKE_ONE(t) static t one_##t(void) {VPROF_FUNCTION_MADE(48) return 1; }
#define MAKE_SHARED(t) static t shared_##t(void) {VPROF_FUNCTION_MADE(64) return 5; }
#define MAKE_SPREAD(t, n) static t spread_##t(void) {VPROF_FUNCTION_MADE(80) return n; }
#define IN_HEADER(t) static inline t header_##t(void) { return 9; }
#ifdef NO_SUCH
#define EITHER(t) static t either_##t(void) { return 1; } static t more_##t(void) { return 1; }
#else
#define EITHER(t) static t either_##t(void) {VPROF_FUNCTION_MADE(96) return 1; }
#endif
IN_HEADER(int)
