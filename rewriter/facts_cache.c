#include "rewriter/facts_cache.h"

#include <ctype.h>
#include <fts.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder_limit.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "base/str.h"
#include "rewriter/compile_flags.h"
#include "rewriter/facts_pack.h"
#include "rewriter/input_stamp.h"
#include "rewriter/parser.h"

/* The head is in the byte order of the machine, which a record never leaves. Then the key, then
 * the facts. */
struct record_head {
    char magic[8];
    uint64_t checksum; /* of all that follows */
    uint64_t locations;
    uint64_t home; /* hash of the tree's path where the facts depend on it, else 0 */
    uint64_t key_bytes;
};

#define MOST_BYTES (UINT64_C(512) << 20) /* on disk: some 10,000 compilations */

static const char MAGIC[8] = "vpfacts8";
enum { CHECKED_FROM = offsetof(struct record_head, locations) };

struct facts_cache {
    char *folder; /* NULL: nothing is kept */
    char *tree;
    struct str words;          /* of the key, the same for all compilations */
    struct hash_map locations; /* hash of a file's name -> of where such files lie in the tree */
    uint64_t links;            /* hash of the links to folders in the tree */
    struct hash_map changed;   /* hash of a path below the tree -> of the text that is parsed */
    pthread_mutex_t lock;      /* guards what follows, and writing */
    struct intern paths;
    uint64_t *hashes; /* by path */
    size_t hash_count, hash_capacity;
    uint32_t parsed, cached;
};

static uint64_t hash_text(const char *text)
{
    return hash_bytes(text, strlen(text));
}

/* The tree ------------------------------------------------------------------------------------ */

/* The tree's path differs from one mirror to the next: "@" stands for it. */
static void append_without_tree(struct str *out, const char *text, const char *tree)
{
    size_t length = strlen(tree);
    for (const char *at; (at = strstr(text, tree)) != NULL; text = at + length) {
        char next = at[length];
        bool whole = !isalnum((unsigned char)next) && !strchr("._-+~", next ? next : ' ');
        str_append_bytes(out, text, (size_t)(at - text));
        str_append_bytes(out, whole ? "@" : at, whole ? 1 : length);
    }
    str_append(out, text);
}

static void note_link(struct facts_cache *cache, const char *path, uint64_t *location)
{
    char target[PATH_MAX];
    struct stat status;
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length < 0 ? 0 : length] = '\0';
    struct str text = {0};
    append_without_tree(&text, target, cache->tree);
    *location = hash_mix(*location ^ hash_text(str_text(&text)));
    str_release(&text);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        cache->links += *location;
}

static void find_locations(struct facts_cache *cache)
{
    char *roots[] = {cache->tree, NULL};
    FTS *entries = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; entries && (entry = fts_read(entries)) != NULL;) {
        bool link = entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE;
        if (entry->fts_info == FTS_D && strcmp(entry->fts_name, ".git") == 0)
            fts_set(entries, entry, FTS_SKIP);
        const char *below = path_below(entry->fts_path, cache->tree);
        if (!below || (!link && entry->fts_info != FTS_F))
            continue;
        uint64_t location = hash_mix(hash_text(below));
        if (link)
            note_link(cache, entry->fts_path, &location);
        *hash_map_put(&cache->locations, hash_text(entry->fts_name)) += location;
    }
    if (entries)
        fts_close(entries);
}

/* The hash says where the tree has files of the names that a compilation asked for. */
static uint64_t locations_of(const struct facts_cache *cache, const struct facts *part)
{
    uint64_t all = cache->links;
    for (uint32_t i = 0; i < part->input_count; i++) {
        const uint64_t *location = hash_map_get(&cache->locations, hash_text(part->inputs[i].name));
        all = hash_mix(all + (location ? *location : 0));
    }
    return all;
}

