#include "symbol/line_code.h"

#include <dwarf.h>
#include <string.h>

#include "base/file.h"
#include "base/hash_map.h"
#include "base/memory.h"
#include "symbol/program_file.h"
#include "symbol/program_unit.h"

enum { FILES_TOLD = 5 };

struct search {
    const struct source_lines *lines;
    struct str wanted;      /* the path without "." and ".." */
    struct intern files;    /* those of such a path */
    uint32_t before, after; /* the nearest lines that have code; 0: none */
    struct code_pieces *pieces;
    /* Of the unit that is looked at: */
    const char *folder; /* in which it was compiled */
    Dwarf_Files *table;
    size_t table_count;
    unsigned char
        *of_table; /* by file: 0: not looked at, 1: another one, 2: it is of such a path */
};

/* ---- is it the file? ---- */

static bool ends_with_path(const char *path, const char *wanted)
{
    size_t length = strlen(path), end = strlen(wanted);
    return length >= end && strcmp(path + length - end, wanted) == 0 &&
           (length == end || *wanted == '/' || path[length - end - 1] == '/');
}

static bool is_wanted(struct search *search, const char *name)
{
    struct str path = {0};
    path_join(&path, search->folder, name);
    bool wanted = ends_with_path(path.data, search->wanted.data);
    if (wanted)
        intern_add(&search->files, path.data);
    str_release(&path);
    return wanted;
}

static const char *folder_of(const struct program_unit *unit)
{
    Dwarf_Attribute attribute;
    const char *folder = dwarf_formstring(dwarf_attr(unit->head, DW_AT_comp_dir, &attribute));
    return folder ? folder : "/";
}

/* "./src/../parse.c" is meant as "parse.c". */
static void tidy(struct str *wanted, const char *file)
{
    struct str path = {0};
    path_join(&path, "/", file);
    str_append(wanted, path.data + (*file != '/'));
    str_release(&path);
}

/* ---- the table of lines ---- */

static void note_near(struct search *search, uint32_t line)
{
    if (line < search->lines->from && line > search->before)
        search->before = line;
    if (line > search->lines->until && (!search->after || line < search->after))
        search->after = line;
}

static uint64_t address_of(const struct program_unit *unit, Dwarf_Line *line)
{
    Dwarf_Addr address = 0;
    dwarf_lineaddr(line, &address);
    return address + unit->bias;
}

/* A row reaches up to the next one. */
static void take_row(struct search *search, const struct program_unit *unit, Dwarf_Line *row,
                     Dwarf_Line *next)
{
    int number = 0;
    bool ends = false;
    dwarf_lineendsequence(row, &ends);
    uint64_t from = address_of(unit, row), until = address_of(unit, next);
    if (ends || dwarf_lineno(row, &number) != 0 || number <= 0 || from >= until ||
        !program_file_has_code(unit->file, from))
        return;
    if ((uint32_t)number >= search->lines->from && (uint32_t)number <= search->lines->until)
        code_pieces_add(search->pieces, from, until);
    else
        note_near(search, (uint32_t)number);
}

/* The table of a unit names each file by one text. */
static void take_rows(struct search *search, const struct program_unit *unit)
{
    Dwarf_Lines *rows;
    size_t count;
    const char *last = NULL;
    bool wanted = false;
    if (dwarf_getsrclines(unit->head, &rows, &count) != 0)
        return;
    for (size_t i = 0; i + 1 < count; i++) {
        Dwarf_Line *row = dwarf_onesrcline(rows, i);
        const char *name = dwarf_linesrc(row, NULL, NULL);
        if (name && name != last) {
            wanted = is_wanted(search, name);
            last = name;
        }
        if (name && wanted)
            take_row(search, unit, row, dwarf_onesrcline(rows, i + 1));
    }
}

/* ---- what was inlined ---- */

static bool is_called_from(struct search *search, Dwarf_Word file)
{
    if (file >= search->table_count)
        return false;
    if (!search->of_table[file]) {
        const char *name = dwarf_filesrc(search->table, file, NULL, NULL);
        search->of_table[file] = name && is_wanted(search, name) ? 2 : 1;
    }
    return search->of_table[file] == 2;
}

static void take_inlined(const struct program_unit *unit, Dwarf_Die *die, void *context)
{
    struct search *search = context;
    Dwarf_Attribute attribute;
    Dwarf_Word file, line;
    if (dwarf_tag(die) == DW_TAG_inlined_subroutine &&
        dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) == 0 &&
        line >= search->lines->from && line <= search->lines->until &&
        dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file) == 0 &&
        is_called_from(search, file))
        program_unit_pieces(unit, die, search->pieces);
}

static void take_all_inlined(struct search *search, const struct program_unit *unit)
{
    Dwarf_Die body = unit->body;
    if (dwarf_getsrcfiles(&body, &search->table, &search->table_count) != 0)
        return;
    search->of_table = memory_zeroed(search->table_count + 1);
    program_unit_walk(unit, take_inlined, search);
    memory_free(search->of_table);
}

/* ---- what is said ---- */

static void say_files(const struct intern *files, struct str *why)
{
    for (size_t i = 0; i < files->count && i < FILES_TOLD; i++)
        str_printf(why, "%s%s", i ? ", " : "", files->text[i]);
    if (files->count > FILES_TOLD)
        str_printf(why, " and %zu more", files->count - FILES_TOLD);
}

static void say_near(const struct search *search, struct str *why)
{
    if (search->before && search->after)
        str_printf(why, "the nearest lines that have some are %u and %u", search->before,
                   search->after);
    else if (search->before || search->after)
        str_printf(why, "the nearest line that has some is %u",
                   search->before ? search->before : search->after);
}

static enum line_outcome outcome_of(const struct search *search, struct str *why)
{
    if (search->files.count > 1 || search->pieces->count)
        say_files(&search->files, why);
    else
        say_near(search, why);
    if (search->files.count > 1)
        return LINE_AMBIGUOUS;
    if (search->pieces->count)
        return LINE_FOUND;
    return search->before || search->after ? LINE_NO_CODE : LINE_NO_FILE;
}

enum line_outcome line_code_find(struct program_file *file, const struct source_lines *lines,
                                 struct code_pieces *pieces, struct str *why)
{
    struct search search = {.lines = lines, .pieces = pieces};
    struct program_unit unit = {0};
    if (!program_file_has_units(file))
        return LINE_NO_UNITS;
    tidy(&search.wanted, lines->file);
    while (program_unit_next(file, &unit)) {
        search.folder = folder_of(&unit);
        take_rows(&search, &unit);
        take_all_inlined(&search, &unit);
    }
    code_pieces_join(pieces);
    enum line_outcome outcome = outcome_of(&search, why);
    str_release(&search.wanted);
    intern_release(&search.files);
    return outcome;
}
