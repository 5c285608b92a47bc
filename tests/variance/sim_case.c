#include "sim_case.h"

#include <stdio.h>
#include <string.h>

static const char *const code_name[SIM_CODES] = {
    "spend",  "call",     "return",  "begin", "end",   "enter",   "lock",      "unlock", "rdlock",
    "wrlock", "rwunlock", "wait",    "post",  "cwait", "signal",  "broadcast", "arrive", "join",
    "create", "enqueue",  "dequeue", "nap",   "await", "advance", "false",     "stack"};

/* Random cases. */

struct maker {
    struct sim_case *c;
    uint64_t random;
    int thread;
};

static int below(struct maker *k, int limit)
{
    k->random = k->random * 6364136223846793005u + 1442695040888963407u;
    return (int)((k->random >> 33) % (uint64_t)limit);
}

static void add(struct maker *k, enum sim_code code, int what, int time, int site)
{
    if (k->c->op_count < SIM_OPS)
        k->c->ops[k->c->op_count++] = (struct sim_op){k->thread, code, what, time, site};
}

static int site(struct maker *k)
{
    return below(k, 3) ? below(k, 7) : 0;
}

static int lag(struct maker *k)
{
    return below(k, 3) ? below(k, 6) : below(k, 40);
}

static void work(struct maker *k)
{
    for (int i = below(k, 4); i > 0; i--) {
        if (below(k, 3))
            add(k, SIM_CALL, below(k, 32), 0, 0);
        if (below(k, 4))
            add(k, SIM_SPEND, 0, 1 + below(k, 12), 0);
        if (below(k, 3))
            add(k, SIM_RETURN, 0, 0, 0);
    }
}

static void section(struct maker *k, enum sim_code take, enum sim_code give, int objects)
{
    int object = below(k, objects);
    add(k, take, object, lag(k), site(k));
    add(k, SIM_SPEND, 0, 1 + below(k, 20), 0);
    work(k);
    if (take == SIM_LOCK && object < 2 && !below(k, 2))
        add(k, below(k, 2) ? SIM_COND_WAIT : SIM_AWAIT, object, lag(k), site(k));
    if (take == SIM_LOCK && object < 2 && !below(k, 2))
        add(k,
            below(k, 3)   ? SIM_SIGNAL
            : below(k, 2) ? SIM_BROADCAST
                          : SIM_ADVANCE,
            object, 0, site(k) % 4);
    if (!below(k, 4))
        section(k, take, give, objects);
    work(k);
    add(k, give, object, 0, site(k) % 4);
}

static void hand_on(struct maker *k, int id)
{
    add(k, SIM_ENQUEUE, below(k, 4) ? id : below(k, 6), 0, below(k, 2));
    if (below(k, 2))
        work(k);
    add(k, SIM_POST, below(k, 6), 0, site(k) % 4);
    if (below(k, 2))
        add(k, SIM_ENTER, below(k, 4) ? -1 : below(k, 3), 0, 0);
}

/* The thread's own stack and others, on which it finds what it left there, or another thread did.
 */
static void take_turns(struct maker *k)
{
    for (int i = 2 + below(k, 4); i > 0; i--) {
        work(k);
        add(k, SIM_STACK, below(k, 2 * SIM_STACKS), 0, 0);
        if (!below(k, 4))
            add(k, SIM_ENTER, below(k, 3) ? below(k, 3) : -1, 0, 0);
        work(k);
    }
}

static void something(struct maker *k)
{
    if (!below(k, 6))
        add(k, SIM_FALSE, 0, 0, 0);
    switch (below(k, 20)) {
    case 0:
        add(k, SIM_NAP, below(k, 10), 1 + below(k, 20), site(k));
        break;
    case 1:
        add(k, SIM_ARRIVE, below(k, 2), lag(k), site(k));
        break;
    case 19:
        take_turns(k);
        break;
    case 2:
        add(k, SIM_JOIN, below(k, k->c->thread_count), lag(k), site(k));
        break;
    case 3:
        add(k, SIM_CREATE, below(k, k->c->thread_count), lag(k), below(k, 2));
        break;
    case 4:
    case 5:
        add(k, SIM_WAIT, below(k, 6), lag(k), site(k));
        break;
    case 6:
    case 7:
        add(k, SIM_POST, below(k, 6), 0, site(k) % 4);
        break;
    case 8:
    case 9:
    case 10:
        section(k, below(k, 3) ? SIM_RDLOCK : SIM_WRLOCK, SIM_RWUNLOCK, 2);
        break;
    case 11:
        work(k);
        break;
    default:
        section(k, SIM_LOCK, SIM_UNLOCK, below(k, 2) ? 2 : 6);
    }
}

