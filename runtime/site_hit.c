#include "runtime/site_hit.h"

#include <stddef.h>

#if defined(__x86_64__) && defined(__LP64__)

#include <cpuid.h>
#include <errno.h>

#include "runtime/clock.h"
#include "runtime/delay.h"
#include "runtime/frames.h"
#include "runtime/jumps.h"
#include "runtime/log.h"
#include "runtime/marks.h"
#include "runtime/stacks.h"
#include "runtime/trace_file.h"

#define HIDDEN __attribute__((used, visibility("hidden")))

HIDDEN void site_hit_text(void);
HIDDEN void site_hit_enter(void);
HIDDEN void site_hit_leave(void);
HIDDEN void site_hit_other(void);
HIDDEN bool site_hit_target(uint32_t word, uintptr_t at, uint64_t rax, uint64_t now);
HIDDEN bool site_hit_drop(void);
HIDDEN void site_hit_slow(uint32_t word, uintptr_t at, uint64_t rax);
HIDDEN uint8_t site_hit_xsave;

#define SELF(field) ((long)offsetof(struct vprof_thread_1, field))
#define CALL(field) (SELF(calls) + (long)offsetof(struct vprof_call_1, field))
_Static_assert(sizeof(struct trace_function) == 16 && TRACE_KIND_SIZE(0) == 16,
               "where a record begins within the window, a call's has room");
_Static_assert(sizeof(struct vprof_call_1) == 32 && offsetof(struct vprof_call_1, id) % 8 == 0 &&
                   offsetof(struct vprof_call_1, target) == offsetof(struct vprof_call_1, id) + 4,
               "a call's probe and whether it has a target are one word, which is 0 but for it");
_Static_assert(offsetof(struct log, direct.calls) % 64 == 0, "see struct log");
_Static_assert(TRACE_DURATION_MAX >> VPROF_DURATION_BITS_1 == 0 &&
                   TRACE_DURATION_MAX >> (VPROF_DURATION_BITS_1 - 1) == 1 &&
                   offsetof(struct trace_function, duration_probe) == 8,
               "the record is trace_format.h's");
_Static_assert(SITE_ENTER == 0 && SITE_LEAVE == 1 && SITE_TARGET == 2 && SITE_AGAIN == 3,
               "the common case of both is written out");

/* The whole of the common case is written by hand: compiled, with all registers saved that a call
 * may change, it is three times as many lines of memory, and where other work has emptied the
 * caches these are what a site costs. Nothing is changed before it is sure that no other case is at
 * hand. %r11 is the word, %r10 where the program's stack ended; at an entry %rax is free, too. */
#define TEXT_ENTER                                                                                 \
    "  push %%rcx\n  .cfi_adjust_cfa_offset 8\n"                                                   \
    "  mov sites_now+%c[self](%%rip), %%rcx\n"                                                     \
    "  mov sites_now+%c[now_epoch](%%rip), %%eax\n"                                                \
    "  cmp %%eax, %%fs:%c[epoch](%%rcx)\n  jne 2f\n"                                               \
    "  mov %%fs:%c[depth](%%rcx), %%eax\n  cmp $%c[most], %%eax\n  jae 2f\n"                       \
    "  addl $1, %%fs:%c[depth](%%rcx)\n" /* first: a handler's calls go behind */                  \
    "  shl $5, %%eax\n  add %%rax, %%rcx\n"                                                        \
    "  mov %%r10, %%fs:%c[at](%%rcx)\n  shr $2, %%r11d\n  mov %%r11, %%fs:%c[id](%%rcx)\n"         \
    "  mov %%rdx, %%r10\n  rdtsc\n  shl $32, %%rdx\n  or %%rdx, %%rax\n  mov %%r10, %%rdx\n"       \
    "  mov %%rax, %%fs:%c[start](%%rcx)\n"                                                         \
    "  pop %%rcx\n  .cfi_remember_state\n  .cfi_adjust_cfa_offset -8\n  ret\n"                     \
    "2:  .cfi_restore_state\n  pop %%rcx\n  .cfi_adjust_cfa_offset -8\n  jmp site_hit_other\n"
