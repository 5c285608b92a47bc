/* A virtual call may end in any overrider: all of them are callees. It is timed by itself where
 * one of them, or the member that is named, has no body here. */
#include <cstdio>
#include <exception>
#include <memory>
#include <sstream>
#include <vector>

struct Handler {
    virtual ~Handler() {}
    virtual int run(int n) = 0;
    virtual int twice(int n) { return 2 * n; }
    virtual int operator()(int n) { return n; }
};

struct Read : Handler {
    int run(int n) override { return n + 1; }
};

struct ReadFast final : Read {
    int run(int n) override { return Read::run(n) - 1; }
    int twice(int n) override { return n << 1; }
    int operator()(int n) override { return n + 5; }
};

template <class T> struct Store {
    virtual ~Store() {}
    virtual T put(T n) { return n; }
};

struct Numbers : Store<int> {
    int put(int n) override { return n - 3; }
};

struct Failure : std::exception {
    const char *what() const noexcept override { return "failure"; }
};

namespace {
struct Quiet : std::stringbuf {
    int sync() override { return std::stringbuf::sync(); }
    int_type overflow(int_type c) override { return c; }
};
} // namespace

static int all(const std::vector<std::unique_ptr<Handler>> &handlers, Store<int> *store)
{
    int sum = store->put(4);
    for (std::size_t k = 0; k < handlers.size(); k++) {
        sum += handlers[k]->run(1) + handlers[k]->twice(2) + (*handlers[k])(3);
        sum += handlers[k]->Handler::twice(1);
    }
    return sum;
}

int main()
{
    std::vector<std::unique_ptr<Handler>> handlers;
    handlers.push_back(std::unique_ptr<Handler>(new Read));
    handlers.push_back(std::unique_ptr<Handler>(new ReadFast));
    Numbers numbers;
    Quiet quiet;
    std::streambuf *buffer = &quiet;
    try {
        throw Failure();
    } catch (const std::exception &error) {
        std::puts(error.what());
    }
    std::printf("%d %d\n", all(handlers, &numbers), buffer->pubsync());
    return 0;
}
