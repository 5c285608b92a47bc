/* Destructors run where no call is written: of variables, of members, of what `delete` is given. */
#include <cstdio>
#include <memory>
#include <vector>

struct Lock {
    explicit Lock(int *held) : held(held) {VPROF_FUNCTION(1) ++*held; }
    ~Lock() {VPROF_FUNCTION(2) --*held; }
    Lock(const Lock &) = delete;
    int *held;
};

struct Base {
    virtual ~Base() {VPROF_FUNCTION(3) __extension__({VPROF_FUNCTION(11) std::puts("~Base");}); }
};

struct Derived : Base {
    ~Derived() override {VPROF_FUNCTION(4) __extension__({VPROF_FUNCTION(12) std::puts("~Derived");}); }
};

struct Holder {
    explicit Holder(int *held) : lock(held) {VPROF_FUNCTION(5)}
    Lock lock;
};

struct Owner {
    std::vector<std::unique_ptr<Derived>> all;
    ~Owner() {VPROF_FUNCTION(6) __extension__({VPROF_FUNCTION(13) std::puts("~Owner");}); }
};

static int work(int *held)
{VPROF_FUNCTION(7)
    Lock lock(held);
    return *held;
}

static int hold(int *held)
{VPROF_FUNCTION(8)
    Holder holders[2] = {Holder(held), Holder(held)};
    return *held + *holders[0].lock.held;
}

static void drop(Base *base)
{VPROF_FUNCTION(9)
    delete base;
}

int main()
{VPROF_FUNCTION(10)
    int held = 0;
    Owner owner;
    __extension__({VPROF_FUNCTION(14) owner.all.push_back(std::unique_ptr<Derived>(new Derived));});
    drop(new Derived);
    __extension__({VPROF_FUNCTION(16) std::printf("%d %d %d\n", VPROF_RESTART(16, work(&held)), VPROF_RESTART(16, hold(&held)), held);});
    return 0;
}
