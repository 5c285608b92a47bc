#include "symbol/caller_chain.h"

#include <string.h>

#include "base/memory.h"
#include "symbol/call_chain.h"
#include "symbol/callee_table.h"

enum { MOST_CALLS = 96 };

/* Several functions of one symbol are told apart by where they begin. */
struct match {
    const struct callee_table *callees;
    const struct chain_call *call;
    uint32_t found, there; /* any of them, the one that begins on the call's line */
    uint32_t found_count, there_count;
};

static void consider(struct match *m, uint32_t function)
{
    const struct function_info *info = &m->callees->table->functions[function];
    if (!info->body)
        return;
    m->found = function;
    m->found_count++;
    if (info->line != m->call->line)
        return;
    m->there = function;
    m->there_count++;
}

static void consider_symbol(struct match *m)
{
    uint32_t id = intern_find(&m->callees->symbols, m->call->name);
    uint32_t function = id == INTERN_NONE ? FUNCTION_NONE : m->callees->symbol_function[id];
    for (; function != FUNCTION_NONE; function = m->callees->same_symbol[function])
        consider(m, function);
}

/* The function that a lambda stands in, mangled, with what follows: "5serveiENK$_0clEv". The
 * symbols of templates that are made with the lambda's type have E in place of EK there. Each
 * compiler numbers lambdas in its own way. */
static const char *around_lambda(const char *symbol, const char *number, size_t *length)
{
    const char *end = strncmp(symbol, "_ZZ", 3) == 0 ? strstr(symbol, number) : NULL;
    *length = end ? (size_t)(end - symbol) - 3 : 0;
    return end ? symbol + 3 : NULL;
}

/* A lambda has "ENKUl", "EUl" or "ENK$_" behind the function's name. */
static bool is_of_lambda(const char *name, const char *function, size_t length)
{
    static const char *const NUMBERS[] = {"ENKUl", "ENUl", "EUl", "ENK$_", "EN$_", "E$_"};
    for (const char *at = strchr(name, 'Z'); at; at = strchr(at + 1, 'Z')) {
        if (strncmp(at + 1, function, length) != 0)
            continue;
        for (size_t i = 0; i < sizeof NUMBERS / sizeof NUMBERS[0]; i++)
            if (strncmp(at + 1 + length, NUMBERS[i], strlen(NUMBERS[i])) == 0)
                return true;
    }
    return false;
}

static void consider_lambdas(struct match *m)
{
    const struct function_table *table = m->callees->table;
    if (!strstr(m->call->name, "EUl") && !strstr(m->call->name, "ENKUl") &&
        !strstr(m->call->name, "ENUl"))
        return;
    for (uint32_t i = 0; i < table->function_count; i++) {
        size_t length;
        const char *symbol = table->functions[i].symbol ? table->functions[i].symbol : "";
        const char *function = around_lambda(symbol, "ENK$_", &length);
        if (!function)
            function = around_lambda(symbol, "EN$_", &length);
        if (function && is_of_lambda(m->call->name, function, length))
            consider(m, i);
    }
}

static uint32_t function_of_call(const struct callee_table *callees, const struct chain_call *call)
{
    struct match m = {.callees = callees, .call = call, .found = FUNCTION_NONE};
    consider_symbol(&m);
    if (m.found_count == 0)
        consider_lambdas(&m);
    if (m.there_count == 1)
        return m.there;
    return m.found_count == 1 ? m.found : FUNCTION_NONE;
}

static void add_function(struct caller_chain *chain, uint32_t function)
{
    if (function == FUNCTION_NONE ||
        (chain->count && chain->functions[chain->count - 1] == function))
        return;
    chain->functions[chain->count++] = function;
}

static struct caller_chain *find_chain(struct callee_table *callees, uint32_t stack)
{
    struct caller_chain *chain = ARENA_NEW(&callees->arena, struct caller_chain);
    if (stack == 0 || stack >= callees->run->stack_count)
        return chain;
    const struct caller_stack *words = &callees->run->stacks[stack];
    struct symbolizer *symbolizer = callee_symbolizer(callees, words->process);
    struct chain_call calls[MOST_CALLS];
    uint32_t count =
        symbolizer ? call_chain(symbolizer, words->addresses, words->count, calls, MOST_CALLS) : 0;
    chain->functions = ARENA_ARRAY(&callees->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        add_function(chain, function_of_call(callees, &calls[i]));
    return chain;
}

const struct caller_chain *caller_chain_of(struct callee_table *callees, uint32_t stack)
{
    uint32_t known = stack < callees->run->stack_count ? stack : 0;
    if (!callees->of_stack[known])
        callees->of_stack[known] = find_chain(callees, known);
    return callees->of_stack[known];
}
