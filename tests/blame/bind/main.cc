// Actions by name, bound to members where the program starts; one request in eight compacts for 3..7 ms.
#include <functional>
#include <map>
#include <string>

#include "own.h"
#include <vprof_api.h>

struct Service {
    long slow = 0;
    std::map<std::string, std::function<int(unsigned)>> actions;
    void merge_runs(unsigned r)
    {
        long a = NOW();
        NAP(3000 + r % 4000);
        slow = NOW() - a;
    }
    int compact(int level, unsigned r)
    {
        merge_runs(r / 8);
        return level;
    }
    int lookup(unsigned r)
    {
        NAP(100 + r % 20);
        return 0;
    }
    Service()
    {
        using namespace std::placeholders;
        actions["compact"] = std::bind(&Service::compact, this, 2, _1);
        actions["lookup"] = [this](unsigned r) { return lookup(r); };
    }
    int act(unsigned r) { return actions[r % 8 == 0 ? "compact" : "lookup"](r); }
};

static Service service;

static void serve(long id, unsigned r)
{
    own_row *row = OWN_ROW();
    service.slow = 0;
    row->begin = NOW();
    SI_BEGIN(id);
    service.act(r);
    SI_END(id);
    row->end = NOW();
    row->part[0] = service.slow;
    row->used = 1;
}

int main()
{
    own_open();
    unsigned long seed = 5;
    for (int i = 0; i < 800; i++)
        serve(i + 1, RNG(seed));
    own_close("merge_runs", nullptr);
    return 0;
}
