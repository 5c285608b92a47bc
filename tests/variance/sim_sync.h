/* sim_sync.h - what threads wait for each other with, in the simulated machine.
 *
 * Each takes an operation of a case. False: at this moment it would not be certain what follows
 * from it; a moment later it is.
 */
#ifndef TESTS_SIM_SYNC_H
#define TESTS_SIM_SYNC_H

#include "sim_world.h"

bool sim_do_lock(struct machine *m, struct thread *t, const struct sim_op *op);
bool sim_do_unlock(struct machine *m, struct thread *t, const struct sim_op *op);
bool sim_do_rwlock(struct machine *m, struct thread *t, const struct sim_op *op);
bool sim_do_rwunlock(struct machine *m, struct thread *t, const struct sim_op *op);
bool sim_do_wait(struct machine *m, struct thread *t, const struct sim_op *op);
bool sim_do_post(struct machine *m, struct thread *t, const struct sim_op *op);
bool sim_do_cond_wait(struct machine *m, struct thread *t, const struct sim_op *op);
bool sim_do_await(struct machine *m, struct thread *t, const struct sim_op *op);
bool sim_do_signal(struct machine *m, struct thread *t, const struct sim_op *op);
bool sim_do_arrive(struct machine *m, struct thread *t, const struct sim_op *op);

/* It is the thread's turn to go on, or to try again. */
void sim_resume(struct machine *m, struct thread *t);
/* Who waits for what nobody will do any more is helped by a thread that comes for this only. */
void sim_help(struct machine *m, struct thread *t, struct thread *helper);

#endif
