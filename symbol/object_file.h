/* object_file.h - the files that a recorded program had mapped: found again, or known to be others now.
 *
 *     struct object_files *files = object_files_open();
 *     object_files_add(files, text, "run/trace");          lines of a FILES chunk, and where their copies lie
 *     object_files_find(files, "/srv/it", 88)              "/srv/it", or "run/trace/objects/3-it"
 *
 * The file of that path is taken where it is the same one by its inode, size and time, or has the same build id;
 * else its copy. Texts belong to `files`.
 */
#ifndef SYMBOL_OBJECT_FILE_H
#define SYMBOL_OBJECT_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct object_files;

struct object_files *object_files_open(void);
/* Lines that are none are left out. */
void object_files_add(struct object_files *files, const char *text, const char *folder);
/* False: nothing is known of it. Else *found, or NULL: it is not there any more. */
bool object_files_find(struct object_files *files, const char *path, uint64_t inode,
                       const char **found);
void object_files_close(struct object_files *files); /* NULL is allowed */

#endif
