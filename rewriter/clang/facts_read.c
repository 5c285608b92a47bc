#include "rewriter/clang/facts_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "rewriter/clang/cursor.h"
#include "rewriter/clang/declaration.h"
#include "rewriter/clang/found.h"
#include "rewriter/clang/inputs.h"
#include "rewriter/clang/macros.h"
#include "rewriter/clang/parse.h"
#include "rewriter/clang/sync_use.h"
#include "rewriter/clang/visit.h"
#include "rewriter/openmp.h"
#include "trace/function_table.h"

/* Outside of functions there are initialisers, of variables and of members. */
static enum CXChildVisitResult visit_initialiser(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    struct unit *unit = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_DeclRefExpr || kind == CXCursor_CallExpr)
        sync_use_note(unit, FUNCTION_NONE, clang_getCursorReferenced(cursor));
    if (kind == CXCursor_DeclRefExpr)
        found_address(unit, clang_getCursorReferenced(cursor));
    if (kind != CXCursor_LambdaExpr)
        return CXChildVisit_Recurse;
    uint32_t lambda = visit_lambda(unit, cursor);
    if (lambda != FUNCTION_NONE)
        unit->facts->functions[lambda].referenced = true;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_declaration(CXCursor cursor, CXCursor parent,
                                                 CXClientData data)
{
    (void)parent;
    struct unit *unit = data;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_MacroDefinition)
        macros_note_definition(unit, cursor);
    else if (kind == CXCursor_MacroExpansion)
        macros_note_expansion(unit, cursor);
    if (clang_isPreprocessing(kind) || !unit_holds(unit, cursor))
        return CXChildVisit_Continue;
    if (kind_is_function(kind))
        visit_function(unit, cursor);
    else if (kind == CXCursor_VarDecl || kind == CXCursor_FieldDecl) {
        unit->constant = unit->cplusplus && declaration_is_constexpr(unit, cursor);
        clang_visitChildren(cursor, visit_initialiser, unit);
        unit->constant = false;
    } else if (kind_is_scope(kind) || kind == CXCursor_LinkageSpec ||
               kind == CXCursor_UnexposedDecl || kind == CXCursor_FriendDecl)
        return CXChildVisit_Recurse;
    return CXChildVisit_Continue;
}

static void note_failure(struct facts *facts, const char *file, uint32_t line, const char *reason)
{
    facts->failures = ARENA_NEW(&facts->arena, struct fact_failure);
    facts->failures[0] = (struct fact_failure){arena_strdup(&facts->arena, file), line,
                                               arena_strdup(&facts->arena, reason)};
    facts->failure_count = 1;
}

/* The first error stands for all of them. */
static void note_errors(struct unit *unit)
{
    unsigned count = clang_getNumDiagnostics(unit->clang);
    for (unsigned i = 0; i < count && !unit->facts->failure_count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit->clang, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            struct position position = position_of(unit, clang_getDiagnosticLocation(diagnostic));
            CXString text = clang_getDiagnosticSpelling(diagnostic);
            const char *file =
                position.file ? unit->paths.text[position.file->fact] : unit->command->file;
            note_failure(unit->facts, file, position.line, clang_getCString(text));
            clang_disposeString(text);
        }
        clang_disposeDiagnostic(diagnostic);
    }
}

void facts_parser_words(struct str *words)
{
    CXString version = clang_getClangVersion();
    str_append(words, clang_getCString(version));
    clang_disposeString(version);
    static const char *const NAMES[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
                                        "CCC_OVERRIDE_OPTIONS"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        str_printf(words, "\n%s", getenv(NAMES[i]) ? getenv(NAMES[i]) : "");
}

static sync_set team_set(const struct unit *unit)
{
    unsigned uses = 0;
    for (size_t i = 0; i < unit->file_count; i++)
        uses |= openmp_uses(&unit->files[i]->text, 0, unit->files[i]->text.size_bytes);
    return (uses & OPENMP_TEAM ? SYNC_TEAM : 0) | (uses & OPENMP_HIDDEN ? SYNC_TEAM_HIDDEN : 0);
}

static void finish_unit(struct unit *unit)
{
    struct facts *facts = unit->facts;
    facts->files = ARENA_ARRAY(&facts->arena, struct fact_file, unit->file_count + 1);
    facts->file_count = (uint32_t)unit->file_count;
    struct fact_unit *own = facts->units = ARENA_NEW(&facts->arena, struct fact_unit);
    facts->unit_count = 1;
    own->includes = ARENA_ARRAY(&facts->arena, uint32_t, unit->file_count + 1);
    for (uint32_t i = 0; i < unit->file_count; i++) {
        const struct source_text *text = &unit->files[i]->text;
        facts->files[i].path = arena_strdup(&facts->arena, unit->paths.text[i]);
        facts->files[i].hash = hash_bytes(text->data, text->size_bytes);
        own->includes[own->include_count++] = i;
    }
    own->file = 0;
    own->sync = sync_use_of_unit(unit) | (unit->openmp ? team_set(unit) : 0);
    macros_keep_makers(unit);
    facts->macros = ARENA_ARRAY(&facts->arena, struct fact_macro, unit->macro_count + 1);
    facts->macro_count = (uint32_t)unit->macro_count;
    if (unit->macro_count)
        memcpy(facts->macros, unit->macros, unit->macro_count * sizeof *unit->macros);
    struct fact_function *functions =
        ARENA_ARRAY(&facts->arena, struct fact_function, facts->function_count + 1);
    if (facts->function_count)
        memcpy(functions, facts->functions, facts->function_count * sizeof *functions);
    memory_free(facts->functions);
    facts->functions = functions;
}

static void read_unit(struct unit *unit)
{
    CXFile file = clang_getFile(unit->clang, unit->command->file);
    unit_file(unit, file); /* the main file is files[0] */
    CXCursor top = clang_getTranslationUnitCursor(unit->clang);
    clang_visitChildren(top, visit_declaration, unit);
    for (size_t i = 0; i < unit->crowd_count; i++)
        crowd_mark(&unit->crowds[i], unit->facts);
    note_errors(unit);
    inputs_note(unit);
    finish_unit(unit);
}

void facts_read(struct facts *facts, const struct facts_source *source,
                const struct compile_command *command)
{
    CXIndex index = clang_createIndex(0, 0);
    struct unit unit = {.source = source, .command = command, .facts = facts};
    for (uint32_t i = 0; i < command->argument_count; i++)
        unit.openmp |= openmp_is_flag(command->arguments[i]);
    unit.clang = parse_source(index, source, command, PARSE_FOR_FACTS);
    if (unit.clang) {
        read_unit(&unit);
        unit_release(&unit);
    } else {
        note_failure(facts, command->file, 0, "the parser can't read it");
    }
    clang_disposeIndex(index);
}
