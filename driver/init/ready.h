/* ready.h - declarations for programs that many run: vprofiler init --for redis.
 *
 *     if (ready_read("redis", &declaration, &script, &error)) ...
 *
 * They lie in share/vprofiler/ready/<name>/: vprofiler.json, and build.sh where the usual ways of
 * building would not do.
 */
#ifndef DRIVER_INIT_READY_H
#define DRIVER_INIT_READY_H

#include "base/error.h"
#include "base/str.h"

/* All of them; the last is NULL. */
extern const char *const ready_names[];

/* `script` stays empty where there is none. */
bool ready_read(const char *name, struct str *declaration, struct str *script, struct error *error);

#endif
