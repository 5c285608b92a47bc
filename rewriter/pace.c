#include "rewriter/pace.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "rewriter/sync_name.h"
#include "trace/function_table.h"

/* The function itself, its statements and its calls are steps, of some five instructions each; not
 * quite the 200 instructions below which LLVM's XRay leaves a function alone. */
enum { MOST_STEPS = 30 };
/* The search turns back at this depth, which no stack minds. */
enum { MOST_DEPTH = 1000 };
/* A function that more callers share is one such as reports errors: each would need a probe. */
enum { MOST_TOLD_APART = 8 };

/* These functions of the C library can neither wait nor allocate, or end the program. */
static const char *const SHORT[] = {
    "abort",
    "__assert_fail",
    "__errno_location",
    "__ctype_b_loc",
    "__ctype_tolower_loc",
    "__ctype_toupper_loc",
    "isalnum",
    "isalpha",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "tolower",
    "toupper",
    "abs",
    "labs",
    "llabs",
    "fabs",
    "fabsf",
    "floor",
    "floorf",
    "ceil",
    "ceilf",
    "rint",
    "trunc",
    "round",
    "sqrt",
    "sqrtf",
    "fmin",
    "fmax",
    "isnan",
    "isinf",
    "htonl",
    "htons",
    "ntohl",
    "ntohs",
    "pthread_self",
    "pthread_equal",
    "exp",
    "log",
    "log10",
    "log2",
    "pow",
    "ldexp",
    "sin",
    "cos",
    "tan",
    "atan",
    "atan2",
    "fmod",
};
static const char *const LINEAR[] = {
    "memcpy",  "memmove", "mempcpy", "memset",    "memcmp",      "memchr", "memrchr",
    "strlen",  "strnlen", "strcmp",  "strncmp",   "strcasecmp",  "strchr", "strrchr",
    "strcpy",  "strncpy", "stpcpy",  "strcat",    "strncat",     "strspn", "strcspn",
    "strpbrk", "strstr",  "bzero",   "strlcpy",   "strncasecmp", "bcmp",   "rawmemchr",
    "atoi",    "atol",    "strtol",  "strchrnul", "strtoul",
};

enum progress { UNTRIED, ENTERED, LEFT };

struct pace_search {
    const struct facts *facts;
    enum pace *paces;
    enum progress *progress; /* of the search; all that it may not come to are LEFT */
};

static enum pace library_pace(const struct fact_function *function)
{
    const char *name = function->name;
    if (!function->foreign)
        return PACE_ANY;
    if (STR_IS_ONE_OF(name, SHORT) || str_starts_with(name, "_mm"))
        return PACE_SHORT;
    return STR_IS_ONE_OF(name, LINEAR) ? PACE_LINEAR : PACE_ANY;
}

static bool is_synchronization(const struct resolved *resolved, const struct facts *facts,
                               uint32_t index)
{
    return resolved->syncs[index] || sync_name_find(facts->functions[index].name) >= 0;
}

/* A template's operators may be anything; only it has no symbol. */
static bool is_straight(const struct fact_function *function)
{
    if (function->unbounded || function->marks || function->indirect_calls || !*function->symbol)
        return false;
    for (uint32_t i = 0; i < function->call_count; i++)
        if (function->calls[i].callee == FUNCTION_NONE || function->calls[i].dynamic)
            return false;
    return 1 + fact_statements(function) + function->call_count <= MOST_STEPS;
}

/* A short function does not wait itself: what may wait it calls only where that has a body in the
 * tree. */
static bool may_be_short(const struct pace_search *all, const struct resolved *resolved,
                         uint32_t index)
{
    const struct facts *facts = all->facts;
    const struct fact_function *function = &facts->functions[index];
    if (function->file == FACT_NO_FILE || !is_straight(function) ||
        is_synchronization(resolved, facts, index))
        return false;
    for (uint32_t i = 0; i < function->callee_count; i++) {
        uint32_t callee = function->callees[i];
        bool has_body = facts->functions[callee].file != FACT_NO_FILE;
        if (is_synchronization(resolved, facts, callee) ||
            (!has_body && all->paces[callee] != PACE_SHORT))
            return false;
    }
    return true;
}

/* A function whose callee the search is still in closes a circle: it has a probe, the others need
 * none. So has one at which the search turns back. */
static void search(struct pace_search *all, uint32_t index, uint32_t depth)
{
    const struct fact_function *function = &all->facts->functions[index];
    bool closes = depth > MOST_DEPTH;
    all->progress[index] = ENTERED;
    for (uint32_t i = 0; i < function->callee_count && !closes; i++) {
        uint32_t callee = function->callees[i];
        if (all->progress[callee] == UNTRIED)
            search(all, callee, depth + 1);
        closes = all->progress[callee] == ENTERED;
    }
    all->progress[index] = LEFT;
    all->paces[index] = closes ? PACE_ANY : PACE_SHORT;
}

/* The lists go by function: those with a body that call it. */
struct caller_lists {
    uint32_t *first; /* function -> its index in `callers`, up to that of the next */
    uint32_t *callers;
};

