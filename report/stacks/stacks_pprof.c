#include "report/stacks/stacks_pprof.h"

#include <zlib.h>

#include "base/arena.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "pprof.pb-c.h"
#include "report/stacks/own_time.h"
#include "report/stacks/stacks_report.h"

enum { VALUES = 3 }; /* TIME_RAN, TIME_OFF, TIME_QUEUE */

/* What is made of arrays of pointers, as protobuf-c has them, lives in the arena. */
struct writing {
    const struct stacks *stacks;
    struct arena arena;
    struct intern texts, objects;
    Pprof__Profile profile;
    Pprof__Sample **samples;
    size_t sample_count, sample_capacity;
    uint32_t *location; /* by frame of the tree: its number, or 0 */
    Pprof__Location **locations;
    Pprof__Function **functions;
    Pprof__Mapping **mappings;
    size_t location_count, location_capacity, function_count, function_capacity, mapping_count,
        mapping_capacity;
};

/* Protocol buffers refuse what is no UTF-8. */
static int64_t text(struct writing *w, const char *plain)
{
    struct str clean = {0};
    utf8_clean(&clean, plain);
    uint32_t number = intern_add(&w->texts, str_text(&clean));
    str_release(&clean);
    return number;
}

#define MADE(w, type, init) made((w), sizeof(type), &(type)init)

static void *made(struct writing *w, size_t bytes, const void *init)
{
    char *copy = arena_alloc(&w->arena, bytes);
    for (size_t i = 0; i < bytes; i++)
        copy[i] = ((const char *)init)[i];
    return copy;
}

/* ---- functions ---- */

/* Each file that holds functions; they have names already, and are not looked for. */
static uint64_t mapping_of(struct writing *w, const char *object)
{
    uint32_t number = intern_add(&w->objects, object);
    if (number == w->mapping_count) {
        Pprof__Mapping *mapping = MADE(w, Pprof__Mapping, PPROF__MAPPING__INIT);
        mapping->id = number + 1;
        mapping->filename = text(w, *object ? object : "[none]");
        mapping->has_functions = mapping->has_filenames = mapping->has_line_numbers =
            mapping->has_inline_frames = true;
        VEC_PUSH(w->mappings, w->mapping_count, w->mapping_capacity) = mapping;
    }
    return number + 1;
}

static void add_function(struct writing *w, uint64_t id, const struct context_frame *frame)
{
    Pprof__Function *function = MADE(w, Pprof__Function, PPROF__FUNCTION__INIT);
    function->id = id;
    function->name = function->system_name = text(w, frame->function);
    function->filename = text(w, frame->file);
    function->start_line = frame->line;
    VEC_PUSH(w->functions, w->function_count, w->function_capacity) = function;
}

/* A function is a location. */
static uint64_t location_of(struct writing *w, uint32_t frame_number)
{
    const struct context_frame *frame = &w->stacks->times.fold.tree.frames[frame_number];
    if (w->location[frame_number])
        return w->location[frame_number];
    uint64_t id = w->location_count + 1;
    Pprof__Location *location = MADE(w, Pprof__Location, PPROF__LOCATION__INIT);
    Pprof__Line *line = MADE(w, Pprof__Line, PPROF__LINE__INIT);
    line->function_id = id;
    line->line = frame->line;
    location->id = id;
    location->mapping_id = mapping_of(w, frame->object);
    location->n_line = 1;
    location->line = ARENA_ARRAY(&w->arena, Pprof__Line *, 1);
    location->line[0] = line;
    add_function(w, id, frame);
    VEC_PUSH(w->locations, w->location_count, w->location_capacity) = location;
    w->location[frame_number] = (uint32_t)id;
    return id;
}

/* ---- samples ---- */

static Pprof__Label *label(struct writing *w, const char *key, const char *value)
{
    Pprof__Label *made_label = MADE(w, Pprof__Label, PPROF__LABEL__INIT);
    made_label->key = text(w, key);
    made_label->str = text(w, value);
    return made_label;
}

static void add_labels(struct writing *w, Pprof__Sample *sample, const struct own_time *own)
{
    const struct stacks *stacks = w->stacks;
    struct str group = {0}, reason = {0};
    stacks_node_name(stacks, stacks->times.group_node[context_group_of(&stacks->times, own->node)],
                     true, &group);
    sample->label = ARENA_ARRAY(&w->arena, Pprof__Label *, 2);
    sample->label[sample->n_label++] = label(w, "threads", group.data);
    if (own->reason != OWN_NO_REASON) {
        stacks_reason_name(stacks, own->reason, &reason);
        sample->label[sample->n_label++] = label(w, "waits for", reason.data);
    }
    str_release(&group);
    str_release(&reason);
}

