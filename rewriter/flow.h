/* flow.h - where values go in the program: variables, members and results, and what is copied from
 * one to another.
 *
 *     int n = recv(c->fd, buffer, size);      answer(c, buffer);
 *
 *     nodes    n, c, c.fd (the member, of whatever c), buffer, the call's result
 *     edges    the result -> n;  c -> answer's first parameter, buffer -> its second
 *     calls    recv (no body), with the nodes of each argument; answer, in order of the text
 *
 * A member is one node for the whole program, so that what one thread puts into a queue and another
 * takes out of it is connected. No order of statements and no aliases are known: an edge says that a
 * value may get there. Functions with a body are those of the tree that were compiled. Texts are
 * owned by the arena.
 */
#ifndef REWRITER_FLOW_H
#define REWRITER_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/hash_map.h"

#define FLOW_NONE UINT32_MAX

enum flow_kind {
    FLOW_LOCAL,
    FLOW_PARAMETER,
    FLOW_GLOBAL,
    FLOW_MEMBER,
    FLOW_FUNCTION, /* the address of one */
    FLOW_RETURN,   /* what a function returns */
    FLOW_RESULT    /* what one call gave */
};

struct flow_node {
    enum flow_kind kind;
    uint32_t function; /* whose it is; of FLOW_FUNCTION: which; else FLOW_NONE */
    uint32_t number;   /* of a parameter, from 0; of a result: the call */
    const char *name;
    const char *type;   /* as the compiler sees it: "int", "struct job *" */
    const char *record; /* of a member: the type that it is a member of */
    bool scalar;        /* a number or a pointer */
};

struct flow_edge {
    uint32_t from, to;
    uint32_t line, function; /* where it is copied */
    bool copy;               /* unchanged; else `to` is made of it, or holds it */
    bool through;            /* it goes to what `to` points to */
};

/* A list is a run of the flow's `items`. */
struct flow_list {
    uint32_t first, count;
};

struct flow_call {
    uint32_t function;        /* that it stands in */
    uint32_t callee;          /* FLOW_NONE: through a pointer */
    struct flow_list pointer; /* the nodes of what is called, where there is no callee */
    uint32_t line;
    uint32_t statement;        /* line on which the statement around it begins; 0: not in a block */
    uint32_t loop, block, arm; /* the innermost, or FLOW_NONE */
    struct flow_list arguments; /* each two items: a list's first and count. Of a member function
                                   the object is the first */
    uint32_t result;            /* node */
    bool constant_first;        /* its first argument is a number in the text: write(2, ...) */
    const char *const *texts;   /* of its arguments, where a library is called; "" where too long */
};

/* A step is a statement that stands directly in a block. */
struct flow_step {
    uint32_t line;
    uint32_t first_call, call_end; /* those in it */
    bool leaves;                   /* it may break, continue, return or jump */
};

/* Where a loop's turn, or the function, is left before its end. */
enum flow_way { FLOW_BREAK, FLOW_CONTINUE, FLOW_GOTO, FLOW_LEAVES };
struct flow_leave {
    enum flow_way way; /* FLOW_LEAVES: the function */
    uint32_t function, loop;
    uint32_t line, target; /* of a goto: the label's line */
    bool placed;           /* it stands in a block of braces */
};

struct flow_block {
    uint32_t function, parent, loop;
    uint32_t line, end_line; /* of its closing brace */
    uint32_t first_call, call_end;
    struct flow_step *steps;
    uint32_t step_count, step_capacity;
};

struct flow_loop {
    uint32_t function, parent;
    uint32_t line;
    uint32_t first_call, call_end;
};

/* An arm is one way of a choice: of an if, what is done where it holds or where not; of a switch,
 * cases that do not fall into others. Of two arms of one choice only one is gone. */
struct flow_arm {
    uint32_t parent, choice, number;
    uint32_t loop; /* around the choice */
    bool rest;     /* what follows an if that leaves its block */
};

struct flow_function {
    const char *name; /* "handle", "Pool::run" */
    const char *file; /* below the tree; "": no body in it */
    uint32_t line, end_line;
    uint32_t node;
    uint32_t result;      /* FLOW_RETURN */
    uint32_t *parameters; /* nodes; of a member function the object is the first */
    uint32_t parameter_count;
    uint32_t first_call, call_end;
    bool body, method, lambda, local, variadic;
    bool marks; /* it calls what SI_BEGIN makes */
};

struct flow {
    struct arena arena;
    struct intern keys; /* of nodes */
    struct flow_node *nodes;
    uint32_t node_count, node_capacity;
    struct flow_function *functions;
    uint32_t function_count, function_capacity;
    struct hash_map function_of; /* node -> function + 1 */
    struct flow_edge *edges;
    uint32_t edge_count, edge_capacity;
    struct flow_call *calls;
    uint32_t call_count, call_capacity;
    struct flow_loop *loops;
    uint32_t loop_count, loop_capacity;
    struct flow_leave *leaves;
    uint32_t leave_count, leave_capacity;
    struct flow_block *blocks;
    uint32_t block_count, block_capacity;
    struct flow_arm *arms;
    uint32_t arm_count, arm_capacity, choice_count;
    uint32_t *items;
    uint32_t item_count, item_capacity;
    uint32_t unit_count, failed_count; /* compilations that were read; with errors */
};

uint32_t flow_add_node(struct flow *flow, const char *key, enum flow_kind kind);
uint32_t flow_add_function(struct flow *flow, const char *key);
void flow_add_edge(struct flow *flow, const struct flow_edge *edge);
void flow_release(struct flow *flow);

#endif
