#include "variance/meanwhile.h"

#include <string.h>

#include "base/memory.h"
#include "symbol/waker_name.h"

/* A chunk is some labels; where those that follow are of one type it may be some more: calls that
 * go on where the type changes count anew anyway. Fewer chunks are swept. */
enum { CHUNK_LABELS = 4, CHUNK_MOST_LABELS = 16, LEAST_CHUNKS = 2 };

void meanwhile_init(struct meanwhile *m, const struct timelines *run, struct callee_table *callees)
{
    *m = (struct meanwhile){.run = run, .callees = callees};
}

void meanwhile_release(struct meanwhile *m)
{
    if (!m->made)
        return;
    for (uint32_t i = 0; i < m->map_count; i++)
        memory_free(m->maps[i].nodes);
    attribution_release(&m->attribution);
    interval_table_release(&m->table);
    memory_free(m->maps);
    memory_free(m->calls_before);
    memory_free(m->ns);
    arena_release(&m->arena);
}

static void make(struct meanwhile *m)
{
    if (m->made)
        return;
    m->made = true;
    interval_table_init(&m->table, m->callees);
    attribution_init(&m->attribution, m->run, m->callees, &m->table);
    m->threads = ARENA_ARRAY(&m->arena, struct meanwhile_thread, m->run->thread_count);
}

/* The type is NULL where the label is of no interval, or of one without a type. */
static const char *type_at(const struct timelines *run, const struct label *label)
{
    return label->interval == INTERVAL_NONE ? NULL : run->intervals[label->interval].type;
}

static bool begins_chunk(const struct timelines *run, const struct timeline_thread *thread,
                         uint32_t label, uint32_t last)
{
    const struct label *labels = thread->labels;
    if (label - last < CHUNK_LABELS || labels[label].time <= labels[last].time)
        return false;
    return type_at(run, &labels[label]) != type_at(run, &labels[label - 1]) ||
           label - last >= CHUNK_MOST_LABELS;
}

static struct meanwhile_thread *thread_of(struct meanwhile *m, uint32_t index)
{
    const struct timeline_thread *thread = &m->run->threads[index];
    struct meanwhile_thread *t = &m->threads[index];
    if (t->begins || !thread->label_count)
        return t;
    uint32_t last = 0, count = 0;
    t->begins = ARENA_ARRAY(&m->arena, time_ns, thread->label_count / CHUNK_LABELS + 2);
    t->begins[count++] = thread->labels[0].time;
    for (uint32_t l = 1; l < thread->label_count; l++)
        if (begins_chunk(m->run, thread, l, last)) {
            t->begins[count++] = thread->labels[l].time;
            last = l;
        }
    t->count = count - 1;
    for (uint32_t l = 0; l < MEANWHILE_LEVELS && t->count >> l; l++)
        t->sums[l] = ARENA_ARRAY(&m->arena, struct meanwhile_sum, t->count >> l);
    return t;
}

static void make_room(struct meanwhile *m)
{
    uint32_t capacity = m->node_capacity;
    if (m->table.node_count <= capacity)
        return;
    m->node_capacity = 2 * m->table.node_count;
    m->calls_before = memory_resize(m->calls_before, sizeof *m->calls_before * m->node_capacity);
    m->ns = memory_resize(m->ns, sizeof *m->ns * m->node_capacity);
    memset(m->calls_before + capacity, 0, sizeof *m->calls_before * (m->node_capacity - capacity));
    memset(m->ns + capacity, 0, sizeof *m->ns * (m->node_capacity - capacity));
}

static uint64_t calls_of(const struct meanwhile *m, uint32_t node)
{
    const struct path_sums *sums = &m->table.sums;
    return sums->calls.items[sums->paths[node].place];
}

static void keep(struct meanwhile *m, struct meanwhile_sum *sum, const struct meanwhile_cell *cells,
                 uint32_t count)
{
    sum->count = count;
    sum->cells = ARENA_ARRAY(&m->arena, struct meanwhile_cell, count + 1);
    if (count)
        memcpy(sum->cells, cells, sizeof *cells * count);
}

/* The open row of the table of what is swept is summed up. */
static void sum_row(struct meanwhile *m, struct meanwhile_sum *sum, time_ns length)
{
    uint32_t count = 0;
    interval_table_list(&m->table, length);
    make_room(m);
    for (size_t i = 0; i < m->table.cell_count; i++)
        m->ns[m->table.cells[i].node] = m->table.cells[i].own_ns;
    struct meanwhile_cell *cells = memory_alloc(sizeof *cells * m->table.node_count);
    for (uint32_t n = 0; n < m->table.node_count; n++) {
        uint64_t calls = calls_of(m, n);
        if (m->ns[n] || calls != m->calls_before[n])
            cells[count++] =
                (struct meanwhile_cell){n, (uint32_t)(calls - m->calls_before[n]), m->ns[n]};
        m->calls_before[n] = calls;
        m->ns[n] = 0;
    }
    keep(m, sum, cells, count);
    memory_free(cells);
}

static void sweep_chunk(struct meanwhile *m, uint32_t thread, time_ns lo, time_ns hi,
                        struct meanwhile_sum *sum)
{
    struct blame blame = {thread, lo, hi, TABLE_ROOT, callee_of_unknown(m->callees, thread), 0, 0};
    attribution_next_row(&m->attribution, INTERVAL_NONE);
    attribution_blame(&m->attribution, &blame);
    sum_row(m, sum, hi - lo);
}

