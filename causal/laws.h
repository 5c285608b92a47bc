/* laws.h - does virtual time run forward in a run that was experimented with?
 *
 * Within an experiment a thread's virtual time never goes back, and an interval that is handed on
 * begins on the other thread no earlier than it was left.
 * A debt below a tenth of a millisecond is put off: by so much it may seem to go back. Lines, and functions without a
 * probe, are known by samples, and what one grants was spent since the one before.
 */
#ifndef CAUSAL_LAWS_H
#define CAUSAL_LAWS_H

#include "causal/causal_sample.h"
#include "trace/delay_format.h"

#define CAUSAL_LET_PASS_NS 101000
#define CAUSAL_LET_PASS_SAMPLED_NS (CAUSAL_LET_PASS_NS + TRACE_DELAYS_SAMPLE_NS)

/* A thread's virtual time, or that of a hand-over, must not go back. */
struct causal_laws {
    uint64_t marks, backwards; /* of threads' annotations, one after the other */
    uint64_t handed, early;    /* intervals that ended on another thread than they began on */
    double worst_ns;           /* by how much at the most */
};

struct causal_laws causal_laws_of(const struct timelines *run);

#endif
