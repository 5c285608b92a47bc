#include "runtime/delay.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

#include "runtime/break_point.h"
#include "runtime/clock.h"
#include "runtime/delay_window.h"
#include "runtime/log.h"
#include "runtime/shared_file.h"
#include "runtime/step.h"
#include "runtime/system.h"
#include "runtime/target_code.h"

/* In one go nobody sleeps longer: the experiment may end meanwhile. */
#define SLEEP_MOST_NS UINT64_C(10000000)
/* A shorter stretch has most probably had its processor all the time, and is what the clock says; to ask for a thread's
 * time on processors takes half a microsecond, which is done so often at the most. */
#define LONG_NS UINT64_C(50000)

/* Nobody waits for what a thread does between its releases: there it waits for larger debts, which
 * take fewer sleeps. */
enum { STEP_DEBTS = 5 };
/* How late sleeps end is the mean of the latest; a long pause of the machine is no part of it. */
#define LATE_MOST_NS UINT64_C(200000)
enum { LATE_OF = 8 };

struct trace_delays *delay_shared;

struct delay_thread {
    uint64_t epoch_ticks; /* when the thread came to its experiment */
    uint32_t target;      /* that the next two and `inside` are of */
    uintptr_t at;         /* where the outermost lies */
    uintptr_t lock;       /* it is what is done while this is held; 0: it is no lock */
    uint64_t call_ns;     /* its time so far */
    uint64_t since;       /* ticks, until which that is told */
    uint64_t asked;       /* ticks, when the thread's time on processors was asked for last */
    uint64_t asked_ns;    /* and what it was */
    uint64_t queued_ns; /* that it was ready since its latest wait, and others had the processor */
    long sleeps;        /* of the thread, until then */
    bool blocks;        /* it may be waiting: for what, is told afterwards */
    bool was_long;      /* the latest call */
    uint32_t busy;
    uint64_t late_ns; /* that a sleep takes longer than it should, as of late */
    uint64_t
        step_ns; /* its time on processors at its last step in code that may be the target; 0: none */
};

__thread struct delay_own delay_own;
static __thread struct delay_thread self __attribute__((tls_model("initial-exec")));

static struct trace_calibration began;
static uint32_t process; /* its id: to ask for it takes a system call */
static bool has_logs;

/* ---- one thread at its sums ---- */

/* False: they are in hand already, and this is a handler that came in between. */
static bool take(void)
{
    if (self.busy)
        return false;
    self.busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return true;
}

static void give(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    self.busy = 0;
}

static uint64_t load(const uint64_t *shared)
{
    return __atomic_load_n(shared, __ATOMIC_RELAXED);
}

static void add(uint64_t *shared, uint64_t amount)
{
    __atomic_fetch_add(shared, amount, __ATOMIC_RELAXED);
}

static uint32_t epoch_now(void)
{
    return __atomic_load_n(&delay_shared->epoch, __ATOMIC_ACQUIRE);
}

/* ---- the target's time ---- */

static void ask(uint64_t now)
{
    uint64_t asked_ns = clock_processor_ns(), ns = clock_ns(now - self.asked);
    uint64_t ran = asked_ns - self.asked_ns;
    self.queued_ns += ns > ran ? ns - ran : 0;
    self.asked_ns = asked_ns;
    self.asked = now;
}

/* Until now it had no processor because it wanted none. */
static void has_waited(void)
{
    ask(clock_now());
    self.queued_ns = 0;
    self.sleeps = system_sleeps();
    self.blocks = false;
}

static bool asked_lately(uint64_t now)
{
    return clock_ns(now - self.asked) < LONG_NS;
}

/* Where calls are short, the thread is taken to have run since it was asked lately. */
static bool is_asked(uint64_t now)
{
    return !self.was_long && asked_lately(now);
}

/* A stretch of the target's time begins. */
static void restart(void)
{
    self.since = clock_now();
    if (!is_asked(self.since))
        ask(self.since);
}

static uint64_t had_processor(uint64_t now, uint64_t most_ns)
{
    uint64_t before = clock_ns(self.since - self.asked), asked_ns = self.asked_ns;
    ask(now);
    uint64_t had = self.asked_ns - asked_ns;
    had = had > before ? had - before : 0;
    return had < most_ns ? had : most_ns;
}

