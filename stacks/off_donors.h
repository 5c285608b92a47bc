/* off_donors.h - where a thread may have been in a time off whose stack was not recorded: where it was in others like it.
 *
 *     off, for the disk       serve, commit, fsync        recorded
 *     off, for the disk       ?                           likely serve, commit, fsync
 *     off, for thread 9       serve, lock                 recorded
 *
 *     struct off_donors donors = {0};
 *     off_donors_add(&donors, &offs[i], node); ...                     of one thread, those that were recorded
 *     off_donors_sort(&donors);
 *     uint32_t like = off_donors_find(&donors, tree, &offs[k], known);
 *     off_donors_release(&donors);
 *
 * Like it is the nearest in time that was for the same cause and by the same waker, else for the same cause. It must
 * be below `known`, the calls that are known of the time around. One off in so many is recorded, whatever its stack
 * is: in many requests each call so has its part, though in a single one it is a guess (a hot deck: Andridge and
 * Little, A review of hot deck imputation for survey non-response, 2010).
 */
#ifndef STACKS_OFF_DONORS_H
#define STACKS_OFF_DONORS_H

#include "stacks/context_tree.h"
#include "trace/off_cpu.h"

struct off_donor {
    uint64_t kind; /* cause << 32 | waker, or cause alone */
    time_ns time;
    uint32_t node;
};

struct off_donors {
    struct off_donor *items; /* each off twice, by either kind */
    size_t count, capacity;
};

void off_donors_add(struct off_donors *donors, const struct off_cpu *off, uint32_t node);
void off_donors_sort(struct off_donors *donors);
/* CONTEXT_NONE: there is none like it. */
uint32_t off_donors_find(const struct off_donors *donors, const struct context_tree *tree,
                         const struct off_cpu *off, uint32_t known);
void off_donors_release(struct off_donors *donors);

#endif
