#include "rewriter/pace.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "rewriter/sync_name.h"
#include "trace/function_table.h"

/* Statements and calls: of some five instructions each, so much as LLVM's XRay leaves alone. */
enum { MOST_STEPS = 40 };

/* Of the C library, where they can neither wait nor allocate. */
static const char *const SHORT[] = {
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

struct pace_search {
    const struct facts *facts;
    enum pace *paces;
    bool *met;       /* the search came here */
    uint32_t *steps; /* of short ones, with all that they call; 0: not known yet */
};

static bool is_one_of(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static enum pace library_pace(const struct fact_function *function)
{
    const char *name = function->name;
    if (!function->foreign)
        return PACE_ANY;
    if (is_one_of(name, SHORT, sizeof SHORT / sizeof *SHORT) || str_starts_with(name, "_mm"))
        return PACE_SHORT;
    return is_one_of(name, LINEAR, sizeof LINEAR / sizeof *LINEAR) ? PACE_LINEAR : PACE_ANY;
}

static void search(struct pace_search *all, uint32_t index, uint32_t depth);

/* One that the search is still in has no pace yet: then this is a recursion. A chain of calls that
 * is deeper than MOST_STEPS is left as it is, wherever the search came into it. */
static bool takes_in(struct pace_search *all, uint32_t caller, uint32_t callee, uint32_t depth)
{
    if (!all->met[callee])
        search(all, callee, depth + 1);
    all->steps[caller] += all->steps[callee];
    return all->paces[callee] == PACE_SHORT && all->steps[caller] <= MOST_STEPS;
}

/* A template's operators may be anything; only it has no symbol. */
static bool may_be_short(const struct fact_function *function)
{
    if (function->unbounded || function->marks || function->indirect_calls || !*function->symbol)
        return false;
    for (uint32_t i = 0; i < function->call_count; i++)
        if (function->calls[i].callee == FUNCTION_NONE || function->calls[i].dynamic)
            return false;
    return true;
}

static void search(struct pace_search *all, uint32_t index, uint32_t depth)
{
    const struct fact_function *function = &all->facts->functions[index];
    all->met[index] = true;
    if (function->file == FACT_NO_FILE) {
        all->paces[index] = library_pace(function);
        return;
    }
    all->steps[index] = 1 + function->statement_count + function->call_count;
    bool is_short =
        may_be_short(function) && all->steps[index] <= MOST_STEPS && depth <= MOST_STEPS;
    for (uint32_t i = 0; is_short && i < function->callee_count; i++)
        is_short = takes_in(all, index, function->callees[i], depth);
    if (is_short)
        all->paces[index] = PACE_SHORT;
}

const enum pace *pace_find(struct arena *arena, const struct facts *facts,
                           const struct resolved *resolved)
{
    struct pace_search all = {.facts = facts};
    size_t count = facts->function_count + 1;
    all.paces = ARENA_ARRAY(arena, enum pace, count);
    all.steps = memory_zeroed(count * sizeof *all.steps);
    all.met = memory_zeroed(count * sizeof *all.met);
    for (uint32_t i = 0; i < resolved->mark_count; i++)
        all.met[resolved->marks[i].function] = true;
    for (uint32_t i = 0; i < facts->function_count; i++)
        all.met[i] |= resolved->syncs[i] != NULL || sync_name_find(facts->functions[i].name) >= 0;
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (!all.met[i])
            search(&all, i, 0);
    memory_free(all.met);
    memory_free(all.steps);
    return all.paces;
}
