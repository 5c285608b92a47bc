#include "rewriter/made.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "rewriter/source_text.h"

/* A use of a macro makes functions; each may have several texts for a body. */
struct made_function {
    uint32_t keys[MADE_WAYS]; /* name * MADE_MOST + which of the bodies in its definition */
    uint32_t key_count;
};

/* A shape is what a use of the name makes, in order. */
struct made_shape {
    bool good; /* that is known */
    bool open; /* not yet: it is being read */
    uint32_t count;
    struct made_function made[MADE_MOST];
};

/* A scan is one definition while it is read. */
struct scan {
    struct made *made;
    const struct source_text *text;
    const char *parameters;
    uint32_t name;
    uint32_t own;
    uint32_t offsets[MADE_MOST]; /* of its own bodies */
    uint32_t outside;
    struct token outsiders[MADE_MOST]; /* names of macros that are not of the tree */
    struct made_shape shape;
};

static void scan_range(struct scan *scan, uint32_t at, uint32_t end);
static const struct made_shape *shape_of(struct made *made, uint32_t name);

/* Definitions -------------------------------------------------------------------------------------
 */

static void scan_add(struct scan *scan, const struct made_function *function)
{
    if (scan->shape.count == MADE_MOST)
        scan->shape.good = false;
    else
        scan->shape.made[scan->shape.count++] = *function;
}

static void scan_body(struct scan *scan, uint32_t offset)
{
    if (scan->own == MADE_MOST) {
        scan->shape.good = false;
        return;
    }
    struct made_function function = {{scan->name * MADE_MOST + scan->own}, 1};
    scan->offsets[scan->own++] = offset;
    scan_add(scan, &function);
}

static uint32_t name_at(const struct scan *scan, const struct token *token)
{
    char word[128];
    size_t length = token->end - token->begin;
    if (length >= sizeof word)
        return INTERN_NONE;
    memcpy(word, scan->text->data + token->begin, length);
    word[length] = '\0';
    return intern_find(&scan->made->names, word);
}

static bool name_pastes(const struct made *made, uint32_t name)
{
    for (uint32_t at = made->last[name]; at; at = made->earlier[at - 1])
        if (made->facts->macros[at - 1].pastes)
            return true;
    return false;
}

static bool is_outside(const struct made *made, uint32_t name)
{
    return made->last[name] && made->facts->macros[made->last[name] - 1].file == FACT_NO_FILE;
}

static void scan_outsider(struct scan *scan, const struct token *word)
{
    if (scan->outside == MADE_MOST)
        scan->shape.good = false;
    else
        scan->outsiders[scan->outside++] = *word;
}

/* The bodies of another macro stand here, or those in its arguments do. The answer is where its
 * use ends. */
static uint32_t scan_use(struct scan *scan, uint32_t name, const struct token *word)
{
    const struct made_shape *inner = shape_of(scan->made, name);
    scan->shape.good =
        scan->shape.good && inner->good && !(inner->open && is_outside(scan->made, name));
    if (is_outside(scan->made, name))
        scan_outsider(scan, word);
    for (uint32_t i = 0; i < inner->count; i++)
        scan_add(scan, &inner->made[i]);
    struct token open = source_token(scan->text, word->end);
    uint32_t close =
        token_is(scan->text, &open, "(") ? source_match(scan->text, open.begin) : SOURCE_NOWHERE;
    if (close == SOURCE_NOWHERE)
        return word->end;
    uint32_t before = scan->own;
    if (!name_pastes(scan->made, name))
        scan_range(scan, open.end, close);
    if (scan->own > before && inner->count) /* in which order? */
        scan->shape.good = false;
    return close + 1;
}

/* The head is what stands before a brace, since the declaration began. */
struct head {
    char before;      /* ')': a body may follow */
    bool aggregate;   /* struct, class, ... */
    bool value;       /* behind '=' */
    bool based;       /* behind its ':' */
    bool initialised; /* behind a constructor's ':' */
    bool parameter;   /* the last word is one of the macro's */
    uint32_t words;   /* since then; what ## joins is one */
};

/* Some tokens may stand between ')' and a body. */
static bool keeps_head(const struct scan *scan, const struct token *token)
{
    static const char *const WORDS[] = {"const", "noexcept", "override", "final", "volatile"};
    return TOKEN_IS_ONE_OF(scan->text, token, WORDS);
}

static bool opens_aggregate(const struct scan *scan, const struct token *token)
{
    static const char *const WORDS[] = {"struct", "union", "enum", "class", "namespace"};
    return TOKEN_IS_ONE_OF(scan->text, token, WORDS);
}

