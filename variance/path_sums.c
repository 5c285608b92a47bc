#include "variance/path_sums.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* The function makes room for as many more, which are 0; the result is where they begin. */
static size_t numbers_take(struct path_numbers *numbers, size_t count)
{
    size_t at = numbers->count;
    if (numbers->capacity - at < count) {
        size_t capacity = 2 * numbers->capacity + count;
        uint64_t *items = memory_zeroed_lines(sizeof *items * capacity);
        if (at)
            memcpy(items, numbers->items, sizeof *items * at);
        memory_free(numbers->items);
        numbers->items = items;
        numbers->capacity = capacity;
    }
    numbers->count += count;
    return at;
}

static void numbers_release(struct path_numbers *numbers)
{
    memory_free(numbers->items);
    *numbers = (struct path_numbers){0};
}

static void family_new(struct path_sums *sums, uint32_t above, bool blamed)
{
    VEC_PUSH(sums->families, sums->family_count, sums->family_capacity) =
        (struct path_family){.above = above, .blamed = blamed};
}

static void group_new(struct path_sums *sums, uint32_t family)
{
    uint32_t capacity = sums->group_capacity, number = sums->families[family].group_count;
    if (sums->group_count >= UINT32_MAX / LANES)
        BUG("more call paths than can be numbered");
    size_t size = (LANES_ROWS + (size_t)number * LANES) * LANES;
    VEC_PUSH(sums->groups, sums->group_count, sums->group_capacity) =
        (struct path_group){.at = numbers_take(&sums->open, size),
                            .family = family,
                            .number = number,
                            .above = sums->families[family].above};
    if (capacity != sums->group_capacity) {
        size_t room = sums->group_capacity;
        sums->met = memory_resize(sums->met, sizeof *sums->met * (room + 1));
        sums->row_of = memory_resize(sums->row_of, sizeof *sums->row_of * room);
        sums->adding = memory_resize(sums->adding, sizeof *sums->adding * room);
        sums->path_at = memory_resize(sums->path_at, sizeof *sums->path_at * room * LANES);
    }
    sums->row_of[sums->group_count - 1] = 0;
    numbers_take(&sums->x, LANES);
    numbers_take(&sums->calls, LANES);
    struct path_family *to = &sums->families[family];
    VEC_PUSH(to->groups, to->group_count, to->group_capacity) = sums->group_count - 1;
}

void path_sums_init(struct path_sums *sums)
{
    *sums = (struct path_sums){.lanes = lanes_at(0), .row = 1};
    family_new(sums, 0, false); /* PATH_NO_FAMILY */
}

static void release_open(struct path_sums *sums)
{
    numbers_release(&sums->x);
    numbers_release(&sums->open);
    memory_free(sums->met);
    memory_free(sums->row_of);
    memory_free(sums->adding);
    sums->met = sums->row_of = NULL;
    sums->adding = NULL;
}

void path_sums_release(struct path_sums *sums)
{
    release_open(sums);
    numbers_release(&sums->calls);
    for (uint32_t f = 0; f < sums->family_count; f++)
        memory_free(sums->families[f].groups);
    for (uint32_t b = 0; b < JACKKNIFE_BLOCKS; b++) {
        memory_free(sums->blocks[b].sums);
        memory_free(sums->lines[b].items);
    }
    memory_free(sums->rest.sums);
    memory_free(sums->families);
    memory_free(sums->groups);
    memory_free(sums->path_at);
    memory_free(sums->tails);
    memory_free(sums->paths);
    *sums = (struct path_sums){0};
}

static uint32_t family_of(struct path_sums *sums, uint32_t path)
{
    if (sums->paths[path].family == PATH_NO_FAMILY) {
        sums->paths[path].family = sums->family_count;
        family_new(sums, sums->paths[path].place, sums->paths[path].blamed);
    }
    return sums->paths[path].family;
}

void path_sums_meet(struct path_sums *sums, uint32_t parent, bool blamed)
{
    uint32_t path = sums->path_count, capacity = sums->path_capacity;
    uint32_t among = path ? family_of(sums, parent) : PATH_NO_FAMILY;
    uint32_t rank = sums->families[among].count++;
    if (rank % LANES == 0)
        group_new(sums, among);
    const struct path_family *family = &sums->families[among];
    size_t *size = family->blamed ? &sums->rest_size : &sums->block_size;
    uint32_t place = path_family_place(family, rank);
    VEC_PUSH(sums->paths, sums->path_count, sums->path_capacity) =
        (struct path_slot){.at = *size,
                           .parent = parent,
                           .place = place,
                           .rank = rank,
                           .among = among,
                           .line = sums->line_count,
                           .blamed = blamed};
    sums->line_count += family->blamed;
    *size += PATH_SIBLINGS + rank;
    sums->path_at[place] = path;
    if (capacity != sums->path_capacity)
        sums->tails = memory_resize(sums->tails, sizeof *sums->tails * sums->path_capacity);
    sums->tails[path] = 0;
}

