#include "runtime/site_hit.h"

#include "runtime/sites.h"

#if defined(__x86_64__) && defined(__LP64__)

#include <cpuid.h>
#include <errno.h>

#include "runtime/clock.h"
#include "runtime/frames.h"
#include "runtime/log.h"
#include "runtime/trace_file.h"

#define HIDDEN __attribute__((used, visibility("hidden")))
/* A call may be entered before its function's frame is there and left within it, or entered within
 * it and left when it is gone: compilers make the frame where it is needed (shrink-wrapping). */
#define NEAR_BYTES 4096u

HIDDEN bool site_hit_fast(uint32_t word, uintptr_t at, uint64_t rax);
HIDDEN void site_hit_slow(uint32_t word, uintptr_t at, uint64_t rax);
HIDDEN uint8_t site_hit_xsave;

/* 2688 bytes are enough for all of the mask: x87, SSE, AVX and AVX-512. */
__asm__(".pushsection .text\n"
        ".globl site_hit\n.hidden site_hit\n.type site_hit,@function\n"
        "site_hit:\n"
        "  push %rax\n  push %rcx\n  push %rdx\n  push %rsi\n  push %rdi\n"
        "  push %r8\n  push %r9\n  push %r10\n  push %r11\n  push %rbx\n"
        "  mov 88(%rsp), %edi\n  lea 224(%rsp), %rsi\n  mov 72(%rsp), %rdx\n"
        "  mov %rsp, %rbx\n  and $-16, %rsp\n  cld\n"
        "  call site_hit_fast\n"
        "  test %al, %al\n  je 2f\n"
        "1:mov %rbx, %rsp\n"
        "  pop %rbx\n  pop %r11\n  pop %r10\n  pop %r9\n  pop %r8\n"
        "  pop %rdi\n  pop %rsi\n  pop %rdx\n  pop %rcx\n  pop %rax\n"
        "  ret $136\n"
        "2:sub $2688, %rsp\n  and $-64, %rsp\n"
        "  cmpb $0, site_hit_xsave(%rip)\n  je 3f\n"
        "  lea 512(%rsp), %rdi\n  mov $8, %ecx\n  xor %eax, %eax\n  rep stosq\n"
        "  mov $0xe7, %eax\n  xor %edx, %edx\n  xsave64 (%rsp)\n"
        "  mov 88(%rbx), %edi\n  lea 224(%rbx), %rsi\n  mov 72(%rbx), %rdx\n"
        "  call site_hit_slow\n"
        "  mov $0xe7, %eax\n  xor %edx, %edx\n  xrstor64 (%rsp)\n  jmp 1b\n"
        "3:fxsave64 (%rsp)\n"
        "  mov 88(%rbx), %edi\n  lea 224(%rbx), %rsi\n  mov 72(%rbx), %rdx\n"
        "  call site_hit_slow\n"
        "  fxrstor64 (%rsp)\n  jmp 1b\n"
        ".size site_hit, .-site_hit\n.popsection\n");

void site_hit_start(void)
{
    unsigned a, b, c = 0, d;
    site_hit_xsave = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
}

/* ---- the common case ---- */

static inline bool is_simple(const struct vprof_thread_1 *t)
{
    return __builtin_expect(log_self.sites_epoch ==
                                    __atomic_load_n(&sites_epoch, __ATOMIC_RELAXED) &&
                                !t->jumped && clock_kind == TRACE_CLOCK_TSC,
                            1);
}

static inline void push(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    uint32_t depth = t->depth;
    t->depth = depth + 1; /* first: a handler's calls go behind */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->calls[depth].at = at;
    t->calls[depth].jump = 0;
    t->calls[depth].id = probe;
    log_self.targets[depth] = 0;
    t->calls[depth].start = __builtin_ia32_rdtsc();
}

/* Not one below `at`: it may have been left by a jump. */
static inline bool is_top(const struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    uint32_t top = t->depth - 1;
    return top < FRAMES_MAX && t->calls[top].id == probe && t->calls[top].at - at < NEAR_BYTES;
}

/* log_reserve() where nothing may be called: no record is taken where it has no room. While `open`
 * shows one, no handler changes the chunk, but it may take records of its own. */
static inline bool take(struct vprof_thread_1 *t, uint64_t *at)
{
    bool taken = false;
    t->open++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (*at = t->cursor; !taken && *at + sizeof(struct trace_function) <= t->limit;)
        __asm__ volatile("cmpxchgq %3, %1"
                         : "=@ccz"(taken), "+m"(t->cursor), "+a"(*at)
                         : "r"(*at + sizeof(struct trace_function))
                         : "cc");
    t->open -= !taken;
    return taken;
}

static inline bool leave(struct vprof_thread_1 *t, uint32_t probe, uint64_t now)
{
    uint32_t top = t->depth - 1;
    uint64_t at, start = t->calls[top].start, duration = now - start;
    if (__builtin_expect(log_self.targets[top] || duration > TRACE_DURATION_MAX || !take(t, &at),
                         0))
        return false;
    t->depth = top;
    struct trace_function *r = (void *)(t->window + at);
    r->duration_probe = duration << TRACE_PROBE_BITS | probe;
    log_commit(&r->head, start, TRACE_FUNCTION);
    return true;
}

