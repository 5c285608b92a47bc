#include "driver/workbench/stray.h"

#include <ctype.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/memory.h"
#include "driver/workbench/process_stat.h"

enum { LOOK_MS = 50 };

struct stray_list {
    pid_t *pids;
    size_t count, capacity;
};

void stray_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
}

/* ---- who they are ---- */

static bool is_stray_child(pid_t pid, const char *unused)
{
    struct process_stat known;
    (void)unused;
    return process_stat_read(pid, &known) && known.parent == getpid() && known.session != getsid(0);
}

static bool is_marked(pid_t pid, const char *mark)
{
    char path[64];
    struct str words = {0};
    struct error ignored;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    bool found = false;
    if (pid != getpid() && file_read(&words, path, &ignored))
        for (size_t at = 0; at < words.length && !found; at += strlen(words.data + at) + 1)
            found = strcmp(words.data + at, mark) == 0;
    str_release(&words);
    return found;
}

typedef bool stray_test(pid_t pid, const char *mark);

static struct stray_list find(stray_test *is_stray, const char *mark)
{
    struct stray_list list = {0};
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;
        if (pid > 0 && is_stray(pid, mark))
            VEC_PUSH(list.pids, list.count, list.capacity) = pid;
    }
    if (folder)
        closedir(folder);
    return list;
}

/* ---- their end ---- */

static void append_name(struct str *names, pid_t pid)
{
    struct process_stat known;
    if (names && process_stat_read(pid, &known) && known.state != 'Z')
        str_printf(names, "%s%d (%s)", names->length ? ", " : "", (int)pid, known.name);
}

/* A process ends with its group, unless that is ours or a stranger's. */
static void end(pid_t pid, int signal_number)
{
    pid_t group = getpgid(pid);
    kill(pid, signal_number);
    if (group > 1 && group != getpgid(0) && group == pid)
        kill(-group, signal_number);
    kill(pid, SIGCONT);
}

static void reap(const struct stray_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        waitpid(list->pids[i], NULL, WNOHANG);
}

/* Children of those that ended come to light meanwhile, and are told to end as well. */
static bool end_within(stray_test *is_stray, const char *mark, int signal_number, unsigned ms,
                       struct str *names)
{
    for (unsigned spent = 0;; spent += LOOK_MS) {
        struct stray_list list = find(is_stray, mark);
        bool none = list.count == 0;
        for (size_t i = 0; i < list.count; i++) {
            if (signal_number == SIGTERM && spent == 0)
                append_name(names, list.pids[i]);
            end(list.pids[i], signal_number);
        }
        reap(&list);
        memory_free(list.pids);
        if (none || spent >= ms)
            return none;
        nanosleep(&(struct timespec){0, LOOK_MS * 1000000L}, NULL);
    }
}

static void end_all(stray_test *is_stray, const char *mark, unsigned grace_s, struct str *names)
{
    unsigned half_ms = grace_s * 1000 / 2;
    if (!end_within(is_stray, mark, SIGTERM, half_ms, names) &&
        !end_within(is_stray, mark, SIGINT, half_ms, names))
        end_within(is_stray, mark, SIGKILL, half_ms, names);
}

void stray_end(unsigned grace_s, struct str *names)
{
    end_all(is_stray_child, NULL, grace_s, names);
}

void stray_end_marked(const char *mark, unsigned grace_s)
{
    end_all(is_marked, mark, grace_s, NULL);
}
