/* step.h - a thread is told each time that it has run for so long, while it runs.
 *
 *     step_start(on_step);        before the process has a second thread
 *     step_every(250000);         each of its threads calls on_step() after each 250 us that it has
 *                                 had of a processor
 *
 * The kernel counts a thread's time (perf_event_open, task clock) and sends it a trap (trap.h). Threads that are made
 * later have their own count of themselves. Where the program takes that signal for itself there are no more steps from
 * the next step_every() on, and those until then are the program's to handle.
 */
#ifndef RUNTIME_STEP_H
#define RUNTIME_STEP_H

#include <stdbool.h>
#include <stdint.h>

struct step {
    uint32_t length_ns;
    uintptr_t at;    /* the instruction that the thread was at */
    uintptr_t frame; /* what its frame pointer would be */
    uintptr_t stack; /* its stack pointer */
    uintptr_t link;  /* its link register; 0: the processor has none */
};

/* The second time nothing is done. `take` is called in a handler that no other signal interrupts. False: the kernel refuses. */
bool step_start(void (*take)(const struct step *step));
/* 0: no more. Of those lengths that there are, the nearest that is not longer, else the shortest. */
void step_every(uint32_t ns);
/* The child of a fork calls this: what it has is its parent's. */
void step_forked(void);

#endif
