/* simulate [--kernel] [--cases N] [--seed S] [--parts N] [FILE...]: runs whose critical paths are known
 * because the simulated machine made them, against the analysis of the traces that it wrote.
 *
 * Every ns of every interval must lie where the machine says, and the laws must hold of the tree.
 * The first case that fails is made as small as possible and printed as a file that can be kept in
 * sim_cases/. With files, only these are run.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "run_builder.h"
#include "sim_case.h"
#include "sim_laws.h"
#include "sim_machine.h"
#include "sim_requests.h"
#include "trace/timeline_load.h"

static struct run_builder world; /* its functions only */
static char directory[64];

/* What the generator is to bring about; as it reads in the rows. The first ones need the kernel's
 * side. */
static const char *const kernel_feature[] = {"(preempted)/<thread 5",
                                             "(preempted)/<hog (process)",
                                             "(waiting for a processor)/<thread 5",
                                             "(waiting for a processor)/<backup (process)",
                                             "(waiting for a processor) ",
                                             "/blocked in the kernel/<f",
                                             "/<blocked in the kernel/<f",
                                             "read/<f",
                                             "(timer)",
                                             "network",
                                             "disk vda (read)",
                                             "disk vda (write)",
                                             "page fault (vda)",
                                             "(interrupt)",
                                             "(backup (process))"};
enum { KERNEL_FEATURES = sizeof kernel_feature / sizeof *kernel_feature };
static const char *const feature[] = {"pthread_mutex_lock/<",
                                      "pthread_cond_wait/<",
                                      "rwlock read/<",
                                      "rwlock write/<",
                                      "sem_wait/<",
                                      "pthread_barrier_wait/<",
                                      "pthread_join/<",
                                      "acquire/<",
                                      "spin/<",
                                      "read/<",
                                      "write/<",
                                      "futex/<",
                                      "lock0/<f1",
                                      "[push -> pop]",
                                      "[[queue]]",
                                      "/{another interval}/<",
                                      "/{another interval (a)}/<",
                                      "/{another interval (b)}/<",
                                      "[queue (undeclared)]/<",
                                      "[queue (undeclared)]/{another interval",
                                      "(waiting)/<f",
                                      "(waiting)/{another interval}/<",
                                      "(waiting)/{another interval (a)}/<f",
                                      "(waiting)/<read/<",
                                      "(waiting)/<read/{another interval",
                                      "[push -> pop]/{another interval",
                                      "[push -> pop]/<f",
                                      "[push] ",
                                      "?",
                                      "(unknown waker)",
                                      "(wake-up latency)",
                                      "/<thread 5",
                                      "f1/f1",
                                      "f0/f0/f0"};
enum { FEATURES = sizeof feature / sizeof *feature + KERNEL_FEATURES };

static const char *feature_at(int i)
{
    return i < KERNEL_FEATURES ? kernel_feature[i] : feature[i - KERNEL_FEATURES];
}

/* Shared with the child: how far it came. */
static struct {
    uint64_t seed, rows, across, nested, convoys, in_vain, resumed, probes, early, unseen,
        features[FEATURES];
} * progress;

static void declare(void)
{
    struct run_builder *b = &world;
    run_builder_init(b);
    for (uint32_t f = 0; f < SIM_FUNCTIONS; f++) {
        run_builder_function(b, sim_function_name[f], true);
        run_builder_probe(b, PROBE_FUNCTION, f, FUNCTION_NONE);
        run_builder_probe(b, PROBE_TASK, f, 0);
    }
    for (uint32_t i = 0; i < SIM_LOCKS; i++)
        run_builder_probe(b, PROBE_CALL, run_builder_function(b, sim_call_name[i], false), i);
    for (uint32_t i = 0; i < SIM_LOCKS; i++) {
        run_builder_probe(b, PROBE_SYNC, run_builder_function(b, sim_lock_name[i], false), i);
        run_builder_probe(b, PROBE_SYNC, run_builder_function(b, sim_unlock_name[i], false), i);
    }
    run_builder_call(b, 0, 1); /* f0 has height 3, f1 2, f2 1, f3 0; f4 1 */
    run_builder_call(b, 1, 2);
    run_builder_call(b, 2, 3);
    run_builder_call(b, 4, 5);
    run_builder_probe(b, PROBE_TASK, run_builder_function(b, "push", false), 0);
    run_builder_probe(b, PROBE_TASK, run_builder_function(b, "pop", false), 1);
    if (run_builder_probe(b, PROBE_INDIRECT, FUNCTION_NONE, 2) != SIM_PROBE_INDIRECT)
        abort();
}

enum { PAGE_CALLS = 4, KERNEL_SCALE = 200000 };

