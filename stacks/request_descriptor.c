#include "stacks/request_descriptor.h"

#include "base/hash_map.h"
#include "base/memory.h"

/* Who began to speak on a descriptor of a process. */
enum socket_side { SIDE_UNKNOWN, SIDE_SERVER, SIDE_CLIENT };

/* A thread's request on a descriptor. */
struct open_request {
    uint32_t request;        /* REQUEST_NONE: none is open */
    bool answered, accepted; /* ACCEPTED: nothing has been read from it since */
    time_ns answered_at, accepted_at;
};

struct descriptor_thread {
    uint32_t request; /* that it works for, or REQUEST_NONE ... */
    time_ns since;
    uint32_t open;      /* how many of its requests are */
    uint64_t *answered; /* keys of those that were, since it waited for many */
    size_t answered_count, answered_capacity;
};

/* A connection of a process. */
struct connection {
    enum socket_side side;
    uint32_t *readers; /* threads that accepted it, or began requests on it */
    size_t count, capacity;
};

struct descriptors {
    struct found_requests *list;
    struct hash_map at; /* process and descriptor -> index + 1 of a connection */
    struct connection *connections;
    size_t connection_count, connection_capacity;
    struct hash_map requests; /* thread and descriptor -> index + 1 of an open_request */
    struct open_request *open;
    size_t open_count, open_capacity;
    struct descriptor_thread *threads;
    size_t thread_count, thread_capacity;
    struct hash_map of; /* thread -> index + 1 */
};

static uint64_t key_of(uint32_t of, uint64_t descriptor)
{
    return (uint64_t)of << 32 | (uint32_t)descriptor;
}

static struct descriptor_thread *thread_of(struct descriptors *d, uint32_t thread)
{
    uint64_t *known = hash_map_put(&d->of, thread);
    if (!*known) {
        VEC_PUSH(d->threads, d->thread_count, d->thread_capacity) =
            (struct descriptor_thread){.request = REQUEST_NONE};
        *known = d->thread_count;
    }
    return &d->threads[*known - 1];
}

static struct open_request *open_of(struct descriptors *d, uint64_t key)
{
    uint64_t *known = hash_map_put(&d->requests, key);
    if (!*known) {
        VEC_PUSH(d->open, d->open_count, d->open_capacity) =
            (struct open_request){.request = REQUEST_NONE};
        *known = d->open_count;
    }
    return &d->open[*known - 1];
}

static void turn_to(struct descriptors *d, uint32_t thread, time_ns time, uint32_t request)
{
    struct descriptor_thread *at = thread_of(d, thread);
    found_requests_work(d->list, at->request, thread, at->since, time);
    at->request = request;
    at->since = time;
}

/* It ends with its answer, or without one in this way. */
static void end(struct descriptors *d, uint64_t key, time_ns time, enum request_fate without)
{
    struct open_request *open = open_of(d, key);
    uint32_t thread = (uint32_t)(key >> 32);
    if (open->request == REQUEST_NONE)
        return;
    found_requests_end(d->list, open->request, open->answered ? open->answered_at : time, thread,
                       open->answered ? REQUEST_COMPLETE : without);
    thread_of(d, thread)->open--;
    *open = (struct open_request){.request = REQUEST_NONE};
}

static struct connection *connection_of(struct descriptors *d, const struct request_hit *hit)
{
    uint64_t *known = hash_map_put(&d->at, key_of(hit->process, hit->value));
    if (!*known) {
        VEC_PUSH(d->connections, d->connection_count, d->connection_capacity) =
            (struct connection){.side = SIDE_UNKNOWN};
        *known = d->connection_count;
    }
    return &d->connections[*known - 1];
}

/* Told by the first thing that was seen of it. */
static enum socket_side side_of(struct descriptors *d, const struct request_hit *hit,
                                enum socket_side first)
{
    struct connection *connection = connection_of(d, hit);
    if (connection->side == SIDE_UNKNOWN)
        connection->side = first;
    return connection->side;
}

static void note_reader(struct descriptors *d, const struct request_hit *hit)
{
    struct connection *connection = connection_of(d, hit);
    for (size_t i = connection->count; i-- > 0;)
        if (connection->readers[i] == hit->thread)
            return;
    VEC_PUSH(connection->readers, connection->count, connection->capacity) = hit->thread;
}

static void begin(struct descriptors *d, const struct request_hit *hit, time_ns time)
{
    struct open_request *open = open_of(d, key_of(hit->thread, hit->value));
    struct request_hit begun = *hit;
    begun.time = time;
    *open = (struct open_request){.request = found_requests_begin(d->list, &begun, hit->value)};
    thread_of(d, hit->thread)->open++;
    note_reader(d, hit);
    turn_to(d, hit->thread, hit->time, open->request);
}

static void take_accept(struct descriptors *d, const struct request_hit *hit)
{
    struct open_request *open = open_of(d, key_of(hit->thread, hit->value));
    side_of(d, hit, SIDE_SERVER);
    note_reader(d, hit);
    open->accepted = true;
    open->accepted_at = hit->time;
}

