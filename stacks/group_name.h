/* group_name.h - how a group of threads is called: "server", "worker-# of server x 8", "threads of server x 4".
 */
#ifndef STACKS_GROUP_NAME_H
#define STACKS_GROUP_NAME_H

#include "stacks/thread_group.h"

/* The caller frees it (base/memory.h). */
char *group_name(const struct thread_group *group);

#endif