static void clear_directory(void)
{
    struct dirent *entry;
    DIR *dir = opendir(directory);
    while (dir && (entry = readdir(dir)))
        if (entry->d_name[0] != '.')
            unlinkat(dirfd(dir), entry->d_name, 0);
    if (dir)
        closedir(dir);
}

/* The calls in memory, or left in the files in pages of so many. */
static bool load_pages(struct timelines *run, uint32_t page_calls)
{
    struct error error;
    if (!(page_calls ? timelines_open_pages(run, directory, page_calls, &error)
                     : timelines_load(run, directory, &error))) {
        printf("%s\n", error.message);
        return false;
    }
    for (uint32_t i = 0; i < run->damage_count; i++)
        printf("%s\n", run->damage[i]);
    return run->damage_count == 0;
}

static bool load(struct timelines *run)
{
    return load_pages(run, 0);
}

static void count(const char *rows, const struct book *book)
{
    for (const char *c = rows; *c; c++)
        progress->rows += *c == '\n';
    for (int i = 0; i < FEATURES; i++)
        progress->features[i] += strstr(rows, feature_at(i)) != NULL;
    progress->across += book->across > 0;
    progress->nested += book->nested > 0;
    progress->convoys += book->convoys > 0;
    progress->in_vain += book->in_vain > 0;
    progress->resumed += book->resumed > 0;
    progress->early += book->early > 0;
    progress->unseen += book->unseen > 0;
}

static void make(const struct sim_case *c, struct str *rows)
{
    struct book book;
    struct str prefix = {0};
    str_printf(&prefix, "%s/", directory);
    sim_machine_run(c, prefix.data, &book);
    book_rows(&book, c->scale, rows);
    if (!c->squeeze)
        count(str_text(rows), &book);
    book_release(&book);
    str_release(&prefix);
}

/* A clock so coarse that much happens at one moment and nobody can say in which order: whatever the
 * analysis makes of it, the laws hold. */
static bool check_squeezed(const struct sim_case *c)
{
    struct sim_case squeezed = *c;
    struct timelines run;
    struct str rows = {0};
    squeezed.scale = 1;
    squeezed.squeeze = 7;
    make(&squeezed, &rows);
    bool right = load(&run);
    if (right) {
        right = sim_laws_hold(&run, &world.table, run_builder_rows_by_object(&world, &run)) &&
                sim_requests_agree(&run, &world.table);
        timelines_release(&run);
    }
    clear_directory();
    str_release(&rows);
    return right;
}

static bool check_rows(const char *known, uint32_t page_calls)
{
    struct timelines run;
    if (!load_pages(&run, page_calls))
        return false;
    const char *got = run_builder_rows_of(&world, &run);
    bool right = strcmp(got, known) == 0;
    if (!right)
        printf("known:\n%sbut the analysis says:\n%s", known, got);
    right = (page_calls || sim_requests_agree(&run, &world.table)) && right;
    timelines_release(&run);
    return right;
}

enum { MOST_CELLS = 4000 };

