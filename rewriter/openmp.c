#include "rewriter/openmp.h"

#include <string.h>

#include "base/str.h"

bool openmp_is_flag(const char *flag)
{
    return strcmp(flag, "-fopenmp") == 0 || str_starts_with(flag, "-fopenmp=") ||
           strcmp(flag, "-qopenmp") == 0;
}

/* A directive ends with its line, or the last one that it is continued on. */
static uint32_t line_end(const struct source_text *text, uint32_t at)
{
    while (at < text->size_bytes && (text->data[at] != '\n' || text->data[at - 1] == '\\'))
        at++;
    return at;
}

/* A directive is "#pragma omp", and the token its '#'. */
static bool is_directive(const struct source_text *text, uint32_t at)
{
    static const char *const WORDS[] = {"pragma", "omp"};
    struct source_text line = {text->data, line_end(text, at)};
    uint32_t next = at + 1;
    for (unsigned i = 0; i < 2; i++) {
        struct token token = source_token(&line, next);
        if (!token_is(&line, &token, WORDS[i]))
            return false;
        next = token.end;
    }
    return true;
}

static unsigned uses_of(const struct source_text *text, uint32_t begin, uint32_t end)
{
    static const char *const HIDDEN[] = {"task", "taskloop", "proc_bind", "teams", "target"};
    unsigned uses = source_has_word(text, begin, end, "parallel") ? OPENMP_TEAM : 0;
    if (source_has_word(text, begin, end, "default") && source_has_word(text, begin, end, "none"))
        uses |= OPENMP_NAMED;
    if (source_has_word(text, begin, end, "simd"))
        uses |= OPENMP_VECTOR;
    for (size_t i = 0; i < sizeof HIDDEN / sizeof HIDDEN[0]; i++)
        if (source_has_word(text, begin, end, HIDDEN[i]))
            uses |= OPENMP_HIDDEN;
    return uses;
}

/* A directive may be made by an operator, too, mostly in a macro. */
static bool is_operator(const struct source_text *text, uint32_t at)
{
    static const char WORD[] = "_Pragma";
    return text->size_bytes - at > sizeof WORD &&
           memcmp(text->data + at, WORD, sizeof WORD - 1) == 0;
}

unsigned openmp_uses(const struct source_text *text, uint32_t begin, uint32_t end)
{
    unsigned uses = 0;
    for (uint32_t at = begin; at < end; at++) {
        bool made = text->data[at] == '_' && is_operator(text, at);
        if (!made && (text->data[at] != '#' || !is_directive(text, at)))
            continue;
        uint32_t stop = line_end(text, at);
        uint32_t word = made ? at + (uint32_t)strlen("_Pragma") : at + 1;
        struct source_text line = {text->data, stop};
        if (!made)
            uses |= uses_of(&line, word, stop);
        else if (memmem(text->data + word, stop - word, "omp", 3))
            uses |= OPENMP_TEAM | OPENMP_HIDDEN;
        at = stop;
    }
    return uses;
}

/* The answer is where the directive starts whose last line ends before `end`, or SOURCE_NOWHERE. */
static uint32_t directive_before(const struct source_text *text, uint32_t end)
{
    uint32_t at = end, first;
    do {
        while (at > 0 && text->data[at - 1] != '\n')
            at--;
        first = at;
        while (first < end && strchr(" \t", text->data[first]))
            first++;
    } while (text->data[first] != '#' && at >= 2 && text->data[at - 2] == '\\' && at-- > 0);
    return first < end && text->data[first] == '#' && is_directive(text, first) ? first
                                                                                : SOURCE_NOWHERE;
}

unsigned openmp_before(const struct source_text *text, uint32_t offset)
{
    unsigned uses = 0;
    for (;;) {
        while (offset > 0 && strchr(" \t\r\n", text->data[offset - 1]))
            offset--;
        uint32_t directive = directive_before(text, offset);
        if (directive == SOURCE_NOWHERE)
            return uses;
        uses |= OPENMP_ANY | openmp_uses(text, directive, offset);
        offset = directive;
    }
}
