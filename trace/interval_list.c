#include "trace/interval_list.h"

#include "base/memory.h"
#include "base/run_merge.h"

/* A thread that was given the instance, and did not begin it; whether it still has it, its label
 * tells. */
struct carrier {
    uint32_t thread;
    uint32_t next; /* index + 1, 0: the last */
};

/* A scan reads one process's marks in order of time. */
struct scan {
    struct interval_list *list;
    uint32_t process;
    uint32_t first_thread;
    uint32_t *current; /* by thread of the process: its instance, or INTERVAL_NONE */
    size_t first_instance;
    uint32_t *first_carrier; /* by instance - first_instance: index + 1 */
    size_t first_count;
    size_t first_capacity;
    struct carrier *carriers;
    size_t carrier_count;
    size_t carrier_capacity;
    uint32_t *latest; /* by id: its latest instance, from 1, or 0 */
};

static uint32_t mark_rank(uint32_t what)
{
    if (what == VPROF_MARK_BEGIN)
        return 0;
    return what == VPROF_MARK_END ? 2 : 1;
}

static struct interval_labels *labels_of(struct interval_list *list, uint32_t thread)
{
    while (list->thread_count <= thread)
        VEC_PUSH(list->labels, list->thread_count, list->thread_capacity) =
            (struct interval_labels){0};
    return &list->labels[thread];
}

#define RANK_BIT 4 /* of `when` */

static uint64_t mark_ticks(const struct interval_kept *mark)
{
    return mark->when >> 8;
}

static uint32_t mark_what(const struct interval_kept *mark)
{
    return mark->when & ((1u << RANK_BIT) - 1);
}

/* The result is the index of the id. Marks of one id often come one after the other. */
static uint32_t list_id(struct interval_list *list, uint64_t id)
{
    if (list->id_count && list->ids[list->latest_id] == id)
        return list->latest_id;
    uint64_t *known = hash_map_put(&list->id_at, id);
    if (!*known) {
        VEC_PUSH(list->ids, list->id_count, list->id_capacity) = id;
        *known = list->id_count;
    }
    return list->latest_id = (uint32_t)*known - 1;
}

static void keep_mark(struct interval_list *list, const struct interval_mark *mark, uint32_t id)
{
    uint32_t rank = mark_rank(mark->what);
    labels_of(list, mark->thread)->capacity++;
    if (list->mark_count > 0) {
        const struct interval_kept *last = &list->marks[list->mark_count - 1];
        uint32_t last_rank = last->when >> RANK_BIT & ((1u << RANK_BIT) - 1);
        if (last->thread == mark->thread && mark_ticks(last) == mark->ticks && last_rank > rank)
            rank = last_rank;
    }
    VEC_PUSH(list->marks, list->mark_count, list->mark_capacity) =
        (struct interval_kept){mark->ticks << 8 | rank << RANK_BIT | mark->what, mark->thread, id};
}

void interval_list_add(struct interval_list *list, struct interval_mark mark)
{
    keep_mark(list, &mark, list_id(list, mark.id));
}

void interval_list_tell(struct interval_list *list, struct interval_mark mark,
                        struct interval_value value)
{
    struct interval_told told = {list_id(list, mark.id), value};
    keep_mark(list, &mark, (uint32_t)list->told_count);
    VEC_PUSH(list->told, list->told_count, list->told_capacity) = told;
}

/* The key orders marks by time, which has 56 bits, rank, and the order that they were added in,
 * which is each thread's own. By the time that the thread's turn comes, its mark should be near. */
static uint64_t mark_key(const void *items, size_t index)
{
    const struct interval_kept *mark = (const struct interval_kept *)items + index;
    __builtin_prefetch(mark + 6);
    return mark->when >> RANK_BIT;
}

/* The result is false if the thread has the label already. */
static bool scan_label(struct scan *scan, uint32_t thread, time_ns time, uint32_t instance)
{
    struct interval_labels *labels = &scan->list->labels[thread];
    uint32_t *current = &scan->current[thread - scan->first_thread];
    if (*current == instance)
        return false;
    *current = instance;
    VEC_PUSH(labels->labels, labels->count, labels->capacity) = (struct label){time, instance};
    return true;
}

static void scan_drop_from(struct scan *scan, uint32_t instance, uint32_t thread, time_ns time)
{
    if (scan->current[thread - scan->first_thread] == instance)
        scan_label(scan, thread, time, INTERVAL_NONE);
}

/* The instance is over: all who carry it stop working for it. */
static void scan_drop(struct scan *scan, uint32_t instance, time_ns time)
{
    uint32_t next = scan->first_carrier[instance - scan->first_instance];
    scan_drop_from(scan, instance, scan->list->instances[instance].begin_thread, time);
    for (; next; next = scan->carriers[next - 1].next)
        scan_drop_from(scan, instance, scan->carriers[next - 1].thread, time);
}

static bool is_open(const struct interval *interval)
{
    return !interval->complete && !interval->begun_again;
}

