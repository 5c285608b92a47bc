#include "stacks/sighting.h"

#include "base/memory.h"

void sightings_fill(struct sightings *seen, const struct timelines *run,
                    struct sampled_names *names)
{
    (void)names;
    *seen = (struct sightings){.task_count = run->kernel_side->task_count};
    context_tree_init(&seen->tree);
    seen->tasks = memory_zeroed((seen->task_count + 1) * sizeof *seen->tasks);
}

void sightings_release(struct sightings *seen)
{
    for (uint32_t t = 0; t < seen->task_count; t++)
        memory_free(seen->tasks[t].items);
    memory_free(seen->tasks);
    context_tree_release(&seen->tree);
    *seen = (struct sightings){0};
}
