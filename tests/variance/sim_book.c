#include "sim_book.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Of wakers that were themselves woken. */
enum { DEEPEST = 64 };

/* [from, to): what the thread did; for the interval, or, in a gap of that name, before it came to
 * it. */
struct story {
    int from, to, thread; /* thread -1: nothing explains it */
    const char *gap;
    const struct story *before;
};

void book_init(struct book *book)
{
    *book = (struct book){0};
    VEC_PUSH(book->stacks, book->stack_count, book->stack_capacity) = (struct book_stack){0};
    VEC_PUSH(book->blocks, book->block_count, book->block_capacity) = (struct book_block){0};
    for (int t = 0; t < BOOK_THREADS; t++) {
        struct book_thread *thread = &book->threads[t];
        thread->interval = thread->segment = thread->previous = -1;
        thread->pickup.creator = -1;
        thread->first = BOOK_OPEN;
    }
}

void book_release(struct book *book)
{
    for (int t = 0; t < BOOK_THREADS; t++)
        memory_free(book->threads[t].cells);
    memory_free(book->stacks);
    memory_free(book->blocks);
    memory_free(book->segments);
    memory_free(book->intervals);
    arena_release(&book->arena);
}

int book_stack(struct book *book, const struct book_stack *stack)
{
    VEC_PUSH(book->stacks, book->stack_count, book->stack_capacity) = *stack;
    return (int)book->stack_count - 1;
}

int book_block(struct book *book, struct book_block block)
{
    VEC_PUSH(book->blocks, book->block_count, book->block_capacity) = block;
    return (int)book->block_count - 1;
}

void book_fill(struct book *book, int thread, int from, int to, int stack, int block)
{
    struct book_thread *t = &book->threads[thread];
    for (int i = from; i < to && (size_t)i < t->count; i++)
        t->cells[i].block = block;
    while (t->count < (size_t)to) {
        bool told = t->count >= (size_t)from;
        struct book_cell cell = {told ? stack : 0, told ? block : 0};
        VEC_PUSH(t->cells, t->count, t->capacity) = cell;
    }
}

static const struct story *story_new(struct book *book, int from, int to, int thread,
                                     const char *gap, const struct story *before)
{
    struct story *story = ARENA_NEW(&book->arena, struct story);
    *story = (struct story){from, to, thread, gap, before};
    return story;
}

/* The last segment of the interval that the thread began before `time`. */
static const struct book_segment *last_on_thread(const struct book *book, int interval, int thread,
                                                 int time)
{
    const struct book_segment *found = NULL;
    for (size_t i = 0; i < book->segment_count; i++) {
        const struct book_segment *s = &book->segments[i];
        if (s->interval == interval && s->thread == thread && s->begin < time)
            found = s;
    }
    return found;
}

/* Who was at work for it at `time`, or was so last; of several the one that began last. */
static const struct book_segment *last_at_work(const struct book *book, int interval, int time)
{
    const struct book_segment *found = NULL;
    int reached = -1;
    for (size_t i = 0; i < book->segment_count; i++) {
        const struct book_segment *s = &book->segments[i];
        int reaches = s->end < time ? s->end : time;
        if (s->interval != interval || s->begin >= time || reaches < reached ||
            (reaches == reached && s->begin < found->begin))
            continue;
        found = s;
        reached = reaches;
    }
    return found;
}

static const struct story *story_at(struct book *book, int interval, int thread, int time)
{
    const struct book_segment *s = last_on_thread(book, interval, thread, time);
    if (s && s->end >= time)
        return story_new(book, s->from, time, thread, NULL, s->before);
    if (s)
        return story_new(book, s->end, time, thread, "(waiting)",
                         story_at(book, interval, thread, s->end));
    s = last_at_work(book, interval, time);
    if (!s)
        return story_new(book, book->intervals[interval].begin, time, -1, "?", NULL);
    int from = s->end < time ? s->end : time;
    return story_new(book, from, time, thread, "[queue (undeclared)]",
                     story_at(book, interval, s->thread, from));
}

