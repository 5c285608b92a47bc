#include "driver/commands/interval_guess.h"

#include <ctype.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/memory.h"

/* ---- words of C, as far as they matter here ---- */

struct scanner {
    struct interval_guess *guess;
    const char *file, *at;
    uint32_t line;
    char word[80], name[80]; /* the word just read; the last one before a ( outside of functions */
    char mark;               /* the last character that was no word, 0 after a word */
    char first[80];          /* of the statement outside of functions */
    uint32_t name_line;
    unsigned depth, parentheses; /* in the function's body */
    bool in_function, in_loop;
    unsigned loop_depth, loop_parentheses;
    struct request_loop *loop; /* of this function, the last one found */
    struct place_in_source place;
};

static void skip_until(struct scanner *scanner, const char *end)
{
    size_t length = strlen(end);
    while (*scanner->at && strncmp(scanner->at, end, length) != 0) {
        if (*scanner->at == '\\' && scanner->at[1] && length == 1)
            scanner->line += *++scanner->at == '\n';
        else
            scanner->line += *scanner->at == '\n';
        scanner->at++;
    }
    if (*scanner->at && *end != '\n')
        scanner->at += length;
}

static bool is_directive(const char *at, const char *word)
{
    at += *at == '#' ? 1 + strspn(at + 1, " \t") : 0;
    return str_starts_with(at, word);
}

/* Skips to the #endif of this branch, or to its #else. */
static void skip_branch(struct scanner *scanner, bool to_else)
{
    unsigned depth = 0;
    do {
        skip_until(scanner, "\n");
        for (; *scanner->at && isspace((unsigned char)*scanner->at); scanner->at++)
            scanner->line += *scanner->at == '\n';
        if (*scanner->at != '#')
            continue;
        if (depth == 0 &&
            (is_directive(scanner->at, "endif") || (to_else && is_directive(scanner->at, "el"))))
            break;
        depth += is_directive(scanner->at, "if");
        depth -= is_directive(scanner->at, "endif");
    } while (*scanner->at);
    skip_until(scanner, "\n");
}

/* The first branch of an #if is taken, so that braces close what they open. */
static void skip_directive(struct scanner *scanner)
{
    if (is_directive(scanner->at, "el"))
        skip_branch(scanner, false);
    else if (is_directive(scanner->at, "if 0"))
        skip_branch(scanner, true);
    else
        skip_until(scanner, "\n");
}

/* Steps over blanks, comments, literals and preprocessor lines. */
static bool skip_one(struct scanner *scanner)
{
    const char *at = scanner->at;
    char literal[2] = {*at, '\0'};
    if (isspace((unsigned char)*at)) {
        scanner->line += *at == '\n';
        scanner->at++;
    } else if (at[0] == '/' && at[1] == '*') {
        skip_until(scanner, "*/");
    } else if (at[0] == '/' && at[1] == '/') {
        skip_until(scanner, "\n");
    } else if (*at == '#') {
        skip_directive(scanner);
    } else if (*at == '"' || *at == '\'') {
        scanner->at++;
        skip_until(scanner, literal);
    } else {
        return false;
    }
    return true;
}

/* A token is a word, or one other character in `mark`; false at the end. */
static bool next_token(struct scanner *scanner)
{
    while (*scanner->at && skip_one(scanner))
        ;
    const char *at = scanner->at;
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    scanner->mark = length ? '\0' : *at;
    if (length) {
        size_t kept = length < sizeof scanner->word ? length : sizeof scanner->word - 1;
        memcpy(scanner->word, at, kept);
        scanner->word[kept] = '\0';
    }
    scanner->at += length ? length : *at != '\0';
    return length || *at;
}

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words;
}

/* ---- what takes requests ---- */

/* A name has a word where it is one of those that the name is made of: pop is in queue_pop and
 * jobPop, not in populate. */
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = name; (at = strcasestr(at, word)); at++) {
        bool begins = at == name || !isalnum((unsigned char)at[-1]) ||
                      (isupper((unsigned char)*at) && islower((unsigned char)at[-1]));
        if (begins && !islower((unsigned char)at[length]))
            return true;
    }
    return false;
}

static bool has_one_of(const char *name, const char *const *words)
{
    while (*words && !has_word(name, *words))
        words++;
    return *words;
}

