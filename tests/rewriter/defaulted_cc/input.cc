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
    explicit Derived(int n) : n(n) {}
    ~Derived() override = default;
    int get() const override { return n; }

    int n;
};

int main()
{
    Derived a(1), b(a);
    b = a;
    Base *c = &b;
    std::printf("%d\n", c->get());
    return 0;
}
