#include "sample.h"
#include "report/variance/family.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "stats/quantile.h"

enum { MOST_NODES = 5000, MOST_INTERVALS = 2048 };

static const struct sample_plan TOY[] = {
    {NODE_INTERVAL, "interval", NODE_NONE, "", 0, 5, false},
    {NODE_FUNCTION, "serve", 0, "src/server.c", 120, 3, false},
    {NODE_FUNCTION, "parse", 1, "src/parse.c", 33, 1, false},
    {NODE_CALL, "pthread_mutex_lock", 1, "src/server.c", 211, 0, false},
    {NODE_WOKEN_BY, "compact", 3, "src/store.c", 80, 2, true},
    {NODE_BODY, "compact [body]", 4, "src/store.c", 80, 0, true},
    {NODE_CALL, "fsync", 4, "src/store.c", 97, 0, true},
    {NODE_WAIT, "wake-up", 3, "", 0, 0, false},
    {NODE_FUNCTION, "reply", 1, "src/reply.c", 12, 1, false},
    {NODE_BODY, "reply [body]", 8, "src/reply.c", 12, 0, false},
    {NODE_IO, "write", 8, "src/reply.c", 40, 0, false},
    {NODE_BODY, "serve [body]", 1, "src/server.c", 120, 0, false},
    {NODE_QUEUE, "push -> pop", 0, "src/pool.c", 55, 0, false},
    {NODE_UNEXPLAINED, "unexplained", 0, "", 0, 0, false},
};
enum { TOY_NODES = sizeof TOY / sizeof *TOY, DEEP_NODES = 70 };

static uint64_t random_state;

uint32_t sample_random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % limit;
}

/* The times of the toy's leaves in one interval: a lock that is rarely long, and a reply that is
 * short when the parser worked long. */
static void fill_leaves(struct sample *sample, uint32_t i)
{
    int64_t parse = 60000 + sample_random_below(140000);
    bool slow = sample_random_below(25) == 0;
    sample->cells[2][i] = parse;
    sample->cells[5][i] = slow ? 60000 + sample_random_below(90000) : sample_random_below(3000);
    sample->cells[6][i] = slow ? 90000 + sample_random_below(200000) : 0;
    sample->cells[7][i] = 2000 + sample_random_below(4000);
    sample->cells[9][i] = 20000 + (200000 - parse) / 2 + sample_random_below(6000);
    sample->cells[10][i] = 15000 + sample_random_below(60000);
    sample->cells[11][i] = 4000 + sample_random_below(2000);
    sample->cells[12][i] = sample_random_below(20) ? 3000 : 60000 + sample_random_below(90000);
    sample->cells[13][i] = sample_random_below(900);
}

static void add_up(struct sample *sample)
{
    struct variance_tree *tree = &sample->tree;
    for (uint32_t n = tree->node_count; n-- > 1;)
        for (uint64_t i = 0; i < tree->intervals.count; i++)
            sample->cells[tree->nodes[n].parent][i] += sample->cells[n][i];
}

static __int128 product_sum(const struct sample *sample, uint32_t a, uint32_t b)
{
    __int128 sum = 0;
    for (uint64_t i = 0; i < sample->tree.intervals.count; i++)
        sum += (__int128)sample->cells[a][i] * sample->cells[b][i];
    return sum;
}

static double covariance(const struct sample *sample, __int128 product, uint32_t a, uint32_t b)
{
    const struct tree_node *nodes = sample->tree.nodes;
    __int128 n = (__int128)sample->tree.intervals.count;
    if (n == 0)
        return 0;
    return (double)(n * product - nodes[a].moments.sum * nodes[b].moments.sum) / (double)(n * n);
}

/* n * sum(x | tail) - n(tail) * sum(x) */
static double tail_excess(const struct sample *sample, uint32_t index)
{
    const struct interval_summary *intervals = &sample->tree.intervals;
    const struct moments *moments = &sample->tree.nodes[index].moments;
    return (double)((__int128)intervals->count * moments->tail -
                    (__int128)intervals->tail_count * moments->sum);
}

