#include "rewriter/clang/flow_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/flow_value.h"
#include "rewriter/clang/parse.h"

/* ---- where it stands ---- */

static uint64_t resolve_file(struct flow_reader *reader, CXFile file)
{
    CXString name = clang_getFileName(file);
    struct str path = {0};
    path_join(&path, reader->directory, clang_getCString(name) ? clang_getCString(name) : "");
    clang_disposeString(name);
    char *real = realpath(path.data, NULL);
    const char *below = real ? path_below(real, reader->source->tree) : NULL;
    uint64_t result = below ? intern_add(&reader->paths, below) + 2 : 1;
    free(real);
    str_release(&path);
    return result;
}

/* NULL: outside of the tree. */
static const char *file_of(struct flow_reader *reader, CXCursor cursor, uint32_t *line)
{
    CXFile file;
    clang_getExpansionLocation(clang_getCursorLocation(cursor), &file, line, NULL, NULL);
    if (!file)
        return NULL;
    uint64_t *known = hash_map_put(&reader->file_of, (uint64_t)(uintptr_t)file);
    if (*known == 0)
        *known = resolve_file(reader, file);
    return *known == 1 ? NULL : reader->paths.text[*known - 2];
}

static uint32_t last_line_of(CXCursor cursor)
{
    unsigned line;
    clang_getExpansionLocation(clang_getRangeEnd(clang_getCursorExtent(cursor)), NULL, &line, NULL,
                               NULL);
    return line;
}

/* ---- statements ---- */

static void read_block(struct flow_reader *reader, CXCursor cursor)
{
    struct flow *flow = reader->flow;
    struct flow_children children = flow_children_of(cursor);
    bool leaves = false;
    uint32_t statement = reader->statement, around = reader->block, id = flow->block_count;
    struct flow_block fresh = {.function = reader->function,
                               .parent = around,
                               .loop = reader->loop,
                               .line = flow_line_of(cursor),
                               .end_line = last_line_of(cursor),
                               .first_call = flow->call_count};
    VEC_PUSH(flow->blocks, flow->block_count, flow->block_capacity) = fresh;
    reader->block = id;
    struct flow_block_arms arms = flow_arms_begin(reader);
    for (uint32_t i = 0; i < children.count; i++) {
        struct flow_step step = {.line = flow_line_of(children.items[i]),
                                 .first_call = flow->call_count};
        reader->statement = step.line;
        reader->leaves = false;
        reader->placed = true;
        flow_arms_before(reader, &arms, children.items[i]);
        flow_read_statement(reader, children.items[i]);
        flow_arms_after(reader, &arms);
        step.call_end = flow->call_count;
        step.leaves = reader->leaves;
        leaves |= reader->leaves;
        struct flow_block *own = &flow->blocks[id];
        VEC_PUSH(own->steps, own->step_count, own->step_capacity) = step;
    }
    flow_arms_end(reader, &arms);
    flow->blocks[id].call_end = flow->call_count;
    reader->leaves = leaves;
    reader->statement = statement;
    reader->block = around;
    memory_free(children.items);
}

static void read_loop(struct flow_reader *reader, CXCursor cursor)
{
    struct flow *flow = reader->flow;
    struct flow_children children = flow_children_of(cursor);
    uint32_t id = flow->loop_count, around = reader->loop;
    struct flow_loop fresh = {.function = reader->function,
                              .parent = around,
                              .line = flow_line_of(cursor),
                              .first_call = flow->call_count};
    VEC_PUSH(flow->loops, flow->loop_count, flow->loop_capacity) = fresh;
    bool switches = reader->switches, once = reader->once;
    reader->loop = id;
    reader->switches = reader->once = false;
    for (uint32_t i = 0; i < children.count; i++)
        flow_read_statement(reader, children.items[i]);
    reader->loop = around;
    reader->switches = switches;
    reader->once = once;
    reader->ends = false;
    reader->rest = FLOW_NONE;
    flow->loops[id].call_end = flow->call_count;
    memory_free(children.items);
}

/* for (auto &job : jobs): the variable stands before what it comes from. */
static void read_range_loop(struct flow_reader *reader, CXCursor cursor)
{
    struct flow_children children = flow_children_of(cursor);
    struct flow_values variable = {0};
    for (uint32_t i = 0; i < children.count; i++)
        if (clang_getCursorKind(children.items[i]) == CXCursor_VarDecl)
            flow_values_add(&variable, flow_variable(reader, children.items[i]), true);
        else if (clang_isExpression(clang_getCursorKind(children.items[i]))) {
            struct flow_values range = flow_value_of(reader, children.items[i]);
            flow_values_assign(reader, &variable, &range, flow_line_of(cursor));
        }
    memory_free(children.items);
    read_loop(reader, cursor);
}

