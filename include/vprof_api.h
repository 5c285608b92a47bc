/* vprof_api.h - mark the semantic intervals of a program for vprofiler.
 *
 *     void handle(struct request *r)
 *     {
 *         SI_BEGIN(r);            the request starts; this thread works for it
 *         push(queue, r);
 *         SI_ENTER(SI_NONE);      this thread goes on with other things
 *     }
 *     void worker(struct request *r)
 *     {
 *         SI_ENTER(r);            from here this thread works for it
 *         ...
 *         SI_END(r);              the request is complete
 *     }
 *
 * This file is all a program needs: no library, no link flag, any C from C89 and any C++ from
 * C++98, gcc or clang. Where no vprofiler runtime is loaded each mark costs one predicted branch;
 * compiled with -DVPROF_DISABLE it is nothing at all.
 *
 * An id is any integer or pointer; it names an interval within one process. It may be used again
 * after its SI_END: each SI_BEGIN starts a new instance.
 *
 * Legal everywhere: in signal handlers (the marks take no lock, allocate nothing and keep errno),
 * before main and in destructors (marks made while no runtime is attached are ignored), after fork
 * (the child's marks go to a log of its own), on any thread.
 *
 * The runtime finds the program through an ELF note in each linked object; the note points at the
 * object's table of hooks, which the runtime fills in.
 *
 * SPDX-License-Identifier: 0BSD
 * Copy this file into your own tree as you like.
 */
#ifndef VPROF_API_H
#define VPROF_API_H

#if !defined(VPROF_DISABLE) && defined(__GNUC__) && defined(__ELF__)

