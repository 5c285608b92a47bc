#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <streambuf>
#include <variant>

static int total;

static void add(int n)
{
    total += n;
}

static int compare(const void *a, const void *b)
{
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static void on_signal(int)
{
    total++;
}

static void on_info(int, siginfo_t *, void *)
{
    total++;
}

struct Visitor {
    void operator()(int n) const { add(n); }
    void operator()(char) const { add(1); }
};

/* A library calls what overrides its own members. */
struct Sink : std::streambuf {
    int overflow(int c) override
    {
        add(1);
        return c;
    }
};

struct Owner {
    std::function<void(int)> held = [](int n) { add(n); };
    void keep(int n) { add(n); }
    void bind() { held = std::bind(&Owner::keep, this, std::placeholders::_1); }
};

/* Only called: nothing else reaches it. */
static void run(Owner &owner)
{
    int numbers[] = {3, 1, 2};
    std::variant<int, char> one = 4;
    owner.held(1);
    owner.bind();
    owner.held(2);
    std::visit(Visitor{}, one);
    std::for_each(numbers, numbers + 3, add);
    std::qsort(numbers, 3, sizeof numbers[0], compare);
}

int main()
{
    struct sigaction action = {};
    action.sa_sigaction = on_info;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGUSR2, &action, nullptr);
    std::signal(SIGUSR1, on_signal);
    Owner owner;
    Sink sink;
    run(owner);
    sink.sputc('x');
    std::raise(SIGUSR1);
    std::printf("%d\n", total);
    return 0;
}
