#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/number.h"
#include "driver/cli/command_line.h"
#include "driver/cli/talk.h"
#include "driver/runs/function_view.h"
#include "driver/runs/outcome.h"
#include "driver/workbench/given.h"
#include "report/kit/json_parts.h"
#include "report/kit/terminal.h"

#define LEAST_TOLD 0.001 /* of the variance, as report.json lists factors (chosen) */

enum { NUMBER_COLUMNS = 10, PATH_COLUMNS = 40 };

struct show_values {
    const char *function, *result;
    bool json;
};

#define AT(member) offsetof(struct show_values, member)

static const struct option_spec options[] = {
    FLAG("json", AT(json), "print everything as JSON, every row and digit"),
    {0},
};

static const struct option_spec arguments[] = {
    ARGUMENT(TEXT, AT(function), "FUNCTION", "its name; a member's may lack its class",
             .needed = true),
    ARGUMENT(FOLDER, AT(result), "RESULT",
             "a result's folder or report.json; of vprofiler-out, its latest",
             .usual = "vprofiler-out"),
    {0},
};

/* ---- the result ---- */

static bool find_report(const char *result, struct str *path, struct error *error)
{
    static const char *const below[] = {"", "/report.json", "/latest/report.json"};
    for (size_t i = 0; i < 3; i++) {
        str_clear(path);
        str_printf(path, "%s%s", result, below[i]);
        if (str_ends_with(path->data, ".json") && file_exists(path->data))
            return true;
    }
    return error_set(error, ERROR_USAGE,
                     "There is no result in %s: no report.json, no latest/report.json. Name one "
                     "(vprofiler show FUNCTION vprofiler-out/003), or make one by vprofiler "
                     "iterate.",
                     result);
}

static json_t *read_report(const char *result, struct error *error)
{
    struct str path = {0};
    json_error_t trouble;
    json_t *report = NULL;
    if (find_report(result, &path, error)) {
        report = json_load_file(path.data, 0, &trouble);
        const char *schema = json_string_value(json_object_get(report, "schema"));
        if (!report || !schema || !str_starts_with(schema, "vprofiler.variance/")) {
            error_set(error, ERROR_FORMAT,
                      "%s is no report of vprofiler%s%s. Make it again by vprofiler iterate.",
                      path.data, report ? "" : ": ", report ? "" : trouble.text);
            json_decref(report);
            report = NULL;
        }
    }
    str_release(&path);
    return report;
}

/* ---- as text ---- */

static void print_number(struct terminal *terminal, double value, bool time)
{
    struct number number = time ? number_ns(value, terminal->style.utf8) : number_percent(value);
    terminal_right(terminal, number.text, NUMBER_COLUMNS);
}

/* The last names of a long path are shown: those are near the function. */
static const char *end_of_path(const char *path, size_t columns)
{
    const char *cut = path;
    while (strlen(cut) + 2 > columns && (cut = strstr(cut, " > ")))
        cut += 3;
    return cut ? cut : path;
}

static void print_rows(struct terminal *terminal, const char *title, const struct view_rows *rows)
{
    enum { MOST = 10, NUMBERS = 40 };
    size_t columns = terminal->style.columns - NUMBERS - 2;
    const char *titles[] = {"contrib.", "share", "mean",
                            terminal_either(terminal, "\u03c3", "sigma")};
    if (!rows->count)
        return;
    terminal_end_line(terminal);
    terminal_text(terminal, "  ");
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, title, columns);
    terminal_paint(terminal, PAINT_PLAIN);
    for (size_t i = 0; i < 4; i++)
        terminal_right(terminal, titles[i], NUMBER_COLUMNS);
    terminal_end_line(terminal);
    for (size_t i = 0; i < rows->count && i < MOST; i++) {
        const struct view_row *row = &rows->items[i];
        const char *path = end_of_path(row->path, columns);
        terminal_text(terminal,
                      path == row->path ? "  " : terminal_either(terminal, "  \u2026 ", "  .."));
        terminal_left(terminal, path, columns - (path == row->path ? 0 : 2));
        print_number(terminal, row->merged ? NAN : row->contribution, false);
        print_number(terminal, row->share, false);
        print_number(terminal, row->mean_ns, true);
        print_number(terminal, row->merged ? NAN : row->stddev_ns, true);
        terminal_end_line(terminal);
    }
    if (rows->count > MOST) {
        struct str more = {0};
        str_printf(&more, "  %zu more by --json", rows->count - MOST);
        terminal_text(terminal, more.data);
        terminal_end_line(terminal);
        str_release(&more);
    }
}