int book_begin(struct book *book, int time, const char *type)
{
    VEC_PUSH(book->intervals, book->interval_count, book->interval_capacity) =
        (struct book_interval){type, time, -1, NULL};
    return (int)book->interval_count - 1;
}

void book_end(struct book *book, int interval, int thread, int time)
{
    book->intervals[interval].story = story_at(book, interval, thread, time);
    book->intervals[interval].end = time;
}

void book_pickup(struct book *book, int thread, struct book_pickup pickup)
{
    book->threads[thread].pickup = pickup;
}

/* The interval that the thread worked for, or -1. */
static int interval_at(const struct book *book, int thread, int time)
{
    for (size_t i = 0; i < book->segment_count; i++) {
        const struct book_segment *s = &book->segments[i];
        if (s->thread == thread && s->begin <= time && time < s->end)
            return s->interval;
    }
    return -1;
}

/* Did the thread come to this interval by the task that it picked up last? A task that was picked
 * up during the work for another interval counts only if its maker worked for this one. */
static bool came_by_task(const struct book *book, const struct book_thread *t, int interval)
{
    if (t->pickup.creator < 0)
        return false;
    if (t->previous < 0)
        return true;
    const struct book_segment *previous = &book->segments[t->previous];
    if (t->pickup.time >= previous->end)
        return true;
    return t->pickup.time >= previous->begin && previous->interval != interval &&
           interval_at(book, t->pickup.creator, t->pickup.creation) == interval;
}

static void segment_close(struct book *book, struct book_thread *t, int time)
{
    if (t->segment < 0)
        return;
    struct book_segment *s = &book->segments[t->segment];
    s->end = time;
    if (s->begin == time)
        s->interval = -1;
    else
        t->previous = t->segment;
    t->segment = -1;
}

void book_label(struct book *book, int thread, int time, int interval)
{
    struct book_thread *t = &book->threads[thread];
    if (t->interval == interval)
        return;
    segment_close(book, t, time);
    t->interval = interval;
    if (interval < 0)
        return;
    struct book_segment s = {thread, interval, time, BOOK_OPEN, time, NULL};
    const struct book_pickup *p = &t->pickup;
    if (came_by_task(book, t, interval)) {
        s.from = p->time;
        s.before = story_new(book, p->creation, p->time, thread, p->name,
                             story_at(book, interval, p->creator, p->creation));
    } else {
        s.before = story_at(book, interval, thread, time);
    }
    VEC_PUSH(book->segments, book->segment_count, book->segment_capacity) = s;
    t->segment = (int)book->segment_count - 1;
}

static struct book_cell cell_at(const struct book *book, int thread, int time)
{
    const struct book_thread *t = &book->threads[thread];
    return (size_t)time < t->count ? t->cells[time] : (struct book_cell){0, 0};
}

static void add_part(struct str *path, bool blamed, const char *name)
{
    str_printf(path, "%s%s%s", path->length ? "/" : "", blamed ? "<" : "", name);
}

/* The call that blocked; the innermost frame may be that call already. */
static void add_call(struct str *path, bool blamed, const struct book_stack *stack,
                     const struct book_block *block)
{
    if (!stack->depth && blamed && block->holder)
        add_part(path, true, block->holder);
    if (!stack->depth || strcmp(stack->names[stack->depth - 1], block->call) != 0)
        add_part(path, blamed, block->call);
}

/* What it worked for is another interval than the one whose path this is. */
static void add_interval(struct str *path, const struct book *book, int mine, int interval)
{
    const char *type = interval < 0 ? "" : book->intervals[interval].type;
    if (interval >= 0 && interval != mine)
        str_printf(path, type[0] ? "/{another interval (%s)}" : "/{another interval}", type);
}

/* The time off the processor that is known, or NULL. */
static const struct book_off *off_at(const struct book *book, int thread, int time)
{
    const struct book_kernel *k = book->kernel;
    for (int i = 0; k && i < k->off_count[thread]; i++)
        if (k->offs[thread][i].out <= time && time < k->offs[thread][i].in)
            return &k->offs[thread][i];
    return NULL;
}

