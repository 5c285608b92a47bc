/* flow_graph.h - the flow, with what each call may call, and what goes into it and comes out.
 *
 *     struct flow_graph graph;
 *     flow_graph_build(&graph, &flow);
 *     flow_graph_spread(&graph, node, FLOW_ACCEPTED)      marks what the value gets to
 *
 * Function pointers are followed: through members, tables, parameters, and into what a library is
 * given to call back. The flow is borrowed, and grows by the edges that are found.
 */
#ifndef DRIVER_INIT_FLOW_GRAPH_H
#define DRIVER_INIT_FLOW_GRAPH_H

#include "driver/init/library_role.h"
#include "rewriter/flow.h"

/* A mark says where a value comes from. */
enum flow_mark {
    FLOW_ACCEPTED = 1, /* a client's connection */
    FLOW_DATAGRAM = 2, /* a socket that is bound, and neither listens nor connects */
    FLOW_OTHER = 4,    /* a file, a pipe, a connection to another server */
    FLOW_REQUEST = 8,  /* made of what was received */
    FLOW_LISTENER = 16
};

struct id_list {
    uint32_t *items, count, capacity;
};

/* Where a function is registered with a library: the call, and who is called back. */
struct flow_callback {
    uint32_t call, function;
    enum role role;
};

struct flow_graph {
    struct flow *flow;
    struct library_role *roles; /* by function without a body */
    struct id_list *targets;    /* by call: functions with a body that it may call */
    struct id_list *callers;    /* by function: calls */
    struct id_list *out, *in;   /* by node: edges */
    struct id_list *values;     /* by node: functions that a pointer may hold */
    unsigned char *marks;       /* by node: enum flow_mark */
    struct intern connections;  /* types that hold a client's connection: "struct client" */
    bool *stored;               /* by node: something is put into what it points to */
    struct flow_callback *callbacks;
    uint32_t callback_count, callback_capacity;
};

void flow_graph_build(struct flow_graph *graph, struct flow *flow);
void flow_graph_release(struct flow_graph *graph);

/* The role of what is called: ROLE_NONE for functions of the program. */
struct library_role flow_graph_role(const struct flow_graph *graph, uint32_t call);
/* The nodes of an argument, each twice, and 1 where it is unchanged; RESULT_ARGUMENT: none. */
struct flow_list flow_graph_argument(const struct flow_graph *graph, uint32_t call, int argument);
uint32_t flow_graph_argument_count(const struct flow_graph *graph, uint32_t call);
unsigned flow_graph_marks(const struct flow_graph *graph, struct flow_list list);
/* As above, but of those that are the argument itself, not something that it is made of. */
unsigned flow_graph_exact_marks(const struct flow_graph *graph, struct flow_list list);
/* Finds which types hold a client's connection, and tells whether an argument is of one. */
void flow_graph_find_connections(struct flow_graph *graph);
bool flow_graph_node_holds_connection(const struct flow_graph *graph, uint32_t node);
bool flow_graph_holds_connection(const struct flow_graph *graph, struct flow_list list);
void flow_graph_spread(struct flow_graph *graph, uint32_t node, enum flow_mark mark);

void id_list_add(struct id_list *list, uint32_t id);
bool id_list_has(const struct id_list *list, uint32_t id);

#endif
