#include "trace/waker.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/near_search.h"
#include "trace/hold_order.h"
#include "trace/nest.h"
#include "trace/release_order.h"

#define RELEASE_NONE UINT32_MAX

#define CLOSES 256u /* whoever waits for something to be closed waits for nothing else */

/* The two of an rwlock stand side by side. */
static uint64_t waker_key(uint64_t object, uint32_t operation, bool closes)
{
    if (operation == TRACE_OP_SPIN)
        operation = TRACE_OP_USER;
    uint32_t kind = operation == TRACE_OP_RWLOCK_READ ? TRACE_OP_RWLOCK_WRITE : operation;
    uint64_t key = hash_mix(object ^ hash_mix(closes ? kind | CLOSES : kind));
    if (kind != TRACE_OP_RWLOCK_WRITE)
        return key;
    return operation == kind ? key & ~WAKER_KEY_READ : key | WAKER_KEY_READ;
}

static uint32_t units(uint32_t amount)
{
    return amount ? amount : 1;
}

bool waker_is_used_up(uint32_t operation)
{
    return operation == TRACE_OP_COND || operation == TRACE_OP_SEMAPHORE ||
           operation == TRACE_OP_CHANNEL || operation == TRACE_OP_FUTEX;
}

/* Releases of one object often come one after the other. */
static uint64_t release_key(struct waker_list *list, uint64_t object, uint32_t operation,
                            bool closes)
{
    struct waker_name *name = &list->name;
    if (!name->known || name->object != object || name->operation != operation ||
        name->closes != closes)
        *name = (struct waker_name){object, waker_key(object, operation, closes), operation, closes,
                                    true};
    return name->key;
}

static void loop_begin(struct waker_loop *loop, uint32_t thread)
{
    if (loop->thread != thread)
        *loop = (struct waker_loop){.thread = thread};
}

void waker_list_add_act(struct waker_list *list, uint32_t thread)
{
    loop_begin(&list->loop, thread);
    list->loop.acted = true;
}

static bool is_lock(uint32_t operation)
{
    return hold_is_of(operation) && operation != TRACE_OP_SEMAPHORE;
}

/* The wait for a condition is entered again only where nothing but its mutex was released, and that
 * for the first time since. Whoever calls a wake false has let nobody go on meanwhile, but out of a
 * lock. */
static void note_release(struct waker_list *list, uint32_t thread, uint32_t operation,
                         uint32_t mode)
{
    loop_begin(&list->loop, thread);
    if (!is_lock(operation))
        list->loop.marked = 0;
    list->loop.again = mode == TRACE_RELEASE_AGAIN && !list->loop.acted;
    list->loop.acted |= mode != TRACE_RELEASE_AGAIN;
}

void waker_list_add_false_wakeup(struct waker_list *list, uint32_t thread)
{
    loop_begin(&list->loop, thread);
    list->loop.marked = list->loop.last;
}

static bool is_same_wait(const struct waker_block *a, const struct waker_block *b)
{
    return a->key == b->key && a->block.site == b->block.site;
}

/* `waiting` is about to be added. */
static void note_block(struct waker_list *list, const struct waker_block *waiting)
{
    struct waker_loop *loop = &list->loop;
    loop_begin(loop, waiting->thread);
    struct waker_block *marked = loop->marked ? &list->blocks[loop->marked - 1] : NULL;
    struct waker_block *last = loop->last ? &list->blocks[loop->last - 1] : NULL;
    if (marked && marked->key == waiting->key) {
        marked->next = (uint32_t)list->block_count;
        loop->marked = 0;
    } else if (loop->again && last && is_same_wait(last, waiting)) {
        last->next = (uint32_t)list->block_count;
    }
    loop->last = (uint32_t)list->block_count + 1;
    loop->acted = loop->again = false;
}

void waker_list_add_release(struct waker_list *list, uint32_t thread, uint64_t object,
                            uint32_t operation, struct waker_release release)
{
    release.key = release_key(list, object, operation, release.mode == TRACE_RELEASE_CLOSE);
    release.since = HOLD_UNKNOWN;
    if (list->takings.count && hold_is_of(operation))
        release.since = hold_takings_end(&list->takings, thread, release.key & ~WAKER_KEY_READ);
    release.thread = thread;
    note_release(list, thread, operation, release.mode);
    release.operation = operation & 0xff;
    list->object_before = list->last_object;
    list->last_object = object;
    if (list->release_count >= RELEASE_NONE - 1)
        BUG("more releases than can be numbered");
    VEC_PUSH(list->releases, list->release_count, list->release_capacity) = release;
}

