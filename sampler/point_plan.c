#include "sampler/point_plan.h"

#include <string.h>

#include "base/hash_map.h"
#include "base/memory.h"
#include "base/similar.h"
#include "sampler/function_ends.h"
#include "sampler/point_name.h"
#include "sampler/static_probe.h"
#include "symbol/readable_name.h"

/* So much of the stack holds the operands of static probes. */
enum { STACK_BYTES = 1024 };

/* A file that is open while its points are planned. */
struct planning {
    struct point_plan *plan;
    const char *program;
    bool kernel_returns;
    uint32_t wish;
    struct point_object object; /* the latest */
    const char *file;           /* its path, or NULL: none is open */
};

/* ---- files ---- */

static const char *keep_file(struct point_plan *plan, const char *path)
{
    for (size_t i = 0; i < plan->file_count; i++)
        if (strcmp(plan->files[i], path) == 0)
            return plan->files[i];
    VEC_PUSH(plan->files, plan->file_count, plan->file_capacity) = memory_strdup(path);
    return plan->files[plan->file_count - 1];
}

static bool open_file(struct planning *planning, const char *path, struct error *error)
{
    path = path ? path : planning->program;
    if (planning->file && strcmp(planning->file, path) == 0)
        return true;
    if (planning->file)
        point_object_close(&planning->object);
    planning->file = NULL;
    if (!point_object_open(&planning->object, path, error))
        return false;
    planning->file = keep_file(planning->plan, path);
    return true;
}

/* ---- points and their places ---- */

static uint32_t add_point(struct planning *planning, enum trace_point_role role, bool by_value,
                          const char *name)
{
    struct point_plan *plan = planning->plan;
    char *copy = memory_strdup(name);
    for (char *at = copy; *at; at++) /* a line of the trace holds it; a damaged file may have any */
        if ((unsigned char)*at < ' ')
            *at = '?';
    VEC_PUSH(plan->points, plan->point_count, plan->point_capacity) =
        (struct planned_point){.wish = planning->wish,
                               .role = (uint8_t)role,
                               .joined = by_value ? TRACE_POINT_BY_VALUE : TRACE_POINT_BY_THREAD,
                               .name = copy};
    return (uint32_t)plan->point_count - 1;
}

static bool add_place(struct planning *planning, uint64_t address, const struct point_place *place,
                      struct error *error)
{
    struct point_plan *plan = planning->plan;
    struct point_place added = *place;
    added.file = planning->file;
    if (!point_object_offset(&planning->object, address, &added.offset))
        return error_set(error, ERROR_USAGE, "%s has no code at the address 0x%llx.",
                         planning->file, (unsigned long long)address);
    VEC_PUSH(plan->places, plan->place_count, plan->place_capacity) = added;
    return true;
}

/* ---- functions ---- */

static char *name_of(const struct object_function *function, const char *wanted)
{
    struct str name = {0};
    if (*function->symbol)
        readable_name(function->symbol, &name);
    else
        str_append(&name, wanted);
    return name.data;
}

static bool add_known_ends(struct planning *planning, const struct function_ends *ends,
                           const struct point_place *place, struct error *error)
{
    struct planned_point *point = &planning->plan->points[place->point];
    bool leaves = point->role == TRACE_POINT_LEAVE || point->role == TRACE_POINT_RETURNED;
    if (leaves && ends->begins_again) /* of its entry, which is before it */
        point[-1].joined = TRACE_POINT_BY_VALUE;
    for (uint32_t i = 0; i < ends->count; i++)
        if (!add_place(planning, ends->addresses[i], place, error))
            return false;
    return true;
}

static void note(struct planning *planning, const char *name, const char *what)
{
    struct str *notes = &planning->plan->notes;
    str_printf(notes, "%sNot all places are known where %s returns: %s.", notes->length ? " " : "",
               name, what);
}

/* What the kernel's return probe takes for the return address must be one, or the program is lost. It is where
 * a function begins, and that only a symbol says: by its table for unwinding alone it may be a part that was
 * split off, whose frame is another's. And it has to stay where it is: Go moves its stacks. */
static bool has_fixed_return(const struct point_object *object,
                             const struct object_function *function)
{
    GElf_Shdr header;
    return *function->symbol && !strstr(function->symbol, ".cold") &&
           !point_object_section(object, ".gopclntab", &header);
}