static void block_make_room(struct path_block *block, size_t count)
{
    if (block->count >= count)
        return;
    block->sums = memory_resize(block->sums, sizeof *block->sums * count);
    memset(block->sums + block->count, 0, sizeof *block->sums * (count - block->count));
    block->count = count;
}

static void lines_make_room(struct path_lines *lines, size_t count)
{
    if (lines->count >= count)
        return;
    lines->items = memory_resize(lines->items, sizeof *lines->items * count);
    memset(lines->items + lines->count, 0, sizeof *lines->items * (count - lines->count));
    lines->count = count;
}

/* The sums of a path with a sibling of a lower rank stand there among the open ones. */
static size_t open_pair(const struct path_sums *sums, const struct path_slot *slot, uint32_t rank)
{
    const struct path_group *group = &sums->groups[slot->place / LANES];
    uint32_t lane = slot->rank % LANES, number = rank / LANES;
    if (number == group->number)
        return group->at + lanes_pair(rank % LANES, lane);
    return group->at + (LANES_ROWS + (size_t)number * LANES) * LANES +
           lanes_pair_of(rank % LANES, lane);
}

static struct path_block *block_of(struct path_sums *sums, const struct path_slot *slot)
{
    return sums->families[slot->among].blamed ? &sums->rest : &sums->blocks[sums->block];
}

static void add_line(struct path_sums *sums, const struct path_slot *slot, __int128 sum,
                     __int128 latency)
{
    if (!sums->families[slot->among].blamed)
        return;
    struct path_line *line = &sums->lines[sums->block].items[slot->line];
    line->sum += sum;
    line->latency += latency;
}

static void settle_path(struct path_sums *sums, const struct path_slot *slot)
{
    const uint64_t *open = sums->open.items;
    const uint64_t *own = open + sums->groups[slot->place / LANES].at + slot->rank % LANES;
    __int128 *to = block_of(sums, slot)->sums + slot->at;
    to[PATH_SUM] += own[LANES_SUM * LANES];
    to[PATH_SQUARE] += own[LANES_SQUARE * LANES];
    to[PATH_LATENCY] += own[LANES_LATENCY * LANES];
    to[PATH_ABOVE] += own[LANES_ABOVE * LANES];
    for (uint32_t rank = 0; rank < slot->rank; rank++)
        to[PATH_SIBLINGS + rank] += open[open_pair(sums, slot, rank)];
    add_line(sums, slot, own[LANES_SUM * LANES], own[LANES_LATENCY * LANES]);
}

static void settle(struct path_sums *sums)
{
    block_make_room(&sums->blocks[sums->block], sums->block_size);
    block_make_room(&sums->rest, sums->rest_size);
    lines_make_room(&sums->lines[sums->block], sums->line_count);
    if (!sums->square)
        return;
    for (uint32_t p = 0; p < sums->path_count; p++)
        settle_path(sums, &sums->paths[p]);
    memset(sums->open.items, 0, sizeof *sums->open.items * sums->open.count);
    sums->square = 0;
}

void path_sums_begin(struct path_sums *sums, uint32_t block)
{
    settle(sums);
    sums->block = block;
}

void path_sums_finish(struct path_sums *sums)
{
    settle(sums);
    release_open(sums);
}

/* It is a toss whether a row has a group already: so the group is listed in any case, and what is
 * listed twice is overwritten. */
void path_sums_take(struct path_sums *sums, const struct path_share *shares, uint32_t count)
{
    uint64_t *x = sums->x.items, *calls = sums->calls.items;
    uint32_t *row_of = sums->row_of, *met = sums->met, met_count = sums->met_count;
    const uint32_t row = sums->row;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = shares[i].place, group = place / LANES;
        x[place] += (uint64_t)shares[i].ns;
        calls[place] += shares[i].calls;
        met[met_count] = group;
        met_count += row_of[group] != row;
        row_of[group] = row;
    }
    sums->met_count = met_count;
}

time_ns path_sums_own(const struct path_sums *sums, uint32_t path)
{
    const struct path_slot *slot = &sums->paths[path];
    const struct path_family *family = &sums->families[slot->family];
    uint64_t own = sums->x.items[slot->place];
    if (slot->family == PATH_NO_FAMILY)
        return (time_ns)own;
    for (uint32_t g = 0; g < family->group_count; g++)
        for (uint32_t lane = 0; lane < LANES; lane++)
            own -= sums->x.items[family->groups[g] * LANES + lane];
    return (time_ns)own;
}