void flow_read_variable(struct flow_reader *reader, CXCursor declaration)
{
    struct flow_values variable = {0};
    flow_values_add(&variable, flow_variable(reader, declaration), true);
    struct flow_children children = flow_children_of(declaration);
    for (uint32_t i = 0; i < children.count; i++)
        if (clang_isExpression(clang_getCursorKind(children.items[i]))) {
            struct flow_values value = flow_value_of(reader, children.items[i]);
            flow_values_assign(reader, &variable, &value, flow_line_of(declaration));
            flow_values_alias(reader, &variable, &value, children.items[i]);
        }
    memory_free(children.items);
}

static void read_return(struct flow_reader *reader, CXCursor cursor)
{
    CXCursor value = cursor_first(cursor);
    if (clang_Cursor_isNull(value))
        return;
    struct flow_values values = flow_value_of(reader, value), result = {0};
    if (reader->function == FLOW_NONE)
        return;
    flow_values_add(&result, reader->flow->functions[reader->function].result, true);
    flow_values_assign(reader, &result, &values, flow_line_of(cursor));
}

/* Macros are wrapped in do { } while (0). */
static bool runs_once(CXCursor loop)
{
    CXCursor condition = cursor_last(loop);
    CXEvalResult result = clang_isExpression(clang_getCursorKind(condition))
                              ? clang_Cursor_Evaluate(condition)
                              : NULL;
    bool never = result && clang_EvalResult_getKind(result) == CXEval_Int &&
                 clang_EvalResult_getAsLongLong(result) == 0;
    if (result)
        clang_EvalResult_dispose(result);
    return never;
}

static void note_leave(struct flow_reader *reader, CXCursor cursor, enum flow_way way, bool placed)
{
    struct flow *flow = reader->flow;
    reader->leaves = reader->ends = true;
    if (reader->function == FLOW_NONE)
        return;
    CXCursor label =
        way == FLOW_GOTO ? clang_getCursorReferenced(cursor_first(cursor)) : clang_getNullCursor();
    VEC_PUSH(flow->leaves, flow->leave_count, flow->leave_capacity) =
        (struct flow_leave){.way = way,
                            .function = reader->function,
                            .loop = reader->loop,
                            .line = flow_line_of(cursor),
                            .target = clang_Cursor_isNull(label) ? 0 : flow_line_of(label),
                            .placed = placed};
}

static void read_parts(struct flow_reader *reader, CXCursor cursor, bool placed)
{
    struct flow_children children = flow_children_of(cursor);
    for (uint32_t i = 0; i < children.count; i++) {
        reader->placed = placed && i + 1 == children.count;
        flow_read_statement(reader, children.items[i]);
    }
    memory_free(children.items);
}

/* do { if (x) break; } while (0): it is left, and no loop around it. */
static void read_once(struct flow_reader *reader, CXCursor cursor)
{
    bool switches = reader->switches, once = reader->once;
    reader->switches = reader->once = true;
    read_parts(reader, cursor, false);
    reader->switches = switches;
    reader->once = once;
}

static void read_switch(struct flow_reader *reader, CXCursor cursor)
{
    bool switches = reader->switches;
    reader->switches = true;
    reader->cases = reader->flow->choice_count++;
    read_parts(reader, cursor, false);
    reader->switches = switches;
    reader->cases = reader->rest = FLOW_NONE;
    reader->ends = false;
}