/* %rax and %rdx are kept in %r8 and %r9, all others are free. A call below `at` may have been left
 * by a jump, and is not the one that is left here. The record is taken as by log_reserve(). The
 * word has become the probe alone, which the slow way makes the word again. */
#define TEXT_LEAVE                                                                                 \
    "  mov %%rax, %%r8\n  mov %%rdx, %%r9\n"                                                       \
    "  rdtsc\n  shl $32, %%rdx\n  or %%rdx, %%rax\n"                                               \
    "  mov sites_now+%c[self](%%rip), %%rcx\n"                                                     \
    "  mov sites_now+%c[now_epoch](%%rip), %%edx\n"                                                \
    "  shr $2, %%r11d\n"                                                                           \
    "  cmp %%edx, %%fs:%c[epoch](%%rcx)\n  jne site_hit_leave_slowly\n"                            \
    "  mov %%fs:%c[depth](%%rcx), %%esi\n"                                                         \
    "  sub $1, %%esi\n  cmp $%c[most], %%esi\n  jae site_hit_leave_slowly\n"                       \
    "  mov %%esi, %%edx\n  shl $5, %%edx\n  add %%rcx, %%rdx\n"                                    \
    "  cmp %%r11, %%fs:%c[id](%%rdx)\n  jne site_hit_leave_slowly\n"                               \
    "  mov %%fs:%c[at](%%rdx), %%rdi\n  sub %%r10, %%rdi\n"                                        \
    "  cmp $%c[near], %%rdi\n  jae site_hit_leave_slowly\n"                                        \
    "  mov %%fs:%c[start](%%rdx), %%rdx\n  sub %%rdx, %%rax\n"                                     \
    "  rol $%c[probe_bits], %%rax\n  test $%c[probe_mask], %%eax\n  jne site_hit_leave_slowly\n"   \
    "  subl $1, %%fs:%c[depth](%%rcx)\n" /* a handler may have moved calls */                      \
    "  or %%r11, %%rax\n"                                                                          \
    "  addl $1, %%fs:%c[open](%%rcx)\n"                                                            \
    "  mov $%c[record], %%edi\n"                                                                   \
    "  xadd %%rdi, %%fs:%c[cursor](%%rcx)\n"                                                       \
    "  cmp %%rdi, %%fs:%c[limit](%%rcx)\n  jbe site_hit_full\n"                                    \
    "  add %%fs:%c[window](%%rcx), %%rdi\n"                                                        \
    "  mov %%rax, 8(%%rdi)\n"                                                                      \
    "  shl $%c[kind_bits], %%rdx\n  or $%c[kind], %%rdx\n  mov %%rdx, (%%rdi)\n"                   \
    "  subl $1, %%fs:%c[open](%%rcx)\n"                                                            \
    "  mov %%r8, %%rax\n  mov %%r9, %%rdx\n  ret\n"

/* An assembler may know only one function's unwind information at a time. */
#ifdef __GCC_HAVE_DWARF2_CFI_ASM
#define OUTSIDE(text) "  .cfi_endproc\n" text "  .cfi_startproc\n"
#else
#define OUTSIDE(text) text
#endif
/* The function is never called: only a statement within one can have numbers as operands. */
HIDDEN __attribute__((noinline)) void site_hit_text(void)
{
    __asm__ volatile(
        OUTSIDE(".pushsection .text.site_hit,\"ax\",@progbits\n  .balign 64\n"
                ".irp name, site_hit_enter, site_hit_leave\n"
                "  .globl \\name\n  .hidden \\name\n  .type \\name, @function\n.endr\n"
                "site_hit_enter:\n  .cfi_startproc\n" TEXT_ENTER "  .cfi_endproc\n  .balign 64\n"
                "site_hit_leave:\n  .cfi_startproc\n" TEXT_LEAVE "  .cfi_endproc\n  .popsection\n")
        :
        : [self] "i"(offsetof(struct sites_now, self)),
          [now_epoch] "i"(offsetof(struct sites_now, epoch)),
          [epoch] "i"((long)offsetof(struct log, sites_epoch) - (long)offsetof(struct log, direct)),
          [depth] "i"(SELF(depth)), [open] "i"(SELF(open)), [cursor] "i"(SELF(cursor)),
          [limit] "i"(SELF(limit)), [window] "i"(SELF(window)), [start] "i"(CALL(start)),
          [at] "i"(CALL(at)), [id] "i"(CALL(id)), [most] "i"(CALL_LIST_MAX),
          [near] "i"(FRAMES_NEAR_BYTES), [record] "i"(sizeof(struct trace_function)),
          [kind_bits] "i"(VPROF_KIND_BITS_1), [kind] "i"(VPROF_KIND_1),
          [probe_bits] "i"(TRACE_PROBE_BITS), [probe_mask] "i"(TRACE_PROBE_MAX));
}

