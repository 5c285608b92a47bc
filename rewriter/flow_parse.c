/* Compilations are parsed on several threads, and added to the flow in the order of the db. */
#include "rewriter/flow_parse.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "rewriter/parser.h"

struct flow_parsing {
    struct flow *flow;
    const struct facts_source *source;
    pthread_mutex_t lock;
    pthread_cond_t turned;
    uint32_t next; /* to be parsed */
    uint32_t turn; /* to be added */
};

static bool is_in_tree(const struct facts_source *source, const struct compile_command *command)
{
    char *real = realpath(command->file, NULL);
    bool inside = real && path_below(real, source->tree);
    free(real);
    return inside;
}

static void *read_commands(void *data)
{
    struct flow_parsing *parsing = data;
    pthread_mutex_lock(&parsing->lock);
    while (parsing->next < parsing->source->db->count) {
        uint32_t at = parsing->next++;
        pthread_mutex_unlock(&parsing->lock);
        const struct parser *parser = parsing->source->parser;
        const struct compile_command *command = &parsing->source->db->commands[at];
        struct flow_unit *unit = is_in_tree(parsing->source, command)
                                     ? parser->parse_flow(parsing->source, command)
                                     : NULL;
        pthread_mutex_lock(&parsing->lock);
        while (parsing->turn != at)
            pthread_cond_wait(&parsing->turned, &parsing->lock);
        if (unit)
            parser->add_flow(parsing->flow, unit);
        parsing->turn++;
        pthread_cond_broadcast(&parsing->turned);
    }
    pthread_mutex_unlock(&parsing->lock);
    return NULL;
}

/* Deeply nested expressions recurse deeply. */
enum { READER_STACK_BYTES = 256 * 1024 * 1024 };

static void run_readers(struct flow_parsing *parsing)
{
    unsigned count = parsing->source->jobs ? parsing->source->jobs : 1, started = 0;
    pthread_t *threads = memory_alloc(count * sizeof *threads);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, READER_STACK_BYTES);
    while (started < count &&
           pthread_create(&threads[started], &attributes, read_commands, parsing) == 0)
        started++;
    if (started == 0)
        read_commands(parsing);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    memory_free(threads);
}

bool flow_parse(struct flow *flow, const struct facts_source *source, struct error *error)
{
    struct flow_parsing parsing = {.flow = flow, .source = source};
    pthread_mutex_init(&parsing.lock, NULL);
    pthread_cond_init(&parsing.turned, NULL);
    run_readers(&parsing);
    pthread_cond_destroy(&parsing.turned);
    pthread_mutex_destroy(&parsing.lock);
    return flow->unit_count > 0 ||
           error_set(error, ERROR_TARGET,
                     "None of the %u compile commands could be parsed below %s.", source->db->count,
                     source->tree);
}
