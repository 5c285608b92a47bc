#include <unistd.h>
struct request {
    int number;
};
static struct request requests[120];
static int next_;
static struct request *queue_pop(void)
{
    return next_ < 120 ? &requests[next_++] : 0;
}
static void work(struct request *request)
{
    usleep(request->number & 3 ? 100 : 3000);
}
static void handle_request(struct request *request)
{
    work(request);
}
int main(void)
{
    struct request *request;
    for (int i = 0; i < 120; i++)
        requests[i].number = i;
    while ((request = queue_pop()))
        handle_request(request);
    return 0;
}
