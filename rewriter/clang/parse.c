#include "rewriter/clang/parse.h"

#include <string.h>

#include "base/arena.h"
#include "rewriter/compile_flags.h"

/* Newer parsers refuse what older compilers warn of; -Werror is about the user's own text. */
static const char *const LENIENT[] = {"-Wno-error", "-Wno-error=incompatible-pointer-types"};
enum { LENIENT_COUNT = sizeof LENIENT / sizeof LENIENT[0] };

/* Where errors are looked for, one warning counts: -w would hide it. */
static struct compile_flags flags_for_errors(struct arena *arena, const struct compile_flags *flags)
{
    const char **words = ARENA_ARRAY(arena, const char *, (size_t)flags->count + LENIENT_COUNT);
    int count = 0;
    for (int i = 0; i < flags->count; i++)
        if (strcmp(flags->items[i], "-w") != 0)
            words[count++] = flags->items[i];
    memcpy(words + count, LENIENT, sizeof LENIENT);
    return (struct compile_flags){words, count + LENIENT_COUNT};
}

static CXTranslationUnit parse_command(CXIndex index, const struct facts_source *source,
                                       const struct compile_command *command,
                                       enum parse_purpose purpose, bool plain)
{
    struct arena arena = {0};
    struct compile_flags flags = compile_flags_for_parser(&arena, command, plain);
    unsigned options = CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing;
    if (purpose == PARSE_FOR_ERRORS) {
        flags = flags_for_errors(&arena, &flags);
        options = CXTranslationUnit_None;
    }
    struct CXUnsavedFile *unsaved =
        ARENA_ARRAY(&arena, struct CXUnsavedFile, source->override_count + 1);
    for (uint32_t i = 0; i < source->override_count; i++)
        unsaved[i] = (struct CXUnsavedFile){source->overrides[i].path, source->overrides[i].text,
                                            source->overrides[i].size_bytes};
    CXTranslationUnit unit = NULL;
    clang_parseTranslationUnit2(index, command->file, flags.items, flags.count, unsaved,
                                source->override_count, options, &unit);
    arena_release(&arena);
    return unit;
}

CXTranslationUnit parse_source(CXIndex index, const struct facts_source *source,
                               const struct compile_command *command, enum parse_purpose purpose)
{
    CXTranslationUnit unit = parse_command(index, source, command, purpose, false);
    return unit ? unit : parse_command(index, source, command, purpose, true);
}
