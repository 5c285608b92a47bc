/* A function that is "= default" has a body for the compiler and none in the text. */
#include <cstdio>

struct Base {
    Base() = default;
    virtual ~Base();
    Base(const Base &) = default;
    Base &operator=(const Base &) = default;
    virtual int get() const = 0;
};

Base::~Base() = default;

struct Derived : Base {
    explicit Derived(int n) : n(n) {VPROF_FUNCTION(1)}
    ~Derived() override = default;
    int get() const override {VPROF_FUNCTION(2) return n; }

    int n;
};

int main()
{VPROF_FUNCTION(3)
    Derived a(1), b(a);
    b = a;
    Base *c = &b;
    __extension__({VPROF_FUNCTION(4) std::printf("%d\n", VPROF_RESTART(4, c->get()));});
    return 0;
}
