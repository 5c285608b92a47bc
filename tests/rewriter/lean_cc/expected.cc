#include <cstdio>
#include <cstring>
#include <string>

struct Point {
    int x, y;
    /* Short. */
    int sum() const { return x + y; }
    bool operator<(const Point &other) const { return sum() < other.sum(); }
    static int twice(int value) { return 2 * value; }
};

struct Shape {
    virtual ~Shape() {}
    virtual int area() const = 0;
};

struct Square : Shape {
    int side = 3;
    int area() const override { return side * side; }
};

/* Not short, each for a reason of its own. */
static int area_of(const Shape &shape)
{VPROF_FUNCTION(6)
    return shape.area();
}

static Point *make(int x)
{VPROF_FUNCTION(7)
    return new Point{x, x};
}

static void drop(Point *point)
{VPROF_FUNCTION(8)
    delete point;
}

static int thrown(int x)
{VPROF_FUNCTION(9)
    if (x > 7)
        throw x;
    return x;
}

static int each()
{VPROF_FUNCTION(10)
    int all = 0;
    for (int x : {1, 2, 3})
        all += Point::twice(x);
    return all;
}

static int ended(int x)
{VPROF_FUNCTION(11)
    std::string text(x, 'x');
    return (int)sizeof text > 0;
}

template <typename T>
static int largest(T value)
{VPROF_FUNCTION(12)
    return value < value ? 1 : 2;
}

int main()
{VPROF_FUNCTION(13)
    Square square;
    Point *point = make(2);
    auto half = [](int x) { return x / 2; };
    __extension__({VPROF_FUNCTION(20) std::printf("%d %d %d %d\n", VPROF_RESTART(20, area_of(square)), VPROF_RESTART(20, point->sum()), VPROF_RESTART(20, thrown(5)), VPROF_RESTART(20, each()));});
    __extension__({VPROF_FUNCTION(25) std::printf("%d %d %d\n", VPROF_RESTART(25, ended(3)), VPROF_RESTART(25, half(8)), largest(*point));});
    drop(point);
    return 0;
}
