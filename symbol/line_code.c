#include "symbol/line_code.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "symbol/symbolizer_inside.h"

static char *debug_folders = "/usr/lib/debug";
static const Dwfl_Callbacks callbacks = {.section_address = dwfl_offline_section_address,
                                         .find_debuginfo = symbolizer_find_installed,
                                         .debuginfo_path = &debug_folders};

static void add_range(struct line_code *code, uint64_t from, uint64_t until)
{
    if (from < until)
        VEC_PUSH(code->ranges, code->count, code->capacity) = (struct code_range){from, until};
}

static int by_from(const void *a, const void *b)
{
    const struct code_range *left = a, *right = b;
    return (left->from > right->from) - (left->from < right->from);
}

static void join_ranges(struct line_code *code)
{
    size_t kept = 0;
    if (code->count)
        qsort(code->ranges, code->count, sizeof *code->ranges, by_from);
    for (size_t i = 1; i < code->count; i++) {
        struct code_range *last = &code->ranges[kept], next = code->ranges[i];
        if (next.from > last->until)
            code->ranges[++kept] = next;
        else if (next.until > last->until)
            last->until = next.until;
    }
    code->count = code->count ? kept + 1 : 0;
}

/* ---- lines ---- */

static bool is_named(const char *path, const char *name)
{
    while (strncmp(name, "./", 2) == 0)
        name += 2;
    size_t length = strlen(path), wanted = strlen(name);
    return length >= wanted && strcmp(path + length - wanted, name) == 0 &&
           (length == wanted || *name == '/' || path[length - wanted - 1] == '/');
}

static void note_file(struct line_code *code, const char *path)
{
    for (size_t i = 0; i < code->file_count && i < LINE_CODE_FILES; i++)
        if (strcmp(code->files[i], path) == 0)
            return;
    if (code->file_count < LINE_CODE_FILES)
        code->files[code->file_count] = memory_strdup(path);
    code->file_count++;
}

static bool is_in(const struct line_place *place, unsigned line)
{
    return line >= place->from && line <= place->until;
}

static void note_near(struct line_code *code, const struct line_place *place, unsigned line)
{
    if (line && line < place->from && line > code->before)
        code->before = line;
    if (line > place->until && (!code->after || line < code->after))
        code->after = line;
}

/* A row's code ends where the next row's begins. */
static void add_rows(struct line_code *code, const struct line_place *place, Dwarf_Die *unit)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    code->has_lines = code->has_lines || count;
    for (size_t i = 0; i + 1 < count; i++) {
        Dwarf_Line *row = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
        Dwarf_Addr from, until;
        int number;
        bool ends;
        const char *path = dwarf_linesrc(row, NULL, NULL);
        if (!path || !is_named(path, place->file) || dwarf_lineendsequence(row, &ends) != 0 ||
            ends || dwarf_lineno(row, &number) != 0)
            continue;
        note_file(code, path);
        note_near(code, place, (unsigned)number);
        if (is_in(place, (unsigned)number) && dwarf_lineaddr(row, &from) == 0 &&
            dwarf_lineaddr(next, &until) == 0)
            add_range(code, from, until);
    }
}

static void add_die_ranges(struct line_code *code, Dwarf_Die *die)
{
    Dwarf_Addr base, from, until;
    ptrdiff_t offset = 0;
    while ((offset = dwarf_ranges(die, offset, &base, &from, &until)) > 0)
        add_range(code, from, until);
}

static bool number_of(Dwarf_Die *die, unsigned name, Dwarf_Word *number)
{
    Dwarf_Attribute attribute;
    return dwarf_formudata(dwarf_attr(die, name, &attribute), number) == 0;
}

struct inlining {
    struct line_code *code;
    const struct line_place *place;
    Dwarf_Files *files;
};

/* What was inlined belongs to the line that calls it. */
static void add_inlined(const struct inlining *in, Dwarf_Die *die)
{
    Dwarf_Word file, line;
    if (dwarf_tag(die) != DW_TAG_inlined_subroutine || !number_of(die, DW_AT_call_file, &file) ||
        !number_of(die, DW_AT_call_line, &line) || !is_in(in->place, (unsigned)line))
        return;
    const char *path = dwarf_filesrc(in->files, file, NULL, NULL);
    if (path && is_named(path, in->place->file))
        add_die_ranges(in->code, die);
}

static bool may_hold_inlined(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
           tag == DW_TAG_lexical_block || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
           tag == DW_TAG_structure_type || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* Depth first; files that are made to be deep end it. */
static void walk(const struct inlining *in, Dwarf_Die *parent, int depth)
{
    enum { DEEPEST = 200 };
    Dwarf_Die child;
    if (depth > DEEPEST || dwarf_child(parent, &child) != 0)
        return;
    do {
        add_inlined(in, &child);
        if (may_hold_inlined(&child))
            walk(in, &child, depth + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
}

static void add_unit(struct line_code *code, const struct line_place *place, Dwarf_Die *unit)
{
    struct inlining in = {.code = code, .place = place};
    size_t count;
    add_rows(code, place, unit);
    if (dwarf_getsrcfiles(unit, &in.files, &count) == 0)
        walk(&in, unit, 0);
}

/* ---- objects ---- */

struct object {
    Dwfl *dwfl;
    Dwfl_Module *module;
};

static struct object object_open(const char *path)
{
    struct object object = {.dwfl = dwfl_begin(&callbacks)};
    if (!object.dwfl)
        return object;
    dwfl_report_begin(object.dwfl);
    object.module = dwfl_report_offline(object.dwfl, path, path, -1);
    dwfl_report_end(object.dwfl, NULL, NULL);
    return object;
}

static void object_close(struct object *object)
{
    if (object->dwfl)
        dwfl_end(object->dwfl);
}

void line_code_add(struct line_code *code, const char *path, const struct line_place *place)
{
    struct object object = object_open(path);
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;
    code->count = 0;
    while (object.module && (unit = dwfl_module_nextcu(object.module, unit, &bias)))
        add_unit(code, place, unit);
    join_ranges(code);
    object_close(&object);
}

static bool is_part(const char *symbol, const char *name)
{
    size_t length = strlen(name);
    return strncmp(symbol, name, length) == 0 && (!symbol[length] || symbol[length] == '.');
}

void line_code_add_function(struct line_code *code, const char *path, const char *name)
{
    struct object object = object_open(path);
    GElf_Addr bias = 0;
    code->count = 0;
    int count = object.module && dwfl_module_getelf(object.module, &bias)
                    ? dwfl_module_getsymtab(object.module)
                    : 0;
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr at;
        GElf_Word section;
        const char *its =
            dwfl_module_getsym_info(object.module, i, &symbol, &at, &section, NULL, NULL);
        if (its && GELF_ST_TYPE(symbol.st_info) == STT_FUNC && section != SHN_UNDEF &&
            is_part(its, name))
            add_range(code, at - bias, at - bias + symbol.st_size);
    }
    join_ranges(code);
    object_close(&object);
}

void line_code_release(struct line_code *code)
{
    for (size_t i = 0; i < code->file_count && i < LINE_CODE_FILES; i++)
        memory_free(code->files[i]);
    memory_free(code->ranges);
    *code = (struct line_code){0};
}
