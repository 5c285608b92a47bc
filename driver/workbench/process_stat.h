/* process_stat.h - what the system's table says of a process: /proc/PID/stat.
 */
#ifndef DRIVER_WORKBENCH_PROCESS_STAT_H
#define DRIVER_WORKBENCH_PROCESS_STAT_H

#include <stdbool.h>
#include <sys/types.h>

struct process_stat {
    char name[32], state; /* cut to fit; 'Z': it has ended, and its parent has not asked for it */
    pid_t parent, session;
};

/* False: there is none, or it ended meanwhile. */
bool process_stat_read(pid_t pid, struct process_stat *stat);

#endif
