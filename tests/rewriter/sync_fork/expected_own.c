/* Declared in its own way, it is left alone. */
struct list;
extern struct list *clone(const struct list *list);
struct list *copy(const struct list *list);
struct list *copy(const struct list *list)
{VPROF_FUNCTION(5)
    return clone(list);
}
struct list *clone(const struct list *list)
{VPROF_FUNCTION(6)
    return (struct list *)list;
}
