/* base/: arena, memory, str, hash_map, intern, file, similar, run_merge, number_sort, moment_heap. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/folder_limit.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "base/moment_heap.h"
#include "base/number_sort.h"
#include "base/parallel.h"
#include "base/run_merge.h"
#include "base/run_order.h"
#include "base/similar.h"
#include "base/str.h"

static int failures;

#define CHECK(condition)                                                                           \
    ((condition) ? (void)0                                                                         \
                 : (void)(failures++,                                                              \
                          fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition)))

static void test_arena(void)
{
    struct arena arena = {0};
    for (size_t size = 0; size < 5000; size += 7) {
        char *bytes = arena_alloc(&arena, size);
        CHECK(((uintptr_t)bytes & 15) == 0);
        for (size_t i = 0; i < size; i++)
            CHECK(bytes[i] == 0);
        memset(bytes, 0x55, size);
    }
    char *large = arena_alloc(&arena, 50 * 1024 * 1024);
    large[50 * 1024 * 1024 - 1] = 1;
    CHECK(strcmp(arena_printf(&arena, "%s-%d", "x", 7), "x-7") == 0);
    CHECK(strcmp(arena_strndup(&arena, "handle", 4), "hand") == 0);
    arena_adopt(&arena, memory_strdup("adopted")); /* LeakSanitizer would tell */
    arena_release(&arena);
    CHECK(arena.blocks == NULL && arena.total_bytes == 0 && !arena.adopted);
}

/* By several threads, in memory that was in use: what malloc has mapped once, it keeps. */
static void test_large_arena(void)
{
    size_t size = 24 * 1024 * 1024 + 16, zeros = 0;
    struct arena arena = {0};
    setenv("VPROFILER_JOBS", "3", 1);
    memory_free(memory_alloc(size + 8192));
    char *used = memory_alloc(size + 4096), *behind = memory_alloc(16);
    memset(used, 0x55, size + 4096);
    memory_free(used);
    char *bytes = arena_alloc(&arena, size);
    for (size_t i = 0; i < size; i++)
        zeros += bytes[i] == 0;
    CHECK(zeros == size);
    memory_free(behind);
    arena_release(&arena);
    unsetenv("VPROFILER_JOBS");
}

static void test_str(void)
{
    struct str text = {0};
    CHECK(strcmp(str_text(&text), "") == 0);
    str_append(&text, "");
    CHECK(text.length == 0 && text.data[0] == '\0');
    for (int i = 0; i < 1000; i++)
        str_printf(&text, "%d,", i);
    CHECK(text.length == 3890 && strlen(text.data) == 3890);
    str_append_bytes(&text, "a\0b", 3);
    CHECK(text.length == 3893 && text.data[3891] == '\0' && text.data[3893] == '\0');
    str_clear(&text);
    str_append_char(&text, 'x');
    CHECK(strcmp(text.data, "x") == 0);
    str_release(&text);
    CHECK(str_starts_with("vprofiler", "vprof") && !str_starts_with("vp", "vprof"));
    CHECK(str_ends_with("1.vtr", ".vtr") && !str_ends_with("vtr", ".vtr"));
}

static void test_hash_map(void)
{
    struct hash_map map = {0};
    CHECK(hash_map_get(&map, 0) == NULL);
    for (uint64_t key = 0; key < 20000; key++)
        *hash_map_put(&map, key << 12) += key + 1;
    CHECK(map.count == 20000);
    for (uint64_t key = 0; key < 20000; key++)
        CHECK(*hash_map_get(&map, key << 12) == key + 1);
    CHECK(hash_map_get(&map, 1) == NULL);
    *hash_map_put(&map, 0) += 5;
    CHECK(*hash_map_get(&map, 0) == 6 && map.count == 20000);
    hash_map_release(&map);
    CHECK(hash_map_get(&map, 0) == NULL);
}

