/* point_plan.h - which places of which files are watched, so that a user's wishes are known.
 *
 *     struct point_plan plan;
 *     if (point_plan_make(&plan, &wishes, "/usr/sbin/server", &error)) ...   before the program starts
 *         plan.points     1: wish 1, ENTER, "handle_request"   2: wish 1, LEAVE, "handle_request"
 *         plan.places     server + 0x1130: point 1             server + 0x11a2, + 0x11c8: point 2
 *         plan.notes      "handle_request is left where a register says: ..."
 *     point_plan_release(&plan);
 *
 * Needs no right but to read the files.
 */
#ifndef SAMPLER_POINT_PLAN_H
#define SAMPLER_POINT_PLAN_H

#include "base/str.h"
#include "sampler/point_operand.h"
#include "sampler/point_wish.h"
#include "trace/trace_format.h"

/* What hits of it are, as the trace has it. */
struct planned_point {
    uint32_t wish;  /* from 1 */
    uint8_t role;   /* enum trace_point_role */
    uint8_t joined; /* enum trace_point_joined */
    char *name;     /* owned */
};

/* An instruction. */
struct point_place {
    const char *file;     /* the plan's */
    uint64_t offset;      /* in it */
    uint64_t counter;     /* where a static probe counts those who watch it; 0: nowhere */
    bool by_kernel;       /* the function that begins there returns: the kernel's return probe */
    uint32_t point;       /* index in the plan's points */
    uint32_t stack_bytes; /* of the stack that must come with a hit */
    struct point_operand operand;
};

struct point_plan {
    struct planned_point *points;
    size_t point_count, point_capacity;
    struct point_place *places;
    size_t place_count, place_capacity;
    char **files; /* paths */
    size_t file_count, file_capacity;
    double share; /* of a processor that hits of measured calls may take; 0: all they need */
    uint32_t descriptors; /* the wish, or 0: calls on descriptors are watched */
    struct str notes;     /* sentences: what is not as exact, or as harmless, as it could be */
};

/* `program` is the file that functions are looked for in; of a process that runs it may be
 * /proc/PID/exe, which is the right one also where another one has its name now. ERROR_USAGE: a wish
 * names what is not there. The plan is empty then. */
bool point_plan_make(struct point_plan *plan, const struct point_wishes *wishes,
                     const char *program, struct error *error);
void point_plan_release(struct point_plan *plan);

#endif
