#include "sampler/unwinder.h"

#include <string.h>
#include <sys/uio.h>

#include "base/clock.h"
#include "base/memory.h"
#include "sampler/return_memory.h"
#include "sampler/unwind_expression.h"

/* Maps are read anew this often at most, while addresses lie in none and nothing is known to have
 * changed. */
#define MAPS_NS UINT64_C(50000000)

struct unwinder {
    struct object_set *objects;
    struct process_maps maps;
    struct hash_map generated;
};

struct unwinder *unwinder_open(struct object_set *objects, pid_t pid)
{
    struct unwinder *unwinder = memory_zeroed(sizeof *unwinder);
    unwinder->objects = objects;
    unwinder->maps = (struct process_maps){.pid = pid, .paths = &objects->paths, .changed = true};
    return unwinder;
}

void unwinder_close(struct unwinder *unwinder)
{
    process_maps_release(&unwinder->maps);
    hash_map_release(&unwinder->generated);
    memory_free(unwinder);
}

struct process_maps *unwinder_maps(struct unwinder *unwinder)
{
    return &unwinder->maps;
}

const struct hash_map *unwinder_generated(const struct unwinder *unwinder)
{
    return &unwinder->generated;
}

/* ---- the thread's memory ---- */

struct walk {
    struct unwinder *unwinder;
    const struct unwinder_thread *thread;
    struct unwind_registers registers;
    uint64_t pc;
    bool exact; /* the pc is where the thread was; else behind a call */
    uint64_t stack_begin;
    bool beyond;          /* what lies behind the copy was asked for */
    bool other_stack;     /* a signal's frame led away from the one that was copied */
    uint64_t there_begin; /* what of that was read; 0: nothing */
    char there[4096];     /* a part of the process's memory as it is now */
};

/* The stack of the thread that a handler interrupted does not change before the handler ends. */
static bool read_there(struct walk *walk, uint64_t address, uint64_t *word)
{
    const size_t bytes = sizeof walk->there;
    uint64_t begin = address & ~(uint64_t)(bytes - 1);
    if (begin != walk->there_begin) {
        struct iovec to = {walk->there, bytes}, from = {(void *)(uintptr_t)begin, bytes};
        walk->there_begin = 0;
        if (process_vm_readv(walk->unwinder->maps.pid, &to, 1, &from, 1, 0) != (ssize_t)bytes)
            return false;
        walk->there_begin = begin;
    }
    if (bytes - (address - begin) < sizeof *word)
        return false;
    memcpy(word, walk->there + (address - begin), sizeof *word);
    return true;
}

static bool read_memory(void *context, uint64_t address, uint64_t *word)
{
    struct walk *walk = context;
    uint64_t at = address - walk->stack_begin;
    if (at <= walk->thread->stack_bytes && walk->thread->stack_bytes - at >= sizeof *word) {
        memcpy(word, walk->thread->stack + at, sizeof *word);
        return true;
    }
    if (walk->other_stack)
        return read_there(walk, address, word);
    walk->beyond |= address >= walk->stack_begin + walk->thread->stack_bytes;
    return false;
}

/* The kernel's copy ends at a page that was never touched, as of a buffer that is hardly used: it may not wait for one.
 * To read such pages makes them be there, and the thread's next stack is whole. */
static void bring_in(struct walk *walk)
{
    enum { PAGES = 16 };
    const size_t bytes = sizeof walk->there;
    uint64_t begin = (walk->stack_begin + walk->thread->stack_bytes) & ~(uint64_t)(bytes - 1);
    struct iovec to[PAGES], from = {(void *)(uintptr_t)begin, PAGES * bytes};
    for (int i = 0; i < PAGES; i++)
        to[i] = (struct iovec){walk->there, bytes};
    walk->there_begin = 0;
    process_vm_readv(walk->unwinder->maps.pid, to, PAGES, &from, 1, 0);
}

/* ---- from a frame to its caller ---- */

/* What a step leads to: another frame, the thread's beginning, or nothing. */
enum step { STEP_CALLER, STEP_START, STEP_NOWHERE };

static enum step go_to(struct walk *walk, const struct unwind_registers *caller, bool interrupted)
{
    if (!unwind_knows(caller, UNWIND_RETURN))
        return STEP_NOWHERE;
    uint64_t pc = unwind_code_address(caller->values[UNWIND_RETURN]);
    bool same =
        pc == walk->pc && caller->values[UNWIND_STACK] == walk->registers.values[UNWIND_STACK];
    walk->registers = *caller;
    walk->pc = pc;
    walk->exact = interrupted;
    return !pc ? STEP_START : same ? STEP_NOWHERE : STEP_CALLER;
}