static void print_together(struct terminal *terminal, const struct view_rows *rows)
{
    bool titled = false;
    for (size_t i = 0; i < rows->count; i++) {
        const struct view_row *row = &rows->items[i];
        if (fabs(row->contribution) < LEAST_TOLD)
            continue;
        if (!titled) {
            terminal_end_line(terminal);
            terminal_paint(terminal, PAINT_STRONG);
            terminal_text(terminal, "  MOVES TOGETHER WITH (2 cov, of the latency's variance)");
            terminal_paint(terminal, PAINT_PLAIN);
            terminal_end_line(terminal);
            titled = true;
        }
        terminal_text(terminal, "  ");
        terminal_left(terminal, row->path, PATH_COLUMNS);
        print_number(terminal, row->contribution, false);
        terminal_end_line(terminal);
    }
}

static double side_of(json_t *line, const char *side)
{
    return json_number_value(json_object_get(json_object_get(line, side), "share"));
}

/* What goes back to the function, by the root ledger; older reports have none. */
static void append_root(const struct function_view *view, struct str *text)
{
    json_t *line = view->root, *ci = json_object_get(line, "share_ci95");
    if (!line)
        return;
    str_printf(text, "%s of the latency's variance goes back to it",
               number_percent(json_number_value(json_object_get(line, "share"))).text);
    if (json_is_number(json_array_get(ci, 0)) && json_is_number(json_array_get(ci, 1)))
        str_printf(text, " (95 %% interval %s to %s)",
                   number_points(json_number_value(json_array_get(ci, 0))).text,
                   number_percent(json_number_value(json_array_get(ci, 1))).text);
    str_printf(text, ": %s in intervals themselves, ", number_percent(side_of(line, "own")).text);
    str_printf(text, "%s in others that wait for it. ",
               number_percent(side_of(line, "waits")).text);
}

static void append_factor(const struct function_view *view, struct str *text)
{
    json_t *factor = view->factor, *ci = json_object_get(factor, "ci95");
    if (!factor) {
        str_append(text, view->sites.count ? "It contributes less than 0.1 % of the variance."
                                           : "No interval's own thread was in it; others were, and "
                                             "intervals waited for them.");
        return;
    }
    double part[4] = {json_number_value(json_object_get(factor, "contribution")),
                      json_number_value(json_array_get(ci, 0)),
                      json_number_value(json_array_get(ci, 1)),
                      json_number_value(json_object_get(factor, "share"))};
    double tail = json_number_value(json_object_get(factor, "tail_share"));
    str_printf(text, "Factor %d of %zu: %s of the latency's variance (95 %% interval %s to %s), ",
               (int)json_integer_value(json_object_get(factor, "rank")), view->factor_count,
               number_percent(part[0]).text, number_points(part[1]).text,
               number_percent(part[2]).text);
    str_printf(text, "share %s, of what makes the slowest 1 %% slow %s.",
               number_percent(part[3]).text, number_percent(tail).text);
}

/* A function is shown at its most weighty place, or at one among wakers. */
static const struct view_row *main_place(const struct function_view *view)
{
    const struct view_rows *rows = view->sites.count ? &view->sites : &view->waiters;
    return rows->count ? &rows->items[0] : NULL;
}

