#include "symbol/object_naming.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "symbol/callee_table.h"
#include "symbol/variable_name.h"
#include "trace/span_walk_run.h"

/* An object that threads were blocked by. */
struct waited_object {
    uint64_t object;
    time_ns ns;
    const struct block *first; /* by time, of those that say where; else of all */
    uint32_t thread;           /* that was blocked so */
    uint32_t process;          /* the first that was blocked by it */
    char *name;
    bool held;       /* a lock of which that is a variable or a member */
    uint32_t number; /* among those of one name, from 1; 0: it shares the name */
};

struct waited_objects {
    struct waited_object *items;
    uint32_t count, capacity;
    struct hash_map at; /* object -> item + 1 */
};

static bool is_told_apart(const struct block *block)
{
    switch (block->operation) {
    case TRACE_OP_MUTEX:
    case TRACE_OP_COND:
    case TRACE_OP_RWLOCK_READ:
    case TRACE_OP_RWLOCK_WRITE:
    case TRACE_OP_SEMAPHORE:
    case TRACE_OP_BARRIER:
    case TRACE_OP_USER:
    case TRACE_OP_SPIN:
        return block->address != 0;
    default:
        return false;
    }
}

/* A wait for a condition is over when its mutex is taken again, at the same site: what the call is
 * given first is the condition. */
static bool waits_for_condition(const struct function_table *table, uint32_t site)
{
    static const char *const prefixes[] = {"pthread_cond_", "cnd_"};
    uint32_t function = table->probes[site].function;
    const char *name = function < table->function_count ? table->functions[function].name : "";
    return str_starts_with(name, prefixes[0]) || str_starts_with(name, prefixes[1]);
}

/* The object that the source gives to the call which blocked, or NULL. */
static const char *given_object(const struct function_table *table, const struct block *block)
{
    if (block->site >= table->probe_count || !table->probes[block->site].object)
        return NULL;
    bool condition = block->operation == TRACE_OP_COND;
    return waits_for_condition(table, block->site) == condition ? table->probes[block->site].object
                                                                : NULL;
}

static bool says_more(const struct function_table *table, const struct block *block,
                      const struct block *than)
{
    bool given = given_object(table, block), other = given_object(table, than);
    if (given != other)
        return given;
    if (!block->site != !than->site)
        return block->site != 0;
    return block->start < than->start;
}

static void note_block(struct waited_objects *objects, const struct callee_table *callees,
                       const struct block *block, uint32_t thread)
{
    uint64_t *known = hash_map_put(&objects->at, block->object);
    if (!*known) {
        VEC_PUSH(objects->items, objects->count, objects->capacity) =
            (struct waited_object){.object = block->object,
                                   .first = block,
                                   .thread = thread,
                                   .process = callees->run->threads[thread].process};
        *known = objects->count;
    }
    struct waited_object *item = &objects->items[*known - 1];
    item->ns += block->end - block->start;
    if (says_more(callees->table, block, item->first)) {
        item->first = block;
        item->thread = thread;
    }
}

/* Each process has its own, so that a run's names do not depend on what it is joined with. */
static int longest_first(const void *a, const void *b)
{
    const struct waited_object *s = a, *t = b;
    if (s->process != t->process)
        return s->process < t->process ? -1 : 1;
    if (s->ns != t->ns)
        return s->ns > t->ns ? -1 : 1;
    if (s->first->start != t->first->start)
        return s->first->start < t->first->start ? -1 : 1;
    return s->object < t->object ? -1 : s->object > t->object;
}

static void leave_out_many(struct waited_objects *objects)
{
    uint32_t kept = 0, of_process = 0;
    for (uint32_t i = 0; i < objects->count; i++) {
        bool first = i == 0 || objects->items[i].process != objects->items[i - 1].process;
        of_process = first ? 1 : of_process + 1;
        if (of_process <= OBJECT_MOST_NAMED)
            objects->items[kept++] = objects->items[i];
    }
    objects->count = kept;
}

static void find_objects(struct waited_objects *objects, const struct callee_table *callees)
{
    const struct timelines *run = callees->run;
    for (uint32_t t = 0; t < run->thread_count; t++)
        for (uint32_t i = 0; i < run->threads[t].block_count; i++)
            if (is_told_apart(&run->threads[t].blocks[i]))
                note_block(objects, callees, &run->threads[t].blocks[i], t);
    if (objects->count)
        qsort(objects->items, objects->count, sizeof *objects->items, longest_first);
    leave_out_many(objects);
}

/* ---- their names ---- */

struct peek {
    struct callee_table *callees;
    uint32_t process;
    uint32_t callee;
};

static uint64_t peek_call(void *context, const struct walked_call *call,
                          const struct walk_open *around, struct walk_open *innermost)
{
    struct peek *peek = context;
    (void)around, (void)innermost;
    uint32_t callee =
        callee_of_call(peek->callees, peek->process, call->probe, call->target).callee;
    if (peek->callees->items[callee].body)
        peek->callee = callee; /* a call is met before those in it */
    return 0;
}

