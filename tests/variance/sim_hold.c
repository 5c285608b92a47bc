#include "sim_hold.h"

#include "base/memory.h"

enum { ALWAYS = -1, OPEN = -1 };

struct held {
    const struct object *o;
    bool unit; /* of a semaphore */
    int thread, from, to, site;
};

struct piece {
    struct sim_told told;
    int thread, next; /* next: 0, or the same wait again */
};

static bool is_held(unsigned operation)
{
    return operation == OP_MUTEX || operation == OP_READ_LOCK || operation == OP_WRITE_LOCK ||
           operation == OP_SEMAPHORE || operation == OP_USER || operation == OP_SPIN;
}

static struct held *add_held(struct machine *m, const struct thread *t, const struct object *o,
                             unsigned operation, int from)
{
    VEC_PUSH(m->held, m->held_count, m->held_capacity) =
        (struct held){o, operation == OP_SEMAPHORE, t->index, from, OPEN, 0};
    return &m->held[m->held_count - 1];
}

void sim_take(struct machine *m, const struct thread *t, const struct object *o, unsigned operation)
{
    add_held(m, t, o, operation, t->now);
}

void sim_give(struct machine *m, const struct thread *t, const struct object *o, unsigned operation,
              int site)
{
    struct held *found = NULL;
    for (size_t i = 0; i < m->held_count; i++) {
        struct held *h = &m->held[i];
        if (h->o == o && h->thread == t->index && h->to == OPEN &&
            h->unit == (operation == OP_SEMAPHORE))
            found = h;
    }
    if (!found)
        found = add_held(m, t, o, operation, ALWAYS);
    found->to = t->now;
    found->site = site;
}

void sim_emit_taking(struct machine *m, struct thread *t, const struct object *o, uint64_t address,
                     unsigned operation, int site)
{
    uint64_t probe = sim_probe_at(site, SIM_PROBE_LOCK);
    if (operation == OP_SPIN && site % 2)
        sim_emit(m, t, RECORD_MARK, t->now, (uint64_t[]){address, 10, 0});
    else if (sim_is_recorded(m, o))
        sim_emit(m, t, RECORD_BLOCK, t->now,
                 (uint64_t[]){sim_ticks(m, t, t->now), address,
                              probe | (uint64_t)operation << 32 | (uint64_t)4 << 40});
}

/* Who had it at `time`, of several the one who gave it back last, but not after `limit`; else who
 * had it last, since `since`. Until *next that does not change. */
static struct release holder_at(const struct machine *m, const struct sim_told *w, int time,
                                int *next)
{
    const struct held *now = NULL, *before = NULL;
    for (size_t i = 0; i < m->held_count; i++) {
        const struct held *h = &m->held[i];
        if (h->o != w->o || h->unit != (w->operation == OP_SEMAPHORE) || h->to == OPEN ||
            h->to > w->ended.time)
            continue;
        if (h->from > time && h->from < *next)
            *next = h->from;
        if (h->to > time && h->to < *next)
            *next = h->to;
        if (h->from <= time && time < h->to && (!now || h->to > now->to))
            now = h;
        if (h->to <= time && h->to >= w->from && (!before || h->to > before->to))
            before = h;
    }
    const struct held *h = now ? now : before;
    return h ? (struct release){h->thread, h->to, h->site} : nobody;
}

void sim_fill_told(struct machine *m, struct thread *t, const struct sim_told *w)
{
    int holders = 0;
    if (!w->o || !is_held(w->operation) || w->ended.thread == NOBODY) {
        sim_fill_block(m, t, w->from, w->to, w->operation, w->site, w->ended,
                       w->ended.thread != NOBODY);
        return;
    }
    for (int time = w->from, next; time < w->to; time = next) {
        next = w->to;
        struct release holder = holder_at(m, w, time, &next);
        sim_fill_block(m, t, time, next, w->operation, w->site, holder, true);
        holders += holder.thread != NOBODY && holder.time > time;
    }
    m->book->convoys += holders > 2;
}

static bool is_same(const struct sim_told *a, const struct sim_told *b)
{
    unsigned p = a->operation == OP_READ_LOCK ? OP_WRITE_LOCK : a->operation;
    unsigned q = b->operation == OP_READ_LOCK ? OP_WRITE_LOCK : b->operation;
    return a->address == b->address && p == q;
}

void sim_tell(struct machine *m, struct thread *t, const struct sim_told *told)
{
    int number = (int)m->piece_count;
    sim_fill_told(m, t, told);
    VEC_PUSH(m->pieces, m->piece_count, m->piece_capacity) = (struct piece){*told, t->index, 0};
    if (t->marked && is_same(&m->pieces[t->marked - 1].told, told)) {
        m->pieces[t->marked - 1].next = number;
        t->marked = 0;
    } else if (told->again) {
        m->pieces[t->last_piece - 1].next = number;
    }
    t->last_piece = number + 1;
}

bool sim_mark_false(struct machine *m, struct thread *t)
{
    const struct piece *last = t->last_piece ? &m->pieces[t->last_piece - 1] : NULL;
    if (!last || (is_held(last->told.operation) && !m->c->chatty))
        return false;
    t->marked = t->last_piece;
    return true;
}

void sim_resolve_false(struct machine *m)
{
    for (size_t i = m->piece_count; i-- > 0;) {
        struct piece *piece = &m->pieces[i];
        if (!piece->next)
            continue;
        piece->told.ended = m->pieces[piece->next].told.ended;
        struct sim_told told = piece->told;
        if (!is_held(told.operation) && told.ended.thread != NOBODY)
            told.ended.time = told.to;
        sim_fill_told(m, &m->threads[piece->thread], &told);
        m->book->in_vain++;
    }
}

void sim_hold_release(struct machine *m)
{
    memory_free(m->held);
    memory_free(m->pieces);
}
