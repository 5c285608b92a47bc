/* processor_time_test.c - whose processor time counts, by children that burn some and headers that
 * name them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "driver/workbench/processor_time.h"
#include "trace/trace_format.h"

#define PIECE_NS 100e6
#define STEP_NS 25e6 /* the kernel's, twice, and what is used on the way */

static int failed;
static char folder[] = "/tmp/vprofiler-processor-XXXXXX";

static void expect(bool truth, const char *what, double used_ns)
{
    if (!truth)
        printf("FAILED: %s: %.0f ms\n", what, used_ns * 1e-6);
    failed += !truth;
}

static void burn(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    double until = (double)now.tv_sec * 1e9 + (double)now.tv_nsec + PIECE_NS;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while ((double)now.tv_sec * 1e9 + (double)now.tv_nsec < until);
}

/* Burns a piece for each byte, and answers each with one; ends with the pipe. */
struct burner {
    pid_t pid;
    int ask, answer;
};

static struct burner start(void)
{
    int ask[2], answer[2];
    char byte;
    if (pipe(ask) != 0 || pipe(answer) != 0)
        exit(1);
    struct burner burner = {fork(), ask[1], answer[0]};
    if (burner.pid == 0) {
        close(ask[1]);
        while (read(ask[0], &byte, 1) == 1) {
            burn();
            if (write(answer[1], "", 1) != 1)
                _exit(1);
        }
        _exit(0);
    }
    close(ask[0]);
    close(answer[1]);
    return burner;
}

static void let_burn(const struct burner *burner)
{
    char byte;
    if (write(burner->ask, "", 1) != 1 || read(burner->answer, &byte, 1) != 1)
        exit(1);
}

static void end(const struct burner *burner)
{
    kill(burner->pid, SIGKILL);
    waitpid(burner->pid, NULL, 0);
    close(burner->ask);
    close(burner->answer);
}

static void add(pid_t pid, pid_t parent, uint32_t ended, uint32_t tables)
{
    struct trace_file_header header = {.magic = TRACE_MAGIC,
                                       .pid = (uint32_t)pid,
                                       .parent_pid = (uint32_t)parent,
                                       .end = ended,
                                       .hook_tables = tables};
    struct error error;
    struct str path = {0};
    static unsigned number;
    str_printf(&path, "%s/%06u-%d.vtr", folder, number++, (int)pid);
    if (!file_write(path.data, (const char *)&header, sizeof header, &error))
        exit(1);
    str_release(&path);
}

static bool near(double used_ns, unsigned pieces)
{
    return used_ns >= pieces * PIECE_NS - STEP_NS && used_ns < (pieces + 0.5) * PIECE_NS;
}

static void test_which(void)
{
    struct processor_time time = {0};
    struct burner there = start(), no_probes = start(), later = start(), unknown = start();
    processor_time_begin(&time, folder);
    double used_ns = processor_time_used_ns(&time, folder);
    expect(used_ns == 0, "nobody is there", used_ns);
    add(there.pid, 1, TRACE_RUNNING, 1);
    add(no_probes.pid, 1, TRACE_RUNNING, 0);
    let_burn(&there);
    processor_time_begin(&time, folder);
    used_ns = processor_time_used_ns(&time, folder);
    expect(used_ns < STEP_NS, "what was used before does not count", used_ns);
    let_burn(&there);
    used_ns = processor_time_used_ns(&time, folder);
    expect(near(used_ns, 1), "what is used since does", used_ns);
    let_burn(&no_probes);
    let_burn(&unknown);
    used_ns = processor_time_used_ns(&time, folder);
    expect(near(used_ns, 1), "but not of those without probes or trace", used_ns);
    let_burn(&later);
    let_burn(&later);
    add(later.pid, 1, TRACE_RUNNING, 1);
    used_ns = processor_time_used_ns(&time, folder);
    expect(near(used_ns, 3), "one that came later counts whole", used_ns);
    end(&later);
    used_ns = processor_time_used_ns(&time, folder);
    expect(near(used_ns, 1), "one that is gone does not", used_ns);
    end(&there);
    used_ns = processor_time_used_ns(&time, folder);
    expect(used_ns == 0, "nobody is there any more", used_ns);
    end(&no_probes);
    end(&unknown);
    processor_time_release(&time);
}

/* This process is the parent, and waits. */
static void test_children(void)
{
    struct processor_time time = {0};
    struct burner child = start();
    add(getpid(), 1, TRACE_RUNNING, 1);
    add(child.pid, getpid(), TRACE_RUNNING, 1);
    let_burn(&child);
    let_burn(&child);
    processor_time_begin(&time, folder);
    let_burn(&child);
    double used_ns = processor_time_used_ns(&time, folder);
    expect(near(used_ns, 1), "the child's", used_ns);
    end(&child);
    used_ns = processor_time_used_ns(&time, folder);
    expect(near(used_ns, 1), "the same when it was waited for", used_ns);
    child = start();
    let_burn(&child);
    end(&child);
    used_ns = processor_time_used_ns(&time, folder);
    expect(near(used_ns, 2), "and of one that came and went", used_ns);
    processor_time_release(&time);
}

int main(void)
{
    struct error error;
    if (!mkdtemp(folder))
        return 1;
    test_which();
    test_children();
    file_remove_tree(folder, &error);
    return failed != 0;
}
