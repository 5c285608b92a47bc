/* Macros of a library that make functions of the tree: named in the text, and in macros of the tree. */
#include <outside.h>
#include <stdio.h>

#define HOOK(ret, n, args_decl, args_use, otherwise) \
    LIBRARY_HOOK(own, ret, n, args_decl, args_use, otherwise)
#define BASE(n) LIBRARY_BASE(own, n)
#define ONE(n) LIBRARY_ONE(n)
#define OWN_BODY(n) static int n(int a) { return a + 6; }
#define TWO(n) ONE(n) OWN_BODY(n##_own)
#define ITSELF(n) LIBRARY_ITSELF(n)
#define HEADER(n) LIBRARY_HEADER(n)
HEADER(in_header)
