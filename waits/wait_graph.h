/* wait_graph.h - groups of threads, and what is no thread, with how much each waits for which.
 *
 *     worker x 4 --- 61 % (58 .. 64) ---> log-writer --- 48 % ---> vda
 *
 * Threads of one process and one name are a group, but for the one that it begins with; where their start
 * functions are known, those that have one function, and one name but for the numbers in it; the kernel's workers
 * by their pools, and processes of one name by what they say, or do (task_name.h). Those that surely
 * differ in what they wait for are parts (alike.h). An edge's share is the part of the time that was recorded
 * which a member of the waiting group spent in that wait, on average: the raw one is 1 at the most; the cascaded
 * one, with all who waited behind it, may be more. Its interval is that of a block jackknife over windows of time
 * (stats/jackknife.h).
 */
#ifndef WAITS_WAIT_GRAPH_H
#define WAITS_WAIT_GRAPH_H

#include "trace/task_naming.h"
#include "waits/device_idle.h"

struct wait_group {
    const char *process, *name; /* borrowed; process: "" for what is no thread */
    enum vertex_kind kind;
    bool main;          /* the thread that a process begins with, which is a group by itself */
    bool of_run;        /* not of another program, nor the kernel's */
    bool client;        /* the network, or another program's that is not the kernel's (arrival.h) */
    uint32_t members;   /* a virtual thread (short_lived.h) is one */
    uint32_t threads;   /* and these are all */
    uint32_t part;      /* of those that differ; 0: the first, or all */
    bool parted;        /* there are others */
    time_ns blamed;     /* others were behind it so long, however far */
    double blamed_part; /* of what all threads of the run could have waited */
    time_ns within;     /* its members waited so long for each other */
    time_ns unfinished; /* and so long for what had not come when the recording ended */
};

#define NO_GROUP UINT32_MAX

/* An estimate and its 95 % interval. */
struct wait_share {
    double value, ci95[2];
};

struct wait_edge {
    uint32_t from, to; /* groups */
    uint64_t count;
    time_ns longest;
    uint32_t lengths[CASCADE_LENGTHS];
    time_ns raw[CASCADE_WINDOWS], cascaded[CASCADE_WINDOWS], leaf[CASCADE_WINDOWS];
    struct wait_share raw_share, cascaded_share, leaf_share;
};

struct wait_graph {
    struct wait_group *groups;
    uint32_t group_count;
    uint32_t *group_of;        /* by vertex */
    struct task_naming naming; /* of groups whose members have several names */
    struct wait_edge *edges;   /* the largest raw share first; none within a group */
    uint32_t edge_count;
    uint32_t run_members; /* all threads of the run */
};

void wait_graph_fill(struct wait_graph *graph, const struct cascade *cascade,
                     const struct wait_list *waits, const struct device_idle *idle);
/* The part of the recorded time in which one member of a group waited for another, on average. */
double wait_graph_within(const struct wait_graph *graph, uint32_t group, time_ns recorded);
/* Of times in the cascade's windows: per member, with its interval. */
struct wait_share wait_share_of(const time_ns *waited, const struct cascade *cascade,
                                uint32_t members);
struct wait_share wait_share_of_parts(const double *parts, const struct cascade *cascade,
                                      uint32_t members);
/* What that is made of: the share, and without each window; gives how many windows there are. */
uint32_t wait_share_left_out(const time_ns *waited, const struct cascade *cascade, uint32_t members,
                             double *value, double *left_out);
void wait_graph_release(struct wait_graph *graph);

#endif
