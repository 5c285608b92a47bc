/* probe.h - the text that the rewriter puts on top of each file it instruments.
 *
 * It follows the core of include/vprof_api.h (the hook table and its note). The rewriter's own
 * build turns both into one string (tools/embed_preamble.cmake); it is never included by our code.
 *
 * What is injected into the user's functions are uses of these macros only:
 *
 *   int f(int a) {VPROF_FUNCTION(7) ...          prolog; its clean-up is the epilog
 *   __extension__({VPROF_FUNCTION(8) read(fd, b, n);})          a call without a body in the tree
 *   __extension__({VPROF_FUNCTION(9) VPROF_TARGET(9, p->exec)(p);})        an indirect call
 *   vprof_lvalue_1(__extension__({VPROF_FUNCTION(8) __builtin_addressof(v.at(i));}))
 *                                                a call whose result is a reference, in C++
 *   VPROF_APART VPROF_FUNCTION(7)                in a function that is called at very many places of one
 *   __extension__({VPROF_ONE_OF_MANY(8) read(fd, b, n);})      the end is out of line
 *   VPROF_HELD(8).vprof_value_1(name().c_str())   a call in which temporary objects live on, in C++17
 *   read(fd, b, VPROF_RESTART(8, size(b)))       the timer starts after an argument that calls
 *
 * It must compile silently as C89 to C23 and C++98 to C++23 under -Wall -Wextra -Werror -pedantic.
 */
