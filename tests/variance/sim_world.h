/* sim_world.h - the state of a simulated run, and what every operation does to it.
 *
 * Time is in units of the case and only grows; a thread that does not wait spends its time on its
 * stack, and one that waits is told to the book and the trace when its wait is over. Used by
 * sim_machine.c and sim_sync.c only. Nothing is owned but the logs.
 */
#ifndef TESTS_SIM_WORLD_H
#define TESTS_SIM_WORLD_H

#include "sim_machine.h"
#include "sim_trace.h"

enum { THREADS = SIM_THREADS + SIM_PROCESSES, IDS = 8, TASKS = 6, NOBODY = -1, NEVER = -1 };
enum {
    RECORD_FUNCTION = 0x04,
    RECORD_LONG = 0x09,
    RECORD_CALL = 0x0d,
    RECORD_PART = 0x12,
    RECORD_MARK = 0x21,
    RECORD_NAME = 0x27
};
enum { RECORD_BLOCK = 0x41, RECORD_RELEASE = 0x45, RECORD_TASK = 0x61, RECORD_THREAD = 0x65 };
enum { OP_MUTEX = 1, OP_COND, OP_READ_LOCK, OP_WRITE_LOCK, OP_SEMAPHORE, OP_BARRIER, OP_JOIN };
enum { OP_USER = 8, OP_SPIN, OP_CHANNEL, OP_ROOM, OP_FUTEX = 13 };

enum object_class { LOCK, RWLOCK, SEMAPHORE, CONDITION, BARRIER, TASK, OBJECT_CLASSES };
enum {
    LOCKS = 6,
    RECURSIVE = 2,
    NESTED = 5,
    RWLOCKS = 2,
    SEMAPHORES = 6,
    OUTSIDE = 1,
    ROOM = 4,
    FUTEX = 5
};
enum { CONDITIONS = 2, READERS_FIRST = 1 };
enum { BARRIERS = 2, MOST_OBJECTS = 8 };

struct release {
    int thread, time, site;
};

struct object {
    int owner;
    unsigned readers;   /* a bit for each thread */
    int count, waiters; /* waiters: those that the runtime would count */
    int depth;          /* how often its owner has it */
    int queue[THREADS], queued;
    struct release last[2]; /* recorded ones; [1]: the latest by another thread than [0]'s */
    int last_release, last_block, last_return, last_end, last_give; /* times, to keep them apart */
};

struct frame {
    const char *name;
    bool call, hidden;
    uint32_t probe;
    int start; /* of the part that is open */
    int began;
};

/* The calls that are open on a stack that no thread is on. */
struct calls {
    struct frame frames[BOOK_DEPTH];
    int depth;
    bool taken; /* some thread is on it */
};

struct wait {
    enum sim_code code;
    struct object *object, *mutex;
    uint64_t address;
    unsigned operation;
    int start, time, site;
    bool span;            /* the call is timed */
    bool again;           /* for the same condition as just before */
    struct release ended; /* by whom, where this is not the latest release */
    int target;           /* of a join */
};

enum state { IDLE, RUNS, BLOCKED, DONE };

struct thread {
    int index, process, now, next_op, retry;
    enum state state;
    struct frame frames[BOOK_DEPTH];
    int depth, stack;
    struct calls own; /* its first stack, while it is on another one */
    int on;           /* which, or NOBODY: on its own */
    int interval, last_label, last_pickup, last_return;
    int last_piece, marked; /* of sim_hold.c, + 1; 0: none */
    bool awaits;            /* until the condition's count is another than `epoch` */
    int epoch, await_op;
    struct wait wait;
    struct sim_log log;
    bool logged;
};

struct enqueued {
    int task, thread, time, site;
    bool taken;
};

/* Kept where the kernel's side is asked for. */
struct spent {
    int thread, from, to;
};

struct machine {
    const struct sim_case *c;
    struct book *book;
    struct thread threads[THREADS];
    struct object objects[SIM_PROCESSES + 1][OBJECT_CLASSES][MOST_OBJECTS];
    struct calls stacks[SIM_PROCESSES][SIM_STACKS];
    int open[SIM_PROCESSES][IDS];
    int mark_time[SIM_PROCESSES], mark_thread[SIM_PROCESSES], last_begin, last_task[TASKS];
    struct enqueued enqueued[SIM_OPS];
    int enqueued_count, naps;
    struct held *held; /* of sim_hold.c, as the pieces */
    size_t held_count, held_capacity;
    struct piece *pieces;
    size_t piece_count, piece_capacity;
    struct spent *spent; /* one for each call of sim_spend */
    size_t spent_count, spent_capacity;
};

static const struct release nobody = {NOBODY, NEVER, 0};

/* As they lie in a trace. */
uint64_t sim_clock_base(const struct machine *m, int process);
uint64_t sim_ticks(const struct machine *m, const struct thread *t, int time);
uint64_t sim_shared_base(const struct machine *m, int process);
uint64_t sim_address_of(const struct machine *m, int process, enum object_class class, int index);

struct object *sim_object_of(struct machine *m, int process, enum object_class class, int index);

/* As in sim_log_add. */
void sim_emit(struct machine *m, struct thread *t, unsigned kind, int time, const uint64_t *words);
void sim_emit_release(struct machine *m, struct thread *t, uint64_t address, unsigned operation,
                      int site, unsigned mode);
uint64_t sim_probe_at(int site, int first);

void sim_spend(struct machine *m, struct thread *t, int time);
void sim_pop(struct machine *m, struct thread *t);
/* To a stack of the process, or its own; `what` as in SIM_STACK. */
void sim_change_stack(struct machine *m, struct thread *t, int what);
void sim_call(struct machine *m, struct thread *t, int what); /* what: 0 .. SIM_CALLS - 1 */

void sim_note_release(struct object *o, const struct thread *t, int site);
/* The latest recorded release by another thread, if it was not before `since`. */
struct release sim_last_by_other(const struct object *o, const struct thread *t, int since);
/* The thread was blocked in [from, to) by who ended that; with holders see sim_tell. */
void sim_fill_block(struct machine *m, struct thread *t, int from, int to, unsigned operation,
                    int site, struct release ended, bool explained);
void sim_emit_block(struct machine *m, struct thread *t, int from, uint64_t address,
                    unsigned operation, int site);

/* A thread that waits has a place in the object's queue, if there is an object. */
void sim_begin_wait(struct machine *m, struct thread *t, const struct sim_op *op,
                    struct object *object, uint64_t address, unsigned operation);
void sim_leave_queue(struct object *o, const struct thread *t);
void sim_end_wait(struct machine *m, struct thread *t);
/* Later than all that ended before at this object: who was woken first returns first. */
void sim_wake_in_turn(struct machine *m, struct object *o, const struct thread *by, int site);
bool sim_is_recorded(const struct machine *m, const struct object *o);
/* Another release or wait at this moment: it could not be told which came first. */
bool sim_is_too_near(const struct object *o, const struct thread *t);

#endif
