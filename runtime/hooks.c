#include "runtime/hooks.h"

#include <errno.h>
#include <stdbool.h>

#include "runtime/attach.h"
#include "runtime/clock.h"
#include "runtime/contexts.h"
#include "runtime/frames.h"
#include "runtime/jump_target.h"
#include "runtime/jumps.h"
#include "runtime/log.h"
#include "runtime/marks.h"
#include "runtime/raw_fork.h"
#include "runtime/remap.h"
#include "runtime/sites.h"
#include "runtime/stacks.h"
#include "runtime/thread.h"
#include "runtime/trace_file.h"
#include "runtime/wait.h"
#include "runtime/wait_c11.h"
#include "runtime/wait_channel.h"
#include "runtime/wait_futex.h"
#include "runtime/wait_ready.h"
#include "runtime/wait_sysv.h"

#define UNLIKELY(e) __builtin_expect(!!(e), 0)
#define UNRECORDED 1 /* of `start`: a time that no call begins at */
#define SPINS_MAX 4  /* waits for user objects that may be open at once on a thread */

/* A start of 0 means "not attached", so the clock's 0 becomes 1. */
static uint64_t ticks_not_zero(void)
{
    uint64_t now = clock_now();
    return now + (now == 0);
}

/* In an experiment a call may have no record, and be the target. */
static bool delayed_enter(const struct vprof_frame_1 *frame)
{
    unsigned role = sites_role(frame->id);
    if (role & TRACE_PROBE_PROGRESS)
        marks_progress("", frame->id);
    if (role & TRACE_PROBE_TARGET)
        delay_enter((uintptr_t)frame);
    return role & TRACE_PROBE_RECORDED;
}

/* The result is false where the call has no record. */
static bool delayed_leave(const struct vprof_frame_1 *frame)
{
    if (sites_role(frame->id) & TRACE_PROBE_TARGET)
        delay_leave();
    return frame->start != UNRECORDED;
}

/* A call's timer is started again after an argument that itself calls. */
static __attribute__((noinline)) void enter_slow(struct vprof_frame_1 *frame)
{
    struct open_call before;
    if (delay_is_on() && !delayed_enter(frame)) {
        frame->start = UNRECORDED;
        return;
    }
    if (STACKS_LOOK())
        frames_arrive((uintptr_t)frame, frame->id);
    if (log_self.moving) {
        frame->start = 0; /* not entered */
        trace_file_lost(1);
        return;
    }
    if (frame->start)
        jumps_settle(frame, ticks_not_zero(), &before);
    if (frames_any_jump())
        jumps_entered((uintptr_t)__builtin_frame_address(0), (uintptr_t)frame, frame->id);
    frame->start = ticks_not_zero();
    frames_push(frame, frame->start, frame->id);
}

static inline bool is_here(void)
{
    return stacks_is_here((uintptr_t)__builtin_frame_address(0));
}

/* The rare case here, as in hook_leave(), is a tail call: nothing outlives it, so the common case
 * saves no registers. */
static void hook_enter(struct vprof_frame_1 *frame)
{
    uint64_t now;
    if (UNLIKELY(delay_is_on() || frame->start || log_self.direct.jumped || !is_here() ||
                 !clock_read(&now) || now == 0)) {
        enter_slow(frame);
        return;
    }
    frames_push(frame, now, frame->id);
    frame->start = now;
}

static bool is_long(const struct vprof_frame_1 *frame, uint64_t duration)
{
    return frame->object | duration >> 40 | frame->id >> TRACE_PROBE_BITS;
}

static inline __attribute__((always_inline)) void leave_at(const struct vprof_frame_1 *frame,
                                                           uint64_t duration)
{
    uint64_t at = log_begin(sizeof(struct trace_function));
    uint64_t duration_probe = duration << TRACE_PROBE_BITS | frame->id;
    if (!log_has_room(at, sizeof(struct trace_function))) {
        log_function_slow(at, frame->start, duration_probe);
        return;
    }
    log_function((void *)(log_self.direct.window + at), frame->start, duration_probe);
}

/* A `now` of 0 is still to be read. */
static __attribute__((noinline)) void leave_slow(struct vprof_frame_1 *frame, uint64_t now)
{
    struct open_call call;
    now = now ? now : clock_now();
    STACKS_LOOK();
    if (log_self.moving) {
        trace_file_lost(1);
        return;
    }
    jumps_settle(frame, now, &call);
    uint64_t duration = now - call.call.start;
    if (frame->object) {
        call.call.target |= CALL_TARGET;
        call.target = frame->object;
    }
    if (call.call.target || is_long(frame, duration))
        frames_record(&call, now, TRACE_RETURNED);
    else
        leave_at(frame, duration);
}

