#include "driver/runs/results.h"

static bool check(const struct family *family, const void *result, struct error *error)
{
    const char *wrong = family->check ? family->check(result) : NULL;
    return !wrong || error_set(error, ERROR_FORMAT,
                               "The result contradicts itself: %s. Please report it.", wrong);
}

/* A run in which the first family finds nothing can't be analysed; another family then has nothing
 * to say. */
static bool analyze(struct results *results, uint32_t i, const struct family_input *input,
                    struct error *error)
{
    const struct family *family = families[i];
    if (!family->analyze || (family->needs & ~(FAMILY_CALLS | input->also)))
        return true;
    results->of[i] = family->analyze(input, error);
    if (!results->of[i])
        return i > 0 && error->code == ERROR_NOTHING;
    return check(family, results->of[i], error);
}

bool results_make(struct results *results, const struct family_input *input, struct error *error)
{
    *results = (struct results){{NULL}};
    for (uint32_t i = 0; families[i]; i++) {
        if (i == RESULTS_MOST)
            BUG("more families than results have room for");
        if (!analyze(results, i, input, error)) {
            results_release(results);
            return false;
        }
    }
    return true;
}

void results_release(struct results *results)
{
    for (uint32_t i = 0; families[i]; i++)
        if (results->of[i])
            families[i]->release(results->of[i]);
    *results = (struct results){{NULL}};
}

const void *results_of(const struct results *results, const struct family *family)
{
    for (uint32_t i = 0; families[i]; i++)
        if (families[i] == family)
            return results->of[i];
    return NULL;
}

const struct interval_summary *results_intervals(const struct results *results, double *coverage)
{
    for (uint32_t i = 0; families[i]; i++)
        if (results->of[i] && families[i]->intervals)
            return families[i]->intervals(results->of[i], coverage);
    return NULL;
}

uint32_t results_parts(const struct results *results, struct report_part *parts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; families[i]; i++)
        if (results->of[i])
            parts[count++] = (struct report_part){families[i]->told, results->of[i]};
    return count;
}

void results_judge(const struct results *results, const struct report *report,
                   const struct family_input *input, struct doubts *doubts)
{
    for (uint32_t i = 0; families[i]; i++)
        if (results->of[i] && families[i]->judge)
            families[i]->judge(results->of[i], report, input, doubts);
}

void results_illustrate(const struct results *results, const struct family_input *input)
{
    for (uint32_t i = 0; families[i]; i++)
        if (results->of[i] && families[i]->illustrate)
            families[i]->illustrate(results->of[i], input);
}
