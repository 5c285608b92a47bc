/* compare_waits.h - `vprofiler compare` of two results in which nothing but waits was recorded. */
#ifndef DRIVER_COMMANDS_COMPARE_WAITS_H
#define DRIVER_COMMANDS_COMPARE_WAITS_H

#include "driver/commands/compare_output.h"

/* Both are such. */
bool compare_waits_applies(const char *const paths[2]);
/* As text or JSON; nothing else can be had of waits. */
bool compare_waits(const char *const paths[2], const struct compare_output *output,
                   struct error *error);

#endif
