/* plan.h - which text goes where: facts, a choice and declarations turned into edits and probes.
 *
 *     struct plan plan;
 *     plan_build(&plan, &facts, &choice, &resolved);
 *     plan.files[f].edits                       for edit_apply
 *     plan_release(&plan);
 *
 * Pure and deterministic: every place that could get a probe has its number, whether it is chosen
 * or not, so a wider choice leaves the text of the other files as it was. Probes of places that
 * are not chosen are PROBE_NONE. Owns everything; borrows the facts' strings.
 */
#ifndef REWRITER_PLAN_H
#define REWRITER_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "rewriter/choice.h"
#include "rewriter/edit.h"
#include "rewriter/facts.h"
#include "rewriter/resolve.h"
#include "rewriter/skip.h"
#include "trace/function_table.h"

struct plan_file {
    struct edit *edits;
    uint32_t edit_count;
    uint32_t edit_capacity;
    uint32_t sync_edit_count; /* of these, those that only name calls of synchronization */
    const char *lines;        /* that go on top of the file, "" */
};

struct plan {
    struct arena arena;
    struct plan_file *files; /* by file of the facts */
    uint32_t file_count;
    struct probe_info *probes;
    uint32_t probe_count;
    uint32_t place_count; /* more than any probe's number, whatever is chosen */
    struct rewriter_skip *skips;
    uint32_t skip_count;
    uint32_t skip_capacity;
};

void plan_build(struct plan *plan, const struct facts *facts, const struct rewrite_choice *choice,
                const struct resolved *resolved);
void plan_skip(struct plan *plan, const char *file, uint32_t line, const char *name,
               const char *reason);
void plan_release(struct plan *plan);

#endif
