#include "runtime/stacks.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/clock.h"
#include "runtime/frames.h"
#include "runtime/pages.h"
#include "runtime/saved_calls.h"
#include "runtime/stacks_shared.h"

enum { STACKS_MAX = 1 << 14, NOWHERE = -1 };
enum { OWN_KIB_USUAL = 8 << 10 }; /* the usual RLIMIT_STACK, which new threads get */
#define NEAR_BYTES FRAMES_NEAR_BYTES
#define FAR_BYTES FRAMES_FAR_BYTES
#define MAIN_BYTES ((uintptr_t)64 << 20) /* nothing else is so near below the main thread's */

/* A stack is [low, high). One that has no known bounds is what calls were seen at, and some more.
 */
struct stack {
    uintptr_t low, high;
    saved_calls calls;   /* while the thread is elsewhere */
    saved_calls *shared; /* the same where other threads may come to the stack, too */
    bool bounded;
};

/* The list ascends by `high`. A stack may lie in another one, as one in the main thread's does, and
 * comes before it. */
struct stacks {
    uint32_t count, current;
    uintptr_t own_high;
    struct stack list[STACKS_MAX];
};

static uintptr_t main_low;
static pthread_t main_thread;

void stacks_start_up(void)
{
    struct rlimit limit = {0, 0};
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), bytes = MAIN_BYTES;
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur > bytes)
        bytes = limit.rlim_cur;
    main_thread = pthread_self();
    main_low = here > bytes ? here - bytes : 0;
}

uint32_t stacks_own_kib(const void *attributes)
{
    pthread_attr_t usual;
    size_t bytes = 0;
    if (!attributes && pthread_attr_init(&usual) != 0)
        return 0;
    pthread_attr_getstacksize(attributes ? attributes : &usual, &bytes);
    if (!attributes)
        pthread_attr_destroy(&usual);
    return bytes >> 10 < UINT32_MAX ? (uint32_t)(bytes >> 10) : 0;
}

/* The C library keeps a thread's struct at the high end of its stack. */
static struct stack own_stack(void)
{
    uintptr_t self = (uintptr_t)pthread_self();
    uintptr_t kib = log_self.own_kib ? log_self.own_kib : OWN_KIB_USUAL;
    if (pthread_equal(pthread_self(), main_thread))
        return (struct stack){.low = main_low, .high = UINTPTR_MAX, .bounded = true};
    return (struct stack){.low = self - (kib << 10), .high = self, .bounded = true};
}

static bool holds(const struct stack *stack, uintptr_t at)
{
    return at >= stack->low && at < stack->high;
}

/* The stack is empty where the thread has no signal stack. */
static struct stack signal_stack(void)
{
    stack_t stack = {.ss_flags = SS_DISABLE};
    syscall(SYS_sigaltstack, NULL, &stack);
    uintptr_t low = (uintptr_t)stack.ss_sp;
    return (struct stack){.low = low,
                          .high = stack.ss_flags & SS_DISABLE ? low : low + stack.ss_size};
}

bool stacks_is_on_signal_stack_only(uintptr_t at, uintptr_t other)
{
    struct stack stack = signal_stack();
    return holds(&stack, at) && !holds(&stack, other);
}

/* ---- the list */