void flow_read_statement(struct flow_reader *reader, CXCursor cursor)
{
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    bool placed = reader->placed, labelled = false;
    reader->placed = reader->ends = false;
    reader->rest = FLOW_NONE;
    switch (kind) {
    case CXCursor_CompoundStmt:
        read_block(reader, cursor);
        return;
    case CXCursor_DoStmt:
        if (runs_once(cursor))
            read_once(reader, cursor);
        else
            read_loop(reader, cursor);
        return;
    case CXCursor_WhileStmt:
    case CXCursor_ForStmt:
        read_loop(reader, cursor);
        return;
    case CXCursor_CXXForRangeStmt:
        read_range_loop(reader, cursor);
        return;
    case CXCursor_ReturnStmt:
        read_return(reader, cursor);
        note_leave(reader, cursor, FLOW_LEAVES, placed);
        return;
    case CXCursor_BreakStmt:
        if (!reader->switches)
            note_leave(reader, cursor, FLOW_BREAK, placed);
        reader->ends = true;
        return;
    case CXCursor_IfStmt:
        flow_read_if(reader, cursor);
        return;
    case CXCursor_ContinueStmt:
        if (!reader->once)
            note_leave(reader, cursor, FLOW_CONTINUE, placed);
        reader->ends = true;
        return;
    case CXCursor_GotoStmt:
        note_leave(reader, cursor, FLOW_GOTO, placed);
        return;
    case CXCursor_SwitchStmt:
        read_switch(reader, cursor);
        return;
    case CXCursor_CaseStmt:
    case CXCursor_DefaultStmt:
    case CXCursor_LabelStmt:
        labelled = true;
        break;
    case CXCursor_VarDecl:
        flow_read_variable(reader, cursor);
        return;
    default:
        break;
    }
    if (clang_isExpression(kind)) {
        flow_value_of(reader, cursor);
        return;
    }
    if (clang_isDeclaration(kind))
        return;
    read_parts(reader, cursor, placed && labelled);
}

/* ---- functions ---- */

static CXCursor block_of(CXCursor function)
{
    CXCursor block = clang_getNullCursor();
    struct flow_children children = flow_children_of(function);
    for (uint32_t i = 0; i < children.count; i++)
        if (clang_isStatement(clang_getCursorKind(children.items[i])))
            block = children.items[i];
    memory_free(children.items);
    return block;
}

static void note_overridden(struct flow_reader *reader, CXCursor cursor, uint32_t node)
{
    CXCursor *overridden;
    unsigned count;
    clang_getOverriddenCursors(cursor, &overridden, &count);
    for (unsigned i = 0; i < count; i++) {
        uint32_t base = flow_function_of(reader, overridden[i]);
        flow_add_edge(reader->flow, &(struct flow_edge){node, reader->flow->functions[base].node, 0,
                                                        FLOW_NONE, true, false});
    }
    clang_disposeOverriddenCursors(overridden);
}

static void note_parameters(struct flow_reader *reader, CXCursor cursor, uint32_t id)
{
    struct flow *flow = reader->flow;
    struct flow_children children = flow_children_of(cursor);
    uint32_t *nodes = ARENA_ARRAY(&flow->arena, uint32_t, children.count + 1), count = 0;
    if (flow->functions[id].method) {
        char *key =
            arena_printf(&flow->arena, "%s this", flow->keys.text[flow->functions[id].node]);
        nodes[count] = flow_add_node(flow, key, FLOW_PARAMETER);
        flow->nodes[nodes[count]].name = "this";
        CXType class = clang_getCursorType(clang_getCursorSemanticParent(cursor));
        const char *type;
        cursor_take_text(clang_getTypeSpelling(clang_getCanonicalType(class)), &flow->arena, &type);
        flow->nodes[nodes[count]].type = arena_printf(&flow->arena, "%s *", type);
        flow->nodes[nodes[count]].scalar = true;
        reader->object = nodes[count++];
    }
    for (uint32_t i = 0; i < children.count; i++)
        if (clang_getCursorKind(children.items[i]) == CXCursor_ParmDecl)
            nodes[count++] = flow_variable(reader, children.items[i]);
    for (uint32_t i = 0; i < count; i++) {
        flow->nodes[nodes[i]].function = id;
        flow->nodes[nodes[i]].number = i;
    }
    flow->functions[id].parameters = nodes;
    flow->functions[id].parameter_count = count;
    memory_free(children.items);
}

static void read_initialisers(struct flow_reader *reader, CXCursor cursor)
{
    struct flow_children children = flow_children_of(cursor);
    struct flow_values member = {0};
    for (uint32_t i = 0; i < children.count; i++) {
        enum CXCursorKind kind = clang_getCursorKind(children.items[i]);
        if (kind == CXCursor_MemberRef) {
            member.count = 0;
            flow_values_add(
                &member, flow_variable(reader, clang_getCursorReferenced(children.items[i])), true);
        } else if (clang_isExpression(kind)) {
            struct flow_values value = flow_value_of(reader, children.items[i]);
            flow_values_assign(reader, &member, &value, flow_line_of(children.items[i]));
        }
    }
    memory_free(children.items);
}