bool site_hit_fast(uint32_t word, uintptr_t at, uint64_t rax)
{
    enum site_kind kind = word & 3;
    uint64_t now = kind == SITE_LEAVE ? __builtin_ia32_rdtsc() : 0; /* the dearest thing here */
    struct vprof_thread_1 *t = &log_self.direct;
    uint32_t probe = word >> 2;
    if (!is_simple(t))
        return false;
    switch (kind) {
    case SITE_ENTER:
        if (t->depth >= FRAMES_MAX)
            return false;
        push(t, probe, at);
        return true;
    case SITE_LEAVE:
        return is_top(t, probe, at) && leave(t, probe, now);
    case SITE_TARGET:
        if (is_top(t, probe, at))
            log_self.targets[t->depth - 1] = rax;
        return true;
    case SITE_AGAIN:
        if (is_top(t, probe, at))
            t->calls[t->depth - 1].start = __builtin_ia32_rdtsc();
    }
    return true;
}

/* ---- all other cases ---- */

/* The code was changed since this thread's last site: what it is in was entered by other code.
 * False: it is being changed. */
static bool is_settled(struct vprof_thread_1 *t)
{
    uint32_t epoch = __atomic_load_n(&sites_epoch, __ATOMIC_ACQUIRE);
    if (log_self.sites_epoch != epoch) {
        t->depth = 0;
        t->jumped = 0;
        log_self.sites_epoch = epoch;
    }
    return epoch % 2 == 0;
}

/* Without optimization a call's end looks at the switch: between that and the change of the code
 * calls are entered and never left. */
static void forget_switched_off(struct vprof_thread_1 *t)
{
    while (t->depth && !sites_are_wanted(t->calls[t->depth - 1].id))
        t->depth--;
}

static void enter(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    if (t->jumped) {
        frames_leave_up_to(at - 1);
        frames_leave_again(at, probe);
    }
    if (t->depth == FRAMES_MAX)
        forget_switched_off(t);
    if (t->depth >= FRAMES_MAX) {
        t->depth++;
        return;
    }
    push(t, probe, at);
    if (clock_kind != TRACE_CLOCK_TSC) {
        uint64_t now = clock_now();
        t->calls[t->depth - 1].start = now + (now == 0);
    }
}

/* From the place that a call is left at: 0 where it was entered there, 1 within its frame, more
 * where that has grown much since, by a large array. UINTPTR_MAX: it is another call that is left.
 */
static uintptr_t distance(const struct vprof_call_1 *call, uint32_t probe, uintptr_t at)
{
    uintptr_t above = call->at - at;
    if (call->id != probe)
        return UINTPTR_MAX;
    if (above + NEAR_BYTES < 2 * NEAR_BYTES)
        return above != 0;
    return call->at > at ? above : UINTPTR_MAX;
}

/* The call that is left here: the nearest, and of those the innermost. */
static bool find(const struct vprof_thread_1 *t, uint32_t probe, uintptr_t at, uint32_t *index)
{
    uintptr_t nearest = UINTPTR_MAX;
    for (uint32_t i = t->depth; i-- > 0;) {
        uintptr_t now = distance(&t->calls[i], probe, at);
        if (now < nearest) {
            nearest = now;
            *index = i;
        }
    }
    return nearest != UINTPTR_MAX;
}

static void record(uint64_t start, uint64_t duration, uint64_t target, uint32_t probe)
{
    struct trace_function_long *r = log_reserve(sizeof *r);
    if (!r)
        return;
    r->duration = (int64_t)duration < 0 ? 0 : duration; /* counters of two cores may differ a bit */
    r->target = target;
    r->probe = probe;
    r->how = TRACE_RETURNED;
    log_commit(&r->head, start, target ? TRACE_CALL : TRACE_FUNCTION_LONG);
}

static void leave_slowly(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    uint64_t now = clock_now();
    uint32_t index;
    if (t->depth > FRAMES_MAX) {
        t->depth--;
        trace_file_lost(1);
    } else if (find(t, probe, at, &index)) {
        uint64_t start = t->calls[index].start, target = log_self.targets[index];
        frames_pop(start);
        record(start, now - start, target, probe);
    }
}

void site_hit_slow(uint32_t word, uintptr_t at, uint64_t rax)
{
    struct vprof_thread_1 *t = &log_self.direct;
    uint32_t probe = word >> 2, index;
    int error = errno;
    bool settled = is_settled(t);
    if (settled && (word & 3) == SITE_ENTER)
        enter(t, probe, at);
    else if (settled && (word & 3) == SITE_LEAVE)
        leave_slowly(t, probe, at);
    else if (settled && t->depth <= FRAMES_MAX && find(t, probe, at, &index)) {
        if ((word & 3) == SITE_TARGET)
            log_self.targets[index] = rax;
        else
            t->calls[index].start = clock_now();
    }
    errno = error;
}

#else

void site_hit(void)
{
}

void site_hit_start(void)
{
}

#endif
