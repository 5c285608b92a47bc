#include "sampler/socket_calls.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sampler/tracepoint.h"

struct known_call {
    long number;
    uint8_t role; /* enum trace_point_role, when it is over */
    bool enters;  /* it is told when it begins, too, or only then */
    bool is_socket;
};

/* linux/asm/perf_regs.h: di. */
const uint64_t socket_call_registers = UINT64_C(1) << 5;

/* 32-bit programs have other numbers, and are not told apart here. */
static const struct known_call calls[] = {
#if defined(__x86_64__)
    {SYS_read, TRACE_POINT_READ, false, false},
    {SYS_readv, TRACE_POINT_READ, false, false},
    {SYS_recvfrom, TRACE_POINT_READ, false, true},
    {SYS_recvmsg, TRACE_POINT_READ, false, true},
    {SYS_recvmmsg, TRACE_POINT_READ, false, true},
    {SYS_write, TRACE_POINT_WROTE, true, false},
    {SYS_writev, TRACE_POINT_WROTE, true, false},
    {SYS_sendfile, TRACE_POINT_WROTE, true, false},
    {SYS_sendto, TRACE_POINT_WROTE, true, true},
    {SYS_sendmsg, TRACE_POINT_WROTE, true, true},
    {SYS_sendmmsg, TRACE_POINT_WROTE, true, true},
    {SYS_accept, TRACE_POINT_ACCEPT, false, true},
    {SYS_accept4, TRACE_POINT_ACCEPT, false, true},
    {SYS_connect, TRACE_POINT_CONNECT, false, true},
    {SYS_close, TRACE_POINT_CLOSE, false, false},
    {SYS_epoll_wait, TRACE_POINT_POLL, true, false},
    {SYS_epoll_pwait, TRACE_POINT_POLL, true, false},
    {441, TRACE_POINT_POLL, true, false}, /* epoll_pwait2, which older headers lack */
#else
    {-1, 0, false, false},
#endif
};
enum { CALLS = sizeof calls / sizeof *calls };

static const struct known_call *call_of(long number)
{
    for (size_t i = 0; i < CALLS; i++)
        if (calls[i].number == number && number >= 0)
            return &calls[i];
    return NULL;
}

/* ---- the tracepoints ---- */

static bool read_point(struct socket_layout *layout, int tracefs, enum socket_way way)
{
    struct tracepoint point;
    bool enters = way == SOCKET_ENTERS;
    if (!tracepoint_read(&point, tracefs,
                         enters ? "raw_syscalls/sys_enter" : "raw_syscalls/sys_exit"))
        return false;
    layout->ids[way] = point.id;
    layout->numbers[way] = tracepoint_field(&point, "id");
    int other = tracepoint_field(&point, enters ? "args" : "ret");
    *(enters ? &layout->arguments : &layout->result) = other;
    tracepoint_release(&point);
    return layout->numbers[way] >= 0 && other >= 0;
}

bool socket_calls_layout(struct socket_layout *layout, struct error *error)
{
    if (calls[0].number < 0)
        return error_set(error, ERROR_SYSTEM,
                         "Requests by descriptor are told only on x86-64. Say which functions they "
                         "lie between: --interval, or --begin and --end.");
    int tracefs = tracepoint_folder();
    if (tracefs < 0)
        return error_system(error, "requests by descriptor need the kernel's tracepoints, which "
                                   "cannot be read");
    bool there =
        read_point(layout, tracefs, SOCKET_ENTERS) && read_point(layout, tracefs, SOCKET_EXITS);
    close(tracefs);
    return there ||
           error_set(error, ERROR_SYSTEM,
                     "This kernel does not tell of system calls "
                     "(CONFIG_FTRACE_SYSCALLS): requests by descriptor cannot be seen. Say "
                     "which functions they lie between: --interval.");
}

/* "id == 0 || id == 19" of those whose ends are told only where there is a result, or of the others. */
static void append_ids(struct str *filter, enum socket_way way, bool always)
{
    const char *before = "";
    for (size_t i = 0; i < CALLS; i++) {
        bool is_always = calls[i].role == TRACE_POINT_CONNECT || calls[i].role == TRACE_POINT_CLOSE;
        bool told = way == SOCKET_ENTERS ? calls[i].enters
                                         : calls[i].role != TRACE_POINT_POLL && is_always == always;
        if (!told)
            continue;
        str_printf(filter, "%sid == %ld", before, calls[i].number);
        before = " || ";
    }
}

void socket_calls_filter(enum socket_way way, struct str *filter)
{
    if (way == SOCKET_ENTERS) {
        append_ids(filter, way, false);
        return;
    }
    str_append(filter, "((");
    append_ids(filter, way, false);
    str_append(filter, ") && ret > 0) || ");
    append_ids(filter, way, true);
}

/* ---- what they tell ---- */

static int64_t number_at(const char *raw, int offset)
{
    int64_t number;
    memcpy(&number, raw + offset, sizeof number);
    return number;
}

static bool lies_within(int offset, size_t bytes)
{
    return (size_t)offset + sizeof(int64_t) <= bytes;
}

/* A connection that goes on to be made is one. */
static bool has_happened(const struct known_call *known, int64_t result)
{
    switch (known->role) {
    case TRACE_POINT_CONNECT:
        return result == 0 || result == -EINPROGRESS;
    case TRACE_POINT_CLOSE:
        return result == 0;
    default:
        return result > 0;
    }
}

bool socket_call_of(struct socket_call *call, const struct socket_layout *layout,
                    enum socket_way way, const char *raw, size_t bytes, const uint64_t *argument)
{
    int second = way == SOCKET_ENTERS ? layout->arguments : layout->result;
    if (!lies_within(layout->numbers[way], bytes) || !lies_within(second, bytes))
        return false;
    const struct known_call *known = call_of(number_at(raw, layout->numbers[way]));
    if (!known || (way == SOCKET_ENTERS && !known->enters))
        return false;
    *call = (struct socket_call){.role = known->role, .is_socket = known->is_socket};
    if (way == SOCKET_ENTERS) {
        call->role = known->role == TRACE_POINT_WROTE ? TRACE_POINT_WRITES : known->role;
        call->descriptor = (uint32_t)number_at(raw, second);
        return true;
    }
    call->result = number_at(raw, second);
    if (!has_happened(known, call->result))
        return false;
    call->descriptor = known->role == TRACE_POINT_ACCEPT ? (uint32_t)call->result
                       : argument                        ? (uint32_t)*argument
                                                         : UINT32_MAX;
    return true;
}