static void test_intern(void)
{
    struct intern names = {0};
    char text[16];
    CHECK(intern_find(&names, "x") == INTERN_NONE);
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "f%u", i);
        CHECK(intern_add(&names, text) == i);
    }
    CHECK(intern_add(&names, "f17") == 17 && intern_find(&names, "f4999") == 4999);
    CHECK(intern_find(&names, "f5000") == INTERN_NONE);
    CHECK(intern_add(&names, "") == 5000 && intern_find(&names, "") == 5000);
    CHECK(strcmp(names.text[42], "f42") == 0);
    intern_release(&names);
}

static bool joins(const char *directory, const char *relative, const char *wanted)
{
    struct str path = {0};
    path_join(&path, directory, relative);
    bool same = strcmp(path.data, wanted) == 0;
    if (!same)
        fprintf(stderr, "%s + %s: %s, wanted %s\n", directory, relative, path.data, wanted);
    str_release(&path);
    return same;
}

static void test_path(void)
{
    CHECK(joins("/a/b", "c", "/a/b/c"));
    CHECK(joins("/a/b", "/c", "/c"));
    CHECK(joins("/a/b/", "./c//d/.", "/a/b/c/d"));
    CHECK(joins("/a/b", "../c", "/a/c"));
    CHECK(joins("/a/b", "../../../../c", "/c"));
    CHECK(joins("/a", "..", "/"));
    CHECK(joins("/", "", "/"));
    CHECK(joins("/a", "..b/...", "/a/..b/..."));
    CHECK(strcmp(path_below("/a/b/c", "/a"), "b/c") == 0);
    CHECK(path_below("/ab/c", "/a") == NULL && path_below("/a", "/a") == NULL);
}

/* `run` may be run in two of the folders, and is a folder itself in the first. */
static void test_program(void)
{
    char directory[] = "/tmp/base_test-XXXXXX";
    struct str path = {0}, expected = {0};
    struct error error;
    CHECK(mkdtemp(directory) != NULL);
    for (const char *folder = "abcd"; *folder; folder++) {
        str_clear(&path);
        str_printf(&path, "%s/%c%s", directory, *folder, *folder == 'a' ? "/run" : "");
        CHECK(file_make_directories(path.data, &error));
        str_append(&path, "/run");
        CHECK(*folder == 'a' || file_write(path.data, "", 0, &error));
        CHECK(*folder < 'c' || chmod(path.data, 0700) == 0);
    }
    char *before = strdup(getenv("PATH"));
    str_clear(&path);
    str_printf(&path, "%s/a:%s/none:%s/b:%s/c:%s/d", directory, directory, directory, directory,
               directory);
    setenv("PATH", path.data, 1);
    str_printf(&expected, "%s/c/run", directory);
    path_of_program(&path, "run");
    CHECK(strcmp(path.data, expected.data) == 0);
    path_of_program(&path, "walk");
    CHECK(strcmp(path.data, "walk") == 0);
    path_of_program(&path, "d/run");
    CHECK(strcmp(path.data, "d/run") == 0);
    char *here = getcwd(NULL, 0);
    str_clear(&path);
    str_printf(&path, "%s/d", directory);
    setenv("PATH", "/none:", 1); /* and here */
    CHECK(here && chdir(path.data) == 0);
    path_of_program(&path, "run");
    CHECK(strcmp(path.data, "./run") == 0 && chdir(here) == 0);
    setenv("PATH", before, 1);
    CHECK(file_remove_tree(directory, &error));
    free(before), free(here);
    str_release(&path), str_release(&expected);
}

static void test_file(void)
{
    char directory[] = "/tmp/base_test-XXXXXX";
    struct str path = {0}, text = {0};
    struct file_map map;
    struct error error;
    CHECK(mkdtemp(directory) != NULL);
    str_printf(&path, "%s/x/y", directory);
    CHECK(file_make_directories(path.data, &error) && file_make_directories(path.data, &error));
    str_append(&path, "/f");
    CHECK(!file_exists(path.data) && !file_map_open(&map, path.data, &error));
    CHECK(error.code == ERROR_SYSTEM &&
          str_ends_with(error.message, ": No such file or directory."));
    CHECK(file_write(path.data, "", 0, &error) && file_map_open(&map, path.data, &error));
    CHECK(map.data == NULL && map.size_bytes == 0);
    file_map_close(&map);
    CHECK(file_write(path.data, "new\n", 4, &error) && file_read(&text, path.data, &error));
    CHECK(strcmp(text.data, "new\n") == 0);
    CHECK(file_remove_tree(directory, &error) && !file_exists(directory));
    CHECK(file_remove_tree(directory, &error));
    str_release(&path);
    str_release(&text);
}