/* What was the last to wake the thread in the wait around `time` that wrappers can't explain. */
static const struct book_off *last_waking(const struct book *book, int thread, int time)
{
    const struct book_thread *t = &book->threads[thread];
    const struct book_kernel *k = book->kernel;
    int block = t->cells[time].block, from = time, to = time;
    while (from > 0 && t->cells[from - 1].block == block)
        from--;
    while ((size_t)to < t->count && t->cells[to].block == block)
        to++;
    for (int i = k ? k->off_count[thread] : 0; i-- > 0;) {
        const struct book_off *off = &k->offs[thread][i];
        if (off->out < to && off->in > from && !off->preempted)
            return off;
    }
    return NULL;
}

/* Who had the processor that the thread waited for, once it could have run. */
static void add_runnable(struct str *path, const struct book *book, const struct book_off *off,
                         int time)
{
    const struct book_kernel *k = book->kernel;
    const char *who = k->had[off->processor * k->length + time];
    if (who && !who[0]) {
        add_part(path, false, "(wake-up latency)");
        return;
    }
    add_part(path, false, off->preempted ? "(preempted)" : "(waiting for a processor)");
    if (who)
        add_part(path, true, who);
}

/* What the wrapped wait was from its end by another on. */
static void add_latency(struct str *path, const struct book *book, int thread, int time)
{
    const struct book_off *off = off_at(book, thread, time);
    if (off && time >= off->woken)
        add_runnable(path, book, off, time);
    else
        add_part(path, false, "(wake-up latency)");
}

/* By what a thread's wait was over, and when. */
struct ending {
    int waker, woken;
    const char *idle, *leaf;
};

static struct ending ending_of_off(const struct book *book, const struct book_off *off)
{
    const char *idle = off->waker < 0 ? NULL : book->threads[off->waker].start;
    return (struct ending){off->waker, off->woken, idle, off->leaf};
}

/* What wrappers know wins over what the kernel does. */
static struct ending ending_of_block(const struct book *book, const struct book_block *block,
                                     int thread, int time)
{
    struct ending ending = {block->waker, block->woken, block->idle, "(unknown waker)"};
    if (block->waker >= 0)
        return ending;
    const struct book_off *off = block->explained ? NULL : last_waking(book, thread, time);
    if (!off) {
        ending.woken = BOOK_OPEN;
        return ending;
    }
    const char *wrapped = ending.leaf;
    ending = ending_of_off(book, off);
    if (ending.leaf && strcmp(ending.leaf, "(asleep)") == 0) /* the kernel does not know either */
        ending.leaf = wrapped;
    return ending;
}

/* Only what has no body of its own stands for a wait; else the kernel does. */
static void add_kernel_call(struct str *path, bool blamed)
{
    const char *slash = path->length ? strrchr(path->data, '/') : NULL;
    const char *last = slash ? slash + 1 : str_text(path);
    last += *last == '<';
    if (!path->length || (last[0] == 'f' && last[1] >= '0' && last[1] <= '5' && !last[2]))
        add_part(path, blamed, "blocked in the kernel");
}

/* Where the thread was at `time`, for interval `mine`; a thread that was blocked was where its
 * waker was. It may have been yet to come to the interval, which waited for it in `gap`. */
static void path_at(struct book *book, int mine, int thread, int time, const char *gap,
                    struct str *path)
{
    const char *idle = gap ? book->threads[thread].start : NULL;
    str_clear(path);
    if (gap) {
        str_append(path, gap);
        if (time < book->threads[thread].first)
            return;
        add_interval(path, book, mine, interval_at(book, thread, time));
    }
    for (int waits = gap ? 1 : 0;; waits++) { /* a gap is a wait, too */
        struct book_cell cell = cell_at(book, thread, time);
        const struct book_stack *stack = &book->stacks[cell.stack];
        for (int i = 0; i < stack->depth; i++)
            add_part(path, idle != NULL, stack->names[i]);
        book->nested += waits == 2;
        const struct book_off *off = cell.block ? NULL : off_at(book, thread, time);
        if (!cell.block && idle && !stack->depth)
            add_part(path, true, idle);
        if (!cell.block && !off)
            break;
        struct ending ending = off ? ending_of_off(book, off)
                                   : ending_of_block(book, &book->blocks[cell.block], thread, time);
        if (cell.block)
            add_call(path, idle != NULL, stack, &book->blocks[cell.block]);
        else if (ending.waker >= 0)
            add_kernel_call(path, idle != NULL);
        if (time >= ending.woken)
            add_latency(path, book, thread, time);
        else if (ending.waker < 0)
            add_part(path, false, ending.leaf);
        else if (waits == DEEPEST)
            add_part(path, false, "(waiting for others)");
        if (ending.waker < 0 || time >= ending.woken || waits == DEEPEST)
            break;
        thread = ending.waker;
        idle = ending.idle;
        add_interval(path, book, mine, interval_at(book, thread, time));
    }
    if (!path->length)
        str_append(path, ".");
}

