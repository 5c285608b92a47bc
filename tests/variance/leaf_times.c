#include "leaf_times.h"

#include <string.h>

static uint32_t depth_of(const char *path)
{
    uint32_t depth = path[0] ? 1 : 0;
    for (; *path; path++)
        depth += *path == '/';
    return depth;
}

static uint32_t probe_of(struct run_builder *b, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    uint32_t f = function_table_find_symbol(&b->table, name);
    for (uint32_t p = 1; p < b->table.probe_count; p++)
        if (b->table.probes[p].function == f)
            return p;
    return run_builder_probe(b, b->table.functions[f].body ? PROBE_FUNCTION : PROBE_CALL, f,
                             FUNCTION_NONE);
}

void leaf_times_build(struct run_builder *b, const struct leaf *leaves, uint32_t leaf_count,
                      uint32_t interval_count)
{
    uint32_t thread = run_builder_thread(b, 1);
    time_ns now = 0;
    for (uint32_t i = 0; i < interval_count; i++) {
        time_ns begin = now;
        uint32_t open = 0;
        for (uint32_t l = 0; l < leaf_count; l++) {
            uint32_t depth = depth_of(leaves[l].path);
            for (; open && open >= depth; open--)
                run_builder_leave(b, thread, now);
            if (depth) {
                run_builder_enter(b, thread, now, probe_of(b, leaves[l].path), 0);
                open++;
            }
            now += leaves[l].ns[i];
        }
        for (; open; open--)
            run_builder_leave(b, thread, now);
        run_builder_label(b, thread, begin, run_builder_interval(b, thread, begin, thread, now));
        run_builder_label(b, thread, now, INTERVAL_NONE);
        now += 1000;
    }
}
