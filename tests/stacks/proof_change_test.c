/* stacks/proof_change.h: what is by calls and what by length, and how sure that is, by closed forms. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "stacks/proof_change.h"
#include "stats/student.h"

#define NS_A_SECOND INT64_C(1000000000)

static void add(struct proof_changes *changes, int side, const char *label, double calls,
                double length)
{
    struct proven_function item = {.label = label,
                                   .calls = (uint64_t)calls,
                                   .counted = NS_A_SECOND,
                                   .measured = NS_A_SECOND,
                                   .mean = length};
    item.fates[CALL_RETURNED] = item.calls;
    item.requests.count = 10;
    item.requests.calls = calls / 10;
    item.requests.time = calls / 10 * length;
    proof_changes_add(changes, side, &(struct proof){.items = &item, .count = 1});
}

static bool is_near(double value, double expected)
{
    return fabs(value - expected) <= 1e-9 * fabs(expected) + 1e-9;
}

/* The header's example, and the same by request; files of the two sides have other names. */
static void one_run_a_side(bool requests)
{
    double units = requests ? 10 : 1;
    struct proof_changes changes = {.requests = requests};
    add(&changes, 0, "parse@server-1", 10, 2e6);
    add(&changes, 1, "parse@server-2", 40, 3e6);
    add(&changes, 0, "only_a@server-1", 5, 1e6);
    proof_changes_make(&changes);
    CHECK(changes.count == 1 && strcmp(changes.items[0].name, "parse") == 0);
    const struct proof_change *item = &changes.items[0];
    CHECK(is_near(item->change.whole, 100e6 / units));
    CHECK(is_near(item->change.first, 75e6 / units));
    CHECK(is_near(item->change.second, 25e6 / units));
    CHECK(isnan(item->half.whole) && isnan(item->half.first) && isnan(item->half.second));
    proof_changes_release(&changes);
}

static double variance_of_mean(const double values[3])
{
    double mean = (values[0] + values[1] + values[2]) / 3, sum = 0;
    for (int i = 0; i < 3; i++)
        sum += (values[i] - mean) * (values[i] - mean);
    return sum / 2 / 3;
}

/* Calls of one length in all runs: the jackknife of a mean is its standard error, and nothing is by length. */
static void three_runs_a_side(void)
{
    static const double a[] = {90, 100, 110}, b[] = {195, 200, 220};
    struct proof_changes changes = {0};
    for (int r = 0; r < 3; r++) {
        add(&changes, 0, "parse@server", a[r], 1e6);
        add(&changes, 1, "parse@server", b[r], 1e6);
    }
    proof_changes_make(&changes);
    const struct proof_change *item = &changes.items[0];
    double half = student_beyond(0.05, 4) * 1e6 * sqrt(variance_of_mean(a) + variance_of_mean(b));
    CHECK(item->sides[0] == 3 && item->sides[1] == 3);
    CHECK(is_near(item->calls[0], 100) && is_near(item->calls[1], 205));
    CHECK(is_near(item->change.first, 105e6) && fabs(item->change.second) < 1);
    CHECK(is_near(item->half.whole, half) && is_near(item->half.first, half));
    CHECK(item->half.second < 1);
    proof_changes_release(&changes);
}

/* The largest change first, whichever way. */
static void in_order(void)
{
    struct proof_changes changes = {0};
    add(&changes, 0, "little@server", 10, 1e6);
    add(&changes, 0, "less@server", 100, 1e6);
    add(&changes, 1, "little@server", 12, 1e6);
    add(&changes, 1, "less@server", 50, 1e6);
    proof_changes_make(&changes);
    CHECK(changes.count == 2 && strcmp(changes.items[0].name, "less") == 0);
    CHECK(is_near(changes.items[0].change.whole, -50e6));
    proof_changes_release(&changes);
}

int main(void)
{
    one_run_a_side(false);
    one_run_a_side(true);
    three_runs_a_side();
    in_order();
    return CHECK_DONE();
}
