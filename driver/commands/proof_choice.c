#include "driver/commands/proof_choice.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

/* Of one processor: what the points may take (chosen; sampler/point_budget.h). */
#define SHARE 0.02
/* Functions that have less of what ran are none of the first (chosen). */
#define LEAST_RAN 0.001

/* ---- the command line ---- */

static bool read_one(struct proof_choice *choice, const char *text, struct error *error)
{
    if (!isdigit((unsigned char)*text) || strncmp(text, "0x", 2) == 0) {
        if (choice->count < PROOF_MOST)
            choice->functions[choice->count] = text;
        choice->count++;
        return true;
    }
    char *end;
    unsigned long first = strtoul(text, &end, 10);
    choice->first = (uint32_t)first;
    return (!*end && first >= 1 && first <= PROOF_MOST) ||
           error_set(error, ERROR_USAGE,
                     "--prove wants a function, or how many of the first ones are measured: 1 to "
                     "%d, not '%s'.",
                     PROOF_MOST, text);
}

bool proof_choice_read(struct proof_choice *choice, const char *const *values, struct error *error)
{
    *choice = (struct proof_choice){0};
    for (; values && *values; values++)
        if (!read_one(choice, *values, error))
            return false;
    return choice->first + choice->count <= PROOF_MOST ||
           error_set(error, ERROR_USAGE, "--prove measures %d functions at most.", PROOF_MOST);
}

bool proof_choice_any(const struct proof_choice *choice)
{
    return choice->first + choice->count > 0;
}

void proof_choice_release(struct proof_choice *choice)
{
    str_release(&choice->refused);
}

/* ---- files ---- */

/* The path of a mapped file whose last part is the object's name. */
static bool mapped_path(const char *maps, const char *object, struct str *path)
{
    size_t length = strlen(object);
    for (const char *line = maps, *end; *line; line = *end ? end + 1 : end) {
        end = line + strcspn(line, "\n");
        const char *slash = memchr(line, '/', (size_t)(end - line));
        if (!slash || (size_t)(end - slash) <= length || end[-(ptrdiff_t)length - 1] != '/' ||
            strncmp(end - length, object, length) != 0)
            continue;
        str_clear(path);
        str_append_bytes(path, slash, (size_t)(end - slash));
        return true;
    }
    return false;
}

/* That of the program itself is the one that points are looked for in: another file may have its name by
 * now. */
static bool is_program(const struct proof_place *place, const char *object)
{
    char path[PATH_MAX];
    if (!realpath(place->program, path)) {
        ssize_t length = readlink(place->program, path, sizeof path - 1);
        path[length > 0 ? length : 0] = '\0';
    }
    const char *name = path_last_part(path);
    size_t length = strlen(object);
    return strncmp(name, object, length) == 0 &&
           (!name[length] || strcmp(name + length, " (deleted)") == 0);
}

static bool path_of(const struct proof_place *place, const struct stacks *stacks,
                    const char *object, struct str *path)
{
    const struct wait_stacks *known = stacks->run->wait_stacks;
    str_clear(path);
    if (is_program(place, object)) {
        str_append(path, place->program);
        return true;
    }
    for (uint32_t i = 0; i < known->process_count; i++)
        if (mapped_path(known->processes[i].maps, object, path) && file_exists(path->data))
            return true;
    return false;
}

/* A library in the folder of the C library is many programs': each of them would meet its points. */
static bool is_everybodys(const struct stacks *stacks, const char *path)
{
    const struct wait_stacks *known = stacks->run->wait_stacks;
    const char *slash = strrchr(path, '/');
    struct str libc = {0};
    bool is = false;
    for (uint32_t i = 0; slash && !is && i < known->process_count; i++)
        is = mapped_path(known->processes[i].maps, "libc.so.6", &libc) &&
             strrchr(libc.data, '/') - libc.data == slash - path &&
             strncmp(libc.data, path, (size_t)(slash - path)) == 0;
    str_release(&libc);
    return is;
}

/* ---- one function ---- */

struct choosing {
    struct proof_choice *choice;
    const struct stacks *stacks;
    const struct proof_place *place;
    struct point_wishes wishes;
    uint32_t chosen, passed; /* so many; so many were passed over, as they are everybody's */
};
enum { MOST_PASSED = 2 }; /* that are told */

static void refuse(struct choosing *c, const char *name, const char *why)
{
    struct str *refused = &c->choice->refused;
    str_printf(refused, "%s%s: %s", refused->length ? "\n" : "", name, why);
}

/* A plan of it alone says whether it can be had. */
static bool can_be_had(const char *program, const char *function, const char *label,
                       struct error *error)
{
    struct point_wishes wishes = {0};
    struct point_plan plan = {0};
    bool ok = point_wishes_add_calls(&wishes, function, label, error) &&
              point_plan_make(&plan, &wishes, program, error);
    point_plan_release(&plan);
    point_wishes_release(&wishes);
    return ok;
}

bool proof_choice_check(const struct proof_choice *choice, const char *program, struct error *error)
{
    for (uint32_t i = 0; i < choice->count; i++)
        if (!can_be_had(program, choice->functions[i], "", error))
            return false;
    return true;
}

