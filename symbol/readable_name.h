/* readable_name.h - a linker's symbol as its author wrote it.
 *
 *     "_ZN4Pool3runEi"   ->  "Pool::run"          without the parameters
 *     "pg_fsync"         ->  "pg_fsync"
 */
#ifndef SYMBOL_READABLE_NAME_H
#define SYMBOL_READABLE_NAME_H

#include "base/str.h"

void readable_name(const char *symbol, struct str *out);

#endif
