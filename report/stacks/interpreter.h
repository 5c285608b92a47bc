/* interpreter.h - programs whose own functions are not what their users wrote.
 *
 *     interpreter_is("python3.11")               true: functions of scripts have no stacks of their own
 *     interpreter_is("libpython3.11.so.1.0")     true, too
 */
#ifndef REPORT_STACKS_INTERPRETER_H
#define REPORT_STACKS_INTERPRETER_H

#include <stdbool.h>

#include "stacks/stacks.h"

bool interpreter_is(const char *object);
/* What ran and was off in calls of one, or below them; *object: whose it is mostly, or NULL. */
time_ns interpreter_time(const struct stacks *stacks, const char **object);
/* What ran in code that lies in no file and has no name. */
time_ns interpreter_unnamed(const struct stacks *stacks);

#endif
