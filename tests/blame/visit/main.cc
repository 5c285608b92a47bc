// What a request is decides which member of a visitor takes it; exports take 2..6 ms. Then its parts are
// handed to a lambda by a library's loop.
#include <algorithm>
#include <array>
#include <variant>

#include "own.h"
#include <vprof_api.h>

static long slow;
struct Read { unsigned r; };
struct Export { unsigned r; };
using Request = std::variant<Read, Export>;

static void render_pages(unsigned r)
{
    long a = NOW();
    NAP(2000 + r % 4000);
    slow = NOW() - a;
}

struct Handler {
    void operator()(const Read &request) const { NAP(80 + request.r % 20); }
    void operator()(const Export &request) const { render_pages(request.r / 6); }
};

static void answer(const Request &request, std::array<unsigned, 4> &parts)
{
    std::visit(Handler{}, request);
    std::for_each(parts.begin(), parts.end(), [](unsigned &part) { NAP(10 + part % 3); });
}

static void serve(long id, unsigned r)
{
    own_row *row = OWN_ROW();
    std::array<unsigned, 4> parts = {r, r / 2, r / 3, r / 4};
    Request request = r % 6 == 0 ? Request(Export{r}) : Request(Read{r});
    slow = 0;
    row->begin = NOW();
    SI_BEGIN(id);
    answer(request, parts);
    SI_END(id);
    row->end = NOW();
    row->part[0] = slow;
    row->used = 1;
}

int main()
{
    own_open();
    unsigned long seed = 6;
    for (int i = 0; i < 700; i++)
        serve(i + 1, RNG(seed));
    own_close("render_pages", nullptr);
    return 0;
}