static void note_taking(struct waker_list *list, uint32_t thread, uint64_t key, time_ns time)
{
    hold_takings_add(&list->takings, thread, key & ~WAKER_KEY_READ, time);
}

/* The release of the mutex that belongs to a condition wait is the thread's last one, made at the
 * wait's own site and not before an earlier block of the thread ended. When the wait is over, the
 * thread has it again. */
static void waker_list_learn(struct waker_list *list, const struct waker_block *waiting)
{
    const struct waker_release *last =
        list->release_count ? &list->releases[list->release_count - 1] : NULL;
    const struct waker_block *before =
        list->block_count ? &list->blocks[list->block_count - 1] : NULL;
    if (waiting->block.operation != TRACE_OP_COND || !last || last->thread != waiting->thread ||
        last->operation != TRACE_OP_MUTEX || last->site != waiting->block.site ||
        last->time > waiting->block.start ||
        (before && before->thread == waiting->thread && before->block.end > last->time))
        return;
    note_taking(list, waiting->thread, last->key, waiting->block.end);
    uint64_t *place = hash_map_put(&list->mutexes, waiting->key);
    if (*place == 0) {
        VEC_PUSH(list->pairs, list->pair_count, list->pair_capacity) =
            (struct waker_pair){last->key, list->last_object, true};
        *place = list->pair_count;
    } else if (list->pairs[*place - 1].key != last->key) {
        list->pairs[*place - 1].known = false;
    }
}

/* A thread that had to wait at a barrier has let nobody go on. */
static void waker_list_drop_arrival(struct waker_list *list, const struct waker_block *waiting)
{
    const struct waker_release *last =
        list->release_count ? &list->releases[list->release_count - 1] : NULL;
    if (waiting->block.operation == TRACE_OP_BARRIER && last && last->thread == waiting->thread &&
        last->key == waiting->key && last->time <= waiting->block.start) {
        list->release_count--;
        list->last_object = list->object_before;
    }
}

void waker_list_add_block(struct waker_list *list, uint32_t thread, struct block block,
                          enum trace_ending ending, uint32_t amount)
{
    struct waker_block waiting = {.block = block,
                                  .thread = thread,
                                  .ending = ending,
                                  .amount = amount,
                                  .order = 2 * list->block_count};
    if (waiting.block.end < waiting.block.start)
        waiting.block.end = waiting.block.start;
    waiting.block.waker = THREAD_NONE;
    waiting.block.hold = HOLD_NONE;
    waiting.block.waker_site = 0;
    waiting.block.waker_stack = 0;
    waiting.block.waker_time = waiting.block.end;
    /* No reader's unlock ends the wait of another reader. */
    bool reads = block.operation == TRACE_OP_RWLOCK_READ;
    waiting.key = waker_key(block.object, reads ? TRACE_OP_RWLOCK_WRITE : block.operation,
                            ending == TRACE_ENDING_CLOSED);
    waker_list_learn(list, &waiting);
    waker_list_drop_arrival(list, &waiting);
    if (ending != TRACE_ENDING_GAVE_UP && hold_is_of(block.operation))
        note_taking(list, thread, waiting.key, waiting.block.end);
    if (ending == TRACE_ENDING_NO_WAIT)
        waker_list_add_act(list, thread);
    else
        note_block(list, &waiting);
    if (ending != TRACE_ENDING_NO_WAIT || waker_is_used_up(block.operation))
        VEC_PUSH(list->blocks, list->block_count, list->block_capacity) = waiting;
}

void waker_list_add_taking(struct waker_list *list, uint32_t thread, uint64_t object, time_ns time)
{
    waker_list_add_act(list, thread);
    note_taking(list, thread, waker_key(object, TRACE_OP_USER, false), time);
}

static int block_compare_key(const void *a, const void *b)
{
    const struct waker_block *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    if (p->block.end != q->block.end)
        return p->block.end < q->block.end ? -1 : 1;
    if (p->block.start != q->block.start)
        return p->block.start < q->block.start ? -1 : 1;
    return p->order < q->order ? -1 : p->order > q->order;
}

static int block_compare_order(const void *a, const void *b)
{
    const struct waker_block *p = a, *q = b;
    return p->order < q->order ? -1 : p->order > q->order;
}

