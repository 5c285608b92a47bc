#include "variance/path_sums.h"

#include <string.h>

#include "base/memory.h"

/* Of a family of as many, to multiply each with each takes no longer than to find out which a row
 * has: how many it has is a toss, and a wrong guess of the processor is dear. */
enum { SMALL_FAMILY = 16 };

static void family_new(struct path_sums *sums, bool blamed)
{
    uint32_t capacity = sums->family_capacity;
    VEC_PUSH(sums->families, sums->family_count, sums->family_capacity) =
        (struct path_family){.blamed = blamed};
    if (capacity != sums->family_capacity)
        sums->met =
            memory_resize(sums->met, sizeof *sums->met * ((size_t)sums->family_capacity + 1));
}

void path_sums_init(struct path_sums *sums)
{
    *sums = (struct path_sums){.lanes = lanes_at(0)};
    family_new(sums, false); /* PATH_NO_FAMILY */
}

void path_sums_release(struct path_sums *sums)
{
    for (uint32_t f = 0; f < sums->family_count; f++) {
        memory_free(sums->families[f].x);
        memory_free(sums->families[f].paths);
        memory_free(sums->families[f].at);
        memory_free(sums->families[f].met);
    }
    for (uint32_t b = 0; b < JACKKNIFE_BLOCKS; b++)
        memory_free(sums->blocks[b].sums);
    memory_free(sums->rest.sums);
    memory_free(sums->pools[0].sums);
    memory_free(sums->pools[1].sums);
    memory_free(sums->families);
    memory_free(sums->met);
    memory_free(sums->tails);
    memory_free(sums->paths);
    *sums = (struct path_sums){0};
}

static size_t pool_take(struct path_pool *pool, size_t count)
{
    size_t at = pool->count;
    if (pool->capacity - at < count) {
        size_t capacity = 2 * pool->capacity + count;
        pool->sums = memory_resize(pool->sums, sizeof *pool->sums * capacity);
        memset(pool->sums + at, 0, sizeof *pool->sums * (capacity - at));
        pool->capacity = capacity;
    }
    pool->count += count;
    return at;
}

static void family_grow(struct path_family *family)
{
    uint32_t before = family->capacity, capacity = before ? 2 * before : 2 * LANES;
    family->x = memory_resize(family->x, sizeof *family->x * capacity);
    family->paths = memory_resize(family->paths, sizeof *family->paths * capacity);
    family->at = memory_resize(family->at, sizeof *family->at * capacity);
    family->met = memory_resize(family->met, sizeof *family->met * capacity);
    memset(family->x + before, 0, sizeof *family->x * (capacity - before));
    family->capacity = capacity;
}

static uint32_t family_of(struct path_sums *sums, uint32_t path)
{
    if (sums->paths[path].family == PATH_NO_FAMILY) {
        sums->paths[path].family = sums->family_count;
        family_new(sums, sums->paths[path].blamed);
    }
    return sums->paths[path].family;
}

static void family_add(struct path_family *family, uint32_t path, size_t at)
{
    if (family->count == family->capacity)
        family_grow(family);
    family->paths[family->count] = path;
    family->at[family->count++] = at;
}

void path_sums_meet(struct path_sums *sums, uint32_t parent, bool blamed)
{
    uint32_t path = sums->path_count, capacity = sums->path_capacity;
    struct path_slot slot = {.parent = parent, .blamed = blamed};
    slot.among = path ? family_of(sums, parent) : PATH_NO_FAMILY;
    struct path_family *family = &sums->families[slot.among];
    slot.among_blamed = family->blamed;
    slot.rank = family->count;
    slot.at = pool_take(&sums->pools[family->blamed], PATH_SIBLINGS + lanes_room(slot.rank));
    family_add(family, path, slot.at + PATH_SIBLINGS);
    VEC_PUSH(sums->paths, sums->path_count, sums->path_capacity) = slot;
    if (capacity != sums->path_capacity)
        sums->tails = memory_resize(sums->tails, sizeof *sums->tails * sums->path_capacity);
    sums->tails[path] = 0;
}

static void settle_pool(struct path_pool *pool, struct path_block *block)
{
    if (block->count < pool->count) {
        block->sums = memory_resize(block->sums, sizeof *block->sums * pool->count);
        memset(block->sums + block->count, 0, sizeof *block->sums * (pool->count - block->count));
        block->count = pool->count;
    }
    for (size_t i = 0; i < pool->count; i++) {
        block->sums[i] += pool->sums[i];
        pool->sums[i] = 0;
    }
}

void path_sums_settle(struct path_sums *sums)
{
    settle_pool(&sums->pools[0], &sums->blocks[sums->block]);
    settle_pool(&sums->pools[1], &sums->rest);
    sums->square = 0;
}

