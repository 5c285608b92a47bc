#include "stacks/stretch_pieces.h"

#include "base/memory.h"

/* The stretch is gone through from lo to hi. */
struct cutting {
    struct stretch_pieces *pieces;
    const struct context_tree *tree;
    const struct stretch *stretch;
    const struct stack_moment **samples; /* the clock's */
    size_t sample_capacity;
    size_t sample; /* the one that running time is nearest to */
    size_t passed; /* moments that began at `time` or before */
    time_ns time;
    time_ns ran; /* before it */
};

static time_ns clamp(time_ns time, time_ns lo, time_ns hi)
{
    return time < lo ? lo : time > hi ? hi : time;
}

static void add_piece(struct cutting *c, time_ns until, struct stack_moment stack, bool whole,
                      bool unseen)
{
    struct stretch_pieces *pieces = c->pieces;
    stack.time = c->time;
    stack.until = until;
    stack.amount_ns = 0;
    if (until > c->time)
        VEC_PUSH(pieces->items, pieces->count, pieces->capacity) =
            (struct stack_piece){stack, whole, unseen};
    c->time = until;
}

/* Running time at `time`: that until then without the offs before. `off` is the first off that may end
 * behind it, `gone` what those before it took. */
static void note_samples(struct cutting *c)
{
    const struct stretch *s = c->stretch;
    struct stretch_pieces *pieces = c->pieces;
    time_ns gone = 0;
    uint32_t off = 0;
    pieces->sample_count = 0;
    for (size_t m = 0; m < s->moment_count; m++) {
        time_ns time = s->moments[m].time, begun;
        if (!s->moments[m].amount_ns)
            continue;
        for (; off < s->off_count && s->offs[off].in <= time; off++)
            gone += clamp(s->offs[off].in, s->lo, s->hi) - clamp(s->offs[off].out, s->lo, s->hi);
        begun = off < s->off_count ? s->offs[off].out : INT64_MAX;
        size_t count = pieces->sample_count;
        VEC_PUSH(c->samples, count, c->sample_capacity) = &s->moments[m];
        VEC_PUSH(pieces->sampled, pieces->sample_count, pieces->sample_capacity) =
            (begun < time ? clamp(begun, s->lo, time) : time) - s->lo - gone;
    }
}

static void pass_moments(struct cutting *c)
{
    const struct stretch *s = c->stretch;
    while (c->passed < s->moment_count && s->moments[c->passed].time <= c->time)
        c->passed++;
}

/* The calls that the moments before and after have in common. */
static struct stack_moment common_stack(const struct cutting *c)
{
    const struct stretch *s = c->stretch;
    struct stack_moment stack = {.node = CONTEXT_ROOT};
    if (!c->passed || c->passed == s->moment_count)
        return stack;
    const struct stack_moment *before = &s->moments[c->passed - 1], *after = before + 1;
    stack = *before;
    stack.node = stack_moments_common(c->tree, before, after);
    return stack;
}

/* No sample says whose the running time until `until` is. */
static void cut_unseen(struct cutting *c, time_ns until)
{
    const struct stretch *s = c->stretch;
    while (c->time < until) {
        pass_moments(c);
        time_ns next = c->passed < s->moment_count ? s->moments[c->passed].time : until;
        add_piece(c, next < until ? next : until, common_stack(c), false, true);
    }
}

/* Running time up to which the sample is the nearest. */
static time_ns sample_reach(const struct cutting *c)
{
    const struct stretch_pieces *pieces = c->pieces;
    if (c->sample + 1 >= pieces->sample_count)
        return INT64_MAX;
    time_ns at = pieces->sampled[c->sample];
    return at + (pieces->sampled[c->sample + 1] - at) / 2;
}

static void cut_running(struct cutting *c, time_ns until)
{
    time_ns ran = c->ran + (until - c->time), reach;
    if (!c->pieces->sample_count) {
        cut_unseen(c, until);
    } else {
        for (; (reach = sample_reach(c)) < ran; c->sample++) {
            add_piece(c, c->time + (reach - c->ran), *c->samples[c->sample], true, false);
            c->ran = reach;
        }
        add_piece(c, until, *c->samples[c->sample], true, false);
    }
    c->ran = ran;
}

/* The moment that is the stack of the off, or NULL. */
static const struct stack_moment *stack_of_off(const struct cutting *c, const struct off_cpu *off)
{
    const struct stretch *s = c->stretch;
    const struct stack_moment *last = c->passed ? &s->moments[c->passed - 1] : NULL;
    return last && last->until > last->time && last->time <= off->out && last->until >= off->in
               ? last
               : NULL;
}

/* Where it was in others like it, or nothing but what is known of the time around. */
static void add_unknown(struct cutting *c, const struct off_cpu *off, time_ns until)
{
    struct stack_moment stack = common_stack(c);
    const struct off_donors *donors = c->stretch->donors;
    uint32_t like = donors ? off_donors_find(donors, c->tree, off, stack.node) : CONTEXT_NONE;
    if (like != CONTEXT_NONE)
        stack = (struct stack_moment){.node = like};
    add_piece(c, until, stack, like != CONTEXT_NONE,
              like == CONTEXT_NONE && off->cause == OFF_RUNNABLE);
}

/* Who was preempted was running, and goes on where it was. */
static void add_without_stack(struct cutting *c, const struct off_cpu *off, time_ns until)
{
    if (off->cause == OFF_RUNNABLE && c->pieces->sample_count)
        add_piece(c, until, *c->samples[c->sample], true, false);
    else
        add_unknown(c, off, until);
}

static void cut_off(struct cutting *c, const struct off_cpu *off)
{
    time_ns until = clamp(off->in, c->time, c->stretch->hi);
    pass_moments(c);
    const struct stack_moment *stack = stack_of_off(c, off);
    c->pieces->off += until - c->time;
    if (stack)
        c->pieces->off_known += until - c->time;
    if (stack)
        add_piece(c, until, *stack, true, false);
    else
        add_without_stack(c, off, until);
}

void stretch_pieces_fill(struct stretch_pieces *pieces, const struct context_tree *tree,
                         const struct stretch *stretch)
{
    struct cutting c = {.pieces = pieces, .tree = tree, .stretch = stretch, .time = stretch->lo};
    pieces->count = 0;
    pieces->off = pieces->off_known = 0;
    note_samples(&c);
    for (uint32_t o = 0; o < stretch->off_count; o++) {
        cut_running(&c, clamp(stretch->offs[o].out, c.time, stretch->hi));
        cut_off(&c, &stretch->offs[o]);
    }
    cut_running(&c, stretch->hi);
    pieces->ran = c.ran;
    memory_free(c.samples);
}

void stretch_pieces_release(struct stretch_pieces *pieces)
{
    memory_free(pieces->items);
    memory_free(pieces->sampled);
    *pieces = (struct stretch_pieces){0};
}

time_ns stretch_pieces_near(const struct stretch_pieces *pieces, time_ns reach)
{
    time_ns near = 0, until = 0; /* the running time before `until` was looked at */
    for (size_t i = 0; i < pieces->sample_count; i++) {
        time_ns from = clamp(pieces->sampled[i] - reach, until, pieces->ran);
        time_ns to = clamp(pieces->sampled[i] + reach, from, pieces->ran);
        near += to - from;
        until = to;
    }
    return near;
}