static void compute_node(struct sample *sample, uint32_t index)
{
    struct tree_node *node = &sample->tree.nodes[index];
    uint64_t count = sample->tree.intervals.count;
    node->moments.sum = node->moments.tail = 0;
    for (uint64_t i = 0; i < count; i++) {
        node->moments.sum += sample->cells[index][i];
        if ((double)sample->cells[0][i] >= sample->tree.intervals.p99_ns)
            node->moments.tail += sample->cells[index][i];
    }
    node->moments.square = product_sum(sample, index, index);
    node->moments.latency = product_sum(sample, index, 0);
    node->calls = count;
    node->mean_ns = count ? (double)node->moments.sum / (double)count : 0;
    node->variance_ns2 = covariance(sample, node->moments.square, index, index);
    double whole = sample->tree.nodes[0].variance_ns2;
    node->contribution = whole > 0 ? node->variance_ns2 / whole : 0;
    node->share = whole > 0 ? covariance(sample, node->moments.latency, index, 0) / whole : 0;
}

static void compute_tails(struct sample *sample)
{
    double slower = tail_excess(sample, 0);
    for (uint32_t i = 0; i < sample->tree.node_count; i++)
        sample->tree.nodes[i].tail_share = slower != 0 ? tail_excess(sample, i) / slower : 0;
}

static void add_pair(struct sample *sample, uint32_t parent, uint32_t a, uint32_t b)
{
    struct variance_tree *tree = &sample->tree;
    double whole = tree->nodes[0].variance_ns2;
    __int128 product = product_sum(sample, a, b);
    double value = covariance(sample, product, a, b);
    tree->covariances =
        memory_resize(tree->covariances, sizeof *tree->covariances * (tree->covariance_count + 1));
    tree->covariances[tree->covariance_count++] =
        (struct tree_covariance){parent, a, b, product, value, whole > 0 ? 2 * value / whole : 0};
}

static void compute_pairs(struct sample *sample)
{
    const struct tree_node *nodes = sample->tree.nodes;
    for (uint32_t parent = 0; parent < sample->tree.node_count; parent++)
        for (uint32_t a = nodes[parent].first_child; a != NODE_NONE; a = nodes[a].next_sibling)
            for (uint32_t b = nodes[a].next_sibling; b != NODE_NONE; b = nodes[b].next_sibling)
                add_pair(sample, parent, a, b);
}

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void summarize_quantiles(struct sample *sample)
{
    struct interval_summary *intervals = &sample->tree.intervals;
    static int64_t sorted[MOST_INTERVALS];
    uint64_t n = intervals->count;
    memcpy(sorted, sample->cells[0], sizeof sorted);
    qsort(sorted, n, sizeof *sorted, compare_numbers);
    intervals->min_ns = quantile_sorted(sorted, n, 0);
    intervals->p50_ns = quantile_sorted(sorted, n, 0.5);
    intervals->p95_ns = quantile_sorted(sorted, n, 0.95);
    intervals->p99_ns = quantile_sorted(sorted, n, 0.99);
    intervals->p999_ns = quantile_sorted(sorted, n, 0.999);
    intervals->max_ns = quantile_sorted(sorted, n, 1);
    histogram_build(&intervals->histogram, sorted, n);
    for (uint64_t i = 0; i < n; i++)
        intervals->tail_count += (double)sorted[i] >= intervals->p99_ns;
}

static void summarize(struct sample *sample)
{
    struct interval_summary *intervals = &sample->tree.intervals;
    const struct tree_node *root = &sample->tree.nodes[0];
    intervals->mean_ns = root->mean_ns;
    intervals->variance_ns2 = root->variance_ns2;
    intervals->stddev_ns = sqrt(root->variance_ns2);
}

static void link_nodes(struct variance_tree *tree)
{
    for (uint32_t i = 0; i < tree->node_count; i++)
        tree->nodes[i].first_child = tree->nodes[i].next_sibling = NODE_NONE;
    for (uint32_t i = tree->node_count; i-- > 1;) {
        struct tree_node *parent = &tree->nodes[tree->nodes[i].parent];
        tree->nodes[i].next_sibling = parent->first_child;
        parent->first_child = i;
    }
}