/* The result is the open one of those that have had the id, or INTERVAL_NONE. */
static uint32_t scan_find_open(const struct scan *scan, uint32_t id)
{
    uint32_t latest = scan->latest[id];
    return latest && is_open(&scan->list->instances[latest - 1]) ? latest - 1 : INTERVAL_NONE;
}

static struct interval *scan_close(struct scan *scan, uint32_t instance, uint32_t thread,
                                   time_ns time)
{
    struct interval *interval = &scan->list->instances[instance];
    interval->end = time;
    interval->end_thread = thread;
    scan_drop(scan, instance, time);
    return interval;
}

static void scan_begin(struct scan *scan, const struct interval_kept *mark, time_ns time)
{
    struct interval_list *list = scan->list;
    uint32_t open = scan_find_open(scan, mark->id);
    if (open != INTERVAL_NONE)
        scan_close(scan, open, mark->thread, time)->begun_again = true;
    list->disorder |=
        list->instance_count && list->instances[list->instance_count - 1].begin > time;
    VEC_PUSH(list->instances, list->instance_count, list->instance_capacity) =
        (struct interval){.id = list->ids[mark->id],
                          .process = scan->process,
                          .type = "",
                          .begin = time,
                          .end = time,
                          .begin_thread = mark->thread,
                          .end_thread = mark->thread};
    VEC_PUSH(scan->first_carrier, scan->first_count, scan->first_capacity) = 0;
    scan->latest[mark->id] = (uint32_t)list->instance_count;
    scan_label(scan, mark->thread, time, (uint32_t)list->instance_count - 1);
}

static void scan_enter(struct scan *scan, const struct interval_kept *mark, time_ns time)
{
    uint32_t instance = scan_find_open(scan, mark->id);
    if (!scan_label(scan, mark->thread, time, instance) || instance == INTERVAL_NONE)
        return;
    uint32_t *first = &scan->first_carrier[instance - scan->first_instance];
    VEC_PUSH(scan->carriers, scan->carrier_count, scan->carrier_capacity) =
        (struct carrier){mark->thread, *first};
    *first = (uint32_t)scan->carrier_count;
}

static void scan_give(struct scan *scan, const struct interval_kept *mark)
{
    struct interval_list *list = scan->list;
    const struct interval_told *told = &list->told[mark->id];
    if (list->ids[told->id] == SI_NONE || !scan->latest[told->id])
        return;
    uint32_t instance = scan->latest[told->id] - 1;
    if (mark_what(mark) == VPROF_MARK_TYPE)
        list->instances[instance].type = told->value.name;
    else
        VEC_PUSH(list->given, list->given_count, list->given_capacity) =
            (struct interval_given){instance, told->value};
}

static void scan_mark(struct scan *scan, const struct interval_kept *mark, time_ns time)
{
    uint32_t instance, what = mark_what(mark);
    bool told = what == VPROF_MARK_TYPE || what == VPROF_MARK_VALUE;
    if (!told &&
        scan->list->ids[mark->id] == SI_NONE) { /* the id of no interval: nothing begins or ends */
        if (what == VPROF_MARK_ENTER)
            scan_label(scan, mark->thread, time, INTERVAL_NONE);
        return;
    }
    switch (what) {
    case VPROF_MARK_BEGIN:
        scan_begin(scan, mark, time);
        break;
    case VPROF_MARK_END:
        instance = scan_find_open(scan, mark->id);
        if (instance != INTERVAL_NONE)
            scan_close(scan, instance, mark->thread, time)->complete = true;
        break;
    case VPROF_MARK_ENTER:
        scan_enter(scan, mark, time);
        break;
    case VPROF_MARK_TYPE:
    case VPROF_MARK_VALUE:
        scan_give(scan, mark);
        break;
    default:
        break;
    }
}

static void scan_release(struct scan *scan)
{
    memory_free(scan->current);
    memory_free(scan->first_carrier);
    memory_free(scan->carriers);
    memory_free(scan->latest);
}

/* The threads of an abandoned interval keep the label: they may have worked for it to the end. */
static void scan_abandon_open(struct scan *scan, time_ns last)
{
    struct interval_list *list = scan->list;
    for (size_t i = scan->first_instance; i < list->instance_count; i++)
        if (is_open(&list->instances[i]))
            list->instances[i].end = last;
}

/* A thread has hardly more labels than marks: grown step by step, those of all threads would leave
 * holes as large as they are. */
static void make_room_for_labels(struct interval_list *list, uint32_t thread)
{
    struct interval_labels *labels = labels_of(list, thread);
    labels->labels = memory_alloc(sizeof *labels->labels * labels->capacity);
}

/* The marks lie where their threads' marks do: no processor fetches them by itself. */
static const struct interval_kept *mark_at(struct interval_list *list, size_t i)
{
    enum { AHEAD = 16 };
    size_t index = run_order_at(&list->order, i);
    if (i + AHEAD < list->order.known)
        __builtin_prefetch(&list->marks[list->order.order[i + AHEAD]]);
    return &list->marks[index];
}

void interval_list_complete(struct interval_list *list)
{
    run_order_init(&list->order, list->mark_count);
}