/* What an event loop does between two looks at one request: waits, and serves others. */
static void serve_others(struct maker *k)
{
    for (int i = below(k, 3); i > 0; i--) {
        int other = 3 + below(k, 5);
        if (!below(k, 3))
            add(k, SIM_WAIT, below(k, 2) ? 3 : below(k, 6), lag(k), site(k));
        add(k, below(k, 4) ? SIM_BEGIN : SIM_ENTER, other, 0, 0);
        add(k, SIM_SPEND, 0, 1 + below(k, 20), 0);
        work(k);
        add(k, below(k, 2) ? SIM_END : SIM_ENTER, below(k, 2) ? other : -1, 0, 0);
    }
}

/* A loop that leaves an interval and comes back to it. */
static void loop(struct maker *k)
{
    int id = below(k, 3);
    add(k, SIM_BEGIN, id, 0, 0);
    for (int i = 1 + below(k, 3); i > 0; i--) {
        work(k);
        if (below(k, 2))
            add(k, SIM_ENTER, -1, 0, 0);
        if (!below(k, 4))
            add(k, SIM_POST, 3, 0, site(k) % 4);
        serve_others(k);
        add(k, SIM_ENTER, id, 0, 0);
    }
    work(k);
    if (below(k, 4))
        add(k, SIM_END, id, 0, 0);
    else
        hand_on(k, id);
}

/* Takes a task of interval `id`, which another thread may have made, and goes on with it. */
static void take_over(struct maker *k, int id)
{
    if (below(k, 3))
        add(k, SIM_WAIT, below(k, 6), lag(k), site(k));
    if (!below(k, 4))
        serve_others(k);
    add(k, SIM_DEQUEUE, below(k, 4) ? id : below(k, 6), 0, below(k, 2));
    if (below(k, 2))
        something(k);
    add(k, SIM_ENTER, id, 0, 0);
    work(k);
}

static void request(struct maker *k, int id)
{
    switch (below(k, 4)) {
    case 0:
        take_over(k, id);
        break;
    case 1:
        add(k, SIM_ENTER, id, 0, 0);
        break;
    default:
        add(k, SIM_BEGIN, id, 0, 0);
    }
    for (int i = below(k, 4); i > 0; i--)
        something(k);
    if (!below(k, 5))
        add(k, SIM_ENTER, below(k, 4) - 1, 0, 0);
    work(k);
    if (below(k, 2))
        hand_on(k, id);
    else
        add(k, SIM_END, id, 0, 0);
}

void sim_case_random(struct sim_case *c, uint64_t seed)
{
    static const int scales[] = {1, 1, 1000, 100000007};
    struct maker k = {.c = c, .random = seed * 0x9e3779b97f4a7c15u + 1};
    *c = (struct sim_case){.scale = scales[below(&k, 4)],
                           .rate = 1 + below(&k, 3),
                           .chatty = below(&k, 2),
                           .shared = below(&k, 2),
                           .learned = below(&k, 2)};
    c->thread_count = 2 + below(&k, SIM_THREADS - 1);
    int processes = 1 + below(&k, 4) % SIM_PROCESSES;
    for (int t = 0; t < c->thread_count; t++)
        c->threads[t] =
            (struct sim_thread_plan){below(&k, processes), t && !below(&k, 3) ? -1 : below(&k, 20)};
    for (k.thread = 0; k.thread < c->thread_count; k.thread++)
        for (int i = 1 + below(&k, 5); i > 0; i--)
            if (!below(&k, 15))
                loop(&k);
            else if (below(&k, 3))
                request(&k, below(&k, 3));
            else
                something(&k);
}

/* Text. */

void sim_case_print(const struct sim_case *c, struct str *text)
{
    str_printf(text, "run scale %d rate %d chatty %d shared %d learned %d\n", c->scale, c->rate,
               c->chatty, c->shared, c->learned);
    if (c->kernel)
        str_printf(text, "kernel %d\n", c->kernel);
    for (int t = 0; t < c->thread_count; t++)
        str_printf(text, "thread %d process %d at %d\n", t, c->threads[t].process,
                   c->threads[t].at);
    for (int i = 0; i < c->op_count; i++) {
        const struct sim_op *op = &c->ops[i];
        str_printf(text, "%d %s %d %d %d\n", op->thread, code_name[op->code], op->what, op->time,
                   op->site);
    }
}

static bool parse_op(struct sim_case *c, const char *line)
{
    struct sim_op op;
    char name[16];
    if (c->op_count == SIM_OPS ||
        sscanf(line, "%d %15s %d %d %d", &op.thread, name, &op.what, &op.time, &op.site) != 5)
        return false;
    for (int i = 0; i < SIM_CODES; i++)
        if (!strcmp(name, code_name[i])) {
            op.code = (enum sim_code)i;
            c->ops[c->op_count++] = op;
            return true;
        }
    return false;
}

