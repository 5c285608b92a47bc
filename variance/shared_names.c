#include "variance/shared_names.h"

static void add_tree(struct intern *names, const struct variance_tree *tree)
{
    for (uint32_t n = 0; n < tree->node_count; n++)
        if (tree->nodes[n].object)
            intern_add(names, tree->nodes[n].name);
}

void shared_names_init(struct shared_names *names, const struct variance_tree *a,
                       const struct variance_tree *b)
{
    *names = (struct shared_names){0};
    add_tree(&names->of[0], a);
    add_tree(&names->of[1], b);
}

void shared_names_release(struct shared_names *names)
{
    for (int s = 0; s < 2; s++)
        intern_release(&names->of[s]);
}

const char *shared_name(const struct shared_names *names, const struct tree_node *node)
{
    if (!names || !node->object)
        return node->name;
    bool both = intern_find(&names->of[0], node->name) != INTERN_NONE &&
                intern_find(&names->of[1], node->name) != INTERN_NONE;
    return both ? node->name : node->plain;
}
