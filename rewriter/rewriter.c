#include "rewriter/rewriter.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/compiler_defaults.h"
#include "rewriter/facts_cache.h"
#include "rewriter/facts_parse.h"
#include "rewriter/instrumented.h"
#include "rewriter/library.h"
#include "rewriter/pace.h"
#include "rewriter/plan.h"
#include "rewriter/preamble.h"
#include "rewriter/resolve.h"
#include "rewriter/spare_header.h"
#include "rewriter/sync_name.h"
#include "rewriter/trial.h"

struct rewriter {
    struct arena arena;
    const char *tree;
    const char *pristine;
    struct facts_cache *cache;
    struct facts facts;
    struct resolved resolved;
    const enum pace *paces;
    struct plan plan;
    struct function_table table;
    uint32_t files_written;
    bool annotated; /* the source itself marks intervals */
};

/* Texts that are not touched ------------------------------------------------------------------ */

/* Every preamble, of whatever version, begins with the same line. */
static bool is_instrumented(const struct str *text)
{
    const char *end = strchr(rewriter_preamble, '\n');
    size_t line = (size_t)(end - rewriter_preamble) + 1;
    size_t mark = instrumented_mark_length(str_text(text), text->length);
    return text->length >= mark + line && memcmp(text->data + mark, rewriter_preamble, line) == 0;
}

static void pristine_path(const struct rewriter *rewriter, const char *file, struct str *path)
{
    path_join(path, rewriter->pristine, file);
}

/* The untouched text is the copy, where there is one. */
static bool read_pristine(const struct rewriter *rewriter, const char *file, struct str *text,
                          bool *copied, struct error *error)
{
    struct str path = {0};
    pristine_path(rewriter, file, &path);
    *copied = file_exists(path.data);
    if (!*copied)
        path_join(&path, rewriter->tree, file);
    bool ok = file_read(text, path.data, error);
    str_release(&path);
    return ok;
}

static bool save_pristine(const struct rewriter *rewriter, const char *file, const struct str *text,
                          struct error *error)
{
    struct str path = {0};
    pristine_path(rewriter, file, &path);
    char *slash = strrchr(path.data, '/');
    *slash = '\0';
    bool ok = file_make_directories(path.data, error);
    *slash = '/';
    ok = ok && file_write(path.data, str_text(text), text->length, error);
    str_release(&path);
    return ok;
}

/* Instrumented files that an earlier process left in the tree are parsed as they were before. A
 * copy whose file is not instrumented is out of date: the tree was filled afresh. */
struct overrides {
    struct fact_override *items;
    uint32_t count, capacity;
};

static void override_file(const struct rewriter *rewriter, struct arena *arena, const char *file,
                          struct overrides *overrides)
{
    struct str copy = {0}, now = {0}, path = {0};
    struct error ignored;
    pristine_path(rewriter, file, &path);
    bool read = file_read(&copy, path.data, &ignored);
    path_join(&path, rewriter->tree, file);
    bool instrumented = file_read(&now, path.data, &ignored) && is_instrumented(&now);
    if (read && instrumented) {
        struct fact_override item = {arena_strdup(arena, path.data),
                                     arena_strndup(arena, str_text(&copy), copy.length),
                                     copy.length};
        VEC_PUSH(overrides->items, overrides->count, overrides->capacity) = item;
    } else {
        pristine_path(rewriter, file, &path);
        unlink(path.data);
    }
    str_release(&copy);
    str_release(&now);
    str_release(&path);
}

static void read_overrides(const struct rewriter *rewriter, struct arena *arena,
                           struct overrides *overrides)
{
    char *roots[] = {arena_strdup(arena, rewriter->pristine), NULL};
    FTS *entries = file_exists(roots[0]) ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
    for (FTSENT *entry; entries && (entry = fts_read(entries)) != NULL;)
        if (entry->fts_info == FTS_F)
            override_file(rewriter, arena, path_below(entry->fts_path, roots[0]), overrides);
    if (entries)
        fts_close(entries);
}

/* Opening ------------------------------------------------------------------------------------- */

