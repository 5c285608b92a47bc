/* thrift.h - Apache Thrift's compact protocol, as far as the metadata of a Parquet file needs it.
 *
 *     struct thrift thrift = {0};                    Row { 1: i64 rows, 3: list<string> names }
 *     thrift_i64(&thrift, 1, 500);                   16 e8 07
 *     thrift_list(&thrift, 3, THRIFT_TEXT, 1);       29 18
 *     thrift_text(&thrift, THRIFT_ITEM, "own");      03 6f 77 6e
 *     thrift_end(&thrift);                           00
 *     fwrite(thrift.bytes.data, 1, thrift.bytes.length, out)
 *
 * The outermost struct is open from the start. Fields of a struct go up; each begin has an end. An
 * item of a list has no field number. From doc/specs/thrift-compact-protocol.md of Apache Thrift.
 * Owns `bytes`: str_release(&thrift.bytes).
 */
#ifndef REPORT_KIT_THRIFT_H
#define REPORT_KIT_THRIFT_H

#include <stdint.h>

#include "base/str.h"

enum { THRIFT_ITEM = 0, THRIFT_DEPTH = 8 };
enum thrift_type {
    THRIFT_I32 = 5,
    THRIFT_I64 = 6,
    THRIFT_TEXT = 8,
    THRIFT_LIST = 9,
    THRIFT_STRUCT = 12
};

struct thrift {
    struct str bytes;
    int last[THRIFT_DEPTH]; /* number of the last field, by depth of structs */
    unsigned depth;
};

void thrift_i32(struct thrift *thrift, int field, int32_t value);
void thrift_i64(struct thrift *thrift, int field, int64_t value);
void thrift_text(struct thrift *thrift, int field, const char *text);
void thrift_binary(struct thrift *thrift, int field, const void *bytes, size_t size_bytes);
/* The caller adds `count` items after it. */
void thrift_list(struct thrift *thrift, int field, enum thrift_type of, uint32_t count);
void thrift_begin(struct thrift *thrift, int field);
void thrift_end(struct thrift *thrift);

/* The protocol's own numbers have seven bits a byte, the least first (LEB128). */
void thrift_varint(struct str *out, uint64_t value);

#endif
