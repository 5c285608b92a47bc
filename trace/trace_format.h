/* trace_format.h - the recorded data as it lies in a .vtr file; see docs/vprofiler-trace.5.md.
 *
 *   | file header, 4096 bytes | chunk | chunk | ... |       one file for each process
 *   chunk: | header, 64 bytes | payload |             begins on a 4096-byte boundary
 *
 * A LOG chunk holds records of one thread, oldest first; the first record whose head is 0 ends it.
 * A thread's chunks follow each other by `sequence`. A WINDOW is a LOG chunk whose pages its thread
 * uses again: when it is full, a LOG chunk of the same sequence is added, and the window, SPARE for
 * a moment, holds the next one. Of both of one sequence the LOG counts, and whoever reads while the
 * process runs needs a copy of the window, and its sequence before and after. A reader skips chunks
 * and records of kinds it does not know: both carry their size. Little-endian, 64 bit. The only
 * header that runtime/ and the readers share; it includes nothing of ours.
 *
 * Times are clock ticks since `clock_base` of the file; only differences are meaningful, and
 * `calibration` relates ticks to CLOCK_MONOTONIC.
 */
#ifndef TRACE_FORMAT_H
#define TRACE_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define TRACE_MAGIC "vproftr\n" /* 8 bytes, no terminator in the file */
#define TRACE_VERSION 1u
#define TRACE_PAGE 4096u
#define TRACE_CHUNK_MAGIC 0x6b6e6863u /* "chnk" */

enum trace_clock { TRACE_CLOCK_TSC = 1, TRACE_CLOCK_CNTVCT = 2, TRACE_CLOCK_MONOTONIC = 3 };

/* The bits are those of trace_file_header.features. A reader refuses a file with bits it does not
 * know. RECORDER: the file is not a process's, but of one who watched processes from outside. Its
 * LOGs are of processors (`thread` is 1 + the processor), and its records name the process and the
 * thread. */
enum trace_feature { TRACE_FEATURE_NONE = 0, TRACE_FEATURE_RECORDER = 1 };

/* The end tells why a process stopped recording; RUNNING in a finished run means that it was
 * killed. */
enum trace_end { TRACE_RUNNING = 0, TRACE_EXITED = 1 };

struct trace_calibration {
    uint64_t ticks;        /* raw clock, not relative to clock_base */
    uint64_t monotonic_ns; /* CLOCK_MONOTONIC at the same moment */
};

/* A seal says what the file and its run's clock were when the run had ended. */
struct trace_seal {
    struct trace_calibration run[2]; /* first and last of all the run's files of that clock */
    uint64_t bytes;                  /* of the file; 0: it is not sealed */
    uint64_t checksum; /* of all pages that are not zeros, the seal's bytes as zeros: the sum of
                        * XXH3_64bits_withSeed(page, its number) */
};

struct trace_file_header {
    char magic[8];
    uint32_t version;
    uint32_t header_size; /* bytes before the first chunk: TRACE_PAGE */
    uint64_t features;
    uint32_t pid;
    uint32_t parent_pid;
    uint32_t clock; /* enum trace_clock */
    uint32_t end;   /* enum trace_end */
    uint64_t clock_base;
    struct trace_calibration calibration[2]; /* at the start, and the latest */
    uint64_t start_realtime_ns;              /* CLOCK_REALTIME at calibration[0] */
    uint64_t lost_records;                   /* records that found no room, all threads */
    uint32_t hook_tables; /* linked objects with vprof notes that were attached */
    uint32_t threads;     /* logs ever opened */
    char host[64];
    char program[256];            /* /proc/self/exe, cut to fit, zero-terminated */
    uint64_t overwritten_records; /* older ones whose room was given to newer ones */
    uint64_t overwritten_ticks;   /* none that ended later was overwritten; 0: none was */
    /* The driver writes this, not the runtime. Only intervals that lie between these moments of
     * CLOCK_MONOTONIC count: other probes were on before and after. Until 0: as in another file of
     * the run; 0 in all of them: no bounds. */
    uint64_t window_from_ns;
    uint64_t window_until_ns;
    /* Written by the runtime: since when, by CLOCK_MONOTONIC, the process's code is as the
     * switches' generation says. */
    uint64_t switched_ns;
    uint32_t switched_generation;     /* 0: it is not known, and nothing had to be changed */
#define TRACE_NOT_SWITCHED UINT32_MAX /* it could not be changed */
    /* A timed call costs this much in this process: so many took that many ticks. 0 calls: it is
     * not known. And 1,024 calls' share of the fastest writing out of a full window; 0: none
     * was. */
    uint32_t probe_calls;
    uint32_t probe_ticks;
    uint32_t write_out_ticks;
    struct trace_seal seal; /* written by the driver */
    /* While a chunk's room is given to newer records (offset not 0), the chunk there is none any
     * more, and its records are those that are in `giving_records`, not in `records`. */
    struct trace_given_back {
        uint64_t records; /* all that were overwritten before */
        uint64_t offset;
    } given_back;
    uint64_t giving_records;
    uint64_t filled_bytes; /* where the last chunk ends that was ever begun */
    uint32_t run_files; /* of a sealed file: how many its run has with this clock; 0: not known */
    uint32_t watched;   /* enum trace_watched; of a recorder that watched the kernel's scheduler */
};

