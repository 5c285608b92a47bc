/* All commands are read on several threads; what they give is merged in the order of the db. */
#include "rewriter/facts_parse.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "rewriter/facts_cache.h"
#include "rewriter/facts_merge.h"
#include "rewriter/parser.h"

struct reading {
    const struct facts_source *source;
    pthread_mutex_t lock; /* guards what follows, but for the merger */
    uint32_t next;        /* command to be read */
    uint32_t to_merge;    /* command whose facts are merged next */
    bool merging;         /* by one of the threads: the merger is its own */
    struct facts **parts; /* by command: read, and not merged yet */
    uint32_t parsed;
    struct facts_merger *merger;
};

static bool is_in_tree(const struct facts_source *source, const struct compile_command *command)
{
    char *real = realpath(command->file, NULL);
    bool inside = real && path_below(real, source->tree);
    free(real);
    return inside;
}

/* No thread waits for another one: who comes while someone merges leaves the part to it. */
static void merge_part(struct reading *reading, uint32_t at, struct facts *part)
{
    pthread_mutex_lock(&reading->lock);
    reading->parts[at] = part;
    while (!reading->merging && reading->to_merge < reading->source->db->count &&
           reading->parts[reading->to_merge]) {
        struct facts *first = reading->parts[reading->to_merge];
        reading->parts[reading->to_merge++] = NULL;
        reading->merging = true;
        pthread_mutex_unlock(&reading->lock);
        facts_merger_add(reading->merger, first);
        uint32_t units = first->unit_count;
        facts_release(first);
        memory_free(first);
        pthread_mutex_lock(&reading->lock);
        reading->parsed += units;
        reading->merging = false;
    }
    pthread_mutex_unlock(&reading->lock);
}

static void *reader(void *data)
{
    struct reading *reading = data;
    for (;;) {
        pthread_mutex_lock(&reading->lock);
        uint32_t at = reading->next++;
        pthread_mutex_unlock(&reading->lock);
        if (at >= reading->source->db->count)
            return NULL;
        const struct compile_command *command = &reading->source->db->commands[at];
        struct facts *part = memory_zeroed(sizeof *part);
        struct facts_cache *cache = reading->source->cache;
        if (is_in_tree(reading->source, command) && !facts_cache_get(cache, command, part)) {
            reading->source->parser->read(part, reading->source, command);
            facts_cache_put(cache, command, part);
        }
        merge_part(reading, at, part);
    }
}

/* Deeply nested expressions recurse deeply. */
enum { READER_STACK_BYTES = 256 * 1024 * 1024 };

static void run_readers(struct reading *reading)
{
    unsigned count = reading->source->jobs ? reading->source->jobs : 1;
    pthread_t *threads = memory_alloc(count * sizeof *threads);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, READER_STACK_BYTES);
    unsigned started = 0;
    while (started < count && pthread_create(&threads[started], &attributes, reader, reading) == 0)
        started++;
    if (started == 0)
        reader(reading);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    memory_free(threads);
}

bool facts_parse(struct facts *facts, const struct facts_source *source, struct error *error)
{
    struct reading reading = {.source = source, .merger = facts_merger_new()};
    reading.parts = memory_zeroed((source->db->count + 1) * sizeof(struct facts *));
    pthread_mutex_init(&reading.lock, NULL);
    run_readers(&reading);
    pthread_mutex_destroy(&reading.lock);
    memory_free(reading.parts);
    facts_merger_finish(reading.merger, facts);
    if (reading.parsed)
        return true;
    error_set(error, ERROR_TARGET, "None of the %u compile commands could be parsed below %s. %s%s",
              source->db->count, source->tree, facts->failure_count ? "The first one says: " : "",
              facts->failure_count ? facts->failures[0].reason
                                   : "Check that they name source files of this tree.");
    facts_release(facts);
    return false;
}
