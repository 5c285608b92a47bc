#include "runtime/site_hit.h"

#include "runtime/sites.h"

#if defined(__x86_64__) && defined(__LP64__)

#include <cpuid.h>
#include <errno.h>
#include <stddef.h>

#include "runtime/clock.h"
#include "runtime/frames.h"
#include "runtime/log.h"
#include "runtime/trace_file.h"

#define HIDDEN __attribute__((used, visibility("hidden")))
/* A call may be entered before its function's frame is there and left within it, or entered within
 * it and left when it is gone: compilers make the frame where it is needed (shrink-wrapping). */
#define NEAR_BYTES 4096u

HIDDEN void site_hit_text(void);
HIDDEN bool site_hit_target(uint32_t word, uintptr_t at, uint64_t rax, uint64_t now);
HIDDEN void site_hit_slow(uint32_t word, uintptr_t at, uint64_t rax);
HIDDEN uint8_t site_hit_xsave;

#define SELF(field) ((long)offsetof(struct vprof_thread_1, field))
#define CALL(field) (SELF(calls) + (long)offsetof(struct vprof_call_1, field))
_Static_assert(sizeof(struct vprof_call_1) == 32 && offsetof(struct vprof_call_1, id) % 8 == 0 &&
                   offsetof(struct vprof_call_1, target) == offsetof(struct vprof_call_1, id) + 4,
               "a call's probe and whether it has a target are one word, which is 0 but for it");
_Static_assert(offsetof(struct log, direct.calls) % 64 == 0, "see struct log");
_Static_assert(TRACE_DURATION_MAX >> VPROF_DURATION_BITS_1 == 0 &&
                   TRACE_DURATION_MAX >> (VPROF_DURATION_BITS_1 - 1) == 1 &&
                   offsetof(struct trace_function, duration_probe) == 8,
               "the record is trace_format.h's");
_Static_assert(SITE_ENTER == 0 && SITE_LEAVE == 1 && SITE_TARGET == 2 && SITE_AGAIN == 3,
               "the clock is read for odd kinds");

/* The whole of the common case by hand: compiled, with all registers saved that a call may change,
 * it is three times as many lines of memory, and where other work has emptied the caches these are
 * what a site costs. Nothing is changed before it is sure that no other case is at hand. `at` is
 * where the program's stack ended, 192 bytes up; a word of which bit 0 is set leaves a call, or
 * begins it again. */
#define TEXT_LOOK                                                                                  \
    "  push %%rax\n  push %%rcx\n  push %%rdx\n  push %%rsi\n  push %%rdi\n  push %%r8\n"          \
    "  mov 56(%%rsp), %%edi\n"                                                                     \
    "  test $1, %%dil\n  je 1f\n"                                                                  \
    "  rdtsc\n  shl $32, %%rdx\n  or %%rdx, %%rax\n  mov %%rax, %%r8\n"                            \
    "1:mov sites_now+%c[self](%%rip), %%rcx\n"                                                     \
    "  test %%rcx, %%rcx\n  je 9f\n"                                                               \
    "  mov sites_now+%c[now_epoch](%%rip), %%eax\n"                                                \
    "  cmp %%eax, %%fs:%c[epoch](%%rcx)\n  jne 9f\n"                                               \
    "  cmpq $0, %%fs:%c[jumped](%%rcx)\n  jne 9f\n"                                                \
    "  mov %%fs:%c[depth](%%rcx), %%esi\n"                                                         \
    "  test $3, %%dil\n  jne 3f\n"
/* The depth first: a handler's calls go behind. */
#define TEXT_ENTER                                                                                 \
    "  cmp $%c[most], %%esi\n  jae 9f\n"                                                           \
    "  lea 1(%%rsi), %%edx\n  mov %%edx, %%fs:%c[depth](%%rcx)\n"                                  \
    "  shl $5, %%esi\n  add %%rcx, %%rsi\n"                                                        \
    "  lea 192(%%rsp), %%rdx\n  mov %%rdx, %%fs:%c[at](%%rsi)\n"                                   \
    "  movq $0, %%fs:%c[jump](%%rsi)\n"                                                            \
    "  shr $2, %%edi\n  mov %%rdi, %%fs:%c[id](%%rsi)\n"                                           \
    "  rdtsc\n  shl $32, %%rdx\n  or %%rdx, %%rax\n"                                               \
    "  mov %%rax, %%fs:%c[start](%%rsi)\n"                                                         \
    "2:pop %%r8\n  pop %%rdi\n  pop %%rsi\n  pop %%rdx\n  pop %%rcx\n  pop %%rax\n"                \
    "  ret $136\n"
/* A call below `at` may have been left by a jump, and is not the one that is left here. The record
 * is taken as by log_reserve(), but for a take that is given up where there is no room: while
 * `open` shows one, no handler changes the chunk, but it may take records of its own. */
