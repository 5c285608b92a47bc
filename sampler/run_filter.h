/* run_filter.h - of all that happens on the machine, writes what the run has to do with.
 *
 * Kept are: switches from and to a thread of the run; its wakings; while one of them waits for a
 * processor, all switches, and who had the processors when that began; what made those come that
 * woke one of them, as far back as it slept (HELD_NS at most); all block requests, with whom they are of (request_memory.h). Where what
 * follows on a processor is not kept, a switch to TRACE_TID_UNKNOWN ends what is; and behind what was
 * missed there is always a switch, if only from and to TRACE_TID_UNKNOWN: it is over.
 * What a process that this one makes does before its program begins (exec) is not the run's.
 * A switch that the kernel did not tell is made up from its second word, else it is counted as missed.
 * Each thread and device that a record names is told by a TRACE_WHO before it.
 */
#ifndef SAMPLER_RUN_FILTER_H
#define SAMPLER_RUN_FILTER_H

#include "sampler/cause_memory.h"
#include "sampler/held_records.h"
#include "sampler/kernel_event.h"
#include "sampler/process_titles.h"
#include "sampler/recorder_file.h"
#include "sampler/request_memory.h"
#include "sampler/task_table.h"
#include "sampler/watch_list.h"

struct filter_processor {
    uint64_t latest; /* its latest switch's number, or 0 */
    uint32_t has;    /* who has it */
    bool has_known;
    uint32_t confirmed;        /* switches since one was not told but by its second word */
    uint32_t sure;             /* so many are enough to go on without; 0: as at first */
    uint64_t lost;             /* that records of it told */
    bool open;                 /* the file's last switch of it says who has it now */
    bool gap;                  /* records are missing behind the file's last switch of it */
    struct kernel_event cause; /* the latest: of the waking that comes next */
    uint64_t soft, hard;       /* wakings in interrupts */
};

struct run_filter {
    struct recorder_file *file; /* borrowed */
    struct task_table tasks;
    struct held_records held;
    struct filter_processor *processors;
    struct hash_map devices; /* 1: told */
    struct hash_map disks;   /* of devices: 1 + the disk that one is a part of, or itself */
    struct cause_memory causes;
    struct request_memory requests;
    struct process_titles titles;
    uint64_t untold;         /* switches that only their second words told */
    uint64_t paused_ns;      /* nothing of what was later counts; 0: there is no pause */
    uint64_t resumed_ns;     /* nor what was before that, and comes late */
    uint64_t taken;          /* events; those that were lost took their time, too */
    struct watch_list *list; /* is told of the run's processes, and who waits long; or NULL */
};

void run_filter_init(struct run_filter *filter, struct recorder_file *file);
void run_filter_watch(struct run_filter *filter, pid_t pid);
/* In order of time. */
void run_filter_take(struct run_filter *filter, const struct kernel_event *event);
/* The processor's switches are better told twice. */
bool run_filter_doubts(const struct run_filter *filter, uint32_t processor);
/* Recording pauses from this moment, and goes on: of what happens between only births, names and
 * losses are taken. Between two events. */
void run_filter_pause(struct run_filter *filter, uint64_t now_ns);
void run_filter_resume(struct run_filter *filter, uint64_t now_ns);
/* Looks at titles that are due; `all`: before run_filter_finish. */
void run_filter_look(struct run_filter *filter, uint64_t now_ns, bool all);
/* Writes what can no longer become of interest, at this moment. */
void run_filter_write(struct run_filter *filter, uint64_t now_ns);
/* Writes the rest. */
void run_filter_finish(struct run_filter *filter);
void run_filter_release(struct run_filter *filter);

#endif
