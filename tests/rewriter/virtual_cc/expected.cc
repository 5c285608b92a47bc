/* A virtual call may end in any overrider: all of them are callees. It is timed by itself where
 * one of them, or the member that is named, has no body here. */
#include <cstdio>
#include <exception>
#include <memory>
#include <sstream>
#include <vector>

struct Handler {
    virtual ~Handler() {VPROF_FUNCTION(1)}
    virtual int run(int n) = 0;
    virtual int twice(int n) {VPROF_FUNCTION(2) return 2 * n; }
    virtual int operator()(int n) {VPROF_FUNCTION(3) return n; }
};

struct Read : Handler {
    int run(int n) override {VPROF_FUNCTION(4) return n + 1; }
};

struct ReadFast final : Read {
    int run(int n) override {VPROF_FUNCTION(5) return Read::run(n) - 1; }
    int twice(int n) override {VPROF_FUNCTION(6) return n << 1; }
    int operator()(int n) override {VPROF_FUNCTION(7) return n + 5; }
};

template <class T> struct Store {
    virtual ~Store() {VPROF_FUNCTION(8)}
    virtual T put(T n) {VPROF_FUNCTION(9) return n; }
};

struct Numbers : Store<int> {
    int put(int n) override {VPROF_FUNCTION(10) return n - 3; }
};

struct Failure : std::exception {
    const char *what() const noexcept override {VPROF_FUNCTION(11) return "failure"; }
};

namespace {
struct Quiet : std::stringbuf {
    int sync() override {VPROF_FUNCTION(12) return __extension__({VPROF_FUNCTION(17) std::stringbuf::sync();}); }
    int_type overflow(int_type c) override {VPROF_FUNCTION(13) return c; }
};
} // namespace

static int all(const std::vector<std::unique_ptr<Handler>> &handlers, Store<int> *store)
{VPROF_FUNCTION(14)
    int sum = store->put(4);
    for (std::size_t k = 0; k < __extension__({VPROF_FUNCTION(19) handlers.size();}); k++) {
        sum += handlers[k]->run(1) + handlers[k]->twice(2) + (*handlers[k])(3);
        sum += handlers[k]->Handler::twice(1);
    }
    return sum;
}

int main()
{VPROF_FUNCTION(15)
    std::vector<std::unique_ptr<Handler>> handlers;
    __extension__({VPROF_FUNCTION(24) handlers.push_back(std::unique_ptr<Handler>(new Read));});
    __extension__({VPROF_FUNCTION(25) handlers.push_back(std::unique_ptr<Handler>(new ReadFast));});
    Numbers numbers;
    Quiet quiet;
    std::streambuf *buffer = &quiet;
    try {
        throw Failure();
    } catch (const std::exception &error) {
        __extension__({VPROF_FUNCTION(26) std::puts(VPROF_RESTART(26, __extension__({VPROF_FUNCTION(27) error.what();})));});
    }
    __extension__({VPROF_FUNCTION(28) std::printf("%d %d\n", VPROF_RESTART(28, all(handlers, &numbers)), VPROF_RESTART(28, __extension__({VPROF_FUNCTION(30) buffer->pubsync();})));});
    return 0;
}
