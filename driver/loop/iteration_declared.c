#include "driver/loop/iteration.h"

#include <fts.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "driver/cli/talk.h"
#include "driver/workbench/installation.h"

/* ---- what is compiled how, before anything is built ---- */

enum { MOST_TRIED = 16, MOST_FOLDERS = 64, WORD_BYTES = 128 };
enum { MOST_BYTES = 256 << 20 }; /* of texts; beyond it nothing is known to be nowhere */

/* The texts of the tree, without its output. */
struct sources {
    struct arena arena;
    const char **paths, **texts; /* absolute; C and C++ alone */
    uint32_t count, capacity;
    const char *folders[MOST_FOLDERS]; /* that hold headers */
    uint32_t folder_count;
    size_t bytes;
    bool partial;
};

static bool ends_as_any(const char *name, const char *const *ends)
{
    for (; *ends; ends++)
        if (str_ends_with(name, *ends))
            return true;
    return false;
}

static bool is_header(const char *name)
{
    static const char *const ENDS[] = {".h", ".hh", ".hpp", ".hxx", ".inl", NULL};
    return ends_as_any(name, ENDS);
}

static bool is_source(const char *name)
{
    static const char *const ENDS[] = {".c", ".cc", ".cpp", ".cxx", ".C", ".c++", NULL};
    return ends_as_any(name, ENDS);
}

static void add_folder(struct sources *sources, const char *path)
{
    const char *folder =
        arena_strndup(&sources->arena, path, (size_t)(path_last_part(path) - path) - 1);
    for (uint32_t i = 0; i < sources->folder_count; i++)
        if (strcmp(sources->folders[i], folder) == 0)
            return;
    if (sources->folder_count < MOST_FOLDERS)
        sources->folders[sources->folder_count++] = folder;
}

static void add_source(struct sources *sources, const char *path, bool header)
{
    struct str text = {0};
    struct error ignored;
    sources->partial |= sources->bytes > MOST_BYTES;
    if (!sources->partial && file_read(&text, path, &ignored)) {
        sources->bytes += text.length;
        if (sources->count == sources->capacity) {
            sources->capacity = sources->capacity ? 2 * sources->capacity : 64;
            size_t room = sources->capacity;
            sources->paths = memory_resize(sources->paths, room * sizeof *sources->paths);
            sources->texts = memory_resize(sources->texts, room * sizeof *sources->texts);
        }
        sources->paths[sources->count] = arena_strdup(&sources->arena, path);
        sources->texts[sources->count++] = arena_strdup(&sources->arena, str_text(&text));
        if (header)
            add_folder(sources, path);
    }
    str_release(&text);
}

static void read_sources(struct sources *sources, char *tree)
{
    char *roots[] = {tree, NULL};
    FTS *entries = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; entries && (entry = fts_read(entries)) != NULL;)
        if (entry->fts_info == FTS_F && (is_header(entry->fts_name) || is_source(entry->fts_name)))
            add_source(sources, entry->fts_path, is_header(entry->fts_name));
    if (entries)
        fts_close(entries);
}

static void sources_release(struct sources *sources)
{
    memory_free(sources->paths);
    memory_free(sources->texts);
    arena_release(&sources->arena);
}

static bool is_of_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += length)
        if ((at == text || !is_of_word(at[-1])) && !is_of_word(at[length]))
            return true;
    return false;
}

/* What was not read may have it. */
static bool any_has_word(const struct sources *sources, const char *word)
{
    for (uint32_t i = 0; i < sources->count; i++)
        if (has_word(sources->texts[i], word))
            return true;
    return sources->partial;
}

static const char *last_name(const char *function)
{
    const char *colon = strrchr(function, ':');
    return colon ? colon + 1 : function;
}

static const char *text_of(const struct sources *sources, const char *path)
{
    for (uint32_t i = 0; i < sources->count; i++)
        if (strcmp(sources->paths[i], path) == 0)
            return sources->texts[i];
    return NULL;
}