/* Where the entry is probed: behind an instruction that only says that one may come there by an indirect
 * call, as the kernel has to execute that one by itself, and not the one behind it, mostly a push. */
static uint64_t entry_of(const struct planning *planning, const struct object_function *function)
{
    static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    const unsigned char *bytes =
        planning->object.machine == EM_X86_64 && function->size > sizeof endbr64
            ? point_object_bytes(&planning->object, function->address, sizeof endbr64)
            : NULL;
    bool there = bytes && memcmp(bytes, endbr64, sizeof endbr64) == 0;
    return function->address + (there ? sizeof endbr64 : 0);
}

/* Where not all ends are known the kernel's return probe tells them, at a price: the program ends if a C++ exception
 * leaves the function. Where there may be exceptions it is not used. */
static bool add_ends(struct planning *planning, const struct object_function *function,
                     const char *name, const struct point_place *place, struct error *error)
{
    struct function_ends ends;
    struct point_place added = *place;
    uint8_t role = planning->plan->points[place->point].role;
    bool leaves = role == TRACE_POINT_LEAVE || role == TRACE_POINT_RETURNED;
    bool may =
        has_fixed_return(&planning->object, function) && !point_object_may_throw(&planning->object);
    added.by_kernel = planning->kernel_returns && may;
    if (added.by_kernel)
        return add_place(planning, entry_of(planning, function), &added, error);
    if (function_ends_find(&ends, &planning->object, function, leaves ? ENDS_ALL : ENDS_OWN))
        return add_known_ends(planning, &ends, place, error);
    if (may) {
        added.by_kernel = true;
        note(planning, name,
             "the kernel's return probe is used, for which others that look at its stack see no "
             "callers");
        return add_place(planning, entry_of(planning, function), &added, error);
    }
    if (!function_ends_find(&ends, &planning->object, function, ENDS_OR_JUMPS))
        return error_set(
            error, ERROR_USAGE,
            "It is not known where %s returns, and the kernel's return probe could end "
            "the program there, as when an exception leaves it. Choose another function, or say "
            "--begin and --end.",
            name);
    note(planning, name, "where it goes on in another function by a jump it is taken to end");
    return add_known_ends(planning, &ends, place, error);
}

static bool plan_interval(struct planning *planning, const struct point_spot *spot,
                          struct error *error)
{
    struct object_function function;
    if (!open_file(planning, spot->file, error) ||
        !point_name_find(&planning->object, spot->name, &function, error))
        return false;
    char *name = name_of(&function, spot->name);
    uint32_t enter = add_point(planning, TRACE_POINT_ENTER, false, name);
    uint32_t leave = add_point(planning, TRACE_POINT_LEAVE, false, name);
    bool ok = add_place(planning, entry_of(planning, &function),
                        &(struct point_place){.point = enter}, error) &&
              add_ends(planning, &function, name, &(struct point_place){.point = leave}, error);
    memory_free(name);
    return ok;
}

/* "serve@server". */
static char *label_of(const struct object_function *function, const struct point_wish *wish)
{
    struct str label = {0};
    bool address = str_starts_with(wish->begin.name, "0x");
    char *name = address ? name_of(function, wish->begin.name) : NULL;
    if (wish->label[0] == '@')
        str_printf(&label, "%.*s", (int)strcspn(name ? name : wish->begin.name, "("),
                   name ? name : wish->begin.name);
    str_append(&label, wish->label);
    memory_free(name);
    return label.data;
}

/* Where it is not known at which places it returns, it is counted only. */
static bool plan_calls(struct planning *planning, const struct point_wish *wish,
                       struct error *error)
{
    struct object_function function;
    struct error unknown;
    if (!open_file(planning, wish->begin.file, error) ||
        !point_name_find(&planning->object, wish->begin.name, &function, error))
        return false;
    char *label = label_of(&function, wish);
    uint32_t enter = add_point(planning, TRACE_POINT_CALLED, false, label);
    bool ok = add_place(planning, entry_of(planning, &function),
                        &(struct point_place){.point = enter}, error);
    uint32_t leave = add_point(planning, TRACE_POINT_RETURNED, false, label);
    size_t places = planning->plan->place_count;
    if (ok &&
        !add_ends(planning, &function, label, &(struct point_place){.point = leave}, &unknown)) {
        memory_free(planning->plan->points[leave].name);
        planning->plan->point_count = leave;
        planning->plan->place_count = places;
        note(planning, label, "it is counted only");
    }
    memory_free(label);
    return ok;
}

