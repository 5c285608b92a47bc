/* request_values.h - between which points of a program its requests lie, from a command line.
 *
 *     static const struct option_spec options[] = {REQUEST_OPTIONS(AT(requests)), ...};
 *
 *     struct point_plan plan = {0};
 *     if (request_values_plan(&values.requests, "./server", &plan, &error)) ...   plan.point_count 0: none
 */
#ifndef DRIVER_COMMANDS_REQUEST_VALUES_H
#define DRIVER_COMMANDS_REQUEST_VALUES_H

#include "base/error.h"
#include "driver/cli/option.h"
#include "sampler/point_plan.h"

struct request_values {
    const char *const *intervals, *const *probes; /* end with NULL; NULL: none */
    const char *begin, *end, *id;
    bool descriptor;
    bool whole; /* needs no points */
};

#define REQUEST_OPTIONS(at)                                                                        \
    OPTION("interval", TEXT, (at) + offsetof(struct request_values, intervals), "FUNCTION", NULL,  \
           "each call of it is a request; FUNCTION@FILE is one of a library or another program",   \
           .repeatable = true),                                                                    \
        OPTION("begin", TEXT, (at) + offsetof(struct request_values, begin), "F", NULL,            \
               "a request begins where this function is called, or returns (F%return), and ends "  \
               "at --end"),                                                                        \
        OPTION("end", TEXT, (at) + offsetof(struct request_values, end), "G", NULL,                \
               "a request ends where this one is called, or returns (G%return)"),                  \
        OPTION("id", TEXT, (at) + offsetof(struct request_values, id), "N[,M]", NULL,              \
               "by which argument of --begin, and of --end, a request is told, across threads; "   \
               "otherwise by its thread"),                                                         \
        OPTION("usdt", TEXT, (at) + offsetof(struct request_values, probes),                       \
               "PROVIDER:NAME[,END]", NULL, "requests lie between these static probes",            \
               .repeatable = true),                                                                \
        FLAG("descriptor", (at) + offsetof(struct request_values, descriptor),                     \
             "a request lies between what is read from a socket and what is written to it then"),  \
        FLAG("whole", (at) + offsetof(struct request_values, whole),                               \
             "each process of the run is a request, from its beginning to its end")

/* Whether points are to be watched. */
bool request_values_any(const struct request_values *values);
/* Adds what is asked for. */
bool request_values_take(const struct request_values *values, struct point_wishes *wishes,
                         struct error *error);
/* The plan is empty where no requests are asked for, and after an error; release it either way. */
bool request_values_plan(const struct request_values *values, const char *program,
                         struct point_plan *plan, struct error *error);

#endif