/* Where nothing is known of the flags, headers are looked for in all folders that have some. */
static struct compile_command guess_command(struct sources *sources, const char *tree,
                                            const char *path)
{
    struct arena *arena = &sources->arena;
    bool plain = str_ends_with(path, ".c");
    uint32_t count = 0;
    const char **words = ARENA_ARRAY(arena, const char *, MOST_FOLDERS + 8);
    words[count++] = plain ? "cc" : "c++";
    words[count++] = arena_printf(arena, "-I%s", tree);
    for (uint32_t i = 0; i < sources->folder_count; i++)
        words[count++] = arena_printf(arena, "-I%s", sources->folders[i]);
    words[count++] = arena_printf(arena, "-I%s", installation_include());
    words[count++] = "-c";
    words[count++] = path;
    return (struct compile_command){
        .directory = tree, .file = path, .arguments = words, .argument_count = count};
}

/* The commands of a file that the mark may go into. */
static void choose_commands(const struct iteration *it, struct sources *sources, const char *word,
                            struct compile_db *chosen)
{
    chosen->commands = ARENA_ARRAY(&sources->arena, struct compile_command, MOST_TRIED);
    for (uint32_t i = 0; i < it->db.count && chosen->count < MOST_TRIED; i++) {
        const char *text = text_of(sources, it->db.commands[i].file);
        if (text && has_word(text, word))
            chosen->commands[chosen->count++] = it->db.commands[i];
    }
    for (uint32_t i = 0; !it->db.count && i < sources->count && chosen->count < MOST_TRIED; i++)
        if (is_source(sources->paths[i]) && has_word(sources->texts[i], word))
            chosen->commands[chosen->count++] =
                guess_command(sources, it->workdir.tree.data, sources->paths[i]);
}

static struct rewriter_options trial_options(const struct iteration *it, struct compile_db *db,
                                             const struct declarations *declarations)
{
    return (struct rewriter_options){.parser = it->parser,
                                     .tree = it->workdir.tree.data,
                                     .pristine = it->workdir.pristine.data,
                                     .db = db,
                                     .declarations = declarations,
                                     .jobs = it->options->jobs};
}

/* A macro may make the name of a function out of parts. What the mark before names too is said
 * once. */
static bool note_unknown(const struct iteration *it, const struct sources *sources,
                         const struct mark_declaration *mark)
{
    bool again =
        mark > it->config.declarations.marks && strcmp(mark[-1].function, mark->function) == 0;
    if (!again && sources->count > 0 && !any_has_word(sources, last_name(mark->function)))
        talk("[0] the config names the function %s, which is no word of any source file. A macro "
             "may make it, so the build goes on",
             mark->function);
    return true;
}

/* With flags that are a guess, only a word that is nowhere in the tree is surely wrong. */
static bool try_mark(const struct iteration *it, struct sources *sources,
                     struct mark_declaration *mark, struct error *error)
{
    struct compile_db chosen = {0};
    struct declarations one = {.marks = mark, .mark_count = 1};
    char word[WORD_BYTES];
    choose_commands(it, sources, last_name(mark->function), &chosen);
    if (chosen.count == 0)
        return note_unknown(it, sources, mark);
    struct rewriter_options options = trial_options(it, &chosen, &one);
    bool wrong = rewriter_try_marks(&options, word, sizeof word, error) == TRIAL_WRONG;
    arena_release(&chosen.arena);
    if (!wrong)
        return true;
    struct error said = *error;
    bool sure = it->db.count > 0 || (*word && !any_has_word(sources, word));
    if (!sure)
        talk("[0] %s The flags of the build are not known yet: it is tried again with them",
             error->message);
    else
        error_set(error, said.code, "%s Nothing was built yet.", said.message);
    return !sure;
}

bool iteration_try_unbuilt(struct iteration *it, struct error *error)
{
    struct declarations *all = &it->config.declarations;
    struct sources sources = {0};
    bool ok = true;
    if (all->mark_count == 0)
        return true;
    talk_phase("[0] try the declarations");
    read_sources(&sources, it->workdir.tree.data);
    for (uint32_t i = 0; ok && i < all->mark_count; i++)
        ok = try_mark(it, &sources, &all->marks[i], error);
    sources_release(&sources);
    return ok;
}

bool iteration_try_declared(struct iteration *it, struct error *error)
{
    struct rewriter_options options = trial_options(it, &it->db, &it->config.declarations);
    char word[WORD_BYTES];
    return it->config.declarations.mark_count == 0 ||
           rewriter_try(it->rewriter, &options, word, sizeof word, error) != TRIAL_WRONG;
}
