#include "driver/commands/mended_report.h"

#include <jansson.h>
#include <string.h>

#include "driver/cli/talk.h"
#include "driver/runs/mended_file.h"
#include "driver/runs/run_set.h"

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* NULL: nothing is told of the target. */
static const char *sentence_of(const json_t *causal, const struct candidate *candidate)
{
    size_t i;
    json_t *target;
    json_array_foreach(json_object_get(causal, "targets"), i, target)
    {
        if (strcmp(text_of(target, "kind"), candidate->kind) == 0 &&
            strcmp(text_of(target, "name"), candidate->name) == 0)
            return json_string_value(json_object_get(target, "sentence"));
    }
    return NULL;
}

static bool write_again(const char *result, struct error *error)
{
    const char *const paths[] = {result, NULL};
    const struct run_set_options options = {.paths = paths, .words = "vprofiler report"};
    struct run_set set = {0};
    bool ok = run_set_open(&set, &options, error) && outcome_write(&set.outcome, result, error);
    run_set_release(&set);
    return ok;
}

void mended_report_write(const struct candidate_list *candidates, const char *causal_result)
{
    struct report_mending mendings[CANDIDATES_MOST];
    struct str path = {0};
    struct error error;
    uint32_t count = 0;
    str_printf(&path, "%s/causal.json", causal_result);
    json_t *causal = json_load_file(path.data, 0, NULL);
    for (size_t i = 0; i < candidates->count; i++) {
        const struct candidate *one = &candidates->items[i];
        const char *sentence = one->kind ? sentence_of(causal, one) : NULL;
        if (sentence)
            mendings[count++] = (struct report_mending){one->factor, one->object, sentence};
    }
    const char *result = str_text(&candidates->result);
    if (count && mended_file_write(result, mendings, count, &error) && write_again(result, &error))
        talk("%s/report.html says beside %u of its factors what mending them would bring", result,
             count);
    else if (count)
        talk("the report of %s does not say what mending its factors would bring: %s", result,
             error.message);
    json_decref(causal);
    str_release(&path);
}
