/* point_wish.h: what a user says becomes data, and what is wrong is told. */
#include "check.h"

#include <string.h>

#include "sampler/point_wish.h"

static struct point_wishes wishes;
static struct error error;

static bool is(const struct point_spot *spot, const char *name, const char *file, bool at_return,
               int argument)
{
    bool same_file = file ? spot->file && strcmp(spot->file, file) == 0 : !spot->file;
    return spot->name && strcmp(spot->name, name) == 0 && same_file &&
           spot->at_return == at_return && spot->argument == argument;
}

static const struct point_wish *last(void)
{
    return &wishes.items[wishes.count - 1];
}

static void intervals(void)
{
    CHECK(point_wishes_add_interval(&wishes, "handle_request", &error));
    CHECK(last()->kind == WISH_INTERVAL && is(&last()->begin, "handle_request", NULL, false, 0));
    CHECK(point_wishes_add_interval(&wishes, "Pool::run(int)@/usr/lib/libpool.so", &error));
    CHECK(is(&last()->begin, "Pool::run(int)", "/usr/lib/libpool.so", false, 0));
    CHECK(!point_wishes_add_interval(&wishes, "f%return", &error) && error.code == ERROR_USAGE);
    CHECK(!point_wishes_add_interval(&wishes, "f%entry", &error));
    CHECK(!point_wishes_add_interval(&wishes, "f%ret", &error));
    CHECK(!point_wishes_add_interval(&wishes, "f%returns", &error));
    CHECK(!point_wishes_add_interval(&wishes, "", &error));
    CHECK(!point_wishes_add_interval(&wishes, "@file", &error));
    CHECK(!point_wishes_add_interval(&wishes, "f@", &error));
    CHECK(wishes.count == 2);
}

static void spans(void)
{
    CHECK(point_wishes_add_span(&wishes, "begin", "end", "2,1", &error));
    CHECK(last()->kind == WISH_SPAN && is(&last()->begin, "begin", NULL, false, 2) &&
          is(&last()->end, "end", NULL, false, 1));
    CHECK(point_wishes_add_span(&wishes, "make%return", "end@lib.so", "return,3", &error));
    CHECK(is(&last()->begin, "make", NULL, true, POINT_RETURNED) &&
          is(&last()->end, "end", "lib.so", false, 3));
    CHECK(point_wishes_add_span(&wishes, "begin", "end%return", NULL, &error));
    CHECK(is(&last()->end, "end", NULL, true, 0) && last()->begin.argument == 0);
    CHECK(point_wishes_add_span(&wishes, "a", "b", "6", &error) && last()->end.argument == 6);
    static const char *const wrong[] = {"0", "7", "1,",      ",1",     "1,2,3",
                                        "x", "",  "returns", "return", "1,return"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!point_wishes_add_span(&wishes, "a", "b", wrong[i], &error));
    CHECK(!point_wishes_add_span(&wishes, "a%return", "b", "1", &error));
    CHECK(!point_wishes_add_span(&wishes, "a", NULL, NULL, &error) &&
          strstr(error.message, "--end"));
    CHECK(!point_wishes_add_span(&wishes, NULL, "b", NULL, &error) &&
          strstr(error.message, "--begin"));
    CHECK(wishes.count == 6);
}

static void probes(void)
{
    CHECK(point_wishes_add_usdt(&wishes, "postgresql:query__start,query__done", NULL, &error));
    CHECK(last()->kind == WISH_USDT &&
          is(&last()->begin, "postgresql:query__start", NULL, false, 0) &&
          is(&last()->end, "postgresql:query__done", NULL, false, 0));
    CHECK(point_wishes_add_usdt(&wishes, "a:b,c:d@/lib/x.so", "1,2", &error));
    CHECK(is(&last()->begin, "a:b", "/lib/x.so", false, 1) &&
          is(&last()->end, "c:d", "/lib/x.so", false, 2));
    CHECK(point_wishes_add_usdt(&wishes, "a:b", NULL, &error) && !last()->end.name);
    static const char *const wrong[] = {"a", "a:", ":b", "a:b,", "", "a:b,:c", "a:b@"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!point_wishes_add_usdt(&wishes, wrong[i], NULL, &error));
    CHECK(!point_wishes_add_usdt(&wishes, "a:b,c", "return", &error));
    CHECK(wishes.count == 9);
}

static void many(void)
{
    CHECK(point_wishes_add_descriptor(&wishes, &error) && last()->kind == WISH_DESCRIPTOR);
    CHECK(point_wishes_add_descriptor(&wishes, &error) && wishes.count == 10); /* once is enough */
    while (wishes.count < POINT_WISHES_MOST)
        CHECK(point_wishes_add_interval(&wishes, "f", &error));
    CHECK(!point_wishes_add_interval(&wishes, "f", &error) && error.code == ERROR_USAGE);
    CHECK(!point_wishes_add_usdt(&wishes, "a:b", NULL, &error));
    point_wishes_release(&wishes);
    CHECK(wishes.count == 0);
}

int main(void)
{
    intervals();
    spans();
    probes();
    many();
    return CHECK_DONE();
}
