#include "driver/runs/waits_view.h"

#include "base/memory.h"
#include "base/number.h"
#include "interval/processor_track.h"
#include "report/waits/waits_report.h"
#include "waits/thread_life.h"

struct viewing {
    struct waits_view *view;
    const struct waits *waits;
    time_ns from, until;
    uint32_t *track_of; /* by task: 1 + its track; 0: none */
    size_t arrow_capacity;
};

static const char *vertex_words(struct viewing *v, uint32_t vertex)
{
    struct arena *arena = &v->view->arena;
    if (vertex_kind_of(&v->waits->vertices, vertex) == VERTEX_THREAD) {
        const struct kernel_task *task = &v->waits->vertices.side->tasks[vertex];
        return arena_printf(arena, "%s (%u)", task->name[0] ? task->name : "no name", task->tid);
    }
    struct str name = {0};
    waits_group_name(v->waits, v->waits->graph.group_of[vertex], &name);
    const char *words = arena_strdup(arena, str_text(&name));
    str_release(&name);
    return words;
}

static bool is_thread(const struct viewing *v, uint32_t vertex)
{
    return vertex != TASK_IDLE && vertex_kind_of(&v->waits->vertices, vertex) == VERTEX_THREAD;
}

/* Those of the run that do anything in the window, and whom they wait for. */
static void choose_threads(struct viewing *v)
{
    uint32_t count = v->waits->vertices.side->task_count;
    struct thread_life life;
    for (uint32_t t = 1; t < count; t++) {
        if (!vertex_is_of_run(&v->waits->vertices, t))
            continue;
        thread_life_find(&life, &v->waits->vertices, t, v->from, v->until);
        for (size_t i = 0; i < life.count; i++) {
            v->track_of[t] = 1;
            if (life.items[i].state == THREAD_BLOCKED && is_thread(v, life.items[i].whom))
                v->track_of[life.items[i].whom] = 1;
        }
        thread_life_release(&life);
    }
    uint32_t tracks = 0;
    for (uint32_t t = 1; t < count; t++)
        if (v->track_of[t])
            v->track_of[t] = ++tracks;
    v->view->view.track_count = tracks;
    v->view->view.tracks = ARENA_ARRAY(&v->view->arena, struct track, tracks);
}

static const char *stretch_words(struct viewing *v, const struct thread_stretch *stretch)
{
    if (stretch->state == THREAD_RUNS)
        return "runs";
    return stretch->state == THREAD_WANTS
               ? "wants a processor"
               : arena_printf(&v->view->arena, "waits for %s", vertex_words(v, stretch->whom));
}

static void add_arrow(struct viewing *v, uint32_t task, const struct thread_stretch *stretch)
{
    struct track_view *view = &v->view->view;
    if (stretch->state != THREAD_BLOCKED || stretch->until >= v->until ||
        !is_thread(v, stretch->whom))
        return;
    size_t count = view->arrow_count;
    VEC_PUSH(view->arrows, count, v->arrow_capacity) =
        (struct track_arrow){.from = v->track_of[stretch->whom] - 1,
                             .to = v->track_of[task] - 1,
                             .from_ns = stretch->until - v->from,
                             .to_ns = stretch->until - v->from};
    view->arrow_count = (uint32_t)count;
}

static void make_track(struct viewing *v, uint32_t task)
{
    const struct kernel_task *of = &v->waits->vertices.side->tasks[task];
    struct track *track = &v->view->view.tracks[v->track_of[task] - 1];
    struct thread_life life;
    thread_life_find(&life, &v->waits->vertices, task, v->from, v->until);
    *track = (struct track){.pid = of->pid, .tid = of->tid, .name = vertex_words(v, task)};
    track->events = ARENA_ARRAY(&v->view->arena, struct track_event, 2 * life.count);
    for (size_t i = 0; i < life.count; i++) {
        const struct thread_stretch *one = &life.items[i];
        const char *words = stretch_words(v, one);
        bool blocked = one->state == THREAD_BLOCKED;
        track->events[track->event_count++] =
            (struct track_event){one->from - v->from, words, true, blocked};
        track->events[track->event_count++] =
            (struct track_event){one->until - v->from, words, false, blocked};
        if (vertex_is_of_run(&v->waits->vertices, task))
            add_arrow(v, task, one);
    }
    thread_life_release(&life);
}

void waits_view_make(struct waits_view *view, const struct waits *waits,
                     const struct timelines *run, time_ns from, time_ns until)
{
    static const struct function_table none;
    uint32_t count = waits->vertices.side->task_count;
    struct viewing v = {.view = view,
                        .waits = waits,
                        .from = from,
                        .until = until,
                        .track_of = memory_zeroed((count + 1) * sizeof *v.track_of)};
    *view = (struct waits_view){.view = {.what = "waits", .type = "", .latency_ns = until - from}};
    callee_table_init(&view->callees, run, &none);
    view->view.name = arena_printf(&view->arena, "waits, from %s on",
                                   number_ns((double)(from - waits->list.from), true).text);
    choose_threads(&v);
    for (uint32_t t = 1; t < count; t++)
        if (v.track_of[t])
            make_track(&v, t);
    processor_tracks_make(&view->view, &view->arena, &view->callees, from, until);
    memory_free(v.track_of);
}

void waits_view_release(struct waits_view *view)
{
    memory_free(view->view.arrows);
    callee_table_release(&view->callees);
    arena_release(&view->arena);
}
