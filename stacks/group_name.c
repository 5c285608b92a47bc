#include "stacks/group_name.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"

char *group_name(const struct thread_group *group)
{
    struct str name = {0};
    bool named = strcmp(group->process, group->name) != 0;
    if (!named && !group->main)
        str_printf(&name, "thread%s of ", group->threads == 1 ? "" : "s");
    str_append(&name, group->name[0] ? group->name : "(no name)");
    if (group->process[0] && named && !group->main)
        str_printf(&name, " of %s", group->process);
    if (group->threads > 1)
        str_printf(&name, " x %u", group->threads);
    char *copy = memory_strdup(str_text(&name));
    str_release(&name);
    return copy;
}
