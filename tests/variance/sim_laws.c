#include "sim_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "variance/pair_sites.h"

/* Times by path, as the rows tell them. */
struct cell {
    uint32_t row;
    const char *path;
    int64_t ns;
};

struct table {
    char *text;
    struct cell *cells;
    size_t count, capacity;
    uint32_t rows;
};

static void table_read_row(struct table *table, char *row)
{
    char *save = NULL;
    for (char *part = strtok_r(row, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
        char *path = part + 1, *number = strrchr(part, ' ');
        *number = '\0';
        VEC_PUSH(table->cells, table->count, table->capacity) =
            (struct cell){table->rows, path, strtoll(number + 1, NULL, 10)};
    }
    table->rows++;
}

static void table_read(struct table *table, const char *rows)
{
    char *save = NULL;
    *table = (struct table){.text = memory_strdup(rows)};
    for (char *line = strtok_r(table->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
        table_read_row(table, strchr(line, ':') + 1);
}

static void table_release(struct table *table)
{
    memory_free(table->cells);
    memory_free(table->text);
}

/* The path of a node, as in the rows. Of a body: its parent's with `own`. */
static bool node_path(const struct variance_tree *tree, uint32_t index, struct str *path)
{
    const struct tree_node *node = &tree->nodes[index];
    if (index == 0)
        return false;
    if (node->kind == NODE_BODY) {
        node_path(tree, node->parent, path);
        return true;
    }
    node_path(tree, node->parent, path);
    const char *format = node->kind == NODE_WOKEN_BY      ? "<%s"
                         : node->kind == NODE_WAIT        ? "(%s)"
                         : node->kind == NODE_QUEUE       ? "[%s]"
                         : node->kind == NODE_FOR_ANOTHER ? "{%s}"
                         : node->kind == NODE_UNEXPLAINED ? "?"
                                                          : "%s";
    char part[256];
    snprintf(part, sizeof part, format, node->name);
    str_printf(path, "%s%s", path->length ? "/" : "", part);
    return false;
}

/* The node's time in each row. */
static void node_times(const struct table *table, const struct variance_tree *tree, uint32_t node,
                       int64_t *times)
{
    struct str path = {0};
    bool own = node_path(tree, node, &path);
    for (uint32_t r = 0; r < table->rows; r++)
        times[r] = 0;
    for (size_t i = 0; i < table->count; i++) {
        const char *cell = strcmp(table->cells[i].path, ".") ? table->cells[i].path : "";
        bool below =
            str_starts_with(cell, str_text(&path)) && (!path.length || cell[path.length] == '/');
        if (!strcmp(cell, str_text(&path)) || (below && !own))
            times[table->cells[i].row] += table->cells[i].ns;
    }
    str_release(&path);
}

struct spread {
    __int128 x, y, xy;
};

static struct spread spread_of(const int64_t *x, const int64_t *y, uint32_t n)
{
    struct spread s = {0, 0, 0};
    for (uint32_t i = 0; i < n; i++) {
        s.x += x[i];
        s.y += y[i];
        s.xy += (__int128)x[i] * y[i];
    }
    return s;
}

static long double covariance(const struct spread *s, uint32_t n)
{
    return (long double)(s->xy * n - s->x * s->y) / n / n;
}

static bool is_near(double got, long double expected, long double scale)
{
    return fabsl((long double)got - expected) <= 1e-12L * (fabsl(expected) + scale);
}

static bool said(const struct variance_tree *tree, uint32_t node, const char *what)
{
    struct str path = {0};
    node_path(tree, node, &path);
    printf("%s of %s %s is wrong\n", what, str_text(&path), node_kind_name(tree->nodes[node].kind));
    str_release(&path);
    return false;
}

/* `times` of all nodes, one after the other. */
static bool node_holds(const struct variance_tree *tree, const int64_t *times, uint32_t rows,
                       uint32_t index)
{
    const struct tree_node *node = &tree->nodes[index];
    const int64_t *x = times + (size_t)index * rows;
    struct spread own = spread_of(x, x, rows), with = spread_of(x, times, rows);
    struct spread all = spread_of(times, times, rows);
    long double whole = covariance(&all, rows);
    if (node->moments.sum != own.x)
        return said(tree, index, "the sum");
    if (node->moments.square != own.xy)
        return said(tree, index, "the sum of squares");
    if (node->moments.latency != with.xy)
        return said(tree, index, "the sum of products with the latency");
    if (!is_near(node->mean_ns, (long double)own.x / rows, 0))
        return said(tree, index, "the mean");
    if (!is_near(node->variance_ns2, covariance(&own, rows), 0))
        return said(tree, index, "the variance");
    if (whole > 0 && !is_near(node->contribution, covariance(&own, rows) / whole, 0))
        return said(tree, index, "the contribution");
    if (whole > 0 && !is_near(node->share, covariance(&with, rows) / whole, 0))
        return said(tree, index, "the share");
    return true;
}

static bool pair_holds(const struct variance_tree *tree, const int64_t *times, uint32_t rows,
                       const struct tree_covariance *pair)
{
    struct spread both =
        spread_of(times + (size_t)pair->a * rows, times + (size_t)pair->b * rows, rows);
    struct spread all = spread_of(times, times, rows);
    long double whole = covariance(&all, rows);
    if (pair->product != both.xy)
        return said(tree, pair->a, "a sum of products with a sibling");
    if (!is_near(pair->covariance_ns2, covariance(&both, rows), 0))
        return said(tree, pair->a, "a covariance");
    return whole <= 0 || is_near(pair->contribution, 2 * covariance(&both, rows) / whole, 0) ||
           said(tree, pair->a, "the contribution of a pair");
}

/* Each is told once: by the leaves. */
static bool shares_hold(const struct variance_tree *tree)
{
    long double sum = 0, size = 0, tail = 0, tail_size = 0;
    for (uint32_t i = 0; i < tree->node_count; i++)
        if (tree->nodes[i].first_child == NODE_NONE) {
            sum += tree->nodes[i].share;
            size += fabs(tree->nodes[i].share);
            tail += tree->nodes[i].tail_share;
            tail_size += fabs(tree->nodes[i].tail_share);
        }
    bool varies = tree->nodes[0].variance_ns2 > 0;
    if (!is_near((double)sum, varies, 1 + size))
        return said(tree, 0, "the sum of all shares");
    return is_near((double)tail, tree->nodes[0].tail_share, 1 + tail_size) ||
           said(tree, 0, "the sum of all tail shares");
}

/* Is it one function, wherever it stands? Or a wait, a body of the same name. */
static bool is_same(const struct tree_node *a, const struct tree_node *b)
{
    bool both_run = (a->kind == NODE_FUNCTION || a->kind == NODE_CALL) &&
                    (b->kind == NODE_FUNCTION || b->kind == NODE_CALL);
    return (both_run || a->kind == b->kind) && !a->blamed && !b->blamed &&
           !strcmp(a->name, b->name);
}

static bool is_same_pair(const struct tree_node *nodes, uint32_t a, uint32_t b,
                         const struct factor_site *site)
{
    return (is_same(&nodes[a], &nodes[site->a]) && is_same(&nodes[b], &nodes[site->b])) ||
           (is_same(&nodes[a], &nodes[site->b]) && is_same(&nodes[b], &nodes[site->a]));
}

/* Is the same to be found above `node`? There, `site` is counted. */
static bool is_above(const struct variance_tree *tree, uint32_t node,
                     const struct factor_site *site)
{
    const struct tree_node *nodes = tree->nodes;
    for (uint32_t up = node; up; up = nodes[up].parent) {
        if (site->b == NODE_NONE && is_same(&nodes[up], &nodes[site->a]))
            return true;
        uint32_t s = site->b == NODE_NONE ? NODE_NONE : nodes[nodes[up].parent].first_child;
        for (; s != NODE_NONE; s = nodes[s].next_sibling)
            if (s != up && is_same_pair(nodes, up, s, site))
                return true;
    }
    return false;
}

/* Is `node` a place of the function's variance, of one below itself the highest? Own time of a
 * function is its bodies, and its leaves. */
static bool is_place(const struct variance_tree *tree, uint32_t node, const struct factor *factor)
{
    const struct tree_node *n = &tree->nodes[node];
    const struct factor_site *site = &factor->sites[0];
    char body[300];
    snprintf(body, sizeof body, "%s [body]", n->name);
    if (n->blamed || node == 0)
        return false;
    if (str_ends_with(factor->names[0], " [body]"))
        return !strcmp(factor->names[0], n->kind == NODE_BODY ? n->name : body) &&
               n->first_child == NODE_NONE && n->kind != NODE_WAIT;
    return is_same(n, &tree->nodes[site->a]) && !is_above(tree, n->parent, site);
}

/* What is known of a factor's expected value. */
struct expected {
    long double value; /* (co)variance of the whole, a pair's twice */
    long double size;  /* of its terms, for the rounding */
    uint32_t places;
};

static struct expected expect_variance(const struct variance_tree *tree, const int64_t *times,
                                       uint32_t rows, const struct factor *factor)
{
    int64_t *total = memory_zeroed(sizeof *total * rows);
    struct expected e = {0, 0, 0};
    for (uint32_t i = 1; i < tree->node_count; i++)
        if (is_place(tree, i, factor)) {
            e.places++;
            for (uint32_t r = 0; r < rows; r++)
                total[r] += times[(size_t)i * rows + r];
        }
    struct spread s = spread_of(total, total, rows);
    e.value = covariance(&s, rows);
    memory_free(total);
    return e;
}

static bool is_within(const struct variance_tree *tree, uint32_t node, uint32_t above)
{
    while (node && node != above)
        node = tree->nodes[node].parent;
    return node == above;
}

/* No row has time in both of the siblings that a and b are, or are below. */
static bool exclusive(const struct variance_tree *tree, const int64_t *times, uint32_t rows,
                      uint32_t a, uint32_t b)
{
    while (!is_within(tree, b, tree->nodes[a].parent))
        a = tree->nodes[a].parent;
    while (tree->nodes[b].parent != tree->nodes[a].parent)
        b = tree->nodes[b].parent;
    for (uint32_t r = 0; r < rows; r++)
        if (times[(size_t)a * rows + r] && times[(size_t)b * rows + r])
            return false;
    return a != b;
}

/* One is neither the other's sibling, nor below it. */
static bool is_elsewhere(const struct variance_tree *tree, uint32_t a, uint32_t b)
{
    return tree->nodes[a].parent != tree->nodes[b].parent && !is_within(tree, a, b) &&
           !is_within(tree, b, a);
}

/* With the other one's time at other places that exclude it. */
static void add_elsewhere(struct expected *e, const struct variance_tree *tree,
                          const int64_t *times, uint32_t rows, const struct factor *factor)
{
    const struct factor_site *s = &factor->sites[0];
    struct factor_site sites[] = {{s->a, NODE_NONE, 0}, {s->b, NODE_NONE, 0}};
    const struct factor of[] = {{.names = {tree->nodes[s->a].name}, .sites = &sites[0]},
                                {.names = {tree->nodes[s->b].name}, .sites = &sites[1]}};
    for (uint32_t a = 1; a < tree->node_count; a++)
        for (uint32_t b = 1; b < tree->node_count && is_place(tree, a, &of[0]); b++) {
            if (!is_place(tree, b, &of[1]) || !is_elsewhere(tree, a, b) ||
                !exclusive(tree, times, rows, a, b))
                continue;
            struct spread both =
                spread_of(times + (size_t)a * rows, times + (size_t)b * rows, rows);
            e->value += 2 * covariance(&both, rows);
            e->size += fabsl(2 * covariance(&both, rows));
        }
}

static struct expected expect_pair(const struct variance_tree *tree, const int64_t *times,
                                   uint32_t rows, const struct factor *factor)
{
    struct expected e = {0, 0, 0};
    double at_callers = 0;
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        const struct tree_covariance *pair = &tree->covariances[i];
        if (is_same_pair(tree->nodes, pair->a, pair->b, &factor->sites[0]) &&
            !is_above(tree, pair->parent, &factor->sites[0])) {
            e.places++;
            e.value += 2 * (long double)pair->covariance_ns2;
            e.size += fabsl(2 * (long double)pair->covariance_ns2);
            at_callers += pair->contribution;
        }
    }
    if (fabs(at_callers) >= PAIR_SITES_LEAST)
        add_elsewhere(&e, tree, times, rows, factor);
    return e;
}

/* Algorithm 1 and equations 3 and 4, of the sites' times together. */
static bool factor_holds(const struct variance_tree *tree, const int64_t *times, uint32_t rows,
                         const struct factor *factor)
{
    struct expected e = factor->kind == FACTOR_VARIANCE ? expect_variance(tree, times, rows, factor)
                                                        : expect_pair(tree, times, rows, factor);
    struct spread all = spread_of(times, times, rows);
    long double whole = covariance(&all, rows);
    uint32_t height = 0;
    for (uint32_t i = 0; i < factor->site_count; i++) {
        const struct factor_site *s = &factor->sites[i];
        uint32_t other = s->b == NODE_NONE ? s->a : s->b;
        height = tree->nodes[s->a].height > height ? tree->nodes[s->a].height : height;
        height = tree->nodes[other].height > height ? tree->nodes[other].height : height;
    }
    double above = (double)tree->graph_height - height;
    return (e.places == factor->site_count &&
            is_near(factor->contribution, e.value / whole, e.size / whole) &&
            is_near(factor->score, (long double)factor->contribution * above * above, 0)) ||
           said(tree, factor->sites[0].a, "the factor");
}

static bool is_first_of_name(const struct variance_tree *tree, uint32_t node)
{
    uint32_t n = 1;
    while (tree->nodes[n].kind != NODE_WOKEN_BY ||
           strcmp(tree->nodes[n].name, tree->nodes[node].name) != 0)
        n++;
    return n == node;
}

/* Woken-by nodes of one name, none below another: their times together, and how many they are. */
static uint32_t add_waits(const struct variance_tree *tree, const int64_t *times, uint32_t rows,
                          const char *name, int64_t *total)
{
    uint32_t sites = 0;
    memset(total, 0, sizeof *total * rows);
    for (uint32_t i = 1; i < tree->node_count; i++) {
        uint32_t up = tree->nodes[i].parent;
        if (tree->nodes[i].kind != NODE_WOKEN_BY || strcmp(tree->nodes[i].name, name) != 0)
            continue;
        while (up &&
               (tree->nodes[up].kind != NODE_WOKEN_BY || strcmp(tree->nodes[up].name, name) != 0))
            up = tree->nodes[up].parent;
        sites += !up;
        for (uint32_t r = 0; !up && r < rows; r++)
            total[r] += times[(size_t)i * rows + r];
    }
    return sites;
}

static const struct waited *waited_named(const struct waited_list *list, const char *name)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (!strcmp(list->items[i].name, name))
            return &list->items[i];
    return NULL;
}

/* `total` is what is waited for the function of the node. */
static bool waited_holds(const struct variance_result *result, const int64_t *times, uint32_t rows,
                         uint32_t node, int64_t *total)
{
    const struct variance_tree *tree = &result->tree;
    const struct waited *waited = waited_named(&result->waited, tree->nodes[node].name);
    uint32_t sites = add_waits(tree, times, rows, tree->nodes[node].name, total);
    struct spread s = spread_of(total, total, rows), with = spread_of(total, times, rows);
    struct spread all = spread_of(times, times, rows);
    long double whole = covariance(&all, rows);
    long double contribution = whole > 0 ? covariance(&s, rows) / whole : 0;
    long double share = whole > 0 ? covariance(&with, rows) / whole : 0;
    bool listed = contribution >= WAITED_LEAST || fabsl(share) >= WAITED_LEAST;
    if (!waited)
        return !listed || said(tree, node, "the lack of who is waited for");
    return (sites == waited->sites && is_near(waited->mean_ns, (long double)s.x / rows, 0) &&
            is_near(waited->contribution, contribution, 0) && is_near(waited->share, share, 0)) ||
           said(tree, node, "who is waited for");
}

static bool waiting_holds(const struct variance_result *result, const int64_t *times, uint32_t rows)
{
    int64_t *total = memory_alloc(sizeof *total * rows);
    bool right = true;
    for (uint32_t i = 1; right && i < result->tree.node_count; i++)
        if (result->tree.nodes[i].kind == NODE_WOKEN_BY && is_first_of_name(&result->tree, i))
            right = waited_holds(result, times, rows, i, total);
    memory_free(total);
    return right;
}

static bool tree_holds(const struct variance_result *result, const struct table *table)
{
    const struct variance_tree *tree = &result->tree;
    const struct factor_list *factors = &result->factors;
    int64_t *times = memory_alloc(sizeof *times * tree->node_count * table->rows);
    const char *broken = variance_tree_check(tree);
    broken = broken ? broken : root_ledger_check(&result->roots, tree);
    bool right = !broken && tree->intervals.count == table->rows;
    if (broken)
        printf("%s\n", broken);
    for (uint32_t i = 0; i < tree->node_count; i++)
        node_times(table, tree, i, times + (size_t)i * table->rows);
    for (uint32_t i = 0; right && i < tree->node_count; i++)
        right = node_holds(tree, times, table->rows, i);
    for (uint32_t i = 0; right && i < tree->covariance_count; i++)
        right = pair_holds(tree, times, table->rows, &tree->covariances[i]);
    for (uint32_t i = 0; right && i < factors->count; i++)
        right = factor_holds(tree, times, table->rows, &factors->factors[i]);
    right = right && waiting_holds(result, times, table->rows);
    memory_free(times);
    return right && shares_hold(tree);
}

/* The rows are those of the complete intervals, in order. */
static bool latencies_hold(const struct timelines *run, const struct table *table)
{
    uint32_t row = 0;
    for (uint32_t i = 0; i < run->interval_count; i++) {
        int64_t sum = 0;
        if (!run->intervals[i].complete)
            continue;
        for (size_t c = 0; c < table->count; c++)
            sum += table->cells[c].row == row ? table->cells[c].ns : 0;
        if (sum != run->intervals[i].end - run->intervals[i].begin) {
            printf("the times of interval %u do not sum to its latency\n", i);
            return false;
        }
        row++;
    }
    return row == table->rows;
}

bool sim_laws_hold(const struct timelines *run, const struct function_table *functions,
                   const char *rows)
{
    struct variance_result result;
    struct error error;
    struct table table;
    if (!rows[0])
        return true;
    if (!variance_analyze(&result, run, functions, &error)) {
        printf("%s\n", error.message);
        return false;
    }
    table_read(&table, rows);
    bool right = latencies_hold(run, &table) && tree_holds(&result, &table);
    table_release(&table);
    variance_result_release(&result);
    return right;
}

struct sim_sum {
    char *path;
    struct moments moments;
};

/* Takes the path over. */
static void sums_put(struct sim_sums *sums, char *path, struct moments moments)
{
    size_t i = 0;
    while (i < sums->count && strcmp(sums->items[i].path, path) != 0)
        i++;
    if (i == sums->count)
        VEC_PUSH(sums->items, sums->count, sums->capacity) = (struct sim_sum){path, {0}};
    else
        memory_free(path);
    sums->items[i].moments.sum += moments.sum;
    sums->items[i].moments.square += moments.square;
    sums->items[i].moments.latency += moments.latency;
}

static void sums_path(const struct variance_tree *tree, uint32_t node, struct str *path)
{
    struct str part = {0};
    bool own = node_path(tree, node, &part);
    str_printf(path, "%s%s", str_text(&part), own ? " [body]" : "");
    str_release(&part);
}

/* A leaf here, but where others of the same path have children its time is a body's. */
static bool is_bodily(const struct tree_node *node)
{
    return node->first_child == NODE_NONE &&
           (node->kind == NODE_INTERVAL || node->kind == NODE_FUNCTION || node->kind == NODE_CALL ||
            node->kind == NODE_WOKEN_BY || node->kind == NODE_WAIT || node->kind == NODE_QUEUE);
}

static void sums_add_tree(struct sim_sums *sums, const struct variance_tree *tree)
{
    sums->intervals += tree->intervals.count;
    for (uint32_t i = 0; i < tree->node_count; i++) {
        struct str path = {0};
        sums_path(tree, i, &path);
        sums_put(sums, memory_strdup(str_text(&path)), tree->nodes[i].moments);
        if (is_bodily(&tree->nodes[i])) {
            str_append(&path, " [body]");
            sums_put(sums, memory_strdup(path.data), tree->nodes[i].moments);
        }
        str_release(&path);
    }
    for (uint32_t i = 0; i < tree->covariance_count; i++) {
        const struct tree_covariance *pair = &tree->covariances[i];
        struct str a = {0}, b = {0}, both = {0};
        sums_path(tree, pair->a, &a);
        sums_path(tree, pair->b, &b);
        bool swap = strcmp(a.data, b.data) > 0;
        str_printf(&both, "%s + %s", swap ? b.data : a.data, swap ? a.data : b.data);
        sums_put(sums, both.data, (struct moments){.latency = pair->product});
        str_release(&a);
        str_release(&b);
    }
}

/* Objects of one name are numbered by what was recorded together: the sums are those without. */
static void forget_objects(const struct timelines *run)
{
    for (uint32_t t = 0; t < run->thread_count; t++)
        for (uint32_t i = 0; i < run->threads[t].block_count; i++)
            run->threads[t].blocks[i].address = 0;
}

void sim_sums_add(struct sim_sums *sums, const struct timelines *run,
                  const struct function_table *functions)
{
    struct variance_result result;
    struct error error;
    forget_objects(run);
    if (!variance_analyze(&result, run, functions, &error))
        return;
    sums_add_tree(sums, &result.tree);
    variance_result_release(&result);
}

static bool sums_say(const struct sim_sum *sum)
{
    printf("%s: its parts do not add up to the whole\n", sum->path);
    return false;
}

/* What is in `a` and not 0 is the same in `b`. */
static bool sums_within(const struct sim_sums *a, const struct sim_sums *b)
{
    static const struct moments zero = {0};
    for (size_t i = 0; i < a->count; i++) {
        size_t j = 0;
        while (j < b->count && strcmp(a->items[i].path, b->items[j].path) != 0)
            j++;
        const struct moments *x = &a->items[i].moments;
        const struct moments *y = j < b->count ? &b->items[j].moments : &zero;
        if (x->sum != y->sum || x->square != y->square || x->latency != y->latency)
            return sums_say(&a->items[i]);
    }
    return true;
}

bool sim_sums_equal(const struct sim_sums *a, const struct sim_sums *b)
{
    return a->intervals == b->intervals && sums_within(a, b) && sums_within(b, a);
}

void sim_sums_release(struct sim_sums *sums)
{
    for (size_t i = 0; i < sums->count; i++)
        memory_free(sums->items[i].path);
    memory_free(sums->items);
    *sums = (struct sim_sums){0};
}