/* The releases, sorted by object and time, with ways to walk that pass over what can't count. */
struct release_index {
    const struct waker_release *releases;
    size_t count;
    size_t sought;   /* where the latest seek came to */
    uint32_t *other; /* the latest one before it of the same object by another thread */
    /* The index has lists of what is used up; NULL until there is any. */
    uint32_t *unused;  /* the next one from here on that is not used up; compressed on the way */
    uint32_t *earlier; /* one more than the last one before here that is not; the same */
    uint32_t *left;    /* units not used up */
    struct hold_order holds;
};

static void release_index_init(struct release_index *index, const struct waker_list *list)
{
    const struct waker_release *r = list->releases;
    size_t n = list->release_count;
    *index = (struct release_index){
        .releases = r, .count = n, .other = memory_alloc(sizeof(uint32_t) * n)};
    hold_order_build(&index->holds, r, n);
    for (size_t i = 0; i < n; i++) {
        bool first = i == 0 || r[i - 1].key != r[i].key;
        index->other[i] = first                            ? RELEASE_NONE
                          : r[i - 1].thread != r[i].thread ? (uint32_t)i - 1
                                                           : index->other[i - 1];
    }
}

/* The index is made ready before anything is used up. */
static void release_index_begin_use(struct release_index *index)
{
    size_t n = index->count;
    if (index->unused)
        return;
    index->unused = memory_alloc(sizeof *index->unused * (n + 1));
    index->earlier = memory_alloc(sizeof *index->earlier * (n + 1));
    index->left = memory_alloc(sizeof *index->left * (n + 1));
    for (size_t i = 0; i <= n; i++) {
        index->unused[i] = index->earlier[i] = (uint32_t)i;
        index->left[i] = i < n ? units(index->releases[i].amount) : 0;
    }
}

static void release_index_free(struct release_index *index)
{
    memory_free(index->other);
    memory_free(index->unused);
    memory_free(index->earlier);
    memory_free(index->left);
}

struct release_moment {
    const struct waker_release *releases;
    uint64_t key;
    time_ns time;
};

static bool release_is_before(const void *moment, size_t i)
{
    const struct release_moment *m = moment;
    const struct waker_release *r = &m->releases[i];
    return r->key < m->key || (r->key == m->key && r->time < m->time);
}

/* The first release that is not before (key, time). Blocks come in the same order: it is most often
 * near the latest one. */
static size_t release_index_seek(struct release_index *index, uint64_t key, time_ns time)
{
    const struct release_moment moment = {index->releases, key, time};
    index->sought = near_search(index->count, index->sought, release_is_before, &moment);
    return index->sought;
}

static size_t follow(uint32_t *next, size_t i)
{
    while (next[i] != i) {
        next[i] = next[next[i]];
        i = next[i];
    }
    return i;
}

/* The release serves some of `wanted` units; the result is how many. */
static uint32_t release_index_use(struct release_index *index, size_t i, uint32_t wanted)
{
    if (index->releases[i].mode == TRACE_RELEASE_BROADCAST)
        return wanted;
    uint32_t used = index->left[i] < wanted ? index->left[i] : wanted;
    index->left[i] -= used;
    if (index->left[i] == 0) {
        index->unused[i] = (uint32_t)i + 1;
        index->earlier[i + 1] = (uint32_t)i;
    }
    return used;
}

/* Serves a waiter; returns what that still wants. The largest amount is all of the last release. */
static uint32_t release_index_serve(struct release_index *index, size_t i,
                                    const struct waker_block *b, uint32_t wanted)
{
    wanted -= release_index_use(index, i, wanted);
    if (wanted == 0 && b->amount == UINT16_MAX)
        release_index_use(index, i, UINT32_MAX);
    return wanted;
}

static bool release_fits(const struct release_index *index, size_t i, uint64_t key,
                         const struct waker_block *b)
{
    return i < index->count && index->releases[i].key == key &&
           index->releases[i].time >= b->block.start && index->releases[i].time <= b->block.end;
}

static size_t find_earliest(struct release_index *index, const struct waker_block *b)
{
    size_t found = RELEASE_NONE;
    uint32_t wanted = units(b->amount);
    release_index_begin_use(index);
    size_t i = follow(index->unused, release_index_seek(index, b->key, b->block.start));
    for (; wanted > 0 && release_fits(index, i, b->key, b); i = follow(index->unused, i + 1)) {
        if (index->releases[i].thread == b->thread)
            continue;
        if (found == RELEASE_NONE || b->block.operation != TRACE_OP_CHANNEL)
            found = i;
        if (b->ending == TRACE_ENDING_LEFT_SOME)
            break;
        wanted = release_index_serve(index, i, b, wanted);
    }
    return found;
}

