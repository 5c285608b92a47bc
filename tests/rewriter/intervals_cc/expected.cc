#include <cstdio>

struct Worker {
    int id;
    int run(int n);
    int run(const char *text)
    {VPROF_SI_EXIT(2, END, 1, this) VPROF_SI_ENTRY(1, BEGIN, 1, this, "") 
        std::puts(text);
        VPROF_SI(ENTER, 1, id, "") int twice = id * 2;
        return twice;
    }
};

int Worker::run(int n)
{VPROF_SI_EXIT(2, END, 1, this) VPROF_SI_ENTRY(1, BEGIN, 1, this, "") 
    return n + id;
}

int main()
{VPROF_FUNCTION(3)
    Worker worker{3};
    return std::printf("%d %d\n", worker.run(2), worker.run("text")) < 0;
}
