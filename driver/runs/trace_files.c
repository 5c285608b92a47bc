#include "driver/runs/trace_files.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "trace/trace_reader.h"

/* ---- what an argument is ---- */

static const char *below(struct trace_files *files, const char *folder, const char *name)
{
    return arena_printf(&files->arena, "%s/%s", folder, name);
}

static int is_trace(const struct dirent *entry)
{
    return str_ends_with(entry->d_name, ".vtr");
}

static bool holds_traces(const char *folder)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_trace, NULL);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    if (count >= 0)
        free(entries);
    return count > 0;
}

static int is_name(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* Lists the names in `folder`, sorted; the caller frees them one by one. 0: there is none, or no
 * folder. */
static int list_folder(const char *folder, struct dirent ***entries)
{
    int count = scandir(folder, entries, is_name, alphasort);
    if (count < 0)
        *entries = NULL;
    return count < 0 ? 0 : count;
}

static void free_list(struct dirent **entries, int count)
{
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
}

/* Traces may lie in the folder itself or in one below it. */
static bool is_trace_folder(struct trace_files *files, const char *folder)
{
    if (holds_traces(folder))
        return true;
    struct dirent **entries;
    int count = list_folder(folder, &entries);
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        found = holds_traces(below(files, folder, entries[i]->d_name));
    free_list(entries, count);
    return found;
}

static bool take_round(struct trace_files *files, struct trace_source *source, const char *round)
{
    const char *trace = below(files, round, "trace");
    if (!is_trace_folder(files, trace))
        return false;
    source->trace = trace;
    source->round = round;
    source->functions = below(files, round, "functions.json");
    return true;
}

/* A result stands for its last round that has a trace. */
static bool take_result(struct trace_files *files, struct trace_source *source, const char *result)
{
    struct dirent **entries;
    const char *rounds = below(files, result, "rounds");
    int count = list_folder(rounds, &entries);
    bool found = false;
    for (int i = count; i-- > 0 && !found;)
        found = take_round(files, source, below(files, rounds, entries[i]->d_name));
    free_list(entries, count);
    if (found)
        source->result = result;
    return found;
}

static bool take_bare(struct trace_files *files, struct trace_source *source)
{
    if (!is_trace_folder(files, source->path))
        return false;
    source->trace = source->path;
    source->functions = below(files, source->path, "functions.json");
    if (!file_exists(source->functions))
        source->functions = below(files, source->path, "../functions.json");
    return true;
}

static bool take_known(struct trace_files *files, struct trace_source *source)
{
    return take_result(files, source, source->path) ||
           take_result(files, source, below(files, source->path, "latest")) ||
           take_round(files, source, source->path);
}

bool trace_files_is_run(const char *path)
{
    struct trace_files files = {0};
    struct trace_source source = {.path = path};
    bool found = holds_traces(path) || take_known(&files, &source);
    trace_files_release(&files);
    return found;
}

static bool source_find(struct trace_files *files, struct trace_source *source, struct error *error)
{
    struct stat status;
    if (stat(source->path, &status) != 0 || !S_ISDIR(status.st_mode))
        return error_set(error, ERROR_USAGE,
                         "There is no folder %s. Name a result (vprofiler-out/003) or a folder "
                         "with *.vtr files.",
                         source->path);
    if (!take_known(files, source) && !take_bare(files, source))
        return error_set(error, ERROR_NOTHING,
                         "There is no trace (*.vtr) in %s: it is neither a result of `vprofiler "
                         "iterate` nor a folder that VPROF_TRACE_DIR named while the program ran. "
                         "Of the rounds of a result the last keeps its trace (all, with --keep), "
                         "until `vprofiler clean`.",
                         source->path);
    if (source->functions && !file_exists(source->functions))
        source->functions = NULL;
    return true;
}

/* ---- its files ---- */

static void add_file(struct trace_files *files, uint32_t source, const char *folder,
                     const char *name, struct error *error)
{
    const char *path = below(files, folder, name);
    struct trace_file file = {.path = path, .folder = folder, .source = source};
    struct trace_reader reader;
    file.readable = trace_reader_open(&reader, path, error);
    if (file.readable) {
        const struct trace_file_header *header = reader.header;
        memcpy(file.calibration, header->calibration, sizeof file.calibration);
        file.start_ns = header->calibration[0].monotonic_ns;
        file.boot_ns = (int64_t)(header->start_realtime_ns - file.start_ns);
        file.pid = header->pid;
        file.clock = header->clock;
        file.recorder = trace_reader_is_recorder(&reader);
        memcpy(file.host, header->host, sizeof file.host - 1);
        trace_reader_close(&reader);
    }
    VEC_PUSH(files->files, files->count, files->capacity) = file;
}

/* A file that can't be read goes with the first that can, so that it is told of where it lies. */
static void place_unreadable(struct trace_files *files, size_t first)
{
    size_t known = first;
    while (known < files->count && !files->files[known].readable)
        known++;
    for (size_t i = first; i < files->count && known < files->count; i++) {
        struct trace_file *file = &files->files[i];
        if (file->readable)
            continue;
        file->boot_ns = files->files[known].boot_ns;
        memcpy(file->host, files->files[known].host, sizeof file->host);
    }
}

static void add_folder(struct trace_files *files, uint32_t source, const char *folder,
                       struct error *error)
{
    struct dirent **entries;
    int count = list_folder(folder, &entries);
    size_t first = files->count;
    for (int i = 0; i < count; i++)
        if (is_trace(entries[i]))
            add_file(files, source, folder, entries[i]->d_name, error);
    free_list(entries, count);
    place_unreadable(files, first);
}

/* Fails where nothing of it can be read; `error` then tells of one of its files. */
static bool add_source(struct trace_files *files, uint32_t source, struct error *error)
{
    const char *trace = files->sources[source].trace;
    size_t first = files->count;
    add_folder(files, source, trace, error);
    struct dirent **entries;
    int count = list_folder(trace, &entries);
    for (int i = 0; i < count; i++)
        if (!is_trace(entries[i]))
            add_folder(files, source, below(files, trace, entries[i]->d_name), error);
    free_list(entries, count);
    bool any = false, recorded = false;
    for (size_t i = first; i < files->count && !any; i++) {
        recorded |= files->files[i].recorder;
        any = files->files[i].readable && !files->files[i].recorder;
    }
    if (!any && recorded)
        error_set(error, ERROR_NOTHING,
                  "There is no trace of a program in %s, only what a recorder saw from outside.",
                  files->sources[source].path);
    return any;
}

/* ---- groups ---- */

#define COMPARE(a, b)                                                                              \
    if ((a) != (b))                                                                                \
    return (a) < (b) ? -1 : 1

static int by_host(const void *a, const void *b)
{
    const struct trace_file *p = a, *q = b;
    int hosts = strcmp(p->host, q->host);
    if (hosts)
        return hosts;
    COMPARE(p->boot_ns, q->boot_ns);
    COMPARE(p->start_ns, q->start_ns);
    COMPARE(p->pid, q->pid);
    return strcmp(p->path, q->path);
}

static int by_source(const void *a, const void *b)
{
    const struct trace_file *p = a, *q = b;
    COMPARE(p->source, q->source);
    return by_host(a, b);
}

static int by_group(const void *a, const void *b)
{
    const struct trace_file *p = a, *q = b;
    COMPARE(p->group, q->group);
    COMPARE(q->readable, p->readable);
    COMPARE(p->start_ns, q->start_ns);
    COMPARE(p->pid, q->pid);
    return strcmp(p->path, q->path);
}

static bool same_group(const struct trace_file *a, const struct trace_file *b, bool separate)
{
    if (separate)
        return a->source == b->source;
    return strcmp(a->host, b->host) == 0 && b->boot_ns - a->boot_ns <= BOOT_TOLERANCE_NS;
}

static void number_groups(struct trace_files *files, bool separate)
{
    qsort(files->files, files->count, sizeof *files->files, separate ? by_source : by_host);
    files->group_count = 0;
    for (size_t i = 0; i < files->count; i++) {
        if (i && !same_group(&files->files[i - 1], &files->files[i], separate))
            files->group_count++;
        files->files[i].group = files->group_count;
    }
    files->group_count++;
}

/* The order is that of real time: of two runs of one boot, `boot_ns` alone would put either
 * first. */
static int by_begin(const struct trace_file *p, const struct trace_file *q)
{
    int hosts = strcmp(p->host, q->host);
    if (hosts)
        return hosts;
    COMPARE(p->boot_ns + (int64_t)p->start_ns, q->boot_ns + (int64_t)q->start_ns);
    return by_host(p, q);
}

/* Groups are numbered by what they hold, not as the arguments were typed. */
static void order_separate(struct trace_files *files)
{
    struct trace_file *first = memory_zeroed(sizeof *first * files->group_count);
    uint32_t *rank = memory_zeroed(sizeof *rank * files->group_count);
    for (size_t i = files->count; i-- > 0;)
        first[files->files[i].group] = files->files[i];
    for (uint32_t g = 0; g < files->group_count; g++)
        for (uint32_t h = 0; h < files->group_count; h++)
            rank[g] += by_begin(&first[h], &first[g]) < 0;
    for (size_t i = 0; i < files->count; i++)
        files->files[i].group = rank[files->files[i].group];
    memory_free(first);
    memory_free(rank);
}

/* ---- what must not be mixed ---- */

#define SHORTEST_RATE_NS INT64_C(10000000)

static bool same_process(const struct trace_file *a, const struct trace_file *b)
{
    return a->readable && b->readable && a->start_ns == b->start_ns && a->pid == b->pid &&
           a->boot_ns == b->boot_ns && a->calibration[0].ticks == b->calibration[0].ticks &&
           strcmp(a->host, b->host) == 0;
}

static int by_identity(const void *a, const void *b)
{
    return by_host(*(const struct trace_file *const *)a, *(const struct trace_file *const *)b);
}

static bool check_twice(const struct trace_files *files, struct error *error)
{
    const struct trace_file **order = memory_alloc(sizeof *order * files->count);
    for (size_t i = 0; i < files->count; i++)
        order[i] = &files->files[i];
    qsort(order, files->count, sizeof *order, by_identity);
    bool ok = true;
    for (size_t i = 1; i < files->count && ok; i++)
        if (same_process(order[i - 1], order[i]))
            ok = error_set(error, ERROR_USAGE,
                           "%s and %s are the same trace: its intervals would count twice. Name "
                           "each run once.",
                           order[i - 1]->path, order[i]->path);
    memory_free(order);
    return ok;
}

static int64_t since(uint64_t to, uint64_t from)
{
    return (int64_t)(to - from);
}

/* The file that was recorded longest tells the ns in a tick; 0: none was for long enough. */
static double clock_rate(const struct trace_file *files, size_t count, uint32_t clock)
{
    int64_t longest_ns = SHORTEST_RATE_NS;
    double rate = 0;
    for (size_t i = 0; i < count; i++) {
        const struct trace_calibration *c = files[i].calibration;
        int64_t ns = since(c[1].monotonic_ns, c[0].monotonic_ns);
        int64_t ticks = since(c[1].ticks, c[0].ticks);
        if (!files[i].readable || files[i].clock != clock || ns < longest_ns || ticks <= 0)
            continue;
        longest_ns = ns;
        rate = (double)ns / (double)ticks;
    }
    return rate;
}

/* The points of one clock lie on a line on one machine; two machines of one name have two lines.
 * The kernel may change its rate by 500 in a million. */
static bool check_clock(const struct trace_file *files, size_t count, uint32_t clock,
                        struct error *error)
{
    double rate = clock_rate(files, count, clock);
    const struct trace_file *first = NULL;
    for (size_t i = 0; i < count && rate > 0; i++) {
        if (!files[i].readable || files[i].clock != clock)
            continue;
        first = first ? first : &files[i];
        struct trace_calibration from = first->calibration[0], to = files[i].calibration[0];
        double ns = (double)since(to.monotonic_ns, from.monotonic_ns);
        double by_ticks = (double)since(to.ticks, from.ticks) * rate;
        if (fabs(ns - by_ticks) > 1e6 + 1e-3 * fabs(ns))
            return error_set(error, ERROR_USAGE,
                             "%s and %s both say that they are from the host '%s', but their "
                             "clocks don't agree: are they two machines of one name? Say "
                             "--separate, so that every folder counts as a host of its own.",
                             first->path, files[i].path, files[i].host);
    }
    return true;
}

static bool check_clocks(const struct trace_files *files, struct error *error)
{
    for (size_t i = 0, end; i < files->count; i = end) {
        for (end = i; end < files->count && files->files[end].group == files->files[i].group;)
            end++;
        if (!check_clock(files->files + i, end - i, TRACE_CLOCK_TSC, error) ||
            !check_clock(files->files + i, end - i, TRACE_CLOCK_CNTVCT, error))
            return false;
    }
    return true;
}

const char *trace_files_folder(struct trace_files *files, const char *path, struct error *error)
{
    *files = (struct trace_files){.source_count = 1};
    files->sources = ARENA_ARRAY(&files->arena, struct trace_source, 1);
    files->sources[0].path = arena_strdup(&files->arena, path);
    return source_find(files, files->sources, error) ? files->sources[0].trace : NULL;
}

bool trace_files_find(struct trace_files *files, const char *const *paths, uint32_t count,
                      bool separate, struct error *error)
{
    *files = (struct trace_files){.source_count = count};
    files->sources = ARENA_ARRAY(&files->arena, struct trace_source, count);
    for (uint32_t i = 0; i < count; i++) {
        files->sources[i].path = arena_strdup(&files->arena, paths[i]);
        if (!source_find(files, &files->sources[i], error) || !add_source(files, i, error))
            return false;
    }
    number_groups(files, separate);
    if (separate)
        order_separate(files);
    qsort(files->files, files->count, sizeof *files->files, by_group);
    return check_twice(files, error) && (separate || check_clocks(files, error));
}

void trace_files_release(struct trace_files *files)
{
    memory_free(files->files);
    arena_release(&files->arena);
    *files = (struct trace_files){0};
}

size_t trace_files_processes(const struct trace_files *files)
{
    size_t count = 0;
    for (size_t i = 0; i < files->count; i++)
        count += !files->files[i].recorder;
    return count;
}

/* ---- links ---- */

/* A lasting link is another name of the file itself; a symbolic one where that can't be had. */
static bool link_file(const char *from, const char *to, bool lasting, struct error *error)
{
    char absolute[PATH_MAX];
    if (!realpath(from, absolute))
        return error_system(error, "Can't find %s", from);
    if ((lasting && link(absolute, to) == 0) || symlink(absolute, to) == 0 || errno == EEXIST)
        return true;
    return error_system(error, "Can't make the link %s", to);
}

static const char *group_folder(struct trace_files *files, uint32_t group, const char *folder,
                                const char *host)
{
    char *path =
        arena_printf(&files->arena, "%s/%02u-%s", folder, group + 1, *host ? host : "unknown");
    for (char *c = path + strlen(folder) + 1; *c; c++)
        if (!strchr("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-_", *c))
            *c = '_';
    return path;
}

/* nftw has no argument for its callback. */
static struct {
    size_t from_length;
    const char *to;
    bool lasting;
    struct error *error;
} objects;

static int link_object(const char *path, const struct stat *status, int type, struct FTW *unused)
{
    (void)status, (void)unused;
    if (type != FTW_F)
        return 0;
    struct str to = {0};
    str_printf(&to, "%s%s", objects.to, path + objects.from_length);
    size_t slash = (size_t)(strrchr(to.data, '/') - to.data);
    to.data[slash] = '\0';
    bool ok = file_make_directories(to.data, objects.error);
    to.data[slash] = '/';
    ok = ok && link_file(path, to.data, objects.lasting, objects.error);
    str_release(&to);
    return !ok;
}

static bool link_objects(struct trace_files *files, const struct trace_file *file, const char *to,
                         bool lasting, struct error *error)
{
    const char *from = below(files, file->folder, "objects");
    objects.from_length = strlen(from);
    objects.to = below(files, to, "objects");
    objects.lasting = lasting;
    objects.error = error;
    return !file_exists(from) || nftw(from, link_object, 16, FTW_PHYS) == 0;
}

const char *trace_files_stage(struct trace_files *files, uint32_t group, const char *folder,
                              bool lasting, struct error *error)
{
    const char *path = NULL, *linked = NULL;
    for (size_t i = 0; i < files->count; i++) {
        const struct trace_file *file = &files->files[i];
        if (file->group != group)
            continue;
        if (!path) {
            path = group_folder(files, group, folder, file->host);
            if (!file_make_directories(path, error))
                return NULL;
        }
        const char *name = arena_printf(&files->arena, "%s/%06zu-%u.vtr", path, i, file->pid);
        if (!link_file(file->path, name, lasting, error) ||
            (file->folder != linked && !link_objects(files, file, path, lasting, error)))
            return NULL;
        linked = file->folder;
    }
    return path;
}

/* It is an error to look for processes where there are none; what was found stands all the same. */
bool trace_files_are_kernel_alone(const char *path)
{
    const char *const paths[] = {path};
    struct trace_files files;
    struct error ignored;
    bool any = trace_files_find(&files, paths, 1, false, &ignored);
    bool all = !any && files.count > 0 && trace_files_processes(&files) == 0;
    trace_files_release(&files);
    return all;
}