void sample_plant(struct sample *sample, const struct sample_plan *plan, uint32_t index)
{
    sample->tree.nodes[index] = (struct tree_node){.kind = plan->kind,
                                                   .name = plan->name,
                                                   .function = FUNCTION_NONE,
                                                   .file = plan->file,
                                                   .line = plan->line,
                                                   .parent = plan->parent,
                                                   .height = plan->height,
                                                   .blamed = plan->blamed};
    sample->tree.node_count = index + 1;
}

static struct factor *add_factor(struct sample *sample, uint32_t a, uint32_t b, double contribution)
{
    struct tree_node *nodes = sample->tree.nodes;
    struct factor *factor = &sample->factors.factors[sample->factors.count++];
    bool pair = b != NODE_NONE;
    double range = pair ? 0.02 : 0.004;
    factor->kind = pair ? FACTOR_COVARIANCE : FACTOR_VARIANCE;
    factor->names[0] = nodes[a].name;
    factor->names[1] = pair ? nodes[b].name : NULL;
    factor->contribution = contribution;
    factor->ci95[0] = contribution - range;
    factor->ci95[1] = contribution + range;
    factor->share = nodes[a].share + (pair ? nodes[b].share : 0);
    factor->share_ci95[0] = factor->share - 2 * range;
    factor->share_ci95[1] = factor->share + 2 * range;
    factor->tail_share = nodes[a].tail_share + (pair ? nodes[b].tail_share : 0);
    factor->height = pair && nodes[b].height > nodes[a].height ? nodes[b].height : nodes[a].height;
    factor->specificity = (5.0 - factor->height) * (5.0 - factor->height);
    factor->score = factor->specificity * contribution;
    factor->sites = memory_zeroed(sizeof *factor->sites);
    factor->sites[0] = (struct factor_site){a, b, contribution};
    factor->site_count = 1;
    return factor;
}

static int compare_factors(const void *a, const void *b)
{
    const struct factor *x = a, *y = b;
    return (x->score < y->score) - (x->score > y->score);
}

static void compute_factors(struct sample *sample)
{
    struct variance_tree *tree = &sample->tree;
    struct factor_list *list = &sample->factors;
    list->factors =
        memory_zeroed(sizeof *list->factors * (tree->node_count + tree->covariance_count));
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (!tree->nodes[i].blamed)
            add_factor(sample, i, NODE_NONE, tree->nodes[i].contribution);
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        const struct tree_covariance *pair = &tree->covariances[i];
        if (!tree->nodes[pair->a].blamed)
            add_factor(sample, pair->a, pair->b, pair->contribution);
    }
    list->steady = tree->intervals.count > 1;
    if (list->count > 1)
        qsort(list->factors, list->count, sizeof *list->factors, compare_factors);
    for (uint32_t i = 0; i < list->count; i++)
        list->factors[i].rank = i + 1;
}

static void compute(struct sample *sample)
{
    link_nodes(&sample->tree);
    add_up(sample);
    summarize_quantiles(sample);
    for (uint32_t i = 0; i < sample->tree.node_count; i++)
        compute_node(sample, i);
    compute_tails(sample);
    compute_pairs(sample);
    summarize(sample);
    compute_factors(sample);
    sample_build_ledger(sample);
    tail_ledger_build(&sample->tail, &sample->tree);
}

static void odd_names(struct variance_tree *tree)
{
    static const char argument[] = "std::pair<const char *, \"x\">, ";
    static char huge[4097] = "std::tuple<";
    for (size_t at = strlen(huge); at + sizeof argument < sizeof huge - 16; at = strlen(huge))
        memcpy(huge + at, argument, sizeof argument);
    memset(huge + strlen(huge), 'x', sizeof huge - 16 - strlen(huge));
    memcpy(huge + 4081, ">>::push_back()", 15);
    static const char *const names[] = {
        "<script>alert('x')</script>", "a\"b'c&amp;d</td>",
        "gr\xc3\xb6\xc3\x9f"
        "e::\xe6\x97\xa5\xe6\x9c\xac",
        "bad\xff\xfe\xc3(", "\x1b[31mred\x1b[0m\ttab\nline",
        "\xe2\x80\xae"
        "evil",
        "", "operator<<|operator,;", "%s%n%d", "e\xcc\x81t\xc3\xa9", "]]>--!></script >",
        /* Hebrew and Arabic, and letters with three marks each */
        "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d::\xd8\xa8\xd8\xad\xd8\xab("
        "Z\xcc\x88\xcc\xa7\xcc\xbaq\xcc\x81\xcc\xa8\xcc\xb4)"};
    for (uint32_t i = 1; i < tree->node_count; i++)
        tree->nodes[i].name = names[(i - 1) % (sizeof names / sizeof *names)];
    tree->nodes[3].name = huge;
    tree->nodes[13].name = names[2];
    tree->nodes[4].file = "src/<b>\xff.cc";
}

