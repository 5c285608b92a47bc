/* Any bytes, read as a run's traces. Linked with --wrap=file_map_open, file_map_close,
 * trace_windows_open, trace_windows_trim, trace_windows_close and mprotect: files lie in blocks of
 * their exact size, so that AddressSanitizer sees a read of one byte too many. Their pages can't be
 * given back, hence
 * --wrap=madvise. */
#include "fuzz_trace.h"

#include <fcntl.h>
#include <sanitizer/asan_interface.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "tests/trace/pages_check.h"
#include "tests/trace/timeline_check.h"
#include "trace/dump.h"
#include "trace/timeline_load.h"
#include "trace/trace_reader.h"
#include "trace/trace_windows.h"

enum { FILES_MAX = 4 };

bool __wrap_file_map_open(struct file_map *map, const char *path, struct error *error);
void __wrap_file_map_close(struct file_map *map);

bool __wrap_trace_windows_open(struct trace_windows *windows, struct file_map *map, int fd);
void __wrap_trace_windows_trim(struct trace_windows *windows, const struct file_map *map);
void __wrap_trace_windows_close(struct trace_windows *windows, struct file_map *map);
int __wrap_mprotect(void *start, size_t size_bytes, int access);
int __wrap_madvise(void *start, size_t size_bytes, int advice);

static char directory[64];
static FILE *sink;

bool __wrap_file_map_open(struct file_map *map, const char *path, struct error *error)
{
    struct str text = {0};
    *map = (struct file_map){0};
    if (!file_read(&text, path, error))
        return false;
    if (text.length) {
        char *data = memory_alloc(text.length);
        memcpy(data, text.data, text.length);
        *map = (struct file_map){data, text.length};
    }
    str_release(&text);
    return true;
}

void __wrap_file_map_close(struct file_map *map)
{
    memory_free((void *)map->data);
    *map = (struct file_map){0};
}

/* The room behind the file is poisoned, until a copy is made there. */
bool __wrap_trace_windows_open(struct trace_windows *windows, struct file_map *map, int fd)
{
    (void)fd;
    uint64_t size = map->size_bytes, begin = (size / TRACE_PAGE + 1) * TRACE_PAGE, room = 2 * begin;
    char *data = memory_zeroed(room);
    memcpy(data, map->data, size);
    ASAN_POISON_MEMORY_REGION(data + size, room - size);
    file_map_close(map);
    *map = (struct file_map){data, size};
    *windows = (struct trace_windows){.begin = begin, .end = begin, .room = room};
    return true;
}

void __wrap_trace_windows_trim(struct trace_windows *windows, const struct file_map *map)
{
    (void)windows, (void)map;
}

void __wrap_trace_windows_close(struct trace_windows *windows, struct file_map *map)
{
    memory_free(windows->list);
    file_map_close(map);
    *windows = (struct trace_windows){0};
}

int __wrap_mprotect(void *start, size_t size_bytes, int access)
{
    (void)start, (void)size_bytes, (void)access;
    ASAN_UNPOISON_MEMORY_REGION(start, size_bytes);
    return 0;
}

int __wrap_madvise(void *start, size_t size_bytes, int advice)
{
    (void)start, (void)size_bytes, (void)advice;
    return 0;
}

static void fuzz_fail(const char *what)
{
    fprintf(stderr, "fuzz_trace: %s\n", what);
    abort();
}

static void fuzz_path(char path[96], unsigned file)
{
    snprintf(path, 96, "%s/%u.vtr", directory, file);
}

static void fuzz_clean_up(void)
{
    char path[96];
    for (unsigned i = 0; i < FILES_MAX; i++) {
        fuzz_path(path, i);
        unlink(path);
    }
    rmdir(directory);
    fclose(sink);
}

static void fuzz_start(void)
{
    snprintf(directory, sizeof directory, "%s/fuzz-trace-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    sink = fopen("/dev/null", "w");
    if (!mkdtemp(directory) || !sink)
        fuzz_fail("there is no folder for the files");
    atexit(fuzz_clean_up);
}

/* The word at data[at], or NULL. */
static const char *fuzz_word(const uint8_t *data, size_t size, size_t at)
{
    if (size - at < FUZZ_WORD_BYTES || data[at] != '|')
        return NULL;
    if (memcmp(data + at, FUZZ_PAGE, FUZZ_WORD_BYTES) == 0)
        return FUZZ_PAGE;
    return memcmp(data + at, FUZZ_FILE, FUZZ_WORD_BYTES) == 0 ? FUZZ_FILE : NULL;
}

/* Writes the file that begins at data[at]; returns where the next one does. */
static size_t fuzz_write_file(const uint8_t *data, size_t size, size_t at, unsigned file)
{
    char path[96];
    fuzz_path(path, file);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    size_t length = 0;
    const char *word = "";
    while (at < size && strcmp(word, FUZZ_FILE) != 0) {
        size_t end = at;
        while (end < size && !(word = fuzz_word(data, size, end)))
            end++;
        if (pwrite(fd, data + at, end - at, (off_t)length) != (ssize_t)(end - at))
            fuzz_fail("no room for a file");
        length += end - at;
        if (end == size)
            word = "";
        else if (strcmp(word, FUZZ_PAGE) == 0)
            length += (TRACE_PAGE - length % TRACE_PAGE) % TRACE_PAGE;
        at = end == size ? size : end + FUZZ_WORD_BYTES;
    }
    if (ftruncate(fd, (off_t)length) != 0 || close(fd) != 0)
        fuzz_fail("no room for a file");
    return at;
}

static unsigned fuzz_write(const uint8_t *data, size_t size)
{
    char path[96];
    unsigned files = 0;
    size_t at = 0;
    do
        at = fuzz_write_file(data, size, at, files++);
    while (at < size && files < FILES_MAX);
    for (unsigned i = files; i < FILES_MAX; i++) {
        fuzz_path(path, i);
        unlink(path);
    }
    return files;
}

static void fuzz_read_file(unsigned file)
{
    struct trace_reader reader;
    struct trace_record record;
    struct error error;
    char path[96];
    unsigned char sum = 0;
    fuzz_path(path, file);
    if (!trace_reader_open(&reader, path, &error))
        return;
    for (uint32_t log = 0; log < reader.log_count; log++) {
        struct trace_cursor cursor = trace_cursor_start(&reader, log);
        while (trace_cursor_next(&cursor, &record))
            for (unsigned i = 0; i < TRACE_KIND_SIZE(record.kind); i++)
                sum = (unsigned char)(sum + ((const unsigned char *)record.data)[i]);
    }
    putc(sum, sink);
    trace_reader_close(&reader);
}

/* Opened, with two calls to a page, it says the same. */
static void fuzz_open_run(const struct timelines *loaded)
{
    struct timelines opened;
    struct error error;
    if (!timelines_open_pages(&opened, directory, 2, &error))
        fuzz_fail(error.message);
    const char *fault = pages_check(loaded, &opened);
    if (fault)
        fuzz_fail(fault);
    timelines_release(&opened);
}

static void fuzz_read_run(void)
{
    struct timelines run;
    struct error error;
    if (!timelines_load(&run, directory, &error))
        return;
    const char *fault = timeline_check(&run);
    if (fault)
        fuzz_fail(fault);
    trace_dump(&run, NULL, sink);
    fuzz_open_run(&run);
    timelines_release(&run);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!sink)
        fuzz_start();
    unsigned files = fuzz_write(data, size);
    for (unsigned i = 0; i < files; i++)
        fuzz_read_file(i);
    fuzz_read_run();
    rewind(sink);
    return 0;
}