/* The products are those of a group with those before it in its family. */
static void add_groups_before(struct path_sums *sums, const struct path_group *group,
                              const uint64_t *here)
{
    const struct path_family *family = &sums->families[group->family];
    uint64_t *to = sums->open.items + group->at + (size_t)LANES_ROWS * LANES;
    for (uint32_t g = 0; g < group->number; g++, to += LANES * LANES)
        if (sums->row_of[family->groups[g]] == sums->row)
            sums->lanes->add_pairs(to, sums->x.items + (size_t)family->groups[g] * LANES, here);
}

static void add_narrow(struct path_sums *sums, uint64_t latency)
{
    uint64_t *x = sums->x.items, *open = sums->open.items;
    for (uint32_t m = 0; m < sums->met_count; m++) {
        const struct path_group *group = &sums->groups[sums->met[m]];
        uint64_t *here = x + (size_t)sums->met[m] * LANES;
        if (group->number)
            add_groups_before(sums, group, here);
        sums->adding[m] = (struct lanes_group){open + group->at, here, x[group->above]};
    }
    sums->lanes->add(sums->adding, sums->met_count, latency);
}

static void add_wide_path(struct path_sums *sums, const struct path_slot *slot, uint64_t latency)
{
    const uint64_t *all = sums->x.items;
    const struct path_family *family = &sums->families[slot->among];
    __int128 *to = block_of(sums, slot)->sums + slot->at, x = all[slot->place];
    to[PATH_SUM] += x;
    to[PATH_SQUARE] += x * x;
    to[PATH_LATENCY] += x * latency;
    to[PATH_ABOVE] += x * all[family->above];
    for (uint32_t rank = 0; rank < slot->rank; rank++)
        to[PATH_SIBLINGS + rank] += x * all[path_family_place(family, rank)];
    add_line(sums, slot, x, x * latency);
}

static uint32_t group_size(const struct path_sums *sums, uint32_t group)
{
    uint32_t before = sums->groups[group].number * LANES;
    uint32_t count = sums->families[sums->groups[group].family].count - before;
    return count < LANES ? count : LANES;
}

static void add_wide(struct path_sums *sums, uint64_t latency)
{
    for (uint32_t m = 0; m < sums->met_count; m++) {
        uint32_t first = sums->met[m] * LANES, size = group_size(sums, sums->met[m]);
        for (uint32_t place = first; place < first + size; place++)
            if (sums->x.items[place])
                add_wide_path(sums, &sums->paths[sums->path_at[place]], latency);
    }
}

static void add_tail(struct path_sums *sums)
{
    for (uint32_t m = 0; m < sums->met_count; m++) {
        uint32_t first = sums->met[m] * LANES, size = group_size(sums, sums->met[m]);
        for (uint32_t place = first; place < first + size; place++)
            sums->tails[sums->path_at[place]] += sums->x.items[place];
    }
}

/* No sum of products is greater than that of the latencies' squares. */
static bool is_narrow(struct path_sums *sums, uint64_t latency)
{
    uint64_t square = latency * latency;
    if (latency > UINT32_MAX) {
        settle(sums);
        return false;
    }
    if (__builtin_add_overflow(sums->square, square, &sums->square)) {
        sums->square -= square;
        settle(sums);
        sums->square = square;
    }
    return true;
}

static void next_row(struct path_sums *sums)
{
    sums->met_count = 0;
    sums->row++;
}

void path_sums_drop(struct path_sums *sums)
{
    for (uint32_t m = 0; m < sums->met_count; m++)
        memset(sums->x.items + (size_t)sums->met[m] * LANES, 0, sizeof *sums->x.items * LANES);
    next_row(sums);
}

void path_sums_close(struct path_sums *sums, time_ns latency, bool tail)
{
    if (tail)
        add_tail(sums);
    if (is_narrow(sums, (uint64_t)latency)) {
        add_narrow(sums, (uint64_t)latency);
        next_row(sums);
    } else {
        add_wide(sums, (uint64_t)latency);
        path_sums_drop(sums);
    }
}

struct path_line path_sums_line(const struct path_sums *sums, uint32_t block, uint32_t path)
{
    const struct path_slot *slot = &sums->paths[path];
    if (path_sums_by_block(sums, path)) {
        const __int128 *all = path_sums_in(sums, &sums->blocks[block], path);
        return all ? (struct path_line){all[PATH_SUM], all[PATH_LATENCY]} : (struct path_line){0};
    }
    const struct path_lines *lines = &sums->lines[block];
    return slot->line < lines->count ? lines->items[slot->line] : (struct path_line){0};
}
