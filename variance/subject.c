#include "variance/subject.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "variance/pair_sites.h"

#define BODY " [body]"

static enum node_kind class_of(enum node_kind kind)
{
    return kind == NODE_CALL ? NODE_FUNCTION : kind;
}

struct subject subject_of(const struct factor *factor, const struct variance_tree *tree,
                          const struct shared_names *shared)
{
    struct subject subject = {.kind = factor->kind, .shared = shared};
    const struct factor_site *site = &factor->sites[0];
    uint32_t nodes[2] = {site->a, site->b};
    for (int i = 0; i < 2 && nodes[i] != NODE_NONE; i++) {
        subject.names[i] = shared_name(shared, &tree->nodes[nodes[i]]);
        subject.plain[i] = tree->nodes[nodes[i]].plain;
        subject.node_kinds[i] = class_of(tree->nodes[nodes[i]].kind);
    }
    return subject;
}

static bool is_it(const struct subject *subject, int i, const struct tree_node *node)
{
    return !node->blamed && class_of(node->kind) == subject->node_kinds[i] &&
           strcmp(shared_name(subject->shared, node), subject->names[i]) == 0;
}

const struct tree_node *subject_node(const struct subject *subject,
                                     const struct variance_tree *tree)
{
    for (uint32_t n = 1; n < tree->node_count; n++)
        if (is_it(subject, 0, &tree->nodes[n]))
            return &tree->nodes[n];
    return NULL;
}

static bool same_part(const struct subject *a, int i, const struct subject *b, int j)
{
    return a->node_kinds[i] == b->node_kinds[j] && strcmp(a->names[i], b->names[j]) == 0;
}

bool subject_same(const struct subject *a, const struct subject *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == FACTOR_VARIANCE)
        return same_part(a, 0, b, 0);
    return (same_part(a, 0, b, 0) && same_part(a, 1, b, 1)) ||
           (same_part(a, 0, b, 1) && same_part(a, 1, b, 0));
}

/* ---- the subject's sites ---- */

static void add_site(struct subject_sites *sites, struct sample *sample, uint32_t a, uint32_t b)
{
    uint32_t columns[2] = {sample_column(sample, a), sample_column(sample, b)};
    uint32_t(*site)[2] = &VEC_PUSH(sites->columns, sites->count, sites->capacity);
    memcpy(site, columns, sizeof columns);
}

/* A function below itself counts once, where it stands highest. */
static bool is_below(const struct subject *subject, const struct variance_tree *tree, uint32_t node)
{
    for (uint32_t n = tree->nodes[node].parent; n != NODE_NONE; n = tree->nodes[n].parent)
        if (is_it(subject, 0, &tree->nodes[n]))
            return true;
    return false;
}

/* The own time of a function that calls nothing timed on this side is that of a leaf. */
static bool is_bare(const struct subject *subject, const struct tree_node *node)
{
    size_t length = strlen(subject->names[0]) - strlen(BODY);
    return subject->node_kinds[0] == NODE_BODY && str_ends_with(subject->names[0], BODY) &&
           !node->blamed && node->first_child == NODE_NONE &&
           class_of(node->kind) == NODE_FUNCTION && strlen(node->name) == length &&
           strncmp(node->name, subject->names[0], length) == 0;
}

static void find_function(const struct subject *subject, struct sample *sample,
                          struct subject_sites *sites)
{
    const struct variance_tree *tree = sample->side->tree;
    for (uint32_t n = 1; n < tree->node_count; n++) {
        const struct tree_node *node = &tree->nodes[n];
        if ((is_it(subject, 0, node) && !is_below(subject, tree, n)) || is_bare(subject, node))
            add_site(sites, sample, n, n);
    }
}

static void add_excluded(const struct factor *pair, struct sample *sample,
                         struct subject_sites *sites)
{
    if (!pair_sites_matter(pair))
        return;
    for (uint32_t i = 0; i < pair->of[0].count && i < PAIR_SITES_MOST; i++)
        for (uint32_t j = 0; j < pair->of[1].count && j < PAIR_SITES_MOST; j++) {
            uint32_t a = pair->of[0].items[i].a, b = pair->of[1].items[j].a;
            if (pair_sites_exclude(sample->side->tree, a, b))
                add_site(sites, sample, a, b);
        }
}

static void find_pair(const struct subject *subject, struct sample *sample,
                      struct subject_sites *sites)
{
    const struct factor_list *list = sample->side->factors;
    for (uint32_t f = 0; f < list->count; f++) {
        const struct factor *factor = &list->factors[f];
        struct subject other = subject_of(factor, sample->side->tree, subject->shared);
        if (!subject_same(subject, &other))
            continue;
        for (uint32_t i = 0; i < factor->site_count; i++)
            add_site(sites, sample, factor->sites[i].a, factor->sites[i].b);
        add_excluded(factor, sample, sites);
    }
}

void subject_find(const struct subject *subject, struct sample *sample, struct subject_sites *sites)
{
    if (subject->kind == FACTOR_VARIANCE)
        find_function(subject, sample, sites);
    else
        find_pair(subject, sample, sites);
}

