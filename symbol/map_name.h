/* map_name.h - what lies at an address by the text of /proc/<pid>/maps alone, where no file can be read for it.
 *
 *     map_name(maps, 0x7ffd1000, &name)      "[vdso]"; "server" of "/srv/server (deleted)";
 *                                            "[generated code]" where code lies in no file
 *
 * It is a name without folders. Nothing is appended where there is no code at the address.
 */
#ifndef SYMBOL_MAP_NAME_H
#define SYMBOL_MAP_NAME_H

#include <stdint.h>

#include "base/str.h"

void map_name(const char *maps, uint64_t address, struct str *name);

#endif