/* The files of no use for longest go, until half is left. */
static void test_folder_limit(void)
{
    char directory[] = "/tmp/base_test-XXXXXX";
    struct str path = {0}, text = {0};
    struct error error;
    CHECK(mkdtemp(directory) != NULL);
    for (int i = 0; i < 100000; i++)
        str_append_char(&text, 'x');
    for (int i = 0; i < 10; i++) {
        str_clear(&path);
        str_printf(&path, "%s/%d", directory, i);
        CHECK(file_write(path.data, text.data, text.length, &error));
        struct timespec times[2] = {{1000 + i, 0}, {1000 + i, 0}};
        utimensat(AT_FDCWD, path.data, times, 0);
    }
    str_clear(&path);
    str_printf(&path, "%s/0", directory);
    folder_limit_touch(path.data);
    folder_limit_keep(directory, 2000000);
    for (int i = 0; i < 2; i++) {
        int there = 0;
        for (int k = 0; k < 10; k++) {
            str_clear(&path);
            str_printf(&path, "%s/%d", directory, k);
            there += file_exists(path.data);
            CHECK(!i || file_exists(path.data) == (k == 0 || k >= 7));
        }
        CHECK(there == (i ? 4 : 10));
        folder_limit_keep(directory, 900000);
    }
    CHECK(file_remove_tree(directory, &error));
    str_release(&path);
    str_release(&text);
}

static void check_similar(const char *wanted, const char *expected)
{
    static const char *const names[] = {"handle", "handler", "handle", "max-rounds", "k", "report"};
    struct similar similar = {.wanted = wanted};
    struct str text = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        similar_offer(&similar, names[i]);
    similar_append(&similar, "--", &text);
    CHECK(strcmp(str_text(&text), expected) == 0);
    str_release(&text);
}

static void test_similar(void)
{
    char longest[5001];
    memset(longest, 'h', 5000);
    longest[5000] = '\0';
    check_similar("handel", " Did you mean --handle, --handler?");
    check_similar("handlers", " Did you mean --handler, --handle?");
    check_similar("max", " Did you mean --max-rounds?");
    check_similar("rpeort", " Did you mean --report?");
    check_similar("x", "");
    check_similar("", "");
    check_similar(longest, "");
}

static uint64_t key_at(const void *items, size_t index)
{
    return ((const uint64_t *)items)[index];
}

/* Whether a comes before b: by key and place. */
static bool is_before(const uint64_t *items, size_t a, size_t b)
{
    return items[a] != items[b] ? items[a] < items[b] : a < b;
}

/* Items of `runs` ascending runs, with keys and items that are there several times. */
static void check_run_merge(size_t count, size_t runs)
{
    uint64_t *items = memory_alloc(sizeof *items * count);
    bool *met = memory_zeroed(count);
    struct run_merge merge;
    uint64_t key = 0;
    for (size_t i = 0; i < count; i++) {
        key = i % (count / runs + 1) ? key + i % 3 : i * 7919 % 5;
        items[i] = i % 2 ? key : i % 8 ? key | UINT64_C(1) << 63 : UINT64_MAX;
    }
    run_merge_init(&merge, key_at, items, count);
    for (size_t i = 0, last = 0; i < count; i++) {
        size_t index = run_merge_next(&merge);
        CHECK(index < count && !met[index]);
        CHECK(i == 0 || is_before(items, last, index));
        met[index] = true;
        last = index;
    }
    run_merge_release(&merge);
    memory_free(items);
    memory_free(met);
}

static void test_lines(void)
{
    for (size_t size = 0; size < 300; size += 7) {
        char *bytes = memory_zeroed_lines(size);
        CHECK(((uintptr_t)bytes & 63) == 0);
        for (size_t i = 0; i < size; i++)
            CHECK(bytes[i] == 0);
        memory_free(bytes);
    }
}

