#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trace/importer.h"
#include "trace/point.h"

struct point_list {
    struct point *points;
    size_t point_count, point_capacity;
    struct point_hit *hits;
    size_t hit_count, hit_capacity;
    struct point_loss *losses;
    size_t loss_count, loss_capacity;
    struct point_time *times;
    size_t time_count, time_capacity;
    uint32_t wishes;           /* of the files before */
    uint32_t most_wish;        /* of all */
    struct hash_map of_number; /* of the file: number of a point -> index + 1 */
    struct hash_map last_of;   /* of the file: processor -> time of its latest record */
    time_ns from;              /* of the file */
};

/* ---- what the points are ---- */

/* "12 1 3 0 name" up to the end of the line. False: that is no point. */
static bool read_point(const char *line, const char *end, uint32_t numbers[4], const char **name)
{
    for (int i = 0; i < 4; i++) {
        uint64_t value = 0;
        const char *from = line;
        for (; line < end && *line >= '0' && *line <= '9' && value <= UINT32_MAX; line++)
            value = value * 10 + (uint64_t)(*line - '0');
        if (line == from || line == end || *line != ' ' || value > UINT32_MAX)
            return false;
        numbers[i] = (uint32_t)value;
        line++;
    }
    *name = line;
    return line < end;
}

/* A wish has few points: a number that no recorder would give it is damage. */
#define MOST_WISHES 10000u

static void add_point(struct point_list *list, struct loading *loading, const char *line,
                      const char *end)
{
    uint32_t numbers[4];
    const char *name;
    if (!read_point(line, end, numbers, &name) || !numbers[1] || numbers[1] > MOST_WISHES ||
        !numbers[2] || numbers[2] >= TRACE_POINT_ROLES)
        return;
    VEC_PUSH(list->points, list->point_count, list->point_capacity) =
        (struct point){.wish = list->wishes + numbers[1],
                       .role = (uint8_t)numbers[2],
                       .by_value = numbers[3] == TRACE_POINT_BY_VALUE,
                       .closed = INT64_MAX,
                       .name = loading_name(loading, name, (size_t)(end - name))};
    *hash_map_put(&list->of_number, numbers[0]) = list->point_count;
    if (list->wishes + numbers[1] > list->most_wish)
        list->most_wish = list->wishes + numbers[1];
}

/* What made room for newer hits was before that moment, and others of its time may be there: they are not
 * whole. */
static void add_overwritten(struct point_list *list, struct loading *loading,
                            const struct trace_file_header *header)
{
    uint64_t hits = trace_overwritten_records(header), ticks = header->overwritten_ticks;
    time_ns until =
        loading_ns(loading, ticks > header->clock_base ? ticks - header->clock_base : 0);
    if (hits)
        VEC_PUSH(list->losses, list->loss_count, list->loss_capacity) =
            (struct point_loss){list->from, until > list->from ? until : list->from, hits};
}

static void begin_file(void *state, struct loading *loading, const struct trace_reader *reader)
{
    struct point_list *list = state;
    const struct trace_file_header *header = reader->header;
    const char *text = reader->points.length ? reader->points.text : "";
    const char *end = text + reader->points.length;
    uint64_t last = header->calibration[1].ticks;
    hash_map_release(&list->of_number);
    hash_map_release(&list->last_of);
    list->wishes = list->most_wish;
    uint64_t first = header->calibration[0].ticks;
    list->from = loading_ns(loading, first > header->clock_base ? first - header->clock_base : 0);
    for (const char *line = text, *stop; line < end; line = stop + 1) {
        stop = memchr(line, '\n', (size_t)(end - line));
        stop = stop ? stop : end;
        add_point(list, loading, line, stop);
    }
    if (!reader->points.length)
        return;
    add_overwritten(list, loading, header);
    time_ns until = loading_ns(loading, last > header->clock_base ? last - header->clock_base : 0);
    VEC_PUSH(list->times, list->time_count, list->time_capacity) =
        (struct point_time){list->from, until > list->from ? until : list->from};
}

/* ---- hits ---- */

static void take_hit(struct point_list *list, time_ns time, const struct trace_point_hit *hit)
{
    const uint64_t *point = hash_map_get(&list->of_number, hit->point);
    if (!point) { /* of a damaged file: a hit of which nothing else is known */
        VEC_PUSH(list->losses, list->loss_count, list->loss_capacity) =
            (struct point_loss){time, time, 1};
        return;
    }
    VEC_PUSH(list->hits, list->hit_count, list->hit_capacity) =
        (struct point_hit){.time = time,
                           .pid = hit->pid,
                           .tid = hit->tid,
                           .point = (uint32_t)*point - 1,
                           .unknown = hit->unknown != 0,
                           .value = hit->value,
                           .second = hit->second};
}

static void take_loss(struct point_list *list, time_ns before, time_ns time, uint64_t hits)
{
    VEC_PUSH(list->losses, list->loss_count, list->loss_capacity) =
        (struct point_loss){before < time ? before : time, time, hits};
}

static void take_closed(struct point_list *list, time_ns time,
                        const struct trace_point_closed *closed)
{
    const uint64_t *point = hash_map_get(&list->of_number, closed->point);
    if (point && time < list->points[*point - 1].closed)
        list->points[*point - 1].closed = time;
}

