#include "driver/runs/mended_file.h"

#include <jansson.h>

#include "driver/runs/result_file.h"
#include "report/kit/json_parts.h"

static const char schema[] = "vprofiler.mended/1";

bool mended_file_write(const char *result, const struct report_mending *mendings, uint32_t count,
                       struct error *error)
{
    json_t *file = json_object(), *factors = json_array();
    struct str text = {0};
    for (uint32_t i = 0; i < count; i++) {
        json_t *factor = json_object();
        json_set(factor, "function", json_text(mendings[i].function));
        json_set(factor, "object", json_text(mendings[i].object));
        json_set(factor, "sentence", json_text(mendings[i].text));
        json_push(factors, factor);
    }
    json_set(file, "schema", json_text(schema));
    json_set(file, "factors", factors);
    json_write(file, JSON_INDENT(1), &text);
    bool ok = result_file_write(result, "mended.json", &text, error);
    str_release(&text);
    return ok;
}

const struct report_mending *mended_file_read(struct arena *arena, const char *result,
                                              uint32_t *count)
{
    struct str path = {0};
    str_printf(&path, "%s/mended.json", result);
    json_t *file = json_load_file(path.data, 0, NULL), *factors = json_object_get(file, "factors");
    struct report_mending *mendings =
        ARENA_ARRAY(arena, struct report_mending, json_array_size(factors) + 1);
    size_t i;
    json_t *factor;
    *count = 0;
    json_array_foreach(factors, i, factor)
    {
        struct report_mending mending = {.function = result_file_text(arena, factor, "function"),
                                         .object = result_file_text(arena, factor, "object"),
                                         .text = result_file_text(arena, factor, "sentence")};
        if (mending.function && mending.text)
            mendings[(*count)++] = mending;
    }
    json_decref(file);
    str_release(&path);
    return *count ? mendings : NULL;
}
