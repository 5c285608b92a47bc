/* trace_file.h - this process's trace file, $VPROF_TRACE_DIR/<pid>.vtr.
 *
 *   | header | chunk of thread 1 | chunk of thread 2 | maps | chunk of thread 1 | ...
 *
 * Space is handed out by an atomic end offset and has blocks on the disk before anyone maps it: a
 * store into a mapped page without a block is a SIGBUS, and that would kill the program.
 *
 * The descriptor may be closed by the program at any time (daemons close all they find), and its
 * number given to another file; so it is checked before each use and the file opened again by name.
 *
 * Threads may make all calls at once, but create and forked. errno is not kept. No locks.
 */
#ifndef RUNTIME_TRACE_FILE_H
#define RUNTIME_TRACE_FILE_H

#include <stdbool.h>

#include "trace/trace_format.h"

/* The environment says where the file goes and how large it may become. False: no tracing is
 * wanted. */
bool trace_file_configure(void);
const char *trace_file_directory(void);

/* Timed calls cost this in the process (probe_cost.h). */
struct probe_cost {
    uint32_t calls; /* that took this together; 0: it could not be measured */
    uint32_t ticks;
};

/* The cost is written into the header of this process's file and of its children's. */
void trace_file_probe_cost(struct probe_cost cost);

/* A thread took so long to write out a full window of that many bytes. */
void trace_file_wrote_out(uint64_t bytes, uint64_t ticks);

/* The file is created. False: it can't be; counts then go nowhere. */
bool trace_file_create(void);

/* The child of a fork creates a file of its own. Where that can't be, its records are counted as
 * lost in the parent's header, and nothing else is written there. */
void trace_file_forked(void);

/* A range of the file, with blocks, is handed out: its offset, or 0 where there is no room. *fd is
 * open on it. */
uint64_t trace_file_reserve(uint64_t size, int *fd);

/* Zeros are written into a range that was reserved. The file system makes its pages for a write in
 * one go, at less than half of what faults into a mapping cost it. Where that fails, they fault. */
void trace_file_fill(uint64_t offset, uint64_t size);

/* A chunk that is used again may be so large, by its thread's number: the first threads' are as
 * large as pays, as long as theirs together take a small part of what the file may have. */
#define TRACE_FILE_WINDOW_MAX_BYTES (UINT64_C(256) << 10)
uint64_t trace_file_window(uint32_t thread);

/* A copy of a chunk, with this kind instead of its own, goes to a range whose offset is returned.
 * 0: there is no room; the file then has at most a SPARE one. */
uint64_t trace_file_add(const struct trace_chunk *chunk, uint32_t kind);

/* Between these two the thread's own chunk is emptied, which is the oldest that there is, where the
 * newest records are kept. False: it must stay as it is. */
struct extent;
bool trace_file_give_up(const struct extent *chunk);
void trace_file_gave_up(void);

/* A file of this process may have that many bytes. */
bool trace_file_may_grow_to(uint64_t size);

/* Chunks are multiples of this: the larger of TRACE_PAGE and the machine's page. */
uint64_t trace_file_page(void);

/* The pointer is never NULL. */
extern struct trace_file_header *trace_file_head;

static inline void trace_file_lost(uint64_t records)
{
    __atomic_fetch_add(&trace_file_head->lost_records, records, __ATOMIC_RELAXED);
}

/* The process's code is as that generation of the switches says, since this time. */
void trace_file_switched(uint32_t generation, uint64_t since_ns);
void trace_file_count_tables(unsigned tables);
uint32_t trace_file_next_thread(void);

/* calibration[1] is brought up to date. */
void trace_file_calibrate(void);

/* The process ends by itself. */
void trace_file_end(void);

#endif
