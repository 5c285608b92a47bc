/* resolve.h - the config's declarations, found in the facts.
 *
 *     {"function": "handle", "at": {"line": 42}}   ->   function 17, statement at offset 2210
 *
 * A function is named as in the source ("handle", "Pool::run", or the last parts of that), or
 * "file.c:handle" where several files have one. Lives in `arena`, borrows facts and declarations.
 */
#ifndef REWRITER_RESOLVE_H
#define REWRITER_RESOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "rewriter/declare.h"
#include "rewriter/facts.h"

struct resolved_mark {
    const struct mark_declaration *mark;
    uint32_t number; /* of the declaration, from 1: names its variables */
    uint32_t function;
    const struct fact_statement *statement; /* MARK_AT_LINE, else NULL */
};

struct resolved {
    struct resolved_mark *marks; /* in the order of the declarations */
    uint32_t mark_count;
    const struct sync_declaration **syncs; /* by function: how it was declared, or NULL */
    bool *untimed;                         /* by function: declared so; it has a body */
};

/* This is false with ERROR_USAGE where a declaration names what is not there, or where a mark
 * can't be put. The message says what is there. */
bool resolve_declarations(struct resolved *resolved, struct arena *arena, const struct facts *facts,
                          const struct declarations *declarations, struct error *error);

/* Tells whether every function that a mark names is there, with its body. */
bool resolve_finds(const struct facts *facts, const struct declarations *declarations);

#endif
