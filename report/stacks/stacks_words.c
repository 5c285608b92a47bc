#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "report/stacks/stacks_report.h"
#include "stacks/group_name.h"

enum { MOST_CALLERS = 4, MOST_REASONS = HEAVIEST_REASONS };
/* A smaller part of the time is not told in a sentence (chosen). */
#define LEAST_TOLD 0.005
/* A function has one context, if that has so much of its time. */
#define NEARLY_ALL 0.95

const char *stacks_layer_name(enum frame_kind kind)
{
    static const char *const names[] = {[FRAME_KERNEL] = "kernel",
                                        [FRAME_LIBRARY] = "library",
                                        [FRAME_PROGRAM] = "program",
                                        [FRAME_NONE] = "none"};
    return names[kind];
}

const char *stacks_cause_name(enum off_cause cause)
{
    static const char *const names[] = {
        [OFF_RUNNABLE] = "runnable", [OFF_UNKNOWN] = "unknown",  [OFF_THREAD] = "thread",
        [OFF_LOCK] = "lock",         [OFF_TIMER] = "timer",      [OFF_NETWORK] = "network",
        [OFF_READ] = "disk read",    [OFF_WRITE] = "disk write", [OFF_INTERRUPT] = "interrupt"};
    return names[cause];
}

static void append_thread(const struct stacks *stacks, const struct off_reason *why,
                          struct str *out)
{
    if (why->whom == REASON_NOBODY) {
        str_append(out, "a thread that is not known");
        return;
    }
    const struct thread_group *group = &stacks->groups.items[why->whom];
    char *name = group_name(group);
    str_printf(out, "%s%s", name, group->client ? " (another program)" : "");
    memory_free(name);
}

static void append_disk(const struct stacks *stacks, const struct off_reason *why, struct str *out)
{
    const char *name = kernel_device_name(stacks->run->kernel_side, why->whom);
    if (name)
        str_printf(out, "the disk %s", name);
    else
        str_append(out, "a disk");
    str_append(out, why->cause == OFF_READ ? " (read)" : " (write)");
}

void stacks_reason_name(const struct stacks *stacks, uint32_t reason, struct str *out)
{
    const struct off_reason *why = &stacks->times.whys.items[reason];
    switch (why->cause) {
    case OFF_THREAD:
    case OFF_LOCK:
        append_thread(stacks, why, out);
        break;
    case OFF_READ:
    case OFF_WRITE:
        append_disk(stacks, why, out);
        break;
    case OFF_TIMER:
        str_append(out, "a timer");
        break;
    case OFF_NETWORK:
        str_append(out, "the network");
        break;
    case OFF_INTERRUPT:
        str_append(out, "an interrupt");
        break;
    case OFF_RUNNABLE:
    case OFF_UNKNOWN:
    case OFF_CAUSES:
        str_append(out, "what is not known");
        break;
    }
}

void stacks_node_name(const struct stacks *stacks, uint32_t node, bool utf8, struct str *out)
{
    const struct context_fold *fold = &stacks->times.fold;
    if (node == CONTEXT_ROOT) {
        str_append(out, "all threads");
        return;
    }
    const char *name = fold->tree.frames[fold->tree.nodes[node].frame].function;
    str_append(out, name);
    if (fold->deepest[node] > 1 && *name != '[')
        str_printf(out, " %s%u", utf8 ? "\u00d7" : "x", fold->deepest[node]);
}

/* ---- the first sentence ---- */

/* "8 threads of server", "8 threads worker-# of server", "server" */
static void append_whose(const struct stacks *stacks, uint32_t index, struct str *out)
{
    struct thread_group group = stacks->groups.items[index];
    bool named = strcmp(group.process, group.name) != 0;
    if (group.threads > 1)
        str_printf(out, "%u threads %s", group.threads, named || group.main ? "" : "of ");
    uint32_t threads = group.threads;
    group.threads = 1;
    char *name =
        threads > 1 && !named && !group.main ? memory_strdup(group.name) : group_name(&group);
    str_append(out, name);
    memory_free(name);
}

/* Its callers that are known, the nearest first. */
static void append_callers(const struct stacks *stacks, const struct heavy_function *function,
                           struct str *out)
{
    const struct context_tree *tree = &stacks->times.fold.tree;
    bool all = (double)function->in_node >= NEARLY_ALL * (double)function->time;
    uint32_t told = 0;
    for (uint32_t n = tree->nodes[function->node].parent; tree->nodes[n].depth > 1;
         n = tree->nodes[n].parent) {
        const struct context_frame *frame = &tree->frames[tree->nodes[n].frame];
        if (!context_frame_is_known(frame))
            continue;
        if (told == MOST_CALLERS) {
            str_append(out, " < ...");
            break;
        }
        str_append(out, told++ ? " < " : all ? " (below " : " (mostly below ");
        str_append(out, frame->function);
    }
    str_append(out, told ? ")" : "");
}

