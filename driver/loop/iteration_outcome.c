#include "driver/loop/iteration.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/utf8.h"
#include "driver/cli/talk.h"
#include "driver/runs/outcome.h"

enum { HEADLINE_COLUMNS = 48 }; /* of each name in it */

static void fill_report(struct iteration *it, const struct round_result *result, bool last,
                        struct report *report)
{
    report->rounds = it->round;
    report->going_on = !last;
    report->most_rounds = it->options->max_rounds;
    report->top = it->options->k;
    report->threshold = it->options->threshold;
    report->functions_timed = refine_loop_timed_count(&it->loop);
    report->origin =
        (struct report_origin){.command = json_string_value(it->state.typed),
                               .commit = *it->commit ? it->commit : NULL,
                               .compiler = it->db.count ? it->db.commands[0].arguments[0] : NULL,
                               .host = it->host,
                               .clock = result->run.clock,
                               .date = it->date};
}

/* The names are in the order of the table; the caller frees the list. */
static const char **hot_names(const struct iteration *it)
{
    const struct function_table *table = rewriter_table(it->rewriter);
    const char **names = memory_zeroed((refine_loop_hot_count(&it->loop) + 1) * sizeof *names);
    uint32_t count = 0;
    for (uint32_t i = 0; i < table->function_count; i++)
        if (it->loop.hot[i])
            names[count++] = table->functions[i].name;
    return names;
}

/* Writes what the rewriter left out; `missed` counts what of that is worth a warning. */
static bool write_skips(struct iteration *it, const char *folder, uint32_t *missed,
                        struct error *error)
{
    uint32_t count;
    struct str text = {0}, shown = {0}, path = {0};
    const struct rewriter_skip *skips = rewriter_skips(it->rewriter, &count);
    for (uint32_t i = 0; i < count; i++)
        *missed += !skips[i].quiet;
    for (uint32_t i = 0; i < count; i++)
        str_printf(&text, "%s:%u: %s: %s\n", skips[i].file, skips[i].line, skips[i].name,
                   skips[i].reason);
    path_join(&path, folder, "skips.txt");
    utf8_printable(&shown, str_text(&text), true);
    bool ok = file_write(path.data, str_text(&shown), shown.length, error);
    str_release(&text);
    str_release(&shown);
    str_release(&path);
    return ok;
}

bool iteration_write_outcome(struct iteration *it, struct round_result *result, bool last,
                             struct error *error)
{
    struct str folder = {0};
    const char **hot = hot_names(it);
    struct outcome outcome = {.first = &it->state.first,
                              .probed = &it->probed,
                              .moving = it->options->live,
                              .hot = hot,
                              .hot_count = refine_loop_hot_count(&it->loop)};
    if (it->stopped.length)
        outcome.stopped = it->stopped.data;
    outcome_begin(&outcome, &result->run, rewriter_table(it->rewriter), &result->shown);
    fill_report(it, result, last, &outcome.report);
    outcome_tell(&outcome, &result->results);
    bool ok = (last ? (path_join(&folder, it->workdir.root.data, "."), true)
                    : workdir_round(&it->workdir, it->round, ".", &folder, error));
    ok = ok && write_skips(it, folder.data, &outcome.skipped, error);
    if (ok)
        outcome_judge(&outcome);
    ok = ok && outcome_write(&outcome, folder.data, error);
    if (ok && last) {
        talk_pause();
        outcome_print(&outcome, it->options->json);
    }
    outcome_release(&outcome);
    str_release(&folder);
    memory_free(hot);
    return ok;
}

/* The round's headline is that of its report: the same sentence, figure and scale. */
static void talk_headline(struct iteration *it, const struct round_result *result)
{
    struct outcome outcome = {0};
    struct str text = {0};
    outcome_begin(&outcome, &result->run, rewriter_table(it->rewriter), &result->shown);
    fill_report(it, result, false, &outcome.report);
    outcome_tell(&outcome, &result->results);
    report_write_headline(&outcome.report, HEADLINE_COLUMNS, outcome_terminal_style().utf8, &text);
    talk("    %s", str_text(&text));
    talk_best(str_text(&text));
    str_release(&text);
    outcome_release(&outcome);
}

void iteration_talk_found(struct iteration *it, const struct round_result *result)
{
    const struct interval_summary *intervals = &result->variance->tree.intervals;
    talk("[%u] %llu intervals of %s, standard deviation %s", it->round,
         (unsigned long long)intervals->count, number_ns(intervals->mean_ns, false).text,
         number_ns(intervals->stddev_ns, false).text);
    talk_headline(it, result);
}
