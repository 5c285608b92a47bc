/* frame_range.h - where the code of a function begins and ends, by what it has for unwinding.
 *
 *     struct object_function part;
 *     if (frame_range_of(&object, 0x1234, &part)) part.address 0x1230, part.size 0x85
 *
 * Stripped programs, too, have .eh_frame, with an entry for each function and for each part that a
 * compiler has split off one; .eh_frame_hdr lists them by address (Linux Standard Base, Core, 10.6.2).
 * Only its usual form is read, which linkers write for x86-64.
 */
#ifndef SAMPLER_FRAME_RANGE_H
#define SAMPLER_FRAME_RANGE_H

#include "sampler/point_object.h"

/* The part's symbol is "". False: nothing is known of the address. */
bool frame_range_of(const struct point_object *object, uint64_t address,
                    struct object_function *part);

#endif