static void test_run_merge(void)
{
    for (size_t count = 0; count < 40; count++)
        for (size_t runs = 1; runs < 9; runs++)
            check_run_merge(count, runs);
    check_run_merge(1000, 64);
}

struct ordering {
    struct run_order order;
    const uint64_t *items;
    size_t wrong;
};

static void order_or_take(void *context, uint32_t task)
{
    struct ordering *o = context;
    struct run_merge merge;
    if (task == 0) {
        run_order_fill(&o->order, key_at, o->items);
        return;
    }
    run_merge_init(&merge, key_at, o->items, o->order.count);
    for (size_t i = 0; i < o->order.count; i++)
        o->wrong += run_order_at(&o->order, i) != run_merge_next(&merge);
    run_merge_release(&merge);
}

/* What one thread takes is what the other one makes, and the same where one does both. */
static void test_run_order(void)
{
    for (size_t count = 0; count < 200000; count = count * 7 + 1)
        for (uint32_t jobs = 1; jobs < 3; jobs++) {
            uint64_t *items = memory_alloc(sizeof *items * count);
            for (size_t i = 0; i < count; i++)
                items[i] = i % 1000 * 50 + hash_mix(i) % 100;
            struct ordering o = {.items = items};
            run_order_init(&o.order, count);
            parallel_run(jobs, order_or_take, &o);
            if (jobs == 1)
                order_or_take(&o, 1);
            CHECK(o.wrong == 0);
            run_order_release(&o.order);
            memory_free(items);
        }
}

/* Numbers of up to `bits` bits. */
static void check_number_sort(size_t count, unsigned bits)
{
    int64_t *numbers = memory_alloc(sizeof *numbers * count);
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        numbers[i] = (int64_t)(hash_mix(i) >> 1 >> (63 - bits) >> i % 3);
        sum += hash_mix((uint64_t)numbers[i]);
    }
    number_sort(numbers, count);
    for (size_t i = 0; i < count; i++) {
        sum -= hash_mix((uint64_t)numbers[i]);
        CHECK(i == 0 || numbers[i - 1] <= numbers[i]);
    }
    CHECK(sum == 0);
    memory_free(numbers);
}

/* Each who has moments of its own, in order; its next one is put in when the one before was taken. */
static void check_moment_heap(uint32_t count)
{
    enum { EACH = 20 };
    struct moment_heap heap = {0};
    int64_t last_time = INT64_MIN;
    uint32_t last_who = 0, taken = 0, *times = memory_zeroed((count + 1) * sizeof *times);
    for (uint32_t who = 0; who < count; who++)
        moment_heap_add(&heap, (struct heap_moment){(int64_t)(hash_mix(who) % 9), who});
    for (; heap.count; taken++) {
        int64_t time = heap.items[0].time;
        uint32_t who = heap.items[0].who;
        CHECK(last_time < time || (last_time == time && (taken == 0 || last_who <= who)));
        if (++times[who] == EACH)
            moment_heap_drop(&heap);
        else
            moment_heap_next(&heap, time + 1 + (int64_t)(hash_mix(taken) % 5));
        last_time = time;
        last_who = who;
    }
    CHECK(taken == count * EACH);
    moment_heap_release(&heap);
    memory_free(times);
}

static void test_moment_heap(void)
{
    for (uint32_t count = 0; count < 300; count += 1 + count / 3)
        check_moment_heap(count);
}

static void test_number_sort(void)
{
    for (unsigned bits = 0; bits <= 63; bits++)
        for (size_t count = 0; count < 3000; count = count * 5 + 1)
            check_number_sort(count, bits);
}

int main(void)
{
    test_arena();
    test_large_arena();
    test_lines();
    test_str();
    test_similar();
    test_run_merge();
    test_run_order();
    test_number_sort();
    test_moment_heap();
    test_hash_map();
    test_intern();
    test_path();
    test_file();
    test_program();
    test_folder_limit();
    return failures ? 1 : 0;
}