static struct caller_lists list_callers(const struct facts *facts)
{
    uint32_t count = facts->function_count;
    struct caller_lists lists = {.first = memory_zeroed((count + 2) * sizeof(uint32_t))};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < facts->functions[i].callee_count; k++)
            lists.first[facts->functions[i].callees[k] + 2]++;
    for (uint32_t i = 2; i < count + 2; i++)
        lists.first[i] += lists.first[i - 1];
    lists.callers = memory_alloc((lists.first[count + 1] + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < facts->functions[i].callee_count; k++)
            lists.callers[lists.first[facts->functions[i].callees[k] + 1]++] = i;
    return lists;
}

static bool calls_long_library(const struct pace_search *all, uint32_t index)
{
    const struct fact_function *function = &all->facts->functions[index];
    bool any = false;
    for (uint32_t i = 0; i < function->callee_count && !any; i++)
        any = all->facts->functions[function->callees[i]].file == FACT_NO_FILE &&
              all->paces[function->callees[i]] == PACE_ANY;
    return any;
}

static bool have_common_caller(const struct caller_lists *lists, uint32_t a, uint32_t b)
{
    for (uint32_t i = lists->first[a]; i < lists->first[a + 1]; i++) {
        if (lists->callers[i] == b)
            return true;
        for (uint32_t k = lists->first[b]; k < lists->first[b + 1]; k++)
            if (lists->callers[i] == lists->callers[k])
                return true;
    }
    return false;
}

static void enter(const struct pace_search *all, uint32_t index, bool *entered)
{
    const struct fact_function *function = &all->facts->functions[index];
    if (entered[index])
        return;
    entered[index] = true;
    for (uint32_t i = 0; i < function->callee_count && all->paces[index] == PACE_SHORT; i++)
        enter(all, function->callees[i], entered);
}

/* The array goes by function: true where something that no call shows may call it, or short
 * functions above it; then nobody knows what stands above it in the report. */
static bool *find_entered(const struct pace_search *all, const struct caller_lists *lists)
{
    const struct facts *facts = all->facts;
    bool *entered = memory_zeroed(facts->function_count + 1);
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (facts->functions[i].file != FACT_NO_FILE &&
            (facts->functions[i].address_taken || facts->functions[i].referenced ||
             lists->first[i] == lists->first[i + 1]))
            enter(all, i, entered);
    return entered;
}

/* Short callers of functions that wait are told apart by these. */
struct apart {
    const struct pace_search *all;
    const struct resolved *resolved;
    struct caller_lists lists;
    bool *entered;
    bool *kept; /* those that have to have a probe */
};

static bool is_wrapper(const struct apart *apart, uint32_t index)
{
    return apart->all->paces[index] == PACE_SHORT && !apart->resolved->untimed[index];
}

/* Two short callers of one function that waits may stand below one caller of theirs: without
 * their names what it did for the one could not be told from what it did for the other. */
static void tell_apart(struct apart *apart, uint32_t index)
{
    const uint32_t *callers = apart->lists.callers;
    uint32_t first = apart->lists.first[index], end = apart->lists.first[index + 1];
    if (end - first > MOST_TOLD_APART)
        return;
    for (uint32_t i = first; i < end; i++)
        for (uint32_t k = i + 1; k < end; k++)
            if (is_wrapper(apart, callers[i]) && is_wrapper(apart, callers[k]) &&
                ((apart->entered[callers[i]] && apart->entered[callers[k]]) ||
                 have_common_caller(&apart->lists, callers[i], callers[k])))
                apart->kept[callers[i]] = apart->kept[callers[k]] = true;
}

static void tell_wrappers_apart(struct pace_search *all, const struct resolved *resolved)
{
    const struct facts *facts = all->facts;
    struct apart apart = {.all = all, .resolved = resolved, .lists = list_callers(facts)};
    apart.entered = find_entered(all, &apart.lists);
    apart.kept = memory_zeroed(facts->function_count + 1);
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (facts->functions[i].file != FACT_NO_FILE && all->paces[i] == PACE_ANY &&
            calls_long_library(all, i))
            tell_apart(&apart, i);
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (apart.kept[i])
            all->paces[i] = PACE_ANY;
    memory_free(apart.kept);
    memory_free(apart.entered);
    memory_free(apart.lists.first);
    memory_free(apart.lists.callers);
}

const enum pace *pace_find(struct arena *arena, const struct facts *facts,
                           const struct resolved *resolved)
{
    struct pace_search all = {.facts = facts};
    size_t count = facts->function_count + 1;
    all.paces = ARENA_ARRAY(arena, enum pace, count);
    all.progress = memory_zeroed(count * sizeof *all.progress);
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (facts->functions[i].file == FACT_NO_FILE)
            all.paces[i] = library_pace(&facts->functions[i]);
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (!may_be_short(&all, resolved, i))
            all.progress[i] = LEFT;
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (resolved->untimed[i] && !facts->functions[i].marks &&
            !is_synchronization(resolved, facts, i)) {
            all.progress[i] = LEFT;
            all.paces[i] = PACE_SHORT;
        }
    for (uint32_t i = 0; i < resolved->mark_count; i++) {
        all.progress[resolved->marks[i].function] = LEFT;
        all.paces[resolved->marks[i].function] = PACE_ANY;
    }
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (all.progress[i] == UNTRIED)
            search(&all, i, 0);
    tell_wrappers_apart(&all, resolved);
    memory_free(all.progress);
    return all.paces;
}
