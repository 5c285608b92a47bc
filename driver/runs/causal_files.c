#include "driver/runs/causal_files.h"

#include <string.h>

#include "base/memory.h"
#include "driver/runs/result_file.h"
#include "report/causal/causal_coz.h"
#include "report/causal/causal_report.h"
#include "report/kit/json_parts.h"

/* ---- where the targets stand ---- */

/* Of several functions of that name the first one that was timed. */
static const struct function_info *find(const struct function_table *table,
                                        const struct causal_target *target)
{
    if (!table || strcmp(target->kind, "function") != 0)
        return NULL;
    for (uint32_t i = 1; i < table->probe_count; i++) {
        const struct probe_info *probe = &table->probes[i];
        if (probe->kind == PROBE_FUNCTION &&
            strcmp(table->functions[probe->function].name, target->name) == 0)
            return &table->functions[probe->function];
    }
    return NULL;
}

static char *place_of(const struct function_table *table, const struct causal_target *target)
{
    const struct function_info *function = find(table, target);
    struct str place = {0};
    if (!function || !*function->file)
        return NULL;
    str_printf(&place, "%s:%u", function->file, function->line);
    return place.data;
}

/* ---- the files ---- */

static bool write_json(const struct causal_page *page, const char *folder, struct error *error)
{
    struct str text = {0};
    json_write(causal_json(page->causal, page->doubts), JSON_INDENT(1), &text);
    bool ok = result_file_write(folder, "causal.json", &text, error);
    str_release(&text);
    return ok;
}

static bool write_text(void (*write)(const struct causal_page *, struct str *),
                       const struct causal_page *page, const char *folder, const char *name,
                       struct error *error)
{
    struct str text = {0};
    write(page, &text);
    bool ok = result_file_write(folder, name, &text, error);
    str_release(&text);
    return ok;
}

bool causal_files_write(struct causal_page page, const struct function_table *table,
                        const char *folder, struct error *error)
{
    uint32_t count = page.causal->target_count;
    char **places = memory_zeroed(sizeof *places * count);
    for (uint32_t t = 0; t < count; t++)
        places[t] = place_of(table, &page.causal->targets[t]);
    page.places = (const char *const *)places;
    bool ok = write_json(&page, folder, error) &&
              write_text(causal_write_html, &page, folder, "causal.html", error) &&
              write_text(causal_write_coz, &page, folder, "profile.coz", error);
    for (uint32_t t = 0; t < count; t++)
        memory_free(places[t]);
    memory_free(places);
    return ok;
}
