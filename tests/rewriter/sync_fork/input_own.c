/* Declared in its own way, it is left alone. */
struct list;
extern struct list *clone(const struct list *list);
struct list *copy(const struct list *list);
struct list *copy(const struct list *list)
{
    return clone(list);
}
struct list *clone(const struct list *list)
{
    return (struct list *)list;
}
