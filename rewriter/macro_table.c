#include "rewriter/macro_table.h"

#include <string.h>

#include "base/memory.h"

enum answer { ANSWER_UNKNOWN, ANSWER_ASKED, ANSWER_NO, ANSWER_YES };

struct macro_definition {
    struct source_text text;
    uint32_t earlier; /* index + 1 of another definition of the name */
    bool in_tree;
};

static uint32_t table_name(struct macro_table *table, const char *name)
{
    uint32_t id = intern_add(&table->names, name);
    while (id >= table->name_capacity) {
        size_t old = table->name_capacity, fresh = old ? old * 2 : 1024;
        table->last = memory_resize(table->last, fresh * sizeof *table->last);
        table->stringizing = memory_resize(table->stringizing, fresh * sizeof *table->stringizing);
        table->bodies = memory_resize(table->bodies, fresh * sizeof *table->bodies);
        table->given = memory_resize(table->given, fresh * sizeof *table->given);
        memset(table->last + old, 0, (fresh - old) * sizeof *table->last);
        memset(table->stringizing + old, 0, (fresh - old) * sizeof *table->stringizing);
        memset(table->bodies + old, 0, (fresh - old) * sizeof *table->bodies);
        memset(table->given + old, 0, (fresh - old) * sizeof *table->given);
        table->name_capacity = fresh;
    }
    return id;
}

void macro_table_define(struct macro_table *table, const char *name, struct source_text text,
                        bool in_tree)
{
    uint32_t id = table_name(table, name);
    struct macro_definition definition = {text, table->last[id], in_tree};
    VEC_PUSH(table->definitions, table->definition_count, table->definition_capacity) = definition;
    table->last[id] = (uint32_t)table->definition_count;
}

/* The body begins after the name, and after the parameters where the parenthesis touches it. */
uint32_t macro_body(const struct source_text *text)
{
    struct token name = source_token(text, 0);
    uint32_t at = name.end;
    if (at < text->size_bytes && text->data[at] == '(') {
        uint32_t close = source_match(text, at);
        at = close == SOURCE_NOWHERE ? text->size_bytes : close + 1;
    }
    return source_token(text, at).begin;
}

/* The ", ## args" that drops a comma does not count. */
bool macro_pastes(const struct source_text *text)
{
    char before = '\0';
    struct token token = source_token(text, macro_body(text));
    for (; token.kind != TOKEN_END; token = source_token(text, token.end)) {
        char mark = text->data[token.begin];
        bool comma = mark == '#' && before == ',' && token.begin + 1 < text->size_bytes &&
                     text->data[token.begin + 1] == '#';
        if (comma)
            token.end = token.begin + 2;
        else if (mark == '#')
            return true;
        before = mark;
    }
    return false;
}

/* The macro that a token of a definition names. */
static uint32_t inner_name(const struct macro_table *table, const struct source_text *text,
                           const struct token *token)
{
    char word[128];
    size_t length = token->end - token->begin;
    if (token->kind != TOKEN_WORD || length >= sizeof word)
        return INTERN_NONE;
    memcpy(word, text->data + token->begin, length);
    word[length] = '\0';
    return intern_find(&table->names, word);
}

static bool name_stringizes(struct macro_table *table, uint32_t name);

static bool definition_stringizes(struct macro_table *table, struct source_text text)
{
    if (macro_pastes(&text))
        return true;
    struct token token = source_token(&text, macro_body(&text));
    for (; token.kind != TOKEN_END; token = source_token(&text, token.end)) {
        uint32_t inner = inner_name(table, &text, &token);
        if (inner != INTERN_NONE && name_stringizes(table, inner))
            return true;
    }
    return false;
}

static bool name_stringizes(struct macro_table *table, uint32_t name)
{
    if (table->stringizing[name] != ANSWER_UNKNOWN)
        return table->stringizing[name] == ANSWER_YES;
    table->stringizing[name] = ANSWER_ASKED;
    bool yes = false;
    for (uint32_t at = table->last[name]; at && !yes; at = table->definitions[at - 1].earlier)
        yes = definition_stringizes(table, table->definitions[at - 1].text);
    table->stringizing[name] = yes ? ANSWER_YES : ANSWER_NO;
    return yes;
}

bool macro_table_stringizes(struct macro_table *table, const char *name)
{
    uint32_t id = intern_find(&table->names, name);
    return id == INTERN_NONE || name_stringizes(table, id);
}

static bool name_holds_bodies(struct macro_table *table, uint32_t name);

static bool definition_holds_bodies(struct macro_table *table, struct source_text text)
{
    struct token token = source_token(&text, macro_body(&text));
    for (; token.kind != TOKEN_END; token = source_token(&text, token.end)) {
        uint32_t inner = inner_name(table, &text, &token);
        if (token_is(&text, &token, "{") ||
            (inner != INTERN_NONE && name_holds_bodies(table, inner)))
            return true;
    }
    return false;
}

static bool name_holds_bodies(struct macro_table *table, uint32_t name)
{
    if (table->bodies[name] != ANSWER_UNKNOWN)
        return table->bodies[name] == ANSWER_YES;
    table->bodies[name] = ANSWER_ASKED;
    bool yes = false;
    for (uint32_t at = table->last[name]; at && !yes; at = table->definitions[at - 1].earlier)
        yes = definition_holds_bodies(table, table->definitions[at - 1].text);
    table->bodies[name] = yes ? ANSWER_YES : ANSWER_NO;
    return yes;
}

static void give_name(struct macro_table *table, uint32_t name, macro_table_take *take,
                      void *context)
{
    if (table->given[name] || !name_holds_bodies(table, name))
        return;
    table->given[name] = true;
    for (uint32_t at = table->last[name]; at; at = table->definitions[at - 1].earlier) {
        struct source_text text = table->definitions[at - 1].text;
        if (!table->definitions[at - 1].in_tree)
            take(context, table->names.text[name], text);
        struct token token = source_token(&text, macro_body(&text));
        for (; token.kind != TOKEN_END; token = source_token(&text, token.end)) {
            uint32_t inner = inner_name(table, &text, &token);
            if (inner != INTERN_NONE)
                give_name(table, inner, take, context);
        }
    }
}

void macro_table_give_outside(struct macro_table *table, const char *name, macro_table_take *take,
                              void *context)
{
    uint32_t id = intern_find(&table->names, name);
    if (id != INTERN_NONE)
        give_name(table, id, take, context);
}

/* The body is "callee(...)", and nothing after it. */
static bool body_is_call(const struct source_text *text, const char *callee)
{
    struct token name = source_token(text, macro_body(text));
    struct token open = source_token(text, name.end);
    if (!token_is(text, &name, callee) || !token_is(text, &open, "("))
        return false;
    uint32_t close = source_match(text, open.begin);
    return close != SOURCE_NOWHERE && source_token(text, close + 1).kind == TOKEN_END;
}

bool macro_table_is_call(const struct macro_table *table, const char *name, const char *callee)
{
    uint32_t id = intern_find(&table->names, name), at = id == INTERN_NONE ? 0 : table->last[id];
    bool is = at != 0;
    for (; at && is; at = table->definitions[at - 1].earlier)
        is = body_is_call(&table->definitions[at - 1].text, callee);
    return is;
}

void macro_table_release(struct macro_table *table)
{
    intern_release(&table->names);
    memory_free(table->definitions);
    memory_free(table->last);
    memory_free(table->stringizing);
    memory_free(table->bodies);
    memory_free(table->given);
}
