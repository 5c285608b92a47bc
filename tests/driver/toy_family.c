/* A family of analyses, whole: how many intervals ended on each thread, and on how many threads. It
 * is registered in vprofiler_toy alone; nothing elsewhere knows of it. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/family_variance.h"
#include "report/kit/html_parts.h"
#include "report/kit/json_parts.h"
#include "report/kit/terminal.h"

extern const struct family family_toy;

const struct family *const families[] = {&family_variance, &family_toy, NULL};

struct toy {
    const struct timelines *run;
    uint32_t *ended; /* by thread */
    uint32_t threads, intervals;
};

/* ---- what it finds ---- */

static void *analyze(const struct family_input *input, struct error *error)
{
    struct toy *toy = memory_zeroed(sizeof *toy);
    toy->run = input->run;
    toy->ended = memory_zeroed(sizeof *toy->ended * (input->run->thread_count + 1));
    for (uint32_t i = 0; i < input->run->interval_count; i++)
        if (input->run->intervals[i].complete)
            toy->ended[input->run->intervals[i].end_thread]++;
    for (uint32_t t = 0; t < input->run->thread_count; t++) {
        toy->threads += toy->ended[t] > 0;
        toy->intervals += toy->ended[t];
    }
    if (toy->intervals)
        return toy;
    memory_free(toy->ended);
    memory_free(toy);
    error_set(error, ERROR_NOTHING, "No interval ended.");
    return NULL;
}

static const char *check(const void *result)
{
    const struct toy *toy = result;
    return toy->threads <= toy->intervals ? NULL : "more threads than intervals";
}

static void judge(const void *result, const struct report *report, const struct family_input *input,
                  struct doubts *doubts)
{
    const struct toy *toy = result;
    (void)report;
    if (toy->threads == 1 && input->run->thread_count > 1)
        doubts_add(doubts, DOUBT_OF_MARKS, "one-thread", "All intervals ended on one thread of %u.",
                   input->run->thread_count);
}

static void release(void *result)
{
    struct toy *toy = result;
    memory_free(toy->ended);
    memory_free(toy);
}

/* ---- how it is told ---- */

static void append_sentence(const struct toy *toy, struct str *out)
{
    str_printf(out, "%u intervals ended on %u threads.", toy->intervals, toy->threads);
}

static void write_text(const struct report *report, const void *result, struct terminal *terminal)
{
    struct str text = {0};
    (void)report;
    append_sentence(result, &text);
    terminal_wrap(terminal, "  ", text.data);
    terminal_end_line(terminal);
    str_release(&text);
}

static void write_json(const struct report *report, const void *result, json_t *into)
{
    const struct toy *toy = result;
    (void)report;
    json_set(into, "threads", json_count(toy->threads));
    json_set(into, "intervals", json_count(toy->intervals));
}

static void write_html(const struct report *report, const void *result, struct str *out)
{
    struct str text = {0};
    (void)report;
    append_sentence(result, &text);
    str_append(out, "<section id=\"toy\"><h2>Where intervals end</h2><p>");
    html_escape(out, text.data);
    str_append(out, "</p></section>\n");
    str_release(&text);
}

static void compare_text(const void *a, const void *b, struct terminal *terminal)
{
    const struct toy *first = a, *second = b;
    struct str text = {0};
    str_printf(&text, "Intervals ended on %u threads, and now on %u.", first->threads,
               second->threads);
    terminal_wrap(terminal, "  ", text.data);
    terminal_end_line(terminal);
    str_release(&text);
}

static void compare_json(const void *a, const void *b, json_t *into)
{
    json_set(into, "a", json_count(((const struct toy *)a)->threads));
    json_set(into, "b", json_count(((const struct toy *)b)->threads));
}

/* ---- what it exports, and its command ---- */

static const struct table_column columns[] = {{"tid", TABLE_NUMBER, false},
                                              {"intervals", TABLE_NUMBER, false}};
static const struct table_kind threads_table = {"threads", columns, 2};

static void fill_threads(const void *result, struct table *table)
{
    const struct toy *toy = result;
    for (uint32_t t = 0; t < toy->run->thread_count; t++)
        if (toy->ended[t])
            table_add(table, (struct table_value[]){{.number = toy->run->threads[t].tid},
                                                    {.number = toy->ended[t]}});
}

static const struct family_table tables[] = {{&threads_table, fill_threads}, {0}};

static int run(int argc, char **argv)
{
    struct {
        char none;
    } values;
    int code;
    extern const struct command command_toy;
    if (command_take(&command_toy, argc, argv, &values, &code))
        puts("There is nothing to it.");
    return code;
}

const struct command command_toy = {.name = "toy",
                                    .run = run,
                                    .summary = "where intervals end",
                                    .description = "See `vprofiler report`.\n",
                                    .examples = {{"vprofiler toy", "says so"}}};
static const struct command *const commands[] = {&command_toy, NULL};

static const struct report_family told = {.name = "toy",
                                          .schema = "vprofiler.toy/1",
                                          .text = write_text,
                                          .json = write_json,
                                          .html = write_html,
                                          .compare_text = compare_text,
                                          .compare_json = compare_json};

const struct family family_toy = {.told = &told,
                                  .needs = FAMILY_CALLS,
                                  .commands = commands,
                                  .analyze = analyze,
                                  .check = check,
                                  .judge = judge,
                                  .tables = tables,
                                  .release = release};