static uint64_t spent_since(void)
{
    uint64_t now = clock_now(), ns = clock_ns(now - self.since);
    if (ns > LONG_NS)
        ns = had_processor(now, ns);
    self.since = now;
    return ns;
}

static void note(uint64_t ns, enum trace_kind kind)
{
    struct trace_spent *r = has_logs ? log_reserve(sizeof *r) : NULL;
    if (!r)
        return;
    r->spent_ns = ns;
    log_commit(&r->head, clock_now(), kind);
}

/* The thread has had that much of what all others are to wait for. */
static void grant_time(uint64_t spent)
{
    uint64_t part = spent * delay_shared->share / TRACE_EXPERIMENT_WHOLE;
    self.call_ns += spent;
    add(&delay_shared->target_ns, spent);
    if (delay_shared->noted)
        note(spent, TRACE_SPENT);
    if (part) {
        delay_own.delay_ns += part;
        add(&delay_shared->granted_ns, part);
    }
}

static void grant(void)
{
    grant_time(spent_since());
}

static void grant_if_inside(void)
{
    if (delay_own.inside)
        grant();
}

static void restart_if_inside(void)
{
    if (delay_own.inside)
        restart();
}

static void count_call(void)
{
    uint64_t us = self.call_ns / 1000;
    add(&delay_shared->calls, 1);
    add(&delay_shared->squares_us2, us * us);
    self.was_long = self.call_ns > LONG_NS;
    self.call_ns = 0;
}

/* ---- debts ---- */

static bool owes(uint64_t more_than)
{
    return (int64_t)(load(&delay_shared->granted_ns) - delay_own.delay_ns) > (int64_t)more_than;
}

static uint64_t *processor_delay(void)
{
    return &delay_shared->processors[(unsigned)sched_getcpu() % TRACE_DELAYS_PROCESSORS];
}

/* Who is ready to run on this processor then need not have waited longer than this thread. */
static void leave_processor(void)
{
    __atomic_store_n(processor_delay(), delay_own.delay_ns, __ATOMIC_RELAXED);
}

/* A processor is as a lock: who was ready for it so long is let off what the thread that had it has waited. A shorter
 * time is what it takes to wake up. */
static void let_off_queue(uint64_t queued_ns)
{
    int64_t most_ns = (int64_t)(load(processor_delay()) - delay_own.delay_ns);
    if (queued_ns > LONG_NS && most_ns > 0)
        delay_own.delay_ns += queued_ns < (uint64_t)most_ns ? queued_ns : (uint64_t)most_ns;
}

/* A thread that has waited for what nobody tells us of, as in sigwait, had no processor either, but wanted none. */
static void leave_queue(void)
{
    long sleeps = system_sleeps();
    if (!self.blocks && sleeps == self.sleeps)
        let_off_queue(self.queued_ns);
    self.sleeps = sleeps;
}

/* The target's time so far has been granted; it goes on from here. */
static void take_turn(void)
{
    ask(clock_now());
    if (self.queued_ns > LONG_NS)
        leave_queue();
    self.queued_ns = 0;
    self.since = self.asked;
}

/* The kernel may let others' sleeps end later, to wake once for several: not this one. */
static void sleep_ns(uint64_t ns)
{
    enum { SET_SLACK = 29, GET_SLACK = 30 };
    long slack = syscall(SYS_prctl, GET_SLACK, 0ul, 0ul, 0ul, 0ul);
    struct timespec time = {0, (long)ns};
    syscall(SYS_prctl, SET_SLACK, 1ul, 0ul, 0ul, 0ul);
    syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL);
    syscall(SYS_prctl, SET_SLACK, slack, 0ul, 0ul, 0ul);
}

/* All threads are to be late alike, not the ones that sleep: a sleep is shorter by as much as the
 * ones before took too long. */
