#include "variance/column_sums.h"

#include <string.h>

#include "base/memory.h"

enum { KIND_BITS = 4 };

void column_sums_release(struct column_sums *c)
{
    hash_map_release(&c->known);
    memory_free(c->columns);
    memory_free(c->column_of);
    memory_free(c->at);
    memory_free(c->masks);
    memory_free(c->marked);
    memory_free(c->open);
    for (uint32_t b = 0; b < JACKKNIFE_BLOCKS; b++)
        memory_free(c->blocks[b].sums);
    *c = (struct column_sums){0};
}

static void make_room(struct column_sums *c, uint32_t groups)
{
    if (c->group_count >= groups)
        return;
    uint32_t count = 2 * groups;
    c->masks = memory_resize(c->masks, sizeof *c->masks * count);
    c->marked = memory_resize(c->marked, sizeof *c->marked * count);
    memset(c->marked + c->group_count, 0, sizeof *c->marked * (count - c->group_count));
    c->at = memory_resize(c->at, sizeof *c->at * count * LANES);
    memset(c->masks + c->group_count, 0, sizeof *c->masks * (count - c->group_count));
    memset(c->at + (size_t)c->group_count * LANES, 0,
           sizeof *c->at * LANES * (count - c->group_count));
    c->group_count = count;
}

static uint32_t column_of(struct column_sums *c, enum node_kind kind, uint32_t callee,
                          uint32_t name)
{
    uint64_t *known = hash_map_put(&c->known, (uint64_t)name << KIND_BITS | kind);
    if (*known)
        return (uint32_t)(*known - 1);
    uint32_t capacity = c->capacity;
    VEC_PUSH(c->columns, c->count, c->capacity) = (struct column){.kind = kind, .callee = callee};
    if (c->capacity != capacity)
        c->open = memory_resize(c->open, sizeof *c->open * (c->capacity + 1));
    *known = c->count;
    return c->count - 1;
}

static void mark(struct column_sums *c, const struct path_sums *paths, uint32_t path,
                 uint32_t column)
{
    uint32_t place = paths->paths[path].place;
    struct column_mask *mask = &c->masks[place / LANES];
    bool own = c->columns[column].kind == NODE_BODY;
    *(own ? &mask->own : &mask->whole) |= (uint8_t)(1u << place % LANES);
    *(own ? &c->at[place].own : &c->at[place].whole) = column + 1;
    c->marked[place / LANES] = true;
    if (!c->columns[column].end)
        c->columns[column].end = c->size += column_size(&c->columns[column]);
}

static void join(struct column_sums *c, const struct path_sums *paths, uint32_t path,
                 uint32_t column)
{
    struct column *to = &c->columns[column];
    bool alone = to->kind != NODE_WOKEN_BY && to->members == 0;
    if (to->members++ == 0)
        to->first = path;
    else if (to->members == 2)
        mark(c, paths, to->first, column);
    if (!alone)
        mark(c, paths, path, column);
}

/* A path below another one of the same column is counted with that one. */
static bool is_outermost(const struct column_sums *c, const struct path_sums *paths, uint32_t path,
                         uint32_t column)
{
    for (uint32_t p = path; p != paths->paths[p].parent;) {
        p = paths->paths[p].parent;
        if (c->column_of[p] == column + 1)
            return false;
    }
    return true;
}

static bool has_column(enum node_kind kind, bool blamed)
{
    return blamed ? kind == NODE_WOKEN_BY : kind != NODE_INTERVAL && kind != NODE_PROBES;
}

void column_sums_meet(struct column_sums *c, const struct path_sums *paths, enum node_kind kind,
                      uint32_t callee, uint32_t name)
{
    uint32_t path = c->path_count;
    kind = node_kind_of_call(kind);
    VEC_PUSH(c->column_of, c->path_count, c->path_capacity) = 0;
    make_room(c, paths->group_count);
    if (!has_column(kind, paths->paths[path].blamed))
        return;
    uint32_t column = column_of(c, kind, callee, name);
    c->column_of[path] = column + 1;
    if (is_outermost(c, paths, path, column))
        join(c, paths, path, column);
    if (kind == NODE_CALL)
        join(c, paths, path, column_of(c, NODE_BODY, callee, name));
}

/* It is a toss whether a row has the path, and the column already: so the column is listed in any
 * case, and what is no news is overwritten. */
static uint32_t take(struct column_sums *c, uint32_t open, uint32_t column, uint64_t x)
{
    struct column *to = &c->columns[column];
    c->open[open] = column;
    open += (x != 0) & (to->x == 0);
    to->x += x;
    to->squares += (__int128)x * x;
    return open;
}

static uint32_t take_group(struct column_sums *c, const struct path_sums *paths, uint32_t group,
                           uint32_t open)
{
    for (unsigned mask = c->masks[group].whole; mask; mask &= mask - 1) {
        uint32_t place = group * LANES + (uint32_t)__builtin_ctz(mask);
        open = take(c, open, c->at[place].whole - 1, paths->x.items[place]);
    }
    for (unsigned mask = c->masks[group].own; mask; mask &= mask - 1) {
        uint32_t place = group * LANES + (uint32_t)__builtin_ctz(mask);
        if (paths->x.items[place])
            open = take(c, open, c->at[place].own - 1,
                        (uint64_t)path_sums_own(paths, paths->path_at[place]));
    }
    return open;
}

/* Most groups have no path in a column. */
static uint32_t take_groups(struct column_sums *c, const struct path_sums *paths)
{
    const uint32_t *end = paths->met + paths->met_count;
    const uint8_t *marked = c->marked;
    uint32_t open = 0;
    for (const uint32_t *met = paths->met; met < end; met++)
        if (__builtin_expect(marked[*met], 0))
            open = take_group(c, paths, *met, open);
    return open;
}

static __int128 *room_in(struct column_sums *c, uint32_t block)
{
    struct path_block *b = &c->blocks[block];
    size_t count = c->size;
    if (b->count < count) {
        b->sums = memory_resize(b->sums, sizeof *b->sums * count);
        memset(b->sums + b->count, 0, sizeof *b->sums * (count - b->count));
        b->count = count;
    }
    return b->sums;
}

void column_sums_close(struct column_sums *c, const struct path_sums *paths, time_ns latency,
                       bool tail)
{
    uint32_t open = c->size ? take_groups(c, paths) : 0;
    __int128 *block = open ? room_in(c, paths->block) : NULL;
    for (uint32_t i = 0; i < open; i++) {
        struct column *column = &c->columns[c->open[i]];
        __int128 *to = block + column->end - column_size(column);
        const uint64_t x = column->x; /* products of 64 bits take one multiplication */
        if (column->kind == NODE_WOKEN_BY) {
            to[COLUMN_SUM] += x;
            to[COLUMN_SQUARE] += (__int128)x * x;
            to[COLUMN_LATENCY] += (__int128)x * (uint64_t)latency;
        } else {
            to[COLUMN_PRODUCTS] += (__int128)x * x - column->squares;
        }
        if (tail)
            column->tail += x;
        column->x = 0;
        column->squares = 0;
    }
}

const __int128 *column_sums_in(const struct column_sums *c, uint32_t block, uint32_t column)
{
    const struct column *of = &c->columns[column];
    const struct path_block *b = &c->blocks[block];
    return of->end && of->end <= b->count ? b->sums + of->end - column_size(of) : NULL;
}