static bool is_parameter(const struct scan *scan, const struct token *word)
{
    struct source_text text = {scan->parameters, (uint32_t)strlen(scan->parameters)};
    struct token at = source_token(&text, 0);
    for (; at.kind != TOKEN_END; at = source_token(&text, at.end))
        if (at.end - at.begin == word->end - word->begin &&
            memcmp(text.data + at.begin, scan->text->data + word->begin, at.end - at.begin) == 0)
            return true;
    return false;
}

static void head_add_word(struct head *head, const struct scan *scan, const struct token *word)
{
    struct token next = source_token(scan->text, word->end);
    if (keeps_head(scan, word))
        return;
    if (opens_aggregate(scan, word))
        *head = (struct head){.aggregate = true};
    else
        head->words += head->before != '#' && !token_is(scan->text, &next, "(");
    head->parameter = head->before != '#' && is_parameter(scan, word);
    head->before = '\0';
}

static void head_add_mark(struct head *head, char mark)
{
    if (mark == ';' || mark == ',')
        *head = (struct head){.before = mark == ',' ? ')' : mark};
    head->initialised = head->initialised || (mark == ':' && head->before == ')');
    head->value = head->value || mark == '=';
    head->based = head->based || (mark == ':' && head->aggregate);
    if (mark != ',')
        head->before = mark;
}

/* A word may stand for the parameters: `int run_##name args {`. */
static bool opens_body(const struct head *head)
{
    if (head->before == ')')
        return true;
    return head->parameter && head->words > 1 && !head->before && !head->value && !head->based &&
           !head->initialised;
}

/* The token is an opening brace; the answer is where reading goes on. */
static uint32_t scan_brace(struct scan *scan, const struct token *brace, struct head *head,
                           uint32_t end)
{
    uint32_t close = source_match(scan->text, brace->begin);
    uint32_t behind = close == SOURCE_NOWHERE || close >= end ? end : close + 1;
    struct token first = source_token(scan->text, brace->end);
    if (token_is(scan->text, &first, "__label__"))
        scan->shape.good = false;
    if (head->initialised && head->before != ')') {
        head->before = ')';
        return behind;
    }
    bool body = opens_body(head), value = head->value;
    *head = (struct head){.before = '}'};
    if (body)
        scan_body(scan, brace->end);
    return body || value ? behind : brace->end;
}

/* A word that ## joins to another one is no macro's name. */
static uint32_t macro_at(const struct scan *scan, const struct token *word, const struct head *head)
{
    struct token next = source_token(scan->text, word->end);
    return head->before == '#' || token_is(scan->text, &next, "#") ? INTERN_NONE
                                                                   : name_at(scan, word);
}

static void scan_range(struct scan *scan, uint32_t at, uint32_t end)
{
    const struct source_text *text = scan->text;
    struct head head = {.before = ')'}; /* a body may be the whole of it */
    for (struct token token = source_token(text, at); token.kind != TOKEN_END && token.begin < end;
         token = source_token(text, at)) {
        char mark = token.kind == TOKEN_MARK ? text->data[token.begin] : '\0';
        at = token.end;
        if (mark == '(' || mark == '[') {
            uint32_t close = source_match(text, token.begin);
            scan->shape.good = scan->shape.good && close != SOURCE_NOWHERE;
            at = close == SOURCE_NOWHERE ? end : close + 1;
            head.before = mark == '(' ? ')' : ']';
        } else if (mark == '{') {
            at = scan_brace(scan, &token, &head, end);
        } else if (token.kind != TOKEN_WORD) {
            head_add_mark(&head, mark ? mark : '0');
        } else if (macro_at(scan, &token, &head) != INTERN_NONE) {
            at = scan_use(scan, macro_at(scan, &token, &head), &token);
            head.before = ')';
        } else {
            head_add_word(&head, scan, &token);
        }
    }
}

static void scan_definition(struct scan *scan, struct made *made, uint32_t macro,
                            struct source_text *text)
{
    const char *body = made->facts->macros[macro].body;
    *text = (struct source_text){body, (uint32_t)strlen(body)};
    *scan = (struct scan){.made = made, .text = text, .shape = {.good = true}};
    scan->parameters = made->facts->macros[macro].parameters;
    scan->name = intern_find(&made->names, made->facts->macros[macro].name);
    scan_range(scan, 0, text->size_bytes);
}

static void add_way(struct made_shape *shape, struct made_function *function, uint32_t key)
{
    for (uint32_t i = 0; i < function->key_count; i++)
        if (function->keys[i] == key)
            return;
    if (function->key_count == MADE_WAYS)
        shape->good = false;
    else
        function->keys[function->key_count++] = key;
}

