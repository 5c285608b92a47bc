#include "variance/leaf_owner.h"

#include "base/memory.h"

const char *owner_kind_name(enum owner_kind kind)
{
    static const char *const names[OWNER_KINDS] = {[OWNER_FUNCTION] = "function",
                                                   [OWNER_CALL] = "call",
                                                   [OWNER_THREAD] = "thread",
                                                   [OWNER_OUTSIDE] = "outside",
                                                   [OWNER_WAKE_UP] = "wake-up",
                                                   [OWNER_QUEUE] = "queue",
                                                   [OWNER_WAIT] = "wait",
                                                   [OWNER_PROBES] = "probes",
                                                   [OWNER_OTHER] = "for-another",
                                                   [OWNER_PROCESSOR] = "wait",
                                                   [OWNER_UNEXPLAINED] = "unexplained"};
    return names[kind];
}

void leaf_owners_init(struct leaf_owners *owners, const struct variance_tree *tree,
                      const struct function_table *functions)
{
    *owners = (struct leaf_owners){.tree = tree, .functions = functions, .ways = tree_ways(tree)};
    helper_set_init(&owners->helpers, tree, owners->ways, functions);
}

void leaf_owners_release(struct leaf_owners *owners)
{
    memory_free(owners->ways);
    helper_set_release(&owners->helpers);
}

/* What a leaf is where no function can have it. */
static bool is_nobodys(const struct variance_tree *tree, uint32_t leaf, enum owner_kind *kind)
{
    const struct tree_node *node = &tree->nodes[leaf];
    if (node->kind == NODE_BODY) {
        node = &tree->nodes[node->parent];
        *kind = OWNER_OUTSIDE;
        if (node->kind == NODE_INTERVAL)
            return true;
    }
    *kind = node->kind == NODE_PROBES        ? OWNER_PROBES
            : node->kind == NODE_UNEXPLAINED ? OWNER_UNEXPLAINED
            : node->kind == NODE_QUEUE       ? OWNER_QUEUE
            : node->kind == NODE_FOR_ANOTHER ? OWNER_OTHER
            : node->wait == WAIT_WAKE_UP     ? OWNER_WAKE_UP
            : node->wait == WAIT_FOR_THREAD  ? OWNER_WAIT
                                             : OWNER_KINDS;
    return *kind != OWNER_KINDS;
}

/* The function above the outermost helper that the node is in, or the helper itself. */
static uint32_t above_helpers(const struct leaf_owners *owners, uint32_t node)
{
    uint32_t owner = node;
    for (uint32_t at = node; at != NODE_NONE;) {
        uint32_t caller = tree_way_caller(owners->tree, owners->ways, at);
        if (owners->helpers.is_helper[owners->tree->nodes[at].function])
            owner = caller == NODE_NONE ? at : caller;
        at = caller;
    }
    return owner;
}

/* The call just below `above` on the way to `leaf`; NODE_NONE where that is the leaf's body. */
static uint32_t call_below(const struct variance_tree *tree, uint32_t above, uint32_t leaf)
{
    uint32_t at = leaf;
    if (leaf == above)
        return NODE_NONE;
    while (tree->nodes[at].parent != above)
        at = tree->nodes[at].parent;
    bool way =
        node_kind_is_callable(tree->nodes[at].kind) || wait_kind_kernel(tree->nodes[at].wait);
    return way ? at : NODE_NONE;
}

/* The outermost node of a context that has the name of a function or thread. */
static uint32_t outermost(const struct variance_tree *tree, const struct tree_way *ways,
                          uint32_t node)
{
    uint32_t context = ways[node].context, named = NODE_NONE;
    for (uint32_t at = node;; at = tree->nodes[at].parent) {
        if (node_kind_is_callable(tree->nodes[at].kind))
            named = at;
        if (at == context)
            return named;
    }
}

static void own_function(const struct leaf_owners *owners, struct leaf_owner *owner, uint32_t leaf)
{
    owner->kind = OWNER_FUNCTION;
    owner->node = above_helpers(owners, owners->ways[leaf].function);
    owner->name = owners->tree->nodes[owner->node].name;
    owner->function = owners->tree->nodes[owner->node].function;
    owner->through = call_below(owners->tree, owner->node, leaf);
}

/* No function around the leaf was timed: the call may be known to stand in one. */
static void own_call(const struct leaf_owners *owners, struct leaf_owner *owner, uint32_t leaf)
{
    const struct variance_tree *tree = owners->tree;
    uint32_t named = outermost(tree, owners->ways, leaf);
    owner->node = named == NODE_NONE ? leaf : named;
    owner->name = tree->nodes[owner->node].name;
    owner->kind = owners->ways[leaf].context ? OWNER_THREAD : OWNER_CALL;
    uint32_t within = tree->nodes[owner->node].within;
    if (within == FUNCTION_NONE || !owners->functions->functions[within].body)
        return;
    owner->kind = OWNER_FUNCTION;
    owner->through = owner->node;
    owner->function = within;
    owner->name = owners->functions->functions[within].name;
}

/* The wait for a processor that the leaf is, or is a part of; or NODE_NONE. */
static uint32_t processor_of(const struct variance_tree *tree, uint32_t leaf)
{
    if (wait_kind_is_for_processor(tree->nodes[leaf].wait))
        return leaf;
    uint32_t above = leaf ? tree->nodes[leaf].parent : 0;
    return wait_kind_is_for_processor(tree->nodes[above].wait) ? above : NODE_NONE;
}

/* Whoever had it does not say who did it: all waits for processors are one line. */
static void own_processor(const struct leaf_owners *owners, struct leaf_owner *owner, uint32_t wait,
                          uint32_t leaf)
{
    const struct variance_tree *tree = owners->tree;
    uint32_t context = owners->ways[wait].context;
    owner->kind = OWNER_PROCESSOR;
    owner->node = wait;
    owner->name = wait_kind_name(WAIT_PROCESSOR);
    owner->waited = context ? tree->nodes[context].parent : 0;
    owner->thread = context ? outermost(tree, owners->ways, wait) : NODE_NONE;
    owner->taker = tree->nodes[leaf].kind == NODE_WOKEN_BY ? leaf : NODE_NONE;
}

static bool is_unseen(const struct tree_node *node)
{
    return node->kind == NODE_WAIT && node->wait == WAIT_UNKNOWN_WAKER;
}

struct leaf_owner leaf_owner_of(const struct leaf_owners *owners, uint32_t leaf)
{
    const struct variance_tree *tree = owners->tree;
    uint32_t context = owners->ways[leaf].context;
    struct leaf_owner owner = {.node = leaf,
                               .name = tree->nodes[leaf].name,
                               .function = FUNCTION_NONE,
                               .through = NODE_NONE,
                               .taker = NODE_NONE,
                               .waited = context ? tree->nodes[context].parent : 0,
                               .unseen = is_unseen(&tree->nodes[leaf])};
    uint32_t processor = processor_of(tree, leaf);
    if (processor != NODE_NONE) {
        own_processor(owners, &owner, processor, leaf);
        return owner;
    }
    owner.thread = context ? outermost(tree, owners->ways, leaf) : NODE_NONE;
    if (is_nobodys(tree, leaf, &owner.kind))
        return owner;
    if (owners->ways[leaf].function != NODE_NONE)
        own_function(owners, &owner, leaf);
    else
        own_call(owners, &owner, leaf);
    return owner;
}