#ifndef VPROF_PROBE_1
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-macros"
#define VPROF_PROBE_1
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunused-template"
#endif
#if __cplusplus >= 201103L
#define VPROF_LET_1(name, e) auto name = (e)
#else
#define VPROF_LET_1(name, e) __typeof__(e) name = (e)
#endif
#define VPROF_ULONG_1(e) vprof_ulong_1(e)
#define VPROF_WORDS_1(p) static_cast<unsigned long *>(static_cast<void *>(p))
extern "C++" {
template <class T> static inline unsigned long vprof_ulong_1(T *p)
{
    return reinterpret_cast<unsigned long>(p);
}
template <class T> static inline unsigned long vprof_ulong_1(T v)
{
    return static_cast<unsigned long>(v);
}
template <class T> static inline T &vprof_lvalue_1(T *p)
{
    return *p;
}
}
extern "C" {
#else
#define VPROF_LET_1(name, e) __auto_type name = (e)
#define VPROF_ULONG_1(e) ((unsigned long)(e))
#define VPROF_WORDS_1(p) ((unsigned long *)(void *)(p))
#endif
#define VPROF_INLINE_1 static __inline__ __attribute__((always_inline, no_instrument_function))
/* One byte for each probe of the program; a runtime lays a file over them that all processes and
 * vprofiler share. 0: off, as it is where no runtime is. */
extern unsigned char vprof_switches_1[] __attribute__((visibility("hidden")));
/* Probes call these, which are one for each linked object: direct calls cost a probe less room and
 * fewer mispredicted branches than an indirect one at each would, and than all of it inline. */
#define VPROF_OUTLINE_1                                                                            \
    __attribute__((weak, noinline, visibility("hidden"), no_instrument_function))
VPROF_OUTLINE_1 void vprof_call_enter_2(struct vprof_frame_1 *frame, unsigned id);
VPROF_OUTLINE_1 void vprof_call_leave_1(struct vprof_frame_1 *frame);
VPROF_INLINE_1 void vprof_hook_enter_1(struct vprof_frame_1 *frame)
{
    void (*const enter)(struct vprof_frame_1 *) = VPROF_HOOK_1(enter);
    if (enter)
        enter(frame);
}
VPROF_INLINE_1 void vprof_hook_leave_1(struct vprof_frame_1 *frame)
{
    void (*const leave)(struct vprof_frame_1 *) = VPROF_HOOK_1(leave);
    if (leave)
        leave(frame);
}
/* Of a frame whose start is 0. */
VPROF_INLINE_1 void vprof_fill_1(struct vprof_frame_1 *frame, unsigned id)
{
    frame->object = 0;
    frame->id = id;
}
#if defined(__x86_64__) && defined(__LP64__)
/* The common case of both hooks, for the clock that is an instruction; all else is left to them.
 * Another note, type 3, points at what this takes from the runtime. */
extern struct vprof_direct_1 vprof_direct_1 __attribute__((visibility("hidden")));
VPROF_TABLE_1 struct vprof_direct_1 vprof_direct_1 = {0, 0};
__asm__(".pushsection .note.vprof,\"a\",%note\n\t.balign 4\n\t.long 6,8,3\n\t.asciz \"vprof\"\n\t"
        ".balign 4\n\t.quad vprof_direct_1-.\n\t.popsection");
VPROF_INLINE_1 struct vprof_thread_1 *vprof_direct_self_1(long distance)
{
    struct vprof_thread_1 *self;
    __asm__("add{q}\t{%%fs:0, %0|%0, QWORD PTR fs:0}" : "=r"(self) : "0"(distance) : "cc");
    return self;
}
VPROF_INLINE_1 int vprof_direct_enter_1(struct vprof_thread_1 *self, struct vprof_frame_1 *frame,
                                        unsigned id)
{
    unsigned long now;
    unsigned depth;
    if (__builtin_expect(self->jumped != 0, 0))
        return 0;
    now = __builtin_ia32_rdtsc();
    depth = self->depth;
    self->depth = depth + 1; /* first: a handler's calls go behind */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(depth < VPROF_CALLS_1, 1)) {
        self->calls[depth].start = now;
        self->calls[depth].at = VPROF_ULONG_1(frame);
        self->calls[depth].jump = 0;
        self->calls[depth].id = id;
    }
    frame->start = now;
    return 1;
}
void vprof_call_enter_2(struct vprof_frame_1 *frame, unsigned id)
{
    const long distance = __atomic_load_n(&vprof_direct_1.thread, __ATOMIC_ACQUIRE);
    vprof_fill_1(frame, id);
    if (__builtin_expect(!distance, 0) ||
        !vprof_direct_enter_1(vprof_direct_self_1(distance), frame, id))
        vprof_hook_enter_1(frame);
}
VPROF_INLINE_1 void vprof_direct_record_1(struct vprof_thread_1 *self, unsigned long start,
                                          unsigned long duration_probe)
{
    unsigned long at = 16, *record;
    self->open++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __asm__ volatile("xadd{q}\t{%0, %1|%1, %0}" : "+r"(at), "+m"(self->cursor) : : "cc");
    if (__builtin_expect(at + 16 > self->limit, 0)) {
        vprof_direct_1.full(at, start, duration_probe);
        return;
    }
    record = VPROF_WORDS_1(self->window + at);
    record[1] = duration_probe;
    __atomic_store_n(record, start << VPROF_KIND_BITS_1 | VPROF_KIND_1, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    self->open--;
}
VPROF_INLINE_1 int vprof_direct_leave_1(struct vprof_thread_1 *self, struct vprof_frame_1 *frame)
{
    const unsigned long start = frame->start;
    const unsigned long duration = __builtin_ia32_rdtsc() - start;
    const unsigned depth = self->depth - 1;
    if (__builtin_expect(self->jumped || depth >= VPROF_CALLS_1 ||
                             self->calls[depth].start != start || frame->object != 0 ||
                             (duration >> VPROF_DURATION_BITS_1 | frame->id >> VPROF_PROBE_BITS_1),
                         0))
        return 0;
    self->depth = depth;
    vprof_direct_record_1(self, start, duration << VPROF_PROBE_BITS_1 | frame->id);
    return 1;
}
void vprof_call_leave_1(struct vprof_frame_1 *frame)
{
    const long distance = __atomic_load_n(&vprof_direct_1.thread, __ATOMIC_ACQUIRE);
    if (__builtin_expect(!distance, 0) ||
        !vprof_direct_leave_1(vprof_direct_self_1(distance), frame))
        vprof_hook_leave_1(frame);
}
#else
void vprof_call_enter_2(struct vprof_frame_1 *frame, unsigned id)
{
    vprof_fill_1(frame, id);
    vprof_hook_enter_1(frame);
}
void vprof_call_leave_1(struct vprof_frame_1 *frame)
{
    vprof_hook_leave_1(frame);
}
#endif
/* Branches are laid out for the probe that is on: off, both are taken. `id` 0 is no probe. The rest of
 * the frame is filled where it is used: each probe's text is shorter by that. The result is for who
 * needs a declaration. */
VPROF_INLINE_1 int vprof_enter_2(struct vprof_frame_1 *frame, unsigned id)
{
    frame->start = 0;
    if (id &&
        __builtin_expect(__atomic_load_n(&vprof_switches_1[id], __ATOMIC_RELAXED) != 0, 1))
        vprof_call_enter_2(frame, id);
    return 0;
}
VPROF_INLINE_1 void vprof_leave_1(struct vprof_frame_1 *frame)
{
    if (__builtin_expect(frame->start != 0, 1))
        vprof_call_leave_1(frame);
}
VPROF_INLINE_1 void vprof_acquire_1(struct vprof_frame_1 *frame, unsigned long object)
{
    if (VPROF_ON_1(acquire))
        VPROF_HOOK_1(acquire)(frame, object);
}
VPROF_INLINE_1 void vprof_acquired_1(struct vprof_frame_1 *frame)
{
    if (__builtin_expect(frame->start != 0, 0))
        VPROF_HOOK_1(acquired)(frame);
}
VPROF_INLINE_1 void vprof_release_1(unsigned site, unsigned long object)
{
    if (VPROF_ON_1(release))
        VPROF_HOOK_1(release)(site, object);
}
VPROF_INLINE_1 void vprof_task_2(unsigned what, unsigned site, unsigned long task)
{
    if (VPROF_ON_1(task))
        VPROF_HOOK_1(task)(what, site, 0, task);
}
VPROF_INLINE_1 void vprof_mark_2(unsigned what, unsigned long id, const char *name)
{
    if (VPROF_ON_1(mark))
        VPROF_HOOK_1(mark)(what, id, name, 0);
}
/* A task that a dequeue function hands out through an argument. */
struct vprof_taken_1 {
    const void *where; /* null: `task` is the task itself */
    unsigned long task;
    unsigned size;
    unsigned site;
};
VPROF_INLINE_1 void vprof_taken_leave_1(struct vprof_taken_1 *taken)
{
    unsigned narrow = 0;
    if (taken->where && taken->size == sizeof taken->task)
        __builtin_memcpy(&taken->task, taken->where, sizeof taken->task);
    if (taken->where && taken->size == sizeof narrow) {
        __builtin_memcpy(&narrow, taken->where, sizeof narrow);
        taken->task = narrow;
    }
    if (taken->task)
        vprof_task_2(VPROF_TASK_DEQUEUE, taken->site, taken->task);
}
/* An interval's mark at a function's exit: `id` is taken at entry. */
struct vprof_exit_1 {
    unsigned what;
    unsigned on;
    unsigned long id;
};
VPROF_INLINE_1 void vprof_exit_mark_1(struct vprof_exit_1 *mark)
{
    if (mark->on)
        vprof_mark_2(mark->what, mark->id, "");
}
#ifdef __cplusplus
}
#endif

