#include "sampler/held_records.h"

#include "base/memory.h"

void held_records_init(struct held_records *held, size_t most)
{
    *held = (struct held_records){.most = 1, .first = 1, .next = 1};
    while (held->most < most)
        held->most *= 2;
}

bool held_records_full(const struct held_records *held)
{
    return held->next - held->first == held->most;
}

static struct held_record *place_of(const struct held_records *held, uint64_t number)
{
    return &held->records[number & (held->capacity - 1)];
}

static void grow(struct held_records *held)
{
    struct held_records larger = *held;
    larger.capacity = held->capacity ? held->capacity * 2 : 1024;
    larger.records = memory_alloc(larger.capacity * sizeof *larger.records);
    for (uint64_t i = held->first; i < held->next; i++)
        *place_of(&larger, i) = *place_of(held, i);
    memory_free(held->records);
    *held = larger;
}

uint64_t held_records_add(struct held_records *held, const struct held_record *record)
{
    if (held->next - held->first == held->capacity)
        grow(held);
    *place_of(held, held->next) = *record;
    return held->next++;
}

struct held_record *held_records_at(const struct held_records *held, uint64_t number)
{
    return number >= held->first && number < held->next ? place_of(held, number) : NULL;
}

struct held_record *held_records_oldest(const struct held_records *held)
{
    return held_records_at(held, held->first);
}

void held_records_drop_oldest(struct held_records *held)
{
    held->first++;
}

/* A record that is to be kept; `left`: as the going off of a thread, not as its coming. */
struct step {
    uint64_t number;
    bool left;
};
enum { STEPS = 256 };

static void push(struct step *steps, size_t *count, uint64_t number, bool left)
{
    if (number && *count < STEPS)
        steps[(*count)++] = (struct step){number, left};
}

static void explain(const struct held_record *record, bool left, struct step *steps, size_t *count)
{
    if (record->kind == TRACE_WAKING) {
        push(steps, count, record->before, true);
        push(steps, count, record->waker_in, false);
    } else if (left)
        push(steps, count, record->ran, false);
    else
        push(steps, count, record->before, true);
}

/* Each record is gone through at most twice in all, and what explains one is older than it. */
void held_records_keep(struct held_records *held, uint64_t came, uint64_t since_ns)
{
    struct step steps[STEPS];
    size_t count = 0;
    push(steps, &count, came, false);
    while (count) {
        struct step step = steps[--count];
        struct held_record *record = held_records_at(held, step.number);
        if (!record)
            continue;
        bool *done = step.left ? &record->told_ran : &record->explained;
        record->keep = true;
        if (*done || record->time_ns < since_ns)
            continue;
        *done = true;
        explain(record, step.left, steps, &count);
    }
}

void held_records_release(struct held_records *held)
{
    memory_free(held->records);
    *held = (struct held_records){0};
}
