/* The strong reference of a wrapper to the real function breaks no link: only names that the
 * translation unit itself uses are redirected, so it needed them before. The headers of C++ are the
 * exception: they call what is `standard` only where it is instantiated. There all of it is in libc
 * since glibc 2.34. Before, libstdc++ reached pthreads through weak references, which no
 * redirection reaches, so there nothing is put in for them. */
#include "rewriter/sync_name.h"

#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT "void *, const void *"
#define CLOCKED "void *, int, const void *"
#define READS "int, void *, unsigned long"
#define WRITES "int, const void *, unsigned long"
#define EVENTS "int, void *, int, "
#define MAPS "void *, unsigned long, int, int, int, long"

#define STANDARD SYNC_TRAIT_STANDARD
#define CALL SYNC_TRAIT_CALL
#define FORTIFIED SYNC_TRAIT_FORTIFIED
#define LONG SYNC_TRAIT_LONG
#define POINTER SYNC_TRAIT_POINTER
#define VARIADIC SYNC_TRAIT_VARIADIC

const struct sync_name sync_names[SYNC_NAME_COUNT] = {
    {"pthread_mutex_lock", "mutex_lock", 1, "void *", STANDARD},
    {"pthread_mutex_timedlock", "mutex_timedlock", 2, TIMEOUT, STANDARD},
    {"pthread_mutex_clocklock", "mutex_clocklock", 3, CLOCKED, STANDARD},
    {"pthread_mutex_unlock", "mutex_unlock", 1, "void *", STANDARD},
    {"pthread_cond_wait", "cond_wait", 2, "void *, void *", STANDARD},
    {"pthread_cond_timedwait", "cond_timedwait", 3, "void *, void *, const void *", STANDARD},
    {"pthread_cond_clockwait", "cond_clockwait", 4, "void *, void *, int, const void *", STANDARD},
    {"pthread_cond_signal", "cond_signal", 1, "void *", STANDARD},
    {"pthread_cond_broadcast", "cond_broadcast", 1, "void *", STANDARD},
    {"pthread_rwlock_rdlock", "rwlock_rdlock", 1, "void *", STANDARD},
    {"pthread_rwlock_wrlock", "rwlock_wrlock", 1, "void *", STANDARD},
    {"pthread_rwlock_timedrdlock", "rwlock_timedrdlock", 2, TIMEOUT, STANDARD},
    {"pthread_rwlock_timedwrlock", "rwlock_timedwrlock", 2, TIMEOUT, STANDARD},
    {"pthread_rwlock_clockrdlock", "rwlock_clockrdlock", 3, CLOCKED, STANDARD},
    {"pthread_rwlock_clockwrlock", "rwlock_clockwrlock", 3, CLOCKED, STANDARD},
    {"pthread_rwlock_unlock", "rwlock_unlock", 1, "void *", STANDARD},
    {"pthread_create", "thread_create", 4, "void *, const void *, vprof_start_1, void *", STANDARD},
    {"pthread_join", "thread_join", 2, "unsigned long, void **", STANDARD},
    {"pthread_timedjoin_np", "thread_timedjoin", 3, "unsigned long, void **, const void *", 0},
    {"pthread_clockjoin_np", "thread_clockjoin", 4, "unsigned long, void **, int, const void *", 0},
    {"pthread_barrier_wait", "barrier_wait", 1, "void *", 0},
    {"pthread_spin_lock", "spin_lock", 1, "volatile void *", 0},
    {"pthread_spin_unlock", "spin_unlock", 1, "volatile void *", 0},
    {"sem_wait", "sem_wait", 1, "void *", 0},
    {"sem_timedwait", "sem_timedwait", 2, TIMEOUT, 0},
    {"sem_clockwait", "sem_clockwait", 3, CLOCKED, 0},
    {"sem_post", "sem_post", 1, "void *", 0},
    {"semop", "sem_op", 3, "int, void *, unsigned long", 0},
    {"semtimedop", "sem_timedop", 4, "int, void *, unsigned long, const void *", 0},
    {"mtx_lock", "mtx_lock", 1, "void *", 0},
    {"mtx_timedlock", "mtx_timedlock", 2, TIMEOUT, 0},
    {"mtx_unlock", "mtx_unlock", 1, "void *", 0},
    {"cnd_wait", "cnd_wait", 2, "void *, void *", 0},
    {"cnd_timedwait", "cnd_timedwait", 3, "void *, void *, const void *", 0},
    {"cnd_signal", "cnd_signal", 1, "void *", 0},
    {"cnd_broadcast", "cnd_broadcast", 1, "void *", 0},
    {"thrd_create", "thrd_create", 3, "void *, vprof_thrd_start_1, void *", 0},
    {"thrd_join", "thrd_join", 2, "unsigned long, int *", 0},
    {"pipe", "fd_pipe", 1, "int *", CALL},
    {"pipe2", "fd_pipe2", 2, "int *, int", CALL},
    {"eventfd", "fd_event", 2, "unsigned, int", CALL},
    {"socketpair", "fd_socketpair", 4, "int, int, int, int *", CALL},
    {"close", "fd_close", 1, "int", CALL},
    {"shutdown", "fd_shutdown", 2, "int, int", CALL},
    {"read", "fd_read", 3, READS, CALL | LONG | FORTIFIED},
    {"readv", "fd_readv", 3, "int, const void *, int", CALL | LONG},
    {"recv", "fd_recv", 4, READS ", int", CALL | LONG | FORTIFIED},
    {"recvfrom", "fd_recvfrom", 6, READS ", int, void *, unsigned *", CALL | LONG | FORTIFIED},
    {"recvmsg", "fd_recvmsg", 3, "int, void *, int", CALL | LONG},
    {"eventfd_read", "eventfd_read", 2, "int, void *", CALL},
    {"write", "fd_write", 3, WRITES, CALL | LONG},
    {"writev", "fd_writev", 3, "int, const void *, int", CALL | LONG},
    {"send", "fd_send", 4, WRITES ", int", CALL | LONG},
    {"sendto", "fd_sendto", 6, WRITES ", int, const void *, unsigned", CALL | LONG},
    {"sendmsg", "fd_sendmsg", 3, "int, const void *, int", CALL | LONG},
    {"eventfd_write", "eventfd_write", 2, "int, unsigned long", CALL},
    {"poll", "fd_poll", 3, "void *, unsigned long, int", CALL | FORTIFIED},
    {"ppoll", "fd_ppoll", 4, "void *, unsigned long, const void *, const void *", CALL | FORTIFIED},
    {"mmap", "memory_map", 6, MAPS, CALL | POINTER},
    {"mmap64", "memory_map", 6, MAPS, CALL | POINTER},
    {"munmap", "memory_unmap", 2, "void *, unsigned long", CALL},
    {"shmat", "memory_attach", 3, "int, const void *, int", CALL | POINTER},
    {"shmdt", "memory_detach", 1, "const void *", CALL},
    {"swapcontext", "context_swap", 2, "void *, const void *", CALL},
    {"setcontext", "context_set", 1, "const void *", CALL},
    {"syscall", "futex", 0, "SYSTEM", CALL | VARIADIC | LONG},
    {"pthread_mutex_trylock", "mutex_trylock", 1, "void *", STANDARD | CALL},
    {"pthread_rwlock_tryrdlock", "rwlock_tryrdlock", 1, "void *", STANDARD | CALL},
    {"pthread_rwlock_trywrlock", "rwlock_trywrlock", 1, "void *", STANDARD | CALL},
    {"pthread_spin_trylock", "spin_trylock", 1, "volatile void *", CALL},
    {"sem_trywait", "sem_trywait", 1, "void *", CALL},
    {"mtx_trylock", "mtx_trylock", 1, "void *", CALL},
    {"dlopen", "loaded", 0, "LOAD", CALL},
    {"longjmp", "jump", 0, "JUMP", FORTIFIED},
    {"siglongjmp", "jump", 0, "JUMP", FORTIFIED},
    {"select", "fd_select", 5, "int, void *, void *, void *, void *", CALL},
    {"pselect", "fd_pselect", 6, "int, void *, void *, void *, const void *, const void *", CALL},
    {"epoll_ctl", "fd_epoll_ctl", 4, "int, int, int, void *", CALL},
    {"epoll_wait", "fd_epoll_wait", 4, EVENTS "int", CALL},
    {"epoll_pwait", "fd_epoll_pwait", 5, EVENTS "int, const void *", CALL},
    {"epoll_pwait2", "fd_epoll_pwait2", 5, EVENTS "const void *, const void *", CALL},
    {"_Fork", "fork_begin", 0, "FORK", CALL},
    {"clone", "fork_clone", 0, "CLONE", CALL | VARIADIC},
};