static struct point_operand operand_of(const struct point_spot *spot)
{
    if (spot->argument == POINT_RETURNED)
        return point_operand_returned();
    return spot->argument ? point_operand_argument(spot->argument)
                          : (struct point_operand){.kind = OPERAND_NONE};
}

static bool plan_spot(struct planning *planning, const struct point_spot *spot,
                      enum trace_point_role role, struct error *error)
{
    struct object_function function;
    if (!open_file(planning, spot->file, error) ||
        !point_name_find(&planning->object, spot->name, &function, error))
        return false;
    char *name = name_of(&function, spot->name);
    struct point_place place = {.point = add_point(planning, role, spot->argument != 0, name),
                                .operand = operand_of(spot)};
    bool ok = spot->at_return ? add_ends(planning, &function, name, &place, error)
                              : add_place(planning, entry_of(planning, &function), &place, error);
    memory_free(name);
    return ok;
}

/* ---- static probes ---- */

/* The n-th operand of "8@%rdi -4@%esi". */
static bool find_operand(struct point_operand *operand, const char *arguments, uint8_t n)
{
    size_t length;
    for (uint8_t i = 1; *(arguments += strspn(arguments, " ")); i++, arguments += length) {
        length = strcspn(arguments, " ");
        if (i == n)
            return point_operand_read(operand, arguments, length);
    }
    return false;
}

static bool add_probe(struct planning *planning, const struct static_probe *probe,
                      const struct point_spot *spot, uint32_t point, struct error *error)
{
    struct point_place place = {.point = point};
    if (spot->argument && !find_operand(&place.operand, probe->arguments, spot->argument))
        return error_set(
            error, ERROR_USAGE,
            "Argument %d of the probe %s cannot be told from \"%s\". Choose another one "
            "by --id.",
            spot->argument, spot->name, probe->arguments);
    if (place.operand.kind == OPERAND_MEMORY)
        place.stack_bytes = STACK_BYTES;
    if (probe->counter && !point_object_offset(&planning->object, probe->counter, &place.counter))
        return error_set(error, ERROR_USAGE, "The probe %s of %s has its counter nowhere in it.",
                         spot->name, planning->file);
    return add_place(planning, probe->address, &place, error);
}

static bool refuse_probe(const struct planning *planning, const struct static_probes *probes,
                         const char *wanted, struct error *error)
{
    struct similar similar = {.wanted = wanted};
    struct intern names = {0};
    struct str near = {0}, name = {0};
    for (size_t i = 0; i < probes->count; i++) {
        str_clear(&name);
        str_printf(&name, "%s:%s", probes->items[i].provider, probes->items[i].name);
        intern_add(&names, name.data);
    }
    for (size_t i = 0; i < names.count; i++)
        similar_offer(&similar, names.text[i]);
    similar_append(&similar, "", &near);
    error_set(error, ERROR_USAGE, "%s has no static probe %s.%s%s%s", planning->file, wanted,
              str_text(&near),
              !probes->count ? " It has none at all: it was built without them."
              : !near.length ? " One of it is "
                             : "",
              probes->count && !near.length ? names.text[0] : "");
    intern_release(&names);
    str_release(&near);
    str_release(&name);
    return false;
}

static bool plan_probe(struct planning *planning, const struct static_probes *probes,
                       const struct point_spot *spot, enum trace_point_role role,
                       struct error *error)
{
    uint32_t point = UINT32_MAX;
    for (size_t i = 0; i < probes->count; i++) {
        if (!static_probe_is(&probes->items[i], spot->name))
            continue;
        if (point == UINT32_MAX)
            point = add_point(planning, role, spot->argument != 0, spot->name);
        if (!add_probe(planning, &probes->items[i], spot, point, error))
            return false;
    }
    return point != UINT32_MAX || refuse_probe(planning, probes, spot->name, error);
}

static bool has_probe(const struct static_probes *probes, const char *name)
{
    for (size_t i = 0; i < probes->count; i++)
        if (static_probe_is(&probes->items[i], name))
            return true;
    return false;
}