/* A call in a loop takes a request the surer the greater the weight; 0: it does not. */
static unsigned weight_of_source(const char *name)
{
    static const char *const sockets[] = {"recv",    "recvfrom", "recvmsg", "accept",
                                          "accept4", "SSL_read", NULL};
    static const char *const events[] = {"epoll_wait", "epoll_pwait", "poll", "ppoll",
                                         "select",     "kevent",      NULL};
    static const char *const files[] = {"read", "fgets", "getline", "mq_receive", NULL};
    static const char *const queues[] = {"pop",      "dequeue",   "get_task", "get_job",
                                         "next_job", "next_task", NULL};
    if (is_one_of(name, sockets))
        return 3;
    if (is_one_of(name, events))
        return 2;
    if (is_one_of(name, files))
        return 1;
    return has_one_of(name, queues) && !str_starts_with(name, "lua_") ? 3 : 0;
}

static unsigned weight_of_name(const char *name)
{
    static const char *const verbs[] = {"handle", "process", "serve", "dispatch", "execute", NULL};
    static const char *const nouns[] = {"request",    "query",   "command", "transaction",
                                        "connection", "message", "job",     NULL};
    return (has_one_of(name, verbs) ? 3 : 0) + (has_one_of(name, nouns) ? 1 : 0);
}

/* ---- functions and their loops ---- */

static bool is_keyword(const char *word)
{
    static const char *const keywords[] = {"if",      "for",    "while", "switch", "return",
                                           "sizeof",  "do",     "else",  "case",   "catch",
                                           "defined", "assert", NULL};
    return is_one_of(word, keywords);
}

static void take_call(struct scanner *scanner, const char *name)
{
    unsigned weight = scanner->in_loop ? weight_of_source(name) : 0;
    struct interval_guess *guess = scanner->guess;
    if (strcmp(name, "SI_BEGIN") == 0)
        guess->annotated = true;
    if (weight) {
        struct request_loop *loop =
            &VEC_PUSH(guess->loops, guess->loop_count, guess->loop_capacity);
        *loop = (struct request_loop){
            .place = scanner->place, .source = arena_strdup(&guess->arena, name), .weight = weight};
        loop->place.line = scanner->line;
        scanner->loop = loop;
    } else if (scanner->loop && scanner->loop->call_count < LOOP_CALLS) {
        scanner->loop->calls[scanner->loop->call_count++] = arena_strdup(&guess->arena, name);
    }
}

static void take_word_in_body(struct scanner *scanner)
{
    static const char *const loops[] = {"for", "while", "do", NULL};
    char word[sizeof scanner->word];
    memcpy(word, scanner->word, sizeof word);
    if (is_one_of(word, loops) && !scanner->in_loop) {
        scanner->in_loop = true;
        scanner->loop_depth = scanner->depth;
        scanner->loop_parentheses = scanner->parentheses;
    }
    const char *after = scanner->at + strspn(scanner->at, " \t\n");
    if (*after == '(' && !is_keyword(word))
        take_call(scanner, word);
}

static void take_mark_in_body(struct scanner *scanner)
{
    char mark = scanner->mark;
    /* Branches of #if may hold more braces than they close; functions end in the first column. */
    bool ends = mark == '}' && scanner->at[-2] == '\n';
    scanner->parentheses += mark == '(';
    scanner->parentheses -= mark == ')' && scanner->parentheses > 0;
    scanner->depth += mark == '{';
    scanner->depth -= mark == '}';
    if (scanner->in_loop && (mark == '}' || mark == ';') && scanner->depth <= scanner->loop_depth &&
        scanner->parentheses <= scanner->loop_parentheses)
        scanner->in_loop = false;
    if (scanner->depth == 0 || ends) {
        scanner->in_function = false;
        scanner->first[0] = '\0';
    }
}

static void begin_function(struct scanner *scanner)
{
    struct interval_guess *guess = scanner->guess;
    scanner->place = (struct place_in_source){arena_strdup(&guess->arena, scanner->name),
                                              scanner->file, scanner->name_line};
    VEC_PUSH(guess->functions, guess->function_count, guess->function_capacity) = scanner->place;
    scanner->in_function = true;
    scanner->in_loop = false;
    scanner->loop = NULL;
    scanner->depth = 1;
    scanner->parentheses = 0;
}

/* Steps over what stands in braces and is neither a function nor holds any. */
static void skip_braces(struct scanner *scanner)
{
    unsigned depth = 1;
    while (depth && next_token(scanner))
        depth = depth + (scanner->mark == '{') - (scanner->mark == '}');
}

