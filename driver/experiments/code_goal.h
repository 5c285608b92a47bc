/* code_goal.h - where a target's code lies in the objects that a running program has mapped.
 *
 *     struct code_goal code = {.file = "parse.c", .from = 120, .until = 120};     or .function = "parse"
 *     code_goal_find(&code, pids, count, &error)
 *     code.ranges ... code.objects                      as trace/delay_format.h has them
 *     code_goal_release(&code);
 */
#ifndef DRIVER_EXPERIMENTS_CODE_GOAL_H
#define DRIVER_EXPERIMENTS_CODE_GOAL_H

#include <stddef.h>

#include "base/error.h"
#include "trace/delay_format.h"

struct code_goal {
    char *file; /* NULL: a function is meant */
    unsigned from, until;
    char *function;
    bool entries; /* of it only where calls begin; one byte each */
    struct trace_delays_code ranges[TRACE_DELAYS_CODE];
    char *objects[TRACE_DELAYS_OBJECTS]; /* paths; ranges name them by index */
    uint32_t count, object_count;
};

/* "parse.c:120" or "parse.c:120-124". NULL, with a sentence: it is neither. */
struct code_goal *code_goal_parse(const char *text, struct error *error);
struct code_goal *code_goal_of_function(const char *name);
/* Looks into what these processes may execute. False, with a sentence that says what is there: none of it has the code,
 * or what is named is not one file. What was found before is found again. */
bool code_goal_find(struct code_goal *goal, const uint32_t *pids, uint32_t count,
                    struct error *error);
/* The same of one file. */
bool code_goal_find_in(struct code_goal *goal, const char *path);
void code_goal_release(struct code_goal *goal); /* NULL is allowed */

#endif
