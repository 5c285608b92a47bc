#include "driver/init/interval_guess.h"

#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/memory.h"
#include "driver/workbench/source_parser.h"
#include "rewriter/compiler_defaults.h"
#include "rewriter/flow_parse.h"

/* ---- what is looked at ---- */

/* A folder or a file is called so: tests/, test_pool.c, examples/. */
static bool is_aside(const char *below)
{
    static const char *const words[] = {"test", "example", "demo", "bench", "fuzz"};
    for (const char *part = below; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (strncasecmp(part, words[i], strlen(words[i])) == 0)
                return true;
    return false;
}

static void leave_aside(struct compile_db *kept, const struct compile_db *db, const char *tree)
{
    *kept = *db;
    kept->commands = memory_alloc((db->count + 1) * sizeof *db->commands);
    kept->count = 0;
    for (uint32_t i = 0; i < db->count; i++) {
        const char *below = path_below(db->commands[i].file, tree);
        if (below && !is_aside(below))
            kept->commands[kept->count++] = db->commands[i];
    }
    for (uint32_t i = 0; i < db->count && kept->count == 0; i++)
        kept->commands[i] = db->commands[i];
    kept->count = kept->count ? kept->count : db->count;
}

bool interval_guess_find(struct interval_guess *guess, const char *tree, struct compile_db *db,
                         unsigned jobs, struct error *error)
{
    struct compile_db looked_at;
    leave_aside(&looked_at, db, tree);
    compiler_defaults_find(&looked_at);
    db->arena = looked_at.arena;
    struct facts_source source = {
        .parser = source_parser_load(error), .tree = tree, .db = &looked_at, .jobs = jobs};
    bool ok = source.parser && flow_parse(&guess->flow, &source, error);
    memory_free(looked_at.commands);
    if (!ok)
        return false;
    for (uint32_t i = 0; i < guess->flow.function_count && !guess->annotated; i++)
        if (guess->flow.functions[i].marks)
            guess->annotated = guess->flow.functions[i].name;
    flow_graph_build(&guess->graph, &guess->flow);
    request_paths_find(&guess->paths, &guess->graph);
    return true;
}

/* ---- as a declaration ---- */

static void append_json_text(struct str *text, const char *value)
{
    str_append_char(text, '"');
    for (; *value; value++) {
        if (*value == '"' || *value == '\\')
            str_append_char(text, '\\');
        str_append_char(text, *value);
    }
    str_append_char(text, '"');
}

/* The file is named where the name alone would not tell. */
static void append_function(const struct flow *flow, uint32_t function, struct str *text)
{
    const struct flow_function *own = &flow->functions[function];
    bool unique = true;
    for (uint32_t i = 0; i < flow->function_count && unique; i++)
        unique = i == function || !flow->functions[i].body ||
                 !str_ends_with(flow->functions[i].name, own->name);
    struct str name = {0};
    str_printf(&name, "%s%s%s", unique ? "" : own->file, unique ? "" : ":", own->name);
    append_json_text(text, str_text(&name));
    str_release(&name);
}

static void append_mark(const struct flow *flow, const struct request_mark *mark, const char *at,
                        struct str *text)
{
    str_append(text, "{ \"function\": ");
    append_function(flow, mark->function, text);
    if (mark->line)
        str_printf(text, ", \"at\": { \"line\": %u }", mark->line);
    else
        str_printf(text, ", \"at\": \"%s\"", at);
    str_append(text, ", \"id\": ");
    append_json_text(text, mark->id);
    str_append(text, " }");
}

static void append_tasks(const struct flow *flow, const struct request_path *path, struct str *text)
{
    if (path->push == FLOW_NONE || path->pop == FLOW_NONE)
        return;
    uint32_t hidden = flow->functions[path->push].method;
    if (path->push_argument < hidden)
        return;
    str_append(text, ",\n  \"synchronization\": [\n    { \"function\": ");
    append_function(flow, path->push, text);
    str_printf(text, ", \"role\": \"enqueue\", \"task\": %u },\n    { \"function\": ",
               path->push_argument - hidden);
    append_function(flow, path->pop, text);
    str_append(text, ", \"role\": \"dequeue\", \"task\": \"return\" }\n  ]");
}

void interval_guess_write(const struct interval_guess *guess, uint32_t index, struct str *text)
{
    const struct flow *flow = &guess->flow;
    const struct request_path *path = &guess->paths.items[index];
    struct str what = {0};
    interval_guess_describe(guess, index, &what);
    str_append(text, "{\n  \"comment\": ");
    str_append(&what, ", as vprofiler init guessed. Form: docs/config.md");
    append_json_text(text, str_text(&what));
    str_append(text, ",\n  \"intervals\": [\n    {\n      \"begin\": ");
    append_mark(flow, &path->begin, "entry", text);
    if (path->enter_count)
        str_append(text, ",\n      \"enter\": [ ");
    for (uint32_t i = 0; i < path->enter_count; i++) {
        str_append(text, i ? ",\n                 " : "");
        append_mark(flow, &path->enters[i], "entry", text);
    }
    str_append(text, path->enter_count ? " ],\n      \"end\": " : ",\n      \"end\":   ");
    str_append(text, path->end_count ? "[ " : "");
    append_mark(flow, &path->end, "exit", text);
    for (uint32_t i = 0; i < path->end_count; i++) {
        str_append(text, ",\n                 ");
        append_mark(flow, &path->ends[i], "exit", text);
    }
    str_append(text, path->end_count ? " ]" : "");
    str_append(text, "\n    }\n  ]");
    append_tasks(flow, path, text);
    str_append(text, "\n}\n");
    str_release(&what);
}

/* ---- for people ---- */

static void describe_mark(const struct flow *flow, const struct request_mark *mark, const char *at,
                          struct str *text)
{
    const struct flow_function *function = &flow->functions[mark->function];
    if (mark->line)
        str_printf(text, "line %u of %s (%s)", mark->line, function->name, function->file);
    else
        str_printf(text, "%s of %s (%s:%u)", at, function->name, function->file, function->line);
}

void interval_guess_describe(const struct interval_guess *guess, uint32_t index, struct str *text)
{
    const struct flow *flow = &guess->flow;
    const struct request_path *path = &guess->paths.items[index];
    const struct flow_function *function = &flow->functions[path->function];
    if (path->shape == REQUEST_TURN) {
        str_printf(text, "lines %u to %u of %s (%s)%s", path->begin.line, path->end.line,
                   function->name, function->file,
                   path->loop != FLOW_NONE ? ", each time round" : "");
    } else if (path->begin.function == path->end.function && !path->begin.line) {
        str_printf(text, "one call of %s (%s:%u)", function->name, function->file, function->line);
    } else {
        str_append(text, "from ");
        describe_mark(flow, &path->begin, "the call", text);
        str_append(text, " to ");
        describe_mark(flow, &path->end, "the return", text);
    }
}

void interval_guess_release(struct interval_guess *guess)
{
    request_paths_release(&guess->paths);
    if (guess->graph.flow)
        flow_graph_release(&guess->graph);
    flow_release(&guess->flow);
}