static bool parse_thread(struct sim_case *c, const char *line)
{
    struct sim_thread_plan plan;
    int index;
    if (c->thread_count == SIM_THREADS ||
        sscanf(line, "thread %d process %d at %d", &index, &plan.process, &plan.at) != 3 ||
        index != c->thread_count || plan.process < 0 || plan.process >= SIM_PROCESSES)
        return false;
    c->threads[c->thread_count++] = plan;
    return true;
}

static bool parse_line(struct sim_case *c, const char *line, struct str *expected)
{
    if (line[0] == '#' || !line[0])
        return true;
    if (str_starts_with(line, "= "))
        return str_printf(expected, "%s\n", line + 2), true;
    if (str_starts_with(line, "run "))
        return sscanf(line, "run scale %d rate %d chatty %d shared %d learned %d", &c->scale,
                      &c->rate, &c->chatty, &c->shared, &c->learned) == 5;
    if (str_starts_with(line, "kernel "))
        return sscanf(line, "kernel %d", &c->kernel) == 1;
    return str_starts_with(line, "thread ") ? parse_thread(c, line) : parse_op(c, line);
}

bool sim_case_parse(struct sim_case *c, const char *text, struct str *expected)
{
    *c = (struct sim_case){.scale = 1, .rate = 1};
    while (*text) {
        char line[1024];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)length, text);
        if (length >= sizeof line || !parse_line(c, line, expected)) {
            printf("not a line of a case: %s\n", line);
            return false;
        }
        text += length + (text[length] == '\n');
    }
    return c->thread_count > 0;
}

/* Shrinking. */

typedef bool (*fails_function)(const struct sim_case *c);

static bool keep_if(struct sim_case *c, const struct sim_case *smaller, fails_function fails)
{
    if (!fails(smaller))
        return false;
    *c = *smaller;
    return true;
}

static bool without_ops(struct sim_case *c, int from, int count, fails_function fails)
{
    struct sim_case smaller = *c;
    memmove(&smaller.ops[from], &smaller.ops[from + count],
            sizeof smaller.ops[0] * (size_t)(c->op_count - from - count));
    smaller.op_count -= count;
    return keep_if(c, &smaller, fails);
}

static bool without_thread(struct sim_case *c, int thread, fails_function fails)
{
    struct sim_case smaller = *c;
    smaller.op_count = 0;
    for (int i = 0; i < c->op_count; i++) {
        struct sim_op op = c->ops[i];
        bool names = op.code == SIM_JOIN || op.code == SIM_CREATE;
        if (op.thread == thread || (names && op.what % c->thread_count == thread))
            continue;
        op.what = names ? op.what % c->thread_count : op.what;
        op.what -= names && op.what > thread;
        op.thread -= op.thread > thread;
        smaller.ops[smaller.op_count++] = op;
    }
    memmove(&smaller.threads[thread], &smaller.threads[thread + 1],
            sizeof smaller.threads[0] * (size_t)(c->thread_count - thread - 1));
    smaller.thread_count--;
    return smaller.thread_count && keep_if(c, &smaller, fails);
}

static bool plainer(struct sim_case *c, int *number, int value, fails_function fails)
{
    int before = *number;
    if (before == value)
        return false;
    *number = value;
    if (fails(c))
        return true;
    *number = before;
    return false;
}

static bool plainer_op(struct sim_case *c, struct sim_op *op, fails_function fails)
{
    int least = op->code == SIM_SPEND || op->code == SIM_NAP;
    bool changed = plainer(c, &op->site, 0, fails) || plainer(c, &op->site, op->site % 4, fails);
    return plainer(c, &op->time, least, fails) || plainer(c, &op->time, op->time / 2, fails) ||
           changed;
}

static bool shrink_once(struct sim_case *c, fails_function fails)
{
    bool changed = false;
    for (int t = c->thread_count - 1; t >= 0; t--)
        changed |= t < c->thread_count && without_thread(c, t, fails);
    for (int count = c->op_count / 2; count > 0; count /= 2)
        for (int from = c->op_count - count; from >= 0; from -= count)
            if (from + count <= c->op_count)
                changed |= without_ops(c, from, count, fails);
    if (!c->kernel) /* else two clocks could disagree by a unit */
        changed |= plainer(c, &c->scale, 1, fails);
    changed |= plainer(c, &c->rate, 1, fails);
    changed |= plainer(c, &c->chatty, 0, fails) || plainer(c, &c->learned, 0, fails);
    changed |= plainer(c, &c->shared, 0, fails);
    for (int t = 0; t < c->thread_count; t++) {
        changed |= plainer(c, &c->threads[t].process, 0, fails);
        changed |= c->threads[t].at >= 0 && plainer(c, &c->threads[t].at, 0, fails);
    }
    for (int i = 0; i < c->op_count; i++)
        changed |= plainer_op(c, &c->ops[i], fails);
    return changed;
}

void sim_case_shrink(struct sim_case *c, fails_function fails)
{
    for (int i = 0; i < 40 && shrink_once(c, fails); i++)
        ;
}
