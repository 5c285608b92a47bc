/* Bodies of regions are the function's own text; their calls are its calls, in all dialects of a loop. */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done[8];

static int limit(void)
{
    return abs(-8);
}

static int work(int i)
{
    return usleep((unsigned)i) + 1;
}

static void loops(void)
{
#pragma omp parallel for num_threads(limit() / 2) schedule(static, 1)
    for (int i = 0; i < abs(-8); i++)
        done[i] += work(i);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < limit(); i++) {
        done[i] += work(i);
        usleep(1);
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
{
    int sum = 0, product = 1, most = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    {
#pragma omp single
        usleep(1);
#pragma omp for nowait
        for (int i = 0; i < 8; i++)
            sum += work(i);
#pragma omp critical
        {
            most = abs(omp_get_num_threads()) > most ? omp_get_num_threads() : most;
        }
#pragma omp barrier
#pragma omp master
        usleep(1);
#pragma omp atomic
        product += abs(-1);
    }
#pragma omp parallel sections \
    num_threads(2)
    {
#pragma omp section
        usleep(1);
#pragma omp section
        {
            usleep(2);
        }
    }
#pragma omp parallel default(none) shared(mutex, sum) num_threads(2)
    {
        pthread_mutex_lock(&mutex);
        sum += abs(-2);
        pthread_mutex_unlock(&mutex);
        usleep(1);
    }
#pragma omp simd
    for (int i = 0; i < 8; i++)
        done[i] += abs(i);
    return sum + product + (most > 0);
}

static void nested(int depth)
{
#pragma omp parallel num_threads(2)
#pragma omp master
    if (depth)
        nested(depth - 1);
}

int main(void)
{
    loops();
    int result = regions();
    nested(2);
    for (int i = 0; i < 8; i++)
        printf("%d ", done[i]);
    printf("%d\n", result);
    return 0;
}
