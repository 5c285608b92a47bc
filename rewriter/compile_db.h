/* compile_db.h - how each source file is compiled.
 *
 *     struct compile_db db = {0};
 *     compile_db_read_json(&db, "compile_commands.json", &error);
 *     compile_db_read_log(&db, "compiles.log", &error);        what the recorder wrote
 *     compile_db_release(&db);
 *
 * Entries are unique by (file, arguments); a later entry of a file compiled with the same output
 * replaces an earlier one. Launchers before the compiler (ccache) are left out. Owns its strings.
 */
#ifndef REWRITER_COMPILE_DB_H
#define REWRITER_COMPILE_DB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"

/* These flags tell the parser what a compiler does without being told (compiler_defaults.h asks
 * it). */
struct compiler_defaults {
    const char **first; /* flags before those of the command, which may undo them */
    uint32_t first_count;
    const char **last; /* folders of headers after those of the command */
    uint32_t last_count;
    bool standard; /* the language's version is among them, as the command has it */
    bool machine;  /* so is what the processor can do */
};

struct compile_command {
    const char *directory;  /* absolute */
    const char *file;       /* absolute, "." and ".." taken out */
    const char **arguments; /* argv, [0] is the compiler */
    uint32_t argument_count;
    const struct compiler_defaults *defaults; /* of its compiler; NULL: not known */
};

struct compile_db {
    struct arena arena;
    struct compile_command *commands;
    uint32_t count;
    uint32_t capacity;
    uint32_t piped; /* compilations of what came through a pipe: not among the commands */
};

/* The file is one of the JSON Compilation Database, with `command` or `arguments`. */
bool compile_db_read_json(struct compile_db *db, const char *path, struct error *error);

/* The recorder's log holds for each compiler that was started "cwd\0argv0\0argv1\0...\0\n", one
 * write each. Commands that compile no C or C++ source file, and preprocessor-only or -cc1 ones,
 * are left out. One command that names several source files gives several entries. All entries
 * are in order of file and arguments then: a parallel build records them in another order each
 * time. */
bool compile_db_read_log(struct compile_db *db, const char *path, struct error *error);

/* The folder `from` is replaced by `to` in directories, files and inside arguments; but folders
 * and headers that are not there, but in `from`, are found where they are. */
void compile_db_relocate(struct compile_db *db, const char *from, const char *to);

void compile_db_release(struct compile_db *db);

#endif
