#include "rewriter/facts.h"

uint32_t fact_statements(const struct fact_function *function)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < function->statement_count; i++)
        count += !function->statements[i].closing;
    return count;
}

void facts_release(struct facts *facts)
{
    arena_release(&facts->arena);
    *facts = (struct facts){0};
}
