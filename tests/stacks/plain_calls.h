/* plain_calls.h - the calls that moments show, found in another way than stacks/sighted_call.h: for each
 * call of each moment it is asked where it began and where it ends, by comparing names of functions.
 */
#ifndef TESTS_STACKS_PLAIN_CALLS_H
#define TESTS_STACKS_PLAIN_CALLS_H

#include "stacks/sighted_call.h"

/* How many calls are not as the list says, or are missing from it; says the first one. */
int plain_calls_differ(const struct sighted_calls *calls, const struct context_tree *tree,
                       const struct stack_moment *moments, size_t count, time_ns begin,
                       time_ns end);

#endif