static double part_of(const struct stacks *stacks, time_ns time)
{
    return stacks->heaviest.wall ? (double)time / (double)stacks->heaviest.wall : 0;
}

static void append_part(const struct stacks *stacks, time_ns time, const char *what, bool first,
                        struct str *out)
{
    str_printf(out, "%s%s %s", first ? ": " : ", ",
               number_percent_short(part_of(stacks, time)).text, what);
}

/* ": 38 % it waits for the disk vda, 3 % it runs", the longest first. */
static void append_parts(const struct stacks *stacks, const struct heavy_function *function,
                         struct str *out)
{
    bool ran = part_of(stacks, function->ran) < LEAST_TOLD, first = true;
    struct str what = {0};
    for (uint32_t i = 0; i <= function->reason_count; i++) {
        bool more =
            i < function->reason_count && part_of(stacks, function->reasons[i].own) >= LEAST_TOLD;
        if (!ran && (!more || function->ran >= function->reasons[i].own)) {
            append_part(stacks, function->ran, "it runs", first, out);
            ran = true;
            first = false;
        }
        if (!more)
            break;
        str_clear(&what);
        str_append(&what, "it waits for ");
        stacks_reason_name(stacks, function->reasons[i].reason, &what);
        append_part(stacks, function->reasons[i].own, what.data, first, out);
        first = false;
    }
    str_release(&what);
}

/* What others had the processors for is no function's doing. */
static void append_queue(const struct stacks *stacks, struct str *out)
{
    const struct context_times *times = &stacks->times;
    uint32_t node = times->group_node[stacks->heaviest.first.group];
    double queue = part_of(stacks, times->sums[node].total[TIME_QUEUE]);
    if (queue >= HEAVIEST_LEAST)
        str_printf(out, " For %s of it others had the processors.",
                   number_percent_short(queue).text);
}

static void append_work(const struct stacks *stacks, struct str *out)
{
    const struct heaviest *heaviest = &stacks->heaviest;
    if (2 * heaviest->first.work > heaviest->first.time)
        str_append(out,
                   " It waits to be given work: nothing else is 5 % of the time of any threads.");
    else if (heaviest->work.node != CONTEXT_NONE &&
             part_of(stacks, heaviest->work.work) >= HEAVIEST_LEAST)
        str_printf(out, " %s of it waits to be given work, in %s.",
                   number_percent_short(part_of(stacks, heaviest->work.work)).text,
                   stacks->times.fold.tree.frames[heaviest->work.frame].function);
}

void stacks_headline(const struct stacks *stacks, struct str *out)
{
    const struct heavy_function *first = &stacks->heaviest.first;
    if (first->node == CONTEXT_NONE) {
        str_append(out,
                   "In which calls the threads were is not known: no stack was recorded of them.");
        return;
    }
    str_printf(out, "%s of the time of ", number_percent_short(part_of(stacks, first->time)).text);
    append_whose(stacks, first->group, out);
    str_printf(out, " is %s", stacks->times.fold.tree.frames[first->frame].function);
    append_callers(stacks, first, out);
    append_parts(stacks, first, out);
    str_append(out, ".");
    append_queue(stacks, out);
    append_work(stacks, out);
}

/* ---- what is not known ---- */

double stacks_never_seen(const struct stacks *stacks)
{
    double n = (double)stacks->seen.samples;
    return n > 3 ? 3 / n : 1;
}

static double part(uint64_t some, uint64_t all)
{
    return all ? (double)some / (double)all : 0;
}

static void append_seen(const struct stacks *stacks, struct str *out)
{
    const struct sightings *seen = &stacks->seen;
    str_printf(out, "%s samples of what ran; ", number_count(seen->samples).text);
    str_printf(out, "%s of ", number_count(seen->with_stack).text);
    str_printf(out, "%s times off a processor have their stack", number_count(seen->offs).text);
    time_ns off = stacks->times.sums[CONTEXT_ROOT].total[TIME_OFF];
    double stood_for = off ? (double)stacks->times.stood_for / (double)off : 0;
    if (stood_for >= LEAST_TOLD)
        str_printf(out, ", and %s of the time off is told by them for others of their threads",
                   number_percent_short(stood_for).text);
    str_append(out, ".");
}