static bool choose(struct choosing *c, const char *function, const char *label, const char *name)
{
    struct error error;
    bool ok = can_be_had(c->place->program, function, label, &error) &&
              point_wishes_add_calls(&c->wishes, function, label, &error);
    if (!ok)
        refuse(c, name, error.message);
    c->chosen += ok;
    return ok;
}

/* FUNCTION or FUNCTION@FILE, as it was typed. */
static void choose_named(struct choosing *c, const char *function)
{
    const char *at = strrchr(function, '@');
    char path[PATH_MAX];
    struct str label = {0};
    const char *file = at ? at + 1 : c->place->program;
    str_printf(&label, "@%s", path_last_part(realpath(file, path) ? path : file));
    choose(c, function, label.data, function);
    str_release(&label);
}

/* "[server+0x1a40]" begins at 0x1a40. */
static void append_name(const struct context_frame *frame, struct str *out)
{
    const char *plus = strrchr(frame->function, '+');
    if (frame->function[0] != '[')
        str_append(out, frame->function);
    else if (plus)
        str_append_bytes(out, plus + 1, strcspn(plus + 1, "]"));
}

static void refuse_everybodys(struct choosing *c, const struct context_frame *frame,
                              const char *function)
{
    struct str why = {0};
    if (c->passed++ >= MOST_PASSED)
        return;
    str_printf(&why,
               "other programs use %s, too, and would be made slower. Say `--prove %s` to have it "
               "measured all the same.",
               frame->object, function);
    refuse(c, frame->function, why.data);
    str_release(&why);
}

static void choose_frame(struct choosing *c, const struct context_frame *frame)
{
    struct str name = {0}, path = {0}, function = {0}, label = {0};
    append_name(frame, &name);
    if (!name.length)
        goto end;
    if (!path_of(c->place, c->stacks, frame->object, &path)) {
        refuse(c, frame->function, "its file is not there any more.");
        goto end;
    }
    str_printf(&function, "%s@%s", name.data, path.data);
    if (is_everybodys(c->stacks, path.data)) {
        refuse_everybodys(c, frame, function.data);
        goto end;
    }
    str_printf(&label, "%s@%s", frame->function, frame->object);
    choose(c, function.data, label.data, frame->function);
end:
    str_release(&name);
    str_release(&path);
    str_release(&function);
    str_release(&label);
}

/* ---- the first ones ---- */

static bool is_of_process(const struct context_frame *frame)
{
    return frame->kind == FRAME_PROGRAM || frame->kind == FRAME_LIBRARY;
}

/* The one with the longest own time on a processor that is not taken. */
static uint32_t next_of(const struct stacks *stacks, const bool *taken)
{
    const struct function_times *functions = &stacks->functions;
    const struct context_frame *frames = stacks->times.fold.tree.frames;
    double least = LEAST_RAN * (double)stacks->times.sums[CONTEXT_ROOT].total[TIME_RAN];
    uint32_t best = UINT32_MAX;
    for (uint32_t i = 0; i < functions->count; i++) {
        const struct function_time *function = &functions->items[i];
        if (!taken[i] && is_of_process(&frames[function->frame]) &&
            (double)function->own[TIME_RAN] > least &&
            (best == UINT32_MAX || function->own[TIME_RAN] > functions->items[best].own[TIME_RAN]))
            best = i;
    }
    return best;
}

/* That of the first sentence comes first, then those that ran longest. */
static void choose_first(struct choosing *c)
{
    const struct function_times *functions = &c->stacks->functions;
    const struct context_frame *frames = c->stacks->times.fold.tree.frames;
    const struct heavy_function *first = &c->stacks->heaviest.first;
    bool *taken = memory_zeroed(functions->count + 1);
    uint32_t wanted = c->chosen + c->choice->first;
    for (uint32_t i = 0; first->node != CONTEXT_NONE && i < functions->count; i++)
        if (functions->items[i].frame == first->frame && is_of_process(&frames[first->frame])) {
            taken[i] = true;
            choose_frame(c, &frames[first->frame]);
        }
    for (uint32_t tries = 0; c->chosen < wanted && tries < 4 * PROOF_MOST; tries++) {
        uint32_t next = next_of(c->stacks, taken);
        if (next == UINT32_MAX)
            break;
        taken[next] = true;
        choose_frame(c, &frames[functions->items[next].frame]);
    }
    memory_free(taken);
}

bool proof_choice_plan(struct proof_choice *choice, const struct stacks *stacks,
                       const struct proof_place *place, struct point_plan *plan,
                       struct error *error)
{
    struct choosing c = {.choice = choice, .stacks = stacks, .place = place};
    *plan = (struct point_plan){0};
    c.wishes.share = SHARE;
    for (uint32_t i = 0; i < choice->count; i++)
        choose_named(&c, choice->functions[i]);
    choose_first(&c);
    bool ok =
        c.chosen || error_set(error, ERROR_NOTHING, "None of the functions can be measured%s%s",
                              choice->refused.length ? ":\n" : ".", str_text(&choice->refused));
    ok = ok && request_values_take(place->requests, &c.wishes, error) &&
         point_plan_make(plan, &c.wishes, place->program, error);
    point_wishes_release(&c.wishes);
    return ok;
}