/* The same name may be defined again, in another way. */
static void merge_shape(struct made_shape *shape, const struct made_shape *other)
{
    shape->good = shape->good && other->good && shape->count == other->count;
    for (uint32_t i = 0; i < other->count; i++) {
        if (i == shape->count)
            shape->made[shape->count++].key_count = 0;
        for (uint32_t k = 0; k < other->made[i].key_count; k++)
            add_way(shape, &shape->made[i], other->made[i].keys[k]);
    }
}

/* In a copy its own name would stand for the macro that it is a copy of. */
static bool names_itself(const struct fact_macro *macro)
{
    struct source_text text = {macro->body, (uint32_t)strlen(macro->body)};
    struct token token = source_token(&text, 0);
    while (token.kind != TOKEN_END && !token_is(&text, &token, macro->name))
        token = source_token(&text, token.end);
    return token.kind != TOKEN_END;
}

static bool can_copy(const struct made *made, uint32_t name)
{
    uint32_t at = made->last[name];
    return !made->earlier[at - 1] && !names_itself(&made->facts->macros[at - 1]);
}

static bool is_refused_outside(const struct made *made, uint32_t name)
{
    return is_outside(made, name) && !can_copy(made, name);
}

/* A name that is used in its own definition makes nothing there. */
static const struct made_shape *shape_of(struct made *made, uint32_t name)
{
    if (made->shapes[name])
        return made->shapes[name];
    struct made_shape *shape = made->shapes[name] = ARENA_NEW(made->arena, struct made_shape);
    *shape = (struct made_shape){.good = true, .open = true};
    struct made_shape whole = {.good = true};
    for (uint32_t at = made->last[name]; at; at = made->earlier[at - 1]) {
        struct scan scan;
        struct source_text text;
        scan_definition(&scan, made, at - 1, &text);
        if (at == made->last[name])
            whole = scan.shape;
        else
            merge_shape(&whole, &scan.shape);
    }
    *shape = whole;
    shape->good = shape->good && !is_refused_outside(made, name);
    return shape;
}

/* Uses --------------------------------------------------------------------------------------------
 */

/* The array goes by file: true where no other file includes it. */
static bool *find_main_only(const struct facts *facts)
{
    bool *only = memory_alloc(facts->file_count + 1);
    memset(only, true, facts->file_count + 1);
    for (uint32_t i = 0; i < facts->unit_count; i++)
        for (uint32_t k = 0; k < facts->units[i].include_count; k++)
            if (facts->units[i].includes[k] != facts->units[i].file)
                only[facts->units[i].includes[k]] = false;
    return only;
}

static bool same_use(const struct fact_function *a, const struct fact_function *b)
{
    return a->file == b->file && a->body == b->body;
}

/* Functions stand in order of file and offset, so those that one use of a macro makes are
 * neighbours. */
static bool use_is_whole(const struct facts *facts, uint32_t at, uint32_t bodies)
{
    const struct fact_function *all = facts->functions, *own = &all[at];
    uint32_t first = at, end = at, orders = 0;
    while (first > 0 && same_use(&all[first - 1], own))
        first--;
    while (end < facts->function_count && same_use(&all[end], own))
        end++;
    for (uint32_t i = first; i < end; i++) {
        if (!all[i].macro || strcmp(all[i].macro, own->macro) != 0 ||
            all[i].macro_order >= MADE_MOST)
            return false;
        orders |= 1u << all[i].macro_order;
    }
    return end - first == bodies && orders == (1u << bodies) - 1;
}

static const struct made_shape *shape_of_function(struct made *made, uint32_t function)
{
    return shape_of(made, intern_find(&made->names, made->facts->functions[function].macro));
}

static const struct made_function *texts_of(struct made *made, uint32_t function)
{
    return &shape_of_function(made, function)->made[made->facts->functions[function].macro_order];
}

/* Nothing goes into any definition that the use brings in. */
static void refuse(struct made *made, uint32_t function)
{
    const struct made_shape *shape = shape_of_function(made, function);
    made->usable[function] = false;
    for (uint32_t i = 0; i < shape->count; i++)
        for (uint32_t k = 0; k < shape->made[i].key_count; k++)
            made->blocked[shape->made[i].keys[k] / MADE_MOST] = true;
}

static bool is_blocked(struct made *made, uint32_t function)
{
    const struct made_shape *shape = shape_of_function(made, function);
    for (uint32_t i = 0; i < shape->count; i++)
        for (uint32_t k = 0; k < shape->made[i].key_count; k++)
            if (made->blocked[shape->made[i].keys[k] / MADE_MOST])
                return true;
    return false;
}

