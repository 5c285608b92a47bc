/* Two intervals as timelines: a worker that a compactor of another process keeps waiting, and a
 * task that was queued for it; a lane of many short calls. */
#include "sample.h"

enum { LANES = 3, MANY = 40, PARTS = 100 };

static struct track_event events[2][LANES][2 * MANY + 8];
static struct track tracks[2][LANES];
static struct track_arrow arrows[2][2];
static const struct track_stretch *worked_for(struct track_stretch *stretch, int64_t from,
                                              int64_t to)
{
    *stretch = (struct track_stretch){from, to};
    return stretch;
}

static void open_call(struct track *track, int64_t at_ns, const char *name, bool blocked)
{
    track->events[track->event_count++] = (struct track_event){at_ns, name, true, blocked};
}

static void close_call(struct track *track, int64_t at_ns)
{
    track->events[track->event_count++] = (struct track_event){.at_ns = at_ns};
}

static void plant_tracks(uint32_t index, const struct variance_tree *tree, int64_t whole)
{
    static struct track_stretch worked[2][2];
    struct track *maker = &tracks[index][0], *worker = &tracks[index][1];
    struct track *waker = &tracks[index][2];
    int64_t part = whole / PARTS;
    for (uint32_t i = 0; i < LANES; i++)
        tracks[index][i] = (struct track){
            .pid = i < 2 ? 4711 : 4800, .tid = i < 2 ? 4711 + i : 4800, .events = events[index][i]};
    maker->worked = worked_for(&worked[index][0], 0, 2 * part);
    worker->worked = worked_for(&worked[index][1], 20 * part, whole);
    maker->worked_count = worker->worked_count = 1;
    for (int i = 0; i < MANY; i++) {
        open_call(maker, 2 * i * part, tree->nodes[2].name, false);
        close_call(maker, (2 * i + 1) * part);
    }
    open_call(worker, 10 * part, tree->nodes[1].name, false);
    open_call(worker, 30 * part, tree->nodes[3].name, true);
    close_call(worker, 91 * part);
    close_call(worker, whole);
    open_call(waker, 0, tree->nodes[4].name, false);
    open_call(waker, 10 * part, tree->nodes[6].name, false);
    close_call(waker, 80 * part);
    close_call(waker, 90 * part);
    arrows[index][0] = (struct track_arrow){0, 1, part, 20 * part, true};
    arrows[index][1] = (struct track_arrow){2, 1, 89 * part, 91 * part, false};
}

static struct track_view view_of(uint32_t index, const char *what, const char *name,
                                 uint32_t number, double latency_ns)
{
    return (struct track_view){.what = what,
                               .name = name,
                               .type = "checkout",
                               .number = number,
                               .latency_ns = (int64_t)latency_ns,
                               .tracks = tracks[index],
                               .track_count = LANES,
                               .arrows = arrows[index],
                               .arrow_count = 2,
                               .least_ns = (int64_t)(latency_ns / PARTS / 2),
                               .left_out = 12,
                               .left_out_tracks = 1};
}

void sample_plant_timelines(struct sample *sample)
{
    static struct track_view views[2];
    const struct interval_summary *intervals = &sample->tree.intervals;
    plant_tracks(0, &sample->tree, (int64_t)intervals->p50_ns);
    plant_tracks(1, &sample->tree, (int64_t)intervals->max_ns);
    views[0] = view_of(0, "typical", "typical: interval 4", 4, intervals->p50_ns);
    views[1] = view_of(1, "slowest", "slowest: interval 17", 17, intervals->max_ns);
    sample->report.timelines = views;
    sample->report.timeline_count = 2;
}
