#include "stacks/sample_error.h"

#include <math.h>

#include "base/memory.h"
#include "stacks/stack_moment.h"

#define OF_SEEN (1 / 12.0) /* of the squared gap, that a boundary may be anywhere in */
#define OF_CHANCE (1 / 2.0)
#define ERRORS_LESS 2.5 /* so much less than it seems, samples may be alike */

void sample_errors_init(struct sample_errors *errors, const struct context_tree *tree)
{
    *errors =
        (struct sample_errors){.tree = tree,
                               .nodes = memory_zeroed((tree->count + 1) * sizeof *errors->nodes),
                               .latest = CONTEXT_ROOT};
}

static void add_boundary(struct sample_errors *errors, uint32_t node, uint64_t gap, size_t a,
                         size_t b)
{
    bool seen = a > 1 && b > 1;
    errors->nodes[node].boundaries++;
    errors->nodes[node].variance += (seen ? OF_SEEN : OF_CHANCE) * (double)gap * (double)gap;
}

static void begin_run(struct sample_errors *errors, uint32_t node, uint64_t gap)
{
    struct sampled_node *run = &errors->nodes[node];
    if (!run->seen)
        VEC_PUSH(errors->touched, errors->count, errors->capacity) = node;
    run->before = errors->samples - (run->seen ? run->ended : 0);
    if (run->seen)
        add_boundary(errors, node, run->gap_ended, run->ended - run->began, run->before);
    run->seen = run->open = true;
    run->began = errors->samples;
    run->gap_began = gap;
}

static void end_run(struct sample_errors *errors, uint32_t node, uint64_t gap)
{
    struct sampled_node *run = &errors->nodes[node];
    run->open = false;
    run->ended = errors->samples;
    run->gap_ended = gap;
    if (run->before)
        add_boundary(errors, node, run->gap_began, run->before, errors->samples - run->began);
}

static void count_sample(struct sample_errors *errors, uint32_t node, uint64_t amount_ns)
{
    errors->latest = node;
    errors->samples++;
    errors->squares += (double)amount_ns * (double)amount_ns;
}

void sample_errors_add(struct sample_errors *errors, uint32_t node, uint64_t amount_ns)
{
    const struct context_node *nodes = errors->tree->nodes;
    uint32_t common = context_common(errors->tree, errors->latest, node);
    for (uint32_t n = errors->latest; n != common; n = nodes[n].parent)
        end_run(errors, n, amount_ns);
    for (uint32_t n = node; n != common; n = nodes[n].parent)
        begin_run(errors, n, amount_ns);
    for (uint32_t n = node; n != CONTEXT_ROOT; n = nodes[n].parent)
        errors->nodes[n].samples++;
    count_sample(errors, node, amount_ns);
}

void sample_errors_add_own(struct sample_errors *errors, uint32_t node, uint64_t amount_ns)
{
    if (node != errors->latest && errors->latest != CONTEXT_ROOT)
        end_run(errors, errors->latest, amount_ns);
    if (node != errors->latest)
        begin_run(errors, node, amount_ns);
    errors->nodes[node].samples++;
    count_sample(errors, node, amount_ns);
}

void sample_errors_close(struct sample_errors *errors)
{
    for (size_t i = 0; i < errors->count; i++) {
        struct sampled_node *run = &errors->nodes[errors->touched[i]];
        if (!run->open)
            add_boundary(errors, errors->touched[i], run->gap_ended, run->ended - run->began,
                         errors->samples - run->ended);
        else if (run->before)
            add_boundary(errors, errors->touched[i], run->gap_began, run->before,
                         errors->samples - run->began);
    }
}

void sample_errors_clear(struct sample_errors *errors)
{
    for (size_t i = 0; i < errors->count; i++)
        errors->nodes[errors->touched[i]] = (struct sampled_node){0};
    errors->count = errors->samples = 0;
    errors->squares = 0;
    errors->latest = CONTEXT_ROOT;
}

void sample_errors_release(struct sample_errors *errors)
{
    memory_free(errors->nodes);
    memory_free(errors->touched);
    *errors = (struct sample_errors){0};
}

/* Cochran's for neighbours that are alike, less and less by distance: of a binomial count's variance, the part
 * 1 + 2 / log r + 2 / (1 / r - 1), where r is their correlation. */
static double alike_part(double r)
{
    return r > 0 ? 1 + 2 / log(r) + 2 / (1 / r - 1) : 1;
}

double sample_errors_alike(uint64_t samples, uint64_t boundaries, uint64_t all, double square)
{
    double n = (double)all, k = (double)samples, spread = k * (1 - k / n);
    if (spread <= 0)
        return INFINITY;
    double r = fmax(0, 1 - (double)boundaries / (2 * spread));
    double least = r - ERRORS_LESS * sqrt(r * (1 - r) / k + 1 / n);
    return square * spread * alike_part(least);
}

double sample_errors_variance(const struct sample_errors *errors, uint32_t node)
{
    const struct sampled_node *of = &errors->nodes[node];
    double square = errors->samples ? errors->squares / (double)errors->samples : 0;
    return fmin(of->variance,
                sample_errors_alike(of->samples, of->boundaries, errors->samples, square));
}
