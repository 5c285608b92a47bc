#include "interval/track.h"

#include "base/memory.h"

struct track_span *track_spans(const struct track *track, size_t *count)
{
    struct track_span *spans = memory_alloc(sizeof *spans * (track->event_count / 2 + 1));
    size_t *open = memory_alloc(sizeof *open * (track->event_count / 2 + 1));
    uint32_t depth = 0;
    *count = 0;
    for (size_t i = 0; i < track->event_count; i++) {
        const struct track_event *event = &track->events[i];
        if (!event->opens) {
            spans[open[--depth]].end_ns = event->at_ns;
            continue;
        }
        open[depth] = *count;
        spans[(*count)++] =
            (struct track_span){event->name, depth++, event->blocked, event->at_ns, event->at_ns};
    }
    memory_free(open);
    return spans;
}
