#include "report/waits/waits_family.h"

#include "report/waits/waits_compare.h"

static void compare_text(const void *a, const void *b, struct terminal *terminal)
{
    waits_compare_text(a, b, terminal);
    terminal_end_line(terminal);
}

static void compare_json(const void *a, const void *b, json_t *into)
{
    waits_compare_json(a, b, into);
}

const struct report_family waits_report_family = {.name = "waits",
                                                  .schema = "vprofiler.waits/1",
                                                  .compare_text = compare_text,
                                                  .compare_json = compare_json};
