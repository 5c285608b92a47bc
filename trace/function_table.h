/* function_table.h - functions.json: what the rewriter knows of the program, for the readers.
 *
 *   functions[]  the nodes of the call graph: every function with a body in the tree, and every
 *                function that one of them calls by name (body = false: libc, libraries)
 *   probes[]     what was injected in this round; a record's probe id is its index here.
 *                probes[0] is "none".
 *
 * function_table_read gives a table that owns its strings (in its arena); the one who builds a
 * table fills in the same structs. Indices, not pointers, so that a table can be written and read
 * back.
 */
#ifndef TRACE_FUNCTION_TABLE_H
#define TRACE_FUNCTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

#define FUNCTION_NONE UINT32_MAX

/* A function without a body may call these functions of the tree. */
enum calls_back {
    CALLS_NOBODY,
    CALLS_GIVEN, /* what it is given */
    CALLS_ANY    /* also what was given to another function before */
};

struct function_info {
    const char *name;   /* as written in the source: "handle", "Pool::run" */
    const char *symbol; /* the linker's name */
    const char *file;   /* relative to the source root, "" without a body */
    uint32_t line;
    bool body;         /* defined in the tree */
    bool marks;        /* its body holds an interval's annotation (SI_BEGIN, SI_END, SI_ENTER) */
    uint32_t *callees; /* indices of functions it calls by name, each once */
    uint32_t callee_count;
    bool indirect_calls;  /* it also calls through a pointer or a virtual member */
    uint32_t *references; /* indices of functions with a body that it names but does not call */
    uint32_t reference_count;
    bool referenced;      /* what is not in the tree may call it */
    uint32_t type;        /* where its address is taken: the same for the same type; else 0 */
    bool handles_signals; /* referenced, of a signal handler's type */
    enum calls_back calls_back;
    bool team_unseen; /* it holds a region of OpenMP at whose end nobody sees who waits for whom */
};

enum probe_kind {
    PROBE_NONE,
    PROBE_FUNCTION, /* prolog and epilog of `function` */
    PROBE_CALL,     /* a call in `within` of `function`, which has no body in the tree */
    PROBE_INDIRECT, /* a call in `within` through a pointer; `function` is FUNCTION_NONE */
    PROBE_SYNC,     /* a call in `within` of the synchronization function `function` */
    PROBE_TASK      /* a call in `within` of the enqueue or dequeue function `function` */
};

struct probe_info {
    enum probe_kind kind;
    uint32_t function;
    uint32_t within; /* FUNCTION_NONE for PROBE_FUNCTION */
    uint32_t line;   /* of the call; in functions[within].file, or `file` where that differs */
    const char *file;
    const char *object; /* "queue.lock": what a synchronization function is given; or NULL */
};

struct function_table {
    struct arena arena;
    struct function_info *functions;
    uint32_t function_count;
    struct probe_info *probes;
    uint32_t probe_count;
};

bool function_table_write(const struct function_table *table, const char *path,
                          struct error *error);
bool function_table_read(struct function_table *table, const char *path, struct error *error);
void function_table_release(struct function_table *table);

/* The function has that linker's name, or is FUNCTION_NONE. Linear: for tests and small
 * questions. */
uint32_t function_table_find_symbol(const struct function_table *table, const char *symbol);

#endif
