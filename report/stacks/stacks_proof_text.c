/* The table of measured functions on a terminal. */
#include <string.h>

#include "base/number.h"
#include "report/stacks/stacks_proof.h"

enum { MARGIN = 2, COUNT = 11, LENGTH = 9, PART = 8, MOST_NAME = 44, LEAST_FOR_RATE = 96 };

static void put_length(struct terminal *terminal, double ns, bool known, bool guessed)
{
    struct str text = {0};
    str_printf(&text, "%s%s", guessed ? terminal_either(terminal, "\u2248", "~") : "",
               known ? number_ns(ns, terminal->style.utf8).text : "-");
    terminal_right(terminal, text.data, LENGTH);
    str_release(&text);
}

static void put_part(struct terminal *terminal, double part, bool known)
{
    terminal_right(terminal, known ? number_percent_short(part).text : "-", PART);
}

static void put_rate(const struct proven_function *proven, struct terminal *terminal)
{
    double seconds = (double)proven->counted * 1e-9;
    double rate = seconds > 0 ? (double)proven->calls / seconds : 0;
    struct str text = {0};
    str_printf(&text, rate < 10 ? "%.2g" : "%.0f", rate);
    terminal_right(terminal, rate < 1000 ? text.data : number_count((uint64_t)rate).text, COUNT);
    str_release(&text);
}

static void put_titles(struct terminal *terminal, size_t name, bool rate)
{
    terminal_left(terminal, "", MARGIN);
    terminal_paint(terminal, PAINT_STRONG);
    terminal_left(terminal, "MEASURED CALL BY CALL", name);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_right(terminal, "calls", COUNT);
    if (rate)
        terminal_right(terminal, "a second", COUNT);
    terminal_right(terminal, "mean", LENGTH);
    terminal_right(terminal, "50 %", LENGTH);
    terminal_right(terminal, "99 %", LENGTH);
    terminal_right(terminal, "longest", LENGTH);
    terminal_right(terminal, "time", PART);
    terminal_right(terminal, "stacks", PART);
    terminal_end_line(terminal);
}

static void put_function(const struct proven_function *proven, struct terminal *terminal,
                         size_t name, bool rate)
{
    bool known = proven->fates[CALL_RETURNED] > 0;
    double guess = known ? 0 : stacks_proof_guess(proven);
    struct str text = {0};
    stacks_proof_name(proven, &text);
    terminal_left(terminal, "", MARGIN);
    terminal_left(terminal, text.data, name);
    terminal_right(terminal, number_count(proven->calls).text, COUNT);
    if (rate)
        put_rate(proven, terminal);
    put_length(terminal, known ? proven->mean : guess, known || guess > 0, guess > 0);
    put_length(terminal, proven->p50, known, false);
    put_length(terminal, proven->p99, known, false);
    put_length(terminal, (double)proven->most, known, false);
    put_part(terminal, proven->seconds, proven->measured > 0);
    terminal_paint(terminal, proven->verdict == PROOF_DIFFERS ? PAINT_WARM : PAINT_FAINT);
    put_part(terminal, proven->estimate, proven->frame != CONTEXT_NONE);
    terminal_paint(terminal, PAINT_PLAIN);
    terminal_end_line(terminal);
    str_release(&text);
}

static void put_lost(const struct proof *proof, struct terminal *terminal)
{
    struct str text = {0};
    if (!proof->lost)
        return;
    str_printf(&text,
               "%s hits of points were lost, of whichever functions: there are so many more calls, "
               "or returns.",
               number_count(proof->lost).text);
    terminal_wrap(terminal, "  ", text.data);
    str_release(&text);
}

static void put_notes(const struct proof *proof, struct terminal *terminal)
{
    put_lost(proof, terminal);
    for (uint32_t i = 0; i < proof->count; i++) {
        struct str notes = {0};
        stacks_proof_notes(&proof->items[i], &notes);
        if (notes.length)
            terminal_wrap(terminal, "  ", notes.data);
        str_release(&notes);
    }
    for (const char *line = proof->refused, *end; *line; line = *end ? end + 1 : end) {
        struct str text = {0};
        end = line + strcspn(line, "\n");
        str_printf(&text, "Not measured: %.*s", (int)(end - line), line);
        terminal_wrap(terminal, "  ", text.data);
        str_release(&text);
    }
}

void stacks_proof_text(const struct stacks *stacks, struct terminal *terminal)
{
    const struct proof *proof = stacks->proof;
    if (!proof)
        return;
    bool rate = terminal->style.columns >= LEAST_FOR_RATE;
    size_t fixed = MARGIN + (rate ? 2 : 1) * COUNT + 4 * LENGTH + 2 * PART;
    size_t columns = terminal->style.columns;
    size_t name = columns > fixed + 12 ? columns - fixed : 12;
    name = name > MOST_NAME ? MOST_NAME : name;
    put_titles(terminal, name, rate);
    for (uint32_t i = 0; i < proof->count; i++)
        put_function(&proof->items[i], terminal, name, rate);
    terminal_wrap(
        terminal, "  ",
        "Time is what threads ran and were blocked in it, of each second in which they had "
        "what they wanted; by stacks it is that of the recording before.");
    put_notes(proof, terminal);
    terminal_end_line(terminal);
}
