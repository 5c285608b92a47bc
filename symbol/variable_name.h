/* variable_name.h - the variable at an address of a process, down to the member.
 *
 *     struct str name = {0};
 *     variable_name(symbolizer, 0x55d0c0de40a8, &name)        true: "cache.lock", "locks[3]"
 *
 * By debug information: variables of files and namespaces, and static ones of functions. Without it
 * the linker's symbol is the name. Members that begin with an underscore are a library's own and
 * are not named. False: no variable of the program or of a library lies there, as for what is
 * allocated. It goes over the debug information of one file at each call: for some tens of
 * addresses.
 */
#ifndef SYMBOL_VARIABLE_NAME_H
#define SYMBOL_VARIABLE_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct symbolizer;

bool variable_name(struct symbolizer *symbolizer, uint64_t address, struct str *out);

#endif
