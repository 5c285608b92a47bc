#include "driver/commands/slow_stacks.h"

#include "driver/cli/talk.h"
#include "driver/runs/outcome.h"
#include "driver/runs/result_file.h"
#include "driver/runs/stacks_run.h"
#include "report/kit/json_parts.h"
#include "report/stacks/stacks_compare.h"
#include "stacks/slow_requests.h"

static void write_page(const struct watched_traces *at, const struct stacks_compare *told)
{
    struct str json = {0}, html = {0};
    struct error error;
    json_write(stacks_compare_json(told), JSON_COMPACT, &json);
    str_append_char(&json, '\n');
    stacks_compare_html(told, &html);
    bool ok = result_file_write(at->result, "slow.json", &json, &error) &&
              result_file_write(at->result, "slow.html", &html, &error);
    watched_tell_page(at, "slow.html, slow.json", ok ? NULL : &error);
    str_release(&json);
    str_release(&html);
}

static void print(const struct stacks_compare *told, bool json)
{
    if (json) {
        watched_print_json(stacks_compare_json(told));
        return;
    }
    struct text_style style = outcome_terminal_style();
    struct terminal terminal;
    terminal_init(&terminal, &style, stdout);
    stacks_compare_text(told, &terminal);
    terminal_release(&terminal);
}

static void tell(const struct watched_traces *at, const struct stack_comparison *comparison,
                 bool json)
{
    struct doubts doubts = {0};
    const struct stacks_compare told = {.comparison = comparison,
                                        .names = {"typical requests", "slow requests"},
                                        .slow = true,
                                        .doubts = &doubts,
                                        .origin = at->origin};
    stacks_compare_judge(&told, &doubts);
    print(&told, json);
    if (at->page)
        write_page(at, &told);
    doubts_release(&doubts);
}

static void compare(const struct watched_traces *at, struct stacks *stacks,
                    const struct slow_requests *requests, bool json)
{
    struct stack_comparison comparison = {.unit = CHANGE_A_REQUEST, .blocks = CHANGE_BLOCKS};
    const struct side_run run = stacks_run_side(stacks);
    stack_comparison_add(&comparison, 0, &run, requests->typical);
    stack_comparison_add(&comparison, 1, &run, requests->slow);
    stack_comparison_make(&comparison);
    tell(at, &comparison, json);
    stack_comparison_release(&comparison);
}

bool slow_stacks_tell(const struct watched_traces *at, struct stacks *stacks, bool json,
                      struct error *error)
{
    struct slow_requests requests;
    bool ok = slow_requests_choose(&requests, stacks->run);
    if (ok)
        compare(at, stacks, &requests, json);
    else
        error_set(error, ERROR_NOTHING,
                  "--slow compares a run's slowest requests with its typical ones: that takes %d "
                  "requests, and here are %u. Record requests (--interval, --descriptor, ...), and "
                  "longer.",
                  SLOW_REQUESTS_LEAST, requests.count);
    slow_requests_release(&requests);
    return ok;
}
