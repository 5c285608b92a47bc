#include "rewriter/clang/errors.h"

#include <clang-c/Index.h>
#include <string.h>

#include "rewriter/compile_flags.h"

/* Newer parsers refuse what older compilers warn of; -Werror is about the user's own text. */
static const char *const LENIENT[] = {"-Wno-error", "-Wno-error=incompatible-pointer-types"};
enum { LENIENT_COUNT = sizeof LENIENT / sizeof LENIENT[0] };

static CXTranslationUnit parse(CXIndex index, struct arena *arena,
                               const struct facts_source *source,
                               const struct compile_command *command)
{
    struct compile_flags flags = compile_flags_for_parser(arena, command, false);
    const char **words = ARENA_ARRAY(arena, const char *, (size_t)flags.count + LENIENT_COUNT);
    int count = 0;
    for (int i = 0; i < flags.count; i++)
        if (strcmp(flags.items[i], "-w") != 0) /* one warning counts */
            words[count++] = flags.items[i];
    memcpy(words + count, LENIENT, sizeof LENIENT);
    struct CXUnsavedFile *unsaved =
        ARENA_ARRAY(arena, struct CXUnsavedFile, source->override_count + 1);
    for (uint32_t i = 0; i < source->override_count; i++)
        unsaved[i] = (struct CXUnsavedFile){source->overrides[i].path, source->overrides[i].text,
                                            source->overrides[i].size_bytes};
    CXTranslationUnit unit = NULL;
    clang_parseTranslationUnit2(index, command->file, words, count + LENIENT_COUNT, unsaved,
                                source->override_count, CXTranslationUnit_None, &unit);
    return unit;
}

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
    CXTranslationUnit unit = parse(index, arena, source, command);
    if (unit) {
        take_errors(errors, arena, source, unit);
        clang_disposeTranslationUnit(unit);
    }
    clang_disposeIndex(index);
    return unit != NULL;
}
