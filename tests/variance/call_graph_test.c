/* Heights, worked out by hand. */
#include <stdio.h>

#include "base/memory.h"
#include "run_builder.h"
#include "variance/call_graph.h"

static int failures;

static void expect(const struct run_builder *b, const char *name, uint32_t *heights, uint32_t f,
                   uint32_t height)
{
    if (heights[f] == height)
        return;
    printf("%s: height of %s is %u, expected %u\n", name, b->table.functions[f].name, heights[f],
           height);
    failures++;
}

/*   main -> serve -> parse -> memcpy        main 3, serve 2, parse 1; log and memcpy 0
 *     '---> log                             lonely 0, until it is seen to call main: 4 */
static void chain(void)
{
    struct run_builder b;
    struct arena arena = {0};
    run_builder_init(&b);
    uint32_t main_ = run_builder_function(&b, "main", true);
    uint32_t serve = run_builder_function(&b, "serve", true);
    uint32_t parse = run_builder_function(&b, "parse", true);
    uint32_t log = run_builder_function(&b, "log", true);
    uint32_t copy = run_builder_function(&b, "memcpy", false);
    uint32_t lonely = run_builder_function(&b, "lonely", true);
    run_builder_call(&b, main_, log);
    run_builder_call(&b, main_, serve);
    run_builder_call(&b, serve, parse);
    run_builder_call(&b, parse, copy);
    uint32_t *heights = call_graph_heights(&arena, &b.table, NULL, 0);
    expect(&b, "chain", heights, main_, 3);
    expect(&b, "chain", heights, serve, 2);
    expect(&b, "chain", heights, parse, 1);
    expect(&b, "chain", heights, log, 0);
    expect(&b, "chain", heights, copy, 0);
    expect(&b, "chain", heights, lonely, 0);
    struct seen_call seen = {lonely, main_};
    heights = call_graph_heights(&arena, &b.table, &seen, 1);
    expect(&b, "seen", heights, lonely, 4);
    arena_release(&arena);
    run_builder_release(&b);
}

/*   a -> b -> c -> a,  b -> leaf,  top -> c,  self -> self
 *   a, b, c are one: 1; top 2; self, which calls nothing else: 0 */
static void circle(void)
{
    struct run_builder b;
    struct arena arena = {0};
    run_builder_init(&b);
    uint32_t top = run_builder_function(&b, "top", true);
    uint32_t first = run_builder_function(&b, "a", true);
    uint32_t second = run_builder_function(&b, "b", true);
    uint32_t third = run_builder_function(&b, "c", true);
    uint32_t leaf = run_builder_function(&b, "leaf", false);
    uint32_t self = run_builder_function(&b, "self", true);
    run_builder_call(&b, top, third);
    run_builder_call(&b, first, second);
    run_builder_call(&b, second, third);
    run_builder_call(&b, second, leaf);
    run_builder_call(&b, third, first);
    run_builder_call(&b, self, self);
    uint32_t *heights = call_graph_heights(&arena, &b.table, NULL, 0);
    expect(&b, "circle", heights, first, 1);
    expect(&b, "circle", heights, second, 1);
    expect(&b, "circle", heights, third, 1);
    expect(&b, "circle", heights, top, 2);
    expect(&b, "circle", heights, leaf, 0);
    expect(&b, "circle", heights, self, 0);
    arena_release(&arena);
    run_builder_release(&b);
}

/* A chain that would overflow the stack of a recursive search. */
static void deep(void)
{
    enum { DEPTH = 1000000 };
    struct run_builder b;
    struct arena arena = {0};
    run_builder_init(&b);
    for (uint32_t f = 0; f < DEPTH; f++)
        run_builder_function(&b, "f", true);
    for (uint32_t f = 0; f + 1 < DEPTH; f++)
        run_builder_call(&b, f, f + 1);
    uint32_t *heights = call_graph_heights(&arena, &b.table, NULL, 0);
    expect(&b, "deep", heights, 0, DEPTH - 1);
    arena_release(&arena);
    run_builder_release(&b);
}

int main(void)
{
    chain();
    circle();
    deep();
    printf("%d failed\n", failures);
    return failures != 0;
}