/* All else is C: the general registers are saved, and the vector registers, too, where they may be
 * changed. %r11 is the word, %r10 where the program's stack ended, %r8 when a call is left; where
 * the window is full, %rdi is where the record was taken, %rdx when the call began, %rax the
 * record's other word. 2688 bytes are enough for all of the mask: x87, SSE, AVX and AVX-512. */
#define TEXT_SAVE                                                                                  \
    "  push %rbx\n  .cfi_adjust_cfa_offset 8\n  .cfi_rel_offset rbx, 0\n"                          \
    "  mov %rsp, %rbx\n  .cfi_def_cfa_register rbx\n"                                              \
    "  push %rax\n  push %rcx\n  push %rdx\n  push %rsi\n  push %rdi\n  push %r8\n"                \
    "  push %r9\n  push %r10\n  push %r11\n  sub $32, %rsp\n  and $-64, %rsp\n  cld\n"
__asm__(".pushsection .text.site_hit,\"ax\",@progbits\n"
        ".irp name, site_hit_other, site_hit_leave_slowly, site_hit_full\n"
        "  .globl \\name\n  .hidden \\name\n  .type \\name, @function\n.endr\n"
        "  .balign 64\n  .cfi_startproc\n"
        "site_hit_full:\n  .cfi_remember_state\n"
        "  mov %rdx, %rsi\n  mov %rax, %r11\n  mov %r8, %rax\n  mov %r9, %rdx\n" TEXT_SAVE
        "  call site_hit_drop\n  test %al, %al\n  jne 5f\n"
        "  mov -40(%rbx), %rdi\n  mov -32(%rbx), %rsi\n  mov -72(%rbx), %rdx\n"
        "  lea log_function_slow(%rip), %rcx\n  jmp 1f\n  .cfi_restore_state\n"
        "site_hit_leave_slowly:\n"
        "  mov %r9, %rdx\n  xchg %rax, %r8\n  lea 1(,%r11,4), %r11d\n"
        "site_hit_other:\n" TEXT_SAVE
        "  mov %r11d, %edi\n  mov %r10, %rsi\n  mov %rax, %rdx\n  mov %r8, %rcx\n"
        "  call site_hit_target\n  test %al, %al\n  jne 5f\n"
        "  mov -72(%rbx), %edi\n  mov -64(%rbx), %rsi\n  mov -8(%rbx), %rdx\n"
        "  lea site_hit_slow(%rip), %rcx\n"
        "1:mov %rcx, -80(%rbx)\n  mov %rdi, -88(%rbx)\n  mov %rsi, -96(%rbx)\n"
        "  mov %rdx, -104(%rbx)\n  sub $2688, %rsp\n"
        "  cmpb $0, site_hit_xsave(%rip)\n  je 2f\n"
        "  lea 512(%rsp), %rdi\n  mov $8, %ecx\n  xor %eax, %eax\n  rep stosq\n"
        "  mov $0xe7, %eax\n  xor %edx, %edx\n  xsave64 (%rsp)\n  jmp 3f\n"
        "2:fxsave64 (%rsp)\n"
        "3:mov -88(%rbx), %rdi\n  mov -96(%rbx), %rsi\n  mov -104(%rbx), %rdx\n"
        "  call *-80(%rbx)\n"
        "  cmpb $0, site_hit_xsave(%rip)\n  je 4f\n"
        "  mov $0xe7, %eax\n  xor %edx, %edx\n  xrstor64 (%rsp)\n  jmp 5f\n"
        "4:fxrstor64 (%rsp)\n"
        "5:lea -72(%rbx), %rsp\n"
        "  pop %r11\n  pop %r10\n  pop %r9\n  pop %r8\n  pop %rdi\n  pop %rsi\n  pop %rdx\n"
        "  pop %rcx\n  pop %rax\n  pop %rbx\n  .cfi_def_cfa rsp, 8\n  ret\n"
        "  .cfi_endproc\n  .popsection\n");

