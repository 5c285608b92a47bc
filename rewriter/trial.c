#include "rewriter/trial.h"

#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "rewriter/clang/errors.h"
#include "rewriter/instrumented.h"
#include "rewriter/parser.h"
#include "rewriter/plan.h"
#include "rewriter/source_text.h"

/* A mark's text stands in an instrumented one from `begin` to `end`. */
struct stretch {
    uint32_t begin, end;
    const struct resolved_mark *mark;
};

/* A file's text with the marks that go into it. */
struct tried_file {
    uint32_t file;
    struct stretch *stretches;
    uint32_t count;
};

struct tried {
    struct fact_override *overrides; /* beside `files` */
    struct tried_file *files;
    uint32_t count;
};

/* The edited text is the end of the whole, and its edits are in order. */
static void find_stretches(const struct trial *trial, struct arena *arena,
                           const struct plan_file *plan, size_t pristine_bytes, size_t fresh_bytes,
                           struct tried_file *tried)
{
    size_t grown = 0;
    for (uint32_t i = 0; i < plan->edit_count; i++)
        grown += strlen(plan->edits[i].text);
    size_t start = fresh_bytes - pristine_bytes - grown, before = 0;
    tried->stretches = ARENA_ARRAY(arena, struct stretch, plan->edit_count);
    tried->count = plan->edit_count;
    for (uint32_t i = 0; i < plan->edit_count; i++) {
        size_t length = strlen(plan->edits[i].text), begin = start + plan->edits[i].offset + before;
        tried->stretches[i] =
            (struct stretch){(uint32_t)begin, (uint32_t)(begin + length),
                             &trial->resolved->marks[plan->edits[i].other_end - 1]};
        before += length;
    }
}

static bool try_file(const struct trial *trial, struct arena *arena, struct plan *plan,
                     uint32_t file, struct tried *tried)
{
    const struct fact_override *text = &trial->texts[file];
    struct str fresh = {0}, pristine = {0};
    struct error ignored;
    if (!text->text)
        return false;
    str_append_bytes(&pristine, text->text, text->size_bytes);
    bool ok = instrumented_text(&fresh, plan, file, &pristine, &ignored);
    if (ok) {
        struct tried_file *one = &tried->files[tried->count];
        one->file = file;
        find_stretches(trial, arena, &plan->files[file], pristine.length, fresh.length, one);
        tried->overrides[tried->count++] = (struct fact_override){
            text->path, arena_strndup(arena, str_text(&fresh), fresh.length), fresh.length};
    }
    str_release(&fresh);
    str_release(&pristine);
    return ok;
}

/* The file itself may be compiled, or be a header of what is. */
static const struct compile_command *command_of(const struct trial *trial, uint32_t file)
{
    const struct facts *facts = trial->facts;
    uint32_t from = FACT_NO_FILE;
    for (uint32_t i = 0; i < facts->unit_count; i++) {
        const struct fact_unit *unit = &facts->units[i];
        for (uint32_t k = 0; from == FACT_NO_FILE && k < unit->include_count; k++)
            if (unit->includes[k] == file)
                from = unit->file;
        if (unit->file == file)
            from = file;
    }
    const struct compile_db *db = trial->source->db;
    for (uint32_t i = 0; from != FACT_NO_FILE && i < db->count; i++) {
        const char *below = path_below(db->commands[i].file, trial->source->tree);
        if (below && strcmp(below, facts->files[from].path) == 0)
            return &db->commands[i];
    }
    return NULL;
}

/* Texts of the plan that end with ") " hold the id last, or before the type. */
static bool is_in_last(const char *expression, uint32_t *end, uint32_t at)
{
    uint32_t size = (uint32_t)strlen(expression);
    struct source_text source = {expression, size};
    size += source_macro_safe(&source, 0, size) ? 0 : 2;
    uint32_t begin = *end - size;
    bool in = at >= begin && at < *end;
    *end = begin - 2; /* the comma and the blank */
    return in;
}

struct blamed {
    const char *expression, *place;
};

/* What stands in none of them is about the value as a whole: the id's, as a rule. */
static struct blamed blame(const struct stretch *stretch, uint32_t offset)
{
    const struct mark_declaration *mark = stretch->mark->mark;
    uint32_t end = stretch->end - stretch->begin - 2;
    uint32_t at = offset - stretch->begin;
    const char *type = mark->type ? mark->type : "\"\"";
    bool in_type = mark->place != MARK_AT_EXIT && is_in_last(type, &end, at);
    if (in_type && mark->type)
        return (struct blamed){mark->type, mark->type_place};
    bool in_id = is_in_last(mark->id, &end, at);
    if (!in_id && mark->condition && is_in_last(mark->condition, &end, at))
        return (struct blamed){mark->condition, mark->condition_place};
    return (struct blamed){mark->id, mark->id_place};
}

