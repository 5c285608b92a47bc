/* candidate_list.h - what is worth an experiment: the factors that `iterate` found.
 *
 *     struct candidate_list list = {0};
 *     candidate_list_read(&list, "vprofiler-out", &error)
 *     candidate_list_take(&list, &table, &targets)      what the program can be asked about
 *     candidate_list_release(&list);
 *
 * A factor is a function, or a call that waited: for a lock (then all that is done while it is held is the candidate), a
 * disk or a time (then such waits are), or something else (then its caller is).
 */
#ifndef DRIVER_EXPERIMENTS_CANDIDATE_LIST_H
#define DRIVER_EXPERIMENTS_CANDIDATE_LIST_H

#include "base/arena.h"
#include "base/error.h"
#include "driver/experiments/target_list.h"

/* Of more factors, the first are taken (chosen). */
enum { CANDIDATES_MOST = 5 };

struct candidate {
    const char *function;
    const char *object;      /* that it waited for, or NULL */
    const char *caller;      /* of most of its time, or NULL */
    const char *factor;      /* the function as the factor has it: "serve [body]" */
    const char *kind, *name; /* of the target that it is, once it is taken; NULL: of none */
};

struct candidate_list {
    struct arena arena;
    struct str result;                       /* the folder of the report */
    struct candidate items[CANDIDATES_MOST]; /* the first factor first */
    size_t count;
    /* Their functions, and callers; NULL at the end. */
    const char *names[2 * CANDIDATES_MOST + 1];
};

/* False: the path names no report, or one without factors. */
bool candidate_list_read(struct candidate_list *list, const char *path, struct error *error);
/* Adds them to the targets, each once; says of which it has nothing to experiment with. False: of none. */
bool candidate_list_take(struct candidate_list *list, const struct function_table *table,
                         struct target_list *targets, struct error *error);
void candidate_list_release(struct candidate_list *list);

#endif
