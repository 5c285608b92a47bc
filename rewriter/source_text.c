#include "rewriter/source_text.h"

#include <ctype.h>
#include <string.h>

static char char_at(const struct source_text *text, uint32_t at)
{
    return at < text->size_bytes ? text->data[at] : '\0';
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

/* The answer is past a backslash and the end of its line, or `at`. */
static uint32_t skip_joint(const struct source_text *text, uint32_t at)
{
    if (char_at(text, at) != '\\')
        return at;
    if (char_at(text, at + 1) == '\n')
        return at + 2;
    if (char_at(text, at + 1) == '\r' && char_at(text, at + 2) == '\n')
        return at + 3;
    return at;
}

/* Joined lines count as one line. */
static uint32_t skip_line(const struct source_text *text, uint32_t at)
{
    while (at < text->size_bytes && text->data[at] != '\n') {
        uint32_t joined = skip_joint(text, at);
        at = joined > at ? joined : at + 1;
    }
    return at;
}

static uint32_t skip_block_comment(const struct source_text *text, uint32_t at)
{
    at += 2;
    while (at < text->size_bytes && !(text->data[at] == '*' && char_at(text, at + 1) == '/'))
        at++;
    return at + 2 < text->size_bytes ? at + 2 : text->size_bytes;
}

static uint32_t skip_blanks(const struct source_text *text, uint32_t at)
{
    for (;;) {
        uint32_t before = at;
        while (at < text->size_bytes && is_blank(text->data[at]))
            at++;
        at = skip_joint(text, at);
        if (char_at(text, at) == '/' && char_at(text, at + 1) == '/')
            at = skip_line(text, at);
        else if (char_at(text, at) == '/' && char_at(text, at + 1) == '*')
            at = skip_block_comment(text, at);
        if (at == before)
            return at;
    }
}

static bool begins_line(const struct source_text *text, uint32_t at)
{
    while (at > 0 && (text->data[at - 1] == ' ' || text->data[at - 1] == '\t'))
        at--;
    return at == 0 || text->data[at - 1] == '\n';
}

static uint32_t quoted_end(const struct source_text *text, uint32_t at)
{
    char quote = text->data[at++];
    while (at < text->size_bytes && text->data[at] != quote && text->data[at] != '\n') {
        uint32_t joined = skip_joint(text, at);
        at = joined > at ? joined : at + (text->data[at] == '\\' ? 2 : 1);
    }
    return at + 1 < text->size_bytes ? at + 1 : text->size_bytes;
}

/* A raw string is R"tag( ... )tag", and `at` is at its quote. */
static uint32_t raw_string_end(const struct source_text *text, uint32_t at)
{
    uint32_t tag = ++at;
    while (at < text->size_bytes && text->data[at] != '(')
        at++;
    uint32_t length = at - tag;
    for (; at < text->size_bytes; at++)
        if (text->data[at] == ')' && at + 1 + length < text->size_bytes &&
            memcmp(text->data + at + 1, text->data + tag, length) == 0 &&
            text->data[at + 1 + length] == '"')
            return at + length + 2;
    return text->size_bytes;
}

static uint32_t number_end(const struct source_text *text, uint32_t at)
{
    for (;; at++) {
        char c = char_at(text, at), next = char_at(text, at + 1);
        bool sign = strchr("eEpP", c) && c && (next == '+' || next == '-');
        if (c == '\'' && is_word(next))
            continue;
        if (!is_word(c) && c != '.')
            return at;
        at += sign;
    }
}

static struct token word_token(const struct source_text *text, uint32_t at)
{
    struct token token = {TOKEN_WORD, at, at};
    while (is_word(char_at(text, token.end)))
        token.end++;
    if (char_at(text, token.end) == '"' && text->data[token.end - 1] == 'R' &&
        token.end - at <= 3) {
        token.kind = TOKEN_LITERAL;
        token.end = raw_string_end(text, token.end);
    }
    return token;
}

struct token source_token(const struct source_text *text, uint32_t at)
{
    at = skip_blanks(text, at);
    if (at >= text->size_bytes)
        return (struct token){TOKEN_END, text->size_bytes, text->size_bytes};
    char c = text->data[at];
    if (c == '#' && begins_line(text, at))
        return (struct token){TOKEN_DIRECTIVE, at, skip_line(text, at)};
    if (isdigit((unsigned char)c) || (c == '.' && isdigit((unsigned char)char_at(text, at + 1))))
        return (struct token){TOKEN_NUMBER, at, number_end(text, at)};
    if (is_word(c))
        return word_token(text, at);
    if (c == '"' || c == '\'')
        return (struct token){TOKEN_LITERAL, at, quoted_end(text, at)};
    return (struct token){TOKEN_MARK, at, at + 1};
}

bool token_is(const struct source_text *text, const struct token *token, const char *word)
{
    size_t length = strlen(word);
    return token->end - token->begin == length &&
           memcmp(text->data + token->begin, word, length) == 0;
}

bool token_is_one_of(const struct source_text *text, const struct token *token,
                     const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (token_is(text, token, words[i]))
            return true;
    return false;
}

static char mark_of(const struct source_text *text, const struct token *token)
{
    return token->kind == TOKEN_MARK ? text->data[token->begin] : '\0';
}

uint32_t source_match(const struct source_text *text, uint32_t open)
{
    char pending[256];
    uint32_t depth = 0;
    struct token token = source_token(text, open);
    for (; token.kind != TOKEN_END; token = source_token(text, token.end)) {
        char mark = mark_of(text, &token);
        if (mark == '(' || mark == '[' || mark == '{') {
            if (depth == sizeof pending)
                return SOURCE_NOWHERE;
            pending[depth++] = mark == '(' ? ')' : mark == '[' ? ']' : '}';
        } else if (mark == ')' || mark == ']' || mark == '}') {
            if (depth == 0 || pending[--depth] != mark)
                return SOURCE_NOWHERE;
            if (depth == 0)
                return token.begin;
        }
    }
    return SOURCE_NOWHERE;
}

bool source_macro_safe(const struct source_text *text, uint32_t begin, uint32_t end)
{
    int depth = 0;
    for (struct token token = source_token(text, begin); token.begin < end;
         token = source_token(text, token.end)) {
        char mark = mark_of(text, &token);
        depth += (mark == '(') - (mark == ')');
        if (token.kind == TOKEN_DIRECTIVE || mark == '{' || (mark == ',' && depth == 0))
            return false;
    }
    return true;
}

bool source_has_word(const struct source_text *text, uint32_t begin, uint32_t end, const char *word)
{
    for (struct token token = source_token(text, begin); token.begin < end;
         token = source_token(text, token.end))
        if (token.kind == TOKEN_WORD && token_is(text, &token, word))
            return true;
    return false;
}

static void argument_close(const struct source_text *text, struct source_argument *argument)
{
    argument->macro_safe = source_macro_safe(text, argument->begin, argument->end);
}

uint32_t source_arguments(const struct source_text *text, uint32_t open, uint32_t close,
                          struct source_argument *arguments, uint32_t capacity)
{
    uint32_t count = 0;
    int depth = 0;
    bool fresh = true;
    struct token token = source_token(text, open + 1);
    for (; token.begin < close; token = source_token(text, token.end)) {
        char mark = mark_of(text, &token);
        if (depth == 0 && mark == ',') {
            fresh = true;
            continue;
        }
        depth += (mark && strchr("([{", mark)) - (mark && strchr(")]}", mark));
        if (fresh && count++ < capacity)
            arguments[count - 1] = (struct source_argument){token.begin, token.end, true};
        else if (!fresh && count <= capacity)
            arguments[count - 1].end = token.end;
        fresh = false;
    }
    for (uint32_t i = 0; i < count && i < capacity; i++)
        argument_close(text, &arguments[i]);
    return count;
}