/* The function of the program that the thread was in. */
static const char *function_at(struct callee_table *callees, uint32_t thread, time_ns time)
{
    const struct timeline_thread *on = &callees->run->threads[thread];
    struct peek peek = {callees, on->process, CALLEE_NONE};
    struct span_walk walk;
    span_walk_init(&walk, callees->run);
    span_walk_run(&walk, on, time, time + 1, 0, peek_call, &peek);
    span_walk_release(&walk);
    return peek.callee == CALLEE_NONE ? NULL : callees->items[peek.callee].name;
}

static void write_place(struct callee_table *callees, const struct waited_object *item,
                        struct str *out)
{
    const struct function_table *table = callees->table;
    uint32_t site = item->first->site;
    if (site && site < table->probe_count) {
        const struct probe_info *probe = &table->probes[site];
        bool in_function =
            (!probe->file || !probe->file[0]) && probe->within < table->function_count;
        const char *file = in_function ? table->functions[probe->within].file : probe->file;
        if (file && file[0]) {
            str_printf(out, "%s:%u", file, probe->line);
            return;
        }
    }
    const char *function = function_at(callees, item->thread, item->first->start);
    if (function)
        str_printf(out, "in %s", function);
}

static bool is_lock(const struct block *block)
{
    return block->operation == TRACE_OP_MUTEX || block->operation == TRACE_OP_RWLOCK_READ ||
           block->operation == TRACE_OP_RWLOCK_WRITE || block->operation == TRACE_OP_USER ||
           block->operation == TRACE_OP_SPIN;
}

/* False: the name is only a place. */
static bool write_name(struct callee_table *callees, const struct waited_object *item,
                       struct str *out)
{
    uint32_t process = callees->run->threads[item->thread].process;
    struct symbolizer *symbolizer = callee_symbolizer(callees, process);
    const char *given = given_object(callees->table, item->first);
    if (symbolizer && variable_name(symbolizer, item->first->address, out))
        return true;
    if (given) {
        str_append(out, given);
        return true;
    }
    write_place(callees, item, out);
    return false;
}

/* ---- which of them share one ---- */

/* All elements of an array are of one name. */
static void write_group(const char *name, struct str *out)
{
    for (const char *at = name; *at; at++) {
        str_append_char(out, *at);
        if (*at == '[')
            at += strcspn(at, "]") - 1;
    }
}

static uint32_t group_number(struct intern *groups, const struct waited_object *item)
{
    struct str text = {0};
    str_printf(&text, "%u ", item->process);
    write_group(item->name, &text);
    uint32_t number = intern_add(groups, text.data);
    str_release(&text);
    return number;
}

/* The items stand with the longest first. */
static void number_items(struct waited_objects *objects)
{
    struct intern groups = {0};
    uint32_t *group = memory_alloc(sizeof *group * objects->count);
    time_ns *all = memory_zeroed(sizeof *all * objects->count);
    uint32_t *numbered = memory_zeroed(sizeof *numbered * objects->count);
    for (uint32_t i = 0; i < objects->count; i++) {
        group[i] = group_number(&groups, &objects->items[i]);
        all[group[i]] += objects->items[i].ns;
    }
    for (uint32_t i = 0; i < objects->count; i++)
        if ((double)objects->items[i].ns >= OBJECT_LEAST * (double)all[group[i]])
            objects->items[i].number = ++numbered[group[i]];
    intern_release(&groups);
    memory_free(group);
    memory_free(all);
    memory_free(numbered);
}

/* How many of the items have the item's very name and a number. */
static uint32_t count_alike(const struct waited_objects *objects, const struct waited_object *item)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < objects->count; i++)
        count += objects->items[i].number && objects->items[i].process == item->process &&
                 strcmp(objects->items[i].name, item->name) == 0;
    return count;
}

static void write_label(const struct waited_objects *objects, const struct waited_object *item,
                        struct str *out)
{
    if (item->number)
        str_append(out, item->name);
    else
        write_group(item->name, out);
    if (item->number && count_alike(objects, item) > 1)
        str_printf(out, "%s#%u", item->name[0] ? " " : "", item->number);
}

static void set_labels(struct object_names *names, struct waited_objects *objects)
{
    number_items(objects);
    for (uint32_t i = 0; i < objects->count; i++) {
        const struct waited_object *item = &objects->items[i];
        struct str label = {0};
        write_label(objects, item, &label);
        if (label.length) {
            uint32_t number = intern_add(&names->texts, label.data);
            *hash_map_put(&names->of, item->object) = 1 + (uint64_t)number;
            *hash_map_put(&names->held, number) |= item->held;
        }
        str_release(&label);
    }
}

void object_naming_fill(struct callee_table *callees)
{
    struct waited_objects objects = {0};
    find_objects(&objects, callees);
    for (uint32_t i = 0; i < objects.count; i++) {
        struct str text = {0};
        bool named = write_name(callees, &objects.items[i], &text);
        objects.items[i].held = named && is_lock(objects.items[i].first);
        objects.items[i].name = memory_strdup(str_text(&text));
        str_release(&text);
    }
    set_labels(&callees->own_objects, &objects);
    for (uint32_t i = 0; i < objects.count; i++)
        memory_free(objects.items[i].name);
    memory_free(objects.items);
    hash_map_release(&objects.at);
}