/* What a recorder had the right to see of the kernel's scheduler. ALL: every processor's switches,
 * wakings, block requests and major faults. OWN: switches of the run's threads, without who ran
 * instead and who woke them. TOTALS: how long each of them ran and was runnable. */
enum trace_watched {
    TRACE_WATCHED_NOTHING = 0,
    TRACE_WATCHED_ALL = 1,
    TRACE_WATCHED_OWN = 2,
    TRACE_WATCHED_TOTALS = 3
};

/* The overwritten records are exactly those that are not in the file, wherever its process was
 * killed. */
static inline uint64_t trace_overwritten_records(const struct trace_file_header *header)
{
    uint64_t giving = header->given_back.offset ? header->giving_records : 0;
    uint64_t all = header->given_back.records + giving;
    return all ? all : header->overwritten_records; /* which older runtimes write alone */
}

/* $VPROF_TRACE_DIR/control.shm tells the processes of a run what to do: a page that begins with
 * this, then a byte for each probe of the program, its switch: 0 off, 1 on. All processes of a run
 * share it, and whoever may write to it switches probes in all of them: those that ask their switch
 * at once; those that are sites when the generation is moved on, and the process has noticed. A
 * runtime that finds none makes one with all switches on. While the run rests, nothing else is
 * recorded either. The rest of the page is zeros: nothing is slowed down, and no values are
 * recorded. */
#define TRACE_CONTROL_MAGIC "vprofct\n" /* 8 bytes, no terminator in the file */
#define TRACE_CONTROL_NAME "control.shm"
struct trace_control {
    char magic[8];
    uint32_t version;     /* TRACE_VERSION */
    uint32_t header_size; /* TRACE_PAGE */
    uint32_t generation;  /* of the switches; who changes them adds 1 afterwards */
    uint32_t resting;     /* not 0: nobody will read what is recorded now */
};
/* The page has room for which values are asked: TRACE_CONTROL_ROOM bytes, from here on. */
enum { TRACE_CONTROL_VALUES = 2048, TRACE_CONTROL_ROOM = 1024 };

/* The kinds of chunks have gaps for what later versions record. */
enum trace_chunk_kind {
    TRACE_CHUNK_SPARE = 8, /* nothing, not yet or no more */
    TRACE_CHUNK_LOG = 16,
    TRACE_CHUNK_WINDOW = 17,  /* a thread's latest LOG, as long as it may write to it */
    TRACE_CHUNK_STACKS = 48,  /* struct trace_stack, one behind the other */
    TRACE_CHUNK_POINTS = 49,  /* what the points of a recorder's hits are: lines of text (below) */
    TRACE_CHUNK_TARGETS = 51, /* of experiments: what their targets are, lines of text (below) */
    TRACE_CHUNK_UNWOUND = 50, /* struct trace_unwinding, and struct trace_unwound behind it */
    TRACE_CHUNK_MAPS =
        32, /* text of /proc/self/maps, zero-terminated; a later one replaces it. Of a
                                recorder: of the process `tid` */
    TRACE_CHUNK_KERNEL =
        33, /* lines of the kernel's addresses that stacks hold, and their functions:
                                "ffffffff810a1b2c do_futex", zero-terminated */
    TRACE_CHUNK_FILES =
        34, /* lines of text: the files of maps that stacks lie in, and which they were */
    TRACE_CHUNK_GENERATED =
        35 /* the same as KERNEL, of code that the process `tid` made as it ran */
};

struct trace_chunk {
    uint32_t magic; /* TRACE_CHUNK_MAGIC */
    uint32_t kind;
    uint64_t size;     /* bytes of the whole chunk, a multiple of TRACE_PAGE */
    uint32_t tid;      /* kernel thread id; reused by the kernel */
    uint32_t thread;   /* 1, 2, ... in the order the process opened logs; never reused */
    uint32_t sequence; /* 0, 1, ... within the thread */
    uint32_t spare0;
    uint64_t start; /* address of the function that the thread began in; 0: not known */
    char name[16];  /* the kernel's name of the thread, as of late; zero-terminated */
    uint64_t spare1;
};

/* The chunk is one that its process may be changing: what the kind promises was there before it. */
static inline uint32_t trace_chunk_kind(const struct trace_chunk *chunk)
{
    return __atomic_load_n(&chunk->kind, __ATOMIC_ACQUIRE);
}

/* A stack that samples name by its number stands once in a file: behind it its addresses, the
 * kernel's before the process's, the innermost first. The first one whose size is 0 ends the
 * chunk. */
struct trace_stack {
    uint32_t number; /* from 1 */
    uint32_t pid;
    uint16_t size;   /* addresses, 0 at the end of the chunk */
    uint16_t kernel; /* so many of them are the kernel's */
    uint32_t cut;    /* enum trace_cut */
};