/* Follows the preamble, once in a translation unit, with VPROF_SWITCHES_1 the number of bytes, a
 * multiple of the page: nothing else may lie in theirs. Linkers that know linkonce keep one of these;
 * in others the data of different files lie that far apart. The note, type 2, says where they are. */
#define VPROF_TEXT_2(n) #n
#define VPROF_TEXT_1(n) VPROF_TEXT_2(n)
#define VPROF_SWITCH_TABLE_1                                                                       \
    VPROF_TABLE_1 __attribute__((aligned(4096), section(".gnu.linkonce.b.vprof_switches_1")))      \
    unsigned char vprof_switches_1[VPROF_SWITCHES_1];                                              \
    __asm__(".pushsection .note.vprof,\"a\",%note\n\t.balign 4\n\t.long 6,16,2\n\t"                \
            ".asciz \"vprof\"\n\t.balign 4\n\t.quad vprof_switches_1-.\n\t.quad "                 \
            VPROF_TEXT_1(VPROF_SWITCHES_1) "\n\t.popsection");
#define VPROF_FUNCTION(n)                                                                          \
    __attribute__((cleanup(vprof_leave_1))) struct vprof_frame_1 vprof_f_##n;                      \
    __attribute__((unused)) const int vprof_o_##n = vprof_enter_2(&vprof_f_##n, n##u);
#define VPROF_ONE_OF_MANY(n) VPROF_FUNCTION(n)
/* clang does not inline a function where an address in it is taken. */
#ifdef __clang__
#define VPROF_APART                                                                                \
    __attribute__((unused)) const int vprof_apart_1 = (__extension__({                             \
        __label__ vprof_here_1;                                                                    \
    vprof_here_1:                                                                                  \
        __asm__ __volatile__("" : : "i"(&&vprof_here_1));                                          \
        0;                                                                                         \
    }));
#else
#define VPROF_APART
#endif
#define VPROF_MADE_1(l, k) 0u
#define VPROF_FUNCTION_MADE(k)                                                                     \
    __attribute__((cleanup(vprof_leave_1))) struct vprof_frame_1 vprof_f_made;                     \
    __attribute__((unused)) const int vprof_o_made =                                               \
        vprof_enter_2(&vprof_f_made, VPROF_MADE_1(__LINE__, k));
#define VPROF_TARGET(n, fn)                                                                        \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_t_##n, &*(fn));                                                             \
        vprof_f_##n.object = VPROF_ULONG_1(vprof_t_##n);                                           \
        vprof_t_##n;                                                                               \
    }))
#define VPROF_RESTART(n, arg)                                                                      \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_a_##n, arg);                                                            \
        if (vprof_f_##n.start)                                                                     \
            vprof_hook_enter_1(&vprof_f_##n);                                                      \
        vprof_a_##n;                                                                               \
    }))

/* Temporary objects live until the whole expression is over: a call with some is timed by one more, whose
 * place is evaluated before the call since C++17. It ends with the call, or with what the call throws. A file
 * that was parsed in C++17 may be compiled in an older dialect as well, where it is no probe. */
#if defined __cplusplus && __cplusplus >= 201103L
#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wc++98-compat"
#endif
#define VPROF_HELD_INLINE_1 __attribute__((always_inline, no_instrument_function)) inline
#define VPROF_HELD_RESULTS_1                                                                       \
    template <class T> VPROF_HELD_INLINE_1 T vprof_value_1(T v)                                    \
    {                                                                                              \
        vprof_over_1();                                                                            \
        return v;                                                                                  \
    }                                                                                              \
    template <class T> VPROF_HELD_INLINE_1 T &vprof_place_1(T &v)                                  \
    {                                                                                              \
        vprof_over_1();                                                                            \
        return v;                                                                                  \
    }                                                                                              \
    template <class T> VPROF_HELD_INLINE_1 T &&vprof_object_1(T &&v)                               \
    {                                                                                              \
        vprof_over_1();                                                                            \
        return static_cast<T &&>(v);                                                               \
    }
extern "C++" {
struct vprof_held_1 {
    struct vprof_frame_1 frame;
    VPROF_HELD_INLINE_1 explicit vprof_held_1(unsigned id)
    {
        vprof_enter_2(&frame, id);
    }
    VPROF_HELD_INLINE_1 ~vprof_held_1()
    {
        vprof_leave_1(&frame);
    }
    VPROF_HELD_INLINE_1 void vprof_over_1()
    {
        vprof_leave_1(&frame);
        frame.start = 0;
    }
    VPROF_HELD_RESULTS_1
};
}
#pragma GCC diagnostic pop
#if __cplusplus >= 201703L
#define VPROF_HELD(n) vprof_held_1(n##u)
#else
#define VPROF_HELD(n) vprof_held_1(0u)
#endif
#endif