struct site_hooks site_hit_hooks(void)
{
    unsigned a, b, c = 0, d;
    char *thread;
    site_hit_xsave = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_OSXSAVE);
    __asm__("mov %%fs:0, %0" : "=r"(thread));
    sites_now.self = (char *)&log_self.direct - thread;
    /* The common case reads this clock, and grants nothing. */
    if (clock_kind != TRACE_CLOCK_TSC || delay_is_on())
        return (struct site_hooks){site_hit_other, site_hit_other, site_hit_other, 1};
    return (struct site_hooks){site_hit_enter, site_hit_leave, site_hit_other, 1};
}

/* ---- calls through pointers, that begin again, and of threads with several stacks ---- */

static inline bool is_simple(void)
{
    return (log_self.sites_epoch & ~LOG_SEVERAL) ==
               __atomic_load_n(&sites_now.epoch, __ATOMIC_RELAXED) &&
           clock_kind == TRACE_CLOCK_TSC;
}

/* The call is the innermost, and not below `at`, where a jump may have left it. */
static inline bool is_top(const struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    uint32_t top = t->depth - 1;
    return top < CALL_LIST_MAX && t->calls[top].id == probe &&
           t->calls[top].at - at < FRAMES_NEAR_BYTES;
}

static inline void set_target(struct vprof_call_1 *call, uint64_t *slot, uint64_t target)
{
    *slot = target;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    call->target |= CALL_TARGET;
}

/* Nothing may be called here, as log_reserve() does: only this file leaves the vector registers
 * alone. Without room no record is taken. */
static inline void *take(struct vprof_thread_1 *t, uint64_t size)
{
    uint64_t at;
    bool taken = false;
    t->open++;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    for (at = t->cursor; !taken && at + size <= t->limit;)
        __asm__ volatile("cmpxchgq %3, %1"
                         : "=@ccz"(taken), "+m"(t->cursor), "+a"(at)
                         : "r"(at + size)
                         : "cc");
    t->open -= !taken;
    return taken ? t->window + at : NULL;
}

static void put_plain(struct trace_function *r, const struct open_call *call, uint64_t duration)
{
    r->duration_probe = duration << TRACE_PROBE_BITS | call->call.id;
    log_commit(&r->head, call->call.start, TRACE_FUNCTION);
}

static void put_whole(struct trace_function_long *r, const struct open_call *call,
                      uint64_t duration)
{
    r->duration = duration;
    r->target = call->target;
    r->probe = call->call.id;
    r->how = TRACE_RETURNED;
    log_commit(&r->head, call->call.start, TRACE_CALL);
}

static void put_part(struct trace_part *r, const struct open_call *call, uint64_t duration)
{
    r->duration = duration;
    r->target = call->call.target & CALL_TARGET ? call->target : 0;
    r->began = call->began;
    r->probe = call->call.id;
    r->how = TRACE_RETURNED;
    r->spare = 0;
    log_commit(&r->head, call->call.start, TRACE_PART);
}

/* Nearly all calls come here where a trace is full. */
bool site_hit_drop(void)
{
    bool drop = log_may_drop();
    if (drop) {
        trace_file_lost(1);
        log_self.direct.open--;
    }
    return drop;
}

static void put(void *r, const struct open_call *call, uint64_t duration)
{
    if (call->call.target & CALL_PART)
        put_part(r, call, duration);
    else if (call->call.target)
        put_whole(r, call, duration);
    else
        put_plain(r, call, duration);
}

