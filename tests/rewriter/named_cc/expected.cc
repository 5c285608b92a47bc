#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <streambuf>
#include <variant>

static int total;

static void add(int n)
{VPROF_FUNCTION(1)
    total += n;
}

static int compare(const void *a, const void *b)
{VPROF_FUNCTION(2)
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static void on_signal(int)
{VPROF_FUNCTION(3)
    total++;
}

static void on_info(int, siginfo_t *, void *)
{VPROF_FUNCTION(4)
    total++;
}

struct Visitor {
    void operator()(int n) const {VPROF_FUNCTION(5) add(n); }
    void operator()(char) const {VPROF_FUNCTION(6) add(1); }
};

/* A library calls what overrides its own members. */
struct Sink : std::streambuf {
    int overflow(int c) override
    {VPROF_FUNCTION(7)
        add(1);
        return c;
    }
};

struct Owner {
    std::function<void(int)> held = [](int n) {VPROF_FUNCTION(8) add(n); };
    void keep(int n) {VPROF_FUNCTION(9) add(n); }
    void bind() {VPROF_FUNCTION(10) held = std::bind(&Owner::keep, this, std::placeholders::_1); }
};

/* Only called: nothing else reaches it. */
static void run(Owner &owner)
{VPROF_FUNCTION(11)
    int numbers[] = {3, 1, 2};
    std::variant<int, char> one = 4;
    __extension__({VPROF_FUNCTION(19) owner.held(1);});
    owner.bind();
    __extension__({VPROF_FUNCTION(21) owner.held(2);});
    __extension__({VPROF_FUNCTION(22) std::visit(Visitor{}, one);});
    __extension__({VPROF_FUNCTION(23) std::for_each(numbers, numbers + 3, add);});
    __extension__({VPROF_FUNCTION(24) std::qsort(numbers, 3, sizeof numbers[0], compare);});
}

int main()
{VPROF_FUNCTION(12)
    struct sigaction action = {};
    action.sa_sigaction = on_info;
    action.sa_flags = SA_SIGINFO;
    __extension__({VPROF_FUNCTION(25) sigaction(SIGUSR2, &action, nullptr);});
    __extension__({VPROF_FUNCTION(26) std::signal(SIGUSR1, on_signal);});
    Owner owner;
    Sink sink;
    run(owner);
    __extension__({VPROF_FUNCTION(28) sink.sputc('x');});
    __extension__({VPROF_FUNCTION(29) std::raise(SIGUSR1);});
    __extension__({VPROF_FUNCTION(30) std::printf("%d\n", total);});
    return 0;
}