/* The user's own acquire, release, enqueue and dequeue functions: the call is wrapped by ACQUIRE,
 * the argument that is the object or the task by OBJECT, RELEASED or ENQUEUED. */
#define VPROF_ACQUIRING(n)                                                                         \
    __attribute__((cleanup(vprof_acquired_1), unused)) struct vprof_frame_1 vprof_f_##n = {        \
        0, 0, n##u, 0};
#define VPROF_OBJECT(n, arg)                                                                       \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_a_##n, arg);                                                            \
        vprof_acquire_1(&vprof_f_##n, VPROF_ULONG_1(vprof_a_##n));                                 \
        vprof_a_##n;                                                                               \
    }))
#define VPROF_RELEASED(n, arg)                                                                     \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_a_##n, arg);                                                            \
        vprof_release_1(n##u, VPROF_ULONG_1(vprof_a_##n));                                         \
        vprof_a_##n;                                                                               \
    }))
#define VPROF_ENQUEUED(n, arg)                                                                     \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_a_##n, arg);                                                            \
        vprof_task_2(VPROF_TASK_ENQUEUE, n##u, VPROF_ULONG_1(vprof_a_##n));                        \
        vprof_a_##n;                                                                               \
    }))
#define VPROF_DEQUEUED(n, call)                                                                    \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_a_##n, call);                                                           \
        vprof_task_2(VPROF_TASK_DEQUEUE, n##u, VPROF_ULONG_1(vprof_a_##n));                        \
        vprof_a_##n;                                                                               \
    }))
#define VPROF_DEQUEUING(n)                                                                         \
    __attribute__((cleanup(vprof_taken_leave_1), unused)) struct vprof_taken_1 vprof_q_##n = {     \
        0, 0, 0, n##u};
#define VPROF_TAKEN(n, arg)                                                                        \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_a_##n, arg);                                                            \
        vprof_q_##n.task = VPROF_ULONG_1(vprof_a_##n);                                             \
        vprof_a_##n;                                                                               \
    }))