/* The search gives the first stack whose high end is above `at`. */
static uint32_t index_of(const struct stacks *s, uintptr_t at)
{
    uint32_t low = 0, high = s->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->list[middle].high > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The innermost stack that holds the address is found, or NOWHERE. */
static int find(const struct stacks *s, uintptr_t at)
{
    uint32_t index = index_of(s, at);
    if (index < s->count && holds(&s->list[index], at))
        return (int)index;
    index = index_of(s, s->own_high - 1);
    return index < s->count && holds(&s->list[index], at) ? (int)index : NOWHERE;
}

static saved_calls *calls_of(struct stack *stack)
{
    return stack->shared ? stack->shared : &stack->calls;
}

static void remove_at(struct stacks *s, uint32_t index)
{
    if (!s->list[index].shared)
        saved_calls_put(&s->list[index].calls, 0);
    s->count--;
    memmove(&s->list[index], &s->list[index + 1], (s->count - index) * sizeof *s->list);
    s->current -= s->current > index;
}

/* Stacks that are no more are in the way for ever where nothing is dropped. */
static void drop_others(struct stacks *s)
{
    for (uint32_t i = s->count; i-- > 0;)
        if (i != s->current && s->list[i].high != s->own_high)
            remove_at(s, i);
}

static uint32_t insert(struct stacks *s, struct stack stack)
{
    if (s->count == STACKS_MAX)
        drop_others(s);
    uint32_t index = index_of(s, stack.high);
    memmove(&s->list[index + 1], &s->list[index], (s->count - index) * sizeof *s->list);
    s->list[index] = stack;
    s->current += s->count > 0 && s->current >= index;
    s->count++;
    return index;
}

/* A thread that is on one stack only has no list. */
static struct stacks *thread_stacks(void)
{
    if (log_self.stacks || log_self.state == LOG_CLOSED)
        return log_self.stacks;
    struct stacks *fresh = pages_take(sizeof *fresh);
    if (!fresh)
        return NULL;
    struct stack own = own_stack();
    fresh->own_high = own.high;
    insert(fresh, own);
    log_self.stacks = fresh;
    frames_set_looks(log_self.looks);
    return fresh;
}

void stacks_end(void)
{
    struct stacks *s = log_self.stacks;
    log_self.stacks = NULL;
    for (uint32_t i = 0; s && i < s->count; i++)
        if (!s->list[i].shared)
            saved_calls_put(&s->list[i].calls, 0);
    if (s)
        pages_give(s, sizeof *s);
}

/* No other stack lies within the bounds around `at`. */
static void set_bounds(struct stacks *s, uintptr_t at)
{
    const struct stack *here = &s->list[s->current];
    uint32_t index = index_of(s, at);
    uintptr_t low = here->low, high = here->high;
    if (index > 0 && s->list[index - 1].high > low)
        low = s->list[index - 1].high;
    if (index < s->count && index != s->current && s->list[index].low > at &&
        s->list[index].low < high)
        high = s->list[index].low;
    log_self.stack_low = low;
    log_self.stack_bytes = high - low;
}

/* ---- from one to the other */

/* Until the end no call is entered or left on this thread, which only a handler could. */
uint32_t stacks_stop(void)
{
    uint32_t epoch = log_self.sites_epoch;
    log_self.moving = true;
    log_self.direct.jumped = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    log_self.sites_epoch = LOG_MOVING;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return epoch;
}

void stacks_go_on(uint32_t epoch)
{
    log_self.sites_epoch = epoch & ~LOG_FLAGS;
    frames_set_looks(log_self.looks);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    log_self.moving = false;
}

/* The jump that led off this stack has left none of its calls. */
static void suspend(struct stack *stack, uint64_t now, uint32_t epoch)
{
    saved_calls calls = 0;
    uint32_t count = call_list_count();
    for (uint32_t i = count; i-- > 0;) {
        struct vprof_call_1 *call = call_list_at(i);
        if (call->jump && call->jump == log_self.latest_jump)
            call->jump = 0;
        frames_suspend(i, now);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct open_call call = call_list_copy(i);
        call.epoch = epoch;
        saved_calls_add(&calls, &call);
    }
    saved_calls_put(calls_of(stack), calls);
    call_list_cut(0);
}

/* Calls below `end` belong to a stack that had the same memory before. */
static void resume(struct stack *stack, uint64_t now, uintptr_t end, uint32_t epoch)
{
    struct open_call call;
    saved_calls calls = saved_calls_take(calls_of(stack));
    while (saved_calls_first(&calls, &call))
        if (call.call.at >= end && call.epoch == epoch)
            frames_resume(&call, now);
}

static void go(struct stacks *s, uint32_t to, uintptr_t at, uintptr_t end)
{
    if (to != s->current) {
        uint64_t now = clock_now();
        uint32_t before = stacks_stop(), epoch = before & ~LOG_FLAGS;
        suspend(&s->list[s->current], now, epoch);
        s->current = to;
        resume(&s->list[to], now, end, epoch);
        log_self.latest_jump = 0;
        log_self.came = now;
        stacks_go_on(before);
    }
    set_bounds(s, at);
}

/* ---- stacks without known bounds */

static bool is_empty(struct stacks *s, uint32_t index)
{
    return index == s->current ? call_list_count() == 0 : !*calls_of(&s->list[index]);
}

/* A stack without calls is known only roughly: it grows up to an address that is near above it. */
static bool grow(struct stacks *s, uint32_t index, uintptr_t at)
{
    struct stack *stack = &s->list[index];
    if (stack->bounded || !is_empty(s, index) || at < stack->high || at - stack->high > FAR_BYTES)
        return false;
    uintptr_t room = index + 1 < s->count ? s->list[index + 1].low : UINTPTR_MAX;
    if (room <= at)
        room = UINTPTR_MAX;
    stack->high = at + NEAR_BYTES < room ? at + NEAR_BYTES : room;
    return true;
}

/* The innermost call of this stack is near above. */
static bool grow_down(struct stacks *s, uintptr_t at)
{
    struct stack *here = &s->list[s->current];
    uint32_t count = call_list_count();
    if (here->bounded || !count || at >= here->low || index_of(s, at) != s->current)
        return false;
    uintptr_t top = call_list_at(count - 1)->at;
    if (top - at > FAR_BYTES)
        return false;
    here->low = at > FAR_BYTES ? at - FAR_BYTES : 0;
    return true;
}

/* The new stack does not reach down to `below`. */
static uint32_t make(struct stacks *s, uintptr_t at, uintptr_t below)
{
    uint32_t index = index_of(s, at);
    struct stack stack = {.low = at > FAR_BYTES ? at - FAR_BYTES : 0, .high = at + NEAR_BYTES};
    if (below < at && stack.low <= below)
        stack.low = below + (at - below) / 2;
    if (index > 0 && s->list[index - 1].high > stack.low)
        stack.low = s->list[index - 1].high;
    if (index < s->count && s->list[index].low > at && s->list[index].low < stack.high)
        stack.high = s->list[index].low;
    if (index < s->count && s->list[index].high <= stack.high)
        stack.high = s->list[index].high - 1;
    return insert(s, stack);
}

static uint32_t find_or_make(struct stacks *s, uintptr_t at)
{
    int found = find(s, at);
    uint32_t index;
    if (found != NOWHERE)
        return (uint32_t)found;
    if (grow_down(s, at))
        return s->current;
    index = index_of(s, at);
    if (index > 0 && grow(s, index - 1, at))
        return index - 1;
    return make(s, at, 0);
}

/* A stack that was seen before is asked for nothing: it was no signal stack. */
static bool is_on_signal_stack(uintptr_t at)
{
    if (log_self.stacks && find(log_self.stacks, at) != NOWHERE)
        return false;
    struct stack stack = signal_stack();
    return holds(&stack, at);
}

static bool is_first_look(uintptr_t at)
{
    if (log_self.stacks || log_self.stack_bytes)
        return false;
    struct stack own = own_stack();
    log_self.stack_low = own.low;
    log_self.stack_bytes = own.high - own.low;
    return holds(&own, at);
}

bool stacks_are_same(uintptr_t a, uintptr_t b)
{
    is_first_look(a);
    return stacks_is_here(a) && stacks_is_here(b);
}

/* Until now nobody looked where the thread's calls were entered. */
static void part_first_calls(struct stacks *s)
{
    const struct stack own = s->list[s->current];
    uint32_t count = call_list_count(), index = 0;
    while (index < count && holds(&own, call_list_at(index)->at))
        index++;
    if (index < count)
        stacks_part(index, 0, clock_now());
}

static bool come(uintptr_t at)
{
    struct stacks *s = log_self.stacks;
    bool several = s;
    if (log_self.moving || is_first_look(at) || is_on_signal_stack(at))
        return false;
    if (!(s = thread_stacks())) { /* without memory there is one stack */
        log_self.stack_low = 0;
        log_self.stack_bytes = UINTPTR_MAX;
        return false;
    }
    if (!several)
        part_first_calls(s);
    uint32_t to = find_or_make(s, at);
    bool another = to != s->current;
    go(s, to, at, at > NEAR_BYTES ? at - NEAR_BYTES : 0);
    return another;
}

bool stacks_come(uintptr_t at)
{
    int error = errno;
    bool another = come(at);
    errno = error;
    return another;
}

/* ---- calls that were taken for others' */

bool stacks_may_differ(uintptr_t other, uintptr_t at)
{
    const struct stacks *s = log_self.stacks;
    bool bounded = !s || s->list[s->current].bounded;
    uintptr_t least = bounded ? FAR_BYTES : NEAR_BYTES;
    return at - other + NEAR_BYTES > least + NEAR_BYTES;
}

/* A call was entered where this stack can't have it. */
static uint32_t make_for(struct stacks *s, uintptr_t at, uintptr_t below)
{
    int found = find(s, at);
    return found != NOWHERE && (uint32_t)found != s->current ? (uint32_t)found : make(s, at, below);
}

void stacks_part(uint32_t index, uintptr_t at, uint64_t now)
{
    struct stacks *s = thread_stacks();
    uint32_t count = call_list_count(), epoch = stacks_stop();
    for (uint32_t i = count; i-- > index;)
        frames_suspend(i, now);
    for (uint32_t i = index; s && i < count; i++) {
        struct open_call call = call_list_copy(i);
        saved_calls *kept = calls_of(&s->list[make_for(s, call.call.at, at)]);
        saved_calls calls = saved_calls_take(kept);
        call.epoch = epoch & ~LOG_FLAGS;
        saved_calls_add(&calls, &call);
        saved_calls_put(kept, calls);
    }
    call_list_cut(index);
    stacks_go_on(epoch);
    log_self.stack_bytes = s ? 0 : log_self.stack_bytes;
}

/* ---- contexts */

/* Another stack was in this memory before, or a part of this one was known by its calls. */
static void make_room_for(struct stacks *s, uintptr_t low, uintptr_t high)
{
    for (uint32_t i = index_of(s, low); i < s->count && s->list[i].high <= high + NEAR_BYTES;)
        if (i == s->current || (s->list[i].bounded && s->list[i].high > high))
            i++;
        else
            remove_at(s, i);
}

/* The bounds are those of a context that makecontext() has made. */
static uint32_t find_or_make_bounded(struct stacks *s, uintptr_t low, uintptr_t high)
{
    uint32_t index = index_of(s, high - 1);
    if (index < s->count && s->list[index].low == low && s->list[index].high == high &&
        s->list[index].bounded)
        return index;
    make_room_for(s, low, high);
    return insert(
        s, (struct stack){
               .low = low, .high = high, .bounded = true, .shared = stacks_shared_calls(high)});
}

bool stacks_go(uintptr_t at, uintptr_t low, size_t size)
{
    struct stacks *s = log_self.moving ? NULL : thread_stacks();
    if (!s)
        return true;
    uint32_t to = size ? find_or_make_bounded(s, low, low + size) : find_or_make(s, at);
    log_self.latest_jump = 0;
    if (to == s->current)
        return false;
    go(s, to, at, at);
    return true;
}
