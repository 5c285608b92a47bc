/* sim_machine.h - runs a case: threads, locks and queues in the order of time.
 *
 *     struct book book;
 *     sim_machine_run(&c, "run", &book);      writes run/100.vtr, ...; the book knows the answer
 *
 * Always the thread with the earliest clock acts next. Whoever must wait is woken by what another
 * does, so that it is known who ended each wait. Everything that one could see in a trace is
 * written into one, as the runtime would have.
 */
#ifndef TESTS_SIM_MACHINE_H
#define TESTS_SIM_MACHINE_H

#include "sim_book.h"
#include "sim_case.h"

/* The functions that a case can call: six with a body, a few without, in this order. */
enum {
    SIM_FUNCTIONS = 6,
    SIM_LOCKS = 3,
    SIM_PROBE_FUNCTION = 1, /* and every second one from here on */
    SIM_PROBE_BODY_CALL,    /* the call of such a function */
    SIM_PROBE_CALL = SIM_PROBE_FUNCTION + 2 * SIM_FUNCTIONS,
    SIM_PROBE_LOCK = SIM_PROBE_CALL + SIM_LOCKS, /* and every second one */
    SIM_PROBE_UNLOCK,
    SIM_PROBE_PUSH = SIM_PROBE_LOCK + 2 * SIM_LOCKS,
    SIM_PROBE_POP,
    SIM_PROBE_INDIRECT,
    SIM_CALLS = 2 * SIM_FUNCTIONS + 2 * SIM_LOCKS + 1 /* what `call` can mean */
};
extern const char *const sim_function_name[SIM_FUNCTIONS];
extern const char *const sim_call_name[SIM_LOCKS];
extern const char *const sim_lock_name[SIM_LOCKS];
extern const char *const sim_unlock_name[SIM_LOCKS];

/* Files are <prefix><pid>.vtr; `prefix` may end with a slash. The book is the caller's to release.
 */
void sim_machine_run(const struct sim_case *c, const char *prefix, struct book *book);

#endif
