/* facts_pack.h - the facts of one compilation as bytes, for a file.
 *
 *     facts_pack(&bytes, &facts);
 *     if (facts_unpack(&facts, bytes.data, bytes.length)) { ... facts_release(&facts); }
 *
 *     text count, texts each with a zero byte | files | inputs | functions | macros | units
 *
 * Whole numbers take seven bits a byte, hashes eight bytes; a text is its number. Failures are not
 * kept. Unpacking checks every number that is an index: whatever the bytes are, it ends, and what
 * it yields can be read. All that is unpacked is owned by the arena of the facts.
 */
#ifndef REWRITER_FACTS_PACK_H
#define REWRITER_FACTS_PACK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"
#include "rewriter/facts.h"

void facts_pack(struct str *bytes, const struct facts *facts); /* appends */

/* This is false where the bytes are not what facts_pack writes; nothing is to be released then. */
bool facts_unpack(struct facts *facts, const char *bytes, size_t size_bytes);

#endif