static uint64_t take(void *state, struct loading *loading, const struct trace_record *record)
{
    struct point_list *list = state;
    time_ns time = loading_ns(loading, record->ticks);
    uint64_t *last = hash_map_put(&list->last_of, loading->processor);
    time_ns before = *last ? (time_ns)*last : list->from;
    if (record->kind == TRACE_POINT_HIT)
        take_hit(list, time, record->data);
    else if (record->kind == TRACE_POINT_CLOSED)
        take_closed(list, time, record->data);
    else
        take_loss(list, before, time, ((const struct trace_points_lost *)record->data)->hits);
    if (record->kind != TRACE_POINT_CLOSED) /* what a processor told before its hits were read */
        *last = (uint64_t)time;
    return record->ticks;
}

/* At one moment a thread is at one point only; of a damaged file the rest makes the order definite. */
static int by_time(const void *a, const void *b)
{
    const struct point_hit *p = a, *q = b;
    if (p->time != q->time)
        return p->time < q->time ? -1 : 1;
    if (p->tid != q->tid)
        return p->tid < q->tid ? -1 : 1;
    return p->point < q->point ? -1 : p->point > q->point;
}

static int by_end(const void *a, const void *b)
{
    const struct point_loss *p = a, *q = b;
    if (p->until != q->until)
        return p->until < q->until ? -1 : 1;
    return p->from < q->from ? -1 : p->from > q->from;
}

#define COPY(arena, type, from, count)                                                             \
    ((count) ? memcpy(ARENA_ARRAY(arena, type, count), from, sizeof(type) * (count))               \
             : (void *)ARENA_ARRAY(arena, type, 1))

static void build(void *state, struct loading *loading)
{
    struct point_list *list = state;
    struct arena *arena = &loading->run->points;
    if (!list->time_count)
        return;
    struct point_hits *hits = ARENA_NEW(arena, struct point_hits);
    *hits = (struct point_hits){
        .points = COPY(arena, struct point, list->points, list->point_count),
        .point_count = (uint32_t)list->point_count,
        .wish_count = list->most_wish,
        .items = COPY(arena, struct point_hit, list->hits, list->hit_count),
        .count = list->hit_count,
        .losses = COPY(arena, struct point_loss, list->losses, list->loss_count),
        .loss_count = list->loss_count,
        .times = COPY(arena, struct point_time, list->times, list->time_count),
        .time_count = (uint32_t)list->time_count};
    qsort(hits->items, hits->count, sizeof *hits->items, by_time);
    qsort(hits->losses, hits->loss_count, sizeof *hits->losses, by_end);
    loading->run->point_hits = hits;
}

/* ---- several runs ---- */

static void join_part(struct point_hits *whole, const struct point_hits *part, time_ns delay)
{
    uint32_t points = whole->point_count, wishes = whole->wish_count;
    for (uint32_t i = 0; i < part->point_count; i++) {
        whole->points[whole->point_count] = part->points[i];
        whole->points[whole->point_count].wish += wishes;
        if (part->points[i].closed != INT64_MAX)
            whole->points[whole->point_count].closed += delay;
        whole->point_count++;
    }
    for (size_t i = 0; i < part->count; i++) {
        struct point_hit *hit = &whole->items[whole->count++];
        *hit = part->items[i];
        hit->time += delay;
        hit->point += points;
    }
    for (size_t i = 0; i < part->loss_count; i++) {
        const struct point_loss *loss = &part->losses[i];
        whole->losses[whole->loss_count++] =
            (struct point_loss){loss->from + delay, loss->until + delay, loss->hits};
    }
    for (uint32_t i = 0; i < part->time_count; i++)
        whole->times[whole->time_count++] =
            (struct point_time){part->times[i].from + delay, part->times[i].until + delay};
    whole->wish_count += part->wish_count;
}

static void join(struct timelines *run, const struct timelines *parts, uint32_t count,
                 const struct moved *moved)
{
    struct point_hits sum = {0};
    for (uint32_t p = 0; p < count; p++) {
        const struct point_hits *part = parts[p].point_hits;
        sum.point_count += part ? part->point_count : 0;
        sum.count += part ? part->count : 0;
        sum.loss_count += part ? part->loss_count : 0;
        sum.time_count += part ? part->time_count : 0;
    }
    if (!sum.time_count)
        return;
    run->point_hits = ARENA_NEW(&run->arena, struct point_hits);
    *run->point_hits =
        (struct point_hits){.points = ARENA_ARRAY(&run->arena, struct point, sum.point_count),
                            .items = ARENA_ARRAY(&run->arena, struct point_hit, sum.count),
                            .losses = ARENA_ARRAY(&run->arena, struct point_loss, sum.loss_count),
                            .times = ARENA_ARRAY(&run->arena, struct point_time, sum.time_count)};
    for (uint32_t p = 0; p < count; p++)
        if (parts[p].point_hits)
            join_part(run->point_hits, parts[p].point_hits, moved[p].delay);
}

static void release(void *state)
{
    struct point_list *list = state;
    memory_free(list->points);
    memory_free(list->hits);
    memory_free(list->losses);
    memory_free(list->times);
    hash_map_release(&list->of_number);
    hash_map_release(&list->last_of);
}

static const unsigned char kinds[] = {TRACE_POINT_HIT, TRACE_POINTS_LOST, TRACE_POINT_CLOSED, 0};

const struct importer point_importer = {.of_recorder = true,
                                        .kinds = kinds,
                                        .state_bytes = sizeof(struct point_list),
                                        .begin_file = begin_file,
                                        .take = take,
                                        .build = build,
                                        .join = join,
                                        .release = release};
