/* A library's: it is not of the tree. */
#ifndef OUTSIDE_H
#define OUTSIDE_H

#define LIBRARY_BASE(ns, n) \
    void ns##_hook_##n(int (*f)(int)) \
    { \
        hooks.n = f; /* kept: "{" */ \
    } \
    LIBRARY_PROTOTYPE(ns, n) \
    { \
        return hooks.n != 0; \
    }
#define LIBRARY_PROTOTYPE(ns, n) int ns##_has_##n(void)
#define LIBRARY_HOOK(ns, ret, n, args_decl, args_use, otherwise) \
    LIBRARY_BASE(ns, n) \
    ret ns##_run_##n args_decl \
    { \
        ret result = otherwise; \
        if (hooks.n) { \
            result = hooks.n args_use; \
        } \
        return result; \
    }
#define LIBRARY_ONE(n) static int n(int a) { return a + 1; }
#define LIBRARY_ITSELF(n) static int n(int a) { return a + 2; } extern int LIBRARY_ITSELF
#define LIBRARY_BOTH(n) static int n(int a) { return a + 3; }
#define LIBRARY_HEADER(n) static int n(int a) { return a + 4; }
#define LIBRARY_PLAIN static int plain(int a) { return a + 5; }
#define LIBRARY_GIVEN(head, body) head body
#define LIBRARY_MIXED(n) OWN_BODY(n)
#define LIBRARY_TEXT(n) static const char *n(void) { return #n; }

#endif
