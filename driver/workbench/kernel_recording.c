#include "driver/workbench/kernel_recording.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "driver/cli/talk.h"
#include "sampler/sampler.h"

/* The same as a process's trace has. */
#define USUAL_CAP_BYTES (UINT64_C(4) << 30)
#define ENDLESS_CAP_BYTES (UINT64_C(256) << 20)
/* Of all processors, what recording may take unless all of it is asked for (chosen). */
#define SHARE 0.02
/* Some 125,000 events: what is short, a test or a few hundred requests, is seen whole. A server that
 * is looked at for a quarter of a minute loses less than 1 % by that. */
#define FREE_NS UINT64_C(250000000)

const char *const kernel_modes[] = {"off", "auto", "on", NULL}; /* enum kernel_mode */

enum kernel_mode kernel_mode_of(const char *name)
{
    for (int i = 0; name && kernel_modes[i]; i++)
        if (strcmp(kernel_modes[i], name) == 0)
            return (enum kernel_mode)i;
    return KERNEL_OFF;
}

/* The recorder's thread must take no signal: one that comes interrupts the wait for the program. */
static struct sampler *start_sampler(const struct sampler_options *options, struct error *error)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct sampler *sampler = sampler_start(options, error);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return sampler;
}

static uint64_t cap_bytes(bool endless)
{
    const char *cap = getenv("VPROF_TRACE_CAP_BYTES");
    uint64_t bytes = cap ? strtoull(cap, NULL, 0) : 0;
    return bytes ? bytes : endless ? ENDLESS_CAP_BYTES : USUAL_CAP_BYTES;
}

/* Why it is not all is told by who could not record it, with what is therefore unknown. */
static void talk_watched(enum trace_watched watched, const char *missing, const char *cure)
{
    static const char *const lines[] = {
        [TRACE_WATCHED_NOTHING] = "nothing of its scheduler is recorded",
        [TRACE_WATCHED_ALL] =
            "who had each processor, who woke whom and what the disks did is recorded",
        [TRACE_WATCHED_OWN] = "when the program's threads had no processor is recorded",
        [TRACE_WATCHED_TOTALS] =
            "how long the program's threads waited for a processor in all is recorded"};
    if (*missing)
        talk("kernel: %s; %s %s", lines[watched], missing, cure);
    else
        talk("kernel: %s", lines[watched]);
}

/* Rounds are recorded alike, and it is said once. */
static void talk_once(const struct sampler *sampler, bool wants_points)
{
    static int said = -1;
    enum trace_watched watched = sampler_watched(sampler);
    if (said == (int)watched && (!wants_points || sampler_has_points(sampler)))
        return;
    said = (int)watched;
    talk_watched(watched, sampler_missing(sampler), sampler_cure(sampler));
}

void kernel_recording_start(struct kernel_recording *recording, struct kernel_wish wish,
                            const char *directory)
{
    struct error error;
    recording->sampler = NULL;
    if (wish.mode == KERNEL_OFF)
        return;
    recording->sampler =
        start_sampler(&(struct sampler_options){.directory = directory,
                                                .most_bytes = cap_bytes(wish.endless),
                                                .share = wish.mode == KERNEL_ON ? 0 : SHARE,
                                                .free_ns = FREE_NS,
                                                .stacks = wish.stacks,
                                                .points = wish.points},
                      &error);
    if (recording->sampler)
        talk_once(recording->sampler, wish.points != NULL);
    else
        talk("kernel: nothing of its scheduler is recorded: %s", error.message);
}

bool kernel_recording_watch(struct kernel_recording *recording, pid_t pid)
{
    return !recording->sampler || sampler_watch(recording->sampler, pid);
}

void kernel_recording_stop(struct kernel_recording *recording)
{
    struct sampler_report report;
    struct error error;
    if (recording->sampler && !sampler_stop(recording->sampler, &report, &error))
        talk("kernel: what was recorded of its scheduler is not whole: %s", error.message);
    recording->sampler = NULL;
}

/* ---- what is allowed ---- */

static bool try_in(struct kernel_trial *trial, const char *folder, struct error *error)
{
    struct sampler_report report;
    struct sampler *sampler = start_sampler(&(struct sampler_options){.directory = folder}, error);
    if (!sampler)
        return false;
    trial->watched = sampler_watched(sampler);
    str_append(&trial->missing, sampler_missing(sampler));
    str_append(&trial->cure, sampler_cure(sampler));
    return sampler_stop(sampler, &report, error);
}

bool kernel_trial_make(struct kernel_trial *trial, struct error *error)
{
    struct str folder = {0};
    struct error ignored;
    *trial = (struct kernel_trial){.watched = TRACE_WATCHED_NOTHING};
    bool ok = file_make_temporary(&folder, error) && try_in(trial, folder.data, error);
    if (folder.length)
        file_remove_tree(folder.data, &ignored);
    str_release(&folder);
    return ok;
}

void kernel_trial_release(struct kernel_trial *trial)
{
    str_release(&trial->missing);
    str_release(&trial->cure);
}

bool kernel_recording_require(enum kernel_mode mode, struct error *error)
{
    struct kernel_trial trial;
    if (mode != KERNEL_ON)
        return true;
    bool ok = kernel_trial_make(&trial, error);
    bool may = ok && (trial.watched == TRACE_WATCHED_ALL || trial.watched == TRACE_WATCHED_OWN);
    if (ok && !may)
        error_set(error, ERROR_SYSTEM,
                  "--kernel on: no switch of a thread may be recorded here; %s %s\n--kernel auto "
                  "records what it may.",
                  str_text(&trial.missing), str_text(&trial.cure));
    kernel_trial_release(&trial);
    return may;
}
