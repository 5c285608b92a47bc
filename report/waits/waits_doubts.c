#include "base/number.h"
#include "report/waits/waits_report.h"
#include "symbol/readable_name.h"

/* Of a thread's time (chosen): what it spins less hides no knot. */
#define LEAST 0.05

static void doubt_spin(const struct waits *waits, const struct spin_doubt *spin,
                       struct doubts *doubts)
{
    double share = waits->running.groups[spin->group].share.value * spin->part;
    struct str name = {0}, function = {0};
    if (!waits->graph.groups[spin->group].of_run || share < LEAST)
        return;
    waits_group_name(waits, spin->group, &name);
    readable_name(spin->function, &function);
    doubts_add(
        doubts, DOUBT_OF_WAITS, "may-spin",
        "%s runs %s of the time in a few instructions of %s that look like a loop in which it "
        "waits. The kernel takes that for work. If it is one, VPROF_SPIN_BEGIN and "
        "VPROF_SPIN_END around it tell for whom.",
        name.data, number_percent_short(share).text, function.data);
    str_release(&name);
    str_release(&function);
}

void waits_judge(const struct waits *waits, struct doubts *doubts)
{
    enum { MOST = 3 };
    for (size_t i = 0; i < waits->spins.count && i < MOST; i++)
        doubt_spin(waits, &waits->spins.items[i], doubts);
}