static void print_text(const struct function_view *view, json_t *report)
{
    struct text_style style = outcome_terminal_style();
    struct terminal terminal;
    struct str head = {0}, factor = {0};
    const struct view_row *place = main_place(view);
    terminal_init(&terminal, &style, stdout);
    json_t *intervals = json_object_get(report, "intervals");
    str_printf(&head, "%s", view->name);
    if (place && *place->file)
        str_printf(&head, "  (%s:%ld)", place->file, place->line);
    terminal_paint(&terminal, PAINT_STRONG);
    terminal_text(&terminal, head.data);
    terminal_paint(&terminal, PAINT_PLAIN);
    str_clear(&head);
    str_printf(&head, "   in %s intervals of %s",
               number_count((uint64_t)json_integer_value(json_object_get(intervals, "count"))).text,
               json_string_value(json_object_get(report, "target")));
    terminal_text(&terminal, head.data);
    terminal_end_line(&terminal);
    append_root(view, &factor);
    append_factor(view, &factor);
    terminal_wrap(&terminal, "  ", factor.data);
    print_rows(&terminal, "WHERE IT RUNS", &view->sites);
    print_rows(&terminal, "WHAT IT IS MADE OF", &view->parts);
    print_rows(&terminal, "WHO ENDED ITS WAITS", &view->wakers);
    print_rows(&terminal, "WHO WAITED FOR IT", &view->waiters);
    print_together(&terminal, &view->together);
    terminal_release(&terminal);
    str_release(&head);
    str_release(&factor);
}

/* ---- as JSON ---- */

static json_t *rows_json(const struct view_rows *rows)
{
    json_t *array = json_array();
    for (size_t i = 0; i < rows->count; i++) {
        const struct view_row *row = &rows->items[i];
        json_t *object =
            json_pack("{sssssssIsfsfsf}", "path", row->path, "kind", row->kind, "file", row->file,
                      "line", (json_int_t)row->line, "share", row->share, "mean_ns", row->mean_ns,
                      "calls_per_interval", row->calls_per_interval);
        if (!row->merged) {
            json_object_set_new(object, "contribution", json_real(row->contribution));
            json_object_set_new(object, "stddev_ns", json_real(row->stddev_ns));
        }
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *together_json(const struct view_rows *rows)
{
    json_t *array = json_array();
    for (size_t i = 0; i < rows->count; i++)
        json_array_append_new(array, json_pack("{sssf}", "function", rows->items[i].path,
                                               "contribution", rows->items[i].contribution));
    return array;
}

static void print_json(const struct function_view *view)
{
    json_t *object = json_pack("{sssssO?}", "schema", "vprofiler.function/1", "name", view->name,
                               "factor", view->factor);
    json_object_set(object, "root", view->root ? view->root : json_null());
    json_object_set_new(object, "sites", rows_json(&view->sites));
    json_object_set_new(object, "parts", rows_json(&view->parts));
    json_object_set_new(object, "wakers", rows_json(&view->wakers));
    json_object_set_new(object, "waiters", rows_json(&view->waiters));
    json_object_set_new(object, "together", together_json(&view->together));
    struct str text = {0};
    json_write(object, JSON_INDENT(1), &text);
    puts(text.data);
    str_release(&text);
}

static int run(int argc, char **argv)
{
    struct show_values values;
    struct function_view view = {0};
    struct error error;
    int code;
    if (!command_take(&command_show, argc, argv, &values, &code))
        return code;
    json_t *report = read_report(values.result, &error);
    bool ok = report && function_view_find(&view, report, values.function, &error);
    if (!ok)
        talk_error(&error);
    else if (values.json)
        print_json(&view);
    else
        print_text(&view, report);
    function_view_release(&view);
    json_decref(report);
    return ok ? EXIT_DONE : exit_code_of(&error);
}

const struct command command_show = {
    .name = "show",
    .run = run,
    .summary = "tell about one function of a result",
    .description =
        "Where the function runs, what it is made of, who ended its waits and who waited for it, "
        "and what it moves together with: each with its part of the variance. Rows of wakers tell "
        "the way to what most of that time went to.\n",
    .options = options,
    .arguments = arguments,
    .examples = {{"vprofiler show lock_wait", "of the latest result"},
                 {"vprofiler show lock_wait vprofiler-out/003", "of an earlier one"},
                 {"vprofiler show lock_wait --json | jq .wakers", "for scripts"}},
    .status = "0 done, 1 the result can't be read, 2 wrong use",
};