int sync_name_find(const char *function)
{
    for (int i = 0; i < SYNC_NAME_COUNT; i++)
        if (strcmp(function, sync_names[i].function) == 0)
            return i;
    return SYNC_NAME_NONE;
}

static bool is_in(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

sync_set sync_name_standard(const char *name)
{
    static const char *const PTHREADS[] = {"mutex",
                                           "timed_mutex",
                                           "recursive_mutex",
                                           "recursive_timed_mutex",
                                           "shared_mutex",
                                           "shared_timed_mutex",
                                           "lock_guard",
                                           "unique_lock",
                                           "scoped_lock",
                                           "shared_lock",
                                           "condition_variable",
                                           "condition_variable_any",
                                           "thread",
                                           "jthread",
                                           "async",
                                           "lock",
                                           NULL};
    static const char *const FUTEXES[] = {"async",
                                          "future",
                                          "shared_future",
                                          "promise",
                                          "packaged_task",
                                          "latch",
                                          "barrier",
                                          "counting_semaphore",
                                          "jthread",
                                          "atomic_wait",
                                          "atomic_wait_explicit",
                                          "atomic_notify_one",
                                          "atomic_notify_all",
                                          "atomic_flag_wait",
                                          "atomic_flag_wait_explicit",
                                          "atomic_flag_notify_one",
                                          "atomic_flag_notify_all",
                                          NULL};
    return (is_in(PTHREADS, name) ? SYNC_STANDARD : 0) |
           (is_in(FUTEXES, name) ? SYNC_BIT(sync_name_find("syscall")) : 0);
}

sync_set sync_name_member(const char *name)
{
    static const char *const NAMES[] = {"wait", "notify_one", "notify_all", NULL};
    return is_in(NAMES, name) ? SYNC_BIT(sync_name_find("syscall")) : 0;
}

static bool standard_is_direct(void)
{
    int major = 0, minor = 0;
    const char *version = gnu_get_libc_version();
    major = atoi(version);
    minor = strchr(version, '.') ? atoi(strchr(version, '.') + 1) : 0;
    return major > 2 || (major == 2 && minor >= 34);
}

static sync_set standard_set(void)
{
    sync_set set = 0;
    for (int i = 0; i < SYNC_NAME_COUNT; i++)
        if (sync_names[i].traits & STANDARD)
            set |= SYNC_BIT(i);
    return set;
}

static const char *result_type(const struct sync_name *name)
{
    return name->traits & LONG ? "long" : name->traits & POINTER ? "void *" : "int";
}

static void where_libstdcxx(struct str *text, const char *macro)
{
    str_printf(text,
               "#if defined __cplusplus && defined __has_include\n"
               "#if __has_include(<bits/c++config.h>)\n"
               "%s\n"
               "#endif\n"
               "#endif\n",
               macro);
}

/* A name that is a macro is left alone: the pragma would be about what it stands for. So is every
 * name on 32 bits, where the headers themselves redirect what takes a time, nor what they
 * redirect in a fortified program. */
static void redirect(struct str *text, const struct sync_name *name)
{
    const char *f = name->function;
    str_printf(text,
               "#if defined __LP64__ && !defined %s && !defined VPROF_TO_%s_1%s\n"
               "#define VPROF_TO_%s_1\n"
               "#pragma redefine_extname %s vprof_%s_1\n",
               f, f,
               name->traits & FORTIFIED ? " && (!defined _FORTIFY_SOURCE || _FORTIFY_SOURCE < 1)"
                                        : "",
               f, f, f);
    if (name->arity)
        str_printf(text, "VPROF_REDIRECT%u(%s, %s, %s, %s)\n", name->arity, result_type(name), f,
                   name->hook, name->types);
    else
        str_printf(text, "VPROF_REDIRECT_%s(%s)\n", name->types, f);
    if (name->traits & VARIADIC && name->traits & LONG)
        where_libstdcxx(text, "VPROF_STD_FUTURE_1");
    str_append(text, "#endif\n");
}

void sync_name_redirect(struct str *text, sync_set set, sync_set never)
{
    bool standard = (set & SYNC_STANDARD) && standard_is_direct();
    sync_set all = (standard ? set | standard_set() : set) & ~never & (SYNC_TEAM_HIDDEN - 1);
    bool teams = (set & SYNC_TEAM) && !(never & SYNC_TEAM);
    if (!all && !teams)
        return;
    str_append(text, "#pragma GCC diagnostic push\n"
                     "#pragma GCC diagnostic ignored \"-Wunused-macros\"\n"
                     "#ifdef __cplusplus\n"
                     "#pragma GCC diagnostic ignored \"-Wzero-as-null-pointer-constant\"\n"
                     "#endif\n");
    for (int i = 0; i < SYNC_NAME_COUNT; i++)
        if (all & SYNC_BIT(i))
            redirect(text, &sync_names[i]);
    if (standard && !(never & standard_set())) {
        str_append(text, "#if defined __LP64__ && !defined VPROF_STD_TO_1\n"
                         "#define VPROF_STD_TO_1\n");
        where_libstdcxx(text, "VPROF_LIBSTDCXX_1");
        str_append(text, "#endif\n");
    }
    if (teams)
        str_append(text, "#if defined __LP64__ && defined _OPENMP && !defined __clang__ && "
                         "!defined VPROF_TEAM_TO_1\n"
                         "#define VPROF_TEAM_TO_1\n"
                         "VPROF_TEAMS_1\n"
                         "#endif\n");
    str_append(text, "#pragma GCC diagnostic pop\n");
}