#define VPROF_TAKEN_AT(n, arg)                                                                     \
    (__extension__({                                                                               \
        VPROF_LET_1(vprof_a_##n, arg);                                                            \
        vprof_q_##n.where = vprof_a_##n;                                                           \
        vprof_q_##n.size = (unsigned)sizeof *vprof_a_##n;                                          \
        vprof_a_##n;                                                                               \
    }))

/* The same in the function's definition, at its entry. */
#define VPROF_ENTRY_1(n, e) __attribute__((unused)) const int vprof_e_##n = ((e), 0);
#define VPROF_ACQUIRE_ENTRY(n, object)                                                             \
    VPROF_ACQUIRING(n)                                                                             \
    VPROF_ENTRY_1(n, vprof_acquire_1(&vprof_f_##n, VPROF_ULONG_1(object)))
#define VPROF_RELEASE_ENTRY(n, object)                                                             \
    VPROF_ENTRY_1(n, vprof_release_1(n##u, VPROF_ULONG_1(object)))
#define VPROF_ENQUEUE_ENTRY(n, task)                                                               \
    VPROF_ENTRY_1(n, vprof_task_2(VPROF_TASK_ENQUEUE, n##u, VPROF_ULONG_1(task)))
#define VPROF_DEQUEUE_ENTRY(n, task_)                                                              \
    VPROF_DEQUEUING(n)                                                                             \
    VPROF_ENTRY_1(n, vprof_q_##n.task = VPROF_ULONG_1(task_))
#define VPROF_DEQUEUE_AT_ENTRY(n, task)                                                            \
    VPROF_DEQUEUING(n)                                                                             \
    VPROF_ENTRY_1(n, (vprof_q_##n.size = (unsigned)sizeof *(task), vprof_q_##n.where = (task)))

/* Intervals that the config declares: on a line of a function or at its entry, and at its exit. Their
 * expressions are evaluated only where a runtime is. */
#define VPROF_SI(w, cond, e, type)                                                             \
    do {                                                                                           \
        if (VPROF_ON_1(mark) && (cond))                                                            \
            vprof_mark_2(VPROF_MARK_##w, VPROF_ULONG_1(e), type);                              \
    } while (0);
#define VPROF_SI_ENTRY(n, w, cond, e, type)                                                    \
    __attribute__((unused)) int vprof_s_##n =                                                      \
        (__extension__({ VPROF_SI(w, cond, e, type) 0; }));
#define VPROF_SI_EXIT(n, w, cond, e)                                                           \
    __attribute__((cleanup(vprof_exit_mark_1), unused)) struct vprof_exit_1 vprof_x_##n =          \
        (__extension__({                                                                           \
            struct vprof_exit_1 vprof_m_##n;                                                       \
            vprof_m_##n.what = VPROF_MARK_##w;                                                  \
            vprof_m_##n.on = VPROF_ON_1(mark) && (cond) ? 1u : 0u;                                 \
            vprof_m_##n.id = vprof_m_##n.on ? VPROF_ULONG_1(e) : 0ul;                             \
            vprof_m_##n;                                                                           \
        }));

/* Synchronization calls: `pthread_mutex_lock(m)` becomes
 * `VPROF_SYNC1(7, mutex_lock, pthread_mutex_lock, m)`. Another file of the linked object may have
 * brought an older, shorter table. */
#define VPROF_HAS_1(hook)                                                                          \
    (vprof_hooks_1.size > __builtin_offsetof(struct vprof_hooks_1, hook) &&                        \
     __builtin_expect(VPROF_HOOK_1(hook) != 0, 1))
#define VPROF_SYNC1(n, hook, real, a)                                                              \
    (VPROF_HAS_1(hook) ? VPROF_HOOK_1(hook)(n##u, a) : real(a))
#define VPROF_SYNC2(n, hook, real, a, b)                                                           \
    (VPROF_HAS_1(hook) ? VPROF_HOOK_1(hook)(n##u, a, b) : real(a, b))
#define VPROF_SYNC3(n, hook, real, a, b, c)                                                        \
    (VPROF_HAS_1(hook) ? VPROF_HOOK_1(hook)(n##u, a, b, c) : real(a, b, c))
#define VPROF_SYNC4(n, hook, real, a, b, c, d)                                                     \
    (VPROF_HAS_1(hook) ? VPROF_HOOK_1(hook)(n##u, a, b, c, d) : real(a, b, c, d))
#define VPROF_SYNC5(n, hook, real, a, b, c, d, e)                                                  \
    (VPROF_HAS_1(hook) ? VPROF_HOOK_1(hook)(n##u, a, b, c, d, e) : real(a, b, c, d, e))
#define VPROF_SYNC6(n, hook, real, a, b, c, d, e, f)                                               \
    (VPROF_HAS_1(hook) ? VPROF_HOOK_1(hook)(n##u, a, b, c, d, e, f) : real(a, b, c, d, e, f))

/* All other uses of a synchronization function in a translation unit, in macros and system headers
 * and where its address is taken: a pragma before this gives its name the wrapper's symbol. The
 * runtime itself calls the real one. What a call above falls back on is the wrapper again, and
 * finds the same hook empty. */
#ifdef __cplusplus
#define VPROF_C_1 extern "C"
#else
#define VPROF_C_1 extern
#endif
typedef void *(*vprof_start_1)(void *);
typedef int (*vprof_thrd_start_1)(void *);
/* A wrapper may stand for a member function: the C++ ABI takes a pointer to member that is odd for a
 * virtual one's, so compilers align member functions, whatever they are told of others. */
#define VPROF_WRAPPER_1                                                                            \
    __attribute__((weak, visibility("hidden"), no_instrument_function, aligned(16)))
#define VPROF_REDIRECT1(type, real, hook, A)                                                       \
    VPROF_C_1 type vprof_real_##real##_1(A) __asm__(#real);                                        \
    VPROF_C_1 VPROF_WRAPPER_1 type vprof_##real##_1(A);                                            \
    type vprof_##real##_1(A a)                                                                     \
    {                                                                                              \
        return VPROF_SYNC1(0, hook, vprof_real_##real##_1, a);                                     \
    }
#define VPROF_REDIRECT2(type, real, hook, A, B)                                                    \
    VPROF_C_1 type vprof_real_##real##_1(A, B) __asm__(#real);                                     \
    VPROF_C_1 VPROF_WRAPPER_1 type vprof_##real##_1(A, B);                                         \
    type vprof_##real##_1(A a, B b)                                                                \
    {                                                                                              \
        return VPROF_SYNC2(0, hook, vprof_real_##real##_1, a, b);                                  \
    }
#define VPROF_REDIRECT3(type, real, hook, A, B, C)                                                 \
    VPROF_C_1 type vprof_real_##real##_1(A, B, C) __asm__(#real);                                  \
    VPROF_C_1 VPROF_WRAPPER_1 type vprof_##real##_1(A, B, C);                                      \
    type vprof_##real##_1(A a, B b, C c)                                                           \
    {                                                                                              \
        return VPROF_SYNC3(0, hook, vprof_real_##real##_1, a, b, c);                               \
    }
#define VPROF_REDIRECT4(type, real, hook, A, B, C, D)                                              \
    VPROF_C_1 type vprof_real_##real##_1(A, B, C, D) __asm__(#real);                               \
    VPROF_C_1 VPROF_WRAPPER_1 type vprof_##real##_1(A, B, C, D);                                   \
    type vprof_##real##_1(A a, B b, C c, D d)                                                      \
    {                                                                                              \
        return VPROF_SYNC4(0, hook, vprof_real_##real##_1, a, b, c, d);                            \
    }
#define VPROF_REDIRECT5(type, real, hook, A, B, C, D, E)                                           \
    VPROF_C_1 type vprof_real_##real##_1(A, B, C, D, E) __asm__(#real);                            \
    VPROF_C_1 VPROF_WRAPPER_1 type vprof_##real##_1(A, B, C, D, E);                                \
    type vprof_##real##_1(A a, B b, C c, D d, E e)                                                 \
    {                                                                                              \
        return VPROF_SYNC5(0, hook, vprof_real_##real##_1, a, b, c, d, e);                         \
    }
#define VPROF_REDIRECT6(type, real, hook, A, B, C, D, E, F)                                        \
    VPROF_C_1 type vprof_real_##real##_1(A, B, C, D, E, F) __asm__(#real);                         \
    VPROF_C_1 VPROF_WRAPPER_1 type vprof_##real##_1(A, B, C, D, E, F);                             \
    type vprof_##real##_1(A a, B b, C c, D d, E e, F f)                                            \
    {                                                                                              \
        return VPROF_SYNC6(0, hook, vprof_real_##real##_1, a, b, c, d, e, f);                      \
    }

#define VPROF_REDIRECT_JUMP(real)                                                                  \
    VPROF_C_1 void vprof_real_##real##_1(void *, int) __asm__(#real) __attribute__((noreturn));    \
    VPROF_C_1 VPROF_WRAPPER_1 __attribute__((noreturn)) void vprof_##real##_1(void *, int);        \
    void vprof_##real##_1(void *to, int value)                                                     \
    {                                                                                              \
        if (VPROF_HAS_1(jump_to))                                                                  \
            VPROF_HOOK_1(jump_to)(to);                                                             \
        else if (VPROF_HAS_1(jump))                                                                \
            VPROF_HOOK_1(jump)();                                                                  \
        vprof_real_##real##_1(to, value);                                                          \
    }
/* A process is made that runs no handlers of pthread_atfork(). */
#define VPROF_REDIRECT_FORK(real)                                                                  \
    VPROF_C_1 int vprof_real_##real##_1(void) __asm__(#real);                                      \
    VPROF_C_1 VPROF_WRAPPER_1 int vprof_##real##_1(void);                                          \
    int vprof_##real##_1(void)                                                                     \
    {                                                                                              \
        int result;                                                                                \
        if (VPROF_HAS_1(fork_end))                                                                 \
            VPROF_HOOK_1(fork_begin)();                                                            \
        result = vprof_real_##real##_1();                                                          \
        if (VPROF_HAS_1(fork_end))                                                                 \
            VPROF_HOOK_1(fork_end)(result);                                                        \
        return result;                                                                             \
    }
/* So many arguments behind `last`, whatever they are: those that the caller does not give, too. */
#define VPROF_READ_LONGS_1(to, count, last)                                                        \
    {                                                                                              \
        int i;                                                                                     \
        __builtin_va_list list;                                                                    \
        __builtin_va_start(list, last);                                                            \
        for (i = 0; i < (count); i++)                                                              \
            (to)[i] = __builtin_va_arg(list, long);                                                \
        __builtin_va_end(list);                                                                    \
    }
/* clone() reads its last three arguments whatever the flags are, too. */
#define VPROF_REDIRECT_CLONE(real)                                                                 \
    VPROF_C_1 int vprof_real_##real##_1(int (*)(void *), void *, int, void *, ...) __asm__(#real); \
    VPROF_C_1 VPROF_WRAPPER_1 __attribute__((no_sanitize_address))                                 \
    int vprof_##real##_1(int (*)(void *), void *, int, void *, ...);                               \
    int vprof_##real##_1(int (*start)(void *), void *stack, int flags, void *argument, ...)        \
    {                                                                                              \
        long a[3];                                                                                 \
        VPROF_READ_LONGS_1(a, 3, argument)                                                         \
        if (VPROF_HAS_1(fork_clone))                                                               \
            return VPROF_HOOK_1(fork_clone)(0, start, stack, flags, argument, a);                  \
        return vprof_real_##real##_1(start, stack, flags, argument, a[0], a[1], a[2]);             \
    }
/* The number of the system call futex, where it is known, and of those that make a process. */
#if defined(__x86_64__)
#define VPROF_FUTEX_1 202l
#define VPROF_FORKS_1(number) ((number) == 56 || (number) == 57 || (number) == 435)
#elif defined(__aarch64__) || defined(__riscv)
#define VPROF_FUTEX_1 98l
#define VPROF_FORKS_1(number) ((number) == 220 || (number) == 435)
#else
#define VPROF_FUTEX_1 -1l
#define VPROF_FORKS_1(number) 0
#endif
/* Any system call has six arguments at the most; those that the caller does not give are anything,
 * as they are for the real one: on the stack, of what AddressSanitizer takes for nobody's. */
#define VPROF_REDIRECT_SYSTEM(real)                                                                \
    VPROF_C_1 long vprof_real_##real##_1(long, ...) __asm__(#real);                                \
    VPROF_C_1 VPROF_WRAPPER_1 __attribute__((no_sanitize_address))                                 \
    long vprof_##real##_1(long, ...);                                                              \
    long vprof_##real##_1(long number, ...)                                                        \
    {                                                                                              \
        long a[6];                                                                                 \
        VPROF_READ_LONGS_1(a, 6, number)                                                           \
        if (number == VPROF_FUTEX_1 && VPROF_HAS_1(futex))                                         \
            return VPROF_HOOK_1(futex)(0, a);                                                      \
        if (VPROF_FORKS_1(number) && VPROF_HAS_1(fork_system))                                     \
            return VPROF_HOOK_1(fork_system)(0, number, a);                                        \
        return vprof_real_##real##_1(number, a[0], a[1], a[2], a[3], a[4], a[5]);                  \
    }
/* The real one must be called from here: it goes by its caller's RUNPATH. */
#define VPROF_REDIRECT_LOAD(real)                                                                  \
    VPROF_C_1 void *vprof_real_##real##_1(const char *, int) __asm__(#real);                       \
    VPROF_C_1 VPROF_WRAPPER_1 void *vprof_##real##_1(const char *, int);                           \
    void *vprof_##real##_1(const char *file, int mode)                                             \
    {                                                                                              \
        void *const object = vprof_real_##real##_1(file, mode);                                    \
        if (object && VPROF_HAS_1(loaded))                                                         \
            VPROF_HOOK_1(loaded)();                                                                \
        return object;                                                                             \
    }

/* What gcc calls for the regions of OpenMP: libgomp's functions, made anew over the older ones in which
 * the thread that begins a region runs its own part in its own code. The others do theirs in
 * vprof_team_run_1 and say when they are done; the first one waits for the last of them. */
#define VPROF_TEAM_1(type, name, parameters)                                                       \
    VPROF_C_1 VPROF_WRAPPER_1 __attribute__((used, externally_visible)) type name parameters;      \
    type name parameters
#define VPROF_TEAM_LOOP_1(name, start)                                                             \
    VPROF_TEAM_1(void, name, (vprof_body_1 body, void *data, unsigned threads, long from, long to, \
                              long step, long chunk, unsigned flags))                              \
    {                                                                                              \
        struct vprof_team_1 team;                                                                  \
        (void)flags;                                                                               \
        team.body = body;                                                                          \
        team.data = data;                                                                          \
        start(vprof_team_run_1, &team, threads, from, to, step, chunk);                            \
        vprof_team_finish_1(&team);                                                                \
    }
#define VPROF_TEAM_RUNTIME_1(name)                                                                 \
    VPROF_TEAM_1(void, name, (vprof_body_1 body, void *data, unsigned threads, long from, long to, \
                              long step, unsigned flags))                                          \
    {                                                                                              \
        struct vprof_team_1 team;                                                                  \
        (void)flags;                                                                               \
        team.body = body;                                                                          \
        team.data = data;                                                                          \
        GOMP_parallel_loop_runtime_start(vprof_team_run_1, &team, threads, from, to, step);        \
        vprof_team_finish_1(&team);                                                                \
    }
#define VPROF_TEAMS_1                                                                              \
    typedef void (*vprof_body_1)(void *);                                                          \
    struct vprof_team_1 {                                                                          \
        vprof_body_1 body;                                                                         \
        void *data;                                                                                \
    };                                                                                             \
    VPROF_C_1 void GOMP_parallel_start(vprof_body_1, void *, unsigned);                            \
    VPROF_C_1 void GOMP_parallel_end(void);                                                        \
    VPROF_C_1 void GOMP_parallel_sections_start(vprof_body_1, void *, unsigned, unsigned);         \
    VPROF_C_1 void GOMP_parallel_loop_static_start(vprof_body_1, void *, unsigned, long, long,     \
                                                   long, long);                                    \
    VPROF_C_1 void GOMP_parallel_loop_dynamic_start(vprof_body_1, void *, unsigned, long, long,    \
                                                    long, long);                                   \
    VPROF_C_1 void GOMP_parallel_loop_guided_start(vprof_body_1, void *, unsigned, long, long,     \
                                                   long, long);                                    \
    VPROF_C_1 void GOMP_parallel_loop_runtime_start(vprof_body_1, void *, unsigned, long, long,    \
                                                    long);                                         \
    static void vprof_team_run_1(void *own)                                                        \
    {                                                                                              \
        struct vprof_team_1 team;                                                                  \
        __builtin_memcpy(&team, own, sizeof team);                                                 \
        team.body(team.data);                                                                      \
        if (VPROF_HAS_1(team_done))                                                                \
            VPROF_HOOK_1(team_done)(VPROF_ULONG_1(own));                                           \
    }                                                                                              \
    static void vprof_team_finish_1(struct vprof_team_1 *team)                                     \
    {                                                                                              \
        struct vprof_frame_1 frame = {0, 0, 0, 0};                                                 \
        team->body(team->data);                                                                    \
        if (VPROF_HAS_1(team_wait))                                                                \
            VPROF_HOOK_1(team_wait)(&frame, VPROF_ULONG_1(team));                                  \
        GOMP_parallel_end();                                                                       \
        if (frame.start && VPROF_HAS_1(team_waited))                                               \
            VPROF_HOOK_1(team_waited)(&frame);                                                     \
    }                                                                                              \
    VPROF_TEAM_1(void, GOMP_parallel,                                                              \
                 (vprof_body_1 body, void *data, unsigned threads, unsigned flags))                \
    {                                                                                              \
        struct vprof_team_1 team;                                                                  \
        (void)flags;                                                                               \
        team.body = body;                                                                          \
        team.data = data;                                                                          \
        GOMP_parallel_start(vprof_team_run_1, &team, threads);                                     \
        vprof_team_finish_1(&team);                                                                \
    }                                                                                              \
    VPROF_TEAM_1(void, GOMP_parallel_sections,                                                     \
                 (vprof_body_1 body, void *data, unsigned threads, unsigned count,                 \
                  unsigned flags))                                                                 \
    {                                                                                              \
        struct vprof_team_1 team;                                                                  \
        (void)flags;                                                                               \
        team.body = body;                                                                          \
        team.data = data;                                                                          \
        GOMP_parallel_sections_start(vprof_team_run_1, &team, threads, count);                     \
        vprof_team_finish_1(&team);                                                                \
    }                                                                                              \
    VPROF_TEAM_LOOP_1(GOMP_parallel_loop_static, GOMP_parallel_loop_static_start)                  \
    VPROF_TEAM_LOOP_1(GOMP_parallel_loop_dynamic, GOMP_parallel_loop_dynamic_start)                \
    VPROF_TEAM_LOOP_1(GOMP_parallel_loop_nonmonotonic_dynamic, GOMP_parallel_loop_dynamic_start)   \
    VPROF_TEAM_LOOP_1(GOMP_parallel_loop_guided, GOMP_parallel_loop_guided_start)                  \
    VPROF_TEAM_LOOP_1(GOMP_parallel_loop_nonmonotonic_guided, GOMP_parallel_loop_guided_start)     \
    VPROF_TEAM_RUNTIME_1(GOMP_parallel_loop_runtime)                                               \
    VPROF_TEAM_RUNTIME_1(GOMP_parallel_loop_nonmonotonic_runtime)                                  \
    VPROF_TEAM_RUNTIME_1(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

/* What libstdc++ itself calls inside its shared library: its functions, made anew in the linked
 * object, over the wrappers. Each object begins with what pthreads knows: condition_variable with a
 * pthread_cond_t, mutex with a pthread_mutex_t, thread with a pthread_t, unique_lock with a pointer to
 * its mutex. A thread's state has a virtual destructor (two entries) and then _M_run. */
#ifdef __cplusplus
#define VPROF_STD_1(type, name, parameters, symbol)                                                \
    extern "C" VPROF_WRAPPER_1 type name parameters __asm__(symbol);                               \
    type name parameters
#define VPROF_LIBSTDCXX_1                                                                          \
    VPROF_STD_1(void, vprof_std_wait_1, (void *cond, void **lock),                                 \
                "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE")                       \
    {                                                                                              \
        (void)vprof_pthread_cond_wait_1(cond, *lock);                                              \
    }                                                                                              \
    VPROF_STD_1(void, vprof_std_notify_one_1, (void *cond),                                        \
                "_ZNSt18condition_variable10notify_oneEv")                                         \
    {                                                                                              \
        (void)vprof_pthread_cond_signal_1(cond);                                                   \
    }                                                                                              \
    VPROF_STD_1(void, vprof_std_notify_all_1, (void *cond),                                        \
                "_ZNSt18condition_variable10notify_allEv")                                         \
    {                                                                                              \
        (void)vprof_pthread_cond_broadcast_1(cond);                                                \
    }                                                                                              \
    extern "C" void vprof_std_throw_1(int) __asm__("_ZSt20__throw_system_errori");                 \
    VPROF_STD_1(void, vprof_std_join_1, (unsigned long *thread), "_ZNSt6thread4joinEv")            \
    {                                                                                              \
        const int error = *thread ? vprof_pthread_join_1(*thread, 0) : 22;                         \
        if (error)                                                                                 \
            vprof_std_throw_1(error);                                                              \
        *thread = 0;                                                                               \
    }                                                                                              \
    static void vprof_std_free_1(void **state)                                                     \
    {                                                                                              \
        (*reinterpret_cast<void (***)(void *)>(*state))[1](*state);                                \
    }                                                                                              \
    static void *vprof_std_run_1(void *own)                                                        \
    {                                                                                              \
        __attribute__((cleanup(vprof_std_free_1))) void *state = own;                              \
        (*reinterpret_cast<void (***)(void *)>(state))[2](state);                                  \
        return 0;                                                                                  \
    }                                                                                              \
    VPROF_STD_1(void, vprof_std_start_1, (void *thread, void **state, void (*)()),                 \
                "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_"             \
                "deleteIS1_EEPFvvE")                                                               \
    {                                                                                              \
        const int error = vprof_pthread_create_1(thread, 0, vprof_std_run_1, *state);              \
        if (error)                                                                                 \
            vprof_std_throw_1(error);                                                              \
        *state = 0;                                                                                \
    }
/* What std::future waits by: until a time of CLOCK_REALTIME or CLOCK_MONOTONIC; false where that came
 * first. */
#define VPROF_STD_UNTIL_1(name, operation, symbol)                                                 \
    VPROF_STD_1(bool, name, (void *, unsigned *word, unsigned value, bool timed, long s, long ns), \
                symbol)                                                                            \
    {                                                                                              \
        const long until[2] = {s, ns}, all = 0xffffffffl;                                          \
        return !(timed && s < 0) &&                                                                \
               (vprof_syscall_1(VPROF_FUTEX_1, word, operation, static_cast<long>(value),          \
                                timed ? until : 0, 0l, all) != -1 ||                               \
                *vprof_std_errno_1() != 110); /* ETIMEDOUT */                                      \
    }
#if defined(__x86_64__) || defined(__aarch64__) || defined(__riscv)
#define VPROF_STD_FUTURE_1                                                                         \
    extern "C" int *vprof_std_errno_1() __asm__("__errno_location");                               \
    VPROF_STD_UNTIL_1(vprof_std_until_1, 9l | 256l,                                                \
                      "_ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono"    \
                      "8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE")             \
    VPROF_STD_UNTIL_1(vprof_std_until_steady_1, 9l,                                                \
                      "_ZNSt28__atomic_futex_unsigned_base26_M_futex_wait_until_steadyEPjjb"       \
                      "NSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE")   \
    VPROF_STD_1(void, vprof_std_notify_1, (unsigned *word),                                        \
                "_ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj")                     \
    {                                                                                              \
        (void)vprof_syscall_1(VPROF_FUTEX_1, word, 1l, 0x7fffffffl, 0l, 0l, 0l);                   \
    }
#else
#define VPROF_STD_FUTURE_1
#endif
#endif
#pragma GCC diagnostic pop
#endif