#define TEXT_LEAVE                                                                                 \
    "3:test $2, %%dil\n  jne 9f\n"                                                                 \
    "  sub $1, %%esi\n  cmp $%c[most], %%esi\n  jae 9f\n"                                          \
    "  mov %%esi, %%edx\n  shl $5, %%edx\n  add %%rcx, %%rdx\n"                                    \
    "  shr $2, %%edi\n  cmp %%rdi, %%fs:%c[id](%%rdx)\n  jne 9f\n"                                 \
    "  mov %%fs:%c[at](%%rdx), %%rax\n  sub %%rsp, %%rax\n  sub $192, %%rax\n"                     \
    "  cmp $%c[near], %%rax\n  jae 9f\n"                                                           \
    "  mov %%fs:%c[start](%%rdx), %%rdx\n  sub %%rdx, %%r8\n"                                      \
    "  mov %%r8, %%rax\n  shr $%c[duration_bits], %%rax\n  jne 9f\n"                               \
    "  shl $%c[probe_bits], %%r8\n  or %%rdi, %%r8\n"                                              \
    "  addl $1, %%fs:%c[open](%%rcx)\n"                                                            \
    "  mov %%fs:%c[cursor](%%rcx), %%rax\n"                                                        \
    "4:lea %c[record](%%rax), %%rdi\n"                                                             \
    "  cmp %%rdi, %%fs:%c[limit](%%rcx)\n  jb 8f\n"                                                \
    "  cmpxchg %%rdi, %%fs:%c[cursor](%%rcx)\n  jne 4b\n"                                          \
    "  mov %%esi, %%fs:%c[depth](%%rcx)\n"                                                         \
    "  add %%fs:%c[window](%%rcx), %%rax\n"                                                        \
    "  mov %%r8, 8(%%rax)\n"                                                                       \
    "  shl $%c[kind_bits], %%rdx\n  or $%c[kind], %%rdx\n  mov %%rdx, (%%rax)\n"                   \
    "  subl $1, %%fs:%c[open](%%rcx)\n"                                                            \
    "  jmp 2b\n"
/* All else is C; %r8 is still the moment at which a call with a target was left. 2688 bytes are
 * enough for all of the mask: x87, SSE, AVX and AVX-512. */
#define TEXT_REST                                                                                  \
    "8:subl $1, %%fs:%c[open](%%rcx)\n"                                                            \
    "9:push %%r9\n  push %%r10\n  push %%r11\n  push %%rbx\n"                                      \
    "  mov 88(%%rsp), %%edi\n  lea 224(%%rsp), %%rsi\n  mov 72(%%rsp), %%rdx\n"                    \
    "  mov %%r8, %%rcx\n"                                                                          \
    "  mov %%rsp, %%rbx\n  and $-16, %%rsp\n  cld\n"                                               \
    "  call site_hit_target\n"                                                                     \
    "  test %%al, %%al\n  je 6f\n"                                                                 \
    "5:mov %%rbx, %%rsp\n"                                                                         \
    "  pop %%rbx\n  pop %%r11\n  pop %%r10\n  pop %%r9\n  jmp 2b\n"                                \
    "6:sub $2688, %%rsp\n  and $-64, %%rsp\n"                                                      \
    "  cmpb $0, site_hit_xsave(%%rip)\n  je 7f\n"                                                  \
    "  lea 512(%%rsp), %%rdi\n  mov $8, %%ecx\n  xor %%eax, %%eax\n  rep stosq\n"                  \
    "  mov $0xe7, %%eax\n  xor %%edx, %%edx\n  xsave64 (%%rsp)\n"                                  \
    "  mov 88(%%rbx), %%edi\n  lea 224(%%rbx), %%rsi\n  mov 72(%%rbx), %%rdx\n"                    \
    "  call site_hit_slow\n"                                                                       \
    "  mov $0xe7, %%eax\n  xor %%edx, %%edx\n  xrstor64 (%%rsp)\n  jmp 5b\n"                       \
    "7:fxsave64 (%%rsp)\n"                                                                         \
    "  mov 88(%%rbx), %%edi\n  lea 224(%%rbx), %%rsi\n  mov 72(%%rbx), %%rdx\n"                    \
    "  call site_hit_slow\n"                                                                       \
    "  fxrstor64 (%%rsp)\n  jmp 5b\n"

/* Never called: only a statement within a function can have numbers as operands. */
HIDDEN __attribute__((noinline)) void site_hit_text(void)
{
    __asm__ volatile(
        ".pushsection .text.site_hit,\"ax\",@progbits\n  .balign 64\n"
        ".globl site_hit\n.hidden site_hit\n.type site_hit,@function\n"
        "site_hit:\n" TEXT_LOOK TEXT_ENTER TEXT_LEAVE TEXT_REST
        ".size site_hit, .-site_hit\n.popsection\n"
        :
        : [self] "i"(offsetof(struct sites_now, self)),
          [now_epoch] "i"(offsetof(struct sites_now, epoch)),
          [epoch] "i"((long)offsetof(struct log, sites_epoch) - (long)offsetof(struct log, direct)),
          [jumped] "i"(SELF(jumped)), [depth] "i"(SELF(depth)), [open] "i"(SELF(open)),
          [cursor] "i"(SELF(cursor)), [limit] "i"(SELF(limit)), [window] "i"(SELF(window)),
          [start] "i"(CALL(start)), [at] "i"(CALL(at)), [jump] "i"(CALL(jump)), [id] "i"(CALL(id)),
          [most] "i"(FRAMES_MAX), [near] "i"(NEAR_BYTES),
          [record] "i"(sizeof(struct trace_function)), [probe_bits] "i"(TRACE_PROBE_BITS),
          [duration_bits] "i"(VPROF_DURATION_BITS_1), [kind_bits] "i"(VPROF_KIND_BITS_1),
          [kind] "i"(VPROF_KIND_1));
}

