#include "report/causal/causal_coz.h"

#include <inttypes.h>
#include <math.h>

/* ---- fields ---- */

/* A field ends with a tab, a record with its line. */
static void append_field(struct str *out, const char *text)
{
    for (; *text; text++)
        str_append_char(out, (unsigned char)*text < ' ' ? '?' : *text);
}

/* Where a target has no line, it is its name's line 0. */
static void append_selected(const struct causal_page *page, uint32_t t, struct str *out)
{
    if (page->places && page->places[t]) {
        append_field(out, page->places[t]);
        return;
    }
    append_field(out, page->causal->targets[t].name);
    str_append(out, ":0");
}

static void append_experiment(const struct causal_page *page, uint32_t t,
                              const struct causal_level *level, uint32_t block, double duration_ns,
                              struct str *out)
{
    str_append(out, "experiment\tselected=");
    append_selected(page, t, out);
    str_printf(out, "\tspeedup=%.4f\tduration=%.0f\tselected-samples=%" PRIu64 "\n", level->dose,
               duration_ns, level->block_calls[block]);
}

/* ---- what was counted ---- */

static void append_rate(const struct causal_page *page, uint32_t t,
                        const struct causal_level *level, uint32_t block, struct str *out)
{
    if (!level->work[block] || page->causal->outside)
        return;
    append_experiment(page, t, level, block, level->work_ns[block], out);
    str_printf(out, "throughput-point\tname=%s\tdelta=%" PRIu64 "\n",
               page->causal->visits ? "units of work" : "intervals completed", level->work[block]);
}

static void append_latency(const struct causal_page *page, uint32_t t,
                           const struct causal_part *part, const struct causal_level *level,
                           uint32_t block, struct str *out)
{
    size_t from = level->first[block], until = level->first[block + 1];
    double sum = 0;
    for (size_t i = from; i < until; i++)
        sum += (double)level->latencies[i];
    if (sum <= 0)
        return;
    double took = level->work_ns[block], progress = took > 0 ? fmax(round(sum / took), 1) : 1;
    append_experiment(page, t, level, block, sum / progress, out);
    str_append(out, "latency-point\tname=");
    append_field(out, part->type ? part->type : "interval");
    str_printf(out, " latency\tarrivals=%zu\tdepartures=%zu\tdifference=%.0f\n", until - from,
               until - from, progress);
}

static void append_target(const struct causal_page *page, uint32_t t, struct str *out)
{
    const struct causal_target *target = &page->causal->targets[t];
    for (uint32_t p = 0; p < target->part_count; p++) {
        const struct causal_part *part = &target->parts[p];
        for (uint32_t b = 0; b < part->samples.blocks; b++)
            for (uint32_t l = 0; l < part->samples.level_count; l++) {
                if (p == 0)
                    append_rate(page, t, &part->samples.levels[l], b, out);
                append_latency(page, t, part, &part->samples.levels[l], b, out);
            }
    }
}

static void append_samples(const struct causal_page *page, uint32_t t, struct str *out)
{
    const struct causal_samples *samples = &page->causal->targets[t].parts[0].samples;
    uint64_t calls = 0;
    for (uint32_t l = 0; l < samples->level_count; l++)
        calls += samples->levels[l].calls;
    str_append(out, "samples\tlocation=");
    append_selected(page, t, out);
    str_printf(out, "\tcount=%" PRIu64 "\n", calls);
}

void causal_write_coz(const struct causal_page *page, struct str *out)
{
    for (uint32_t t = 0; t < page->causal->target_count - page->causal->left_out; t++)
        append_target(page, t, out);
    for (uint32_t t = 0; t < page->causal->target_count - page->causal->left_out; t++)
        append_samples(page, t, out);
    str_printf(out, "runtime\ttime=%.0f\n", 1e9 * page->causal->seconds);
}
