#include "rewriter/clang/errors.h"

#include <clang-c/Index.h>
#include <string.h>

#include "rewriter/clang/parse.h"

/* An error in a macro's argument stands where the argument does. */
static void place(struct parse_error *error, CXTranslationUnit unit,
                  const struct facts_source *source, CXSourceLocation location)
{
    CXFile file;
    error->override = ERROR_ELSEWHERE;
    clang_getFileLocation(location, &file, NULL, NULL, &error->offset);
    for (uint32_t i = 0; file && i < source->override_count; i++)
        if (clang_File_isEqual(file, clang_getFile(unit, source->overrides[i].path)))
            error->override = i;
}

static bool is_lenient(CXDiagnostic diagnostic)
{
    CXString option = clang_getDiagnosticOption(diagnostic, NULL);
    const char *name = clang_getCString(option);
    bool is = clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Warning && name &&
              strcmp(name, "-Wint-conversion") == 0;
    clang_disposeString(option);
    return is;
}

static void take_errors(struct parse_errors *errors, struct arena *arena,
                        const struct facts_source *source, CXTranslationUnit unit)
{
    unsigned count = clang_getNumDiagnostics(unit);
    errors->items = ARENA_ARRAY(arena, struct parse_error, count + 1);
    for (unsigned i = 0; i < count; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        bool lenient = is_lenient(diagnostic);
        if (lenient || clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            struct parse_error *error = &errors->items[errors->count++];
            CXString text = clang_getDiagnosticSpelling(diagnostic);
            error->lenient = lenient;
            error->text = arena_strdup(arena, clang_getCString(text));
            clang_disposeString(text);
            place(error, unit, source, clang_getDiagnosticLocation(diagnostic));
        }
        clang_disposeDiagnostic(diagnostic);
    }
}

bool errors_find(struct parse_errors *errors, struct arena *arena,
                 const struct facts_source *source, const struct compile_command *command)
{
    *errors = (struct parse_errors){0};
    CXIndex index = clang_createIndex(0, 0);
    CXTranslationUnit unit = parse_source(index, source, command, PARSE_FOR_ERRORS);
    if (unit) {
        take_errors(errors, arena, source, unit);
        clang_disposeTranslationUnit(unit);
    }
    clang_disposeIndex(index);
    return unit != NULL;
}
