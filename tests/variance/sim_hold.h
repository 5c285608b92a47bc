/* sim_hold.h - who had what, moment by moment, and whose wakes were in vain.
 *
 * A lock is had from when the thread goes on with it to when it gives it back, a unit of a
 * semaphore in the same way where the thread that posts had taken one before; who gives what it
 * never took had it always. Nothing here goes backwards from the end of a wait, as the analysis
 * does.
 */
#ifndef TESTS_SIM_HOLD_H
#define TESTS_SIM_HOLD_H

#include "sim_world.h"

/* The thread has `o` from now on; `operation` tells a lock from a semaphore. */
void sim_take(struct machine *m, const struct thread *t, const struct object *o,
              unsigned operation);
void sim_give(struct machine *m, const struct thread *t, const struct object *o, unsigned operation,
              int site);
/* It did so without a wait; recorded while somebody waits. */
void sim_emit_taking(struct machine *m, struct thread *t, const struct object *o, uint64_t address,
                     unsigned operation, int site);

/* A wait that is over, of `o` or NULL. Its last `again` goes on with the wait before. */
struct sim_told {
    const struct object *o;
    uint64_t address;
    unsigned operation;
    int from, to, site;
    struct release ended;
    bool again;
};
void sim_tell(struct machine *m, struct thread *t, const struct sim_told *told);
/* Its cells only. */
void sim_fill_told(struct machine *m, struct thread *t, const struct sim_told *told);
/* VPROF_FALSE_WAKEUP, of the latest wait; false: it can't be said of that one. */
bool sim_mark_false(struct machine *m, struct thread *t);
/* At the end of the run: what was in vain is the doing of who let the thread pass at last. */
void sim_resolve_false(struct machine *m);
void sim_hold_release(struct machine *m);

#endif
