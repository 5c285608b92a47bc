#include "driver/commands/checkup.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "base/file.h"
#include "base/memory.h"
#include "driver/workbench/config.h"
#include "driver/workbench/kernel_recording.h"
#include "rewriter/compile_db.h"

void checkup_add(struct checkup *checkup, const char *name, enum finding_state state,
                 const char *message, const char *cure)
{
    VEC_PUSH(checkup->findings, checkup->count, checkup->capacity) =
        (struct finding){name, state, message, cure};
}

void checkup_release(struct checkup *checkup)
{
    memory_free(checkup->findings);
    arena_release(&checkup->arena);
    *checkup = (struct checkup){0};
}

/* ---- the machine ---- */

/* Gives the first line of a small file of the kernel's, "" where it can't be read. */
static void read_line(const char *path, char *line, size_t size_bytes)
{
    FILE *file = fopen(path, "r");
    if (!file || !fgets(line, (int)size_bytes, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    line[strcspn(line, "\n")] = '\0';
}

static bool is_remote(long type)
{
    enum { NFS = 0x6969, SMB = 0x517B, FUSE = 0x65735546, NINE_P = 0x01021997 };
    return type == NFS || type == SMB || type == FUSE || type == NINE_P ||
           (unsigned long)type == 0xFF534D42 || (unsigned long)type == 0xFE534D42;
}

/* Finds the folder where results go, or the nearest one above it that is there. */
static void existing_folder(const char *out, char *folder)
{
    struct str path = {0};
    str_printf(&path, "%s%s", *out == '/' ? "" : "./", out);
    while (!realpath(path.data, folder) && path.length > 1) {
        while (path.length > 1 && path.data[--path.length] != '/')
            ;
        path.data[path.length ? path.length : 1] = '\0';
    }
    str_release(&path);
}

static void check_disk(struct checkup *checkup, const char *out)
{
    enum { LEAST_MB = 1024 };
    char folder[PATH_MAX] = ".";
    struct statfs disk;
    existing_folder(out, folder);
    if (statfs(folder, &disk) != 0)
        return;
    unsigned long free_mb = (unsigned long)disk.f_bavail * (unsigned long)disk.f_bsize >> 20;
    char *message =
        arena_printf(&checkup->arena, "%s has %lu MB left%s", folder, free_mb,
                     is_remote(disk.f_type) ? ", on a file system of another machine" : "");
    if (free_mb < LEAST_MB)
        checkup_add(checkup, "disk", FINDING_MEND, message,
                    "A round's trace may take 1 GB: make room, or take --out on another disk.");
    else if (is_remote(disk.f_type))
        checkup_add(checkup, "disk", FINDING_MEND, message,
                    "Traces are mapped files: take --out on a local disk.");
    else
        checkup_add(checkup, "disk", FINDING_FINE, message, NULL);
}

static void check_limits(struct checkup *checkup)
{
    enum { LEAST_FILES = 64 };
    struct rlimit files = {0, 0}, size = {0, 0};
    getrlimit(RLIMIT_NOFILE, &files);
    getrlimit(RLIMIT_FSIZE, &size);
    char *message =
        arena_printf(&checkup->arena, "%lu open files, memory locked: none needed, file size %s",
                     (unsigned long)files.rlim_cur,
                     size.rlim_cur == RLIM_INFINITY ? "without limit" : "limited");
    if (files.rlim_cur < LEAST_FILES)
        checkup_add(checkup, "limits", FINDING_MEND, message, "ulimit -n 1024");
    else if (size.rlim_cur != RLIM_INFINITY)
        checkup_add(checkup, "limits", FINDING_MEND, message,
                    "A trace ends where the limit is: ulimit -f unlimited");
    else
        checkup_add(checkup, "limits", FINDING_FINE, message, NULL);
}

static void note_rights(struct checkup *checkup)
{
    char paranoid[16];
    read_line("/proc/sys/kernel/perf_event_paranoid", paranoid, sizeof paranoid);
    checkup_add(checkup, "rights", FINDING_NOTE,
                arena_printf(&checkup->arena,
                             "no root, no ptrace, no perf events (perf_event_paranoid is %s), no "
                             "core files: none is needed",
                             *paranoid ? paranoid : "not there"),
                NULL);
}

static void note_kernel(struct checkup *checkup, const struct kernel_trial *trial)
{
    static const char *const what[] = {[TRACE_WATCHED_NOTHING] = "no",
                                       [TRACE_WATCHED_ALL] = "all",
                                       [TRACE_WATCHED_OWN] = "own threads' switches",
                                       [TRACE_WATCHED_TOTALS] = "totals"};
    const char *missing = str_text(&trial->missing), *cure = str_text(&trial->cure);
    checkup_add(checkup, "kernel", *missing ? FINDING_NOTE : FINDING_FINE,
                arena_printf(&checkup->arena, "its scheduler can be recorded: %s%s%s",
                             what[trial->watched], *missing ? "; " : "", missing),
                *cure ? arena_strdup(&checkup->arena, cure) : NULL);
}

/* The scheduler is recorded for a moment: what the settings say is not all that counts. */
static void check_kernel(struct checkup *checkup)
{
    struct kernel_trial trial;
    struct error error;
    if (kernel_trial_make(&trial, &error))
        note_kernel(checkup, &trial);
    else
        checkup_add(
            checkup, "kernel", FINDING_NOTE,
            arena_printf(&checkup->arena, "its scheduler can be recorded: no; %s", error.message),
            NULL);
    kernel_trial_release(&trial);
}

void checkup_machine(struct checkup *checkup, const char *out)
{
    check_disk(checkup, out);
    check_limits(checkup);
    note_rights(checkup);
    check_kernel(checkup);
}

/* ---- the tree ---- */

static void check_commands(struct checkup *checkup, const char *source)
{
    static const char *const places[] = {"compile_commands.json", "build/compile_commands.json"};
    struct str path = {0};
    struct error error;
    bool found = false;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        struct compile_db db = {0};
        str_clear(&path);
        str_printf(&path, "%s/%s", source, places[i]);
        found = file_exists(path.data);
        if (found && compile_db_read_json(&db, path.data, &error))
            checkup_add(checkup, "compile commands", FINDING_FINE,
                        arena_printf(&checkup->arena, "%u in %s", db.count, path.data), NULL);
        else if (found)
            checkup_add(checkup, "compile commands", FINDING_MEND,
                        arena_strdup(&checkup->arena, error.message),
                        "Make it again, or remove it: the first build records them.");
        compile_db_release(&db);
    }
    if (!found)
        checkup_add(checkup, "compile commands", FINDING_NOTE,
                    "no compile_commands.json: they are recorded from the first build", NULL);
    str_release(&path);
}

static void check_config(struct checkup *checkup, const char *source)
{
    struct str path = {0};
    struct config config;
    struct error error;
    path_join(&path, source, "vprofiler.json");
    if (!file_exists(path.data))
        checkup_add(checkup, "intervals", FINDING_NOTE,
                    "no vprofiler.json: the program must mark its intervals itself (SI_BEGIN)",
                    NULL);
    else if (!config_read(&config, path.data, &error))
        checkup_add(checkup, "intervals", FINDING_MEND,
                    arena_strdup(&checkup->arena, error.message), "Correct it there.");
    else {
        checkup_add(
            checkup, "intervals", FINDING_FINE,
            arena_printf(&checkup->arena, "%u marks and %u synchronizing functions declared in %s",
                         config.declarations.mark_count, config.declarations.sync_count, path.data),
            NULL);
        config_release(&config);
    }
    str_release(&path);
}

void checkup_tree(struct checkup *checkup, const char *source)
{
    check_commands(checkup, source);
    check_config(checkup, source);
}

/* ---- the program ---- */

static bool has_interpreter(const struct file_map *map)
{
    const Elf64_Ehdr *header = (const void *)map->data;
    for (uint64_t i = 0; i < header->e_phnum; i++) {
        uint64_t offset = header->e_phoff + i * sizeof(Elf64_Phdr);
        if (offset > map->size_bytes || map->size_bytes - offset < sizeof(Elf64_Phdr))
            return false;
        Elf64_Phdr segment;
        memcpy(&segment, map->data + offset, sizeof segment);
        if (segment.p_type == PT_INTERP)
            return true;
    }
    return false;
}

static void check_elf(struct checkup *checkup, const struct file_map *map, const char *path)
{
    const unsigned char *ident = (const void *)map->data;
    if (map->size_bytes < sizeof(Elf64_Ehdr) || memcmp(ident, ELFMAG, SELFMAG) != 0)
        checkup_add(
            checkup, "program", FINDING_NOTE,
            arena_printf(&checkup->arena, "%s is a script: name the program that it starts", path),
            NULL);
    else if (ident[EI_CLASS] != ELFCLASS64)
        checkup_add(checkup, "program", FINDING_MEND,
                    arena_printf(&checkup->arena, "%s has 32 bits, the runtime has 64", path),
                    "Build it with -m64.");
    else if (!has_interpreter(map))
        checkup_add(checkup, "program", FINDING_MEND,
                    arena_printf(&checkup->arena,
                                 "%s is linked statically: LD_PRELOAD does not reach it", path),
                    "Link it without -static, or add $VPROF_LIBS to its link flags.");
    else
        checkup_add(checkup, "program", FINDING_FINE,
                    arena_printf(&checkup->arena, "LD_PRELOAD reaches %s", path), NULL);
}

void checkup_program(struct checkup *checkup, const char *path)
{
    struct stat status;
    struct file_map map;
    struct error error;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode) ||
        !file_map_open(&map, path, &error)) {
        checkup_add(checkup, "program", FINDING_MEND,
                    arena_printf(&checkup->arena, "there is no program %s to read", path),
                    "Build it first, and name its file.");
        return;
    }
    if (status.st_mode & (S_ISUID | S_ISGID))
        checkup_add(
            checkup, "program", FINDING_MEND,
            arena_printf(&checkup->arena, "%s is set-uid: LD_PRELOAD does not reach it", path),
            "Run a copy without that bit, as the user that it is for.");
    else
        check_elf(checkup, &map, path);
    file_map_close(&map);
}
