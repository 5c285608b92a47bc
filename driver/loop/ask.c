#include "driver/loop/ask.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "base/number.h"
#include "driver/cli/talk.h"

enum { ANSWER_BYTES = 512 };

/* ---- the question ---- */

static void print_subject(const struct factor *factor)
{
    if (factor)
        talk_print(stderr, "%s, %s of the variance,", factor->names[0],
                   number_percent_short(factor->share).text);
    else
        talk_print(stderr, "A part of the time lies outside of what is timed:");
}

/* The sentence goes on from the factor, or stands in a list below it. */
static void print_tie(const struct function_table *table, const struct proposal *proposal,
                      uint32_t i)
{
    static const char *const BEFORE[] = {
        [TIE_WAKER] = "waits for ",
        [TIE_ENDS] = "waits for what is called by ",
        [TIE_MAKES] = "waits for a thread that was made by ",
        [TIE_SEEN] = "went through a pointer to ",
        [TIE_POINTER] = "calls through a pointer, perhaps ",
        [TIE_LINK] = "calls through a pointer, perhaps ",
        [TIE_OUTSIDE] = "what is timed is called by ",
    };
    const struct function_info *info = &table->functions[proposal->functions[i]];
    if (proposal->ties[i] == TIE_ITSELF)
        talk_print(stderr, "stands in %s:%u and calls %u function%s", info->file, info->line,
                   info->callee_count, number_plural(info->callee_count));
    else
        talk_print(stderr, "%s%s (%s:%u, calls %u function%s)", BEFORE[proposal->ties[i]],
                   info->name, info->file, info->line, info->callee_count,
                   number_plural(info->callee_count));
}

static void print_question(const struct function_table *table, const struct factor *factor,
                           const struct proposal *proposal)
{
    const char *verb = proposal->alone ? "Time" : "Open";
    print_subject(factor);
    if (proposal->count == 1) {
        fputc(' ', stderr);
        print_tie(table, proposal, 0);
        talk_print(stderr, ".\n  %s it? [Y/n/?] ", verb);
        return;
    }
    for (uint32_t i = 0; i < proposal->count; i++) {
        talk_print(stderr, "\n  %2u  ", i + 1);
        print_tie(table, proposal, i);
    }
    talk_print(stderr, "\n  %s them? [Y/n/1-%u/?] ", verb, proposal->count);
}

static void explain(const struct proposal *proposal)
{
    talk_print(stderr,
               "    %s\n"
               "    Enter, y    %s\n"
               "    n           %s; it is not asked again\n",
               proposal->alone
                   ? "What is timed shows its own part of the variance in the next round."
                   : "What is opened is timed together with what it calls in the next round, which "
                     "divides its part of the variance among them.",
               proposal->count > 1 ? "all of them" : "yes",
               proposal->count > 1 ? "none of them" : "no");
    if (proposal->count > 1)
        talk_print(stderr, "    1,3 or 1-3  these alone\n");
    talk_print(stderr,
               "    a           this and all that is found from here on, without a question\n"
               "    q           nothing more: this round is the last\n");
}

/* ---- the answer ---- */

/* Marks the numbers of "1,3" or "2-4 6"; false where it is no such list. */
static bool take_numbers(const char *text, uint32_t count, bool *chosen)
{
    bool any = false;
    while (*text) {
        char *end;
        if (!isdigit((unsigned char)*text))
            return false;
        unsigned long first = strtoul(text, &end, 10), last = first;
        if (*end == '-' && isdigit((unsigned char)end[1]))
            last = strtoul(end + 1, &end, 10);
        if (first < 1 || last > count || first > last)
            return false;
        for (unsigned long i = first; i <= last; i++)
            any = chosen[i - 1] = true;
        text = end + strspn(end, ", \t");
    }
    return any;
}

static bool is_word(const char *answer, const char *word)
{
    return *answer && strncasecmp(answer, word, strlen(answer)) == 0;
}

/* Fills `chosen`; false: the answer is none. */
static bool take_answer(struct asker *asker, const char *answer, uint32_t count, bool *chosen)
{
    bool yes = !*answer || is_word(answer, "yes") || is_word(answer, "all");
    memset(chosen, yes, count * sizeof *chosen);
    asker->all |= is_word(answer, "all");
    asker->ended |= is_word(answer, "quit");
    return yes || asker->ended || is_word(answer, "no") || take_numbers(answer, count, chosen);
}

static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        text[--length] = '\0';
    return text;
}

static void ask(struct asker *asker, const struct function_table *table,
                const struct factor *factor, const struct proposal *proposal, bool *chosen)
{
    char line[ANSWER_BYTES];
    print_question(table, factor, proposal);
    while (fgets(line, sizeof line, stdin)) {
        const char *answer = trim(line);
        bool help = strcmp(answer, "?") == 0;
        if (!help && take_answer(asker, answer, proposal->count, chosen))
            return;
        if (!help)
            talk_print(stderr, "  That is no answer.\n");
        explain(proposal);
        talk_print(stderr, "  %s [Y/n/%s?] ", proposal->alone ? "Time?" : "Open?",
                   proposal->count > 1 ? "1,2/" : "");
    }
    memset(chosen, 0, proposal->count * sizeof *chosen);
    asker->ended = true;
}

/* ---- what is left to ask, and what is left of it ---- */

static void keep(struct proposal *proposal, const bool *chosen)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < proposal->count; i++)
        if (chosen[i]) {
            proposal->functions[count] = proposal->functions[i];
            proposal->ties[count++] = proposal->ties[i];
        }
    proposal->count = count;
}

/* Another factor of this round may have led to a function already. */
static bool is_open(const struct refine_loop *loop, const struct proposal *proposal,
                    uint32_t function)
{
    return proposal->alone ? loop->timed[function] : loop->opened[function];
}

static void keep_unasked(const struct asker *asker, const struct refine_loop *loop,
                         struct proposal *proposal, bool *chosen)
{
    for (uint32_t i = 0; i < proposal->count; i++)
        chosen[i] = !asker->declined[proposal->functions[i]] &&
                    !is_open(loop, proposal, proposal->functions[i]);
    keep(proposal, chosen);
}

static void decline(struct asker *asker, const struct proposal *proposal, const bool *chosen)
{
    for (uint32_t i = 0; i < proposal->count; i++)
        if (!chosen[i])
            asker->declined[proposal->functions[i]] = true;
}

bool ask_to_open(struct asker *asker, const struct refine_loop *loop, const struct factor *factor,
                 struct proposal *proposal)
{
    bool *chosen = memory_zeroed(proposal->count + 1);
    if (!asker->declined)
        asker->declined = memory_zeroed(loop->table->function_count + 1);
    keep_unasked(asker, loop, proposal, chosen);
    if (asker->ended)
        proposal->count = 0;
    if (proposal->count > 0 && !asker->all) {
        ask(asker, loop->table, factor, proposal, chosen);
        decline(asker, proposal, chosen);
        keep(proposal, chosen);
    }
    memory_free(chosen);
    return proposal->count > 0;
}

void asker_release(struct asker *asker)
{
    memory_free(asker->declined);
    *asker = (struct asker){0};
}
