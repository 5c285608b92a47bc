#include "rewriter/clang/parse.h"

#include "base/arena.h"
#include "rewriter/compile_flags.h"

static CXTranslationUnit parse_command(CXIndex index, const struct facts_source *source,
                                       const struct compile_command *command, bool plain)
{
    struct arena arena = {0};
    struct compile_flags flags = compile_flags_for_parser(&arena, command, plain);
    struct CXUnsavedFile *unsaved =
        ARENA_ARRAY(&arena, struct CXUnsavedFile, source->override_count + 1);
    for (uint32_t i = 0; i < source->override_count; i++)
        unsaved[i] = (struct CXUnsavedFile){source->overrides[i].path, source->overrides[i].text,
                                            source->overrides[i].size_bytes};
    CXTranslationUnit unit = NULL;
    clang_parseTranslationUnit2(
        index, command->file, flags.items, flags.count, unsaved, source->override_count,
        CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing, &unit);
    arena_release(&arena);
    return unit;
}

CXTranslationUnit parse_source(CXIndex index, const struct facts_source *source,
                               const struct compile_command *command)
{
    CXTranslationUnit unit = parse_command(index, source, command, false);
    return unit ? unit : parse_command(index, source, command, true);
}