/* The end of query__start is query__done, as programs mostly name them. */
static char *end_of(const struct static_probes *probes, const char *begin)
{
    static const char *const begins[] = {"start", "begin", "entry", "enter"};
    static const char *const ends[] = {"done", "end", "return", "finish", "exit", "leave"};
    struct str name = {0};
    for (size_t b = 0; b < sizeof begins / sizeof *begins; b++)
        for (size_t e = 0; str_ends_with(begin, begins[b]) && e < sizeof ends / sizeof *ends; e++) {
            str_clear(&name);
            str_append_bytes(&name, begin, strlen(begin) - strlen(begins[b]));
            str_append(&name, ends[e]);
            if (has_probe(probes, name.data))
                return name.data;
        }
    str_release(&name);
    return NULL;
}

static bool plan_ends(struct planning *planning, const struct static_probes *probes,
                      const struct point_wish *wish, struct error *error)
{
    struct point_spot end = wish->end;
    char *found =
        end.name || !has_probe(probes, wish->begin.name) ? NULL : end_of(probes, wish->begin.name);
    end.name = found ? found : end.name;
    bool ok = plan_probe(planning, probes, &wish->begin, TRACE_POINT_BEGIN, error);
    if (ok && !end.name)
        ok = error_set(error, ERROR_USAGE,
                       "--usdt %s: it is not known which probe ends what begins there. Say "
                       "`--usdt %s,END`.",
                       wish->begin.name, wish->begin.name);
    ok = ok && plan_probe(planning, probes, &end, TRACE_POINT_END, error);
    memory_free(found);
    return ok;
}

static bool plan_usdt(struct planning *planning, const struct point_wish *wish, struct error *error)
{
    struct static_probes probes;
    if (!open_file(planning, wish->begin.file, error))
        return false;
    static_probes_read(&probes, &planning->object);
    bool ok = plan_ends(planning, &probes, wish, error);
    static_probes_release(&probes);
    return ok;
}

/* ---- all wishes ---- */

static void plan_descriptors(struct planning *planning)
{
    static const struct {
        enum trace_point_role role;
        const char *name;
    } calls[] = {{TRACE_POINT_READ, "read"},       {TRACE_POINT_WRITES, "write"},
                 {TRACE_POINT_WROTE, "written"},   {TRACE_POINT_ACCEPT, "accept"},
                 {TRACE_POINT_CONNECT, "connect"}, {TRACE_POINT_CLOSE, "close"},
                 {TRACE_POINT_POLL, "epoll_wait"}};
    planning->plan->descriptors = planning->wish;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        add_point(planning, calls[i].role, true, calls[i].name);
}

static bool plan_wish(struct planning *planning, const struct point_wish *wish, struct error *error)
{
    switch (wish->kind) {
    case WISH_INTERVAL:
        return plan_interval(planning, &wish->begin, error);
    case WISH_SPAN:
        return plan_spot(planning, &wish->begin, TRACE_POINT_BEGIN, error) &&
               plan_spot(planning, &wish->end, TRACE_POINT_END, error);
    case WISH_USDT:
        return plan_usdt(planning, wish, error);
    case WISH_CALLS:
        return plan_calls(planning, wish, error);
    case WISH_DESCRIPTOR:
        plan_descriptors(planning);
        return true;
    }
    BUG("a kind of wish");
}

bool point_plan_make(struct point_plan *plan, const struct point_wishes *wishes,
                     const char *program, struct error *error)
{
    struct planning planning = {
        .plan = plan, .program = program, .kernel_returns = wishes->kernel_returns};
    bool ok = true;
    *plan = (struct point_plan){.share = wishes->share};
    for (uint32_t i = 0; ok && i < wishes->count; i++) {
        planning.wish = i + 1;
        ok = plan_wish(&planning, &wishes->items[i], error);
    }
    if (planning.file)
        point_object_close(&planning.object);
    if (!ok)
        point_plan_release(plan);
    return ok;
}

void point_plan_release(struct point_plan *plan)
{
    for (size_t i = 0; i < plan->point_count; i++)
        memory_free(plan->points[i].name);
    for (size_t i = 0; i < plan->file_count; i++)
        memory_free(plan->files[i]);
    memory_free(plan->points);
    memory_free(plan->places);
    memory_free(plan->files);
    str_release(&plan->notes);
    *plan = (struct point_plan){0};
}