/* Why the outermost calls of a stack are missing. Before there were reasons, all had the first. */
enum trace_cut {
    TRACE_CUT_NOT = 0,
    TRACE_CUT_NO_CALLER = 1, /* nothing tells where the caller is, or what does leads nowhere */
    TRACE_CUT_DEEP = 2,      /* there are more than are copied or kept */
    TRACE_CUT_NO_FILE = 3,   /* the object's file is gone, replaced or may not be read */
    TRACE_CUT_NO_MAPS = 4,   /* the process had ended, or its maps may not be read */
    TRACE_CUT_FOREIGN = 5,   /* a program for another machine, as one of 32 bits is */
    TRACE_CUTS = 8
};

/* How the stacks of a file were made. */
struct trace_unwinding {
    uint64_t stacks;  /* of samples, waits and wakings */
    uint64_t lost;    /* found no room */
    uint64_t own_ns;  /* that took the recorder on a processor, without the kernel's copying */
    uint64_t without; /* of the stacks: new ones, when there had been as many as there may be */
};

/* How far stacks could be followed in one object. Its path in a process's maps stands behind it,
 * zero-terminated, and zeros; or "[anonymous]" for memory of no file, "[unknown]" for stacks of
 * which nothing could be told. */
struct trace_unwound {
    uint32_t bytes; /* of this with the path, a multiple of 8; 0 at the end of the chunk */
    uint32_t spare;
    uint64_t by_rows;           /* frames whose callers were found by the object's tables */
    uint64_t by_pointers;       /* by frame pointers, as it has no tables there */
    uint64_t ended[TRACE_CUTS]; /* stacks whose outermost known call lies here, by trace_cut */
};

/* Every record begins with a head: ticks << 8 | kind. The low two bits of a kind tell the record's
 * size: 16, 32, 48 or 64 bytes. */
#define TRACE_HEAD(ticks, kind) ((uint64_t)(ticks) << 8 | (uint64_t)(kind))
#define TRACE_HEAD_TICKS(head) ((head) >> 8)
#define TRACE_HEAD_KIND(head) ((unsigned)((head)&0xff))
#define TRACE_KIND_SIZE(kind) ((((kind)&3u) + 1u) * 16u)

enum trace_kind {
    TRACE_FUNCTION = 0x04,      /* 16 bytes: struct trace_function */
    TRACE_FUNCTION_LONG = 0x09, /* 32 bytes: struct trace_function_long */
    TRACE_CALL = 0x0d,          /* 32 bytes: struct trace_function_long, with a target */
    TRACE_PART = 0x12,          /* 48 bytes: struct trace_part */
    TRACE_MARK = 0x21,          /* 32 bytes: struct trace_mark */
    TRACE_SPENT = 0x24,         /* 16 bytes: struct trace_spent */
    TRACE_APART = 0x28,         /* 16 bytes: struct trace_spent */
    TRACE_NAME = 0x27,          /* 64 bytes: struct trace_name */
    TRACE_BLOCK = 0x41,         /* 32 bytes: struct trace_block */
    TRACE_RELEASE = 0x45,       /* 32 bytes: struct trace_release */
    TRACE_CALLERS = 0x4b,       /* 64 bytes: struct trace_callers */
    TRACE_TASK = 0x61,          /* 32 bytes: struct trace_task */
    TRACE_THREAD = 0x65,        /* 32 bytes: struct trace_thread_event */
    /* Of a recorder, in logs of processors: */
    TRACE_SAMPLE = 0x81,      /* 32 bytes: struct trace_sample */
    TRACE_SWITCH = 0xa1,      /* 32 bytes: struct trace_switch */
    TRACE_WAKING = 0xa5,      /* 32 bytes: struct trace_waking */
    TRACE_REQUEST = 0xa9,     /* 32 bytes: struct trace_request */
    TRACE_MISSED = 0xac,      /* 16 bytes: struct trace_missed */
    TRACE_FAULT = 0xb0,       /* 16 bytes: struct trace_fault */
    TRACE_WHO = 0xb2,         /* 48 bytes: struct trace_who */
    TRACE_TOTALS = 0xb6,      /* 48 bytes: struct trace_totals */
    TRACE_PAUSE = 0xb8,       /* 16 bytes: struct trace_pause */
    TRACE_TITLE = 0xbb,       /* 64 bytes: struct trace_title */
    TRACE_WAIT_STACK = 0xba,  /* 48 bytes: struct trace_wait_stack */
    TRACE_POINT_HIT = 0xbe,   /* 48 bytes: struct trace_point_hit */
    TRACE_POINTS_LOST = 0xc0, /* 16 bytes: struct trace_points_lost */
    TRACE_POINT_CLOSED = 0xc4, /* 16 bytes: struct trace_point_closed */
    /* Of who experiments, in one log: */
    TRACE_EXPERIMENT = 0xd3 /* 64 bytes: struct trace_experiment */
};

/* A record of a call is one finished call of a timed function or call site. Written when it
 * returns, so that in a log callees stand before their caller; head ticks are those of its
 * entry. */