static void take_read(struct descriptors *d, const struct request_hit *hit)
{
    uint64_t key = key_of(hit->thread, hit->value);
    if (side_of(d, hit, SIDE_SERVER) != SIDE_SERVER)
        return;
    end(d, key, hit->time, REQUEST_REPLACED);
    begin(d, hit, hit->time);
    d->list->items[open_of(d, key)->request].bytes = hit->second;
}

/* Those that have ended since are left out. */
static void note_answered(struct descriptors *d, struct descriptor_thread *thread, uint64_t key)
{
    size_t kept = 0;
    if (thread->answered_count < 2 * (size_t)thread->open + 16)
        kept = thread->answered_count;
    else
        for (size_t i = 0; i < thread->answered_count; i++)
            if (open_of(d, thread->answered[i])->answered)
                thread->answered[kept++] = thread->answered[i];
    thread->answered_count = kept;
    VEC_PUSH(thread->answered, thread->answered_count, thread->answered_capacity) = key;
}

static void take_write(struct descriptors *d, const struct request_hit *hit)
{
    uint64_t key = key_of(hit->thread, hit->value);
    if (side_of(d, hit, SIDE_CLIENT) != SIDE_SERVER)
        return;
    struct open_request *open = open_of(d, key);
    if (open->request == REQUEST_NONE && open->accepted)
        begin(d, hit, open->accepted_at);
    if (open->request == REQUEST_NONE)
        return;
    turn_to(d, hit->thread, hit->time, open->request);
    if (hit->role != TRACE_POINT_WROTE)
        return;
    if (!open->answered)
        note_answered(d, thread_of(d, hit->thread), key);
    open->answered = true;
    open->answered_at = hit->time;
}

static void take_poll(struct descriptors *d, const struct request_hit *hit)
{
    struct descriptor_thread *thread = thread_of(d, hit->thread);
    for (size_t i = 0; i < thread->answered_count; i++)
        if (open_of(d, thread->answered[i])->answered)
            end(d, thread->answered[i], hit->time, REQUEST_CUT);
    thread->answered_count = 0;
    bool only = thread->open == 1 && thread->request != REQUEST_NONE &&
                d->list->items[thread->request].fate == REQUEST_CUT;
    if (!only)
        turn_to(d, hit->thread, hit->time, REQUEST_NONE);
}

/* Whichever thread closes it. */
static void take_close(struct descriptors *d, const struct request_hit *hit)
{
    struct connection *connection = connection_of(d, hit);
    for (size_t i = 0; i < connection->count; i++) {
        uint64_t key = key_of(connection->readers[i], hit->value);
        end(d, key, hit->time, REQUEST_CLOSED);
        open_of(d, key)->accepted = false;
    }
    connection->side = SIDE_UNKNOWN;
    connection->count = 0;
}

static void take(struct descriptors *d, const struct request_hit *hit)
{
    switch (hit->role) {
    case TRACE_POINT_ACCEPT:
        take_close(d, hit); /* should its end have been missed */
        take_accept(d, hit);
        break;
    case TRACE_POINT_READ:
        take_read(d, hit);
        break;
    case TRACE_POINT_WRITES:
    case TRACE_POINT_WROTE:
        take_write(d, hit);
        break;
    case TRACE_POINT_CONNECT:
        take_close(d, hit);
        side_of(d, hit, SIDE_CLIENT);
        break;
    case TRACE_POINT_CLOSE:
        take_close(d, hit);
        break;
    case TRACE_POINT_POLL:
        take_poll(d, hit);
        break;
    default:
        break;
    }
}

/* An answer may go on behind the recording's end. */
static void finish(struct descriptors *d, time_ns until)
{
    for (size_t i = 0; i < d->requests.capacity; i++) {
        const struct hash_map_entry *entry = &d->requests.entries[i];
        struct open_request *open = entry->used ? &d->open[entry->value - 1] : NULL;
        if (open && open->request != REQUEST_NONE)
            found_requests_end(d->list, open->request, until, (uint32_t)(entry->key >> 32),
                               REQUEST_CUT);
    }
    for (size_t i = 0; i < d->of.capacity; i++)
        if (d->of.entries[i].used)
            turn_to(d, (uint32_t)d->of.entries[i].key, until, REQUEST_NONE);
}

static void release(struct descriptors *d)
{
    for (size_t i = 0; i < d->thread_count; i++)
        memory_free(d->threads[i].answered);
    memory_free(d->threads);
    for (size_t i = 0; i < d->connection_count; i++)
        memory_free(d->connections[i].readers);
    memory_free(d->connections);
    memory_free(d->open);
    hash_map_release(&d->at);
    hash_map_release(&d->requests);
    hash_map_release(&d->of);
}

void request_descriptors_find(struct found_requests *list, const struct request_hits *hits)
{
    struct descriptors d = {.list = list};
    for (size_t i = 0; i < hits->count; i++)
        take(&d, &hits->items[i]);
    finish(&d, hits->until);
    found_requests_close(list);
    release(&d);
}
