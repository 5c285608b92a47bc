/* Destructors run where no call is written: of variables, of members, of what `delete` is given. */
#include <cstdio>
#include <memory>
#include <vector>

struct Lock {
    explicit Lock(int *held) : held(held) { ++*held; }
    ~Lock() { --*held; }
    Lock(const Lock &) = delete;
    int *held;
};

struct Base {
    virtual ~Base() { std::puts("~Base"); }
};

struct Derived : Base {
    ~Derived() override { std::puts("~Derived"); }
};

struct Holder {
    explicit Holder(int *held) : lock(held) {}
    Lock lock;
};

struct Owner {
    std::vector<std::unique_ptr<Derived>> all;
    ~Owner() { std::puts("~Owner"); }
};

static int work(int *held)
{
    Lock lock(held);
    return *held;
}

static int hold(int *held)
{
    Holder holders[2] = {Holder(held), Holder(held)};
    return *held + *holders[0].lock.held;
}

static void drop(Base *base)
{
    delete base;
}

int main()
{
    int held = 0;
    Owner owner;
    owner.all.push_back(std::unique_ptr<Derived>(new Derived));
    drop(new Derived);
    std::printf("%d %d %d\n", work(&held), hold(&held), held);
    return 0;
}