static uint64_t home_of(const struct facts_cache *cache, const struct facts *part)
{
    for (uint32_t i = 0; i < part->input_count; i++)
        if (part->inputs[i].escapes)
            return hash_text(cache->tree) | 1;
    return 0;
}

static uint64_t read_hash(const struct facts_cache *cache, const char *path)
{
    if (path[0] == '/')
        return input_stamp(path);
    const uint64_t *changed = hash_map_get(&cache->changed, hash_text(path));
    if (changed)
        return *changed;
    struct str full = {0}, text = {0};
    struct error ignored;
    path_join(&full, cache->tree, path);
    uint64_t hash =
        file_read(&text, full.data, &ignored) ? hash_bytes(str_text(&text), text.length) : 0;
    str_release(&full);
    str_release(&text);
    return hash;
}

/* Each file is read once; two threads that do so at the same time find the same. */
static uint64_t hash_of(struct facts_cache *cache, const char *path)
{
    pthread_mutex_lock(&cache->lock);
    uint32_t id = intern_find(&cache->paths, path);
    uint64_t hash = id == INTERN_NONE ? 0 : cache->hashes[id];
    pthread_mutex_unlock(&cache->lock);
    if (id != INTERN_NONE)
        return hash;
    hash = read_hash(cache, path);
    pthread_mutex_lock(&cache->lock);
    if (intern_add(&cache->paths, path) == cache->hash_count)
        VEC_PUSH(cache->hashes, cache->hash_count, cache->hash_capacity) = hash;
    pthread_mutex_unlock(&cache->lock);
    return hash;
}

static bool inputs_are_same(struct facts_cache *cache, const struct facts *part)
{
    for (uint32_t i = 0; i < part->input_count; i++) {
        const struct fact_input *input = &part->inputs[i];
        if (input->path[0] && hash_of(cache, input->path) != input->hash)
            return false;
    }
    return part->input_count > 0;
}

/* Records ------------------------------------------------------------------------------------- */

static void make_key(const struct facts_cache *cache, const struct compile_command *command,
                     struct str *key)
{
    struct arena arena = {0};
    struct compile_flags flags = compile_flags_for_parser(&arena, command, false);
    str_append(key, cache->words.data);
    append_without_tree(key, command->file, cache->tree);
    for (int i = 0; i < flags.count; i++) {
        str_append_char(key, '\n');
        append_without_tree(key, flags.items[i], cache->tree);
    }
    arena_release(&arena);
}

static void record_path(const struct facts_cache *cache, const struct str *key, struct str *path)
{
    str_printf(path, "%s/%016llx.facts", cache->folder,
               (unsigned long long)hash_bytes(key->data, key->length));
}

/* The facts follow the key; NULL where the text is no record of this key. */
static const char *check_record(const struct str *text, const struct str *key,
                                struct record_head *head)
{
    if (text->length < sizeof *head + key->length)
        return NULL;
    memcpy(head, text->data, sizeof *head);
    bool good =
        memcmp(head->magic, MAGIC, sizeof MAGIC) == 0 && head->key_bytes == key->length &&
        head->checksum == hash_bytes(text->data + CHECKED_FROM, text->length - CHECKED_FROM) &&
        memcmp(text->data + sizeof *head, key->data, key->length) == 0;
    return good ? text->data + sizeof *head + key->length : NULL;
}

static bool holds(struct facts_cache *cache, const struct record_head *head,
                  const struct facts *part)
{
    return head->locations == locations_of(cache, part) && head->home == home_of(cache, part) &&
           inputs_are_same(cache, part);
}

static bool read_record(struct facts_cache *cache, const struct str *text, const struct str *key,
                        struct facts *part)
{
    struct record_head head;
    const char *facts = check_record(text, key, &head);
    if (!facts || !facts_unpack(part, facts, (size_t)(text->data + text->length - facts)))
        return false;
    if (holds(cache, &head, part))
        return true;
    facts_release(part);
    return false;
}

