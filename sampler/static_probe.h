/* static_probe.h - the static probes (USDT) of a program or library, as its notes tell of them.
 *
 *     struct static_probes probes;
 *     static_probes_read(&probes, &object);
 *     probes.items[0]      postgresql:query__start at 0x3a2f10, arguments "8@%rdi", no counter
 *     static_probes_release(&probes);
 *
 * Section .note.stapsdt of sys/sdt.h (systemtap, "UserSpaceProbeImplementation"): a probe is a place in
 * the code that does nothing, until somebody watches it. A probe may have several places. Notes that are
 * damaged are left out.
 */
#ifndef SAMPLER_STATIC_PROBE_H
#define SAMPLER_STATIC_PROBE_H

#include "sampler/point_object.h"

struct static_probe {
    const char *provider, *name, *arguments; /* the object's */
    uint64_t address;
    uint64_t counter; /* address of what counts those who watch; 0: it has none */
};

struct static_probes {
    struct static_probe *items;
    size_t count, capacity;
};

void static_probes_read(struct static_probes *probes, const struct point_object *object);
void static_probes_release(struct static_probes *probes);
/* Whether it is PROVIDER:NAME. */
bool static_probe_is(const struct static_probe *probe, const char *name);

#endif
