/* file_doubt.h - what the headers of a run's files tell about a loss that their chunks do not show.
 *
 *     struct damage_list damage = {0};
 *     file_doubt(&damage, readers, count, i, clocks[i].known);      for each file
 */
#ifndef TRACE_FILE_DOUBT_H
#define TRACE_FILE_DOUBT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "trace/trace_reader.h"

/* The damage is told in sentences, each with the file that it speaks of. */
struct damage_list {
    char **texts;
    size_t count, capacity;
};

/* The list takes the text over. */
void damage_list_add(struct damage_list *damage, struct str text);
void damage_list_release(struct damage_list *damage);

/* The doubts are of one of all the files that are read together. `rate_known`: its ticks are ns. */
void file_doubt(struct damage_list *damage, const struct trace_reader *readers, size_t count,
                size_t file, bool rate_known);

#endif
