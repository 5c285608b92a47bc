#include "rewriter/made.h"

#include <string.h>

#include "base/memory.h"
#include "rewriter/source_text.h"

uint32_t made_braces(const struct fact_macro *macro, uint32_t offsets[static MADE_MOST])
{
    struct source_text text = {macro->body, (uint32_t)strlen(macro->body)};
    uint32_t count = 0;
    char before = ')'; /* a body that is the whole macro */
    struct token token = source_token(&text, 0);
    while (token.kind != TOKEN_END) {
        char mark = token.kind == TOKEN_MARK ? text.data[token.begin] : '\0';
        uint32_t next = token.end;
        if (mark == '(' || mark == '{' || mark == '[') {
            uint32_t close = source_match(&text, token.begin);
            struct token first = source_token(&text, token.end);
            if (close == SOURCE_NOWHERE || token_is(&text, &first, "__label__"))
                return 0;
            if (mark == '{' && before == ')' && count++ < MADE_MOST)
                offsets[count - 1] = token.end;
            next = close + 1;
            mark = text.data[close];
        }
        before = mark;
        token = source_token(&text, next);
    }
    return count <= MADE_MOST ? count : 0;
}

/* How many bodies each definition of the name holds; 0 where they differ. */
static uint32_t bodies_of(const struct facts *facts, const char *name)
{
    uint32_t offsets[MADE_MOST], bodies = 0;
    bool any = false;
    for (uint32_t i = 0; i < facts->macro_count; i++) {
        if (strcmp(facts->macros[i].name, name) != 0)
            continue;
        uint32_t found = made_braces(&facts->macros[i], offsets);
        if (any && found != bodies)
            return 0;
        any = true;
        bodies = found;
    }
    return bodies;
}

/* By file: it is no other one's part. */
static bool *find_main_only(const struct facts *facts)
{
    bool *only = memory_alloc(facts->file_count + 1);
    memset(only, true, facts->file_count + 1);
    for (uint32_t i = 0; i < facts->unit_count; i++)
        for (uint32_t k = 0; k < facts->units[i].include_count; k++)
            if (facts->units[i].includes[k] != facts->units[i].file)
                only[facts->units[i].includes[k]] = false;
    return only;
}

static bool same_use(const struct fact_function *a, const struct fact_function *b)
{
    return a->file == b->file && a->body == b->body;
}

/* Functions stand in order of file and place: those of one use are neighbours. */
static bool use_is_whole(const struct facts *facts, uint32_t at, uint32_t bodies)
{
    const struct fact_function *all = facts->functions, *own = &all[at];
    uint32_t first = at, end = at, orders = 0;
    while (first > 0 && same_use(&all[first - 1], own))
        first--;
    while (end < facts->function_count && same_use(&all[end], own))
        end++;
    for (uint32_t i = first; i < end; i++) {
        if (!all[i].macro || strcmp(all[i].macro, own->macro) != 0 ||
            all[i].macro_order >= MADE_MOST)
            return false;
        orders |= 1u << all[i].macro_order;
    }
    return end - first == bodies && orders == (1u << bodies) - 1;
}

/* Does another use stand on a line of the same number? */
static bool line_is_shared(const struct facts *facts, uint32_t at)
{
    const struct fact_function *own = &facts->functions[at];
    for (uint32_t i = 0; i < facts->function_count; i++) {
        const struct fact_function *other = &facts->functions[i];
        if (other->file == own->file && other->macro && other->macro_line == own->macro_line &&
            !same_use(own, other))
            return true;
    }
    return false;
}

static void refuse(const struct facts *facts, bool *usable, const char *macro)
{
    for (uint32_t i = 0; i < facts->function_count; i++)
        if (facts->functions[i].macro && strcmp(facts->functions[i].macro, macro) == 0)
            usable[i] = false;
}

struct made made_find(struct arena *arena, const struct facts *facts)
{
    struct made made = {facts, ARENA_ARRAY(arena, bool, facts->function_count + 1)};
    bool *main_only = find_main_only(facts);
    for (uint32_t i = 0; i < facts->function_count; i++)
        made.usable[i] = facts->functions[i].macro != NULL;
    for (uint32_t i = 0; i < facts->function_count; i++) {
        const struct fact_function *function = &facts->functions[i];
        if (!made.usable[i])
            continue;
        uint32_t bodies = bodies_of(facts, function->macro);
        if (bodies == 0 || !main_only[function->file] || !use_is_whole(facts, i, bodies) ||
            line_is_shared(facts, i))
            refuse(facts, made.usable, function->macro);
    }
    memory_free(main_only);
    return made;
}

void made_numbers(const struct made *made, uint32_t file, const bool *chosen, struct str *text)
{
    const struct facts *facts = made->facts;
    bool any = false;
    for (uint32_t i = 0; i < facts->function_count; i++) {
        const struct fact_function *function = &facts->functions[i];
        if (!chosen[i] || !made->usable[i] || function->file != file)
            continue;
        if (!any)
            str_append(text, "#undef VPROF_MADE_1\n#define VPROF_MADE_1(l, k) (");
        any = true;
        str_printf(text, "(l) * %d + (k) == %u ? %uu : ", MADE_MOST,
                   function->macro_line * MADE_MOST + function->macro_order, i + 1);
    }
    if (any)
        str_append(text, "0u)\n");
}