/* Cells are in the order of their nodes. */
static void add_sums(struct meanwhile *m, struct meanwhile_sum *sum, const struct meanwhile_sum *a,
                     const struct meanwhile_sum *b)
{
    struct meanwhile_cell *cells = memory_alloc(sizeof *cells * ((size_t)a->count + b->count + 1));
    uint32_t count = 0, i = 0, k = 0;
    while (i < a->count || k < b->count) {
        bool first = k == b->count || (i < a->count && a->cells[i].node <= b->cells[k].node);
        struct meanwhile_cell cell = first ? a->cells[i++] : b->cells[k++];
        if (first && k < b->count && b->cells[k].node == cell.node) {
            cell.calls += b->cells[k].calls;
            cell.ns += b->cells[k++].ns;
        }
        cells[count++] = cell;
    }
    keep(m, sum, cells, count);
    memory_free(cells);
}

/* The sum is that of the chunks from index << level on, 2^level of them. */
static const struct meanwhile_sum *sum_of(struct meanwhile *m, uint32_t thread, uint32_t level,
                                          uint32_t index)
{
    struct meanwhile_thread *t = &m->threads[thread];
    struct meanwhile_sum *sum = &t->sums[level][index];
    if (sum->cells)
        return sum;
    if (level)
        add_sums(m, sum, sum_of(m, thread, level - 1, 2 * index),
                 sum_of(m, thread, level - 1, 2 * index + 1));
    else
        sweep_chunk(m, thread, t->begins[index], t->begins[index + 1], sum);
    return sum;
}

static struct meanwhile_map *map_below(struct meanwhile *m, uint32_t below)
{
    uint32_t i = 0;
    while (i < m->map_count && m->maps[i].below != below)
        i++;
    if (i == m->map_count)
        VEC_PUSH(m->maps, m->map_count, m->map_capacity) = (struct meanwhile_map){.below = below};
    struct meanwhile_map *map = &m->maps[i];
    if (map->capacity < m->table.node_count) {
        uint32_t before = map->capacity;
        map->capacity = 2 * m->table.node_count;
        map->nodes = memory_resize(map->nodes, sizeof *map->nodes * map->capacity);
        memset(map->nodes + before, 0, sizeof *map->nodes * (map->capacity - before));
        map->nodes[TABLE_ROOT] = below;
    }
    return map;
}

static uint32_t node_in(const struct meanwhile *m, const struct meanwhile_map *map,
                        struct interval_table *table, uint32_t node)
{
    const struct table_node *swept = &m->table.nodes[node];
    if (!map->nodes[node])
        map->nodes[node] = interval_table_node(table, node_in(m, map, table, swept->parent),
                                               swept->kind, swept->callee);
    return map->nodes[node];
}

static void apply(struct meanwhile *m, struct interval_table *table, uint32_t below,
                  const struct meanwhile_sum *sum)
{
    const struct meanwhile_map *map = map_below(m, below);
    for (uint32_t i = 0; i < sum->count; i++) {
        const struct meanwhile_cell *cell = &sum->cells[i];
        uint32_t node = node_in(m, map, table, cell->node);
        interval_table_meet(table, node, m->table.nodes[cell->node].site);
        if (cell->ns)
            interval_table_add(table, node, cell->ns);
        table->sums.calls.items[table->sums.paths[node].place] += cell->calls;
    }
}

/* Chunks [from, to): as few sums as there are. */
static void apply_chunks(struct meanwhile *m, struct interval_table *table,
                         const struct blame *blame, uint32_t from, uint32_t to)
{
    while (from < to) {
        uint32_t level = 0;
        while (!(from >> level & 1) && from + (2u << level) <= to)
            level++;
        apply(m, table, blame->below, sum_of(m, blame->thread, level, from >> level));
        from += 1u << level;
    }
}

/* The result is how many chunks begin before `time`. */
static uint32_t begins_before(const struct meanwhile_thread *t, time_ns time)
{
    uint32_t low = 0, high = t->count + 1;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (t->begins[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void sweep(struct attribution *a, const struct blame *blame, time_ns lo, time_ns hi)
{
    struct blame part = *blame;
    part.lo = lo;
    part.hi = hi;
    if (lo < hi)
        attribution_blame(a, &part);
}

void meanwhile_tell(struct meanwhile *m, struct attribution *a, const struct blame *blame,
                    time_ns idle)
{
    make(m);
    const struct meanwhile_thread *t = thread_of(m, blame->thread);
    uint32_t from = 0, to = 0;
    if (t->count) {
        from = begins_before(t, blame->lo > idle ? blame->lo : idle);
        to = begins_before(t, blame->hi + 1); /* and one of these begins last at the end */
    }
    if (to < from + LEAST_CHUNKS + 1) {
        sweep(a, blame, blame->lo, blame->hi);
        return;
    }
    sweep(a, blame, t->begins[to - 1], blame->hi);
    apply_chunks(m, a->table, blame, from, to - 1);
    sweep(a, blame, blame->lo, t->begins[from]);
}