/* A thread that did not have to wait uses the latest release. */
static void use_latest(struct release_index *index, const struct waker_block *b)
{
    uint32_t wanted = units(b->amount);
    release_index_begin_use(index);
    size_t i = follow(index->earlier, release_index_seek(index, b->key, b->block.end + 1));
    for (; wanted > 0 && i > 0 && index->releases[i - 1].key == b->key;
         i = follow(index->earlier, i - 1))
        wanted = release_index_serve(index, i - 1, b, wanted);
}

static size_t find_latest_of(struct release_index *index, uint64_t key, const struct waker_block *b)
{
    size_t i = release_index_seek(index, key, b->block.end + 1);
    if (i == 0 || !release_fits(index, --i, key, b))
        return RELEASE_NONE;
    if (index->releases[i].thread == b->thread)
        i = index->other[i];
    return i != RELEASE_NONE && release_fits(index, i, key, b) ? i : RELEASE_NONE;
}

/* A writer may have waited for readers, too. */
static size_t find_latest(struct release_index *index, const struct waker_block *b)
{
    size_t found = find_latest_of(index, b->key, b);
    if (b->block.operation != TRACE_OP_RWLOCK_WRITE)
        return found;
    size_t reader =
        find_latest_of(index, waker_key(b->block.object, TRACE_OP_RWLOCK_READ, false), b);
    if (reader == RELEASE_NONE || found == RELEASE_NONE)
        return reader == RELEASE_NONE ? found : reader;
    return index->releases[reader].time > index->releases[found].time ? reader : found;
}

static void block_set_waker(struct waker_block *b, const struct release_index *index, size_t i)
{
    const struct waker_release *release = &index->releases[i];
    b->block.waker = release->thread;
    b->block.waker_site = release->site;
    b->block.waker_stack = release->stack;
    b->block.waker_time = release->time;
    b->block.hold = hold_order_of(&index->holds, i);
}

/* The condition was signalled, and then its mutex was not free: two blocks, one after another. */
static void split_for_mutex(struct waker_list *list, struct release_index *index, size_t i)
{
    struct waker_block *whole = &list->blocks[i];
    const uint64_t *place = hash_map_get(&list->mutexes, whole->key);
    if (whole->block.operation != TRACE_OP_COND || !place || !list->pairs[*place - 1].known)
        return;
    struct waker_block second = *whole;
    second.key = list->pairs[*place - 1].key;
    second.order++;
    second.block.object = list->pairs[*place - 1].object;
    second.block.operation = TRACE_OP_MUTEX;
    second.block.start = whole->block.waker_time;
    size_t found = find_latest(index, &second);
    if (found == RELEASE_NONE)
        return;
    block_set_waker(&second, index, found);
    whole->block.end = second.block.start;
    VEC_PUSH(list->blocks, list->block_count, list->block_capacity) = second;
}

static void find_waker(struct waker_list *list, struct release_index *index, size_t i)
{
    struct waker_block *b = &list->blocks[i];
    if (b->ending == TRACE_ENDING_GAVE_UP)
        return;
    if (b->ending == TRACE_ENDING_NO_WAIT) {
        use_latest(index, b);
        return;
    }
    bool in_turn = b->ending != TRACE_ENDING_CLOSED &&
                   (waker_is_used_up(b->block.operation) || b->block.operation == TRACE_OP_BARRIER);
    size_t found = in_turn ? find_earliest(index, b) : find_latest(index, b);
    if (found == RELEASE_NONE)
        return;
    block_set_waker(b, index, found);
    if (!b->next)
        split_for_mutex(list, index, i);
}

static struct waker_block *find_block(struct waker_list *list, uint32_t number)
{
    struct waker_block sought = {.order = 2 * (uint64_t)number};
    return bsearch(&sought, list->blocks, list->block_count, sizeof sought, block_compare_order);
}

/* A thread that let another one pass at last is to blame for the time before a false wake as
 * well. */
static void pass_false_wakes_on(struct waker_list *list)
{
    for (size_t i = list->block_count; i-- > 0;) {
        struct block *b = &list->blocks[i].block;
        const struct waker_block *next =
            list->blocks[i].next ? find_block(list, list->blocks[i].next) : NULL;
        if (!next)
            continue;
        b->waker = next->block.waker;
        b->waker_site = next->block.waker_site;
        b->waker_stack = next->block.waker_stack;
        b->waker_time = b->end;
        b->hold = next->block.hold;
        b->gave_up = next->block.gave_up;
        b->in_vain = true;
    }
}