static void take_outside(struct scanner *scanner, char before)
{
    static const char *const holders[] = {"namespace", "extern",   "class",
                                          "struct",    "template", NULL};
    static const char *const after_list[] = {"const", "noexcept", "override", "final", NULL};
    bool behind_list = before == ')';
    if (!scanner->mark) {
        if (!scanner->first[0])
            memcpy(scanner->first, scanner->word, sizeof scanner->first);
        const char *after = scanner->at + strspn(scanner->at, " \t\n");
        if (*after == '(' && strcmp(scanner->word, "__attribute__") != 0) {
            memcpy(scanner->name, scanner->word, sizeof scanner->name);
            scanner->name_line = scanner->line;
        }
        if (behind_list && is_one_of(scanner->word, after_list))
            scanner->mark = ')'; /* for the brace that follows */
    } else if (scanner->mark == '{' && behind_list && scanner->name[0]) {
        begin_function(scanner);
    } else if (scanner->mark == '{' && (before == '=' || !is_one_of(scanner->first, holders))) {
        skip_braces(scanner);
    } else if (strchr("{};", scanner->mark)) {
        scanner->first[0] = scanner->name[0] = '\0';
    }
}

void interval_guess_scan(struct interval_guess *guess, const char *file, const char *text)
{
    struct scanner scanner = {
        .guess = guess, .file = arena_strdup(&guess->arena, file), .at = text, .line = 1};
    char before = '\0';
    while (next_token(&scanner)) {
        if (!scanner.in_function)
            take_outside(&scanner, before);
        else if (scanner.mark)
            take_mark_in_body(&scanner);
        else
            take_word_in_body(&scanner);
        before = scanner.mark;
    }
    guess->file_count++;
}

/* ---- the likeliest ---- */

static const struct place_in_source *find_function(const struct interval_guess *guess,
                                                   const char *name)
{
    for (uint32_t i = 0; i < guess->function_count; i++)
        if (strcmp(guess->functions[i].function, name) == 0)
            return &guess->functions[i];
    return NULL;
}

static void judge_loop(struct interval_guess *guess, const struct request_loop *loop)
{
    const struct place_in_source *best = NULL;
    unsigned best_weight = 0;
    for (uint32_t i = 0; i < loop->call_count; i++) {
        const struct place_in_source *place = find_function(guess, loop->calls[i]);
        unsigned weight = place ? 1 + weight_of_name(place->function) : 0;
        if (weight > best_weight) {
            best = place;
            best_weight = weight;
        }
    }
    for (uint32_t i = 0; best && i < guess->likely_count; i++)
        if (guess->likely[i].place.line == best->line &&
            strcmp(guess->likely[i].place.file, best->file) == 0)
            best = NULL;
    if (best)
        VEC_PUSH(guess->likely, guess->likely_count, guess->likely_capacity) =
            (struct likely_interval){*best, loop->place, loop->source, loop->weight + best_weight};
}

static int compare_likely(const void *a, const void *b)
{
    const struct likely_interval *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    int order = strcmp(x->place.file, y->place.file);
    return order ? order : (x->place.line > y->place.line) - (x->place.line < y->place.line);
}

/* ---- files ---- */

/* nftw has no room for a context. */
static struct interval_guess *guess_;
static size_t prefix_;

static bool is_source(const char *name)
{
    static const char *const ends[] = {".c", ".cc", ".cpp", ".cxx", NULL};
    for (const char *const *end = ends; *end; end++)
        if (str_ends_with(name, *end))
            return true;
    return false;
}

static int visit(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    enum { MOST_BYTES = 4 << 20, MOST_FILES = 10000 };
    const char *name = path + place->base;
    struct error error;
    struct str text = {0};
    if (kind == FTW_D && place->level > 0 &&
        (name[0] == '.' || str_starts_with(name, "vprofiler-") || strcasestr(name, "test")))
        return FTW_SKIP_SUBTREE;
    if (kind == FTW_F && is_source(name) && !strcasestr(name, "test") &&
        status->st_size < MOST_BYTES && file_read(&text, path, &error))
        interval_guess_scan(guess_, path + prefix_, str_text(&text));
    str_release(&text);
    return guess_->file_count < MOST_FILES ? FTW_CONTINUE : FTW_STOP;
}

void interval_guess_find(struct interval_guess *guess, const char *source)
{
    guess_ = guess;
    prefix_ = strlen(source) + 1;
    nftw(source, visit, 32, FTW_PHYS | FTW_ACTIONRETVAL);
    for (uint32_t i = 0; i < guess->loop_count; i++)
        judge_loop(guess, &guess->loops[i]);
    if (guess->likely_count)
        qsort(guess->likely, guess->likely_count, sizeof *guess->likely, compare_likely);
}

void interval_guess_release(struct interval_guess *guess)
{
    memory_free(guess->functions);
    memory_free(guess->loops);
    memory_free(guess->likely);
    arena_release(&guess->arena);
    *guess = (struct interval_guess){0};
}
