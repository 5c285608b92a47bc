#include "driver/commands/request_values.h"

bool request_values_any(const struct request_values *values)
{
    return values->intervals || values->probes || values->begin || values->end ||
           values->descriptor;
}

static bool take_each(const struct request_values *values, struct point_wishes *wishes,
                      struct error *error)
{
    bool ok = true;
    for (const char *const *each = values->intervals; ok && each && *each; each++)
        ok = point_wishes_add_interval(wishes, *each, error);
    for (const char *const *each = values->probes; ok && each && *each; each++)
        ok = point_wishes_add_usdt(wishes, *each, values->id, error);
    return ok;
}

bool request_values_take(const struct request_values *values, struct point_wishes *wishes,
                         struct error *error)
{
    if (!values->begin != !values->end)
        return error_set(error, ERROR_USAGE,
                         "A request that begins at --begin ends at --end: give both.");
    if (values->whole && request_values_any(values))
        return error_set(error, ERROR_USAGE,
                         "--whole says that each process is a request: give no other bounds.");
    if (values->id && !values->begin && !values->probes)
        return error_set(error, ERROR_USAGE,
                         "--id says which requests of --begin and --end, or --usdt, belong "
                         "together: give these, too.");
    return take_each(values, wishes, error) &&
           (!values->begin ||
            point_wishes_add_span(wishes, values->begin, values->end, values->id, error)) &&
           (!values->descriptor || point_wishes_add_descriptor(wishes, error));
}

bool request_values_plan(const struct request_values *values, const char *program,
                         struct point_plan *plan, struct error *error)
{
    struct point_wishes wishes = {0};
    *plan = (struct point_plan){0};
    bool ok = request_values_take(values, &wishes, error) &&
              (!wishes.count || point_plan_make(plan, &wishes, program, error));
    point_wishes_release(&wishes);
    return ok;
}