/* A holder that had it all the time is one waker, as where there are no holds. */
static void forget_longer_holds(struct waker_list *list, const struct timelines *run)
{
    for (size_t i = 0; i < list->block_count && run->hold_count; i++) {
        struct block *b = &list->blocks[i].block;
        if (b->hold != HOLD_NONE && run->holds[b->hold - 1].since <= b->start)
            b->hold = HOLD_NONE;
    }
}

static void drop_takings(struct waker_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->block_count; i++)
        if (list->blocks[i].ending != TRACE_ENDING_NO_WAIT)
            list->blocks[kept++] = list->blocks[i];
    list->block_count = kept;
}

static void find_wakers(struct waker_list *list, struct timelines *run, struct arena *arena)
{
    struct release_index index;
    size_t count = list->block_count; /* splitting appends */
    if (list->release_count)
        releases_sort(list->releases, list->release_count);
    if (count)
        qsort(list->blocks, count, sizeof *list->blocks, block_compare_key);
    release_index_init(&index, list);
    for (size_t i = 0; i < count; i++)
        find_waker(list, &index, i);
    hold_order_finish(&index.holds, run, arena);
    release_index_free(&index);
    drop_takings(list);
    if (list->block_count)
        qsort(list->blocks, list->block_count, sizeof *list->blocks, block_compare_order);
    pass_false_wakes_on(list);
    forget_longer_holds(list, run);
}

/* The blocks of one thread becoming stretches that do not overlap. */
struct flatten {
    const struct waker_block *blocks; /* in the order of the log */
    const struct nest_item *items;
    struct block *out;
    uint32_t out_count;
    time_ns at;
};

static void flatten_emit(struct flatten *f, uint32_t i, time_ns until)
{
    if (until <= f->at)
        return;
    struct block part = f->blocks[i].block;
    part.start = f->at;
    part.end = until;
    if (part.waker_time < part.start || part.waker_time > part.end) {
        part.waker = THREAD_NONE;
        part.hold = HOLD_NONE;
        part.waker_site = 0;
        part.waker_stack = 0;
    }
    if (part.waker == THREAD_NONE)
        part.waker_time = part.end;
    f->out[f->out_count++] = part;
    f->at = until;
}

/* The indices in `place` list the blocks, parent first. Those that are open form a chain of
 * parents. */
static void flatten_nest(struct flatten *f, const uint32_t *place, uint32_t count)
{
    uint32_t open = NEST_NONE;
    for (uint32_t p = 0; p < count; p++) {
        const struct nest_item *item = &f->items[place[p]];
        for (; open != item->parent; open = f->items[open].parent)
            flatten_emit(f, open, f->items[open].end);
        if (open != NEST_NONE)
            flatten_emit(f, open, item->start);
        f->at = item->start;
        open = place[p];
    }
    for (; open != NEST_NONE; open = f->items[open].parent)
        flatten_emit(f, open, f->items[open].end);
}

static void thread_flatten(struct timeline_thread *thread, const struct waker_block *blocks,
                           uint32_t count, struct arena *arena)
{
    struct nest_item *items = memory_alloc(sizeof *items * count);
    uint32_t *place = memory_alloc(sizeof *place * count);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (struct nest_item){.start = blocks[i].block.start, .end = blocks[i].block.end};
    nest_build(items, count);
    for (uint32_t i = 0; i < count; i++)
        place[items[i].place] = i;
    /* A block is cut at most once for each block directly inside. */
    struct flatten f = {blocks, items, memory_alloc(sizeof *f.out * 2 * count), 0, 0};
    flatten_nest(&f, place, count);
    thread->block_count = f.out_count;
    thread->blocks = ARENA_ARRAY(arena, struct block, f.out_count);
    for (uint32_t i = 0; i < f.out_count; i++)
        thread->blocks[i] = f.out[i];
    memory_free(f.out);
    memory_free(items);
    memory_free(place);
}

void waker_list_build(struct waker_list *list, struct timelines *run, struct arena *arena)
{
    find_wakers(list, run, arena);
    for (size_t i = 0, end; i < list->block_count; i = end) {
        uint32_t thread = list->blocks[i].thread;
        for (end = i; end < list->block_count && list->blocks[end].thread == thread;)
            end++;
        thread_flatten(&run->threads[thread], &list->blocks[i], (uint32_t)(end - i), arena);
    }
}

void waker_list_release(struct waker_list *list)
{
    memory_free(list->releases);
    memory_free(list->blocks);
    memory_free(list->pairs);
    hash_map_release(&list->mutexes);
    hold_takings_release(&list->takings);
    *list = (struct waker_list){0};
}
