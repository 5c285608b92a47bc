#include "symbol/callee_table.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/str.h"
#include "symbol/symbolizer.h"

/* Static functions of several files may have one symbol. */
static void learn_symbol(struct callee_table *callees, uint32_t f, bool body)
{
    uint32_t before = (uint32_t)callees->symbols.count;
    uint32_t id = intern_add(&callees->symbols, callees->table->functions[f].symbol);
    uint32_t known = id < before ? callees->symbol_function[id] : FUNCTION_NONE;
    if (known != FUNCTION_NONE && !body)
        return;
    if (known != FUNCTION_NONE && callees->table->functions[known].body)
        callees->same_symbol[f] = known;
    callees->symbol_function[id] = f;
}

static void learn_function(struct callee_table *callees, uint32_t f)
{
    const struct function_info *function = &callees->table->functions[f];
    callees->same_symbol[f] = FUNCTION_NONE;
    if (function->symbol && function->symbol[0])
        learn_symbol(callees, f, function->body);
    uint32_t name = intern_add(&callees->names, function->name);
    if (function->body) {
        *hash_map_put(&callees->bodies_named, name) += 1;
        return;
    }
    uint64_t *named = hash_map_put(&callees->function_named, name);
    if (!*named)
        *named = (uint64_t)f + 1;
}

static void init(struct callee_table *callees, const struct timelines *run,
                 const struct function_table *table)
{
    *callees = (struct callee_table){.run = run, .table = table};
    callees->processes = ARENA_ARRAY(&callees->arena, struct callee_process, run->process_count);
    callees->of_probe = ARENA_ARRAY(&callees->arena, struct callee_probe, table->probe_count);
    callees->of_thread = ARENA_ARRAY(&callees->arena, uint32_t, run->thread_count);
    callees->of_stack = ARENA_ARRAY(&callees->arena, struct caller_chain *, run->stack_count + 1);
    callees->symbol_function = ARENA_ARRAY(&callees->arena, uint32_t, table->function_count);
    callees->same_symbol = ARENA_ARRAY(&callees->arena, uint32_t, table->function_count);
    for (uint32_t f = 0; f < table->function_count; f++)
        learn_function(callees, f);
}

void callee_table_init(struct callee_table *callees, const struct timelines *run,
                       const struct function_table *table)
{
    init(callees, run, table);
    callees->objects = &callees->own_objects;
}

void callee_table_init_part(struct callee_table *part, const struct callee_table *callees)
{
    init(part, callees->run, callees->table);
    part->objects = callees->objects;
}

void callee_table_release(struct callee_table *callees)
{
    if (!callees->run)
        return;
    object_names_release(&callees->own_objects);
    hash_map_release(&callees->of_object);
    hash_map_release(&callees->of_kernel);
    for (uint32_t p = 0; p < callees->run->process_count; p++) {
        for (uint32_t i = 0; i < callees->processes[p].count; i++)
            if (callees->processes[p].symbolizers[i])
                symbolizer_close(callees->processes[p].symbolizers[i]);
        hash_map_release(&callees->processes[p].at);
    }
    hash_map_release(&callees->of_function);
    hash_map_release(&callees->of_name);
    hash_map_release(&callees->function_named);
    hash_map_release(&callees->bodies_named);
    hash_map_release(&callees->seen_set);
    intern_release(&callees->names);
    intern_release(&callees->symbols);
    memory_free(callees->items);
    memory_free(callees->seen);
    memory_free(callees->makers);
    arena_release(&callees->arena);
}

static uint32_t callee_new(struct callee_table *callees, const char *name, uint32_t function)
{
    if (callees->count >> 28)
        BUG("more names than can be numbered");
    bool body = function != FUNCTION_NONE && callees->table->functions[function].body;
    struct callee callee = {name,      function,    body,       FUNCTION_NONE,
                            WAIT_NONE, CALLEE_NONE, INTERN_NONE};
    VEC_PUSH(callees->items, callees->count, callees->capacity) = callee;
    return callees->count - 1;
}

uint32_t callee_named(struct callee_table *callees, const char *name)
{
    uint32_t id = intern_add(&callees->names, name);
    uint64_t *known = hash_map_put(&callees->of_name, id);
    if (!*known) {
        uint64_t *function = hash_map_get(&callees->function_named, id);
        const char *text = arena_strdup(&callees->arena, name);
        *known = callee_new(callees, text, function ? (uint32_t)(*function - 1) : FUNCTION_NONE);
        *known += 1;
    }
    return (uint32_t)(*known - 1);
}

uint32_t callee_of_wait(struct callee_table *callees, enum wait_kind wait)
{
    uint32_t callee = callee_named(callees, wait_kind_name(wait));
    callees->items[callee].wait = wait;
    return callee;
}

uint32_t callee_name(struct callee_table *callees, uint32_t callee)
{
    return intern_add(&callees->names, callees->items[callee].name);
}

/* A name is "process", or "process (b.c:12)" where several functions of the tree have it. */
static const char *distinct_name(struct callee_table *callees, const struct function_info *function)
{
    uint32_t name = intern_find(&callees->names, function->name);
    if (*hash_map_get(&callees->bodies_named, name) == 1)
        return function->name;
    return arena_printf(&callees->arena, "%s (%s:%u)", function->name, function->file,
                        function->line);
}

