/* unwind_compare [-n STOPS] [-c] [-b BYTES] COMMAND... - stops threads of the command at odd moments, and finds
 * their calls in two ways: sampler/unwinder.h and elfutils' own unwinder. Prints one JSON object: how many
 * stacks were the same, how long each way took, and with -c each different chain of functions, innermost first.
 *
 * The command's process alone is looked at, with all of its threads; a process that it becomes by exec is, too.
 */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "dwfl_walk.h"

enum { MOST_THREADS = 64, MOST_FRAMES = 400, MOST_STACK = 1 << 20 };

struct chain {
    char *text;
    uint64_t count;
};

static struct {
    size_t stops, stack_bytes;
    bool chains;
    pid_t pid, tids[MOST_THREADS];
    size_t tid_count;
    pid_t asked; /* to stop, and has not been looked at */
    struct object_set objects;
    struct unwinder *unwinder;
    struct dwfl_walk *dwfl;
    uint64_t stacks, same, more, less, different, cut[TRACE_CUTS], frames, fast_ns, dwfl_ns;
    struct str first_difference;
    struct chain chain[256];
    size_t chain_count;
    bool ended;
} all = {.stops = 2000, .stack_bytes = 16 << 10};

/* ---- registers ---- */

#if defined(__x86_64__)
static void take_registers(uint64_t *to, const struct user_regs_struct *r)
{
    uint64_t given[] = {r->rax, r->rbx, r->rcx, r->rdx, r->rsi, r->rdi, r->rbp, r->rsp, r->rip,
                        r->r8,  r->r9,  r->r10, r->r11, r->r12, r->r13, r->r14, r->r15};
    memcpy(to, given, sizeof given);
}
static uint64_t stack_pointer(const struct user_regs_struct *r)
{
    return r->rsp;
}
#else
static void take_registers(uint64_t *to, const struct user_regs_struct *r)
{
    memcpy(to, r->regs, sizeof r->regs);
    to[31] = r->sp;
    to[32] = r->pc;
}
static uint64_t stack_pointer(const struct user_regs_struct *r)
{
    return r->sp;
}
#endif

/* ---- one stack ---- */

/* As the kernel does: as far as there is something. */
static size_t copy_stack(char *to, uint64_t from)
{
    size_t copied = 0;
    while (copied < all.stack_bytes) {
        size_t part = 4096 - (from + copied) % 4096;
        part = part < all.stack_bytes - copied ? part : all.stack_bytes - copied;
        struct iovec here = {to + copied, part}, there = {(void *)(uintptr_t)(from + copied), part};
        if (process_vm_readv(all.pid, &here, 1, &there, 1, 0) != (ssize_t)part)
            break;
        copied += part;
    }
    return copied;
}

static void tell_difference(const uint64_t *fast, size_t fast_count, const uint64_t *slow,
                            size_t slow_count)
{
    if (all.first_difference.length)
        return;
    for (size_t i = 0; i < fast_count || i < slow_count; i++)
        str_printf(&all.first_difference, "%s%s/%s", i ? " " : "",
                   i < fast_count ? dwfl_walk_name(all.dwfl, fast[i]) : "-",
                   i < slow_count ? dwfl_walk_name(all.dwfl, slow[i]) : "-");
}

/* Where ours gives up, the other one may go on by addresses that are in no code. */
static void compare(const uint64_t *fast, size_t fast_count, const uint64_t *slow,
                    size_t slow_count, enum trace_cut cut)
{
    size_t least = fast_count < slow_count ? fast_count : slow_count;
    bool same = memcmp(fast, slow, least * sizeof *fast) == 0;
    if (same && (fast_count == slow_count || (cut && fast_count < slow_count)))
        all.same++;
    else if (same && fast_count > slow_count)
        all.more++;
    else if (same)
        all.less++;
    else
        all.different++;
    if (!same)
        tell_difference(fast, fast_count, slow, slow_count);
}

