/* similar.h - "did you mean": which known names are nearest to one that is not known.
 *
 *     struct similar similar = {.wanted = "handel"};
 *     for each name that is known: similar_offer(&similar, name);
 *     similar_append(&similar, "", &message);          " Did you mean handle, handler?" or nothing
 *
 * Near is a small number of letters changed, added or taken away, or a name that begins like the
 * wanted one. Borrows the names.
 */
#ifndef BASE_SIMILAR_H
#define BASE_SIMILAR_H

#include <stdint.h>

#include "base/str.h"

enum { SIMILAR_MOST = 3 };

struct similar {
    const char *wanted;
    const char *names[SIMILAR_MOST]; /* the nearest first, no name twice */
    uint32_t distances[SIMILAR_MOST];
    uint32_t count;
};

void similar_offer(struct similar *similar, const char *name);
/* `prefix` stands before each name: "--" for options. */
void similar_append(const struct similar *similar, const char *prefix, struct str *text);

#endif