void path_sums_begin(struct path_sums *sums, uint32_t block)
{
    path_sums_settle(sums);
    sums->block = block;
}

/* The row has the path among its siblings. Whether it is the first of them is a toss: the family is
 * listed in any case, and what is listed twice is overwritten. */
static inline struct path_family *meet(struct path_sums *sums, const struct path_slot *slot,
                                       uint64_t x, uint32_t *families)
{
    struct path_family *family = &sums->families[slot->among];
    bool first = family->row != sums->row;
    uint32_t before = family->met_count & ((uint32_t)first - 1); /* 0 if it is */
    sums->families[slot->family].total = x;
    sums->met[*families] = slot->among;
    *families += first;
    family->row = sums->row;
    family->x[slot->rank] = x;
    family->met[before] = slot->rank;
    family->met_count = before + 1;
    return family;
}

static void forget_met(struct path_family *family)
{
    for (uint32_t i = 0; i < family->met_count; i++)
        family->x[family->met[i]] = 0;
}

static void add_few(uint64_t *to, const struct path_family *family)
{
    for (uint32_t i = 1; i < family->met_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t a = family->met[i], b = family->met[j], later = a > b ? a : b;
            to[family->at[later] + (a ^ b ^ later)] += family->x[a] * family->x[b];
        }
}

static void add_siblings(struct path_sums *sums, struct path_family *family)
{
    uint64_t *to = sums->pools[family->blamed].sums;
    if (family->count <= SMALL_FAMILY || 2 * family->met_count > family->count) {
        sums->lanes->add_products(to, family->at, family->x, family->count);
        memset(family->x, 0, sizeof *family->x * family->count);
    } else {
        add_few(to, family);
        forget_met(family);
    }
}

static void add_narrow(struct path_sums *sums, const struct path_cell *cells, size_t count,
                       uint64_t latency)
{
    uint32_t families = 0;
    for (size_t i = count; i-- > 0;) {
        const struct path_slot *slot = &sums->paths[cells[i].path];
        uint64_t *to = sums->pools[slot->among_blamed].sums + slot->at;
        uint64_t x = (uint64_t)cells[i].total_ns;
        uint64_t above = meet(sums, slot, x, &families)->total;
        to[PATH_SUM] += x;
        to[PATH_SQUARE] += x * x;
        to[PATH_LATENCY] += x * latency;
        to[PATH_ABOVE] += x * above;
    }
    for (uint32_t f = 0; f < families; f++)
        add_siblings(sums, &sums->families[sums->met[f]]);
}

static void add_wide_siblings(__int128 *to, struct path_family *family)
{
    for (uint32_t i = 1; i < family->met_count; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t a = family->met[i], b = family->met[j], later = a > b ? a : b;
            to[family->at[later] + (a ^ b ^ later)] += (__int128)family->x[a] * family->x[b];
        }
    forget_met(family);
}

static void add_wide(struct path_sums *sums, const struct path_cell *cells, size_t count,
                     uint64_t latency)
{
    __int128 *blocks[2] = {sums->blocks[sums->block].sums, sums->rest.sums};
    uint32_t families = 0;
    for (size_t i = count; i-- > 0;) {
        const struct path_slot *slot = &sums->paths[cells[i].path];
        __int128 *to = blocks[slot->among_blamed] + slot->at, x = cells[i].total_ns;
        uint64_t above = meet(sums, slot, (uint64_t)x, &families)->total;
        to[PATH_SUM] += x;
        to[PATH_SQUARE] += x * x;
        to[PATH_LATENCY] += x * latency;
        to[PATH_ABOVE] += x * above;
    }
    for (uint32_t f = 0; f < families; f++) {
        struct path_family *family = &sums->families[sums->met[f]];
        add_wide_siblings(blocks[family->blamed], family);
    }
}

/* No sum of products is greater than that of the latencies' squares. */
static bool is_narrow(struct path_sums *sums, uint64_t latency)
{
    uint64_t square = latency * latency;
    if (latency > UINT32_MAX) {
        path_sums_settle(sums);
        return false;
    }
    if (__builtin_add_overflow(sums->square, square, &sums->square)) {
        path_sums_settle(sums);
        sums->square = square;
    }
    return true;
}

void path_sums_add(struct path_sums *sums, const struct path_cell *cells, size_t count,
                   time_ns latency, bool tail)
{
    sums->row++;
    if (is_narrow(sums, (uint64_t)latency))
        add_narrow(sums, cells, count, (uint64_t)latency);
    else
        add_wide(sums, cells, count, (uint64_t)latency);
    for (size_t i = 0; i < count && tail; i++)
        sums->tails[cells[i].path] += cells[i].total_ns;
}
