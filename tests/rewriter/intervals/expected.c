#include <stdio.h>

struct request {
    int id;
    const char *kind;
};

static int serve(struct request *request)
{VPROF_SI_EXIT(4, ENTER, 1, ~0UL) VPROF_SI_EXIT(2, END, request->id != 3, request) VPROF_SI_ENTRY(1, BEGIN, request->id != 3, request, request->kind) VPROF_FUNCTION(1)
    struct request *copy = request;
    int early = request->id == 2;
    if (early)
        return 0;
    VPROF_SI(TYPE, !early, copy, copy->kind) switch (request->id) {
    case 1:
        VPROF_SI(ENTER, 1, copy, "") puts("one");
        break;
    default:
        puts(copy->kind);
    }
    VPROF_SI_ENTRY(5, ENTER, 1, ((copy, 1) + 0, 2), "") int late = copy->id;
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