struct trace_function {
    uint64_t head;
    uint64_t duration_probe; /* ticks << 24 | probe; 2^40 ticks at the most */
};
#define TRACE_PROBE_BITS 24
#define TRACE_PROBE_MAX ((1u << TRACE_PROBE_BITS) - 1)
#define TRACE_DURATION_MAX ((UINT64_C(1) << 40) - 1)

/* A longer record serves longer calls, those that a longjmp left, and indirect ones, whose callee's
 * address is `target`. */
enum trace_how { TRACE_RETURNED = 0, TRACE_LEFT_BY_JUMP = 1, TRACE_SUSPENDED = 2 };
struct trace_function_long {
    uint64_t head;
    uint64_t duration; /* ticks */
    uint64_t target;   /* 0 in TRACE_FUNCTION_LONG */
    uint32_t probe;
    uint32_t how; /* enum trace_how */
};

/* A part of a call is its time on a stack that others took turns with: head ticks are those at
 * which its thread came to that stack or, in the first part, entered the call. The parts of one
 * call may lie in the logs of several threads, and have `began` and `probe` in common. The last one
 * of a call that ended is not TRACE_SUSPENDED; one may be missing where its thread did not see it
 * end. */
struct trace_part {
    uint64_t head;
    uint64_t duration; /* ticks */
    uint64_t target;   /* as in TRACE_CALL, or 0 */
    uint64_t began;    /* ticks at which the call was entered */
    uint32_t probe;
    uint32_t how; /* enum trace_how; SUSPENDED: the thread went to another stack */
    uint64_t spare;
};

/* A mark is an annotation at head ticks. `what` is enum vprof_mark_1 of vprof_api.h: BEGIN, END,
 * ENTER, PROGRESS, FALSE_WAKEUP or ACQUIRE. (RELEASE and SPIN are TRACE_RELEASE and
 * TRACE_BLOCK.) */
struct trace_mark {
    uint64_t head;
    uint64_t id;
    uint32_t what;
    uint32_t spare0;
    uint64_t delay_ns; /* in a run that is experimented with: what the thread has waited (EXPERIMENT) */
};

/* A named annotation: `what` is TYPE or VALUE of interval `id`, or PROGRESS, whose `value` is a delay. */
struct trace_name {
    uint64_t head;
    uint64_t id;
    int64_t value;
    uint32_t what;
    char name[36]; /* zero-terminated, cut to fit */
};

/* The operation tells what a thread waited for. */
enum trace_operation {
    TRACE_OP_MUTEX = 1,
    TRACE_OP_COND = 2,
    TRACE_OP_RWLOCK_READ = 3,
    TRACE_OP_RWLOCK_WRITE = 4,
    TRACE_OP_SEMAPHORE = 5,
    TRACE_OP_BARRIER = 6,
    TRACE_OP_JOIN = 7,
    TRACE_OP_USER = 8, /* an acquire function that the config names */
    TRACE_OP_SPIN = 9,
    TRACE_OP_CHANNEL = 10,        /* something to read from a pipe, an eventfd or a socket pair */
    TRACE_OP_CHANNEL_ROOM = 11,   /* room to write to one */
    TRACE_OP_SEMAPHORE_ZERO = 12, /* a System V semaphore to become 0 */
    TRACE_OP_FUTEX = 13,          /* to be woken */
    TRACE_OP_TEAM = 15            /* the other threads of an OpenMP region */
};

/* Objects that are no addresses, the same in all processes, by their upper 16 bits. A System V
 * semaphore: the id of its set, and 16 bits for its number in the set. A channel: 8 bits for its
 * kind (1 pipe, 2 eventfd, 3 one way of a pair of stream sockets, 4 of others, 5 whatever else is
 * waited for by poll, select or epoll), 40 for which one.
 * By its highest bit alone: a place in shared memory. The runtime may have left that one an
 * address, where the memory was new. */
#define TRACE_SEMAPHORE_SET 0x5356ul
#define TRACE_CHANNEL 0x4348ul
#define TRACE_SHARED (UINT64_C(1) << 63)
static inline int trace_object_is_address(uint64_t object)
{
    return object >> 48 != TRACE_SEMAPHORE_SET && object >> 48 != TRACE_CHANNEL &&
           !(object & TRACE_SHARED);
}

