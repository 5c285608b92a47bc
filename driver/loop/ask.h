/* ask.h - the question of the paper's loop: open this factor in the next round?
 *
 * It is asked on stderr and answered on stdin: Enter or y opens, n does not, q (or the end of the
 * input) opens nothing more.
 */
#ifndef DRIVER_LOOP_ASK_H
#define DRIVER_LOOP_ASK_H

#include <stdbool.h>

#include "driver/loop/refine_loop.h"

/* The factor is NULL for time outside every timed function. */
bool ask_to_open(const struct factor *factor, const struct proposal *proposal,
                 const struct function_table *table);

#endif
