#include "driver/runs/shown_intervals.h"

#include "interval/choice.h"

enum { MOST_TRACKS = 8, MOST_SPANS = 150 };

static void show(struct shown_intervals *shown, const struct interval_choice *choice,
                 uint32_t number, const char *what)
{
    for (uint32_t i = 0; i < shown->count; i++)
        if (shown->timelines[i].number == number)
            return;
    struct interval_wish wish = {.interval = choice->intervals[number],
                                 .number = number,
                                 .what = what,
                                 .most_tracks = MOST_TRACKS,
                                 .most_spans = MOST_SPANS};
    interval_view_make(&shown->views[shown->count], &shown->source, &wish);
    shown->timelines[shown->count] = shown->views[shown->count].view;
    shown->count++;
}

void shown_intervals_make(struct shown_intervals *shown, const struct timelines *run,
                          const struct function_table *functions,
                          const struct interval_summary *summary)
{
    struct interval_choice choice;
    *shown = (struct shown_intervals){0};
    interval_source_init(&shown->source, run, functions);
    interval_choice_init(&choice, run, summary);
    if (choice.count) {
        show(shown, &choice, choice.typical, "typical");
        show(shown, &choice, choice.slow, "slow");
        show(shown, &choice, choice.slowest, "slowest");
    }
    interval_choice_release(&choice);
    interval_source_close(&shown->source);
}

void shown_intervals_release(struct shown_intervals *shown)
{
    for (uint32_t i = 0; i < shown->count; i++)
        interval_view_release(&shown->views[i]);
    interval_source_release(&shown->source);
    *shown = (struct shown_intervals){0};
}
