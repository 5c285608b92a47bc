/* A server without source, whose requests say what took long in them.
 *
 *     request_scenes OWN ran SECONDS       handle_request calls parse 1 ms, look_up 2, now and then rebuild 8, answer 1
 *     request_scenes OWN slept SECONDS     the same, but rebuild sleeps
 *     request_scenes OWN jumps SECONDS     handle_jump goes on in one of two functions, by a register; no return is known
 *     request_scenes OWN period SECONDS    thirty 0.3 and seventy 0.7 of each ms, in step with the clock
 *
 * OWN has a line for each request, "begin end parse look_up rebuild answer", all ns by CLOCK_MONOTONIC; of `period` one
 * line, what thirty and seventy ran. It is compiled without frame pointers.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef __clang__
#define KEPT __attribute__((noinline, used))
#else
#define KEPT __attribute__((noinline, noclone, used))
#endif

enum { MOST = 1 << 16 };

struct request {
    int64_t begin, end, parts[4];
};
static struct request requests[MOST];
static int count;
static volatile uint64_t sum;
static volatile int behind; /* counted behind a call, which is then not a function's last thing */
static int sleeps;

static int64_t clock_of(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* So long on a processor, in whoever calls it. */
static inline __attribute__((always_inline)) void compute(int64_t us)
{
    int64_t until = clock_of(CLOCK_THREAD_CPUTIME_ID) + us * 1000;
    while (clock_of(CLOCK_THREAD_CPUTIME_ID) < until)
        for (int i = 0; i < 10000; i++)
            sum += (uint64_t)i;
}

/* ---- requests ---- */

KEPT static void parse(void)
{
    compute(1000);
    behind++;
}

KEPT static void look_up(int number)
{
    compute(1500 + number * 7919 % 11 * 100);
    behind++;
}

KEPT static void rebuild(void)
{
    if (sleeps)
        nanosleep(&(struct timespec){0, 8000000}, NULL);
    else
        compute(8000);
    behind++;
}

KEPT static void answer(void)
{
    compute(1000);
    behind++;
}

KEPT static int handle_request(int number)
{
    struct request *request = &requests[number];
    int64_t at[5];
    request->begin = at[0] = clock_of(CLOCK_MONOTONIC);
    parse();
    at[1] = clock_of(CLOCK_MONOTONIC);
    look_up(number);
    at[2] = clock_of(CLOCK_MONOTONIC);
    if (number * 31 % 7 < 2)
        rebuild();
    at[3] = clock_of(CLOCK_MONOTONIC);
    answer();
    request->end = at[4] = clock_of(CLOCK_MONOTONIC);
    for (int i = 0; i < 4; i++)
        request->parts[i] = at[i + 1] - at[i];
    return number;
}

/* ---- one of which it is not known where it returns ---- */

KEPT static int short_way(int number)
{
    struct request *request = &requests[number];
    request->begin = clock_of(CLOCK_MONOTONIC);
    parse();
    request->end = clock_of(CLOCK_MONOTONIC);
    request->parts[0] = request->end - request->begin;
    return number + 1;
}

KEPT static int long_way(int number)
{
    struct request *request = &requests[number];
    request->begin = clock_of(CLOCK_MONOTONIC);
    rebuild();
    request->end = clock_of(CLOCK_MONOTONIC);
    request->parts[2] = request->end - request->begin;
    return number + 2;
}

static int (*volatile ways[2])(int) = {short_way, long_way};

KEPT static int handle_jump(int number)
{
    return ways[number % 3 == 0](number); /* compiled to a jump */
}

/* Who calls it is in all stacks, or they are cut. */
KEPT static int serve(int number, int jumps)
{
    int answered = jumps ? handle_jump(number) : handle_request(number);
    behind++;
    return answered;
}

static void serve_until(int64_t until, int jumps)
{
    while (clock_of(CLOCK_MONOTONIC) < until && count < MOST) {
        serve(count++, jumps);
        nanosleep(&(struct timespec){0, 200000}, NULL);
    }
}

/* ---- in step with the clock ---- */

enum { TURN = 1000000, FIRST = 300000 };

KEPT static void until_phase(int64_t phase)
{
    while (clock_of(CLOCK_MONOTONIC) % TURN < phase)
        sum++;
}

KEPT static void thirty(void)
{
    until_phase(FIRST);
    behind++;
}

/* Until the next turn begins. */
KEPT static void seventy(void)
{
    while (clock_of(CLOCK_MONOTONIC) % TURN >= FIRST)
        sum++;
    behind++;
}

static void keep_step(int64_t until, int64_t ran[2])
{
    while (clock_of(CLOCK_MONOTONIC) < until) {
        int64_t begin = clock_of(CLOCK_THREAD_CPUTIME_ID);
        thirty();
        int64_t middle = clock_of(CLOCK_THREAD_CPUTIME_ID);
        seventy();
        ran[0] += middle - begin;
        ran[1] += clock_of(CLOCK_THREAD_CPUTIME_ID) - middle;
    }
}

int main(int argc, char **argv)
{
    int64_t ran[2] = {0, 0};
    if (argc != 4)
        return 2;
    int64_t until = clock_of(CLOCK_MONOTONIC) + (int64_t)(atof(argv[3]) * 1e9);
    sleeps = strcmp(argv[2], "slept") == 0;
    if (strcmp(argv[2], "period") == 0)
        keep_step(until, ran);
    else
        serve_until(until, strcmp(argv[2], "jumps") == 0);
    FILE *own = fopen(argv[1], "w");
    if (!own)
        return 1;
    if (ran[0])
        fprintf(own, "%" PRId64 " %" PRId64 "\n", ran[0], ran[1]);
    for (int i = 0; i < count; i++) {
        fprintf(own, "%" PRId64 " %" PRId64, requests[i].begin, requests[i].end);
        for (int p = 0; p < 4; p++)
            fprintf(own, " %" PRId64, requests[i].parts[p]);
        fputc('\n', own);
    }
    return fclose(own) != 0;
}
