#include "driver/workbench/graphviz.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "driver/workbench/process.h"

static void become_dot(int in, int out)
{
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    int none = memfd_create("said", MFD_CLOEXEC);
    dup2(none, STDERR_FILENO);
    execlp("dot", "dot", "-Tjson0", (char *)NULL);
    _exit(STATUS_NOT_FOUND);
}

/* Reads until dot has closed its end; false: it has not in time. */
static bool read_answer(int from, struct str *answer)
{
    char bytes[65536];
    double end = clock_s() + GRAPHVIZ_SECONDS;
    for (;;) {
        struct pollfd readable = {.fd = from, .events = POLLIN};
        double left = end - clock_s();
        if (left <= 0 || poll(&readable, 1, (int)(left * 1000) + 1) <= 0)
            return false;
        ssize_t length = read(from, bytes, sizeof bytes);
        if (length <= 0)
            return length == 0;
        str_append_bytes(answer, bytes, (size_t)length);
    }
}

static int file_of(const char *text)
{
    size_t length = strlen(text);
    int file = memfd_create("graph", MFD_CLOEXEC);
    if (file >= 0 && (write(file, text, length) != (ssize_t)length || lseek(file, 0, SEEK_SET))) {
        close(file);
        return -1;
    }
    return file;
}

static enum graphviz_end ask(int in, struct str *answer)
{
    int ends[2], status = 0;
    if (in < 0 || pipe2(ends, O_CLOEXEC) != 0)
        return GRAPHVIZ_FAILED;
    pid_t dot = fork();
    if (dot == 0)
        become_dot(in, ends[1]);
    close(ends[1]);
    bool whole = dot > 0 && read_answer(ends[0], answer);
    close(ends[0]);
    if (dot <= 0)
        return GRAPHVIZ_FAILED;
    if (!whole)
        kill(dot, SIGKILL);
    if (waitpid(dot, &status, 0) != dot || !whole)
        return GRAPHVIZ_FAILED;
    if (WIFEXITED(status) && WEXITSTATUS(status) == STATUS_NOT_FOUND)
        return GRAPHVIZ_MISSING;
    return status == 0 ? GRAPHVIZ_DONE : GRAPHVIZ_FAILED;
}

enum graphviz_end graphviz_lay_out(const char *graph, struct str *answer)
{
    int in = file_of(graph);
    enum graphviz_end end = ask(in, answer);
    if (in >= 0)
        close(in);
    return end;
}
