/* sim_book.h - what the threads of a simulated run did, and the story of each interval.
 *
 *     time       0   1   2   3   4   5        a cell for each thread and unit of time: its stack,
 *     thread 0   f   f   f/g [blocked]        and the block it was in
 *     thread 1   .   .   h   h   h   .
 *
 * A story is what the critical path of an interval is known to be: it grows while the run goes on.
 * A thread that takes a task goes on with the story of the one who made it; a thread that comes
 * back goes on with its own. At the end of the interval its thread's story is the answer. Nothing
 * here looks backwards from the end, and nothing is shared with the analysis.
 */
#ifndef TESTS_SIM_BOOK_H
#define TESTS_SIM_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

enum { BOOK_DEPTH = 12, BOOK_THREADS = 24, BOOK_PROCESSORS = 16, BOOK_OPEN = INT32_MAX };

struct book_stack {
    int depth;
    const char *names[BOOK_DEPTH];
};

/* Why a thread did not run. */
struct book_block {
    const char *call;
    const char *holder; /* the function that holds the call, or NULL */
    int waker;          /* thread, or -1 */
    int woken;          /* time */
    bool explained;   /* wrappers know who ended the whole wait, though not who held up this part */
    const char *idle; /* what stands for a waker without a span */
};

struct book_cell {
    int stack, block; /* block 0: it ran */
};

struct book_pickup {
    int time, creator, creation; /* creator -1: not known */
    const char *name;
};

struct story; /* newest part first */

struct book_segment {
    int thread, interval, begin, end;
    int from; /* the segment's own part of the story begins here */
    const struct story *before;
};

struct book_interval {
    const char *type; /* or "" */
    int begin, end;   /* end -1: incomplete */
    const struct story *story;
};

struct book_thread {
    struct book_cell *cells;
    size_t count, capacity;
    int interval; /* or -1 */
    int segment;  /* the open one, or -1 */
    int previous; /* the last one that ended and had an extent, or -1 */
    struct book_pickup pickup;
    int first;         /* its first record, or BOOK_OPEN */
    const char *start; /* what stands for it where no timed function does */
};

/* The thread had no processor: blocked in [out, woken), runnable in [woken, in). */
struct book_off {
    int out, woken, in;
    int waker;        /* thread, or -1: then it was `leaf` */
    const char *leaf; /* as it reads in the rows */
    int processor;    /* that it came back to */
    bool preempted;
};

/* What is known of the kernel's side. */
struct book_kernel {
    struct book_off *offs[BOOK_THREADS]; /* in order of time */
    int off_count[BOOK_THREADS];
    const char **had; /* by processor and time, `length` each: who; "": nobody; NULL: not known */
    int length;
};

struct book {
    struct arena arena;
    struct book_thread threads[BOOK_THREADS];
    struct book_stack *stacks;
    size_t stack_count, stack_capacity;
    struct book_block *blocks;
    size_t block_count, block_capacity;
    struct book_segment *segments;
    size_t segment_count, segment_capacity;
    struct book_interval *intervals;
    size_t interval_count, interval_capacity;
    struct book_kernel *kernel; /* or NULL */
    int early;                  /* wakings before the thread went */
    int unseen;                 /* times off the processor that were lost */
    int across;                 /* waits that were ended by another process */
    int convoys;                /* waits for three that held it one after the other */
    int in_vain;                /* waits whose wake was false */
    int nested;                 /* stretches in which the waker's waker was blocked, too */
    int resumed;                /* calls that went on after their thread was on another stack */
};

void book_init(struct book *book);
void book_release(struct book *book);

int book_stack(struct book *book, const struct book_stack *stack);
int book_block(struct book *book, struct book_block block);
/* Cells are filled in order of time; those that were left out are an empty stack. What is told
 * again keeps its stack. */
void book_fill(struct book *book, int thread, int from, int to, int stack, int block);

int book_begin(struct book *book, int time, const char *type);
void book_end(struct book *book, int interval, int thread, int time);
void book_pickup(struct book *book, int thread, struct book_pickup pickup);
/* From now on the thread works for `interval`, or for none (-1). */
void book_label(struct book *book, int thread, int time, int interval);

/* "interval 0: . 30; serve 50\n" for each that is complete; a unit of time is `scale` ns. */
void book_rows(struct book *book, int64_t scale, struct str *text);

#endif
