/* file.h - whole files and paths.
 *
 *     struct file_map map;
 *     if (file_map_open(&map, path, &error)) { use map.data, map.size_bytes; file_map_close(&map);
 * }
 *
 * An empty file maps to size 0 and a NULL data. file_write replaces a file at once (a new file,
 * then rename), so that a reader sees the old text or the new one and a crash loses neither.
 *
 * What is made here nobody else may read, unless file_let_others_read was called: results hold
 * names, paths, values and command lines of the program. Nothing is written through a link that
 * another user left, and no name that is written to can be told before.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

struct file_map {
    const char *data;
    size_t size_bytes;
};

/* A mapped file's bytes are let go of (MADV_DONTNEED) after so many, by whoever goes over it: they
 * no longer count as this process's memory, and are read again where they are needed. */
enum { FILE_FORGET_BYTES = 32 << 20 };

/* Behind its last page a map has one of zeros: what is read of a file that another process changes
 * may seem to reach beyond its end. */
bool file_map_open(struct file_map *map, const char *path, struct error *error);
void file_map_close(struct file_map *map);
/* What a map of so many bytes takes, with that page. */
size_t file_map_room(size_t size_bytes);

bool file_read(struct str *text, const char *path, struct error *error); /* appends */
bool file_write(const char *path, const char *data, size_t size_bytes, struct error *error);
/* The result is a descriptor to write (and read) a new or emptied file, or -1 and errno. */
int file_create(const char *path);
bool file_exists(const char *path);
bool file_make_directories(const char *path, struct error *error); /* as mkdir -p */
int file_make_folder(const char *path); /* as mkdir: 0, or -1 and errno */
/* Makes an empty folder in $TMPDIR, else /tmp, that nobody else may look into. */
bool file_make_temporary(struct str *path, struct error *error);
bool file_remove_tree(const char *path, struct error *error); /* as rm -rf */

/* Files and folders get the modes that the umask leaves from here on. */
void file_let_others_read(void);
unsigned file_umask(void);
/* A folder, no link, in which no other user but root can exchange or remove what is ours. */
bool file_is_own_folder(const char *path);

/* The result is the path as it is when `relative` is absolute, else below `directory`; "." and ".."
 * are taken out. */
void path_join(struct str *path, const char *directory, const char *relative);
/* The last part is what follows the last slash: "main.c" of "src/main.c". */
const char *path_last_part(const char *path);

/* The file that is run by this name (execvp): one without a slash is looked for in the folders of PATH. The name itself
 * where there is none. */
void path_of_program(struct str *path, const char *name);

/* The result is the part of `path` below `directory`, or NULL. Both are absolute and normal. */
const char *path_below(const char *path, const char *directory);

#endif
