#include "waits/vertex_table.h"

void vertex_table_init(struct vertex_table *vertices, const struct kernel_side *side)
{
    *vertices = (struct vertex_table){
        .side = side, .count = side->task_count + VERTEX_KINDS + side->device_count};
}

uint32_t vertex_of_task(const struct vertex_table *vertices, uint32_t task)
{
    return vertices->of_task ? vertices->of_task[task] : task;
}

enum vertex_kind vertex_kind_of(const struct vertex_table *vertices, uint32_t vertex)
{
    if (vertex < vertices->side->task_count)
        return VERTEX_THREAD;
    uint32_t kind = vertex - vertices->side->task_count;
    return kind < VERTEX_KINDS ? (enum vertex_kind)kind : VERTEX_DEVICE;
}

bool vertex_is_of_run(const struct vertex_table *vertices, uint32_t vertex)
{
    return vertex_kind_of(vertices, vertex) == VERTEX_THREAD &&
           kernel_task_is_of_run(vertices->side, vertex);
}

bool vertex_is_client(const struct vertex_table *vertices, uint32_t vertex)
{
    enum vertex_kind kind = vertex_kind_of(vertices, vertex);
    if (kind != VERTEX_THREAD || vertex == TASK_IDLE)
        return kind == VERTEX_NETWORK;
    const struct kernel_task *task = &vertices->side->tasks[vertex];
    return task->whose == TRACE_WHOSE_OTHER && task->thread == THREAD_NONE;
}

uint32_t vertex_of_kind(const struct vertex_table *vertices, enum vertex_kind kind)
{
    return vertices->side->task_count + (uint32_t)kind;
}

/* A device that has no name is none that was told of. */
static uint32_t of_device(const struct vertex_table *vertices, uint32_t number)
{
    const struct kernel_side *side = vertices->side;
    for (uint32_t i = 0; i < side->device_count; i++)
        if (side->devices[i].number == number)
            return vertex_of_kind(vertices, VERTEX_DEVICE) + i;
    return vertex_of_kind(vertices, VERTEX_INTERRUPT);
}

uint32_t vertex_of_off(const struct vertex_table *vertices, const struct off_cpu *off)
{
    switch ((enum off_cause)off->cause) {
    case OFF_THREAD:
    case OFF_LOCK:
        return off->waker == TASK_NONE || off->waker == TASK_IDLE
                   ? vertex_of_kind(vertices, VERTEX_UNKNOWN)
                   : off->waker;
    case OFF_TIMER:
        return vertex_of_kind(vertices, VERTEX_TIMER);
    case OFF_NETWORK:
        return vertex_of_kind(vertices, VERTEX_NETWORK);
    case OFF_READ:
    case OFF_WRITE:
        return of_device(vertices, off->device);
    case OFF_INTERRUPT:
        return vertex_of_kind(vertices, VERTEX_INTERRUPT);
    case OFF_RUNNABLE:
    case OFF_UNKNOWN:
    case OFF_CAUSES:
        break;
    }
    return vertex_of_kind(vertices, VERTEX_UNKNOWN);
}

const char *vertex_name(const struct vertex_table *vertices, uint32_t vertex)
{
    static const char *const names[] = {[VERTEX_TIMER] = "timer",
                                        [VERTEX_NETWORK] = "network",
                                        [VERTEX_INTERRUPT] = "interrupt",
                                        [VERTEX_UNKNOWN] = "unknown"};
    enum vertex_kind kind = vertex_kind_of(vertices, vertex);
    const struct kernel_side *side = vertices->side;
    if (kind == VERTEX_THREAD)
        return side->tasks[vertex].name;
    if (kind == VERTEX_DEVICE)
        return side->devices[vertex - vertex_of_kind(vertices, VERTEX_DEVICE)].name;
    return names[kind];
}
