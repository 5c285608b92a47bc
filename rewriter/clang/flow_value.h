/* flow_value.h - which nodes of the flow an expression's value comes from.
 *
 *     a->b            the member b, unchanged; and something made of a
 *     cond ? x : y    both;   x + 1: something made of x
 *
 * What stands in the expression is noted on the way: calls, assignments, lambdas.
 */
#ifndef REWRITER_CLANG_FLOW_VALUE_H
#define REWRITER_CLANG_FLOW_VALUE_H

#include <clang-c/Index.h>

#include "rewriter/facts_source.h"
#include "rewriter/flow.h"

/* This is one compilation while its flow is read. */
struct flow_reader {
    struct flow *flow;
    const struct facts_source *source;
    CXTranslationUnit clang;
    const char *directory;
    struct hash_map file_of; /* CXFile -> number of the path + 2; 1: not in the tree */
    struct intern paths;
    struct hash_map own; /* function -> this unit's one of that name + 1, where another program of
                            the tree has one, too: main */
    uint32_t function;   /* whose body is read; FLOW_NONE: outside of any */
    uint32_t object;     /* `this`, or FLOW_NONE */
    uint32_t loop, block, arm;
    uint32_t statement;
    bool leaves;    /* the statement may leave its block */
    bool placed;    /* it stands in a block of braces */
    bool switches;  /* a break leaves a switch, not the loop */
    bool once;      /* nor does a continue leave its turn: do { ... } while (0) */
    bool ends;      /* what follows the statement is not gone on to from it */
    uint32_t cases; /* the choice whose cases stand in the block that comes next, or FLOW_NONE */
    uint32_t rest;  /* the choice of an if that left out what follows, or FLOW_NONE */
    bool through;   /* what is assigned goes to where a pointer leads */
};

/* An item is a node, twice, and 1 where its value is unchanged. More than this is left out. */
enum { FLOW_MOST_VALUES = 16 };
struct flow_values {
    uint32_t items[FLOW_MOST_VALUES];
    uint32_t count;
};

struct flow_values flow_value_of(struct flow_reader *reader, CXCursor expression);
void flow_values_add(struct flow_values *values, uint32_t node, bool copy);
void flow_values_join(struct flow_values *values, const struct flow_values *more, bool copy);
void flow_values_assign(struct flow_reader *reader, const struct flow_values *to,
                        const struct flow_values *from, uint32_t line);

void flow_values_alias(struct flow_reader *reader, const struct flow_values *to,
                       const struct flow_values *from, CXCursor value);

/* Children of a node, in order; released by memory_free(items). */
struct flow_children {
    CXCursor *items;
    uint32_t count, capacity;
};
struct flow_children flow_children_of(CXCursor cursor);

uint32_t flow_line_of(CXCursor cursor);
uint32_t flow_variable(struct flow_reader *reader, CXCursor declaration);
uint32_t flow_function_of(struct flow_reader *reader, CXCursor function);
uint32_t flow_function_again(struct flow_reader *reader, uint32_t function, const char *file);

/* Before and after each statement of a block: the arm that it stands in. */
struct flow_block_arms {
    uint32_t base;  /* around the block */
    uint32_t cases; /* FLOW_NONE: the block is no switch's */
    bool ended;
};
struct flow_block_arms flow_arms_begin(struct flow_reader *reader);
void flow_arms_before(struct flow_reader *reader, struct flow_block_arms *arms, CXCursor statement);
void flow_arms_after(struct flow_reader *reader, struct flow_block_arms *arms);
void flow_arms_end(struct flow_reader *reader, const struct flow_block_arms *arms);

/* These are in flow_call.c, flow_arm.c and flow_read.c. */
struct flow_values flow_call_value(struct flow_reader *reader, CXCursor call);
void flow_read_statement(struct flow_reader *reader, CXCursor statement);
void flow_read_if(struct flow_reader *reader, CXCursor statement);
void flow_read_function(struct flow_reader *reader, CXCursor function);
void flow_read_variable(struct flow_reader *reader, CXCursor declaration);

#endif
