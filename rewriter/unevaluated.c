#include "rewriter/unevaluated.h"

#include "base/memory.h"

/* The part stands between the parentheses. */
struct unevaluated_part {
    uint32_t begin;
    uint32_t end;
};

static const char *const WORDS[] = {
    "sizeof",
    "typeof",
    "__typeof__",
    "__typeof",
    "typeof_unqual",
    "decltype",
    "noexcept",
    "alignof",
    "_Alignof",
    "__alignof__",
    "alignas",
    "_Alignas",
    "typeid",
    "static_assert",
    "_Static_assert",
    "__builtin_constant_p",
    "__builtin_choose_expr",
    "__builtin_types_compatible_p",
    "__builtin_object_size",
    "__attribute__",
    "offsetof",
    "_Generic",
};

static bool is_word(const struct source_text *text, const struct token *token)
{
    return token->kind == TOKEN_WORD && TOKEN_IS_ONE_OF(text, token, WORDS);
}

void unevaluated_find(struct unevaluated *unevaluated, const struct source_text *text,
                      uint32_t begin, uint32_t end)
{
    bool word = false;
    for (struct token token = source_token(text, begin); token.begin < end;
         token = source_token(text, token.end)) {
        uint32_t close =
            word && token_is(text, &token, "(") ? source_match(text, token.begin) : SOURCE_NOWHERE;
        if (close != SOURCE_NOWHERE)
            VEC_PUSH(unevaluated->parts, unevaluated->count, unevaluated->capacity) =
                (struct unevaluated_part){token.begin, close};
        word = is_word(text, &token);
    }
}

bool unevaluated_holds(const struct unevaluated *unevaluated, uint32_t offset)
{
    for (size_t i = 0; i < unevaluated->count; i++)
        if (unevaluated->parts[i].begin < offset && offset < unevaluated->parts[i].end)
            return true;
    return false;
}

void unevaluated_release(struct unevaluated *unevaluated)
{
    memory_free(unevaluated->parts);
}