static const struct stretch *stretch_at(const struct tried *tried, const struct parse_error *error)
{
    if (error->override == ERROR_ELSEWHERE)
        return NULL;
    const struct tried_file *file = &tried->files[error->override];
    for (uint32_t i = 0; i < file->count; i++)
        if (error->offset >= file->stretches[i].begin && error->offset < file->stretches[i].end)
            return &file->stretches[i];
    return NULL;
}

static const char *word_at(struct arena *arena, const struct fact_override *text, uint32_t offset)
{
    struct source_text source = {text->text, (uint32_t)text->size_bytes};
    struct token token = source_token(&source, offset);
    return token.kind == TOKEN_WORD
               ? arena_strndup(arena, text->text + token.begin, token.end - token.begin)
               : NULL;
}

static void tell(const struct trial *trial, const struct stretch *stretch,
                 const struct parse_error *found, struct error *error)
{
    const struct fact_function *function = &trial->facts->functions[stretch->mark->function];
    struct blamed blamed = blame(stretch, found->offset);
    error_set(error, ERROR_USAGE, "%s: `%s` does not compile in %s (%s:%u): %s.",
              blamed.place ? blamed.place : "the config", blamed.expression, function->name,
              trial->facts->files[function->file].path, function->line, found->text);
}

/* What follows from a wrong expression may stand anywhere: where all could be parsed without the
 * marks, the first error decides. */
static enum trial_verdict judge(const struct trial *trial, const struct tried *tried,
                                const struct parse_errors *errors, struct arena *arena,
                                const char **word, struct error *error)
{
    const struct stretch *first = NULL;
    uint32_t outside = 0, before = 0, which = 0;
    for (uint32_t i = 0; i < errors->count; i++) {
        const struct stretch *stretch = stretch_at(tried, &errors->items[i]);
        outside += !stretch && !errors->items[i].lenient;
        if (stretch && !first) {
            first = stretch;
            before = outside;
            which = i;
        }
    }
    if (!first && !outside)
        return TRIAL_GOOD;
    bool clean = trial->facts->failure_count == 0;
    if (!first || (clean ? before > 0 : outside > 0))
        return TRIAL_UNKNOWN;
    const struct parse_error *found = &errors->items[which];
    const struct fact_override *text = &tried->overrides[found->override];
    tell(trial, first, found, error);
    if (word)
        *word = word_at(arena, text, found->offset);
    return TRIAL_WRONG;
}

static void make_texts(const struct trial *trial, struct arena *arena, struct tried *tried,
                       bool *all)
{
    const struct rewrite_choice none = {0};
    struct plan plan;
    plan_build(&plan, trial->facts, &none, trial->resolved);
    tried->files = ARENA_ARRAY(arena, struct tried_file, trial->facts->file_count + 1);
    tried->overrides = ARENA_ARRAY(arena, struct fact_override, trial->facts->file_count + 1);
    for (uint32_t i = 0; i < trial->facts->file_count; i++)
        if (plan.files[i].edit_count > 0 && !try_file(trial, arena, &plan, i, tried))
            *all = false;
    plan_release(&plan);
}

enum trial_verdict trial_run(const struct trial *trial, struct arena *arena, const char **word,
                             struct error *error)
{
    struct tried tried = {0};
    bool all = true;
    make_texts(trial, arena, &tried, &all);
    struct facts_source source = *trial->source;
    source.overrides = tried.overrides;
    source.override_count = tried.count;
    for (uint32_t i = 0; i < tried.count; i++) {
        const struct compile_command *command = command_of(trial, tried.files[i].file);
        struct parse_errors errors;
        enum trial_verdict verdict = TRIAL_UNKNOWN;
        if (command && source.parser->find_errors(&errors, arena, &source, command))
            verdict = judge(trial, &tried, &errors, arena, word, error);
        if (verdict == TRIAL_WRONG)
            return verdict;
        all &= verdict == TRIAL_GOOD;
    }
    return all ? TRIAL_GOOD : TRIAL_UNKNOWN;
}
