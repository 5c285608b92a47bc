/* Bodies of regions are the function's own text; their calls are its calls, in all dialects of a loop. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done[8];

static int limit(void)
{VPROF_FUNCTION(1)
    return __extension__({VPROF_FUNCTION(7) abs(-8);});
}

static int work(int i)
{VPROF_FUNCTION(2)
    return __extension__({VPROF_FUNCTION(8) usleep((unsigned)i);}) + 1;
}

static void loops(void)
{VPROF_FUNCTION(3)
#pragma omp parallel for num_threads(limit() / 2) schedule(static, 1)
    for (int i = 0; i < __extension__({VPROF_FUNCTION(9) abs(-8);}); i++)
        done[i] += work(i);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < limit(); i++) {
        done[i] += work(i);
        __extension__({VPROF_FUNCTION(13) usleep(1);});
    }
#pragma omp parallel for schedule(guided, 2) if (limit() > 2)
    for (int i = 0; i < 8; i++)
        done[i] += work(i);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 8; i++)
        done[i] += work(i);
#pragma omp parallel for schedule(monotonic : dynamic, 1) collapse(2)
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 4; k++)
            done[4 * i + k] += work(i);
}

static int regions(void)
{VPROF_FUNCTION(4)
    int sum = 0, product = 1, most = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp single
        __extension__({VPROF_FUNCTION(17) usleep(1);});
#pragma omp for nowait
        for (int i = 0; i < 8; i++)
            sum += work(i);
#pragma omp critical
        {
            most = __extension__({VPROF_FUNCTION(19) abs(VPROF_RESTART(19, __extension__({VPROF_FUNCTION(20) omp_get_num_threads();})));}) > most ? __extension__({VPROF_FUNCTION(21) omp_get_num_threads();}) : most;
        }
#pragma omp barrier
#pragma omp master
        __extension__({VPROF_FUNCTION(22) usleep(1);});
#pragma omp atomic
        product += __extension__({VPROF_FUNCTION(23) abs(-1);});
    }
#pragma omp parallel sections \
    num_threads(2)
    {
#pragma omp section
        __extension__({VPROF_FUNCTION(24) usleep(1);});
#pragma omp section
        {
            __extension__({VPROF_FUNCTION(25) usleep(2);});
        }
    }
#pragma omp parallel default(none) shared(mutex, sum) num_threads(2)
    {
        pthread_mutex_lock(&mutex);
        sum += __extension__({VPROF_FUNCTION(27) abs(-2);});
        pthread_mutex_unlock(&mutex);
        __extension__({VPROF_FUNCTION(29) usleep(1);});
    }
#pragma omp simd
    for (int i = 0; i < 8; i++)
        done[i] += abs(i);
    return sum + product + (most > 0);
}

static void nested(int depth)
{VPROF_FUNCTION(5)
#pragma omp parallel num_threads(2)
#pragma omp master
    if (depth)
        nested(depth - 1);
}

int main(void)
{VPROF_FUNCTION(6)
    loops();
    int result = regions();
    nested(2);
    for (int i = 0; i < 8; i++)
        __extension__({VPROF_FUNCTION(35) printf("%d ", done[i]);});
    __extension__({VPROF_FUNCTION(36) printf("%d\n", result);});
    return 0;
}
