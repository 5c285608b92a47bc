#include "rewriter/clang/body.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/function_table.h"

static bool has_index(const uint32_t *indices, size_t count, uint32_t index)
{
    while (count)
        if (indices[--count] == index)
            return true;
    return false;
}

void body_note_reference(struct body *body, uint32_t function)
{
    if (function != FUNCTION_NONE && !has_index(body->references, body->reference_count, function))
        VEC_PUSH(body->references, body->reference_count, body->reference_capacity) = function;
}

void body_note_callee(struct body *body, uint32_t callee)
{
    crowd_add(&body->crowd, callee, NULL);
    if (!has_index(body->callees, body->callee_count, callee))
        VEC_PUSH(body->callees, body->callee_count, body->callee_capacity) = callee;
}

void body_note_virtual(struct body *body, uint32_t callee)
{
    body->indirect = true;
    if (!has_index(body->virtuals, body->virtual_count, callee))
        VEC_PUSH(body->virtuals, body->virtual_count, body->virtual_capacity) = callee;
}

struct numbered {
    struct fact_call call;
    CXCursor node;
};

static int compare_numbered(const void *a, const void *b)
{
    const struct fact_call *x = &((const struct numbered *)a)->call;
    const struct fact_call *y = &((const struct numbered *)b)->call;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if (x->callee_end != y->callee_end)
        return x->callee_end < y->callee_end ? -1 : 1;
    return (x->callee > y->callee) - (x->callee < y->callee);
}

/* finish_calls sorts the calls; one text that gave several calls is kept once and can't be
 * edited. */
static void finish_calls(struct arena *arena, struct body *body, struct fact_function *function)
{
    struct numbered *all = memory_alloc((body->call_count + 1) * sizeof *all);
    for (size_t i = 0; i < body->call_count; i++)
        all[i] = (struct numbered){body->calls[i], body->nodes[i]};
    qsort(all, body->call_count, sizeof *all, compare_numbered);
    function->calls = ARENA_ARRAY(arena, struct fact_call, body->call_count + 1);
    const struct numbered *last = NULL;
    for (size_t i = 0; i < body->call_count; i++) {
        struct fact_call *kept = function->calls + function->call_count;
        bool same = last && last->call.begin == all[i].call.begin &&
                    last->call.callee_end == all[i].call.callee_end;
        if (same && !clang_equalCursors(last->node, all[i].node) && !kept[-1].text_obstacle)
            kept[-1].text_obstacle = OBSTACLE_MACRO_REPEATS;
        if (!same || (all[i].call.macro && all[i].call.callee != last->call.callee)) {
            *kept = all[i].call;
            function->call_count++;
        }
        last = &all[i];
    }
    memory_free(all);
}

static int compare_offsets(const void *a, const void *b)
{
    const struct fact_statement *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* The list moves into the arena. */
static uint32_t *keep_indices(struct arena *arena, uint32_t *indices, size_t count)
{
    uint32_t *kept = ARENA_ARRAY(arena, uint32_t, count + 1);
    if (count)
        memcpy(kept, indices, count * sizeof *kept);
    memory_free(indices);
    return kept;
}

void body_finish(struct unit *unit, struct body *body)
{
    struct arena *arena = &unit->facts->arena;
    struct fact_function *function = &unit->facts->functions[body->function];
    finish_calls(arena, body, function);
    function->marks = body->marks;
    function->indirect_calls = body->indirect;
    function->unbounded = body->unbounded;
    function->callees = keep_indices(arena, body->callees, body->callee_count);
    function->callee_count = (uint32_t)body->callee_count;
    function->references = keep_indices(arena, body->references, body->reference_count);
    function->reference_count = (uint32_t)body->reference_count;
    function->virtuals = keep_indices(arena, body->virtuals, body->virtual_count);
    function->virtual_count = (uint32_t)body->virtual_count;
    function->statements = ARENA_ARRAY(arena, struct fact_statement, body->statement_count + 1);
    function->statement_count = (uint32_t)body->statement_count;
    if (body->statement_count) {
        qsort(body->statements, body->statement_count, sizeof *body->statements, compare_offsets);
        memcpy(function->statements, body->statements,
               body->statement_count * sizeof *body->statements);
    }
    memory_free(body->calls);
    memory_free(body->nodes);
    memory_free(body->statements);
    if (crowd_is_large(&body->crowd))
        VEC_PUSH(unit->crowds, unit->crowd_count, unit->crowd_capacity) = body->crowd;
    else
        crowd_release(&body->crowd);
    unevaluated_release(&body->unevaluated);
}