static void fill_table(struct rewriter *rewriter)
{
    const struct facts *facts = &rewriter->facts;
    struct function_table *table = &rewriter->table;
    bool hidden = false;
    for (uint32_t i = 0; i < facts->unit_count; i++)
        hidden |= (facts->units[i].sync & SYNC_TEAM_HIDDEN) != 0;
    table->functions = ARENA_ARRAY(&table->arena, struct function_info, facts->function_count + 1);
    table->function_count = facts->function_count;
    for (uint32_t i = 0; i < facts->function_count; i++) {
        const struct fact_function *from = &facts->functions[i];
        bool body = from->file != FACT_NO_FILE;
        table->functions[i] = (struct function_info){
            .name = from->name,
            .symbol = from->symbol,
            .file = body ? facts->files[from->file].path : "",
            .line = from->line,
            .body = body,
            .marks = from->marks,
            .callees = from->callees,
            .callee_count = from->callee_count,
            .indirect_calls = from->indirect_calls,
            .references = from->references,
            .reference_count = from->reference_count,
            .referenced = body && from->referenced,
            .type = from->type,
            .handles_signals = body && from->handles_signals,
            .team_unseen = body && from->team && (hidden || from->team_unseen),
            .calls_back = body ? CALLS_NOBODY : library_calls_back(from),
        };
    }
}

/* The declared marks make a function hold marks as well. */
static void note_declared_marks(struct rewriter *rewriter)
{
    for (uint32_t i = 0; i < rewriter->table.function_count; i++)
        rewriter->annotated |= rewriter->table.functions[i].marks;
    for (uint32_t i = 0; i < rewriter->resolved.mark_count; i++)
        if (rewriter->resolved.marks[i].mark->what != MARK_TYPE)
            rewriter->table.functions[rewriter->resolved.marks[i].function].marks = true;
}

static void list_failures(struct rewriter *rewriter)
{
    for (uint32_t i = 0; i < rewriter->facts.failure_count; i++) {
        const struct fact_failure *failure = &rewriter->facts.failures[i];
        plan_skip(&rewriter->plan, failure->file, failure->line, "", failure->reason);
    }
}

static void clear_plan(struct rewriter *rewriter)
{
    rewriter->table.probes = NULL;
    rewriter->table.probe_count = 0;
    plan_release(&rewriter->plan);
}

static bool open_facts(struct rewriter *rewriter, const struct rewriter_options *options,
                       struct error *error)
{
    struct arena arena = {0};
    struct overrides overrides = {0};
    read_overrides(rewriter, &arena, &overrides);
    compiler_defaults_find(options->db);
    struct facts_source source = {
        .parser = options->parser,
        .tree = rewriter->tree,
        .db = options->db,
        .jobs = options->jobs,
        .overrides = overrides.items,
        .override_count = overrides.count,
    };
    source.cache = rewriter->cache = facts_cache_open(options->cache, &source);
    bool ok = facts_parse(&rewriter->facts, &source, error);
    memory_free(overrides.items);
    arena_release(&arena);
    return ok;
}

/* NULL where there are no facts. */
static struct rewriter *begin(const struct rewriter_options *options, struct error *error)
{
    char *tree = realpath(options->tree, NULL);
    if (!tree) {
        error_system(error, "Can't find the work tree %s", options->tree);
        return NULL;
    }
    struct rewriter *rewriter = memory_zeroed(sizeof *rewriter);
    rewriter->tree = arena_strdup(&rewriter->arena, tree);
    struct str pristine = {0};
    path_join(&pristine, "/", options->pristine);
    rewriter->pristine = arena_strdup(&rewriter->arena, pristine.data);
    str_release(&pristine);
    free(tree);
    if (open_facts(rewriter, options, error))
        return rewriter;
    rewriter_close(rewriter);
    return NULL;
}

static bool resolve(struct rewriter *rewriter, const struct rewriter_options *options,
                    struct error *error)
{
    return resolve_declarations(&rewriter->resolved, &rewriter->arena, &rewriter->facts,
                                options->declarations, error);
}

struct rewriter *rewriter_open(const struct rewriter_options *options, struct error *error)
{
    struct rewriter *rewriter = begin(options, error);
    if (!rewriter || !resolve(rewriter, options, error)) {
        rewriter_close(rewriter);
        return NULL;
    }
    rewriter->paces = pace_find(&rewriter->arena, &rewriter->facts, &rewriter->resolved);
    fill_table(rewriter);
    note_declared_marks(rewriter);
    list_failures(rewriter);
    return rewriter;
}