/* Where one use of a macro is left alone, so is every definition that it shares with other uses,
 * and then those uses. */
static void spread_refusals(struct made *made)
{
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < made->facts->function_count; i++)
            if (made->usable[i] && is_blocked(made, i)) {
                refuse(made, i);
                more = true;
            }
    }
}

static bool share_text(const struct made_function *a, const struct made_function *b)
{
    for (uint32_t i = 0; i < a->key_count; i++)
        for (uint32_t k = 0; k < b->key_count; k++)
            if (a->keys[i] == b->keys[k])
                return true;
    return false;
}

/* The plain name is what __FUNCTION__ is, or NULL where that is not known. */
static const char *plain_name(const struct fact_function *function)
{
    const char *name = function->name;
    for (const char *at; (at = strstr(name, "::")) != NULL; name = at + 2)
        ;
    return strpbrk(name, "<(: ") || strncmp(name, "operator", 8) == 0 ? NULL : name;
}

/* Two functions of one text may stand on one line. */
static void tell_apart(struct made *made, uint32_t a, uint32_t b)
{
    const char *one = plain_name(&made->facts->functions[a]);
    const char *other = plain_name(&made->facts->functions[b]);
    if (one && other && strlen(one) != strlen(other))
        made->by_length[a] = made->by_length[b] = true;
    else
        made->usable[a] = made->usable[b] = false;
}

static bool share_line(const struct fact_function *a, const struct fact_function *b)
{
    return a->macro_line <= b->macro_line_end && b->macro_line <= a->macro_line_end;
}

/* Notes which definitions several files use. Functions stand in order of their files. */
static void find_shared(struct made *made)
{
    const struct facts *facts = made->facts;
    bool *usable = memory_alloc(facts->function_count + 1);
    memcpy(usable, made->usable, facts->function_count);
    for (uint32_t i = 0; i < facts->function_count; i++) {
        const struct fact_function *own = &facts->functions[i];
        for (uint32_t k = i + 1; usable[i] && k < facts->function_count; k++) {
            if (facts->functions[k].file != own->file)
                break;
            if (usable[k] && share_line(own, &facts->functions[k]) &&
                share_text(texts_of(made, i), texts_of(made, k)))
                tell_apart(made, i, k);
        }
    }
    memory_free(usable);
}

static void find_uses(struct made *made)
{
    const struct facts *facts = made->facts;
    bool *main_only = find_main_only(facts);
    for (uint32_t i = 0; i < facts->function_count; i++) {
        const struct fact_function *function = &facts->functions[i];
        made->usable[i] =
            function->macro && intern_find(&made->names, function->macro) != INTERN_NONE;
        if (!made->usable[i])
            continue;
        const struct made_shape *shape = shape_of_function(made, i);
        if (!shape->good || shape->count == 0 || !main_only[function->file] ||
            !use_is_whole(facts, i, shape->count))
            refuse(made, i);
    }
    memory_free(main_only);
}

/* Macros of the tree come first in the facts. */
static void index_names(struct made *made)
{
    const struct facts *facts = made->facts;
    size_t most = facts->macro_count + 1;
    made->last = ARENA_ARRAY(made->arena, uint32_t, most);
    made->earlier = ARENA_ARRAY(made->arena, uint32_t, most);
    made->numbers = ARENA_ARRAY(made->arena, uint32_t, most);
    made->blocked = ARENA_ARRAY(made->arena, bool, most);
    made->edited = ARENA_ARRAY(made->arena, bool, most);
    made->shapes = ARENA_ARRAY(made->arena, struct made_shape *, most);
    for (uint32_t i = 0; i < facts->macro_count; i++) {
        uint32_t name = intern_add(&made->names, facts->macros[i].name);
        uint32_t last = made->last[name];
        if (facts->macros[i].file == FACT_NO_FILE && last &&
            facts->macros[last - 1].file != FACT_NO_FILE)
            continue; /* the tree has its own */
        made->earlier[i] = last;
        made->last[name] = i + 1;
    }
}

/* Every text that can be timed has a number, chosen or not: it is the same in every round. */
static void number_texts(struct made *made)
{
    for (uint32_t i = 0; i < made->facts->function_count; i++) {
        if (!made->usable[i])
            continue;
        const struct made_function *texts = texts_of(made, i);
        for (uint32_t k = 0; k < texts->key_count; k++) {
            uint32_t name = texts->keys[k] / MADE_MOST;
            if (!made->numbers[name])
                made->numbers[name] = ++made->number_count;
        }
    }
}