uint32_t callee_of_function(struct callee_table *callees, uint32_t f)
{
    if (f >= callees->table->function_count)
        return callee_named(callees, "[unknown]");
    const struct function_info *function = &callees->table->functions[f];
    uint64_t *known = hash_map_put(&callees->of_function, f);
    if (!*known)
        *known =
            1 + (uint64_t)(function->body ? callee_new(callees, distinct_name(callees, function), f)
                                          : callee_named(callees, function->name));
    return (uint32_t)(*known - 1);
}

/* The symbols are those of what the process has mapped; from 1 on of what it had mapped before, the
 * latest first. */
static struct symbolizer *symbolizer_of(struct callee_table *callees, uint32_t process, uint32_t i)
{
    const struct timeline_process *mapped = &callees->run->processes[process];
    struct callee_process *p = &callees->processes[process];
    if (!p->symbolizers) {
        p->count = mapped->earlier_count + 1;
        p->symbolizers = ARENA_ARRAY(&callees->arena, struct symbolizer *, p->count);
    }
    const char *maps = i ? mapped->earlier_maps[i - 1] : mapped->maps;
    if (!p->symbolizers[i] && maps && maps[0])
        p->symbolizers[i] = symbolizer_open(maps);
    return p->symbolizers[i];
}

struct symbolizer *callee_symbolizer(struct callee_table *callees, uint32_t process)
{
    return symbolizer_of(callees, process, 0);
}

/* An object that is unloaded by the end was mapped earlier. */
const char *callee_symbol_at(struct callee_table *callees, uint32_t process, uint64_t address)
{
    const char *name = NULL;
    for (uint32_t i = 0; i <= callees->run->processes[process].earlier_count && !name; i++) {
        struct symbolizer *symbolizer = symbolizer_of(callees, process, i);
        name = symbolizer ? symbolizer_name(symbolizer, address) : NULL;
    }
    return name;
}

static uint32_t callee_of_symbol(struct callee_table *callees, const char *symbol)
{
    uint32_t id = symbol ? intern_find(&callees->symbols, symbol) : INTERN_NONE;
    if (id == INTERN_NONE)
        return callee_named(callees, symbol ? symbol : "[indirect]");
    uint32_t function = callees->symbol_function[id];
    if (callees->same_symbol[function] == FUNCTION_NONE)
        return callee_of_function(callees, function);
    const char *name = callees->table->functions[function].name;
    uint32_t callee = callee_named(callees, name);
    callees->items[callee].maybe = function;
    return callee;
}

uint32_t callee_at(struct callee_table *callees, uint32_t process, uint64_t address)
{
    uint64_t *known = hash_map_put(&callees->processes[process].at, address);
    if (*known)
        return (uint32_t)(*known - 1);
    uint32_t callee = callee_of_symbol(callees, callee_symbol_at(callees, process, address));
    *known = (uint64_t)callee + 1;
    return callee;
}

static void note_seen_function(struct callee_table *callees, uint32_t caller, uint32_t function)
{
    uint64_t *known = hash_map_put(&callees->seen_set, (uint64_t)caller << 32 | function);
    if (*known)
        return;
    *known = 1;
    struct seen_call call = {.caller = caller, .callee = function};
    VEC_PUSH(callees->seen, callees->seen_count, callees->seen_capacity) = call;
}

static void note_seen(struct callee_table *callees, uint32_t caller, uint32_t callee)
{
    if (caller >= callees->table->function_count)
        return;
    if (callees->items[callee].body)
        note_seen_function(callees, caller, callees->items[callee].function);
    uint32_t maybe = callees->items[callee].maybe;
    for (; maybe != FUNCTION_NONE; maybe = callees->same_symbol[maybe])
        note_seen_function(callees, caller, maybe);
}

static struct callee_probe probe_of(const struct callee_table *callees, uint32_t callee,
                                    enum probe_kind kind)
{
    return (struct callee_probe){.callee = callee,
                                 .known = kind != PROBE_NONE && kind != PROBE_INDIRECT,
                                 .function = kind == PROBE_FUNCTION,
                                 .body = callees->items[callee].body};
}

static uint32_t callee_of_probe(struct callee_table *callees, uint32_t probe)
{
    const struct probe_info *info = &callees->table->probes[probe];
    struct callee_probe *known = &callees->of_probe[probe];
    if (!known->known)
        *known = probe_of(callees, callee_of_function(callees, info->function), info->kind);
    return known->callee;
}

struct callee_probe callee_ask_call(struct callee_table *callees, uint32_t process, uint32_t probe,
                                    uint64_t target)
{
    enum probe_kind kind = callee_probe_kind(callees, probe);
    uint32_t callee;
    if (kind == PROBE_NONE) {
        callee = callee_named(callees, "[unknown]");
    } else if (kind == PROBE_INDIRECT) {
        callee = callee_at(callees, process, target);
        note_seen(callees, callees->table->probes[probe].within, callee);
    } else {
        callee = callee_of_probe(callees, probe);
    }
    return probe_of(callees, callee, kind);
}