static void read_marked_texts(struct rewriter *rewriter, struct arena *arena,
                              struct fact_override *texts)
{
    for (uint32_t i = 0; i < rewriter->resolved.mark_count; i++) {
        uint32_t function = rewriter->resolved.marks[i].function;
        uint32_t file = rewriter->facts.functions[function].file;
        const char *path = rewriter->facts.files[file].path;
        struct str text = {0}, absolute = {0};
        struct error ignored;
        bool copied;
        path_join(&absolute, rewriter->tree, path);
        if (!texts[file].text && read_pristine(rewriter, path, &text, &copied, &ignored))
            texts[file] = (struct fact_override){arena_strdup(arena, absolute.data),
                                                 arena_strndup(arena, str_text(&text), text.length),
                                                 text.length};
        str_release(&text);
        str_release(&absolute);
    }
}

enum trial_verdict rewriter_try(struct rewriter *rewriter, const struct rewriter_options *options,
                                char word[], size_t word_bytes, struct error *error)
{
    struct arena arena = {0};
    struct facts_source source = {
        .parser = options->parser, .tree = rewriter->tree, .db = options->db};
    struct trial trial = {
        .facts = &rewriter->facts,
        .resolved = &rewriter->resolved,
        .source = &source,
        .texts = ARENA_ARRAY(&arena, struct fact_override, rewriter->facts.file_count + 1)};
    const char *stumbled = NULL;
    read_marked_texts(rewriter, &arena, trial.texts);
    enum trial_verdict verdict = trial_run(&trial, &arena, &stumbled, error);
    snprintf(word, word_bytes, "%s", stumbled ? stumbled : "");
    arena_release(&arena);
    return verdict;
}

/* A function that is not found may be elsewhere in the program, and a line in what was not parsed. */
enum trial_verdict rewriter_try_marks(const struct rewriter_options *options, char word[],
                                      size_t word_bytes, struct error *error)
{
    struct error ignored;
    struct rewriter *rewriter = begin(options, &ignored);
    enum trial_verdict verdict = TRIAL_UNKNOWN;
    *word = '\0';
    if (rewriter && resolve(rewriter, options, error))
        verdict = rewriter_try(rewriter, options, word, word_bytes, error);
    else if (rewriter && rewriter->facts.failure_count == 0 &&
             resolve_finds(&rewriter->facts, options->declarations))
        verdict = TRIAL_WRONG;
    rewriter_close(rewriter);
    return verdict;
}

struct function_table *rewriter_table(struct rewriter *rewriter)
{
    return &rewriter->table;
}

/* A round ------------------------------------------------------------------------------------- */

/* These files get the preamble: those with edits, and the main file of every compilation that
 * includes one, so that it comes first there, before any brace that an #include stands in. */
static bool *files_with_preamble(const struct rewriter *rewriter)
{
    const struct facts *facts = &rewriter->facts;
    bool *chosen = memory_zeroed((facts->file_count + 1) * sizeof *chosen);
    for (uint32_t i = 0; i < facts->file_count; i++)
        chosen[i] = rewriter->plan.files[i].edit_count > 0 || *rewriter->plan.files[i].lines;
    for (uint32_t i = 0; i < facts->unit_count; i++)
        for (uint32_t k = 0; k < facts->units[i].include_count; k++)
            if (rewriter->plan.files[facts->units[i].includes[k]].edit_count > 0)
                chosen[facts->units[i].file] = true;
    return chosen;
}

/* The file is replaced by rename and keeps its mode. */
static bool write_keeping_mode(const char *path, const struct str *text, struct error *error)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return error_system(error, "Can't find %s", path);
    struct str fresh = {0};
    str_printf(&fresh, "%s.vprof-new", path);
    bool ok = file_write(fresh.data, str_text(text), text->length, error);
    if (ok && (chmod(fresh.data, status.st_mode & 0777) != 0 || rename(fresh.data, path) != 0)) {
        ok = error_system(error, "Can't replace %s", path);
        unlink(fresh.data);
    }
    str_release(&fresh);
    return ok;
}

