/* callee_table.h - what the nodes of the tree are called: functions, and texts that are none.
 *
 *     uint32_t id = callee_of_call(&callees, process, call.probe, call.target).callee;
 *     callees.items[id].name                          "serve"
 *
 * One function has one number, whichever probe or symbol it was met through: functions with a body
 * are told apart by their index, all others by name. The callee of an indirect call is found by its
 * address through the process's maps and the linker's name; what it finds out, it keeps as `seen`.
 * Borrows `run` and `table`; owns the rest.
 */
#ifndef SYMBOL_CALLEE_TABLE_H
#define SYMBOL_CALLEE_TABLE_H

#include <stdint.h>

#include "base/arena.h"
#include "base/hash_map.h"
#include "symbol/object_name.h"
#include "symbol/seen_call.h"
#include "symbol/wait_kind.h"
#include "trace/function_table.h"
#include "trace/timeline.h"

struct symbolizer;
struct caller_chain;

struct callee {
    const char *name;  /* borrowed from the function table, or in `arena` */
    uint32_t function; /* or FUNCTION_NONE */
    bool body;         /* a function with a body in the tree */
    uint32_t maybe;    /* where several functions have its symbol: the first; else FUNCTION_NONE */
    enum wait_kind wait; /* that has its name */
    uint32_t plain;      /* a call that is told by its object: the call alone; else CALLEE_NONE */
    uint32_t object;     /* and the object's, in object_names; else INTERN_NONE */
};

/* What is called through a probe. It is kept once it was asked for, but not of an indirect call,
 * whose callee depends on the address. */
struct callee_probe {
    uint32_t callee;
    bool known;
    bool function; /* the probe is that of a function, not of a call */
    bool body;
};

struct callee_process {
    struct symbolizer **symbolizers; /* of its maps, then of the earlier ones; NULL: not opened */
    uint32_t count;
    struct hash_map at; /* address -> callee */
};

enum { CALLEE_OPERATIONS = 16 };

struct callee_table {
    struct arena arena;
    const struct timelines *run;
    const struct function_table *table;
    struct callee *items;
    uint32_t count, capacity;
    struct hash_map of_function; /* function -> callee + 1 */
    struct callee_probe *of_probe;
    uint32_t of_operation[CALLEE_OPERATIONS]; /* of a block without a site -> callee + 1, or 0 */
    uint32_t *of_thread;                      /* as a waker without a name -> callee + 1, or 0 */
    struct caller_chain **of_stack;           /* or NULL: not asked for yet */
    struct intern names;                      /* name of anything else */
    struct hash_map of_name;                  /* number in `names` -> callee + 1 */
    struct intern symbols;
    uint32_t *symbol_function;      /* by number in `symbols` */
    uint32_t *same_symbol;          /* function -> another body of that symbol, or FUNCTION_NONE */
    struct hash_map bodies_named;   /* number in `names` -> functions with a body */
    struct hash_map function_named; /* number in `names` -> function without a body + 1 */
    struct callee_process *processes;
    struct seen_call *seen;
    uint32_t seen_count, seen_capacity;
    struct hash_map seen_set;
    struct object_names own_objects; /* of a table that is no part of another */
    const struct object_names *objects;
    struct hash_map of_kernel; /* time off the processor, or a task -> callee + 1 (kernel_name.h) */
    struct hash_map of_object; /* (call alone, object) -> callee + 1 */
    uint32_t *makers; /* functions that made wakers of which no function is known, each once */
    uint32_t maker_count, maker_capacity;
};

/* Objects have no names yet: object_naming.h gives them. */
void callee_table_init(struct callee_table *callees, const struct timelines *run,
                       const struct function_table *table);
/* A part of `callees` is for another thread; it is to be joined before that is released. */
void callee_table_init_part(struct callee_table *part, const struct callee_table *callees);
/* One that is zeroed has nothing to release. */
void callee_table_release(struct callee_table *callees);

/* The table takes what another one learned of the same run; by number in that one, the result has
 * the number here. */
uint32_t *callee_table_join(struct callee_table *callees, const struct callee_table *part);

uint32_t callee_named(struct callee_table *callees, const char *name);
uint32_t callee_of_wait(struct callee_table *callees, enum wait_kind wait);
/* The callees of one name have one number. */
uint32_t callee_name(struct callee_table *callees, uint32_t callee);
uint32_t callee_of_function(struct callee_table *callees, uint32_t function);
struct callee_probe callee_ask_call(struct callee_table *callees, uint32_t process, uint32_t probe,
                                    uint64_t target);
/* Through a probe, and where that is a call through a pointer, to `target`. */
static inline struct callee_probe callee_of_call(struct callee_table *callees, uint32_t process,
                                                 uint32_t probe, uint64_t target)
{
    if (probe < callees->table->probe_count && callees->of_probe[probe].known)
        return callees->of_probe[probe];
    return callee_ask_call(callees, process, probe, target);
}
/* The call that blocked: of its site, else the usual name of its operation; and with the object
 * where that has a name: "pthread_mutex_lock (table_lock)". */
uint32_t callee_of_block(struct callee_table *callees, const struct block *block);
/* The object's name that a call is told by, or NULL. */
static inline const char *callee_object(const struct callee_table *callees, uint32_t callee)
{
    uint32_t object = callees->items[callee].object;
    return object == INTERN_NONE ? NULL : callees->objects->texts.text[object];
}
/* The object is a lock of that name. */
static inline bool callee_is_lock(const struct callee_table *callees, uint32_t callee)
{
    const uint64_t *held = hash_map_get(&callees->objects->held, callees->items[callee].object);
    return held && *held;
}
/* The call alone. */
static inline uint32_t callee_plain(const struct callee_table *callees, uint32_t callee)
{
    uint32_t plain = callees->items[callee].plain;
    return plain == UINT32_MAX ? callee : plain;
}
/* A pickup's name is like "queue_push -> queue_pop", or "pthread_create". */
uint32_t callee_of_pickup(struct callee_table *callees, const struct pickup *pickup);
/* The callee is what is at an address of a process, with its symbol or NULL. An object that is
 * unloaded by the end was mapped earlier. */
uint32_t callee_at(struct callee_table *callees, uint32_t process, uint64_t address);
const char *callee_symbol_at(struct callee_table *callees, uint32_t process, uint64_t address);

/* The function that holds a site, or CALLEE_NONE. */
#define CALLEE_NONE UINT32_MAX
uint32_t callee_holding(struct callee_table *callees, uint32_t site);

/* The function made a thread that woke, and of which no function is known. */
void callee_note_maker(struct callee_table *callees, uint32_t function);

/* The symbolizer is that of the program as it was mapped, or NULL. */
struct symbolizer *callee_symbolizer(struct callee_table *callees, uint32_t process);

static inline enum probe_kind callee_probe_kind(const struct callee_table *callees, uint32_t probe)
{
    return probe < callees->table->probe_count ? callees->table->probes[probe].kind : PROBE_NONE;
}

#endif