static void sleep_once(void)
{
    uint64_t debt = load(&delay_shared->granted_ns) - delay_own.delay_ns;
    uint64_t wanted = debt < SLEEP_MOST_NS ? debt : SLEEP_MOST_NS;
    uint64_t asked = wanted > 2 * self.late_ns ? wanted - self.late_ns : wanted / 2;
    leave_processor();
    uint64_t before = clock_monotonic_ns();
    sleep_ns(asked);
    uint64_t slept = clock_monotonic_ns() - before;
    has_waited();
    uint64_t late = slept > asked ? slept - asked : 0;
    late = late < LATE_MOST_NS ? late : LATE_MOST_NS;
    self.late_ns = (self.late_ns * (LATE_OF - 1) + late) / LATE_OF;
    delay_own.delay_ns += slept;
    add(&delay_shared->paid_ns, slept);
    if (slept > wanted)
        add(&delay_shared->over_ns, slept - wanted);
}

/* A target's time does not pass meanwhile. */
static void pay(void)
{
    uint64_t small = delay_shared->pay_ns;
    if (!owes(small))
        return;
    int error = errno;
    grant_if_inside();
    take_turn();
    while (owes(small) && epoch_now() == delay_own.epoch)
        sleep_once();
    restart_if_inside();
    errno = error;
}

/* ---- experiments ---- */

/* What the thread owes or has waited too long is of the last experiment. */
static void begin_epoch(uint32_t epoch)
{
    int error = errno;
    if (self.target != delay_shared->target)
        delay_own.inside = 0, self.lock = 0;
    self.target = delay_shared->target;
    delay_own.epoch = epoch;
    self.epoch_ticks = clock_now();
    delay_own.delay_ns = load(&delay_shared->granted_ns);
    self.call_ns = 0;
    self.step_ns = delay_shared->kind == TRACE_DELAY_CODE ? clock_processor_ns() : 0;
    has_waited();
    restart();
    clock_learn(began, clock_calibrate());
    step_every(delay_shared->step_ns);
    if (!break_point_check())
        add(&delay_shared->places_lost, 1);
    errno = error;
}

/* False: the thread has come to another experiment just now. */
static bool look(void)
{
    uint32_t epoch = epoch_now();
    if (__builtin_expect(epoch == delay_own.epoch, 1))
        return true;
    begin_epoch(epoch);
    int error = errno;
    target_code_find(delay_shared);
    errno = error;
    return false;
}

/* ---- what the thread does ---- */

/* The call is none within another one; a jump may have left one that lies where this one does, or below. */
static bool is_outermost(uintptr_t at)
{
    return !delay_own.inside || at >= self.at;
}

static void enter(uintptr_t at)
{
    delay_own.inside = 1;
    self.at = at;
}

void delay_enter(uintptr_t at)
{
    if (!take())
        return;
    look();
    if (is_outermost(at)) {
        enter(at);
        restart();
    } else
        delay_own.inside++;
    give();
}

void delay_leave(void)
{
    if (!take())
        return;
    look();
    if (delay_own.inside == 1) {
        grant();
        count_call();
    }
    if (delay_own.inside && --delay_own.inside == 0)
        pay();
    give();
}

bool delay_enter_simply(uintptr_t at)
{
    uint64_t now = clock_now();
    bool outermost = is_outermost(at);
    if (epoch_now() != delay_own.epoch || (outermost && !is_asked(now)) || !take())
        return false;
    if (outermost) {
        enter(at);
        self.since = now;
    } else
        delay_own.inside++;
    give();
    return true;
}

/* False: the outermost call took long. */
static bool leave_short(void)
{
    uint64_t now = clock_now(), ns = clock_ns(now - self.since);
    if (ns > LONG_NS)
        return false;
    self.since = now;
    grant_time(ns);
    count_call();
    delay_own.inside = 0;
    return true;
}

bool delay_leave_simply(void)
{
    if (delay_is_due() || delay_shared->noted || !take()) /* a record may take a function of libc */
        return false;
    bool done = delay_own.inside == 0 || (delay_own.inside == 1 && leave_short());
    if (delay_own.inside > 1) {
        delay_own.inside--;
        done = true;
    }
    give();
    return done;
}

/* What is done while the lock is held has ended. */
static void unlock(void)
{
    count_call();
    delay_own.inside = 0;
    self.lock = 0;
}

void delay_locked(uintptr_t object)
{
    if (!object || !take())
        return;
    look();
    if (!delay_own.inside) {
        delay_own.inside = 1;
        self.at = UINTPTR_MAX;
        self.lock = object;
        restart();
    }
    give();
}

