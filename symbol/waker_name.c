#include "symbol/waker_name.h"

#include <string.h>

#include "base/str.h"
#include "symbol/caller_chain.h"

/* The function that made the thread, or FUNCTION_NONE. */
static uint32_t maker_of(struct callee_table *callees, const struct timeline_thread *thread)
{
    const struct pickup *start = thread->pickups;
    if (!thread->pickup_count || !start->creator_stack) /* a task, or of an older trace */
        return FUNCTION_NONE;
    const struct caller_chain *chain = caller_chain_of(callees, start->creator_stack);
    uint32_t holder = callee_holding(callees, start->creator_site);
    if (holder != CALLEE_NONE)
        return callees->items[holder].function;
    return chain->count ? chain->functions[0] : FUNCTION_NONE;
}

/* A thread has the name of who made it, and that of the program, until it is given one. */
static bool has_own_name(const struct callee_table *callees, const struct timeline_thread *thread)
{
    const char *program = callees->run->processes[thread->process].program;
    const char *slash = program ? strrchr(program, '/') : NULL;
    if (slash)
        program = slash + 1;
    return thread->name && thread->name[0] &&
           (!program || strncmp(program, thread->name, strlen(thread->name)) != 0);
}

/* A library's function that the thread began in, or NULL. std::thread's begin in the injected text,
 * which is nobody's name. */
static const char *library_start(struct callee_table *callees, const struct timeline_thread *thread)
{
    static const char std_run[] = "_ZL15vprof_std_run_1Pv";
    const char *name =
        thread->routine ? callee_symbol_at(callees, thread->process, thread->routine) : NULL;
    return name && strcmp(name, std_run) != 0 ? name : NULL;
}

static uint32_t callee_of_thread(struct callee_table *callees, const struct timeline_thread *thread)
{
    uint32_t maker = maker_of(callees, thread);
    const char *start = library_start(callees, thread);
    struct str text = {0};
    if (maker != FUNCTION_NONE)
        callee_note_maker(callees, maker);
    if (has_own_name(callees, thread))
        str_printf(&text, "thread %s", thread->name);
    else if (start)
        str_append(&text, start);
    else if (maker != FUNCTION_NONE)
        str_printf(&text, "thread made in %s", callees->table->functions[maker].name);
    else if (thread->name && thread->name[0])
        str_printf(&text, "thread %s", thread->name);
    else /* an older trace */
        str_printf(&text, "thread %u", thread->tid);
    uint32_t callee = callee_named(callees, text.data);
    str_release(&text);
    return callee;
}

/* Where a source tree makes several programs, it is not known which `main` is this one's. */
static uint32_t main_function(const struct callee_table *callees)
{
    uint32_t id = intern_find(&callees->symbols, "main");
    uint32_t found = id == INTERN_NONE ? FUNCTION_NONE : callees->symbol_function[id];
    bool alone = found != FUNCTION_NONE && callees->same_symbol[found] == FUNCTION_NONE;
    return alone ? found : FUNCTION_NONE;
}

/* The function of the program that the thread began in, or CALLEE_NONE. What the injected text
 * makes threads begin in is none. */
static uint32_t callee_of_start(struct callee_table *callees, const struct timeline_thread *thread)
{
    uint32_t callee = CALLEE_NONE, main = main_function(callees);
    if (thread->routine)
        callee = callee_at(callees, thread->process, thread->routine);
    else if (thread->tid == callees->run->processes[thread->process].pid && main != FUNCTION_NONE)
        callee = callee_of_function(callees, main);
    return callee != CALLEE_NONE && callees->items[callee].body ? callee : CALLEE_NONE;
}

uint32_t callee_of_unknown(struct callee_table *callees, uint32_t thread)
{
    uint32_t *known = &callees->of_thread[thread];
    if (!*known) {
        const struct timeline_thread *waker = &callees->run->threads[thread];
        uint32_t start = callee_of_start(callees, waker);
        *known = 1 + (start != CALLEE_NONE ? start : callee_of_thread(callees, waker));
    }
    return *known - 1;
}

uint32_t callee_of_waker(struct callee_table *callees, const struct block *block)
{
    uint32_t holder = callee_holding(callees, block->waker_site);
    if (holder != CALLEE_NONE)
        return holder;
    const struct caller_chain *chain = caller_chain_of(callees, block->waker_stack);
    return chain->count ? callee_of_function(callees, chain->functions[0])
                        : callee_of_unknown(callees, block->waker);
}
