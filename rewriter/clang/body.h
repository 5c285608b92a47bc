/* body.h - what a function's body was found to hold, while it is visited.
 *
 *     struct body body = {.function = index, .file = file};
 *     body_note_callee(&body, callee);
 *     body_finish(unit, &body);            into the facts; frees the rest
 */
#ifndef REWRITER_CLANG_BODY_H
#define REWRITER_CLANG_BODY_H

#include "rewriter/clang/unit.h"
#include "rewriter/unevaluated.h"

/* This is a function's body while it is visited; its lists are on the heap until body_finish. */
struct body {
    uint32_t function;
    struct source_file *file;
    struct fact_call *calls;
    CXCursor *nodes; /* of the calls */
    size_t call_count, call_capacity, node_count, node_capacity;
    struct fact_statement *statements;
    size_t statement_count, statement_capacity;
    uint32_t *callees;
    size_t callee_count, callee_capacity;
    struct crowd crowd;   /* of the callees, at how many places each is called */
    uint32_t *references; /* functions that are named but not called */
    size_t reference_count, reference_capacity;
    uint32_t *virtuals; /* of the callees, those called virtually */
    size_t virtual_count, virtual_capacity;
    struct unevaluated unevaluated;
    bool marks, indirect, unbounded;
};

/* Each function is kept once in each list. */
void body_note_callee(struct body *body, uint32_t callee);
void body_note_virtual(struct body *body, uint32_t callee);
void body_note_reference(struct body *body, uint32_t function); /* or FUNCTION_NONE */

void body_finish(struct unit *unit, struct body *body);

#endif
