/* folder_limit.h - a folder of files that can be made again stays small.
 *
 *     folder_limit_touch(path);                     a file that was of use
 *     folder_limit_keep(folder, 512 << 20);         those of no use for longest go
 *
 * Files of one folder only, none below; what can't be removed stays.
 */
#ifndef BASE_FOLDER_LIMIT_H
#define BASE_FOLDER_LIMIT_H

#include <stdint.h>

void folder_limit_touch(const char *path);
/* The folder is left as it is where all take no more than `most_bytes`; else the oldest files are
 * removed until half of that is left. */
void folder_limit_keep(const char *folder, uint64_t most_bytes);

#endif
