#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/experiment.h"
#include "trace/importer.h"

struct experiment_list {
    struct experiment_target *targets;
    size_t target_count, target_capacity;
    struct experiment *items;
    size_t count, capacity;
    const char *outside;
    struct experiment_plan plan;
    bool any; /* file of experiments */
};

/* ---- the targets ---- */

static const struct plan_member {
    const char *name;
    size_t at;
} plan_members[] = {
    {"planned_s", offsetof(struct experiment_plan, planned_s)},
    {"took_s", offsetof(struct experiment_plan, took_s)},
    {"asked_width", offsetof(struct experiment_plan, asked_width)},
    {"expected_width", offsetof(struct experiment_plan, expected_width)},
    {"steps_refused", offsetof(struct experiment_plan, steps_refused)},
    {"untold", offsetof(struct experiment_plan, untold)},
    {"whole_runs", offsetof(struct experiment_plan, whole_runs)},
    {"never_called", offsetof(struct experiment_plan, never_called)},
    {"progress_share", offsetof(struct experiment_plan, progress_share)},
    {"progress_unseen", offsetof(struct experiment_plan, progress_unseen)},
};
enum { PLAN_MEMBERS = sizeof plan_members / sizeof plan_members[0] };

double *experiment_plan_member(struct experiment_plan *plan, const char *what)
{
    for (int i = 0; i < PLAN_MEMBERS; i++)
        if (strcmp(what, plan_members[i].name) == 0)
            return (double *)(void *)((char *)plan + plan_members[i].at);
    return NULL;
}

void experiment_plan_each(const struct experiment_plan *plan,
                          void (*take)(void *context, const char *what, double value),
                          void *context)
{
    for (int i = 0; i < PLAN_MEMBERS; i++)
        take(context, plan_members[i].name,
             *(const double *)(const void *)((const char *)plan + plan_members[i].at));
}

static const char *word_end(const char *text, const char *end)
{
    while (text < end && *text != ' ')
        text++;
    return text;
}

/* A line of no target: "0 outside 10.0.0.7:80", "0 plan planned_s 60". */
static void take_note(struct experiment_list *list, const struct experiment_target *note)
{
    char what[32];
    double value;
    if (strcmp(note->kind, "outside") == 0)
        list->outside = note->name;
    else if (strcmp(note->kind, "plan") == 0 && sscanf(note->name, "%31s %lf", what, &value) == 2 &&
             experiment_plan_member(&list->plan, what))
        *experiment_plan_member(&list->plan, what) = value;
}

/* "1 function parse" up to the end of the line; targets are numbered from 1, in their order. */
static void add_line(struct experiment_list *list, struct loading *loading, const char *line,
                     const char *end)
{
    const char *number = word_end(line, end), *kind = number + 1;
    const char *kind_end = number < end ? word_end(kind, end) : end;
    if (kind_end >= end)
        return;
    struct experiment_target target = {
        loading_name(loading, kind, (size_t)(kind_end - kind)),
        loading_name(loading, kind_end + 1, (size_t)(end - kind_end - 1))};
    if (*line == '0')
        take_note(list, &target);
    else
        VEC_PUSH(list->targets, list->target_count, list->target_capacity) = target;
}

static void begin_file(void *state, struct loading *loading, const struct trace_reader *reader)
{
    struct experiment_list *list = state;
    const char *text = reader->targets.length ? reader->targets.text : "";
    const char *end = text + reader->targets.length;
    list->any = list->any || reader->targets.length;
    for (const char *line = text, *stop; line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        add_line(list, loading, line, stop);
    }
}

/* ---- the experiments ---- */

static bool is_next(const struct experiment_list *list, const struct trace_experiment *record)
{
    return list->count == 0 || list->items[list->count - 1].epoch != record->epoch;
}

/* A damaged file may have a stage of no experiment, or of a target that is not told. */
static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    struct experiment_list *list = state;
    const struct trace_experiment *stage = record->data;
    if (stage->stage > TRACE_EXPERIMENT_BROKEN || !stage->target ||
        stage->target > list->target_count)
        return record->ticks;
    if (is_next(list, stage))
        VEC_PUSH(list->items, list->count, list->capacity) =
            (struct experiment){.epoch = stage->epoch,
                                .block = stage->block,
                                .round = stage->round,
                                .target = stage->target - 1u,
                                .share = (double)stage->share / TRACE_EXPERIMENT_WHOLE};
    struct experiment *item = &list->items[list->count - 1];
    unsigned index = stage->stage == TRACE_EXPERIMENT_BROKEN ? TRACE_EXPERIMENT_ENDS : stage->stage;
    item->whole = stage->stage == TRACE_EXPERIMENT_ENDS &&
                  item->stages[TRACE_EXPERIMENT_COUNTS].time &&
                  item->stages[TRACE_EXPERIMENT_DRAINS].time;
    item->stages[index] = (struct experiment_sums){loading_ns(loading, record->ticks),
                                                   stage->granted_ns,
                                                   stage->target_ns,
                                                   stage->calls,
                                                   stage->paid_ns,
                                                   stage->over_ns};
    return record->ticks;
}

#define COPY(arena, type, from, count)                                                             \
    ((count) ? memcpy(ARENA_ARRAY(arena, type, count), from, sizeof(type) * (count)) : NULL)

static void build(void *state, struct loading *loading)
{
    struct experiment_list *list = state;
    struct arena *arena = &loading->run->experiment_arena;
    if (!list->any)
        return;
    struct experiments *experiments = ARENA_NEW(arena, struct experiments);
    *experiments = (struct experiments){
        .targets = COPY(arena, struct experiment_target, list->targets, list->target_count),
        .target_count = (uint32_t)list->target_count,
        .items = COPY(arena, struct experiment, list->items, list->count),
        .count = (uint32_t)list->count,
        .outside = list->outside,
        .plan = list->plan};
    loading->run->experiments = experiments;
}

static void release(void *state)
{
    struct experiment_list *list = state;
    memory_free(list->targets);
    memory_free(list->items);
}

static const unsigned char kinds[] = {TRACE_EXPERIMENT, 0};

const struct importer experiment_importer = {.of_recorder = true,
                                             .kinds = kinds,
                                             .state_bytes = sizeof(struct experiment_list),
                                             .begin_file = begin_file,
                                             .take = take,
                                             .build = build,
                                             .release = release};