static void hook_leave(struct vprof_frame_1 *frame)
{
    if (delay_is_on() && !delayed_leave(frame))
        return;
    uint64_t now;
    bool ok = clock_read(&now);
    uint64_t duration = now - frame->start;
    if (UNLIKELY(!ok || !frames_is_innermost(frame->start) || is_long(frame, duration))) {
        leave_slow(frame, now);
        return;
    }
    log_self.direct.depth--;
    leave_at(frame, duration);
}

static void hook_loaded(void)
{
    int error = errno;
    attach_scan();
    errno = error;
}

static void hook_jump(void)
{
    jumps_made(ticks_not_zero(), 0);
}

static void hook_jump_to(const void *where)
{
    jumps_made(ticks_not_zero(), jump_target(where));
}

/* The thread may wait for `object` from here on. */
static void hook_acquire(struct vprof_frame_1 *frame, unsigned long object)
{
    if (frame->start || sites_resting())
        return;
    frame->object = object;
    waiters_add(object);
    frame->start = ticks_not_zero();
}

static void hook_acquired(struct vprof_frame_1 *frame)
{
    struct wait w = {frame->id, TRACE_OP_USER, frame->object, frame->start, TRACE_ENDING_TOOK, 1};
    wait_end_taking(&w);
}

static void hook_release(unsigned site, unsigned long object)
{
    wait_release(site, object, TRACE_OP_USER, TRACE_RELEASE_ONE);
}

static __thread struct wait spins[SPINS_MAX] __attribute__((tls_model("initial-exec")));

static void spin_begin(unsigned long object)
{
    for (unsigned i = 0; i < SPINS_MAX; i++)
        if (spins[i].start == 0) {
            spins[i].operation = TRACE_OP_SPIN;
            spins[i].object = object;
            spins[i].start = ticks_not_zero();
            waiters_add(object);
            return;
        }
}

static void spin_end(unsigned long object)
{
    for (unsigned i = 0; i < SPINS_MAX; i++)
        if (spins[i].start != 0 && spins[i].object == object) {
            wait_end_taking(&spins[i]);
            spins[i].start = 0;
            return;
        }
}

static void hook_mark(unsigned what, unsigned long id, const char *name, long value)
{
    const char *text = name ? name : "";
    sites_check();
    STACKS_LOOK();
    if (sites_resting() && what != VPROF_MARK_SPIN_END)
        return;
    switch (what) {
    case VPROF_MARK_BEGIN:
        marks_plain(what, id);
        if (*text)
            marks_named(VPROF_MARK_TYPE, id, text, 0);
        break;
    case VPROF_MARK_TYPE:
    case VPROF_MARK_VALUE:
        marks_named(what, id, text, value);
        break;
    case VPROF_MARK_PROGRESS:
        marks_progress(text, 0);
        break;
    case VPROF_MARK_SPIN_BEGIN:
        spin_begin(id);
        break;
    case VPROF_MARK_SPIN_END:
        spin_end(id);
        break;
    case VPROF_MARK_RELEASE:
        wait_release(0, id, TRACE_OP_SPIN, TRACE_RELEASE_ONE);
        break;
    default:
        marks_plain(what, id);
    }
}

static void hook_task(unsigned what, unsigned site, unsigned long queue, unsigned long task)
{
    sites_check();
    STACKS_LOOK();
    struct trace_task *r = sites_resting() ? NULL : log_reserve(sizeof *r);
    if (!r)
        return;
    r->queue = queue;
    r->task = task;
    r->site = site;
    r->what = what;
    log_commit(&r->head, clock_now(), TRACE_TASK);
}

#if defined(__x86_64__) && defined(__LP64__)
_Static_assert((1ul << VPROF_KIND_BITS_1 | VPROF_KIND_1) == TRACE_HEAD(1, TRACE_FUNCTION) &&
                   VPROF_PROBE_BITS_1 == TRACE_PROBE_BITS && sizeof(struct trace_function) == 16,
               "probes write a call's record as the format has it");

void hooks_give(struct vprof_direct_1 *direct)
{
    char *thread;
    if (clock_kind != TRACE_CLOCK_TSC || direct->full || delay_is_on())
        return;
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    direct->full = log_function_slow;
    __atomic_store_n(&direct->thread, (char *)&log_self.direct - thread, __ATOMIC_RELEASE);
}
#else
void hooks_give(struct vprof_direct_1 *direct)
{
    (void)direct;
}
#endif

