#include "base/memory.h"
#include "rewriter/clang/flow_value.h"

static uint32_t open_arm(struct flow_reader *reader, uint32_t parent, uint32_t choice,
                         uint32_t number, bool rest)
{
    struct flow *flow = reader->flow;
    VEC_PUSH(flow->arms, flow->arm_count, flow->arm_capacity) =
        (struct flow_arm){parent, choice, number, reader->loop, rest};
    return flow->arm_count - 1;
}

static bool read_arm(struct flow_reader *reader, CXCursor statement, uint32_t choice,
                     uint32_t number)
{
    uint32_t around = reader->arm;
    reader->arm = open_arm(reader, around, choice, number, false);
    flow_read_statement(reader, statement);
    reader->arm = around;
    return reader->ends;
}

/* Before the condition there may stand a declaration: if (int n = f(); n > 0). */
void flow_read_if(struct flow_reader *reader, CXCursor statement)
{
    struct flow_children children = flow_children_of(statement);
    uint32_t condition = 0, choice = reader->flow->choice_count++;
    bool ends = false, otherwise = false;
    while (condition < children.count &&
           !clang_isExpression(clang_getCursorKind(children.items[condition])))
        condition++;
    for (uint32_t i = 0; i < children.count; i++)
        if (i <= condition)
            flow_read_statement(reader, children.items[i]);
        else if (i == condition + 1)
            ends = read_arm(reader, children.items[i], choice, 0);
        else
            otherwise = read_arm(reader, children.items[i], choice, 1);
    reader->rest = ends && children.count == condition + 2 ? choice : FLOW_NONE;
    reader->ends = ends && otherwise;
    memory_free(children.items);
}

/* ---- in a block ---- */

struct flow_block_arms flow_arms_begin(struct flow_reader *reader)
{
    struct flow_block_arms arms = {reader->arm, reader->cases, true};
    reader->cases = FLOW_NONE;
    return arms;
}

/* A label can be jumped to from any arm. */
void flow_arms_before(struct flow_reader *reader, struct flow_block_arms *arms, CXCursor statement)
{
    enum CXCursorKind kind = clang_getCursorKind(statement);
    bool labelled = kind == CXCursor_CaseStmt || kind == CXCursor_DefaultStmt;
    if (kind == CXCursor_LabelStmt)
        reader->arm = FLOW_NONE;
    else if (labelled && arms->cases != FLOW_NONE && arms->ended)
        reader->arm = open_arm(reader, arms->base, arms->cases, reader->flow->arm_count, false);
}

void flow_arms_after(struct flow_reader *reader, struct flow_block_arms *arms)
{
    arms->ended = reader->ends;
    if (reader->rest != FLOW_NONE)
        reader->arm = open_arm(reader, reader->arm, reader->rest, 1, true);
    reader->rest = FLOW_NONE;
}

void flow_arms_end(struct flow_reader *reader, const struct flow_block_arms *arms)
{
    reader->arm = arms->base;
    reader->rest = FLOW_NONE;
}
