#include "runtime/attach.h"

#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "runtime/callers.h"
#include "runtime/objects.h"
#include "runtime/recording.h"
#include "runtime/signals.h"
#include "runtime/sites.h"
#include "runtime/switches.h"
#include "runtime/trace_file.h"

#define VPROF_TYPES_ONLY
#include "vprof_api.h"

#define TABLE_BYTES_MAX 65536u
enum note_type { NOTE_TABLE = 1, NOTE_SWITCHES = 2, NOTE_DIRECT = 3, NOTE_SITES = 5 };
static const char note_owner[8] = "vprof\0\0";

struct note {
    uint32_t owner_size, desc_size, type;
    char owner[8]; /* as ours has it; others differ */
};

static struct {
    unsigned long long loads; /* of objects in this process, at the last scan */
    pthread_mutex_t lock;
    bool off;
} scanner = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct attach_hooks hooks;

struct scan {
    unsigned tables; /* not attached before */
    bool fill;
};

typedef void (*hook)(void);

/* The table is filled from the last hook to the first, so that leave is set before enter. */
static void fill(struct vprof_hooks_1 *table)
{
    size_t size = table->size < sizeof *hooks.table ? table->size : sizeof *hooks.table;
    uintptr_t *to = (uintptr_t *)(void *)table;
    const uintptr_t *from = (const uintptr_t *)(const void *)hooks.table;
    for (size_t i = size / sizeof *to; i-- > 1;)
        __atomic_store_n(&to[i], from[i], __ATOMIC_RELEASE);
}

static void visit_table(struct scan *scan, struct vprof_hooks_1 *table)
{
    if (table->size < offsetof(struct vprof_hooks_1, task) || table->size > TABLE_BYTES_MAX ||
        table->mark)
        return;
    scan->tables++;
    if (scan->fill)
        fill(table);
}

static bool is_ours(const struct note *n, size_t left)
{
    return left >= sizeof *n + n->desc_size && n->owner_size == sizeof "vprof" &&
           memcmp(n->owner, note_owner, sizeof n->owner) == 0;
}

/* A word of a note is the distance from itself to what it tells of. */
static void *note_target(const struct note *n, size_t word)
{
    const char *at = (const char *)(n + 1) + word * sizeof(int64_t);
    int64_t distance;
    memcpy(&distance, at, sizeof distance);
    return (void *)((uintptr_t)at + (uintptr_t)distance);
}

static void visit_note(struct scan *scan, const struct note *n)
{
    uint64_t count = 0;
    if (n->type == NOTE_TABLE && n->desc_size == sizeof(int64_t))
        visit_table(scan, note_target(n, 0));
    if (n->type == NOTE_DIRECT && n->desc_size == sizeof(int64_t) && scan->fill)
        hooks.give(note_target(n, 0));
    if (n->type == NOTE_SITES && n->desc_size == 3 * sizeof(int64_t) && scan->fill)
        sites_add(note_target(n, 1), note_target(n, 2), note_target(n, 0), hooks.of_sites);
    if (n->type != NOTE_SWITCHES || n->desc_size != sizeof(int64_t) + sizeof count)
        return;
    memcpy(&count, (const char *)(n + 1) + sizeof(int64_t), sizeof count);
    if (scan->fill)
        switches_map(note_target(n, 0), count);
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

static void visit_notes(struct scan *scan, const char *p, size_t left, size_t align)
{
    while (left >= offsetof(struct note, owner)) {
        const struct note *n = (const struct note *)(const void *)p;
        if (is_ours(n, left))
            visit_note(scan, n);
        size_t size =
            round_up(round_up(sizeof(uint32_t) * 3 + n->owner_size, align) + n->desc_size, align);
        if (size > left)
            return;
        p += size;
        left -= size;
    }
}

/* Stripped or oddly linked files have notes that no loaded segment holds. */
static bool is_loaded(const struct dl_phdr_info *object, const ElfW(Phdr) * note)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &object->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && (h->p_flags & PF_R) && note->p_vaddr >= h->p_vaddr &&
            note->p_vaddr + note->p_memsz <= h->p_vaddr + h->p_memsz)
            return true;
    }
    return false;
}

static void learn_code(const struct dl_phdr_info *object)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &object->dlpi_phdr[i];
        if (h->p_type == PT_LOAD && (h->p_flags & PF_X))
            callers_learn(object->dlpi_addr + h->p_vaddr, h->p_memsz);
    }
}

static int visit_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    struct scan *scan = context;
    unsigned before = scan->tables;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &object->dlpi_phdr[i];
        if (h->p_type == PT_NOTE && is_loaded(object, h))
            visit_notes(context, (const char *)(uintptr_t)(object->dlpi_addr + h->p_vaddr),
                        h->p_memsz, h->p_align == 8 ? 8 : 4);
    }
    if (scan->fill && scan->tables > before)
        learn_code(object);
    return 0;
}

static int read_loads(struct dl_phdr_info *object, size_t size, void *loads)
{
    if (size >= offsetof(struct dl_phdr_info, dlpi_subs))
        *(unsigned long long *)loads = object->dlpi_adds;
    return 1;
}

static unsigned long long count_loads(void)
{
    unsigned long long loads = 0;
    dl_iterate_phdr(read_loads, &loads);
    return loads;
}

int attach_has_news(void)
{
    return !scanner.off && count_loads() != __atomic_load_n(&scanner.loads, __ATOMIC_ACQUIRE);
}

/* Mappings are recorded before anything else; what is loaded later can be named only if they are
 * recorded again. An object without probes may be called through a pointer, too. */
static void scan_all(void)
{
    struct scan scan = {0, false};
    if (recording_is_on())
        objects_loaded();
    dl_iterate_phdr(visit_object, &scan);
    if (scan.tables == 0 || !recording_start(hooks.table))
        return;
    scan = (struct scan){0, true};
    dl_iterate_phdr(visit_object, &scan);
    trace_file_count_tables(scan.tables);
    sites_start();
}

void attach_start_up(struct attach_hooks given)
{
    hooks = given;
}

void attach_scan(void)
{
    if (!attach_has_news())
        return;
    struct signal_set before = signals_block(); /* a handler may never come back */
    pthread_mutex_lock(&scanner.lock);
    unsigned long long loads = count_loads();
    if (loads != scanner.loads) {
        scan_all();
        __atomic_store_n(&scanner.loads, loads, __ATOMIC_RELEASE); /* no news from here on */
    }
    pthread_mutex_unlock(&scanner.lock);
    signals_restore(before);
}

void attach_forked(bool alone)
{
    if (!alone)
        scanner.off = true;
}
