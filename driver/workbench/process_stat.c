#include "driver/workbench/process_stat.h"

#include <stdio.h>
#include <string.h>

/* The line reads "4711 (a name) S 1 4711 4711 ...". */
bool process_stat_read(pid_t pid, struct process_stat *stat)
{
    char path[64], line[512] = "";
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (file && !fgets(line, sizeof line, file))
        line[0] = '\0';
    if (file)
        fclose(file);
    char *open = strchr(line, '('), *close = strrchr(line, ')');
    int parent, group, session;
    if (!open || !close ||
        sscanf(close + 1, " %c %d %d %d", &stat->state, &parent, &group, &session) != 4)
        return false;
    *close = '\0';
    snprintf(stat->name, sizeof stat->name, "%s", open + 1);
    stat->parent = parent;
    stat->session = session;
    return true;
}