static void deepen(struct sample *sample)
{
    static char names[DEEP_NODES][16];
    for (uint32_t i = 1; i < DEEP_NODES; i++) {
        snprintf(names[i], sizeof names[i], "level_%u", i);
        struct sample_plan plan = {NODE_FUNCTION,  names[i], i - 1, "src/deep.c", i,
                                   DEEP_NODES - i, false};
        sample_plant(sample, &plan, i);
    }
    for (uint32_t i = 0; i < 100; i++)
        sample->cells[DEEP_NODES - 1][i] = 1000 + i * 10;
}

/* Those of a long parse are checkouts. */
bool sample_is_checkout(const struct sample *sample, uint64_t interval)
{
    return sample->cells[2][interval] > 170000;
}

static void describe_types(struct sample *sample)
{
    static struct interval_type_summary types[2];
    struct interval_summary *intervals = &sample->tree.intervals;
    memset(types, 0, sizeof types);
    types[0].name = "browse";
    types[1].name = "checkout";
    for (uint64_t i = 0; i < intervals->count; i++) {
        struct interval_type_summary *type = &types[sample_is_checkout(sample, i)];
        type->count++;
        type->sum += sample->cells[0][i];
        type->square += (__int128)sample->cells[0][i] * sample->cells[0][i];
    }
    for (int t = 0; t < 2; t++) {
        double n = (double)types[t].count, mean = (double)types[t].sum / n;
        types[t].mean_ns = mean;
        types[t].variance_ns2 = (double)types[t].square / n - mean * mean;
        double part = n / (double)intervals->count, apart = mean - intervals->mean_ns;
        intervals->within_types_ns2 += part * types[t].variance_ns2;
        intervals->between_types_ns2 += part * apart * apart;
    }
    intervals->types = types;
    intervals->type_count = 2;
}

/* A row for every 800 ns of parsing, more or less. */
static void describe_values(struct sample *sample)
{
    static struct interval_value_summary value;
    struct interval_summary *intervals = &sample->tree.intervals;
    const struct moments *root = &sample->tree.nodes[0].moments;
    double n = (double)intervals->count;
    value = (struct interval_value_summary){.name = "rows", .count = intervals->count};
    for (uint64_t i = 0; i < intervals->count; i++) {
        __int128 rows = sample->cells[2][i] / 800 + (int64_t)(i % 7);
        value.sum += rows;
        value.square += rows * rows;
        value.latency += rows * sample->cells[0][i];
    }
    double own = n * (double)value.square - (double)value.sum * (double)value.sum;
    double both = n * (double)value.latency - (double)value.sum * (double)root->sum;
    value.mean = (double)value.sum / n;
    value.slope_ns = both / own;
    value.explained = both * both / own / (n * n * intervals->variance_ns2);
    value.ci95[0] = value.explained * 0.8;
    value.ci95[1] = value.explained * 1.25;
    intervals->work.values = &value;
    intervals->work.value_count = 1;
    intervals->work.values_explained = value.explained;
}