static uint64_t cut_in(const struct unwound_object *object)
{
    uint64_t cut = 0;
    for (int why = TRACE_CUT_NOT + 1; why < TRACE_CUTS; why++)
        cut += object->ended[why];
    return cut;
}

static const char *file_of(const struct unwound_object *object)
{
    const char *slash = strrchr(object->path, '/');
    return slash ? slash + 1 : object->path;
}

/* How callers were found, which each object decides, and where most stacks could not be followed. */
static void append_unwinding(const struct stacks *stacks, struct str *out)
{
    const struct wait_stacks *taken = stacks->run->wait_stacks;
    const struct unwound_object *pointers = NULL, *cut = NULL;
    uint64_t by_rows = 0, by_pointers = 0;
    for (uint32_t i = 0; i < taken->unwound_count; i++) {
        const struct unwound_object *object = &taken->unwound[i];
        by_rows += object->by_rows;
        by_pointers += object->by_pointers;
        pointers = object->by_pointers > (pointers ? pointers->by_pointers : 0) ? object : pointers;
        cut = cut_in(object) > (cut ? cut_in(cut) : 0) ? object : cut;
    }
    if (by_rows + by_pointers)
        str_printf(out, " Callers were found by .eh_frame for %s of the calls",
                   number_percent(part(by_rows, by_rows + by_pointers)).text);
    if (part(by_pointers, by_rows + by_pointers) >= LEAST_TOLD)
        str_printf(out, ", by frame pointers for the others, mostly of %s", file_of(pointers));
    if (by_rows + by_pointers)
        str_append(out, ".");
    if (cut && stacks->seen.cut)
        str_printf(out, " Most cut ones end in %s.", file_of(cut));
}

static void append_cut(const struct stacks *stacks, uint64_t all, struct str *out)
{
    uint64_t cut = stacks->seen.cut;
    if (!cut)
        str_append(out, " All stacks reach the start of their threads.");
    else
        str_printf(
            out,
            " %s of the stacks are cut: their outermost calls are missing, and they are told "
            "below [cut], from their innermost call on.",
            number_percent(part(cut, all)).text);
}

/* The file in whose functions without a name most stacks end; "" if they are in none. */
static const char *most_unnamed(const struct stacks *stacks)
{
    const struct context_tree *tree = &stacks->times.fold.tree;
    struct intern files = {0};
    struct hash_map counts = {0};
    const char *most = "";
    uint64_t most_count = 0;
    for (size_t n = 1; n < tree->count; n++) {
        const struct context_frame *frame = &tree->frames[tree->nodes[n].frame];
        const struct context_sum *sum = &stacks->times.sums[n];
        if (tree->nodes[n].depth < 2 || !frame->start)
            continue;
        uint64_t *count = hash_map_put(&counts, intern_add(&files, frame->object));
        *count += sum->own_samples + sum->own_stacks;
        if (*count > most_count) {
            most_count = *count;
            most = frame->object;
        }
    }
    intern_release(&files);
    hash_map_release(&counts);
    return most;
}

/* Who has the symbols knows the name. */
static void append_unnamed(const struct stacks *stacks, uint64_t all, struct str *out)
{
    if (!stacks->seen.unresolved)
        return;
    const char *file = most_unnamed(stacks);
    str_printf(out, " Of %s the innermost call has no name, and is told by its file",
               number_percent(part(stacks->seen.unresolved, all)).text);
    if (*file)
        str_printf(out,
                   " and where it begins there, most of them of %s: its package of debug symbols "
                   "(-dbgsym, -debuginfo), once it is installed, has the name",
                   file);
    str_append(out, ".");
}

void stacks_unknown(const struct stacks *stacks, struct str *out)
{
    const struct sightings *seen = &stacks->seen;
    uint64_t all = seen->samples + seen->with_stack;
    append_seen(stacks, out);
    if (seen->samples)
        str_printf(out, " What was never seen to run is less than %s of what ran, each (95 %%).",
                   number_percent(stacks_never_seen(stacks)).text);
    append_cut(stacks, all, out);
    append_unwinding(stacks, out);
    append_unnamed(stacks, all, out);
    if (seen->unmatched)
        str_printf(out, " %s stack%s of no time that was recorded.",
                   number_count(seen->unmatched).text, seen->unmatched == 1 ? " is" : "s are");
}
