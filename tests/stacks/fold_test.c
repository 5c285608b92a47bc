/* context_fold.h: what repeats itself is one node, layers are left out, cut stacks are told from their innermost call on;
 * stats/apportion.h and stratum.h: parts that add up, with their errors. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "stacks/context_fold.h"
#include "stacks/stratum.h"
#include "stats/apportion.h"

/* Each letter is a frame; "ab" of "abab" with repeats "22". */
static bool folds_to(const char *text, const char *to, const char *times)
{
    uint32_t frames[64], repeats[64];
    size_t count = strlen(text);
    for (size_t i = 0; i < count; i++)
        frames[i] = (uint32_t)text[i];
    count = context_fold_frames(frames, repeats, count);
    bool ok = count == strlen(to);
    for (size_t i = 0; ok && i < count; i++)
        ok = frames[i] == (uint32_t)to[i] && repeats[i] == (uint32_t)(times[i] - '0');
    return ok;
}

static void test_frames(void)
{
    CHECK(folds_to("", "", ""));
    CHECK(folds_to("abc", "abc", "111"));
    CHECK(folds_to("aaa", "a", "3"));
    CHECK(folds_to("abbbc", "abc", "131"));
    CHECK(folds_to("ababab", "ab", "33"));
    CHECK(folds_to("mababac", "mabac", "12211"));
    CHECK(folds_to("xabcabcy", "xabcy", "12221"));
    CHECK(folds_to("abcdefghabcdefgh", "abcdefgh", "22222222"));
    CHECK(folds_to("abcdefghiabcdefghi", "abcdefghiabcdefghi", "111111111111111111")); /* longer */
}

static uint32_t put(struct context_tree *tree, const char *const *names,
                    const enum frame_kind *kinds, size_t count)
{
    uint32_t frames[16];
    for (size_t i = 0; i < count; i++)
        frames[i] = context_frame_add(
            tree, &(struct context_frame){.function = names[i], .object = "o", .kind = kinds[i]});
    return context_tree_path(tree, frames, count);
}

static bool is_path(const struct context_tree *tree, uint32_t node, const char *path)
{
    char text[256] = "";
    uint32_t frames[16], count = context_tree_frames(tree, node, frames);
    for (uint32_t i = 0; i < count; i++) {
        strcat(text, i ? "," : "");
        strcat(text, tree->frames[frames[i]].function);
    }
    return strcmp(text, path) == 0;
}

static void test_tree(void)
{
    static const char *const names[] = {"main", "walk", "walk", "malloc", "brk"};
    static const enum frame_kind kinds[] = {FRAME_PROGRAM, FRAME_PROGRAM, FRAME_PROGRAM,
                                            FRAME_LIBRARY, FRAME_KERNEL};
    struct context_tree tree;
    struct context_fold fold, own;
    context_tree_init(&tree);
    uint32_t node = put(&tree, names, kinds, 5);
    CHECK(put(&tree, names, kinds, 5) == node && tree.count == 6 && tree.frame_count == 4);
    context_fold_init(&fold, &tree, CONTEXT_ALL_LAYERS);
    uint32_t group = context_fold_group(&fold, 3, "server");
    CHECK(context_fold_group(&fold, 4, "server") != group);
    uint32_t whole = context_fold_node(&fold, group, node, false);
    CHECK(is_path(&fold.tree, whole, "server,main,walk,malloc,brk"));
    CHECK(context_fold_node(&fold, group, node, false) == whole);
    CHECK(fold.deepest[fold.tree.nodes[fold.tree.nodes[whole].parent].parent] == 2);
    CHECK(context_fold_own(&fold, whole) == whole);
    uint32_t cut = context_fold_node(&fold, group, node, true);
    CHECK(is_path(&fold.tree, cut, "server,[cut],brk,malloc,walk,main"));
    CHECK(is_path(&fold.tree, context_fold_own(&fold, cut), "server,[cut],brk"));
    context_fold_init(&own, &tree, 1u << FRAME_PROGRAM);
    group = context_fold_group(&own, 0, "server");
    CHECK(is_path(&own.tree, context_fold_node(&own, group, node, false), "server,main,walk"));
    CHECK(is_path(&own.tree, context_fold_node(&own, group, CONTEXT_ROOT, false),
                  "server,[other layers]"));
    context_fold_release(&own);
    context_fold_release(&fold);
    context_tree_release(&tree);
}

static void test_apportion(void)
{
    int64_t parts[4];
    apportion(10, (uint64_t[]){1, 1, 1}, 3, parts);
    CHECK(parts[0] == 4 && parts[1] == 3 && parts[2] == 3);
    apportion(7, (uint64_t[]){0, 3, 1}, 3, parts); /* 5.25 and 1.75 */
    CHECK(parts[0] == 0 && parts[1] == 5 && parts[2] == 2);
    apportion(5, (uint64_t[]){0, 0}, 2, parts);
    CHECK(parts[0] == 0 && parts[1] == 0);
    apportion(INT64_MAX, (uint64_t[]){UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}, 4, parts);
    CHECK(parts[0] - parts[3] <= 1 && parts[0] + (parts[1] + (parts[2] + parts[3])) == INT64_MAX);
    apportion(0, (uint64_t[]){1}, 1, parts);
    CHECK(parts[0] == 0);
}

static bool close_to(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* Of 10 samples of one weight, 3 and 2 are below one node: T^2 p (1 - p) / n. */
static void test_stratum(void)
{
    struct context_tree tree;
    struct stratum stratum = {0};
    struct stratum_below below[8] = {{0}};
    double variance[8] = {0};
    context_tree_init(&tree);
    uint32_t a = context_tree_child(&tree, CONTEXT_ROOT, 0), b = context_tree_child(&tree, a, 1),
             c = context_tree_child(&tree, a, 2), d = context_tree_child(&tree, CONTEXT_ROOT, 3);
    for (int i = 0; i < 10; i++)
        stratum_add(&stratum, i < 3 ? b : i < 5 ? c : d, 4, 16);
    stratum_share(&stratum, 1000);
    CHECK(stratum.parts[0].time == 300 && stratum.parts[1].time == 200 &&
          stratum.parts[2].time == 500);
    stratum_spread(&stratum, 1000, &tree, 1, below, variance);
    CHECK(close_to(variance[b], 1e6 * 0.3 * 0.7 / 10) &&
          close_to(variance[c], 1e6 * 0.2 * 0.8 / 10));
    CHECK(close_to(variance[a], 1e6 * 0.25 / 10) && close_to(variance[d], 1e6 * 0.25 / 10));
    CHECK(variance[CONTEXT_ROOT] == 0 && below[a].weight == 0);
    CHECK(close_to(stratum_variance(&stratum, 1000, &stratum.parts[0]), 1e6 * 0.21 / 10));
    stratum_clear(&stratum);
    stratum_add(&stratum, d, 4, 16); /* alone: p is not surely 1 */
    CHECK(close_to(stratum_variance(&stratum, 1000, &stratum.parts[0]), 1e6 * 0.25 * 0.75));
    stratum_release(&stratum);
    context_tree_release(&tree);
}

int main(void)
{
    test_frames();
    test_tree();
    test_apportion();
    test_stratum();
    return CHECK_DONE();
}
