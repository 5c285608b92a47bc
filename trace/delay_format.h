/* delay_format.h - what the processes of a run share while it is experimented with (causal profiling).
 *
 *     $VPROF_TRACE_DIR/delays.shm      struct trace_delays, written by all of them
 *
 * In an experiment the target seems to take less time: whatever else runs is delayed by a part of
 * each stretch of it (Coz, SOSP'15). `granted_ns` is all that was to be waited for since the run's
 * begin, and each thread has its own sum of what it has waited or need not wait. A thread's virtual
 * time is its time less that sum. Experiments follow each other without a gap; in those whose share
 * is 0 all is as in the others, but for the delays.
 *
 * Times are ns but where they are called ticks, of the run's clock (trace_format.h). As this is no file that is kept,
 * `version` is that of the program and its runtime together.
 */
#ifndef TRACE_DELAY_FORMAT_H
#define TRACE_DELAY_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#include "trace/trace_format.h"

#define TRACE_DELAYS_NAME "delays.shm"
#define TRACE_DELAYS_MAGIC "vprofdl\n" /* 8 bytes, no terminator in the file */
enum { TRACE_DELAYS_VERSION = 4 };

/* A probe's byte in the file of switches (struct trace_control) says what becomes of its calls: any bit switches it on. */
enum trace_probe_role {
    TRACE_PROBE_RECORDED = 1, /* they have records */
    TRACE_PROBE_TARGET = 2,   /* they are the target of experiments */
    TRACE_PROBE_PROGRESS = 4  /* each is a unit of work */
};

/* What a target is: calls of functions, by their probes; waits of a class that no thread ends; code, by steps that come
 * upon it; what is done while a lock is held, by the probes of who takes it. */
enum trace_delay_kind {
    TRACE_DELAY_CALLS = 0,
    TRACE_DELAY_WAITS = 1,
    TRACE_DELAY_CODE = 2,
    TRACE_DELAY_LOCK = 3
};
enum trace_wait_class { TRACE_WAIT_DISK = 1, TRACE_WAIT_NETWORK = 2, TRACE_WAIT_TIMER = 4 };

/* Code of an object, by the addresses of its file. */
struct trace_delays_code {
    uint64_t from, until;
    uint32_t object, spare; /* index of its path */
};

/* So many intervals of a window may be open at once, and so many processes may be told of. */
enum {
    TRACE_DELAYS_OPEN = 4096,
    TRACE_DELAYS_MEMBERS = 1024,
    TRACE_DELAYS_RELEASES = 512,
    TRACE_DELAYS_PROCESSORS = 256
};
/* Of code that no probe tells of, the threads' time on processors is sampled so often: each takes some 16 us, and 250 us would
 * be 6 % of what is computed, and none of what sleeps, which then seems the smaller part. */
enum { TRACE_DELAYS_SAMPLE_NS = 1000000 };
/* A target has so many pieces of code at the most, in so many objects. */
enum { TRACE_DELAYS_CODE = 256, TRACE_DELAYS_OBJECTS = 8, TRACE_DELAYS_PATH = 256 };
/* Units of work that no probe tells of begin in so many places of code at the most. */
enum { TRACE_DELAYS_PLACES = 4, TRACE_DELAYS_NAME_BYTES = 64 };

/* The latest release of the objects that have the same address bits 3 to 11: its time, and what its thread had
 * waited. */
struct trace_delays_release {
    uint64_t ticks; /* 0: it is just being changed */
    uint64_t delay_ns, object;
};

struct trace_delays {
    char magic[8];
    uint32_t version;
    uint32_t bytes; /* of this */

    /* Set by who experiments, before `epoch`. */
    _Alignas(64) uint32_t epoch; /* number of the experiment, from 1; 0: none yet */
    uint32_t share;   /* of the target's time that all others wait, of TRACE_EXPERIMENT_WHOLE */
    uint32_t target;  /* number of the target */
    uint32_t kind;    /* enum trace_delay_kind */
    uint32_t classes; /* of WAITS: enum trace_wait_class, several */
    uint32_t code_count, object_count; /* of CODE */
    uint32_t counting;                 /* intervals that begin now are of the window */
    uint32_t pay_ns;                   /* no smaller debt is waited for */
    uint32_t step_ns; /* a call of the target tells of its time so often; 0: when it ends */
    uint32_t
        noted; /* not 0: the target's time, and waits for sockets, have records (struct trace_spent) */
    uint32_t peers; /* not 0: what comes by sockets comes from processes of the run */

    /* Changed by the processes. */
    _Alignas(64) uint64_t granted_ns;
    _Alignas(64) uint64_t target_ns; /* time of the target */
    uint64_t calls;                  /* of the target, that ended */
    uint64_t squares_us2;            /* their lengths squared, summed */
    _Alignas(64) uint64_t begun;     /* intervals */
    uint64_t ended;
    uint64_t visits;         /* units of work */
    uint64_t counted;        /* intervals of windows that began */
    uint64_t open;           /* of these, that have not ended */
    uint64_t untold;         /* for which there was no room */
    uint64_t paid_ns;        /* waited, by all threads together */
    uint64_t over_ns;        /* of it more than was asked for */
    uint64_t steps;          /* that came */
    uint64_t steps_refused;  /* processes whose calls tell of their time only when they end */
    uint64_t places_watched; /* processes that are told when they come to `places` */
    uint64_t places_refused; /* and those that the kernel refuses it */
    uint64_t places_lost;    /* and those that have closed its descriptors, or taken its signal */
    uint64_t place_ns;       /* that a thread is stopped for at each; 0: not known */
    uint64_t place_gaps;     /* from one of a thread's visits to its next one */
    uint64_t place_gaps_ns;  /* and how long they were together */
    uint32_t place_error;    /* errno: why the kernel refused it; 0: it did not */
    uint32_t spare;
    uint64_t member_count;                  /* processes */
    uint32_t members[TRACE_DELAYS_MEMBERS]; /* their ids */
    uint64_t open_keys[TRACE_DELAYS_OPEN];
    struct trace_delays_code code[TRACE_DELAYS_CODE];
    char objects[TRACE_DELAYS_OBJECTS][TRACE_DELAYS_PATH]; /* paths, as the kernel has them */
    struct trace_delays_release releases[TRACE_DELAYS_RELEASES];
    /* What the thread had waited that was seen last on that processor; several may share a place. */
    uint64_t processors[TRACE_DELAYS_PROCESSORS];

    /* Set before the program begins: where a unit of work begins that no probe tells of, by `from`, and its name. */
    struct trace_delays_code places[TRACE_DELAYS_PLACES];
    char place_objects[TRACE_DELAYS_PLACES][TRACE_DELAYS_PATH]; /* of each */
    char place_name[TRACE_DELAYS_NAME_BYTES];
    uint32_t place_count;
    uint32_t sampled; /* not 0: some target is code */
};

static inline struct trace_delays_release *trace_delays_slot(struct trace_delays *delays,
                                                             uint64_t object)
{
    return &delays->releases[object >> 3 & (TRACE_DELAYS_RELEASES - 1)];
}

#endif