static bool write_if_changed(struct rewriter *rewriter, const char *file, const struct str *text,
                             struct error *error)
{
    struct str path = {0}, now = {0};
    path_join(&path, rewriter->tree, file);
    bool ok = file_read(&now, path.data, error);
    if (ok &&
        (now.length != text->length || memcmp(str_text(&now), str_text(text), text->length) != 0)) {
        ok = write_keeping_mode(path.data, text, error);
        rewriter->files_written += ok;
    }
    str_release(&path);
    str_release(&now);
    return ok;
}

/* The file's probes are not in the text after all. */
static void drop_probes(struct rewriter *rewriter, uint32_t file)
{
    const char *path = rewriter->facts.files[file].path;
    for (uint32_t i = 0; i < rewriter->plan.probe_count; i++)
        if (strcmp(rewriter->plan.probes[i].file, path) == 0)
            rewriter->plan.probes[i] =
                (struct probe_info){.function = FUNCTION_NONE, .within = FUNCTION_NONE, .file = ""};
}

static bool rewrite_file(struct rewriter *rewriter, uint32_t file, bool chosen, struct error *error)
{
    const struct fact_file *fact = &rewriter->facts.files[file];
    struct str pristine = {0}, fresh = {0};
    struct error missing;
    bool copied = false, ok = true;
    if (!read_pristine(rewriter, fact->path, &pristine, &copied, &missing)) {
        if (chosen)
            plan_skip(&rewriter->plan, fact->path, 0, "", obstacle_text(OBSTACLE_FILE_GONE));
        drop_probes(rewriter, file);
    } else if (chosen && hash_bytes(str_text(&pristine), pristine.length) != fact->hash) {
        plan_skip(&rewriter->plan, fact->path, 0, "", obstacle_text(OBSTACLE_FILE_CHANGED));
        drop_probes(rewriter, file);
    } else if (chosen) {
        ok = instrumented_text(&fresh, &rewriter->plan, file, &pristine, error) &&
             (copied || save_pristine(rewriter, fact->path, &pristine, error)) &&
             write_if_changed(rewriter, fact->path, &fresh, error);
    } else if (copied) {
        ok = write_if_changed(rewriter, fact->path, &pristine, error);
    }
    str_release(&pristine);
    str_release(&fresh);
    return ok;
}

bool rewriter_rewrite(struct rewriter *rewriter, const struct rewrite_choice *choice,
                      struct error *error)
{
    clear_plan(rewriter);
    plan_build(&rewriter->plan, &rewriter->facts, choice, &rewriter->resolved);
    spare_headers(&rewriter->plan, &rewriter->facts);
    list_failures(rewriter);
    rewriter->files_written = 0;
    bool *chosen = files_with_preamble(rewriter);
    bool ok = true;
    for (uint32_t i = 0; ok && i < rewriter->facts.file_count; i++)
        ok = rewrite_file(rewriter, i, chosen[i], error);
    memory_free(chosen);
    rewriter->table.probes = rewriter->plan.probes;
    rewriter->table.probe_count = rewriter->plan.probe_count;
    return ok;
}

const enum pace *rewriter_paces(const struct rewriter *rewriter)
{
    return rewriter->paces;
}

bool rewriter_annotated(const struct rewriter *rewriter)
{
    return rewriter->annotated;
}

const struct rewriter_skip *rewriter_skips(const struct rewriter *rewriter, uint32_t *count)
{
    *count = rewriter->plan.skip_count;
    return rewriter->plan.skips;
}

uint32_t rewriter_files_parsed(const struct rewriter *rewriter)
{
    uint32_t parsed, cached;
    facts_cache_counts(rewriter->cache, &parsed, &cached);
    return parsed;
}

uint32_t rewriter_files_cached(const struct rewriter *rewriter)
{
    uint32_t parsed, cached;
    facts_cache_counts(rewriter->cache, &parsed, &cached);
    return cached;
}

uint32_t rewriter_files_written(const struct rewriter *rewriter)
{
    return rewriter->files_written;
}

void rewriter_close(struct rewriter *rewriter)
{
    if (!rewriter)
        return;
    clear_plan(rewriter);
    facts_release(&rewriter->facts);
    facts_cache_close(rewriter->cache);
    arena_release(&rewriter->table.arena);
    arena_release(&rewriter->arena);
    memory_free(rewriter);
}