static void describe(struct sample *sample)
{
    static const struct report_warning warnings[] = {
        {.code = "few-intervals",
         .message = "Only 2,000 intervals: the 95 % intervals are wide. Run the target longer, "
                    "or give it more requests."},
        {.code = "no-scheduler-events",
         .message = "Preemption is not told apart from running: the kernel's scheduler "
                    "events were not allowed."}};
    describe_types(sample);
    describe_values(sample);
    sample->tree.intervals.incomplete = 3;
    sample->report.lost_records = 12;
    sample->report.warnings = warnings;
    sample->report.warning_count = 2;
    sample->report.origin =
        (struct report_origin){.command = "vprofiler iterate --k 3 --build build.sh -- ./toy",
                               .commit = "3f2a9c1",
                               .compiler = "gcc 12.2.0",
                               .host = "Linux 6.1 x86_64, 2 cores",
                               .clock = "TSC, 2.40 GHz",
                               .date = "2025-01-31T12:00:00Z"};
}

static bool fill(struct sample *sample, const char *name)
{
    uint64_t *count = &sample->tree.intervals.count;
    bool deep = strcmp(name, "deep") == 0, odd = strcmp(name, "odd") == 0;
    bool server = strcmp(name, "server") == 0, large = strcmp(name, "large") == 0;
    *count = strcmp(name, "one") == 0 ? 1 : deep ? 100 : large ? 200 : 2000;
    if (strcmp(name, "empty") == 0 || strcmp(name, "rootless") == 0)
        *count = 0;
    sample_plant(sample, &TOY[0], 0);
    if (deep)
        deepen(sample);
    else if (server)
        sample_fill_server(sample);
    else if (large)
        sample_fill_large(sample);
    else
        for (uint32_t i = 1; i<TOY_NODES && * count> 0; i++)
            sample_plant(sample, &TOY[i], i);
    for (uint32_t i = 0; i < *count && !deep && !server && !large; i++) {
        if (strcmp(name, "constant") == 0)
            random_state = 7;
        fill_leaves(sample, i);
    }
    if (odd)
        odd_names(&sample->tree);
    return odd || deep || server || large || *count <= 1 || strcmp(name, "toy") == 0 ||
           strcmp(name, "constant") == 0 || strcmp(name, "quiet") == 0 ||
           strcmp(name, "unsteady") == 0;
}

bool sample_init(struct sample *sample, const char *name)
{
    *sample = (struct sample){.report = {.target = "toy",
                                         .rounds = 4,
                                         .top = 3,
                                         .threshold = strcmp(name, "quiet") == 0 ? 2 : 0.01,
                                         .functions_known = 1234,
                                         .functions_timed = 9}};
    random_state = 7;
    sample->tree.nodes = memory_zeroed(sizeof *sample->tree.nodes * MOST_NODES);
    sample->tree.coverage = 0.9987;
    sample->cells = memory_zeroed(sizeof *sample->cells * MOST_NODES);
    sample->variance = (struct variance_report){.tree = &sample->tree,
                                                .factors = &sample->factors,
                                                .roots = &sample->roots,
                                                .tail = &sample->tail};
    sample->part = (struct report_part){&variance_report_family, &sample->variance};
    sample->report.parts = &sample->part;
    sample->report.part_count = 1;
    sample->report.intervals = &sample->tree.intervals;
    sample->report.coverage = sample->tree.coverage;
    bool known = fill(sample, name);
    compute(sample);
    if (strcmp(name, "unsteady") == 0)
        sample->factors.steady = false;
    if (strcmp(name, "toy") == 0)
        describe(sample);
    sample_build_rows(sample);
    if (strcmp(name, "toy") == 0 || strcmp(name, "odd") == 0)
        sample_plant_timelines(sample);
    if (strcmp(name, "odd") == 0)
        sample->report.target = "</title><script>alert(1)</script>\xff";
    if (strcmp(name, "rootless") == 0) {
        sample->tree.node_count = 0;
        sample->variance.factors = NULL;
        sample->roots = (struct root_ledger){0};
        sample->variance.rows = NULL;
    }
    return known;
}

void sample_release(struct sample *sample)
{
    for (uint32_t i = 0; i < sample->factors.count; i++)
        memory_free(sample->factors.factors[i].sites);
    memory_free(sample->factors.factors);
    shown_rows_release(&sample->rows);
    memory_free(sample->tree.covariances);
    memory_free(sample->tree.nodes);
    arena_release(&sample->tree.arena);
    arena_release(&sample->functions.arena);
    memory_free(sample->cells);
}
