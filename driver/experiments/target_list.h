/* target_list.h - what is experimented with: functions of the program that the user named, by their probes.
 *
 *     struct target_list list = {0};
 *     target_list_add_function(&list, &table, "parse", &error)
 *     list.items[0].probes ...
 *     target_list_release(&list);
 */
#ifndef DRIVER_EXPERIMENTS_TARGET_LIST_H
#define DRIVER_EXPERIMENTS_TARGET_LIST_H

#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "driver/experiments/code_goal.h"
#include "trace/experiment.h"
#include "trace/function_table.h"

struct experiment_goal {
    const char *kind; /* "function", "line", "lock", "waits" */
    char *name;
    uint32_t delays;  /* enum trace_delay_kind */
    uint32_t classes; /* of waits */
    uint32_t *probes;
    size_t probe_count, probe_capacity;
    struct code_goal *code; /* that steps come upon, or NULL */
};

struct target_list {
    struct experiment_goal *items;
    size_t count, capacity;
    uint32_t *progress; /* probes of the function that is a unit of work */
    size_t progress_count, progress_capacity;
    struct code_goal *place; /* where its calls begin, if it has no probe; or NULL */
};

/* False, with a sentence that names near ones: the program has no such function, whether it carries a probe or not. */
bool target_list_knows(const struct function_table *table, const char *name, struct error *error);
/* What is added twice is there once. False, with a sentence that names near ones: the program has no probe in such a
 * function. */
bool target_list_add_function(struct target_list *list, const struct function_table *table,
                              const char *name, struct error *error);
/* The same of a program whose functions are not known: where its calls are is seen by steps, once it runs. */
void target_list_add_symbol(struct target_list *list, const char *name);
/* Lines of source: "parse.c:120", "parse.c:120-124". */
bool target_list_add_line(struct target_list *list, const char *place, struct error *error);
/* What is done while a lock is held, by the name that its locking calls give it: "queue.lock". */
bool target_list_add_lock(struct target_list *list, const struct function_table *table,
                          const char *name, struct error *error);
/* The waits of a class that no thread ends; one of target_wait_classes. */
extern const char *const target_wait_classes[];
bool target_list_add_waits(struct target_list *list, const char *name, struct error *error);
bool target_list_set_progress(struct target_list *list, const struct function_table *table,
                              const char *name, struct error *error);
/* Some target is told by steps that come upon it. */
bool target_list_has_code(const struct target_list *list);
/* Every probe's role while that goal is the target; `roles` has room for all probes. */
void target_list_roles(const struct target_list *list, size_t goal, unsigned char *roles,
                       uint32_t probe_count);
/* The text of a file's TARGETS chunk. */
void target_list_write(const struct target_list *list, const char *outside,
                       const struct experiment_plan *plan, struct str *out);
void target_list_release(struct target_list *list);

#endif