void site_hit_start(void)
{
    unsigned a, b, c = 0, d;
    char *thread;
    site_hit_xsave = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    if (clock_kind == TRACE_CLOCK_TSC)
        sites_now.self = (char *)&log_self.direct - thread;
}

/* ---- calls through pointers, and those that begin again ---- */

static inline bool is_simple(const struct vprof_thread_1 *t)
{
    return log_self.sites_epoch == __atomic_load_n(&sites_now.epoch, __ATOMIC_RELAXED) &&
           !t->jumped && sites_now.self;
}

/* Not one below `at`: it may have been left by a jump. */
static inline bool is_top(const struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    uint32_t top = t->depth - 1;
    return top < FRAMES_MAX && t->calls[top].id == probe && t->calls[top].at - at < NEAR_BYTES;
}

static inline void set_target(struct vprof_thread_1 *t, uint32_t index, uint64_t target)
{
    log_self.targets[index] = target;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->calls[index].target = 1;
}

static inline uint64_t target_of(const struct vprof_thread_1 *t, uint32_t index)
{
    return t->calls[index].target ? log_self.targets[index] : 0;
}

static void put(struct trace_function_long *r, uint64_t start, uint64_t duration, uint64_t target,
                uint32_t probe)
{
    r->duration = duration;
    r->target = target;
    r->probe = probe;
    r->how = TRACE_RETURNED;
    log_commit(&r->head, start, target ? TRACE_CALL : TRACE_FUNCTION_LONG);
}

/* log_reserve() where nothing may be called: only this file leaves the vector registers alone.
 * Without room no record is taken. */
static inline struct trace_function_long *take(struct vprof_thread_1 *t)
{
    uint64_t at, size = sizeof(struct trace_function_long);
    bool taken = false;
    t->open++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (at = t->cursor; !taken && at + size <= t->limit;)
        __asm__ volatile("cmpxchgq %3, %1"
                         : "=@ccz"(taken), "+m"(t->cursor), "+a"(at)
                         : "r"(at + size)
                         : "cc");
    t->open -= !taken;
    return taken ? (struct trace_function_long *)(void *)(t->window + at) : NULL;
}

/* Once the depth has fallen, a handler's call may take the place of the one that is left. */
static bool leave_with_target(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at, uint64_t now)
{
    uint32_t top = t->depth - 1;
    if (!is_top(t, probe, at) || !t->calls[top].target)
        return false;
    uint64_t start = t->calls[top].start, target = log_self.targets[top];
    struct trace_function_long *r = now >= start ? take(t) : NULL;
    if (!r)
        return false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->depth = top;
    put(r, start, now - start, target, probe);
    return true;
}

/* `now` is that of a call that is left. False: the slow way has to do it. */
bool site_hit_target(uint32_t word, uintptr_t at, uint64_t rax, uint64_t now)
{
    struct vprof_thread_1 *t = &log_self.direct;
    enum site_kind kind = word & 3;
    if (kind == SITE_ENTER || !is_simple(t))
        return false;
    if (kind == SITE_LEAVE)
        return leave_with_target(t, word >> 2, at, now);
    if (!is_top(t, word >> 2, at))
        return true;
    if (kind == SITE_TARGET)
        set_target(t, t->depth - 1, rax);
    else
        t->calls[t->depth - 1].start = __builtin_ia32_rdtsc();
    return true;
}

/* ---- all other cases ---- */

/* The code was changed since this thread's last site: what it is in was entered by other code.
 * False: it is being changed. */
static bool is_settled(struct vprof_thread_1 *t)
{
    uint32_t epoch = __atomic_load_n(&sites_now.epoch, __ATOMIC_ACQUIRE);
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

static void push(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    uint32_t depth = t->depth;
    t->depth = depth + 1; /* first: a handler's calls go behind */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->calls[depth].at = at;
    t->calls[depth].jump = 0;
    t->calls[depth].id = probe;
    t->calls[depth].target = 0;
    uint64_t now = clock_now();
    t->calls[depth].start = now + (now == 0);
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
    if (r) /* counters of two cores may differ a bit */
        put(r, start, (int64_t)duration < 0 ? 0 : duration, target, probe);
}

static void leave_slowly(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    uint64_t now = clock_now();
    uint32_t index;
    if (t->depth > FRAMES_MAX) {
        t->depth--;
        trace_file_lost(1);
    } else if (find(t, probe, at, &index)) {
        uint64_t start = t->calls[index].start, target = target_of(t, index);
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
            set_target(t, index, rax);
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
