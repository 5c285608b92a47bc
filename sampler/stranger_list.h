/* stranger_list.h - threads of other programs whose stacks were copied in vain, so that they are not any more.
 *
 *     struct stranger_list strangers = {0};
 *     stranger_list_note(&strangers, pid, tid);             each time
 *     if (stranger_list_follow(&strangers, run, now_ns))    now and then; true: it has changed
 *         stranger_list_append(&strangers, &filter);        " && common_pid != 12 && common_pid != 13"
 *     stranger_list_release(&strangers);
 *
 * An event of a processor comes for whoever has it: clients of a server, say, wait as often as the server does. Who
 * came often is listed. The list begins anew where one of them turns out to be of the run, which is told of its
 * processes later than they come, and after some seconds: a thread of the run may have the number of one that ended.
 * One thread at a time.
 */
#ifndef SAMPLER_STRANGER_LIST_H
#define SAMPLER_STRANGER_LIST_H

#include "base/hash_map.h"
#include "base/str.h"
#include "sampler/watch_list.h"

enum { STRANGERS_MOST = 24 }; /* each makes a switch slower by a comparison */

struct stranger_list {
    uint32_t pids[STRANGERS_MOST], tids[STRANGERS_MOST];
    uint32_t count, told; /* of them, those of the latest follow */
    struct hash_map seen; /* how often since the list began, by tid */
    uint64_t began_ns;
};

void stranger_list_note(struct stranger_list *list, uint32_t pid, uint32_t tid);
bool stranger_list_follow(struct stranger_list *list, struct watch_list *run, uint64_t now_ns);
/* What a filter of a tracepoint says, behind another condition. */
void stranger_list_append(const struct stranger_list *list, struct str *filter);
void stranger_list_release(struct stranger_list *list);

#endif
