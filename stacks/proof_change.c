#include "stacks/proof_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/jackknife.h"
#include "stats/student.h"

/* ---- what was measured ---- */

static struct proof_change *item_of(struct proof_changes *changes, const char *label)
{
    const char *at = strrchr(label, '@');
    size_t length = at ? (size_t)(at - label) : strlen(label);
    for (size_t i = 0; i < changes->count; i++) {
        const char *name = changes->items[i].name;
        if (strncmp(name, label, length) == 0 && name[length] == '\0')
            return &changes->items[i];
    }
    VEC_PUSH(changes->items, changes->count, changes->capacity) =
        (struct proof_change){.name = arena_strndup(&changes->arena, label, length)};
    return &changes->items[changes->count - 1];
}

/* False: its calls or their length are not known. */
static bool measured(const struct proven_function *proven, bool requests, struct measured_run *run)
{
    double seconds = (double)proven->counted * 1e-9;
    bool known = proven->fates[CALL_RETURNED] > 0 && proven->mode != PROOF_STOPPED;
    if (requests)
        *run =
            (struct measured_run){.calls = proven->requests.calls, .time = proven->requests.time};
    else if (seconds > 0)
        *run = (struct measured_run){.calls = (double)proven->calls / seconds,
                                     .time = (double)proven->calls / seconds * proven->mean};
    return known && (requests ? proven->requests.count > 0 : seconds > 0);
}

void proof_changes_add(struct proof_changes *changes, int side, const struct proof *proof)
{
    for (uint32_t i = 0; i < proof->count; i++) {
        struct measured_run run;
        if (!measured(&proof->items[i], changes->requests, &run))
            continue;
        struct proof_change *item = item_of(changes, proof->items[i].label);
        run.side = (uint8_t)side;
        VEC_PUSH(item->runs, item->run_count, item->run_capacity) = run;
    }
}

/* ---- what it comes to ---- */

/* Without run `but`, if that is one; the length is that of a call, not of a run. */
static struct product_change change_without(const struct proof_change *item, size_t but,
                                            double calls[2], double length[2])
{
    double runs[2] = {0, 0}, time[2] = {0, 0};
    calls[0] = calls[1] = 0;
    for (size_t r = 0; r < item->run_count; r++) {
        const struct measured_run *run = &item->runs[r];
        if (r == but)
            continue;
        runs[run->side]++;
        calls[run->side] += run->calls;
        time[run->side] += run->time;
    }
    for (int s = 0; s < 2; s++) {
        length[s] = calls[s] > 0 ? time[s] / calls[s] : 0;
        calls[s] /= runs[s];
    }
    return product_change_of(calls, length);
}

/* Of the estimates that leave out each run of a side. */
static void add_variance(const struct proof_change *item, int side, struct product_change *variance)
{
    uint32_t count = item->sides[side], at = 0;
    double *left = memory_alloc(3 * count * sizeof *left), calls[2], length[2];
    for (size_t r = 0; r < item->run_count; r++) {
        if (item->runs[r].side != side)
            continue;
        struct product_change change = change_without(item, r, calls, length);
        left[at] = change.whole;
        left[count + at] = change.first;
        left[2 * count + at++] = change.second;
    }
    variance->whole += pow(jackknife_error(left, count), 2);
    variance->first += pow(jackknife_error(left + count, count), 2);
    variance->second += pow(jackknife_error(left + 2 * count, count), 2);
    memory_free(left);
}

static void find_half(struct proof_change *item)
{
    struct product_change variance = {0};
    item->half = (struct product_change){NAN, NAN, NAN};
    if (item->sides[0] < PROOF_CHANGE_RUNS || item->sides[1] < PROOF_CHANGE_RUNS)
        return;
    add_variance(item, 0, &variance);
    add_variance(item, 1, &variance);
    double t = student_beyond(0.05, item->sides[0] + item->sides[1] - 2);
    item->half = (struct product_change){t * sqrt(variance.whole), t * sqrt(variance.first),
                                         t * sqrt(variance.second)};
}

/* False: one side did not measure it. */
static bool find_change(struct proof_change *item)
{
    for (size_t r = 0; r < item->run_count; r++)
        item->sides[item->runs[r].side]++;
    if (!item->sides[0] || !item->sides[1])
        return false;
    item->change = change_without(item, item->run_count, item->calls, item->length);
    find_half(item);
    return true;
}

static int by_change(const void *a, const void *b)
{
    const struct proof_change *p = a, *q = b;
    double left = fabs(p->change.whole), right = fabs(q->change.whole);
    return left != right ? (left > right ? -1 : 1) : strcmp(p->name, q->name);
}

void proof_changes_make(struct proof_changes *changes)
{
    size_t kept = 0;
    for (size_t i = 0; i < changes->count; i++) {
        struct proof_change item = changes->items[i];
        if (find_change(&item))
            changes->items[kept++] = item;
        else
            memory_free(item.runs);
    }
    changes->count = kept;
    if (kept)
        qsort(changes->items, kept, sizeof *changes->items, by_change);
}

void proof_changes_release(struct proof_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        memory_free(changes->items[i].runs);
    memory_free(changes->items);
    arena_release(&changes->arena);
    *changes = (struct proof_changes){0};
}
