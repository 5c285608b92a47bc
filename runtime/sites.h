/* sites.h - the places in the program's code where a live program's probes are switched.
 *
 *     off   a9 <d>   test $d, %eax        on   e9 <d>   jmp stub        (rewriter/site.h)
 *
 * Whoever switches probes sets their bytes in the file of switches and then moves the file's
 * generation on. Each process changes its own code when it notices: sites_check() stands where
 * intervals begin and end, and behind waits. The first thread there does the work, the others go
 * on: a single byte is changed, so they run the site as it was or as it is. When the process is
 * through, that moment goes into its trace file: only intervals that begin later have all their
 * calls.
 *
 * No locks, no allocation after the start; errno is kept; signal-safe.
 */
#ifndef RUNTIME_SITES_H
#define RUNTIME_SITES_H

#include <stdbool.h>
#include <stdint.h>

/* One of an object's table; `begin` and `end` are those of the table. */
struct site {
    int32_t distance; /* from here to the site */
    uint32_t word;    /* probe << 2 | enum site_kind; 0: no site */
};
enum site_kind { SITE_ENTER, SITE_LEAVE, SITE_TARGET, SITE_AGAIN };

/* A linked object's sites and the place where its stubs look for the runtime. Once for each. */
void sites_add(const struct site *begin, const struct site *end, void (**hook)(void));

/* The switches: byte n is probe n's. `generation` null: they never change. */
void sites_use(const unsigned char *switches, uint64_t count, const uint32_t *generation);

bool sites_have_switches(void);

/* After all objects were added. */
void sites_start(void);

/* In the child of a fork. */
void sites_forked(void);

extern const uint32_t *sites_generation; /* of the file */
extern uint32_t sites_applied;           /* the generation that the code is of */
/* Odd while the code is being changed, and another one after it: a call that was entered in another
 * epoch than it is left in has no record. */
extern uint32_t sites_epoch;

void sites_update(void);

static inline void sites_check(void)
{
    if (__builtin_expect(*sites_generation != sites_applied, 0))
        sites_update();
}

#endif
