/* sites.h - the instructions in the program's code by which its probes are switched.
 *
 *     off   a9 <d>   test $d, %eax        on   e8 <d>   call, or e9 <d>   jmp stub
 *
 * as rewriter/site.h puts them there.
 *
 * Whoever switches probes sets their bytes in the file of switches and then moves the file's
 * generation on. Each process changes its own code when it notices: sites_check() stands where
 * intervals begin and end, and behind waits. The first thread there does the work, the others go
 * on: a single byte is changed, so they execute the site as it was or as it is. The code is one
 * that the processes share (code.h); where that can't be, the process writes to its own. When it is
 * through, that moment goes into its trace file: only intervals that begin later have all their
 * calls.
 *
 * No locks, no allocation after the start; errno is kept; signal-safe.
 */
#ifndef RUNTIME_SITES_H
#define RUNTIME_SITES_H

#include <stdbool.h>
#include <stdint.h>

/* An object's table has these, from its `begin` to its `end`. */
struct site {
    int32_t distance; /* from here to the site */
    uint32_t word;    /* probe << 2 | enum site_kind, and SITE_HAS_STUB; 0: no site */
};
#define SITE_HAS_STUB (UINT32_C(1) << 31)
enum site_kind { SITE_ENTER, SITE_LEAVE, SITE_TARGET, SITE_AGAIN };

/* An object's sites call these, by kinds (site_hit.h). */
struct site_hooks {
    void (*enter)(void);
    void (*leave)(void);
    void (*other)(void);
    unsigned long attached;
};

/* A linked object has sites from `begin` to `end`, and they call what `hooks` says, which becomes
 * what `given` returns. A second call for the same object changes nothing. */
void sites_add(const struct site *begin, const struct site *end, struct site_hooks *hooks,
               struct site_hooks (*given)(void));

struct trace_control;

/* Byte n of the switches is probe n's. They never change where `header` is NULL. */
void sites_use(const unsigned char *switches, uint64_t count, const struct trace_control *header);

bool sites_have_switches(void);

/* Nobody switched ever: calls that are left were entered with their sites on. */
bool sites_are_as_begun(void);

/* The file of switches has the probe on; the code may not be changed yet. */
bool sites_are_wanted(uint32_t probe);

/* All objects that were there at the start have been added. */
void sites_start(void);

/* Objects that are added after this call may be unloaded. */
void sites_program_started(void);

/* The child of a fork calls this. */
void sites_forked(void);

/* Sites, marks and waits look at this first, in one line of memory: since the last one, a server's
 * other work has most often emptied the caches. */
struct sites_now {
    const uint32_t *generation; /* of the file */
    const uint32_t *rest;       /* the same: not 0 while it rests */
    long self;                  /* from the thread pointer to a thread's struct vprof_thread_1 */
    uint32_t applied;           /* the generation that the code is of */
    /* The epoch is odd while the code is being changed, and another one after it: a call that was
     * entered in another epoch than it is left in has no record. */
    uint32_t epoch;
    const unsigned char *switches; /* of the file; NULL: there is none */
    uint64_t count;                /* of them */
} __attribute__((aligned(64)));
extern struct sites_now sites_now;

/* What the file of switches says of the probe: enum trace_probe_role, several. */
static inline unsigned sites_role(uint32_t probe)
{
    return probe < sites_now.count ? __atomic_load_n(&sites_now.switches[probe], __ATOMIC_RELAXED)
                                   : 0;
}

void sites_update(void);

/* No round is on: marks, tasks, waits and releases need no record. The rest ends for all processes
 * at once, before the intervals of the next round count. */
static inline bool sites_resting(void)
{
    return __atomic_load_n(sites_now.rest, __ATOMIC_RELAXED) != 0;
}

static inline bool sites_are_old(void)
{
    return __atomic_load_n(sites_now.generation, __ATOMIC_RELAXED) !=
           __atomic_load_n(&sites_now.applied, __ATOMIC_RELAXED);
}

static inline void sites_check(void)
{
    if (__builtin_expect(sites_are_old(), 0))
        sites_update();
}

#endif
