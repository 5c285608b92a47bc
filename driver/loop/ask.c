#include "driver/loop/ask.h"

#include <stdio.h>

#include "driver/cli/talk.h"

static bool asked_to_stop_;

static void print_functions(const struct proposal *proposal, const struct function_table *table)
{
    for (uint32_t i = 0; i < proposal->count; i++) {
        const struct function_info *info = &table->functions[proposal->functions[i]];
        talk_print(stderr, "%s%s (%s:%u, %u callees)", i ? ", " : "", info->name, info->file,
                   info->line, info->callee_count);
    }
}

bool ask_to_open(const struct factor *factor, const struct proposal *proposal,
                 const struct function_table *table)
{
    if (asked_to_stop_)
        return false;
    if (factor)
        talk_print(stderr, "factor %u, %.1f %%: %s\n", factor->rank, factor->contribution * 100,
                   factor->names[0]);
    else
        fputs("time outside the timed functions\n", stderr);
    fputs(proposal->alone ? "  time " : "  open ", stderr);
    print_functions(proposal, table);
    fputs("? [Y/n/q] ", stderr);
    char answer[64];
    if (!fgets(answer, sizeof answer, stdin) || answer[0] == 'q' || answer[0] == 'Q')
        asked_to_stop_ = true;
    return !asked_to_stop_ && answer[0] != 'n' && answer[0] != 'N';
}
