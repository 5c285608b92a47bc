#include "driver/cli/live_line.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { REDRAW_MS = 250, LONGEST = 256 };

static pthread_mutex_t lock_ = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended_ = PTHREAD_COND_INITIALIZER;
static pthread_t drawer_;
static bool running_, started_;
static char phase_[LONGEST / 2], best_[LONGEST / 2];
static double start_s_, phase_start_s_;

bool live_line_possible(void)
{
    const char *terminal = getenv("TERM");
    return isatty(2) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

static void write_all(const char *text, size_t length)
{
    while (length > 0) {
        ssize_t put = write(2, text, length);
        if (put <= 0)
            return;
        text += put;
        length -= (size_t)put;
    }
}

/* The last column stays free: some terminals break the line there. */
static size_t fit(const char *text, size_t length)
{
    struct winsize size;
    size_t columns = ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col : 80;
    if (length < columns)
        return length;
    length = columns - 1;
    while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
        length--;
    return length;
}

/* The caller holds the lock. */
static void draw(void)
{
    static const char begin[] = "\r", end[] = "\033[K";
    char line[2 * LONGEST], all[2 * LONGEST + 8];
    double now = clock_s();
    long whole = (long)(now - start_s_), part = (long)(now - phase_start_s_);
    int length =
        snprintf(line, sizeof line, "%s  %ld:%02ld, in all %ld:%02ld%s%s", phase_, part / 60,
                 part % 60, whole / 60, whole % 60, *best_ ? "  so far: " : "", best_);
    length =
        snprintf(all, sizeof all, "%s%.*s%s", begin, (int)fit(line, (size_t)length), line, end);
    write_all(all, (size_t)length);
}

static void *draw_again_and_again(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock_);
    while (running_) {
        if (*phase_)
            draw();
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += REDRAW_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&ended_, &lock_, &until);
    }
    pthread_mutex_unlock(&lock_);
    return NULL;
}

/* The signals that end a command of the user's are for the thread that waits for it. */
static void start(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    running_ = pthread_create(&drawer_, NULL, draw_again_and_again, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!started_)
        start_s_ = clock_s();
    started_ = true;
}

void live_line_set(const char *phase)
{
    pthread_mutex_lock(&lock_);
    snprintf(phase_, sizeof phase_, "%s", phase);
    if (!running_)
        start();
    phase_start_s_ = clock_s();
    draw();
    pthread_mutex_unlock(&lock_);
}

void live_line_note(const char *best)
{
    pthread_mutex_lock(&lock_);
    snprintf(best_, sizeof best_, "%s", best);
    pthread_mutex_unlock(&lock_);
}

void live_line_clear(void)
{
    pthread_mutex_lock(&lock_);
    if (running_)
        write_all("\r\033[K", 4);
    pthread_mutex_unlock(&lock_);
}

void live_line_end(void)
{
    pthread_mutex_lock(&lock_);
    bool was_running = running_;
    running_ = false;
    phase_[0] = '\0';
    if (was_running)
        write_all("\r\033[K", 4);
    pthread_cond_signal(&ended_);
    pthread_mutex_unlock(&lock_);
    if (was_running)
        pthread_join(drawer_, NULL);
}