static enum step by_offsets(struct walk *walk, const struct unwind_row *row)
{
    struct unwind_registers caller = {.known = 0};
    if (!unwind_knows(&walk->registers, row->cfa_register))
        return STEP_NOWHERE;
    uint64_t cfa = walk->registers.values[row->cfa_register] + (uint64_t)(int64_t)row->cfa_offset;
    uint64_t word;
    unwind_set(&caller, UNWIND_STACK, cfa);
    for (int i = 0; i < UNWIND_KEPT; i++) {
        unsigned number = unwind_kept[i];
        if (row->kept[i] == UNWIND_SAME) {
            if (unwind_knows(&walk->registers, number))
                unwind_set(&caller, number, walk->registers.values[number]);
        } else if (row->kept[i] != UNWIND_LOST &&
                   read_memory(walk, cfa + (uint64_t)(int64_t)row->kept[i], &word)) {
            unwind_set(&caller, number, word);
        }
    }
    return go_to(walk, &caller, false);
}

static void take_rule(struct unwind_registers *caller, unsigned number,
                      const struct unwind_rule *rule, const struct unwind_context *context)
{
    uint64_t value;
    if (rule->same && unwind_knows(context->registers, number))
        unwind_set(caller, number, context->registers->values[number]);
    else if (!rule->same && rule->count &&
             unwind_expression(context, rule->operations, rule->count, true, &value))
        unwind_set(caller, number, value);
}

static bool left_copy(const struct walk *walk, const struct unwind_registers *caller)
{
    uint64_t at = caller->values[UNWIND_STACK] - walk->stack_begin;
    return at >= walk->thread->stack_bytes;
}

static enum step by_expressions(struct walk *walk, const struct unwind_row *row)
{
    const struct unwind_special *special = row->special;
    struct unwind_registers caller = {.known = 0};
    struct unwind_context context = {
        .registers = &walk->registers, .read = read_memory, .memory = walk};
    if (!unwind_expression(&context, special->cfa.operations, special->cfa.count, false,
                           &context.cfa))
        return STEP_NOWHERE;
    for (unsigned i = 0; i < UNWIND_REGISTERS; i++)
        take_rule(&caller, i, &special->registers[i], &context);
    if (row->interrupt && unwind_knows(&caller, UNWIND_STACK) && left_copy(walk, &caller))
        walk->other_stack = true;
    return go_to(walk, &caller, row->interrupt);
}

/* A frame begins with its caller's frame pointer and the return address; the outermost one's is 0. */
static enum step by_pointers(struct walk *walk)
{
    struct unwind_registers caller = {.known = 0};
    uint64_t frame = walk->registers.values[UNWIND_FRAME], words[2];
    if (!unwind_knows(&walk->registers, UNWIND_FRAME))
        return STEP_NOWHERE;
    if (!frame)
        return STEP_START;
    if (frame % sizeof frame || frame < walk->registers.values[UNWIND_STACK] ||
        !read_memory(walk, frame, &words[0]) || !read_memory(walk, frame + sizeof frame, &words[1]))
        return STEP_NOWHERE;
    unwind_set(&caller, UNWIND_FRAME, words[0]);
    unwind_set(&caller, UNWIND_RETURN, words[1]);
    unwind_set(&caller, UNWIND_STACK, frame + 2 * sizeof frame);
    return go_to(walk, &caller, false);
}

/* ---- of a thread ---- */

/* The map that the address lay in then, with its object; or NULL. */
static struct process_map *map_at(struct unwinder *unwinder, uint64_t address, uint64_t time_ns)
{
    struct process_maps *maps = &unwinder->maps;
    struct process_map *map = process_maps_find(maps, address, time_ns);
    if (!map && (maps->changed || clock_ns() - maps->read_ns > MAPS_NS)) {
        process_maps_read(maps);
        map = process_maps_find(maps, address, time_ns);
    }
    if (!map)
        return NULL;
    object_set_place(unwinder->objects, maps->pid, map);
    return map;
}

static const struct unwind_row *row_at(const struct process_map *map, uint64_t address)
{
    static const struct unwind_row none = {.kind = UNWIND_NO_ROW};
    return map->placed ? unwind_object_row(map->object, address - map->bias) : &none;
}

/* A coroutine returns to where nobody made a call: makecontext and its like put the beginning of a function there, and
 * what lies before that is in none. It has no caller, whatever the function's table says. */