static uint64_t record_size(const struct open_call *call)
{
    return call->call.target & CALL_PART ? sizeof(struct trace_part)
           : call->call.target           ? sizeof(struct trace_function_long)
                                         : sizeof(struct trace_function);
}

/* Once the depth has fallen, a handler's call may overwrite the one that is left. */
static bool leave_simply(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at, uint64_t now)
{
    uint32_t top = t->depth - 1;
    if (!is_top(t, probe, at))
        return false;
    const struct open_call call = {t->calls[top], log_self.targets[top], log_self.began[top], 0};
    if (now < call.call.start || (!call.call.target && now - call.call.start > TRACE_DURATION_MAX))
        return false;
    void *r = take(t, record_size(&call));
    if (!r && !log_may_drop())
        return false;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->depth--;
    if (r)
        put(r, &call, now - call.call.start);
    else
        trace_file_lost(1);
    return true;
}

static bool enter_simply(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    uint32_t depth = t->depth;
    if (depth >= CALL_LIST_MAX)
        return false;
    t->depth = depth + 1; /* first: a handler's calls go behind */
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    t->calls[depth].at = at;
    t->calls[depth].id = probe;
    t->calls[depth].target = 0;
    t->calls[depth].start = __builtin_ia32_rdtsc();
    return true;
}

/* A call of an experiment's target, that has no record. */
static bool delay_simply(enum site_kind kind, uintptr_t at)
{
    if (clock_kind != TRACE_CLOCK_TSC)
        return false;
    return kind == SITE_ENTER ? delay_enter_simply(at) : kind != SITE_LEAVE || delay_leave_simply();
}

/* `now` is the time of a call that is left; but in experiments, where it was not asked for. False: the slow way has to do
 * it. */
bool site_hit_target(uint32_t word, uintptr_t at, uint64_t rax, uint64_t now)
{
    struct vprof_thread_1 *t = &log_self.direct;
    enum site_kind kind = word & 3;
    if (delay_is_on()) {
        unsigned role = sites_role(word >> 2);
        if (role != TRACE_PROBE_RECORDED)
            return role == TRACE_PROBE_TARGET && delay_simply(kind, at);
        now = __builtin_ia32_rdtsc();
    }
    if (!is_simple() || (frames_are_on_several_stacks() && !stacks_is_here(at)))
        return false;
    if (kind == SITE_ENTER)
        return enter_simply(t, word >> 2, at);
    if (!t->depth)
        return false;
    if (kind == SITE_LEAVE)
        return leave_simply(t, word >> 2, at, now);
    if (!is_top(t, word >> 2, at))
        return true;
    if (kind == SITE_TARGET)
        set_target(&t->calls[t->depth - 1], &log_self.targets[t->depth - 1], rax);
    else
        t->calls[t->depth - 1].start = __builtin_ia32_rdtsc();
    return true;
}

/* ---- all other cases ---- */

/* The code was changed since this thread's last site: what it is in was entered by other code.
 * False: it is being changed. */
