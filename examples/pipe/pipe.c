/* pipe.c - requests that wait for the answer of another process.
 *
 *     server      ask |........ waits in read() ........| use the answer
 *     resolver        |----- look_up(), 1 to 9 ms -----| write()
 *
 * The server sends each request's name to a resolver process through a pipe, and reads the answer
 * from another pipe. Its own work is a few microseconds.
 */
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "planted.h"
#include "vprof_api.h"

enum { REQUESTS = 400 };
enum { ANSWER = 1 };

static int questions[2], answers[2];
static unsigned cache[256];
static struct truth_row rows[REQUESTS];

/* The planted cause. The sleep stands for a slow name server. */
static unsigned look_up(unsigned name, unsigned *chance)
{
    usleep(1000 + random_below(chance, 8000));
    return name * 2654435761u;
}

static void resolve(void)
{
    unsigned name, chance = 521288629;
    while (read(questions[0], &name, sizeof name) == sizeof name) {
        unsigned address = look_up(name, &chance);
        if (write(answers[1], &address, sizeof address) != sizeof address)
            break;
    }
}

static bool ask(unsigned name, unsigned *address)
{
    return write(questions[1], &name, sizeof name) == sizeof name &&
           read(answers[0], address, sizeof *address) == sizeof *address;
}

static bool handle(unsigned name, struct truth_row *row)
{
    unsigned address;
    int64_t asked = now_ns();
    bool answered = ask(name, &address);
    row->ns[ANSWER] = now_ns() - asked;
    if (answered)
        cache[name % 256] = address;
    return answered;
}

static bool serve(void)
{
    bool answered = true;
    for (unsigned i = 0; answered && i < REQUESTS; i++) {
        SI_BEGIN(i);
        int64_t start = now_ns();
        answered = handle(i, &rows[i]);
        rows[i].ns[LATENCY] = now_ns() - start;
        SI_END(i);
        usleep(300);
    }
    return answered;
}

int main(void)
{
    if (pipe(questions) != 0 || pipe(answers) != 0)
        return 1;
    pid_t resolver = fork();
    if (resolver == 0) {
        close(questions[1]);
        resolve();
        return 0;
    }
    bool answered = resolver > 0 && serve();
    close(questions[1]);
    wait(NULL);
    if (!answered)
        return 1;
    truth_write((const char *const[]){"answer"}, 1, rows, REQUESTS);
    return 0;
}
