/* request_search.h - what the parts of the search for requests share; for request_*.c only.
 *
 *     request_reach.c     what calls what, where threads and events begin
 *     request_source.c    what receives from clients, and what sends to them
 *     request_place.c     which lines or calls of a function are a request, and where it was queued
 *     request_task.c      what a loop takes out of a queue, where there is no client
 *     request_doubt.c     why the likeliest may be none
 *     request_path.c      the way up from each source, and the likeliest
 */
#ifndef DRIVER_INIT_REQUEST_SEARCH_H
#define DRIVER_INIT_REQUEST_SEARCH_H

#include "driver/init/flow_graph.h"
#include "driver/init/request.h"

enum { MOST_DEPTH = 8, NEAR = 6 };

/* The search knows of each function whether an answer is reached from it. */
struct search {
    struct flow_graph *graph;
    const struct flow *flow;
    struct request_paths *paths;
    bool *answers;      /* by function */
    bool *receives;     /* by function, of whomever */
    bool *sends;        /* by call: it is a sink */
    bool *waits;        /* by function: an event loop */
    bool *called_back;  /* by function */
    bool *threads;      /* by function: a thread starts there */
    bool *pauses;       /* by function: it waits for another thread */
    uint32_t *sizes;    /* by function: reached functions + 1; 0: not known yet */
    uint32_t *depths;   /* by function: calls from where a thread, or an event, begins */
    uint32_t *programs; /* by function: which of the tree's programs get there, a bit each */
    uint32_t *visited;  /* by function: the search that came by last */
    uint32_t turn;
    uint32_t *climbed; /* by call, likewise */
    uint32_t climb_turn, climbed_levels;
    uint32_t pointers; /* of the calls on the way up */
    uint32_t program_count;
    uint32_t accepting;   /* which programs take connections, a bit each */
    bool typed;           /* it takes none: its client is who types, and reads what it prints */
    bool datagram, mixed; /* the descriptor may be no client's, too */
    enum request_source source;
    uint32_t source_call;
    bool strong; /* the source is surely a client's */
    bool apart;  /* what answers is in another branch than what receives */
    bool events; /* on the way up, what is called by a pointer receives, or does something else */
    bool alone;  /* its descriptor is a global: there is one client at a time */
};

/* request_reach.c */
bool request_edge_is_cut(const struct search *search, uint32_t function);
uint32_t request_count_reached(struct search *search, uint32_t function);
bool request_call_answers(const struct search *search, uint32_t call);
unsigned request_call_marks(const struct search *search, uint32_t call);
void request_spread_up(struct search *search, bool *reached, struct id_list *todo);
bool request_reaches(struct search *search, uint32_t from, uint32_t to);
bool request_reaches_near(struct search *search, uint32_t from, uint32_t to);
bool request_runs_in_thread(struct search *search, uint32_t function);
uint32_t request_thread_of(struct search *search, uint32_t function);
bool request_serves_many(const struct search *search, uint32_t call);
void request_note_events(struct search *search, uint32_t call, bool always, unsigned depth);
bool request_is_event_context(struct search *search, uint32_t function, unsigned depth);
void request_find_depths(struct search *search);
void request_find_programs(struct search *search);
bool request_takes_connections(const struct search *search, uint32_t function);

/* request_source.c */
bool request_is_other(unsigned marks);
unsigned request_descriptor_marks(const struct search *search, uint32_t call,
                                  const struct library_role *role);
void request_find_answering(struct search *search);
void request_find_receiving(struct search *search);
bool request_is_for_events(const struct search *search, uint32_t call);
bool request_only_looks(const struct search *search, uint32_t call);
bool request_reads_other(const struct search *search, uint32_t call,
                         const struct library_role *role);
void request_mark_sockets(struct flow_graph *graph);
void request_mark_sources(struct flow_graph *graph);
void request_mark_received(struct search *search);
bool request_is_for_typing(struct flow_graph *graph);
bool request_is_typed(const struct search *search, uint32_t call, const struct library_role *role);
void request_note_roots(struct search *search);

/* request_place.c */
uint32_t request_common_loop(const struct flow *flow, uint32_t a, uint32_t b);
unsigned request_find_answers(struct search *search, uint32_t function, uint32_t via,
                              struct id_list *looped, struct id_list *after);
uint32_t request_find_handler(struct search *search, uint32_t via, uint32_t loop,
                              const struct id_list *answers);
void request_mark_call(struct request_path *path, uint32_t function);
bool request_mark_turn(struct search *search, struct request_path *path, uint32_t function,
                       uint32_t via, const struct id_list *answers);
void request_extend_to_queue(struct search *search, struct request_path *path);

/* request_task.c */
void request_search_tasks(struct search *search);

/* request_doubt.c */
void request_judge(struct search *search);

/* request_path.c */
const char *request_call_name(const struct search *search, uint32_t call);
void request_weigh(const struct search *search, struct request_path *path, unsigned strength);
void request_add_path(struct search *search, struct request_path *path);
void request_add_reason(struct search *search, struct request_path *path, const char *reason);

#endif