static const struct unwind_row *row_of(const struct walk *walk, const struct process_map *map,
                                       uint64_t *address)
{
    static const struct unwind_row start = {.kind = UNWIND_START};
    const struct unwind_row *row = row_at(map, *address);
    if (row->kind != UNWIND_NO_ROW || walk->exact)
        return row;
    bool begins = row_at(map, walk->pc)->kind != UNWIND_NO_ROW;
    *address = begins ? walk->pc : *address;
    return begins ? &start : row_at(map, *address);
}

static enum step step(struct walk *walk, const struct unwind_object *object,
                      const struct unwind_row *row)
{
    switch (row->kind) {
    case UNWIND_OFFSETS:
        return by_offsets(walk, row);
    case UNWIND_SPECIAL:
        return by_expressions(walk, row);
    case UNWIND_START:
        return STEP_START;
    default:
        return object->gone || object->foreign ? STEP_NOWHERE : by_pointers(walk);
    }
}

static void count_frame(struct unwind_object *object, const struct unwind_row *row)
{
    if (row->kind == UNWIND_NO_ROW)
        object->by_pointers++;
    else
        object->by_rows++;
}

static enum trace_cut reason_of(const struct walk *walk, const struct unwind_object *object)
{
    return object->gone      ? TRACE_CUT_NO_FILE
           : object->foreign ? TRACE_CUT_FOREIGN
           : walk->beyond    ? TRACE_CUT_DEEP
                             : TRACE_CUT_NO_CALLER;
}

/* The object in which the walk ended, and why there. */
struct ending {
    struct unwind_object *object;
    enum trace_cut cut;
};

/* The address that the kernel's return probe puts into stacks is where a map of its own begins. What was there is
 * known of calls that were seen to begin; the return address lay right below the caller's frame. */
static void leave_trampoline(struct walk *walk)
{
    const struct unwinder_thread *thread = walk->thread;
    struct process_map *map =
        thread->returns ? map_at(walk->unwinder, walk->pc, thread->time_ns) : NULL;
    if (!map || map->begin != walk->pc || strcmp(map->path, "[uprobes]") != 0)
        return;
    uint64_t slot = walk->registers.values[UNWIND_STACK] - sizeof slot;
    uint64_t pc = return_memory_find(thread->returns, thread->tid, slot, thread->time_ns, walk->pc);
    if (!pc)
        return;
    walk->pc = pc;
    walk->exact = false;
}

static uint64_t told(struct unwinder *unwinder, struct process_map *map, uint64_t address)
{
    uint64_t as = address + process_maps_use(&unwinder->maps, map);
    if (map->object == unwinder->objects->anonymous)
        *hash_map_put(&unwinder->generated, as) = address;
    return as;
}

static size_t follow(struct walk *walk, uint64_t *addresses, size_t most, struct ending *ending)
{
    size_t count = 0;
    for (;;) {
        leave_trampoline(walk);
        uint64_t address = walk->exact ? walk->pc : walk->pc - 1;
        struct process_map *map = map_at(walk->unwinder, address, walk->thread->time_ns);
        if (!map) {
            ending->cut = walk->unwinder->maps.count ? TRACE_CUT_NO_CALLER : TRACE_CUT_NO_MAPS;
            return count;
        }
        ending->object = map->object;
        if (count == most) {
            ending->cut = TRACE_CUT_DEEP;
            return count;
        }
        const struct unwind_row *row = row_of(walk, map, &address);
        addresses[count++] = told(walk->unwinder, map, row->interrupt ? walk->pc : address);
        enum step done = step(walk, map->object, row);
        if (done != STEP_NOWHERE)
            count_frame(map->object, row);
        ending->cut = done == STEP_NOWHERE ? reason_of(walk, map->object) : TRACE_CUT_NOT;
        if (done != STEP_CALLER)
            return count;
    }
}

size_t unwinder_walk(struct unwinder *unwinder, const struct unwinder_thread *thread,
                     uint64_t *addresses, size_t most, enum trace_cut *cut)
{
    struct walk walk = {.unwinder = unwinder, .thread = thread, .exact = true};
    struct ending ending = {object_set_unknown(unwinder->objects), TRACE_CUT_FOREIGN};
    size_t count = 0;
    if (!thread->foreign) {
        walk.pc = unwind_registers_take(&walk.registers, thread->registers);
        walk.stack_begin = walk.registers.values[UNWIND_STACK];
        count = follow(&walk, addresses, most, &ending);
    }
    if (walk.beyond && ending.cut == TRACE_CUT_DEEP)
        bring_in(&walk);
    ending.object->ended[ending.cut]++;
    *cut = ending.cut;
    return count;
}