/* The same answer as a few numbers, to see where one stretch ends. */
static uint64_t place_at(const struct book *book, int thread, int time, bool gap)
{
    bool began = time >= book->threads[thread].first;
    uint64_t place = gap ? (uint64_t)(interval_at(book, thread, time) + 1) << 52 | began : 0;
    for (int waits = gap ? 1 : 0;; waits++) { /* a gap is a wait, too */
        struct book_cell cell = cell_at(book, thread, time);
        const struct book_block *block = &book->blocks[cell.block];
        bool end = !cell.block || block->waker < 0 || time >= block->woken || waits == DEEPEST;
        place = (place ^ (uint64_t)cell.stack << 33 ^ (uint64_t)cell.block << 1 ^ end) *
                UINT64_C(0x9e3779b97f4a7c15);
        place ^= place >> 29;
        if (end)
            return place;
        thread = block->waker;
        place ^= (uint64_t)(interval_at(book, thread, time) + 1) << 52;
    }
}

struct row {
    char **paths;
    int64_t *units;
    size_t count, path_capacity, unit_capacity;
};

static void row_add(struct row *row, const char *path, int units)
{
    size_t i = 0, count = row->count;
    while (i < row->count && strcmp(row->paths[i], path) != 0)
        i++;
    if (i == row->count) {
        VEC_PUSH(row->paths, row->count, row->path_capacity) = memory_strdup(path);
        VEC_PUSH(row->units, count, row->unit_capacity) = 0;
    }
    row->units[i] += units;
}

static void row_add_part(struct row *row, struct book *book, const struct story *s, int interval)
{
    struct str path = {0};
    int begin = book->intervals[interval].begin;
    int start = s->from > begin ? s->from : begin;
    if (s->thread < 0 && start < s->to)
        row_add(row, s->gap, s->to - start);
    for (int from = start, to; s->thread >= 0 && from < s->to; from = to) {
        uint64_t place = place_at(book, s->thread, from, s->gap);
        for (to = from + 1;
             !book->kernel && to < s->to && place_at(book, s->thread, to, s->gap) == place;)
            to++;
        path_at(book, interval, s->thread, from, s->gap, &path);
        row_add(row, str_text(&path), to - from);
    }
    str_release(&path);
}

static int text_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void row_print(struct row *row, int64_t scale, struct str *text)
{
    for (size_t i = 0; i < row->count; i++) {
        struct str line = {0};
        str_printf(&line, "%s %lld", row->paths[i], (long long)(row->units[i] * scale));
        memory_free(row->paths[i]);
        row->paths[i] = line.data;
    }
    if (row->count)
        qsort(row->paths, row->count, sizeof *row->paths, text_order);
    for (size_t i = 0; i < row->count; i++) {
        str_printf(text, "%s%s", i ? "; " : " ", row->paths[i]);
        memory_free(row->paths[i]);
    }
    memory_free(row->paths);
    memory_free(row->units);
}

void book_rows(struct book *book, int64_t scale, struct str *text)
{
    for (size_t i = 0; i < book->interval_count; i++) {
        const struct book_interval *interval = &book->intervals[i];
        if (interval->end < 0)
            continue;
        struct row row = {0};
        for (const struct story *s = interval->story; s; s = s->before)
            row_add_part(&row, book, s, (int)i);
        str_printf(text, "interval %zu:", i);
        row_print(&row, scale, text);
        str_append(text, "\n");
    }
}