void flow_read_function(struct flow_reader *reader, CXCursor cursor)
{
    uint32_t line, id = flow_function_of(reader, cursor);
    const char *file = file_of(reader, cursor, &line);
    CXCursor block = block_of(cursor);
    note_overridden(reader, cursor, reader->flow->functions[id].node);
    if (!file || clang_Cursor_isNull(block))
        return;
    if (reader->flow->functions[id].body && strcmp(reader->flow->functions[id].file, file) != 0)
        id = flow_function_again(reader, id, file);
    if (reader->flow->functions[id].body)
        return;
    struct flow_reader around = *reader;
    struct flow_function *function = &reader->flow->functions[id];
    function->body = true;
    function->file = arena_strdup(&reader->flow->arena, file);
    function->line = line;
    function->end_line = last_line_of(block);
    function->variadic = clang_Cursor_isVariadic(cursor);
    function->first_call = reader->flow->call_count;
    if (!function->lambda)
        reader->object = FLOW_NONE;
    note_parameters(reader, cursor, id);
    reader->function = id;
    reader->loop = reader->block = reader->arm = FLOW_NONE;
    reader->cases = reader->rest = FLOW_NONE;
    reader->statement = 0;
    reader->placed = reader->switches = reader->once = false;
    if (clang_getCursorKind(cursor) == CXCursor_Constructor)
        read_initialisers(reader, cursor);
    flow_read_statement(reader, block);
    reader->flow->functions[id].call_end = reader->flow->call_count;
    reader->function = around.function;
    reader->object = around.object;
    reader->loop = around.loop;
    reader->block = around.block;
    reader->arm = around.arm;
    reader->cases = around.cases;
    reader->statement = around.statement;
    reader->switches = around.switches;
    reader->once = around.once;
}

static enum CXChildVisitResult visit_declaration(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    struct flow_reader *reader = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    uint32_t line;
    if (clang_isPreprocessing(kind) || !file_of(reader, cursor, &line))
        return CXChildVisit_Continue;
    if (kind_is_function(kind))
        flow_read_function(reader, cursor);
    else if (kind == CXCursor_VarDecl || kind == CXCursor_FieldDecl)
        flow_read_variable(reader, cursor);
    else if (kind_is_scope(kind) || kind == CXCursor_LinkageSpec ||
             kind == CXCursor_UnexposedDecl || kind == CXCursor_FriendDecl)
        return CXChildVisit_Recurse;
    return CXChildVisit_Continue;
}

static bool has_errors(CXTranslationUnit unit)
{
    bool found = false;
    for (unsigned i = 0; i < clang_getNumDiagnostics(unit) && !found; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        found = clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error;
        clang_disposeDiagnostic(diagnostic);
    }
    return found;
}

struct flow_unit {
    CXIndex index;
    CXTranslationUnit clang;
    const struct facts_source *source;
    const struct compile_command *command;
};

struct flow_unit *flow_unit_parse(const struct facts_source *source,
                                  const struct compile_command *command)
{
    struct flow_unit *unit = memory_zeroed(sizeof *unit);
    *unit = (struct flow_unit){clang_createIndex(0, 0), NULL, source, command};
    unit->clang = parse_source(unit->index, source, command, PARSE_FOR_FACTS);
    if (unit->clang)
        return unit;
    clang_disposeIndex(unit->index);
    memory_free(unit);
    return NULL;
}

void flow_unit_add(struct flow *flow, struct flow_unit *unit)
{
    struct flow_reader reader = {.flow = flow,
                                 .source = unit->source,
                                 .clang = unit->clang,
                                 .directory = unit->command->directory,
                                 .function = FLOW_NONE,
                                 .object = FLOW_NONE,
                                 .loop = FLOW_NONE,
                                 .block = FLOW_NONE,
                                 .arm = FLOW_NONE,
                                 .cases = FLOW_NONE,
                                 .rest = FLOW_NONE};
    clang_visitChildren(clang_getTranslationUnitCursor(unit->clang), visit_declaration, &reader);
    flow->unit_count++;
    flow->failed_count += has_errors(unit->clang);
    hash_map_release(&reader.file_of);
    hash_map_release(&reader.own);
    intern_release(&reader.paths);
    clang_disposeTranslationUnit(unit->clang);
    clang_disposeIndex(unit->index);
    memory_free(unit);
}
