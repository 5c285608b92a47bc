/* build_kind.h - how a source tree may be built: a script for each way, the likeliest first.
 *
 *     for (kind = build_kind_next(source, NULL); kind; kind = build_kind_next(source, kind))
 *         ... kind->name, kind->script; is it so? Only a trial tells
 *
 * A tree may have several: httpd's configure stands beside a CMakeLists.txt for another system.
 */
#ifndef DRIVER_INIT_BUILD_KIND_H
#define DRIVER_INIT_BUILD_KIND_H

struct build_kind {
    const char *file; /* whose presence tells */
    const char *name;
    const char *script; /* of a shell */
};

/* The next one after `before`, or the first; NULL: there is none. */
const struct build_kind *build_kind_next(const char *source, const struct build_kind *before);
/* Stands for a script that came with a ready declaration. */
const struct build_kind *build_kind_ready(void);
/* Stands where none is known. */
const struct build_kind *build_kind_unknown(void);

#endif