void interval_list_order(struct interval_list *list)
{
    run_order_fill(&list->order, mark_key, list->marks);
}

static void forget_marks(struct interval_list *list)
{
    memory_free(list->marks);
    memory_free(list->told);
    memory_free(list->ids);
    hash_map_release(&list->id_at);
    list->marks = NULL;
    list->told = NULL;
    list->ids = NULL;
    list->mark_count = list->mark_capacity = list->told_count = list->told_capacity = 0;
    list->id_count = list->id_capacity = 0;
}

void interval_list_close_process(struct interval_list *list, uint32_t process,
                                 uint32_t first_thread, uint32_t thread_count,
                                 const struct clock_map *clock, uint64_t base, uint64_t last_ticks)
{
    struct scan scan = {.list = list,
                        .process = process,
                        .first_thread = first_thread,
                        .first_instance = list->instance_count,
                        .current = memory_alloc(sizeof *scan.current * thread_count),
                        .latest = memory_zeroed(sizeof *scan.latest * (list->id_count + 1))};
    for (uint32_t i = 0; i < thread_count; i++) {
        scan.current[i] = INTERVAL_NONE;
        make_room_for_labels(list, first_thread + i);
    }
    for (size_t i = 0; i < list->mark_count; i++) {
        const struct interval_kept *mark = mark_at(list, i);
        scan_mark(&scan, mark, clock_map_ns(clock, base, mark_ticks(mark)));
    }
    run_order_release(&list->order);
    scan_abandon_open(&scan, clock_map_ns(clock, base, last_ticks));
    scan_release(&scan);
    forget_marks(list);
}

#define TIME_SIGN (UINT64_C(1) << 63) /* puts negative times before the others */

static uint64_t begin_key(const void *items, size_t index)
{
    const struct interval *interval = (const struct interval *)items + index;
    return (uint64_t)interval->begin + TIME_SIGN;
}

/* The element number[i] becomes the index of instance i in what is ordered by begin. */
static struct interval *put_in_order(const struct interval_list *list, uint32_t *number)
{
    size_t count = list->instance_count;
    struct interval *intervals = memory_alloc(sizeof *intervals * count);
    struct run_merge order;
    run_merge_init(&order, begin_key, list->instances, count);
    for (size_t i = 0; i < count; i++) {
        size_t instance = run_merge_next(&order);
        intervals[i] = list->instances[instance];
        number[instance] = (uint32_t)i;
    }
    run_merge_release(&order);
    return intervals;
}

/* The result is the intervals' numbers in the run; NULL: they are the same. */
static uint32_t *build_intervals(struct interval_list *list, struct timelines *run)
{
    uint32_t *number = NULL;
    if (list->disorder) {
        number = memory_alloc(sizeof *number * list->instance_count);
        struct interval *intervals = put_in_order(list, number);
        memory_free(list->instances);
        list->instances = intervals;
    }
    run->intervals = list->instances;
    run->interval_count = (uint32_t)list->instance_count;
    arena_adopt(&run->arena, run->intervals);
    list->instances = NULL;
    return number;
}

static uint32_t number_of(const uint32_t *number, uint32_t instance)
{
    return number ? number[instance] : instance;
}

static void build_values(const struct interval_list *list, struct timelines *run,
                         const uint32_t *number)
{
    if (!list->given_count)
        return;
    for (size_t i = 0; i < list->given_count; i++)
        run->intervals[number_of(number, list->given[i].instance)].value_count++;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        struct interval *interval = &run->intervals[i];
        if (interval->value_count)
            interval->values =
                ARENA_ARRAY(&run->arena, struct interval_value, interval->value_count);
        interval->value_count = 0;
    }
    for (size_t i = 0; i < list->given_count; i++) {
        uint32_t instance = number_of(number, list->given[i].instance);
        struct interval *interval = &run->intervals[instance];
        interval->values[interval->value_count++] = list->given[i].value;
    }
}

static void build_labels(struct interval_list *list, struct timelines *run, const uint32_t *number)
{
    for (uint32_t t = 0; t < list->thread_count; t++) {
        struct interval_labels *from = &list->labels[t];
        for (uint32_t i = 0; i < from->count && number; i++)
            if (from->labels[i].interval != INTERVAL_NONE)
                from->labels[i].interval = number[from->labels[i].interval];
        run->threads[t].labels = from->labels;
        run->threads[t].label_count = from->count;
        arena_adopt(&run->arena, from->labels);
        from->labels = NULL;
    }
}

void interval_list_build(struct interval_list *list, struct timelines *run)
{
    uint32_t *number = build_intervals(list, run);
    build_values(list, run, number);
    build_labels(list, run, number);
    memory_free(number);
}

void interval_list_release(struct interval_list *list)
{
    forget_marks(list);
    memory_free(list->instances);
    for (size_t t = 0; t < list->thread_count; t++)
        memory_free(list->labels[t].labels);
    memory_free(list->labels);
    memory_free(list->given);
    *list = (struct interval_list){0};
}