static void take(void *context, const struct own_time *own)
{
    struct writing *w = context;
    const struct context_node *nodes = w->stacks->times.fold.tree.nodes;
    if ((int)own->kind >= VALUES)
        return;
    Pprof__Sample *sample = MADE(w, Pprof__Sample, PPROF__SAMPLE__INIT);
    sample->location_id = ARENA_ARRAY(&w->arena, uint64_t, nodes[own->node].depth);
    for (uint32_t n = own->node; nodes[n].depth > 1; n = nodes[n].parent)
        sample->location_id[sample->n_location_id++] = location_of(w, nodes[n].frame);
    sample->n_value = VALUES;
    sample->value = ARENA_ARRAY(&w->arena, int64_t, VALUES);
    sample->value[own->kind] = own->time;
    add_labels(w, sample, own);
    VEC_PUSH(w->samples, w->sample_count, w->sample_capacity) = sample;
}

/* ---- all ---- */

static void add_types(struct writing *w)
{
    static const char *const names[VALUES] = {
        [TIME_RAN] = "ran", [TIME_OFF] = "off", [TIME_QUEUE] = "queue"};
    w->profile.n_sample_type = VALUES;
    w->profile.sample_type = ARENA_ARRAY(&w->arena, Pprof__ValueType *, VALUES);
    for (int k = 0; k < VALUES; k++) {
        Pprof__ValueType *type = MADE(w, Pprof__ValueType, PPROF__VALUE_TYPE__INIT);
        type->type = text(w, names[k]);
        type->unit = text(w, "nanoseconds");
        w->profile.sample_type[k] = type;
    }
    w->profile.default_sample_type = text(w, names[TIME_RAN]);
}

/* The first file is taken for the program. */
static void add_program(struct writing *w)
{
    const struct context_tree *tree = &w->stacks->times.fold.tree;
    for (size_t f = 0; f < tree->frame_count; f++)
        if (tree->frames[f].kind == FRAME_PROGRAM) {
            mapping_of(w, tree->frames[f].object);
            return;
        }
}

static void fill(struct writing *w)
{
    Pprof__Profile *profile = &w->profile;
    text(w, "");
    add_types(w);
    add_program(w);
    own_times_visit(&w->stacks->times, take, w);
    profile->duration_nanos = w->stacks->until - w->stacks->from;
    profile->sample = w->samples;
    profile->n_sample = w->sample_count;
    profile->mapping = w->mappings;
    profile->n_mapping = w->mapping_count;
    profile->location = w->locations;
    profile->n_location = w->location_count;
    profile->function = w->functions;
    profile->n_function = w->function_count;
    profile->string_table = w->texts.text;
    profile->n_string_table = w->texts.count;
}

/* As gzip does. */
static bool compress_to(struct str *out, const unsigned char *bytes, size_t length)
{
    enum { GZIP = 16 + MAX_WBITS, MEMORY = 8 };
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)bytes, .avail_in = (uInt)length};
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP, MEMORY,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    uLong most = deflateBound(&stream, (uLong)length);
    unsigned char *packed = memory_alloc(most);
    stream.next_out = packed;
    stream.avail_out = (uInt)most;
    bool ok = deflate(&stream, Z_FINISH) == Z_STREAM_END;
    if (ok)
        str_append_bytes(out, (const char *)packed, stream.total_out);
    deflateEnd(&stream);
    memory_free(packed);
    return ok;
}

static void writing_release(struct writing *w)
{
    arena_release(&w->arena);
    intern_release(&w->texts);
    intern_release(&w->objects);
    memory_free(w->samples);
    memory_free(w->location);
    memory_free(w->locations);
    memory_free(w->functions);
    memory_free(w->mappings);
}

bool stacks_pprof_write(struct str *out, const struct stacks *stacks, struct error *error)
{
    struct writing w = {.stacks = stacks, .profile = PPROF__PROFILE__INIT};
    w.location = memory_zeroed((stacks->times.fold.tree.frame_count + 1) * sizeof *w.location);
    fill(&w);
    size_t length = pprof__profile__get_packed_size(&w.profile);
    unsigned char *bytes = memory_alloc(length + 1);
    pprof__profile__pack(&w.profile, bytes);
    bool ok = length < UINT32_MAX && compress_to(out, bytes, length);
    memory_free(bytes);
    writing_release(&w);
    return ok || error_set(error, ERROR_SYSTEM, "The profile of %zu bytes could not be compressed.",
                           length);
}
