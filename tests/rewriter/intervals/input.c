#include <stdio.h>

struct request {
    int id;
    const char *kind;
};

static int serve(struct request *request)
{
    struct request *copy = request;
    int early = request->id == 2;
    if (early)
        return 0;
    switch (request->id) {
    case 1:
        puts("one");
        break;
    default:
        puts(copy->kind);
    }
    int late = copy->id;
    return late;
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        struct request request = {i, i ? "put" : "get"};
        printf("%d\n", serve(&request));
    }
    return 0;
}
