/* source_text.h - C and C++ text seen as tokens, as far as placing an edit needs it.
 *
 *     struct token token = source_token(&text, at);       the first token at or after `at`
 *     uint32_t close = source_match(&text, open);          the bracket that closes this one
 *
 * Blanks, comments and joined lines are skipped. A preprocessor line is one token. Offsets and
 * sizes are bytes. Pure; the text is borrowed.
 */
#ifndef REWRITER_SOURCE_TEXT_H
#define REWRITER_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_text {
    const char *data;
    uint32_t size_bytes;
};

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,
    TOKEN_NUMBER,
    TOKEN_LITERAL,
    TOKEN_DIRECTIVE,
    TOKEN_MARK /* one character of punctuation */
};

struct token {
    enum token_kind kind;
    uint32_t begin;
    uint32_t end;
};

#define SOURCE_NOWHERE UINT32_MAX

struct token source_token(const struct source_text *text, uint32_t at);
bool token_is(const struct source_text *text, const struct token *token, const char *word);
#define TOKEN_IS_ONE_OF(text, token, words)                                                        \
    token_is_one_of(text, token, words, sizeof(words) / sizeof((words)[0]))
bool token_is_one_of(const struct source_text *text, const struct token *token,
                     const char *const *words, size_t count);

/* The answer is the offset of the bracket that closes the one at `open`, or SOURCE_NOWHERE. */
uint32_t source_match(const struct source_text *text, uint32_t open);

/* An argument stands between the parentheses of a call, blanks and comments around it left out. */
struct source_argument {
    uint32_t begin;
    uint32_t end;
    bool macro_safe; /* may be an argument of a macro: no comma or brace outside (), no directive */
};

/* The answer is how many arguments stand between `open` and `close`; at most `capacity` of them
 * are stored. */
uint32_t source_arguments(const struct source_text *text, uint32_t open, uint32_t close,
                          struct source_argument *arguments, uint32_t capacity);

/* Could `begin`..`end` be an argument of a macro as it stands? */
bool source_macro_safe(const struct source_text *text, uint32_t begin, uint32_t end);

/* Does the word stand in `begin`..`end`? */
bool source_has_word(const struct source_text *text, uint32_t begin, uint32_t end,
                     const char *word);

#endif