static int cell_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A row whose probes' time is its callers' again. */
static void fold_row(char *row, struct str *text)
{
    static char *cells[MOST_CELLS];
    char *save = NULL, *name = strtok_r(row, ":", &save);
    size_t count = 0;
    str_printf(text, "%s:", name);
    for (char *part = strtok_r(NULL, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
        char *end = strstr(part, "/[probes] "), *number = strrchr(part, ' ');
        size_t length = end ? (size_t)(end - part) : (size_t)(number - part);
        bool root = !strncmp(part, " [probes] ", 10);
        int64_t ns = strtoll(number + 1, NULL, 10);
        struct str path = {0}, cell = {0};
        str_printf(&path, "%.*s ", root ? 2 : (int)length, root ? " ." : part);
        size_t i = 0;
        while (i < count && strncmp(cells[i], path.data, path.length) != 0)
            i++;
        if (i < count) {
            ns += strtoll(strrchr(cells[i], ' ') + 1, NULL, 10);
            memory_free(cells[i]);
        } else if (count++ == MOST_CELLS) {
            abort();
        }
        str_printf(&cell, "%s%lld", path.data, (long long)ns);
        cells[i] = cell.data;
        str_release(&path);
    }
    qsort(cells, count, sizeof *cells, cell_order);
    for (size_t i = 0; i < count; i++) {
        str_printf(text, "%s%s", i ? ";" : "", cells[i]);
        memory_free(cells[i]);
    }
    str_append(text, "\n");
}

static char *fold(const char *rows)
{
    struct str text = {0};
    char *save = NULL, *copy = memory_strdup(rows);
    for (char *row = strtok_r(copy, "\n", &save); row; row = strtok_r(NULL, "\n", &save))
        fold_row(row, &text);
    memory_free(copy);
    return text.data ? text.data : memory_strdup("");
}

/* The rows without the objects that what blocked is told by. */
static char *unlabel(const char *rows)
{
    struct str text = {0};
    for (const char *at = rows; *at; at++) {
        bool label = at > rows && isalnum((unsigned char)at[-1]) &&
                     (str_starts_with(at, " (test.c:") || str_starts_with(at, " (in ") ||
                      str_starts_with(at, " (#"));
        if (label)
            at = strchr(at, ')');
        else
            str_append_char(&text, *at);
    }
    return text.data ? text.data : memory_strdup("");
}

/* What blocked is told by its object: added up without it, the rows are the known ones, and the
 * laws hold. */
static bool check_objects(const char *known, uint32_t page_calls)
{
    struct timelines run;
    if (!load_pages(&run, page_calls))
        return false;
    char *got = memory_strdup(run_builder_rows_by_object(&world, &run)), *plain = unlabel(got);
    char *folded = fold(plain), *by_hand = fold(known);
    bool right = !strcmp(folded, by_hand) && sim_laws_hold(&run, &world.table, got);
    if (!right)
        printf("known:\n%sbut by object the analysis says:\n%s", known, got);
    timelines_release(&run);
    memory_free(got);
    memory_free(plain);
    memory_free(folded);
    memory_free(by_hand);
    return right;
}

/* Timed calls that cost something: the laws hold, in the tree is what the rows say, and what the
 * probes are given is taken from their callers and from nobody else. */
static bool check_probes(const char *known, uint32_t cost)
{
    struct timelines run;
    if (!load(&run))
        return false;
    for (uint32_t p = 0; p < run.process_count; p++)
        run.processes[p].probe_cost = cost * (p + 1);
    char *got = memory_strdup(run_builder_rows_by_object(&world, &run));
    char *plain = unlabel(got), *folded = fold(plain);
    char *by_hand = fold(known);
    progress->probes += strstr(got, "[probes]") != NULL;
    bool right = !strcmp(folded, by_hand) && sim_laws_hold(&run, &world.table, got);
    if (!right)
        printf("known:\n%sbut with probes the analysis says:\n%s", known, got);
    timelines_release(&run);
    memory_free(by_hand);
    memory_free(folded);
    memory_free(plain);
    memory_free(got);
    return right;
}

/* `expected` of a file, or NULL. */
static bool check(const struct sim_case *c, const char *expected)
{
    struct str rows = {0};
    make(c, &rows);
    bool right = !expected || !strcmp(expected, str_text(&rows));
    if (!right)
        printf("by hand:\n%sthe machine says:\n%s", expected, str_text(&rows));
    right = check_rows(str_text(&rows), 0) && right;
    right = check_rows(str_text(&rows), PAGE_CALLS) && right;
    right = check_objects(str_text(&rows), PAGE_CALLS) && right;
    right = check_probes(str_text(&rows), (uint32_t)c->scale << 15) && right;
    clear_directory();
    str_release(&rows);
    return right && check_squeezed(c);
}

/* Several runs, each analysed by itself, against all of them in one folder as one run. */
static bool check_parts(uint64_t seed)
{
    enum { PARTS = 3 };
    struct sim_sums parts = {0}, whole = {0};
    struct sim_case c[PARTS];
    struct timelines run;
    struct str rows = {0};
    bool loaded = true;
    for (int i = 0; i < PARTS && loaded; i++) {
        sim_case_random(&c[i], seed + (uint64_t)i);
        c[i].part = i;
        c[i].rate = 2;   /* one clock */
        c[i].shared = 0; /* no task of one is taken in another */
        make(&c[i], &rows);
        if ((loaded = load(&run)))
            sim_sums_add(&parts, &run, &world.table);
        timelines_release(&run);
        clear_directory();
    }
    for (int i = 0; i < PARTS; i++)
        make(&c[i], &rows);
    if (loaded && (loaded = load(&run)))
        sim_sums_add(&whole, &run, &world.table);
    timelines_release(&run);
    clear_directory();
    bool equal = loaded && sim_sums_equal(&parts, &whole);
    sim_sums_release(&parts);
    sim_sums_release(&whole);
    str_release(&rows);
    return equal;
}

/* In a process of its own, because the analysis may end the one that it runs in. */
static bool succeeds(const struct sim_case *c, const char *expected, bool quiet)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (quiet && (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr)))
            _exit(2);
        bool right = check(c, expected);
        fflush(stdout);
        _exit(!right);
    }
    while (waitpid(child, &status, 0) < 0)
        ;
    clear_directory();
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool fails(const struct sim_case *c)
{
    return !succeeds(c, NULL, true);
}

