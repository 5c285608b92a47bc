#include "waits/wait_change.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/str.h"
#include "stats/jackknife.h"
#include "stats/student.h"

/* Groups of both sides by what they are called; edges by the numbers of their groups' names. */
struct matching {
    const struct wait_side *sides;
    struct wait_changes *changes;
    struct intern names;
    uint32_t *name_of[2];        /* by group */
    struct hash_map group_of[2]; /* name -> 1 + group */
    struct hash_map change_of;   /* name << 32 | name -> 1 + change */
    size_t capacity;
};

/* A second group that is called the same is another one. */
static void name_groups(struct matching *m, int side)
{
    const struct wait_graph *graph = m->sides[side].graph;
    struct str key = {0};
    m->name_of[side] = memory_alloc((graph->group_count + 1) * sizeof *m->name_of[side]);
    for (uint32_t g = 0; g < graph->group_count; g++) {
        const struct wait_group *group = &graph->groups[g];
        uint64_t *known;
        uint32_t again = 0;
        do {
            str_clear(&key);
            str_printf(&key, "%d %d %d %u\n%s\n%s", (int)group->kind, group->main, group->of_run,
                       again++, group->process, group->name);
            m->name_of[side][g] = intern_add(&m->names, key.data);
            known = hash_map_put(&m->group_of[side], m->name_of[side][g]);
        } while (*known);
        *known = 1 + g;
    }
    str_release(&key);
}

static uint32_t group_named(const struct matching *m, int side, uint32_t name)
{
    const uint64_t *known = hash_map_get(&m->group_of[side], name);
    return known ? (uint32_t)*known - 1 : WAIT_NONE;
}

static struct wait_change *change_of(struct matching *m, int side, uint32_t edge)
{
    const struct wait_edge *of = &m->sides[side].graph->edges[edge];
    uint32_t from = m->name_of[side][of->from], to = m->name_of[side][of->to];
    uint64_t *known = hash_map_put(&m->change_of, (uint64_t)from << 32 | to);
    if (!*known) {
        size_t count = m->changes->count;
        VEC_PUSH(m->changes->items, count, m->capacity) =
            (struct wait_change){.edge = {WAIT_NONE, WAIT_NONE},
                                 .from = {group_named(m, 0, from), group_named(m, 1, from)},
                                 .to = {group_named(m, 0, to), group_named(m, 1, to)}};
        m->changes->count = (uint32_t)count;
        *known = count;
    }
    return &m->changes->items[*known - 1];
}

/* The one that counts brings its like of the other side, whether that counts or not. */
static void match_edges(struct matching *m)
{
    for (int s = 0; s < 2; s++)
        for (uint32_t e = 0; e < m->sides[s].graph->edge_count; e++)
            if (m->sides[s].counts[e])
                change_of(m, s, e);
    size_t kept = m->changes->count;
    for (int s = 0; s < 2; s++)
        for (uint32_t e = 0; e < m->sides[s].graph->edge_count; e++)
            change_of(m, s, e)->edge[s] = e;
    m->changes->count = (uint32_t)kept;
}

/* Gives the square of the side's standard error. */
static double take_share(struct matching *m, struct wait_change *change, int side)
{
    double left_out[JACKKNIFE_BLOCKS];
    const struct wait_side *of = &m->sides[side];
    if (change->edge[side] == WAIT_NONE)
        return 0;
    const struct wait_edge *edge = &of->graph->edges[change->edge[side]];
    uint32_t blocks =
        wait_share_left_out(edge->raw, of->cascade, of->graph->groups[edge->from].members,
                            &change->share[side], left_out);
    double error = jackknife_error(left_out, blocks);
    return error * error;
}

static uint32_t blocks_of(const struct cascade *cascade)
{
    uint32_t blocks = 0;
    for (uint32_t w = 0; w < CASCADE_WINDOWS; w++)
        blocks += cascade->recorded[w] > 0;
    return blocks;
}

static void judge(struct matching *m, struct wait_change *change)
{
    unsigned freedom = m->changes->freedom;
    double half = INFINITY;
    change->error = sqrt(take_share(m, change, 0) + take_share(m, change, 1));
    change->change = change->share[1] - change->share[0];
    if (freedom)
        half = student_beyond(WAIT_CHANGE_OUTSIDE, freedom) * change->error;
    change->ci95[0] = change->change - half;
    change->ci95[1] = change->change + half;
}

/* By how many errors it is from 0; as all have the same t, in the order of their p. */
static double errors_from_zero(const struct wait_change *change)
{
    return change->error > 0          ? fabs(change->change) / change->error
           : fabs(change->change) > 0 ? INFINITY
                                      : 0;
}

static int by_certainty(const void *a, const void *b)
{
    double p = errors_from_zero(a), q = errors_from_zero(b);
    return p > q ? -1 : p < q;
}

static int by_change(const void *a, const void *b)
{
    const struct wait_change *p = a, *q = b;
    if (p->surely != q->surely)
        return p->surely ? -1 : 1;
    double first = fabs(p->change), second = fabs(q->change);
    if (first != second)
        return first > second ? -1 : 1;
    return p->from[0] != q->from[0] ? p->from[0] < q->from[0] ? -1 : 1
           : p->to[0] < q->to[0]    ? -1
                                    : 1;
}

/* Holm: the one that is told best is held against all, the next one against all but one ... until
 * the first that is not told. What is too small is stepped over. */
static void name_changed(struct wait_changes *changes)
{
    for (uint32_t i = 0; changes->freedom && i < changes->count; i++) {
        struct wait_change *change = &changes->items[i];
        double outside = WAIT_CHANGE_OUTSIDE / (changes->count - i);
        if (errors_from_zero(change) <= student_beyond(outside, changes->freedom))
            return;
        change->surely = fabs(change->change) >= WAIT_CHANGE_LEAST;
        changes->changed += change->surely;
    }
}

void wait_changes_find(struct wait_changes *changes, const struct wait_side sides[2])
{
    struct matching m = {.sides = sides, .changes = changes};
    *changes = (struct wait_changes){0};
    for (int s = 0; s < 2; s++)
        name_groups(&m, s);
    match_edges(&m);
    uint32_t blocks[2] = {blocks_of(sides[0].cascade), blocks_of(sides[1].cascade)};
    uint32_t fewer = blocks[0] < blocks[1] ? blocks[0] : blocks[1];
    changes->freedom = fewer < 2 ? 0 : fewer - 1;
    for (uint32_t i = 0; i < changes->count; i++)
        judge(&m, &changes->items[i]);
    if (changes->count)
        qsort(changes->items, changes->count, sizeof *changes->items, by_certainty);
    name_changed(changes);
    if (changes->count)
        qsort(changes->items, changes->count, sizeof *changes->items, by_change);
    for (int s = 0; s < 2; s++) {
        memory_free(m.name_of[s]);
        hash_map_release(&m.group_of[s]);
    }
    hash_map_release(&m.change_of);
    intern_release(&m.names);
}

void wait_changes_release(struct wait_changes *changes)
{
    memory_free(changes->items);
    *changes = (struct wait_changes){0};
}
