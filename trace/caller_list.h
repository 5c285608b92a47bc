/* caller_list.h - the addresses that each release and creation of a thread may have come from.
 *
 *     caller_list_begin_log(&list, process);
 *     caller_list_add(&list, record);                     a TRACE_CALLERS
 *     uint32_t stack = caller_list_find(&list, release->callers);    0: none
 *
 * Equal lists of one process are one stack, whichever threads told them.
 */
#ifndef TRACE_CALLER_LIST_H
#define TRACE_CALLER_LIST_H

#include "base/hash_map.h"
#include "trace/timeline.h"

enum { CALLER_LIST_MOST = 64 }; /* addresses of one stack */

struct caller_list {
    struct caller_stack *stacks; /* the first one is none */
    uint32_t stack_count, stack_capacity;
    struct hash_map known;     /* content -> stack */
    struct hash_map of_number; /* log and number -> stack */
    uint64_t log;              /* how many were begun */
    uint32_t process;
    uint64_t pending[CALLER_LIST_MOST];
    uint32_t pending_count;
};

void caller_list_begin_log(struct caller_list *list, uint32_t process);
void caller_list_add(struct caller_list *list, const struct trace_callers *record);
uint32_t caller_list_find(const struct caller_list *list, uint64_t number);
/* The stacks are given to the run, in its arena. */
void caller_list_finish(struct caller_list *list, struct timelines *run);
void caller_list_release(struct caller_list *list);

#endif