static bool is_settled(void)
{
    uint32_t epoch = __atomic_load_n(&sites_now.epoch, __ATOMIC_ACQUIRE);
    if ((log_self.sites_epoch & ~LOG_FLAGS) != epoch) {
        frames_forget();
        log_self.sites_epoch = epoch | (log_self.sites_epoch & LOG_SEVERAL);
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

/* `in_handler` tells that another site was interrupted, which the calls must not be moved under. */
static void enter(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at, bool in_handler,
                  bool arrived)
{
    if (arrived)
        frames_arrive(at, probe);
    if (frames_any_jump())
        jumps_entered(at - 1, at, probe);
    if (t->depth == CALL_LIST_MAX)
        forget_switched_off(t);
    if (t->depth >= CALL_LIST_MAX && (in_handler || !frames_make_room())) {
        t->depth++;
        return;
    }
    push(t, probe, at);
}

#define GROWTH_MAX_BYTES (UINT64_C(8) << 20) /* of a frame: the usual limit of a whole stack */

/* The distance from where a call is left is 0 if it was entered there, 1 within its frame, and more
 * if that has grown much since, by a large array. UINTPTR_MAX: it is another call that is left. */
static uintptr_t distance(const struct vprof_call_1 *call, uint32_t probe, uintptr_t at)
{
    uintptr_t above = call->at - at;
    if (call->id != probe)
        return UINTPTR_MAX;
    if (above + FRAMES_NEAR_BYTES < 2 * FRAMES_NEAR_BYTES)
        return above != 0;
    return above < GROWTH_MAX_BYTES ? above : UINTPTR_MAX;
}

/* The call that is left here is the nearest, and of several as near the innermost. */
static bool find(uint32_t probe, uintptr_t at, uint32_t *index)
{
    uintptr_t nearest = UINTPTR_MAX;
    for (uint32_t i = call_list_count(); i-- > 0 && nearest != 0;) {
        uintptr_t now = distance(call_list_at(i), probe, at);
        if (now < nearest) {
            nearest = now;
            *index = i;
        }
    }
    return nearest != UINTPTR_MAX;
}

/* A call that is not known here may have a part on another thread. */
static void leave_unknown(uint32_t probe, uint64_t now)
{
    struct open_call call = {.call = {.start = log_self.came, .id = probe}};
    call.call.target = CALL_PART;
    call.began = log_self.came;
    if (log_self.came)
        frames_record(&call, now, TRACE_RETURNED);
    else
        trace_file_lost(1);
}

static void leave_slowly(struct vprof_thread_1 *t, uint32_t probe, uintptr_t at)
{
    uint64_t now = clock_now();
    uint32_t index;
    if (t->depth > CALL_LIST_MAX) {
        t->depth--;
        trace_file_lost(1);
    } else if (find(probe, at, &index)) {
        struct open_call call = call_list_copy(index);
        jumps_left(index, now);
        frames_record(&call, now, TRACE_RETURNED);
    } else if (sites_are_as_begun()) {
        leave_unknown(probe, now);
    }
}

static void hit(struct vprof_thread_1 *t, uint32_t word, uintptr_t at, uint64_t rax,
                bool in_handler, bool arrived)
{
    uint32_t probe = word >> 2, index;
    enum site_kind kind = word & 3;
    if (!in_handler && t->depth == 0 && log_self.outer_count && kind != SITE_ENTER)
        frames_fill();
    if (kind == SITE_ENTER)
        enter(t, probe, at, in_handler, arrived);
    else if (kind == SITE_LEAVE)
        leave_slowly(t, probe, at);
    else if (t->depth <= CALL_LIST_MAX && find(probe, at, &index)) {
        if (kind == SITE_TARGET)
            set_target(call_list_at(index), call_list_target(index), rax);
        else
            call_list_at(index)->start = clock_now();
    }
}

/* In an experiment, what is not recorded may be its target all the same. */
static bool is_recorded(uint32_t word, uintptr_t at)
{
    unsigned role = sites_role(word >> 2);
    enum site_kind kind = word & 3;
    if (kind == SITE_ENTER && role & TRACE_PROBE_PROGRESS)
        marks_progress("", word >> 2);
    if (kind == SITE_ENTER && role & TRACE_PROBE_TARGET)
        delay_enter(at);
    if (kind == SITE_LEAVE && role & TRACE_PROBE_TARGET)
        delay_leave();
    return role & TRACE_PROBE_RECORDED;
}

/* A handler that comes while the calls of two stacks are exchanged finds none of them. */
void site_hit_slow(uint32_t word, uintptr_t at, uint64_t rax)
{
    int error = errno;
    bool in_handler = log_self.at_site;
    if (delay_is_on() && !is_recorded(word, at)) {
        errno = error;
        return;
    }
    if (log_self.moving) {
        trace_file_lost((word & 3) == SITE_LEAVE);
        return;
    }
    bool settled = is_settled();
    log_self.at_site = true;
    bool arrived = !in_handler && stacks_look(at);
    if (settled)
        hit(&log_self.direct, word, at, rax, in_handler, arrived);
    log_self.at_site = in_handler;
    errno = error;
}

#else

struct site_hooks site_hit_hooks(void)
{
    return (struct site_hooks){NULL, NULL, NULL, 1};
}

#endif