struct made made_find(struct arena *arena, const struct facts *facts)
{
    struct made made = {.facts = facts, .arena = arena};
    made.usable = ARENA_ARRAY(arena, bool, facts->function_count + 1);
    made.by_length = ARENA_ARRAY(arena, bool, facts->function_count + 1);
    index_names(&made);
    find_uses(&made);
    spread_refusals(&made);
    find_shared(&made);
    number_texts(&made);
    return made;
}

void made_release(struct made *made)
{
    intern_release(&made->names);
}

/* Texts -------------------------------------------------------------------------------------------
 */

static uint32_t number_of(const struct made *made, uint32_t key)
{
    return (made->numbers[key / MADE_MOST] - 1) * MADE_MOST + key % MADE_MOST;
}

static void append_condition(struct made *made, uint32_t function, uint32_t number, uint32_t line,
                             struct str *text)
{
    str_printf(text, "(k) == %u && (l) == %u", number, line);
    if (made->by_length[function])
        str_printf(text, " && __extension__ sizeof __FUNCTION__ == %zu",
                   strlen(plain_name(&made->facts->functions[function])) + 1);
    str_printf(text, " ? %uu : ", function + 1);
}

void made_numbers(struct made *made, uint32_t file, const bool *chosen, struct str *text)
{
    bool any = false;
    for (uint32_t i = 0; i < made->facts->function_count; i++) {
        const struct fact_function *function = &made->facts->functions[i];
        if (!chosen[i] || !made->usable[i] || function->file != file)
            continue;
        if (!any)
            str_append(text, "#undef VPROF_MADE_1\n#define VPROF_MADE_1(l, k) (");
        any = true;
        const struct made_function *texts = texts_of(made, i);
        for (uint32_t k = 0; k < texts->key_count; k++) {
            uint32_t number = number_of(made, texts->keys[k]);
            made->edited[texts->keys[k] / MADE_MOST] = true;
            append_condition(made, i, number, function->macro_line, text);
            if (function->macro_line_end != function->macro_line)
                append_condition(made, i, number, function->macro_line_end, text);
        }
    }
    if (any)
        str_append(text, "0u)\n");
}

static bool is_copied(struct made *made, uint32_t name)
{
    const struct made_shape *shape = shape_of(made, name);
    bool copied = false;
    for (uint32_t i = 0; i < shape->count; i++)
        for (uint32_t k = 0; k < shape->made[i].key_count; k++)
            copied = copied || made->edited[shape->made[i].keys[k] / MADE_MOST];
    return copied && is_outside(made, name);
}

bool made_names_copy(struct made *made, uint32_t function)
{
    return is_copied(made, intern_find(&made->names, made->facts->functions[function].macro));
}

uint32_t made_places(struct made *made, uint32_t macro,
                     struct made_place places[static 2 * MADE_MOST])
{
    uint32_t name = intern_find(&made->names, made->facts->macros[macro].name), count = 0;
    struct scan scan;
    struct source_text text;
    scan_definition(&scan, made, macro, &text);
    for (uint32_t i = 0; i < scan.own && made->edited[name]; i++)
        places[count++] =
            (struct made_place){scan.offsets[i], (made->numbers[name] - 1) * MADE_MOST + i};
    for (uint32_t i = 0; i < scan.outside; i++)
        if (is_copied(made, name_at(&scan, &scan.outsiders[i])))
            places[count++] = (struct made_place){scan.outsiders[i].begin, MADE_NAMES};
    return count;
}

static int compare_places(const void *a, const void *b)
{
    const struct made_place *x = a, *y = b;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void append_copy(struct made *made, uint32_t index, struct str *text)
{
    const struct fact_macro *macro = &made->facts->macros[index];
    struct made_place places[2 * MADE_MOST];
    uint32_t count = made_places(made, index, places), at = 0;
    qsort(places, count, sizeof *places, compare_places);
    str_printf(text, "#ifndef " MADE_COPY "%s\n#define " MADE_COPY "%s%s", macro->name, macro->name,
               macro->parameters);
    for (uint32_t i = 0; i < count; i++) {
        str_append_bytes(text, macro->body + at, places[i].offset - at);
        at = places[i].offset;
        if (places[i].number == MADE_NAMES)
            str_append(text, MADE_COPY);
        else
            str_printf(text, "VPROF_FUNCTION_MADE(%u)", places[i].number);
    }
    str_printf(text, "%s\n#endif\n", macro->body + at);
}

void made_copies(struct made *made, struct str *text)
{
    for (uint32_t i = 0; i < made->facts->macro_count; i++)
        if (is_copied(made, intern_find(&made->names, made->facts->macros[i].name)))
            append_copy(made, i, text);
}