bool delay_holds(uintptr_t object)
{
    return delay_own.inside && self.lock == object;
}

void delay_release(uintptr_t object)
{
    if (!take())
        return;
    look();
    grant_if_inside();
    if (delay_own.inside && self.lock == object)
        unlock();
    pay();
    delay_tell_release(object, clock_now());
    give();
}

/* What sleeps and small debts make uncertain is let pass. */
static void follow(const struct trace_delays_release *slot, uint64_t ticks)
{
    uint64_t since = clock_ns(clock_now() - ticks);
    int64_t early = (int64_t)(delay_own.delay_ns - load(&slot->delay_ns)) - (int64_t)since;
    if (early > (int64_t)delay_shared->pay_ns)
        delay_own.delay_ns -= (uint64_t)early - delay_shared->pay_ns;
}

void delay_taken(uintptr_t object)
{
    const struct trace_delays_release *slot = trace_delays_slot(delay_shared, object);
    uint64_t ticks = __atomic_load_n(&slot->ticks, __ATOMIC_ACQUIRE);
    if (!ticks || __atomic_load_n(&slot->object, __ATOMIC_RELAXED) != object || !take())
        return;
    if (look() && ticks > self.epoch_ticks)
        follow(slot, ticks);
    give();
}

void delay_block(void)
{
    if (!take())
        return;
    look();
    grant_if_inside();
    if (owes(delay_shared->pay_ns))
        take_turn();
    leave_processor();
    self.blocks = true;
    give();
}

void delay_went_on(void)
{
    self.blocks = false;
}

/* The thread was blocked for so long before it was released by one with that delay. */
static void let_off(uint64_t blocked_ns, uint64_t delay_ns)
{
    if (delay_own.delay_ns + blocked_ns < delay_ns)
        delay_own.delay_ns += blocked_ns;
    else if (delay_own.delay_ns < delay_ns)
        delay_own.delay_ns = delay_ns;
    else if (delay_own.delay_ns > delay_ns + delay_shared->pay_ns)
        delay_own.delay_ns = delay_ns + delay_shared->pay_ns;
}

static void let_off_by(uint64_t start, uintptr_t object, enum delay_waker waker)
{
    uint64_t now = clock_now();
    const struct trace_delays_release *slot = trace_delays_slot(delay_shared, object);
    uint64_t released = __atomic_load_n(&slot->ticks, __ATOMIC_ACQUIRE);
    if (waker == DELAY_BY_THREAD && released - start <= now - start) {
        let_off(clock_ns(released - start), load(&slot->delay_ns));
        let_off_queue(clock_ns(now - released));
    } else
        let_off(clock_ns(now - start), load(&delay_shared->granted_ns));
}

/* The processor's time has not passed, and the wait is told. */
static void go_on(void)
{
    restart_if_inside();
    pay();
}

void delay_woken(uint64_t start_ticks, uintptr_t object, enum delay_waker waker)
{
    if (waker == DELAY_BY_SOCKET && delay_shared->noted)
        note(clock_ns(clock_now() - start_ticks), TRACE_APART);
    if (waker == DELAY_BY_SOCKET && !delay_shared->peers) {
        delay_device(start_ticks, TRACE_WAIT_NETWORK);
        return;
    }
    if (!take())
        return;
    has_waited();
    if (look())
        let_off_by(start_ticks, object, waker);
    go_on();
    give();
}

static bool is_target(unsigned class)
{
    return (delay_shared->kind == TRACE_DELAY_WAITS && delay_shared->classes & class) ||
           (delay_shared->kind == TRACE_DELAY_LOCK && delay_own.inside);
}

/* A wait that began in another experiment is of none. Who has slept may look at a clock how late it is, and sleep
 * less the next time: what is owed is waited for later, before anybody sees what the thread does. */
void delay_device(uint64_t start_ticks, unsigned class)
{
    if (!take())
        return;
    has_waited();
    if (look() && is_target(class)) {
        grant_time(clock_ns(clock_now() - start_ticks));
        if (delay_shared->kind == TRACE_DELAY_WAITS)
            count_call();
    }
    if (class == TRACE_WAIT_TIMER)
        restart_if_inside();
    else
        go_on();
    give();
}

