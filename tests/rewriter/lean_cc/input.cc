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
{
    return shape.area();
}

static Point *make(int x)
{
    return new Point{x, x};
}

static void drop(Point *point)
{
    delete point;
}

static int thrown(int x)
{
    if (x > 7)
        throw x;
    return x;
}

static int each()
{
    int all = 0;
    for (int x : {1, 2, 3})
        all += Point::twice(x);
    return all;
}

static int ended(int x)
{
    std::string text(x, 'x');
    return (int)sizeof text > 0;
}

template <typename T>
static int largest(T value)
{
    return value < value ? 1 : 2;
}

int main()
{
    Square square;
    Point *point = make(2);
    auto half = [](int x) { return x / 2; };
    std::printf("%d %d %d %d\n", area_of(square), point->sum(), thrown(5), each());
    std::printf("%d %d %d\n", ended(3), half(8), largest(*point));
    drop(point);
    return 0;
}
