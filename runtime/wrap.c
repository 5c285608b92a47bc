/* wrap.c - libvprof_wrap.so: the runtime before libc's own functions, in programs that nobody rewrote.
 *
 *     program --pthread_mutex_lock--> here --wait_mutex_lock--> vprof_real_pthread_mutex_lock --> libc
 *
 * The rest of the runtime, in this library, has the name of each such function changed to vprof_real_ and its name
 * (CMakeLists.txt), so that what it calls is libc's.
 */
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <threads.h>
#include <unistd.h>

#include "runtime/recording.h"
#include "runtime/thread.h"
#include "runtime/trap.h"
#include "runtime/wait.h"
#include "runtime/wait_c11.h"
#include "runtime/wait_channel.h"
#include "runtime/wait_device.h"
#include "runtime/wait_ready.h"
#include "runtime/wait_sysv.h"

/* Of functions with several versions dlsym() may give an old one, which has another idea of their objects. */
#if defined(__x86_64__)
#define LIBC_VERSION "GLIBC_2.3.2"
#else
#define LIBC_VERSION "GLIBC_2.17"
#endif

static void *find(const char *name)
{
    void *found = dlvsym(RTLD_NEXT, name, LIBC_VERSION);
    return found ? found : dlsym(RTLD_NEXT, name);
}

/* The runtime's own start comes before (process.c). */
static __attribute__((constructor(102))) void begin(void)
{
    const char *directory = secure_getenv("VPROF_TRACE_DIR");
    if (directory && *directory)
        recording_beside();
}

/* Each is found when it is first called: libraries that are loaded before this one call some from their constructors. */
#define WRAPPED(type, name, parameters, arguments, call)                                           \
    __attribute__((visibility("hidden"))) type vprof_real_##name parameters;                       \
    type vprof_real_##name parameters                                                              \
    {                                                                                              \
        static type(*real) parameters;                                                             \
        if (__builtin_expect(!real, 0))                                                            \
            *(void **)(void *)&real = find(#name);                                                 \
        return real arguments;                                                                     \
    }
#include "runtime/wrapped.def"
#undef WRAPPED

#pragma GCC diagnostic ignored "-Wredundant-decls"
#define WRAPPED(type, name, parameters, arguments, call)                                           \
    __attribute__((visibility("default"))) type name parameters                                    \
    {                                                                                              \
        return call;                                                                               \
    }
#include "runtime/wrapped.def"