/* ---- the functions that a side could time ---- */

/* A function that has no body in the tree is timed caller by caller. */
static const char *call_in(struct str *text, const char *callee, const char *caller)
{
    str_clear(text);
    str_printf(text, "%s in %s", callee, caller);
    return str_text(text);
}

/* A probe times a function, or a function's calls in another. */
static const char *timed_by(struct str *text, const struct function_table *table, uint32_t probe)
{
    const struct probe_info *info = &table->probes[probe];
    const char *name = table->functions[info->function].name;
    return info->kind == PROBE_CALL ? call_in(text, name, table->functions[info->within].name)
                                    : name;
}

static void note_known(const struct function_table *table, struct intern *known)
{
    struct str text = {0};
    for (uint32_t f = 0; f < table->function_count; f++) {
        const struct function_info *info = &table->functions[f];
        intern_add(known, info->name);
        for (uint32_t c = 0; c < info->callee_count; c++)
            if (!table->functions[info->callees[c]].body)
                intern_add(known,
                           call_in(&text, table->functions[info->callees[c]].name, info->name));
    }
    str_release(&text);
}

static void note_timed(const struct function_table *table, struct intern *timed)
{
    struct str text = {0};
    for (uint32_t p = 1; p < table->probe_count; p++)
        if (table->probes[p].function != FUNCTION_NONE) {
            intern_add(timed, table->functions[table->probes[p].function].name);
            intern_add(timed, timed_by(&text, table, p));
        }
    str_release(&text);
}

static bool has(const struct intern *names, const char *name)
{
    return intern_find(names, name) != INTERN_NONE;
}

/* The function that `what` names is there on that side, and not timed. */
static bool is_untimed(const struct timed_functions *timed, int side, const char *what)
{
    return has(&timed->known[side], what) && !has(&timed->timed[side], what);
}

/* The functions of `side` that the other one knows and does not time are noted, each once. */
static void note_one_side(struct timed_functions *timed, const struct function_table *table,
                          int side, struct intern *met)
{
    struct str text = {0};
    for (uint32_t p = 1; p < table->probe_count; p++) {
        if (table->probes[p].function == FUNCTION_NONE ||
            !is_untimed(timed, !side, timed_by(&text, table, p)))
            continue;
        const char *name = table->functions[table->probes[p].function].name;
        size_t before = met->count;
        intern_add(met, name);
        if (met->count == before)
            continue;
        timed->one_side++;
        timed->one_side_name = name;
    }
    str_release(&text);
}

void timed_functions_init(struct timed_functions *timed, const struct sample_side sides[2])
{
    struct intern met = {0};
    *timed = (struct timed_functions){0};
    for (int s = 0; s < 2; s++) {
        note_known(sides[s].functions, &timed->known[s]);
        note_timed(sides[s].functions, &timed->timed[s]);
    }
    for (size_t i = 0; i < timed->timed[0].count; i++)
        timed->both += has(&timed->timed[1], timed->timed[0].text[i]);
    for (int s = 0; s < 2; s++)
        note_one_side(timed, sides[s].functions, s, &met);
    intern_release(&met);
}

void timed_functions_release(struct timed_functions *timed)
{
    for (int s = 0; s < 2; s++) {
        intern_release(&timed->known[s]);
        intern_release(&timed->timed[s]);
    }
}

static bool occurs(const struct subject *subject, int part, const struct variance_tree *tree)
{
    for (uint32_t n = 1; n < tree->node_count; n++)
        if (is_it(subject, part, &tree->nodes[n]))
            return true;
    return false;
}

static bool is_function(const struct subject *subject, int part)
{
    return subject->node_kinds[part] == NODE_FUNCTION || subject->node_kinds[part] == NODE_BODY;
}

/* The other side times a call of it that is here as well, and not timed. */
static bool calls_untimed(const char *name, const struct function_table *other, int side,
                          const struct timed_functions *timed)
{
    struct str text = {0};
    bool found = false;
    for (uint32_t p = 1; p < other->probe_count && !found; p++)
        found = other->probes[p].kind == PROBE_CALL &&
                strcmp(other->functions[other->probes[p].function].name, name) == 0 &&
                is_untimed(timed, side, timed_by(&text, other, p));
    str_release(&text);
    return found;
}

const char *subject_blind(const struct subject *subject, const struct sample_side sides[2],
                          int side, const struct timed_functions *timed)
{
    for (int part = 0; part < 2 && subject->names[part]; part++) {
        const char *name = subject->plain[part] ? subject->plain[part] : subject->names[part];
        if (!is_function(subject, part))
            continue;
        if (subject->node_kinds[part] == NODE_BODY && timed->one_side)
            return timed->one_side_name;
        if (timed->known[side].count == 0)
            return name;
        if (!occurs(subject, part, sides[side].tree) && is_untimed(timed, side, name))
            return name;
        if (calls_untimed(name, sides[!side].functions, side, timed))
            return name;
    }
    return NULL;
}
