/* facts.h - what the parser found out about the program: plain data with byte offsets.
 *
 *     files[]      "src/main.c"
 *     functions[]  int f(struct s *p) {   return p->go(1) + puts("x");   }
 *                                     ^body      ^---call 0  ^---call 1
 *     macros[]     #define LOCK(m) pthread_mutex_lock(&(m)->lock)
 *
 * One struct for what one compilation shows and for the whole program. Functions with a body come
 * first, in order of file and offset; calls in order of offset. The same function seen by several
 * compilations is one: keyed by where its body stands. All strings and arrays are owned by the
 * arena. Offsets are bytes of the untouched text; lines count from 1.
 */
#ifndef REWRITER_FACTS_H
#define REWRITER_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "rewriter/obstacle.h"
#include "rewriter/sync_name.h"

struct fact_file {
    const char *path; /* below the tree */
    uint64_t hash;    /* of the text as it was parsed */
};

struct fact_argument {
    uint32_t begin, end;
    bool macro_safe; /* its text may be an argument of a macro */
    bool calls;      /* it holds a call of its own */
    bool copyable;   /* it may be taken through a local variable */
    bool scalar;     /* a number or a pointer: may be recorded */
    bool pointer;
};

struct fact_call {
    uint32_t callee;     /* function, or FUNCTION_NONE: through a pointer, or not known */
    uint32_t begin, end; /* of its text */
    uint32_t callee_end; /* of the text of what is called, which starts at `begin` */
    uint32_t open;       /* its '(' */
    uint32_t line;
    bool pointer;   /* through a function pointer, whose value can be recorded */
    bool dynamic;   /* virtual: whatever overrides `callee` may be called */
    bool reference; /* its result is an lvalue */
    bool held;      /* C++17: temporary objects in it live on, so that it can't be a statement */
    bool void_result;
    bool scalar_result;
    bool macro_safe;              /* its text may be an argument of a macro */
    bool callee_macro_safe;       /* so may the text of what is called */
    enum obstacle text_obstacle;  /* why its text can't be edited */
    enum obstacle value_obstacle; /* why it can't be put into a statement expression */
    const char *macro;            /* the macro whose body holds it, or NULL; without an obstacle
                                        it holds nothing else, and the text is the macro's use */
    const char *name;             /* as written, where `callee` doesn't tell: "t.run"; or NULL */
    const char *object; /* "queue.lock": what a synchronization function is given; or NULL */
    struct fact_argument *arguments; /* NULL where the text doesn't tell them */
    uint32_t argument_count;
};

/* These statements stand directly in a compound statement. */
struct fact_statement {
    uint32_t line;
    uint32_t offset;
    bool declaration;
    bool closing; /* no statement: the brace that closes a block, for what comes last in it */
};

struct fact_parameter {
    const char *name; /* "" where it has none */
    bool scalar;      /* a number or a pointer */
    bool pointer;
};

struct fact_function {
    const char *name; /* "handle", "Pool::run" */
    const char *symbol;
    const char *usr;
    uint32_t file; /* FACT_NO_FILE: no body in the tree */
    uint32_t line;
    uint32_t body; /* offset of its '{' */
    bool local;    /* static, or in an unnamed namespace */
    bool marks;
    bool cplusplus;
    bool indirect_calls;
    bool unbounded;     /* its own code may take long: a loop, or new, delete or throw */
    bool pure;          /* a pure virtual member */
    bool foreign;       /* declared outside the tree */
    bool open_ended;    /* a virtual call of it may end in a function without a body in the tree */
    bool address_taken; /* or called in a way that no call of these facts shows */
    bool referenced;    /* something may call it that is not in the tree: its name stands in other
                           places than a call, it is a lambda or a member that overrides a
                           library's */
    uint32_t type;      /* of one that is referenced by an address: the same for the same type */
    bool handles_signals; /* referenced, and of the type of a signal handler */
    bool calls_back;      /* without a body: it takes pointers to functions */
    bool crowded;         /* called at very many places of one function: where a compiler inlined
                             it at each, it would not come to an end */
    bool team;            /* it holds a region that a team of threads runs (openmp.h) */
    bool team_unseen;     /* and the compiler's way of running it is not known */
    struct fact_parameter *parameters; /* of one with a body */
    uint32_t parameter_count;
    enum obstacle obstacle;          /* why nothing can be put into its body */
    const char *macro;               /* the macro whose use makes its body, or NULL */
    uint32_t macro_order;            /* which of the functions that this use makes, from 0;
                                        FACT_NO_ORDER: nothing may be put into it */
    uint32_t macro_line;             /* what __LINE__ is where the use begins */
    uint32_t macro_line_end;         /* and where it ends */
    uint32_t *callees, callee_count; /* each once, ascending; virtual calls: all they may reach */
    uint32_t *references, reference_count; /* those that it names but does not call, ascending */
    uint32_t *virtuals, virtual_count;     /* called virtually; only before merging */
    uint32_t *overrides, override_count;   /* the members that it overrides; only before merging */
    struct fact_call *calls;
    uint32_t call_count;
    struct fact_statement *statements;
    uint32_t statement_count;
};

/* Macro definitions in the tree are facts, and those outside of it that make functions of the tree.
 */
struct fact_macro {
    const char *name;
    uint32_t file;  /* FACT_NO_FILE: outside */
    uint32_t begin; /* of its body */
    uint32_t line;
    const char *parameters; /* "(a, b)", or "" */
    const char *body;
    bool pastes; /* it uses # or ## */
};

/* A compilation is its main file and the files of the tree that it includes. */
struct fact_unit {
    uint32_t file;
    sync_set sync; /* the synchronization functions that they use in any way */
    uint32_t *includes, include_count;
};

/* A compilation was read from its inputs, whether or not anything was found in them. */
struct fact_input {
    const char *path; /* below the tree; absolute where it lies elsewhere; "": only looked for */
    const char *name; /* the last part of the path that it was opened by */
    uint64_t hash;    /* of the text as it was parsed; elsewhere: of size and time */
    bool escapes;     /* opened by a path in the tree, but lies elsewhere */
};

/* A failure is a compilation that was read with errors, or not at all. */
struct fact_failure {
    const char *file;
    uint32_t line;
    const char *reason;
};

struct facts {
    struct arena arena;
    struct fact_file *files;
    uint32_t file_count;
    struct fact_function *functions;
    uint32_t function_count;
    struct fact_macro *macros;
    uint32_t macro_count;
    struct fact_unit *units;
    uint32_t unit_count;
    struct fact_failure *failures;
    uint32_t failure_count;
    struct fact_input *inputs; /* of one compilation; none: not known */
    uint32_t input_count;
};

#define FACT_NO_FILE UINT32_MAX
#define FACT_NO_ORDER UINT32_MAX

/* Closing braces are none. */
uint32_t fact_statements(const struct fact_function *function);

void facts_release(struct facts *facts);

#endif
