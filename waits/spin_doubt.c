#include "waits/spin_doubt.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "symbol/machine_code.h"
#include "symbol/symbolizer.h"
#include "trace/sample.h"

/* A loop that only waits is no longer than this, and a clock's sample may lie just behind it. */
enum { LONGEST_BYTES = 64, AROUND_BYTES = 8 };
/* Of what a group runs, less than that is no matter; nor is what was sampled seldom (chosen). */
#define LEAST_PART 0.1
#define LEAST_SAMPLES 5

/* Where the samples of a group lie in a function. */
struct place {
    uint32_t group, pid;
    const char *symbol;
    uint64_t low, high, sampled;
};

struct searching {
    struct place *places;
    size_t count, capacity;
    struct intern symbols;    /* each address of a function has a text of its own */
    struct hash_map place_of; /* symbol << 32 | group -> 1 + place */
    struct sampled_names *names;
};

static void add(struct searching *s, uint32_t group, const struct sampled_stack *stack)
{
    uint64_t address = stack->addresses[0];
    struct symbolizer *symbolizer = sampled_names_symbolizer(s->names, stack->pid);
    const char *symbol = symbolizer ? symbolizer_name(symbolizer, address) : NULL;
    if (!symbol)
        return;
    uint64_t *known =
        hash_map_put(&s->place_of, (uint64_t)intern_add(&s->symbols, symbol) << 32 | group);
    if (!*known) {
        VEC_PUSH(s->places, s->count, s->capacity) = (struct place){
            .group = group, .pid = stack->pid, .symbol = symbol, .low = address, .high = address};
        *known = s->count;
    }
    struct place *place = &s->places[*known - 1];
    place->low = address < place->low ? address : place->low;
    place->high = address > place->high ? address : place->high;
    place->sampled++;
}

/* Those of glibc that spin for a while, or for as long as it takes. */
static bool is_known(const char *symbol)
{
    return strcmp(symbol, "pthread_spin_lock") == 0 || strcmp(symbol, "__pthread_spin_lock") == 0;
}

static bool may_spin(const struct searching *s, const struct place *place)
{
    if (place->sampled < LEAST_SAMPLES)
        return false;
    return is_known(place->symbol) ||
           (place->high - place->low <= LONGEST_BYTES &&
            machine_code_may_spin(sampled_names_symbolizer(s->names, place->pid),
                                  place->low - AROUND_BYTES, place->high + AROUND_BYTES));
}

static int by_sampled(const void *a, const void *b)
{
    const struct spin_doubt *p = a, *q = b;
    if (p->sampled != q->sampled)
        return p->sampled > q->sampled ? -1 : 1;
    return p->group < q->group ? -1 : p->group > q->group;
}

static void judge(struct spin_doubts *doubts, const struct searching *s,
                  const struct run_stacks *stacks)
{
    size_t capacity = 0;
    for (size_t i = 0; i < s->count; i++) {
        const struct place *place = &s->places[i];
        double part = (double)place->sampled / (double)stacks->sampled[place->group];
        if (part >= LEAST_PART && may_spin(s, place))
            VEC_PUSH(doubts->items, doubts->count, capacity) =
                (struct spin_doubt){.group = place->group,
                                    .function = place->symbol,
                                    .sampled = place->sampled,
                                    .part = part};
    }
    if (doubts->count)
        qsort(doubts->items, doubts->count, sizeof *doubts->items, by_sampled);
}

void spin_doubts_fill(struct spin_doubts *doubts, struct sampled_names *names,
                      const struct run_stacks *stacks, const struct timelines *run,
                      const struct wait_graph *graph)
{
    struct searching s = {.names = names};
    *doubts = (struct spin_doubts){0};
    if (!names)
        return;
    for (uint32_t i = 0; i < run->sample_count; i++) {
        const struct stack_sample *sample = &run->samples[i];
        const struct sampled_stack *stack = &run->sampled_stacks[sample->stack];
        uint32_t task = run_stacks_task(stacks, sample);
        if (task != TASK_NONE && sample->stack && stack->size && !stack->kernel)
            add(&s, graph->group_of[task], stack);
    }
    judge(doubts, &s, stacks);
    memory_free(s.places);
    hash_map_release(&s.place_of);
    intern_release(&s.symbols);
}

void spin_doubts_release(struct spin_doubts *doubts)
{
    memory_free(doubts->items);
    *doubts = (struct spin_doubts){0};
}