const struct vprof_hooks_1 hooks_table = {
    .size = sizeof(struct vprof_hooks_1),
    .mark = hook_mark,
    .task = hook_task,
    .enter = hook_enter,
    .leave = hook_leave,
    .acquire = hook_acquire,
    .acquired = hook_acquired,
    .release = hook_release,
    .mutex_lock = wait_mutex_lock,
    .mutex_timedlock = wait_mutex_timedlock,
    .mutex_unlock = wait_mutex_unlock,
    .cond_wait = wait_cond_wait,
    .cond_timedwait = wait_cond_timedwait,
    .cond_signal = wait_cond_signal,
    .cond_broadcast = wait_cond_broadcast,
    .rwlock_rdlock = wait_rwlock_rdlock,
    .rwlock_wrlock = wait_rwlock_wrlock,
    .rwlock_timedrdlock = wait_rwlock_timedrdlock,
    .rwlock_timedwrlock = wait_rwlock_timedwrlock,
    .rwlock_unlock = wait_rwlock_unlock,
    .sem_wait = wait_sem_wait,
    .sem_timedwait = wait_sem_timedwait,
    .sem_post = wait_sem_post,
    .barrier_wait = wait_barrier_wait,
    .thread_create = thread_create,
    .thread_join = thread_join,
    .mutex_clocklock = wait_mutex_clocklock,
    .cond_clockwait = wait_cond_clockwait,
    .rwlock_clockrdlock = wait_rwlock_clockrdlock,
    .rwlock_clockwrlock = wait_rwlock_clockwrlock,
    .sem_clockwait = wait_sem_clockwait,
    .thread_timedjoin = thread_timedjoin,
    .thread_clockjoin = thread_clockjoin,
    .spin_lock = wait_spin_lock,
    .spin_unlock = wait_spin_unlock,
    .mtx_lock = wait_mtx_lock,
    .mtx_timedlock = wait_mtx_timedlock,
    .mtx_unlock = wait_mtx_unlock,
    .cnd_wait = wait_cnd_wait,
    .cnd_timedwait = wait_cnd_timedwait,
    .cnd_signal = wait_cnd_signal,
    .cnd_broadcast = wait_cnd_broadcast,
    .thrd_create = thread_create_c11,
    .thrd_join = thread_join_c11,
    .sem_op = wait_sem_op,
    .sem_timedop = wait_sem_timedop,
    .jump = hook_jump,
    .loaded = hook_loaded,
    .fd_pipe = wait_pipe,
    .fd_pipe2 = wait_pipe2,
    .fd_event = wait_eventfd,
    .fd_socketpair = wait_socketpair,
    .fd_close = wait_close,
    .fd_read = wait_read,
    .fd_readv = wait_readv,
    .fd_recv = wait_recv,
    .eventfd_read = wait_eventfd_read,
    .fd_write = wait_write,
    .fd_writev = wait_writev,
    .fd_send = wait_send,
    .eventfd_write = wait_eventfd_write,
    .fd_poll = wait_poll,
    .memory_map = remap_mmap,
    .memory_unmap = remap_munmap,
    .memory_attach = remap_shmat,
    .memory_detach = remap_shmdt,
    .fd_shutdown = wait_shutdown,
    .futex = wait_futex,
    .fd_recvfrom = wait_recvfrom,
    .fd_recvmsg = wait_recvmsg,
    .fd_sendto = wait_sendto,
    .fd_sendmsg = wait_sendmsg,
    .fd_ppoll = wait_ppoll,
    .mutex_trylock = wait_mutex_trylock,
    .rwlock_tryrdlock = wait_rwlock_tryrdlock,
    .rwlock_trywrlock = wait_rwlock_trywrlock,
    .spin_trylock = wait_spin_trylock,
    .sem_trywait = wait_sem_trywait,
    .mtx_trylock = wait_mtx_trylock,
    .team_wait = hook_acquire,
    .team_waited = wait_team_waited,
    .team_done = wait_team_done,
    .fd_select = wait_select,
    .fd_pselect = wait_pselect,
    .fd_epoll_ctl = wait_epoll_ctl,
    .fd_epoll_wait = wait_epoll_wait,
    .fd_epoll_pwait = wait_epoll_pwait,
    .fd_epoll_pwait2 = wait_epoll_pwait2,
    .context_swap = contexts_swap,
    .context_set = contexts_set,
    .jump_to = hook_jump_to,
    .fork_begin = raw_fork_begin,
    .fork_end = raw_fork_end,
    .fork_clone = raw_fork_clone,
    .fork_system = raw_fork_system,
};
