/* What is said of measured functions beside their numbers. */
#include <string.h>

#include "base/number.h"
#include "report/stacks/stacks_proof.h"

/* Of less of a mean than this many times what measuring takes, much is not the function's (chosen). */
#define SHORT_CALL 5

void stacks_proof_name(const struct proven_function *proven, struct str *out)
{
    const char *at = strrchr(proven->label, '@');
    str_append_bytes(out, proven->label, at ? (size_t)(at - proven->label) : strlen(proven->label));
}

double stacks_proof_guess(const struct proven_function *proven)
{
    double rate = proven->counted > 0 ? (double)proven->calls / (double)proven->counted : 0;
    return rate > 0 && proven->mode != PROOF_STOPPED ? proven->estimate / rate : 0;
}

static void note_mode(const struct proven_function *proven, const char *name, struct str *out)
{
    switch (proven->mode) {
    case PROOF_WHOLE:
        return;
    case PROOF_BEGIN:
        str_printf(out, " Its lengths are those of the first %s",
                   number_ns((double)proven->measured, false).text);
        str_append(out, ": to measure all of them takes more than 2 % of a processor. From then on "
                        "its calls were counted.");
        return;
    case PROOF_COUNTED:
        str_printf(out, " At which places %s returns is not known: its calls were counted alone.",
                   name);
        return;
    case PROOF_STOPPED:
        str_printf(out, " It is called so often (%s times in the first ",
                   number_count(proven->calls).text);
        str_printf(out, "%s) that even to count its calls takes too much: it was left alone then.",
                   number_ns((double)proven->counted, false).text);
        return;
    }
}

static void note_verdict(const struct proven_function *proven, struct str *out)
{
    if (proven->verdict != PROOF_DIFFERS)
        return;
    str_printf(out, " By stacks threads were in it for %s",
               number_percent_short(proven->estimate).text);
    str_printf(out, " \u00b1 %s of the time, ",
               number_percent_short(1.96 * proven->estimate_sd).text);
    str_printf(out,
               "measured it is %s: the program did something else the second time, calls of it "
               "were inlined into their callers and not met, or the samples mislead.",
               number_percent_short(proven->seconds).text);
}

static void note_fate(uint64_t count, const char *one, const char *several, struct str *out)
{
    if (count)
        str_printf(out, " %s %s.", number_count(count).text, count == 1 ? one : several);
}

static void note_calls(const struct proven_function *proven, struct str *out)
{
    if (proven->deepest > 1)
        str_printf(out,
                   " It calls itself, up to %u deep: lengths are of all calls, its time is that of "
                   "the outermost ones.",
                   proven->deepest);
    note_fate(proven->fates[CALL_LEFT], "call was left by a jump or an exception",
              "calls were left by a jump or an exception", out);
    note_fate(proven->fates[CALL_BEGUN], "call had begun before", "calls had begun before", out);
    note_fate(proven->mode == PROOF_WHOLE ? proven->fates[CALL_OPEN] : 0,
              "call had not returned at the end", "calls had not returned at the end", out);
    note_fate(proven->fates[CALL_DOUBTFUL], "call was under way when hits were lost",
              "calls were under way when hits were lost", out);
    if (proven->fates[CALL_RETURNED] && proven->mean < SHORT_CALL * PROOF_PROBE_NS)
        str_printf(out, " Its calls take little more than to measure them, up to %s each.",
                   number_ns(PROOF_PROBE_NS, false).text);
}

static void note_requests(const struct proven_function *proven, struct str *out)
{
    const struct proof_requests *requests = &proven->requests;
    if (!requests->count)
        return;
    str_printf(out, " In each of %s requests: ", number_count(requests->count).text);
    str_printf(out, "%.3g call%s, ", requests->calls, requests->calls == 1 ? "" : "s");
    str_printf(out, "%s, and ", number_ns(requests->time, false).text);
    str_printf(out, "%s of the variance of their latency.",
               number_percent_short(requests->share).text);
}

void stacks_proof_notes(const struct proven_function *proven, struct str *out)
{
    struct str name = {0}, notes = {0};
    stacks_proof_name(proven, &name);
    note_verdict(proven, &notes);
    note_mode(proven, name.data, &notes);
    note_calls(proven, &notes);
    note_requests(proven, &notes);
    if (notes.length)
        str_printf(out, "%s:%s", name.data, notes.data);
    str_release(&name);
    str_release(&notes);
}