/* What it was let off later would seem to be of what it does from now on. */
static void take_turn_anew(void)
{
    if (!asked_lately(clock_now()))
        take_turn();
}

struct delay_stamp delay_stamp(unsigned what, unsigned long id)
{
    bool held = take();
    if (held) {
        look();
        grant_if_inside();
        take_turn_anew();
        delay_window_mark(delay_shared, process, what, id);
    }
    return (struct delay_stamp){delay_own.delay_ns, held};
}

void delay_stamped(struct delay_stamp stamp)
{
    if (!stamp.held)
        return;
    pay();
    give();
}

void delay_pay(void)
{
    if (!take())
        return;
    look();
    pay();
    give();
}

/* No step comes within a system call, and some are passed over: all time since the last one is this one's. */
static uint64_t stepped_ns(const struct step *taken)
{
    uint64_t before = self.step_ns;
    self.step_ns = clock_processor_ns();
    return before ? self.step_ns - before : taken->length_ns;
}

static void step_code(const struct step *taken)
{
    uint64_t ns = stepped_ns(taken);
    if (target_code_has(taken))
        grant_time(ns);
}

/* The thread has run for a step. All signals wait until the handler is through; the loader can't be asked in one. */
static void step(const struct step *taken)
{
    if (!take())
        return;
    uint32_t epoch = epoch_now();
    bool code = delay_shared->kind == TRACE_DELAY_CODE;
    if (code && !target_code_known(delay_shared)) {
        delay_own.epoch = 0; /* then look() finds it */
        give();
        return;
    }
    if (epoch != delay_own.epoch)
        begin_epoch(epoch);
    add(&delay_shared->steps, 1);
    if (code)
        step_code(taken);
    grant_if_inside();
    /* What it was ready for is granted later, and kept until then. */
    if (owes(delay_shared->pay_ns))
        take_turn();
    leave_processor();
    if (!self.blocks && owes(STEP_DEBTS * (uint64_t)delay_shared->pay_ns)) {
        sleep_once();
        restart_if_inside();
    }
    give();
}

/* ---- the process ---- */

static bool is_ours(const struct trace_delays *delays)
{
    return memcmp(delays->magic, TRACE_DELAYS_MAGIC, sizeof delays->magic) == 0 &&
           delays->version == TRACE_DELAYS_VERSION && delays->bytes == sizeof *delays;
}

static struct trace_delays *map_file(void)
{
    struct stat s;
    long fd = shared_file_find(TRACE_DELAYS_NAME);
    void *file = MAP_FAILED;
    if (fd < 0)
        return NULL;
    if (fstat((int)fd, &s) == 0 && s.st_size >= (off_t)sizeof(struct trace_delays))
        file =
            mmap(NULL, sizeof(struct trace_delays), PROT_READ | PROT_WRITE, MAP_SHARED, (int)fd, 0);
    system_close((int)fd);
    if (file != MAP_FAILED && !is_ours(file)) {
        munmap(file, sizeof(struct trace_delays));
        file = MAP_FAILED;
    }
    return file == MAP_FAILED ? NULL : file;
}

static void join(void)
{
    process = (uint32_t)getpid();
    uint64_t place = __atomic_fetch_add(&delay_shared->member_count, 1, __ATOMIC_RELAXED);
    if (place < TRACE_DELAYS_MEMBERS)
        __atomic_store_n(&delay_shared->members[place], process, __ATOMIC_RELAXED);
}

void delay_start(bool records)
{
    has_logs = has_logs || records;
    if (!delay_shared) {
        struct trace_delays *delays = map_file();
        if (!delays)
            return;
        began = clock_calibrate();
        delay_shared = delays;
        join();
    }
    if ((records || delay_shared->sampled) && !step_start(step))
        add(&delay_shared->steps_refused, 1);
    if (delay_shared->sampled)
        look(); /* what computes alone may never do it by itself */
}

/* Its steps are its own. */
void delay_forked(void)
{
    if (!delay_shared)
        return;
    join();
    step_forked();
    delay_own.epoch = 0;
    self.busy = 0;
}
