/* point_plan_print PROGRAM [-N ID] [-I FUNCTION] [-B BEGIN -E END] [-U PROBES] [-D] - which places are
 * watched for that: "point NUMBER WISH ROLE JOINED NAME" and "place POINT OFFSET COUNTER KERNEL OPERAND" a
 * line, and "note TEXT"; or "error CODE TEXT". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "sampler/point_plan.h"

static struct point_wishes wishes;
static const char *begin_of, *id_of;

static bool read_wish(int option, struct error *error)
{
    switch (option) {
    case 'I':
        return point_wishes_add_interval(&wishes, optarg, error);
    case 'E':
        return point_wishes_add_span(&wishes, begin_of, optarg, id_of, error);
    case 'U':
        return point_wishes_add_usdt(&wishes, optarg, id_of, error);
    case 'D':
        return point_wishes_add_descriptor(&wishes, error);
    case 'B':
        begin_of = optarg;
        return true;
    case 'N':
        id_of = optarg;
        return true;
    default:
        exit(2);
    }
}

static void print(const struct point_plan *plan)
{
    for (size_t i = 0; i < plan->point_count; i++)
        printf("point %zu %u %u %u %s\n", i, plan->points[i].wish, plan->points[i].role,
               plan->points[i].joined, plan->points[i].name);
    for (size_t i = 0; i < plan->place_count; i++) {
        const struct point_place *place = &plan->places[i];
        printf("place %u 0x%" PRIx64 " 0x%" PRIx64 " %d %d:%d:%d:%d\n", place->point, place->offset,
               place->counter, place->by_kernel, place->operand.kind, place->operand.bytes,
               place->operand.is_signed, place->operand.base);
    }
    if (plan->notes.length)
        printf("note %s\n", plan->notes.data);
}

int main(int argc, char **argv)
{
    struct point_plan plan;
    struct error error;
    bool ok = true;
    const char *program = argc > 1 ? argv[1] : "";
    optind = 2;
    for (int c; ok && (c = getopt(argc, argv, "I:B:E:N:U:D")) != -1;)
        ok = read_wish(c, &error);
    ok = ok && point_plan_make(&plan, &wishes, program, &error);
    if (ok) {
        print(&plan);
        point_plan_release(&plan);
    } else {
        printf("error %d %s\n", error.code, error.message);
    }
    point_wishes_release(&wishes);
    return 0;
}
