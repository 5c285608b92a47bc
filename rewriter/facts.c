#include "rewriter/facts.h"

void facts_release(struct facts *facts)
{
    arena_release(&facts->arena);
    *facts = (struct facts){0};
}