static void keep_chain(const uint64_t *addresses, size_t count, enum trace_cut cut)
{
    struct str text = {0};
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        str_printf(&text, "%s%s", i ? " " : "", dwfl_walk_name(all.dwfl, addresses[i]));
    if (cut)
        str_printf(&text, " cut:%d", cut);
    while (at < all.chain_count && strcmp(all.chain[at].text, text.data) != 0)
        at++;
    if (at == all.chain_count && at < sizeof all.chain / sizeof *all.chain)
        all.chain[all.chain_count++].text = memory_strdup(text.data);
    if (at < all.chain_count)
        all.chain[at].count++;
    str_release(&text);
}

/* What the recorder's events tell it: that something was mapped. */
static void follow_maps(void)
{
    static struct str known;
    char path[64], part[4096];
    size_t got;
    struct str text = {0};
    snprintf(path, sizeof path, "/proc/%d/maps", (int)all.pid);
    FILE *file = fopen(path, "re");
    while (file && (got = fread(part, 1, sizeof part, file)) > 0)
        str_append_bytes(&text, part, got);
    if (file)
        fclose(file);
    bool changed = strcmp(str_text(&text), str_text(&known)) != 0;
    str_release(&known);
    known = text;
    if (!changed)
        return;
    process_maps_forget(unwinder_maps(all.unwinder), 0, UINT64_MAX, 0);
    dwfl_walk_read_maps(all.dwfl);
}

#define USER_ADDRESS ((UINT64_C(1) << 47) - 1)

static void look(pid_t tid)
{
    static char stack[MOST_STACK];
    struct user_regs_struct registers;
    struct iovec io = {&registers, sizeof registers};
    uint64_t given[64], fast[MOST_FRAMES], slow[MOST_FRAMES];
    if (ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &io) != 0 || io.iov_len != sizeof registers)
        return;
    take_registers(given, &registers);
    follow_maps();
    struct unwinder_thread thread = {.registers = given,
                                     .stack = stack,
                                     .stack_bytes = copy_stack(stack, stack_pointer(&registers))};
    enum trace_cut cut;
    bool whole;
    uint64_t before = clock_ns();
    size_t fast_count = unwinder_walk(all.unwinder, &thread, fast, MOST_FRAMES, &cut);
    uint64_t between = clock_ns();
    for (size_t i = 0; i < fast_count; i++)
        fast[i] &=
            USER_ADDRESS; /* behind it stands which program it was, where there were several */
    size_t slow_count = dwfl_walk_thread(all.dwfl, &thread, slow, MOST_FRAMES, &whole);
    all.dwfl_ns += clock_ns() - between;
    all.fast_ns += between - before;
    all.stacks++;
    all.frames += fast_count;
    all.cut[cut]++;
    compare(fast, fast_count, slow, slow_count, cut);
    if (all.chains)
        keep_chain(fast, fast_count, cut);
}

/* ---- threads that are stopped ---- */

static void add_thread(pid_t tid)
{
    for (size_t i = 0; i < all.tid_count; i++)
        if (all.tids[i] == tid)
            return;
    if (all.tid_count < MOST_THREADS)
        all.tids[all.tid_count++] = tid;
}

static void remove_thread(pid_t tid)
{
    for (size_t i = 0; i < all.tid_count; i++)
        if (all.tids[i] == tid)
            all.tids[i--] = all.tids[--all.tid_count];
    all.ended |= tid == all.pid;
}

static void take_event(pid_t tid, int event)
{
    unsigned long message = 0;
    ptrace(PTRACE_GETEVENTMSG, tid, NULL, &message);
    if (event == PTRACE_EVENT_CLONE)
        add_thread((pid_t)message);
    if (event == PTRACE_EVENT_EXEC)
        all.tid_count = 0, add_thread(tid);
}

