/* node.h - the state of the visit at one node of a body, and what a node says by itself.
 *
 *     context   goes down: what the nodes above say about this one
 *     found     goes up: what the nodes below hold, to the calls around them
 */
#ifndef REWRITER_CLANG_NODE_H
#define REWRITER_CLANG_NODE_H

#include "rewriter/clang/body.h"
#include "rewriter/clang/unit.h"

/* The context is what the nodes above say. Temporary objects of a full expression die when it is
 * over, wherever its parts were. */
enum context {
    IN_CAPTURE = 1,
    UNEVALUATED = 2,
    OUTSIDE_BODY = 4,
    IN_CALLEE = 8,
    FULL_EXPRESSION = 16,
    IN_CONSTANT = 32,      /* the initialiser of a constexpr variable */
    DISCARDED = 64,        /* a full expression whose value nothing uses */
    IN_VALUE = 128,        /* a statement expression, whose last value is used */
    IN_NAMED_REGION = 256, /* its text may use no variable that a directive does not name */
    IN_VECTOR_LOOP = 512,
    IN_OBJECT = 1024 /* a member of it is called */
};

/* The call around a node asks whether one of these is in it. */
enum found { FOUND_CALL = 1, FOUND_TEMPORARY = 2, FOUND_LITERAL = 4, FOUND_HOOKS = 8 };

/* A body is visited node by node, and each node has such a state. */
struct node {
    struct unit *unit;
    struct body *body;
    unsigned context;
    unsigned found; /* below this node */
    CXCursor cursor;
    struct call_parts *call; /* where the node is a call */
};

/* A call's children are visited in order: first the callee, then the arguments. */
struct call_parts {
    CXCursor callee;
    bool has_callee;
    bool no_callee; /* a constructor or an operator: its children are its arguments */
    unsigned callee_found;
    int argument_count;
    int next;
    unsigned *argument_found;
};

/* A compound statement's child is noted; `up` is the state at the compound statement. */
void node_note_statement(struct node *up, CXCursor statement);

/* A block's closing brace is noted as a place after its last statement. */
void node_note_closing(struct node *block);

/* The node is a name that stands for a function or a variable. */
void node_note_reference(struct node *node);

/* Does the node make a temporary object? Then `found` says so. */
void node_note_temporary(struct node *node);

/* A variable may have a function that is called where it ends. */
void node_note_cleanup(struct node *node);

/* A loop, a jump back, new, delete or throw makes a body that may take long. */
void node_note_unbounded(struct node *node);

/* A library calls the call operators of the objects that it is given: std::sort(a, b, Less()). */
void node_note_given_objects(struct node *call, int argument_count);

#endif
