#include "rewriter/spare_header.h"

#include <string.h>

enum { MOST_INCLUDERS = 8 }; /* that nothing else would change (chosen) */

/* Counts the main files that nothing else would change; 0 for a file that is compiled itself. */
static uint32_t includers_of(const struct plan *plan, const struct facts *facts, uint32_t header)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->unit_count; i++) {
        const struct fact_unit *unit = &facts->units[i];
        const struct plan_file *own = &plan->files[unit->file];
        if (unit->file == header)
            return 0;
        for (uint32_t k = 0; k < unit->include_count; k++)
            count += unit->includes[k] == header && own->edit_count == 0 && !*own->lines;
    }
    return count;
}

static void spare(struct plan *plan, const struct facts *facts, uint32_t header)
{
    plan->files[header].edit_count = 0;
    for (uint32_t i = 0; i < plan->probe_count; i++)
        if (strcmp(plan->probes[i].file, facts->files[header].path) == 0)
            plan->probes[i] =
                (struct probe_info){.function = FUNCTION_NONE, .within = FUNCTION_NONE, .file = ""};
}

void spare_headers(struct plan *plan, const struct facts *facts)
{
    for (uint32_t i = 0; i < facts->file_count; i++) {
        const struct plan_file *file = &plan->files[i];
        if (file->edit_count > 0 && file->edit_count == file->sync_edit_count && !*file->lines &&
            includers_of(plan, facts, i) > MOST_INCLUDERS)
            spare(plan, facts, i);
    }
}