static void print_smallest(struct sim_case *c)
{
    struct str text = {0};
    sim_case_shrink(c, fails);
    sim_case_print(c, &text);
    printf("# the smallest that fails:\n%s", str_text(&text));
    succeeds(c, NULL, false);
    str_release(&text);
}

struct work {
    uint64_t cases, parts, seed;
    bool kernel; /* cases have the kernel's side, too */
};

/* Then a unit of time is longer than what two clocks may disagree by. */
static void draw(struct sim_case *c, const struct work *work, uint64_t i)
{
    sim_case_random(c, work->seed + i);
    if (work->kernel) {
        c->kernel = 1 + (int)((work->seed + i) % 1000000007);
        c->scale = KERNEL_SCALE;
    }
}

static int check_all(const struct work *work)
{
    for (uint64_t i = 0; i < work->cases; i++) {
        struct sim_case c;
        progress->seed = work->seed + i;
        draw(&c, work, i);
        if (!check(&c, NULL))
            return 1;
    }
    for (uint64_t i = 0; i < work->parts; i++)
        if (!check_parts(work->seed + 3 * i)) {
            printf("parts from seed %llu\n", (unsigned long long)(work->seed + 3 * i));
            return 2;
        }
    return 0;
}

/* False: something never happened, though there were cases enough. */
static bool print_features(const struct work *work)
{
    bool all = progress->across > 0 && progress->nested > 0 && progress->convoys > 0 &&
               progress->in_vain > 0 && progress->resumed > 0 && progress->probes > 0;
    printf("cases in which it happened: %llu wakers of other processes, %llu wakers of wakers of "
           "wakers, %llu waits with three holders, %llu wakes in vain, "
           "%llu calls that went on after other stacks' turns, %llu time of probes",
           (unsigned long long)progress->across, (unsigned long long)progress->nested,
           (unsigned long long)progress->convoys, (unsigned long long)progress->in_vain,
           (unsigned long long)progress->resumed, (unsigned long long)progress->probes);
    if (work->kernel) {
        printf(", %llu wakings before the thread went, %llu lost times off the processor",
               (unsigned long long)progress->early, (unsigned long long)progress->unseen);
        all = all && progress->early > 0 && progress->unseen > 0;
    }
    for (int i = work->kernel ? 0 : KERNEL_FEATURES; i < FEATURES; i++) {
        printf(", %llu %s", (unsigned long long)progress->features[i], feature_at(i));
        all = all && progress->features[i] > 0;
    }
    printf("\n");
    return all || work->cases < 8000;
}

static int run_random(const struct work *work)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int result = check_all(work);
        fflush(stdout);
        _exit(result);
    }
    while (waitpid(child, &status, 0) < 0)
        ;
    clear_directory();
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        printf("%llu cases, %llu intervals, %llu times three parts and their whole: all agree\n",
               (unsigned long long)work->cases, (unsigned long long)progress->rows,
               (unsigned long long)work->parts);
        return !print_features(work);
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 2)
        return 1;
    struct sim_case c;
    printf("seed %llu\n", (unsigned long long)progress->seed);
    draw(&c, work, progress->seed - work->seed);
    print_smallest(&c);
    return 1;
}

static int run_file(const char *path)
{
    struct str text = {0}, expected = {0};
    struct sim_case c;
    struct error error;
    if (!file_read(&text, path, &error)) {
        printf("%s\n", error.message);
        return 1;
    }
    bool right = sim_case_parse(&c, str_text(&text), &expected) &&
                 succeeds(&c, expected.length ? expected.data : NULL, false);
    printf("%s: %s\n", path, right ? "agrees" : "FAILS");
    str_release(&text);
    str_release(&expected);
    return !right;
}

int main(int argc, char **argv)
{
    struct work work = {1000, 0, 1, false};
    int failed = 0, files = 0;
    snprintf(directory, sizeof directory, "%s/vprofiler-simulate-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!mkdtemp(directory) || (void *)progress == MAP_FAILED) {
        perror("simulate");
        return 2;
    }
    declare();
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--kernel")) {
            work.kernel = true;
            continue;
        }
        uint64_t *number = !strcmp(argv[i], "--cases")   ? &work.cases
                           : !strcmp(argv[i], "--seed")  ? &work.seed
                           : !strcmp(argv[i], "--parts") ? &work.parts
                                                         : NULL;
        if (number && i + 1 < argc)
            *number = strtoull(argv[++i], NULL, 10);
        else
            failed += run_file(argv[i]), files++;
    }
    if (!files)
        failed += run_random(&work);
    rmdir(directory);
    run_builder_release(&world);
    return failed != 0;
}
