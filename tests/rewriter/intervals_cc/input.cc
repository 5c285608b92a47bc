#include <cstdio>

struct Worker {
    int id;
    int run(int n);
    int run(const char *text)
    {
        std::puts(text);
        int twice = id * 2;
        return twice;
    }
};

int Worker::run(int n)
{
    return n + id;
}

int main()
{
    Worker worker{3};
    return std::printf("%d %d\n", worker.run(2), worker.run("text")) < 0;
}