/* The mixer is the last steps of Steele, Lea and Flood's SplitMix64 (OOPSLA'14). */
static inline uint64_t trace_mix(uint64_t value)
{
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* The number is of a file that is mapped, as /proc/self/maps has it. Never 0. */
static inline uint64_t trace_file_number(uint64_t major, uint64_t minor, uint64_t inode)
{
    return trace_mix(trace_mix(major << 32 ^ minor) ^ inode) | 1;
}

static inline uint64_t trace_shared_object(uint64_t file, uint64_t offset)
{
    return trace_mix(file ^ offset) | TRACE_SHARED;
}

/* The thread was blocked from head ticks to end_ticks. Its waker is the thread whose RELEASE of the
 * same object ended it: for COND, SEMAPHORE and CHANNEL the earliest one within the block that no
 * earlier waiter of the object used up (a BROADCAST serves all), for BARRIER the earliest one by a
 * thread that did not wait itself, else the latest one by another thread, which for RWLOCK_READ
 * held it for writing (RELEASE of RWLOCK_WRITE, also where that is not known).
 *
 * A release is used up by the amounts of those whom it serves: bytes of a pipe or stream, messages
 * of other sockets, what an eventfd or a System V semaphore counts. Who used several was let go on
 * by the last of them, but of a CHANNEL by the first. */
enum trace_ending {
    TRACE_ENDING_TOOK = 0,    /* it has what it waited for, and used up the release */
    TRACE_ENDING_GAVE_UP = 1, /* its own time-out, a signal or its thread's cancellation: nobody */
    TRACE_ENDING_LEFT_SOME = 2, /* it only looked, as poll does: nothing is used up */
    TRACE_ENDING_CLOSED = 3,    /* the other end is closed: by the latest release of that mode */
    TRACE_ENDING_NO_WAIT = 4    /* no block: it uses up the latest release that was not, or has
                                   begun to hold what others wait for */
};
struct trace_block {
    uint64_t head;
    uint64_t end_ticks;
    uint64_t object;   /* as above; pthread_t for JOIN */
    uint32_t site;     /* probe, or 0 */
    uint8_t operation; /* enum trace_operation */
    uint8_t ending;    /* enum trace_ending */
    uint16_t amount;   /* 0: 1; the largest: that or more, all of the last release */
};

/* The thread let others have `object`: unlock, signal, post, arrival at a barrier, thread exit.
 * Written only while some thread waits for an object of the same low address bits. */
enum trace_release_mode {
    TRACE_RELEASE_ONE = 0,
    TRACE_RELEASE_BROADCAST = 1,
    TRACE_RELEASE_CLOSE = 2, /* an end of a channel, perhaps the last copy of its descriptor */
    TRACE_RELEASE_AGAIN = 3  /* of a mutex, by a wait for a condition: the first one since the
                                thread's  wait for the same condition before */
};
struct trace_release {
    uint64_t head;
    uint64_t object;
    uint32_t site;
    uint32_t operation; /* enum trace_operation */
    uint16_t mode;      /* enum trace_release_mode */
    uint16_t callers;   /* number of a trace_callers before it, or 0 */
    uint32_t amount;    /* 0: 1 */
};

/* The callers tell where the thread may have come from: words of its stack that point into the
 * program's code, the innermost first. Some are what earlier calls left there. The latest of a
 * number and thread counts; where there are more addresses, another one follows. */
#define TRACE_CALLERS_ADDRESSES 6
struct trace_callers {
    uint64_t head;
    uint16_t number; /* from 1 */
    uint16_t more;   /* 1: the next one of the thread goes on with the list */
    uint32_t spare;
    uint64_t address[TRACE_CALLERS_ADDRESSES]; /* 0: no more */
};

/* A task's `what` is enum vprof_task_1: 1 ENQUEUE, 2 DEQUEUE of `task`. */
struct trace_task {
    uint64_t head;
    uint64_t queue; /* 0: unknown */
    uint64_t task;
    uint32_t site;
    uint32_t what;
};

/* An event is one of a thread's life. CREATE is written by the creator; STARTED by the new thread,
 * with the creator's token; EXIT is the last record of a thread that ended by itself; its token is
 * the address of the thread's start function where a wrapper created it, else 0. */
enum trace_thread_what { TRACE_THREAD_CREATE = 1, TRACE_THREAD_STARTED = 2, TRACE_THREAD_EXIT = 3 };
struct trace_thread_event {
    uint64_t head;
    uint64_t token;   /* CREATE, STARTED: unique within the process; EXIT: see below */
    uint64_t pthread; /* STARTED, EXIT: pthread_self() of the thread; CREATE: as `callers` of a
                         release */
    uint32_t what;
    uint32_t site; /* CREATE */
};

/* A thread was on a processor, or came off it, with this stack. */
struct trace_sample {
    uint64_t head;
    uint32_t pid;
    uint32_t tid;
    uint64_t amount; /* of what was sampled: ns that it stands for */
    uint32_t stack;  /* number of a trace_stack of the file, or 0 */
    uint32_t spare;
};

/* A thread begins to wait with this stack, or wakes another one. Where it waits in a system call, that
 * call's first argument is `argument`: the address of a lock, where it is one. */
struct trace_wait_stack {
    uint64_t head;
    uint32_t pid, tid;
    uint32_t woken;  /* whom it wakes; 0: it begins to wait */
    uint32_t stack;  /* number of a trace_stack of the file, or 0 */
    uint32_t one_in; /* it stands for so many */
    uint32_t
        holder; /* what stands 8 bytes behind the argument, as in a mutex of glibc its holder */
    uint64_t argument;
    uint64_t spare;
};

/* A thread came to a point of the program, or of its system calls, that the recorder watches. What
 * that point is the file's POINTS say: zero-terminated text, a line for each,
 *     number wish role joined name
 * where points of one wish belong together, and `joined` is enum trace_point_joined. */
enum trace_point_role {
    TRACE_POINT_ENTER = 1, /* a function is called; `second`: the stack pointer then */
    TRACE_POINT_LEAVE = 2, /* it returns; `second`: the stack pointer when it was called */
    TRACE_POINT_BEGIN = 3, /* a request begins; `value` tells which one */
    TRACE_POINT_END = 4,   /* it is complete */
    /* System calls: `value` is the descriptor, `second` the result. */
    TRACE_POINT_READ = 5,    /* something was read from a socket */
    TRACE_POINT_WRITES = 6,  /* a call begins that writes to a descriptor; no result yet */
    TRACE_POINT_WROTE = 7,   /* it has written */
    TRACE_POINT_ACCEPT = 8,  /* the descriptor is a new connection's */
    TRACE_POINT_CONNECT = 9, /* the descriptor was connected */
    TRACE_POINT_CLOSE = 10,
    TRACE_POINT_POLL = 11, /* a call begins that waits for any of many descriptors */
    /* As ENTER and LEAVE, of a function that is measured for itself: its calls are no requests. */
    TRACE_POINT_CALLED = 12,
    TRACE_POINT_RETURNED = 13,
    TRACE_POINT_ROLES = 14
};
/* Which hits of a wish are of one request: those of one thread; those of one value. Of ENTER and CALLED the
 * latter means that a call may come there again: all that has the same stack pointer, until it returns, is one. */
enum trace_point_joined { TRACE_POINT_BY_THREAD = 0, TRACE_POINT_BY_VALUE = 1 };
struct trace_point_hit {
    uint64_t head;
    uint32_t pid, tid;
    uint32_t point;   /* its number in the POINTS */
    uint32_t unknown; /* 1: the value could not be read */
    uint64_t value;   /* of an argument, or what was returned; else 0 */
    uint64_t second;  /* see enum trace_point_role; else the stack pointer */
    uint64_t spare;
};

/* So many hits of the log's processor were lost before this moment, and after its record before. 0: on no
 * processor anything was watched meanwhile; or, where it follows a hit, watching ends here. */
struct trace_points_lost {
    uint64_t head;
    uint64_t hits;
};

/* From here on hits of the point are not watched any more: they took more time than they may. */
struct trace_point_closed {
    uint64_t head;
    uint32_t point; /* its number in the POINTS */
    uint32_t spare;
};

/* A stage of an experiment begins: what else runs is delayed by a part of the target's time. The next experiment begins
 * when one ends. What the targets are the file's TARGETS say: zero-terminated text, a line for each,
 *     number kind name
 * where the kind is "function", and so on. Number 0 is no target: "outside" is who else the program was connected with,
 * and "plan", whose name is "WHAT VALUE", what was planned and counted (experiment.h). Later TARGETS replace the ones
 * before. All but `share` are sums since the run began. Before an experiment that is 0 of the first one, `epoch` is 0. */
enum trace_experiment_stage {
    TRACE_EXPERIMENT_BEGINS = 0, /* what was under way goes on */
    TRACE_EXPERIMENT_COUNTS = 1, /* intervals that begin now count */
    TRACE_EXPERIMENT_DRAINS = 2, /* not any more, and those are waited for */
    TRACE_EXPERIMENT_ENDS = 3,
    TRACE_EXPERIMENT_BROKEN = 4 /* it ends, and what it counted is not whole */
};
#define TRACE_EXPERIMENT_WHOLE 65536u
struct trace_experiment {
    uint64_t head;
    uint32_t epoch;   /* its number, from 1 */
    uint16_t stage;   /* enum trace_experiment_stage */
    uint16_t target;  /* its number in the TARGETS, from 1 */
    uint32_t share;   /* of the target's time, of TRACE_EXPERIMENT_WHOLE */
    uint16_t block;   /* of experiments that are compared with each other, from 1; 0: none */
    uint16_t round;   /* of the screening that it is part of, from 1; 0: it is part of the answer */
    uint64_t granted_ns; /* that every thread was to be delayed by */
    uint64_t target_ns;  /* of the target's */
    uint64_t calls;      /* of the target, that ended */
    uint64_t paid_ns;    /* of delays, by all threads together */
    uint64_t over_ns;    /* of it what a sleep took too long */
};

/* In an experiment that delays nobody, the thread has spent that much on its target, until then. What it does that others
 * may see stands behind it. Or, APART, it has waited so long for what came by a socket, whoever sent that. */
struct trace_spent {
    uint64_t head;
    uint64_t spent_ns;
};

/* The log's processor goes from one thread to another. */
enum trace_off {
    TRACE_OFF_RUNNABLE = 0,        /* it was preempted, or yielded */
    TRACE_OFF_SLEEPS = 1,          /* a signal would wake it */
    TRACE_OFF_UNINTERRUPTIBLE = 2, /* mostly a disk's */
    TRACE_OFF_STOPPED = 3,         /* by a signal or a debugger */
    TRACE_OFF_ENDED = 4
};
#define TRACE_TID_UNKNOWN UINT32_MAX
struct trace_switch {
    uint64_t head;
    uint32_t from; /* kernel thread id; 0: the processor was idle; TRACE_TID_UNKNOWN */
    uint32_t to;   /* the same */
    uint8_t state; /* enum trace_off, of `from` */
    uint8_t spare0;
    uint16_t spare1;
    uint32_t stack; /* of `from`: number of a trace_stack of the file, or 0 */
    uint64_t spare2;
};

/* A thread becomes runnable: what the log's processor was doing made it so. May stand before the
 * thread's switch, where another processor saw it go. */
enum trace_context {
    TRACE_CONTEXT_THREAD = 0, /* a system call or fault of `waker`, or its soft interrupt in line */
    TRACE_CONTEXT_SOFT = 1,   /* a soft interrupt that came in the way of `waker` */
    TRACE_CONTEXT_HARD = 2    /* an interrupt */
};
/* Where the context is no thread, the kernel's call chain tells what interrupted. */
enum trace_interrupt {
    TRACE_INTERRUPT_UNKNOWN = 0,
    TRACE_INTERRUPT_TIMER = 1,
    TRACE_INTERRUPT_NETWORK = 2,
    TRACE_INTERRUPT_DISK = 3,
    TRACE_INTERRUPT_OTHER = 4 /* another device's interrupt, or the kernel's own work */
};
struct trace_waking {
    uint64_t head;
    uint32_t tid;      /* who wakes up */
    uint32_t waker;    /* who had the processor; 0: it was idle */
    uint8_t context;   /* enum trace_context */
    uint8_t interrupt; /* enum trace_interrupt */
    uint8_t born;      /* 1: its first time, `waker` created it */
    uint8_t spare0;
    uint32_t stack; /* of the context: number of a trace_stack of the file, or 0 */
    uint64_t spare1;
};

/* A block device was given a request, or has done it. */
enum trace_request_what { TRACE_REQUEST_ISSUED = 0, TRACE_REQUEST_DONE = 1 };
enum trace_request_way { TRACE_REQUEST_READ = 0, TRACE_REQUEST_WRITE = 1, TRACE_REQUEST_OTHER = 2 };
struct trace_request {
    uint64_t head;
    uint32_t device; /* major << 20 | minor */
    uint32_t bytes;
    uint64_t sector;
    uint8_t what; /* enum trace_request_what */
    uint8_t way;  /* enum trace_request_way */
    uint16_t spare;
    uint32_t tid; /* of an ISSUED one: who asked for it, else who had the processor */
};

/* So many records of the processor were lost before this moment, and after its record before. */
struct trace_missed {
    uint64_t head;
    uint64_t records;
};

/* The recorder stopped to record on purpose, on all processors at once, or began again. A pause whose
 * end is not there goes on; of one whose beginning is not there the file held nothing before. */
enum trace_pause_what { TRACE_PAUSE_BEGINS = 0, TRACE_PAUSE_ENDS = 1 };
struct trace_pause {
    uint64_t head;
    uint64_t what; /* enum trace_pause_what */
};

/* The thread has had a major page fault, which ends now. */
struct trace_fault {
    uint64_t head;
    uint32_t pid;
    uint32_t tid;
};

/* Whose a kernel thread id is from now on; or that of a device, which has no process. */
enum trace_who_what {
    TRACE_WHO_SEEN = 0,
    TRACE_WHO_CREATED = 1,
    TRACE_WHO_ENDED = 2,
    TRACE_WHO_DEVICE = 3
};
struct trace_who {
    uint64_t head;
    uint32_t pid;   /* of the thread's process; DEVICE: 0 */
    uint32_t tid;   /* DEVICE: major << 20 | minor */
    uint32_t maker; /* CREATED: the thread that did it; else 0 */
    uint32_t what;  /* enum trace_who_what */
    char name[16];  /* the kernel's name of the thread or device, zero-terminated; "" if unknown */
    uint32_t whose; /* enum trace_whose */
    uint32_t spare;
};
/* A thread is of what is recorded, or was only met: of another program, or the kernel's own. Older
 * recorders did not tell. */
enum trace_whose {
    TRACE_WHOSE_UNKNOWN = 0,
    TRACE_WHOSE_RUN = 1,
    TRACE_WHOSE_OTHER = 2,
    TRACE_WHOSE_KERNEL = 3
};

/* What a process says that it is: the text that it wrote over its arguments (setproctitle), as of late. */
enum { TRACE_TITLE_BYTES = 48 };
struct trace_title {
    uint64_t head;
    uint32_t pid;
    uint32_t spare;
    char title[TRACE_TITLE_BYTES]; /* zero-terminated, cut to fit */
};

/* What the kernel has counted of a thread until now, since its begin (schedstat). */
struct trace_totals {
    uint64_t head;
    uint32_t pid;
    uint32_t tid;
    uint64_t ran_ns;
    uint64_t runnable_ns; /* and did not run */
    uint64_t spare[2];
};

_Static_assert(sizeof(struct trace_file_header) <= TRACE_PAGE, "file header fits its page");
_Static_assert(offsetof(struct trace_file_header, clock_base) == 40, "layout is fixed");
_Static_assert(offsetof(struct trace_file_header, host) == 104, "layout is fixed");
_Static_assert(offsetof(struct trace_file_header, probe_calls) == 468, "layout is fixed");
_Static_assert(offsetof(struct trace_file_header, given_back) == 528, "layout is fixed");
_Static_assert(offsetof(struct trace_file_header, filled_bytes) == 552, "layout is fixed");
_Static_assert(offsetof(struct trace_file_header, run_files) == 560, "layout is fixed");
_Static_assert(offsetof(struct trace_file_header, watched) == 564, "layout is fixed");
_Static_assert(sizeof(struct trace_control) == 24, "layout is fixed");
_Static_assert(TRACE_CONTROL_VALUES + TRACE_CONTROL_ROOM <= (int)TRACE_PAGE, "it is one page");
_Static_assert(sizeof(struct trace_chunk) == 64, "layout is fixed");
_Static_assert(sizeof(struct trace_function) == TRACE_KIND_SIZE(TRACE_FUNCTION), "size in kind");
_Static_assert(sizeof(struct trace_function_long) == TRACE_KIND_SIZE(TRACE_CALL), "size in kind");
_Static_assert(sizeof(struct trace_function_long) == TRACE_KIND_SIZE(TRACE_FUNCTION_LONG), "size");
_Static_assert(sizeof(struct trace_part) == TRACE_KIND_SIZE(TRACE_PART), "size in kind");
_Static_assert(sizeof(struct trace_mark) == TRACE_KIND_SIZE(TRACE_MARK), "size in kind");
_Static_assert(sizeof(struct trace_spent) == TRACE_KIND_SIZE(TRACE_SPENT), "size in kind");
_Static_assert(sizeof(struct trace_name) == TRACE_KIND_SIZE(TRACE_NAME), "size in kind");
_Static_assert(sizeof(struct trace_block) == TRACE_KIND_SIZE(TRACE_BLOCK), "size in kind");
_Static_assert(sizeof(struct trace_release) == TRACE_KIND_SIZE(TRACE_RELEASE), "size in kind");
_Static_assert(sizeof(struct trace_callers) == TRACE_KIND_SIZE(TRACE_CALLERS), "size in kind");
_Static_assert(offsetof(struct trace_chunk, name) == 40, "layout is fixed");
_Static_assert(sizeof(struct trace_task) == TRACE_KIND_SIZE(TRACE_TASK), "size in kind");
_Static_assert(sizeof(struct trace_stack) == 16, "layout is fixed");
_Static_assert(sizeof(struct trace_unwinding) == 32, "layout is fixed");
_Static_assert(sizeof(struct trace_unwound) == 88, "layout is fixed");
_Static_assert(sizeof(struct trace_sample) == TRACE_KIND_SIZE(TRACE_SAMPLE), "size in kind");
_Static_assert(sizeof(struct trace_switch) == TRACE_KIND_SIZE(TRACE_SWITCH), "size in kind");
_Static_assert(sizeof(struct trace_wait_stack) == TRACE_KIND_SIZE(TRACE_WAIT_STACK), "size");
_Static_assert(sizeof(struct trace_point_hit) == TRACE_KIND_SIZE(TRACE_POINT_HIT), "size");
_Static_assert(sizeof(struct trace_experiment) == TRACE_KIND_SIZE(TRACE_EXPERIMENT), "size");
_Static_assert(sizeof(struct trace_points_lost) == TRACE_KIND_SIZE(TRACE_POINTS_LOST), "size");
_Static_assert(sizeof(struct trace_point_closed) == TRACE_KIND_SIZE(TRACE_POINT_CLOSED), "size");
_Static_assert(sizeof(struct trace_waking) == TRACE_KIND_SIZE(TRACE_WAKING), "size in kind");
_Static_assert(sizeof(struct trace_request) == TRACE_KIND_SIZE(TRACE_REQUEST), "size in kind");
_Static_assert(sizeof(struct trace_pause) == TRACE_KIND_SIZE(TRACE_PAUSE), "size in kind");
_Static_assert(sizeof(struct trace_missed) == TRACE_KIND_SIZE(TRACE_MISSED), "size in kind");
_Static_assert(sizeof(struct trace_fault) == TRACE_KIND_SIZE(TRACE_FAULT), "size in kind");
_Static_assert(sizeof(struct trace_who) == TRACE_KIND_SIZE(TRACE_WHO), "size in kind");
_Static_assert(sizeof(struct trace_title) == TRACE_KIND_SIZE(TRACE_TITLE), "size in kind");
_Static_assert(sizeof(struct trace_totals) == TRACE_KIND_SIZE(TRACE_TOTALS), "size in kind");
_Static_assert(sizeof(struct trace_thread_event) == TRACE_KIND_SIZE(TRACE_THREAD), "size in kind");

#endif
