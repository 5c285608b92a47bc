#include "variance/factor.h"

void factor_list_release(struct factor_list *list)
{
    arena_release(&list->arena);
    *list = (struct factor_list){0};
}