/* The function that a site calls, or NULL. */
static const char *site_function(const struct callee_table *callees, uint32_t site)
{
    if (callee_probe_kind(callees, site) == PROBE_NONE)
        return NULL;
    uint32_t function = callees->table->probes[site].function;
    return function < callees->table->function_count ? callees->table->functions[function].name
                                                     : NULL;
}

static const char *operation_name(uint32_t operation)
{
    static const char *const names[] = {
        [TRACE_OP_MUTEX] = "pthread_mutex_lock",
        [TRACE_OP_COND] = "pthread_cond_wait",
        [TRACE_OP_RWLOCK_READ] = "rwlock read",
        [TRACE_OP_RWLOCK_WRITE] = "rwlock write",
        [TRACE_OP_SEMAPHORE] = "sem_wait",
        [TRACE_OP_BARRIER] = "pthread_barrier_wait",
        [TRACE_OP_JOIN] = "pthread_join",
        [TRACE_OP_USER] = "acquire",
        [TRACE_OP_SPIN] = "spin",
        [TRACE_OP_CHANNEL] = "read",
        [TRACE_OP_CHANNEL_ROOM] = "write",
        [TRACE_OP_SEMAPHORE_ZERO] = "semop",
        [TRACE_OP_FUTEX] = "futex",
        [TRACE_OP_TEAM] = "omp parallel",
    };
    const char *name = operation < sizeof names / sizeof *names ? names[operation] : NULL;
    return name ? name : "[blocked]";
}

static uint32_t callee_with_object(struct callee_table *callees, uint32_t plain, uint32_t object)
{
    uint64_t *known = hash_map_put(&callees->of_object, (uint64_t)plain << 32 | object);
    if (!*known) {
        const struct callee *call = &callees->items[plain];
        const char *name = arena_printf(&callees->arena, "%s (%s)", call->name,
                                        callees->objects->texts.text[object]);
        uint32_t callee = callee_new(callees, name, call->function);
        callees->items[callee].plain = plain;
        callees->items[callee].object = object;
        *known = (uint64_t)callee + 1;
    }
    return (uint32_t)(*known - 1);
}

static uint32_t call_of_block(struct callee_table *callees, const struct block *block)
{
    if (site_function(callees, block->site))
        return callee_of_probe(callees, block->site);
    uint32_t other = 0, *known = block->operation < CALLEE_OPERATIONS
                                     ? &callees->of_operation[block->operation]
                                     : &other;
    if (!*known)
        *known = callee_named(callees, operation_name(block->operation)) + 1;
    return *known - 1;
}

uint32_t callee_of_block(struct callee_table *callees, const struct block *block)
{
    uint32_t plain = call_of_block(callees, block);
    uint32_t object = object_names_find(callees->objects, block->object);
    return object == INTERN_NONE ? plain : callee_with_object(callees, plain, object);
}

uint32_t callee_of_pickup(struct callee_table *callees, const struct pickup *pickup)
{
    const char *from = site_function(callees, pickup->creator_site);
    const char *to = site_function(callees, pickup->site);
    if (!to)
        return callee_named(callees, from ? from : "[queue]");
    struct str name = {0};
    str_printf(&name, "%s -> %s", from ? from : "[unknown]", to);
    uint32_t callee = callee_named(callees, name.data);
    str_release(&name);
    return callee;
}

uint32_t callee_holding(struct callee_table *callees, uint32_t site)
{
    if (callee_probe_kind(callees, site) == PROBE_NONE)
        return CALLEE_NONE;
    uint32_t within = callees->table->probes[site].within;
    return within < callees->table->function_count ? callee_of_function(callees, within)
                                                   : CALLEE_NONE;
}

void callee_note_maker(struct callee_table *callees, uint32_t function)
{
    for (uint32_t i = 0; i < callees->maker_count; i++)
        if (callees->makers[i] == function)
            return;
    VEC_PUSH(callees->makers, callees->maker_count, callees->maker_capacity) = function;
}

uint32_t *callee_table_join(struct callee_table *callees, const struct callee_table *part)
{
    uint32_t *callee_of = memory_alloc(sizeof *callee_of * part->count);
    for (uint32_t i = 0; i < part->count; i++) {
        const struct callee *callee = &part->items[i];
        callee_of[i] = callee->object != INTERN_NONE
                           ? callee_with_object(callees, callee_of[callee->plain], callee->object)
                       : callee->body ? callee_of_function(callees, callee->function)
                                      : callee_named(callees, callee->name);
        if (callee->maybe != FUNCTION_NONE)
            callees->items[callee_of[i]].maybe = callee->maybe;
        if (callee->wait != WAIT_NONE)
            callees->items[callee_of[i]].wait = callee->wait;
    }
    for (uint32_t i = 0; i < part->maker_count; i++)
        callee_note_maker(callees, part->makers[i]);
    for (uint32_t i = 0; i < part->seen_count; i++)
        note_seen_function(callees, part->seen[i].caller, part->seen[i].callee);
    return callee_of;
}