/* True: the thread that was waited for stands still, or is no more; or there is nothing to wait for. */
static bool wait_for(pid_t wanted, int flags)
{
    int status;
    pid_t tid = waitpid(-1, &status, __WALL | flags);
    if (tid <= 0) {
        all.ended |= tid < 0 && errno == ECHILD;
        return all.ended || tid == 0;
    }
    if (!WIFSTOPPED(status)) {
        remove_thread(tid);
        return tid == wanted || all.ended;
    }
    int event = status >> 16;
    add_thread(tid);
    if (event == PTRACE_EVENT_STOP && tid == all.asked) {
        look(tid);
        all.asked = 0;
        ptrace(PTRACE_CONT, tid, NULL, NULL);
        return true;
    }
    take_event(tid, event);
    ptrace(PTRACE_CONT, tid, NULL, (void *)(intptr_t)(event ? 0 : WSTOPSIG(status)));
    return tid ==
           wanted; /* any other stop may have taken the place of the one that was asked for */
}

/* Meanwhile it goes on by itself: a signal is given to it at once. */
static void let_run(uint64_t ns)
{
    uint64_t end = clock_ns() + ns;
    for (; clock_ns() < end && !all.ended; usleep(20))
        wait_for(0, WNOHANG);
}

static void stop_one(void)
{
    let_run(20000 + (uint64_t)rand() % 400000);
    if (all.ended)
        return;
    pid_t tid = all.tids[(size_t)rand() % all.tid_count];
    all.asked = tid;
    if (ptrace(PTRACE_INTERRUPT, tid, NULL, NULL) != 0) {
        remove_thread(tid);
        return;
    }
    while (!wait_for(tid, 0))
        ;
}

static void start(char **command)
{
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        exit(1);
    all.pid = fork();
    if (all.pid == 0) {
        close(ends[1]);
        if (read(ends[0], &byte, 1) != 1)
            _exit(126);
        close(ends[0]);
        execvp(command[0], command);
        _exit(127);
    }
    close(ends[0]);
    if (ptrace(PTRACE_SEIZE, all.pid, NULL,
               PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL) != 0) {
        perror("unwind_compare: may not stop a process of its own");
        exit(77);
    }
    add_thread(all.pid);
    if (write(ends[1], "", 1) != 1)
        exit(1);
    close(ends[1]);
    wait_for(0, 0); /* until it has become the command */
}

/* ---- what came of it ---- */

static void print(void)
{
    printf("{\"stacks\": %" PRIu64 ", \"same\": %" PRIu64 ", \"more\": %" PRIu64
           ", \"less\": %" PRIu64 ", \"different\": %" PRIu64 ", \"frames\": %" PRIu64
           ", \"us\": %.2f, \"dwfl_us\": %.2f",
           all.stacks, all.same, all.more, all.less, all.different, all.frames,
           (double)all.fast_ns / 1e3 / (double)(all.stacks ? all.stacks : 1),
           (double)all.dwfl_ns / 1e3 / (double)(all.stacks ? all.stacks : 1));
    printf(", \"first_difference\": \"%s\", \"cut\": [", str_text(&all.first_difference));
    for (int i = 0; i < TRACE_CUTS; i++)
        printf("%s%" PRIu64, i ? ", " : "", all.cut[i]);
    printf("], \"objects\": {");
    for (size_t i = 0; i < all.objects.count; i++) {
        const struct unwind_object *object = all.objects.items[i];
        printf("%s\"%s\": [%" PRIu64 ", %" PRIu64 ", %zu]", i ? ", " : "", object->path,
               object->by_rows, object->by_pointers, object->row_count);
    }
    printf("}, \"chains\": {");
    for (size_t i = 0; i < all.chain_count; i++)
        printf("%s\"%s\": %" PRIu64, i ? ", " : "", all.chain[i].text, all.chain[i].count);
    puts("}}");
}

int main(int argc, char **argv)
{
    for (int c; (c = getopt(argc, argv, "+n:cb:")) != -1;)
        if (c == 'n')
            all.stops = strtoull(optarg, NULL, 0);
        else if (c == 'b')
            all.stack_bytes = strtoull(optarg, NULL, 0);
        else if (c == 'c')
            all.chains = true;
        else
            return 2;
    if (optind == argc || all.stack_bytes > MOST_STACK)
        return 2;
    start(argv + optind);
    all.unwinder = unwinder_open(&all.objects, all.pid);
    all.dwfl = dwfl_walk_open(all.pid);
    while (!all.ended && all.stacks < all.stops)
        stop_one();
    print();
    return 0;
}