/* core begins */
#ifndef VPROF_CORE_1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-macros"
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#endif
#define VPROF_CORE_1
#ifdef __cplusplus
extern "C" {
#endif
struct vprof_frame_1 {
    unsigned long start;  /* clock ticks at entry; 0: the runtime was not attached then */
    unsigned long object; /* callee of an indirect call, or the object waited for; else 0 */
    unsigned id;          /* probe */
    unsigned spare;
};
/* Every pointer is null until a runtime attaches. `site` is a probe id, 0 where there is none. */
struct vprof_hooks_1 {
    unsigned long size; /* of this struct, as this object was compiled */
    void (*mark)(unsigned what, unsigned long id, const char *name, long value);
    void (*task)(unsigned what, unsigned site, unsigned long queue, unsigned long task);
    void (*enter)(struct vprof_frame_1 *frame);
    void (*leave)(struct vprof_frame_1 *frame);
    void (*acquire)(struct vprof_frame_1 *frame, unsigned long object);
    void (*acquired)(struct vprof_frame_1 *frame);
    void (*release)(unsigned site, unsigned long object);
    int (*mutex_lock)(unsigned site, void *mutex);
    int (*mutex_timedlock)(unsigned site, void *mutex, const void *abstime);
    int (*mutex_unlock)(unsigned site, void *mutex);
    int (*cond_wait)(unsigned site, void *cond, void *mutex);
    int (*cond_timedwait)(unsigned site, void *cond, void *mutex, const void *abstime);
    int (*cond_signal)(unsigned site, void *cond);
    int (*cond_broadcast)(unsigned site, void *cond);
    int (*rwlock_rdlock)(unsigned site, void *rwlock);
    int (*rwlock_wrlock)(unsigned site, void *rwlock);
    int (*rwlock_timedrdlock)(unsigned site, void *rwlock, const void *abstime);
    int (*rwlock_timedwrlock)(unsigned site, void *rwlock, const void *abstime);
    int (*rwlock_unlock)(unsigned site, void *rwlock);
    int (*sem_wait)(unsigned site, void *sem);
    int (*sem_timedwait)(unsigned site, void *sem, const void *abstime);
    int (*sem_post)(unsigned site, void *sem);
    int (*barrier_wait)(unsigned site, void *barrier);
    int (*thread_create)(unsigned site, void *thread, const void *attr, void *(*start)(void *),
                         void *arg);
    int (*thread_join)(unsigned site, unsigned long thread, void **result);
    /* Later versions only append; an older object's table is shorter, as its size says. */
    int (*mutex_clocklock)(unsigned site, void *mutex, int clock, const void *abstime);
    int (*cond_clockwait)(unsigned site, void *cond, void *mutex, int clock, const void *abstime);
    int (*rwlock_clockrdlock)(unsigned site, void *rwlock, int clock, const void *abstime);
    int (*rwlock_clockwrlock)(unsigned site, void *rwlock, int clock, const void *abstime);
    int (*sem_clockwait)(unsigned site, void *sem, int clock, const void *abstime);
    int (*thread_timedjoin)(unsigned site, unsigned long thread, void **result, const void *abstime);
    int (*thread_clockjoin)(unsigned site, unsigned long thread, void **result, int clock,
                            const void *abstime);
    int (*spin_lock)(unsigned site, volatile void *spin);
    int (*spin_unlock)(unsigned site, volatile void *spin);
    int (*mtx_lock)(unsigned site, void *mtx);
    int (*mtx_timedlock)(unsigned site, void *mtx, const void *abstime);
    int (*mtx_unlock)(unsigned site, void *mtx);
    int (*cnd_wait)(unsigned site, void *cnd, void *mtx);
    int (*cnd_timedwait)(unsigned site, void *cnd, void *mtx, const void *abstime);
    int (*cnd_signal)(unsigned site, void *cnd);
    int (*cnd_broadcast)(unsigned site, void *cnd);
    int (*thrd_create)(unsigned site, void *thread, int (*start)(void *), void *arg);
    int (*thrd_join)(unsigned site, unsigned long thread, int *result);
    int (*sem_op)(unsigned site, int set, void *operations, unsigned long count);
    int (*sem_timedop)(unsigned site, int set, void *operations, unsigned long count,
                       const void *timeout);
    void (*jump)(void);   /* a longjmp is about to be made */
    void (*loaded)(void); /* an object was loaded by dlopen */
    int (*fd_pipe)(unsigned site, int *fds);
    int (*fd_pipe2)(unsigned site, int *fds, int flags);
    int (*fd_event)(unsigned site, unsigned count, int flags);
    int (*fd_socketpair)(unsigned site, int domain, int type, int protocol, int *fds);
    int (*fd_close)(unsigned site, int fd);
    long (*fd_read)(unsigned site, int fd, void *buffer, unsigned long size);
    long (*fd_readv)(unsigned site, int fd, const void *parts, int count);
    long (*fd_recv)(unsigned site, int fd, void *buffer, unsigned long size, int flags);
    int (*eventfd_read)(unsigned site, int fd, void *value);
    long (*fd_write)(unsigned site, int fd, const void *buffer, unsigned long size);
    long (*fd_writev)(unsigned site, int fd, const void *parts, int count);
    long (*fd_send)(unsigned site, int fd, const void *buffer, unsigned long size, int flags);
    int (*eventfd_write)(unsigned site, int fd, unsigned long value);
    int (*fd_poll)(unsigned site, void *set, unsigned long count, int timeout_ms);
    void *(*memory_map)(unsigned site, void *address, unsigned long size, int protection, int flags,
                        int fd, long offset);
    int (*memory_unmap)(unsigned site, void *address, unsigned long size);
    void *(*memory_attach)(unsigned site, int id, const void *address, int flags);
    int (*memory_detach)(unsigned site, const void *address);
    int (*fd_shutdown)(unsigned site, int fd, int how);
    long (*futex)(unsigned site, const long *arguments); /* six, of the system call */
    long (*fd_recvfrom)(unsigned site, int fd, void *buffer, unsigned long size, int flags,
                        void *address, unsigned *length);
    long (*fd_recvmsg)(unsigned site, int fd, void *message, int flags);
    long (*fd_sendto)(unsigned site, int fd, const void *buffer, unsigned long size, int flags,
                      const void *address, unsigned length);
    long (*fd_sendmsg)(unsigned site, int fd, const void *message, int flags);
    int (*fd_ppoll)(unsigned site, void *set, unsigned long count, const void *timeout,
                    const void *signals);
    int (*mutex_trylock)(unsigned site, void *mutex);
    int (*rwlock_tryrdlock)(unsigned site, void *rwlock);
    int (*rwlock_trywrlock)(unsigned site, void *rwlock);
    int (*spin_trylock)(unsigned site, volatile void *spin);
    int (*sem_trywait)(unsigned site, void *sem);
    int (*mtx_trylock)(unsigned site, void *mtx);
    void (*team_wait)(struct vprof_frame_1 *frame, unsigned long team); /* for its other threads */
    void (*team_waited)(struct vprof_frame_1 *frame);
    void (*team_done)(unsigned long team); /* one of its other threads has done its part */
    int (*fd_select)(unsigned site, int count, void *reads, void *writes, void *others,
                     void *timeout);
    int (*fd_pselect)(unsigned site, int count, void *reads, void *writes, void *others,
                      const void *timeout, const void *signals);
    int (*fd_epoll_ctl)(unsigned site, int set, int what, int fd, void *event);
    int (*fd_epoll_wait)(unsigned site, int set, void *events, int most, int timeout_ms);
    int (*fd_epoll_pwait)(unsigned site, int set, void *events, int most, int timeout_ms,
                          const void *signals);
    int (*fd_epoll_pwait2)(unsigned site, int set, void *events, int most, const void *timeout,
                           const void *signals);
    int (*context_swap)(unsigned site, void *from, const void *to);
    int (*context_set)(unsigned site, const void *to);
    void (*jump_to)(const void *buffer); /* a longjmp is about to be made */
    void (*fork_begin)(void);            /* a process is about to be made without fork() */
    void (*fork_end)(int result);        /* 0: in the child */
    int (*fork_clone)(unsigned site, int (*start)(void *), void *stack, int flags, void *argument,
                      const long *more); /* three */
    long (*fork_system)(unsigned site, long number, const long *arguments); /* six */
};
enum vprof_mark_1 {
    VPROF_MARK_BEGIN = 1,
    VPROF_MARK_END = 2,
    VPROF_MARK_ENTER = 3,
    VPROF_MARK_TYPE = 4,
    VPROF_MARK_VALUE = 5,
    VPROF_MARK_PROGRESS = 6,
    VPROF_MARK_FALSE_WAKEUP = 7,
    VPROF_MARK_SPIN_BEGIN = 8,
    VPROF_MARK_SPIN_END = 9,
    VPROF_MARK_ACQUIRE = 10,
    VPROF_MARK_RELEASE = 11
};
enum vprof_task_1 { VPROF_TASK_ENQUEUE = 1, VPROF_TASK_DEQUEUE = 2 };
/* The part of the runtime's state of a thread by which the probes of calls write their records
 * themselves. */
struct vprof_call_1 {
    unsigned long start; /* clock ticks at entry */
    unsigned long at;    /* on the stack */
    unsigned long jump;  /* ticks of the first jump since, that may have left it; 0: none */
    unsigned id;         /* probe */
    unsigned target;     /* not 0: it has a target, which the runtime keeps */
};
enum vprof_record_1 {
    VPROF_CALLS_1 = 64, /* deeper ones are not watched */
    VPROF_KIND_1 = 4,   /* of a call's record: its start and kind, its duration and probe */
    VPROF_KIND_BITS_1 = 8,
    VPROF_PROBE_BITS_1 = 24,
    VPROF_DURATION_BITS_1 = 40
};
struct vprof_thread_1 {
    unsigned long cursor; /* bytes from the window's start; a record is taken by a single add */
    unsigned long limit;  /* a record that ends beyond it takes the slow way */
    unsigned char *window;
    int open;             /* records taken and not complete */
    unsigned depth;       /* of calls */
    unsigned long jumped; /* not 0: all is left to the hooks, as after a jump */
    struct vprof_call_1 calls[VPROF_CALLS_1];
};
struct vprof_direct_1 {
    long thread; /* from the thread pointer to the thread's struct; 0: the hooks do it */
    void (*full)(unsigned long taken, unsigned long start, unsigned long duration_probe);
};
#ifndef VPROF_TYPES_ONLY /* the runtime itself has no table */
#if defined(__clang__)
#define VPROF_TABLE_1 __attribute__((weak, used, visibility("hidden")))
#else
#define VPROF_TABLE_1 __attribute__((weak, used, externally_visible, visibility("hidden")))
#endif
extern struct vprof_hooks_1 vprof_hooks_1 __attribute__((visibility("hidden")));
/* Linkers that know linkonce keep one of the files' tables, others all: among the program's data. */
VPROF_TABLE_1 __attribute__((section(".gnu.linkonce.d.vprof_hooks_1")))
struct vprof_hooks_1 vprof_hooks_1 = {
    sizeof(struct vprof_hooks_1),
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
/* Assembly at file level, where it names no section, goes to that of what stands before it, unless the
 * compiler puts all of it first: to .text where nothing does. A function there brings it back; a
 * directive would do so behind the compiler's back, and the next variable would follow it. */
#ifdef __clang__
#define VPROF_BACK_1(name) extern int name;
#else
#define VPROF_BACK_1(name)                                                                         \
    __attribute__((weak, used, visibility("hidden"), section(".text"), no_instrument_function))    \
    void name(void);                                                                               \
    void name(void)                                                                                \
    {                                                                                              \
    }
#endif
VPROF_BACK_1(vprof_back_1)
#endif
#ifdef __cplusplus
}
#endif
#ifndef VPROF_TYPES_ONLY
/* An ELF note, owner "vprof", type 1, whose 8 bytes are the distance to the table. */
__asm__(".pushsection .note.vprof,\"a\",%note\n\t.balign 4\n\t.long 6,8,1\n\t.asciz \"vprof\"\n\t"
        ".balign 4\n\t.quad vprof_hooks_1-.\n\t.popsection");
#endif
#define VPROF_HOOK_1(name) __atomic_load_n(&vprof_hooks_1.name, __ATOMIC_ACQUIRE)
#define VPROF_ON_1(name) __builtin_expect(!!VPROF_HOOK_1(name), 0)
#pragma GCC diagnostic pop
#endif
/* core ends */

#ifdef __cplusplus
extern "C++" {
template <class T> inline unsigned long vprof_id_(T *id)
{
    return reinterpret_cast<unsigned long>(id);
}
template <class T> inline unsigned long vprof_id_(T id)
{
    return static_cast<unsigned long>(id);
}
}
#define VPROF_LONG_(n) static_cast<long>(n)
#else
#define vprof_id_(id) ((unsigned long)(id))
#define VPROF_LONG_(n) ((long)(n))
#endif

#define VPROF_MARK_(what, id, name, value)                                                         \
    do {                                                                                           \
        if (VPROF_ON_1(mark))                                                                      \
            VPROF_HOOK_1(mark)(what, vprof_id_(id), name, value);                                  \
    } while (0)
#define VPROF_TASK_(what, queue, task_)                                                            \
    do {                                                                                           \
        if (VPROF_ON_1(task))                                                                      \
            VPROF_HOOK_1(task)(what, 0, vprof_id_(queue), vprof_id_(task_));                       \
    } while (0)

#else /* disabled, or a compiler without the GNU extensions: arguments are not evaluated */

#define vprof_id_(id) 0
#define VPROF_LONG_(n) 0
#define VPROF_MARK_(what, id, name, value)                                                         \
    do {                                                                                           \
    } while (0)
#define VPROF_TASK_(what, queue, task_)                                                            \
    do {                                                                                           \
    } while (0)

#endif

/* SI_NONE is the id of no interval. */
#define SI_NONE (~0UL)

/* Interval `id` starts now; the calling thread works for it from here. */
#define SI_BEGIN(id) VPROF_MARK_(VPROF_MARK_BEGIN, id, "", 0)
/* Interval `id` starts, with a type: a string that tells its kind (35 bytes are kept). */
#define SI_BEGIN_AS(id, type) VPROF_MARK_(VPROF_MARK_BEGIN, id, type, 0)
/* Interval `id` is complete; the calling thread stops working for it. */
#define SI_END(id) VPROF_MARK_(VPROF_MARK_END, id, "", 0)
/* The calling thread works for `id` from here; SI_NONE: for nobody. */
#define SI_ENTER(id) VPROF_MARK_(VPROF_MARK_ENTER, id, "", 0)
/* The calling thread is done with what it works for, which another one may go on with. */
#define VPROF_LEAVE() SI_ENTER(SI_NONE)
/* The type of `id` may be known only after its SI_BEGIN. */
#define SI_TYPE(id, type) VPROF_MARK_(VPROF_MARK_TYPE, id, type, 0)
/* Interval `id` is so much work: rows, bytes, keys (a long; 35 bytes of the name are kept). */
#define SI_VALUE(id, name, n) VPROF_MARK_(VPROF_MARK_VALUE, id, name, VPROF_LONG_(n))

/* A task goes into a queue, just before it can be seen there; a task was taken out of it.
 * `task` is any integer or pointer that both ends know it by. */
#define VPROF_ENQUEUE(queue, task) VPROF_TASK_(VPROF_TASK_ENQUEUE, queue, task)
#define VPROF_DEQUEUE(queue, task) VPROF_TASK_(VPROF_TASK_DEQUEUE, queue, task)

/* Synchronization that is not a function. The calling thread waits for `object` between SPIN_BEGIN
 * and SPIN_END, took it at ACQUIRE, and is about to let others have it at RELEASE. */
#define VPROF_SPIN_BEGIN(object) VPROF_MARK_(VPROF_MARK_SPIN_BEGIN, object, "", 0)
#define VPROF_SPIN_END(object) VPROF_MARK_(VPROF_MARK_SPIN_END, object, "", 0)
#define VPROF_ACQUIRE(object) VPROF_MARK_(VPROF_MARK_ACQUIRE, object, "", 0)
#define VPROF_RELEASE(object) VPROF_MARK_(VPROF_MARK_RELEASE, object, "", 0)

/* The calling thread was woken, found nothing to do and waits again: for its latest wait, too, is to
 * blame who ends the next one for the same. */
#define VPROF_FALSE_WAKEUP() VPROF_MARK_(VPROF_MARK_FALSE_WAKEUP, 0UL, "", 0)
/* A unit of work was completed. */
#define VPROF_PROGRESS(name) VPROF_MARK_(VPROF_MARK_PROGRESS, 0UL, name, 0)

#endif
