#include "rewriter/crowd.h"

#include <string.h>

#include "base/memory.h"
#include "rewriter/facts.h"
#include "trace/function_table.h"

/* clang 14 -O2, processor seconds for a function of one line that one other calls at so many
 * places, with its probe and without: 1,000: 0.9, 0.05; 2,000: 4.3, 0.04; 3,000: 17, 0.08. Marked:
 * 3,000: 0.13. GCC 12: 1,000: 0.08, 0.02; 3,000: 0.4, 0.08. */
enum { MOST_PLACES = 1000 };
/* Calls that are not inlined take such a time as well where each has a variable of its own: 65,536
 * clean-ups take clang 87 s, and 3 s where it inlines them; 10,000 of them some 2 s. */
enum { MOST_CALLS = 10000 };
/* A longer function is not inlined anyway; steps are those of pace.c. */
enum { MOST_STEPS = 30 };

#define NAMED (UINT64_C(1) << 32) /* behind the numbers of functions */

void crowd_add(struct crowd *crowd, uint32_t function, const char *name)
{
    uint64_t key = name ? NAMED | intern_add(&crowd->names, name) : function;
    uint64_t *known = hash_map_put(&crowd->known, key);
    if (!*known) {
        VEC_PUSH(crowd->members, crowd->count, crowd->capacity) =
            (struct crowd_member){function, name, 0};
        *known = crowd->count;
    }
    crowd->members[*known - 1].places++;
    crowd->places++;
}

bool crowd_is_large(const struct crowd *crowd)
{
    return crowd->places > MOST_PLACES;
}

static void find_named(struct crowd_member *member, const struct facts *facts)
{
    for (uint32_t i = 0; i < facts->function_count && member->function == FUNCTION_NONE; i++)
        if (strcmp(facts->functions[i].name, member->name) == 0)
            member->function = i;
}

/* A function without a body in the compilation is not inlined. */
static void keep_bodies(struct crowd *crowd, const struct facts *facts)
{
    for (size_t i = 0; i < crowd->count; i++) {
        struct crowd_member *member = &crowd->members[i];
        if (member->function == FUNCTION_NONE)
            find_named(member, facts);
        if (member->function != FUNCTION_NONE &&
            facts->functions[member->function].file != FACT_NO_FILE)
            continue;
        crowd->places -= member->places;
        member->places = 0;
    }
}

/* A small function would be inlined, but for its probe. */
static bool is_small(const struct fact_function *function)
{
    return !function->obstacle && !function->unbounded &&
           1 + fact_statements(function) + function->call_count <= MOST_STEPS;
}

static void mark(struct fact_function *function, uint32_t places)
{
    function->crowded = true;
    if (places > MOST_CALLS && is_small(function))
        function->obstacle = OBSTACLE_CROWDED;
}

void crowd_mark(struct crowd *crowd, struct facts *facts)
{
    keep_bodies(crowd, facts);
    while (crowd_is_large(crowd)) {
        struct crowd_member *most = crowd->members;
        for (size_t i = 1; i < crowd->count; i++)
            if (crowd->members[i].places > most->places)
                most = &crowd->members[i];
        mark(&facts->functions[most->function], most->places);
        crowd->places -= most->places;
        most->places = 0;
    }
}

void crowd_release(struct crowd *crowd)
{
    memory_free(crowd->members);
    hash_map_release(&crowd->known);
    intern_release(&crowd->names);
    *crowd = (struct crowd){0};
}