bool facts_cache_get(struct facts_cache *cache, const struct compile_command *command,
                     struct facts *part)
{
    if (!cache || !cache->folder)
        return false;
    struct str key = {0}, path = {0}, text = {0};
    struct error ignored;
    make_key(cache, command, &key);
    record_path(cache, &key, &path);
    bool found = file_exists(path.data) && file_read(&text, path.data, &ignored) &&
                 read_record(cache, &text, &key, part);
    if (found) {
        folder_limit_touch(path.data);
        pthread_mutex_lock(&cache->lock);
        cache->cached++;
        pthread_mutex_unlock(&cache->lock);
    }
    str_release(&key);
    str_release(&path);
    str_release(&text);
    return found;
}

static void write_record(struct facts_cache *cache, const struct compile_command *command,
                         const struct facts *part)
{
    struct str key = {0}, path = {0}, text = {0};
    struct error ignored;
    make_key(cache, command, &key);
    record_path(cache, &key, &path);
    struct record_head head = {.locations = locations_of(cache, part),
                               .home = home_of(cache, part),
                               .key_bytes = key.length};
    memcpy(head.magic, MAGIC, sizeof MAGIC);
    str_append_bytes(&text, (const char *)&head, sizeof head);
    str_append_bytes(&text, key.data, key.length);
    facts_pack(&text, part);
    head.checksum = hash_bytes(text.data + CHECKED_FROM, text.length - CHECKED_FROM);
    memcpy(text.data, &head, sizeof head);
    pthread_mutex_lock(&cache->lock);
    file_write(path.data, text.data, text.length, &ignored);
    pthread_mutex_unlock(&cache->lock);
    str_release(&key);
    str_release(&path);
    str_release(&text);
}

void facts_cache_put(struct facts_cache *cache, const struct compile_command *command,
                     const struct facts *part)
{
    if (!cache)
        return;
    pthread_mutex_lock(&cache->lock);
    cache->parsed++;
    pthread_mutex_unlock(&cache->lock);
    if (cache->folder && part->input_count > 0 && part->unit_count == 1 && !part->failure_count)
        write_record(cache, command, part);
}

/* The cache ----------------------------------------------------------------------------------- */

static void note_overrides(struct facts_cache *cache, const struct facts_source *source)
{
    for (uint32_t i = 0; i < source->override_count; i++) {
        const struct fact_override *item = &source->overrides[i];
        const char *below = path_below(item->path, source->tree);
        if (below)
            *hash_map_put(&cache->changed, hash_text(below)) =
                hash_bytes(item->text, item->size_bytes);
    }
}

struct facts_cache *facts_cache_open(const char *folder, const struct facts_source *source)
{
    struct facts_cache *cache = memory_zeroed(sizeof *cache);
    struct error ignored;
    pthread_mutex_init(&cache->lock, NULL);
    if (!folder || !file_make_directories(folder, &ignored) || !file_is_own_folder(folder))
        return cache;
    cache->folder = memory_strdup(folder);
    folder_limit_keep(folder, MOST_BYTES);
    cache->tree = memory_strdup(source->tree);
    str_append(&cache->words, FACTS_CODE "\n");
    source->parser->words(&cache->words);
    str_append_char(&cache->words, '\n');
    note_overrides(cache, source);
    find_locations(cache);
    return cache;
}

void facts_cache_counts(const struct facts_cache *cache, uint32_t *parsed, uint32_t *cached)
{
    *parsed = cache->parsed;
    *cached = cache->cached;
}

void facts_cache_close(struct facts_cache *cache)
{
    if (!cache)
        return;
    memory_free(cache->folder);
    memory_free(cache->tree);
    memory_free(cache->hashes);
    str_release(&cache->words);
    hash_map_release(&cache->locations);
    hash_map_release(&cache->changed);
    intern_release(&cache->paths);
    pthread_mutex_destroy(&cache->lock);
    memory_free(cache);
}
