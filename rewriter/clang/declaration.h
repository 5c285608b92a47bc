/* declaration.h - what a function's declaration says about editing it and its calls.
 *
 *     _Noreturn void die(void);               a call of it can't be timed
 *     constexpr int twice(int x) { ... }      nothing can be put into its body
 *
 * libclang has no question for most specifiers and attributes: they are looked up as words in the
 * declaration as libclang prints it.
 */
#ifndef REWRITER_CLANG_DECLARATION_H
#define REWRITER_CLANG_DECLARATION_H

#include "rewriter/clang/unit.h"

/* The answer says why calls of the function can't be timed. *constant is set where a call of it
 * may have to be a constant. */
enum obstacle declaration_callee_obstacle(CXCursor callee, const char *name, bool *constant);

/* The answer says why nothing can be put into the function's body. */
enum obstacle declaration_body_obstacle(const struct unit *unit, CXCursor function);

/* Some functions are called but never timed: the compiler's own, ours, mere casts. */
bool declaration_is_ignored(CXCursor function, const char *name);

/* One of its parameters is a pointer to a function. */
bool declaration_takes_functions(CXCursor function);

/* A signal handler is void(int), or void(int, siginfo_t *, void *). */
bool declaration_has_handler_type(CXCursor function);

/* The function that a variable's end calls: `int i __attribute__((cleanup(f)))`, of which libclang
 * shows the name alone. NULL where there is none. */
const char *declaration_cleanup(CXCursor variable, struct arena *arena);

/* Must the variable be a constant? */
bool declaration_is_constexpr(struct unit *unit, CXCursor variable);

#endif
