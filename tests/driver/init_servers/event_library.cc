// An event library of classes: what is called for an event receives, or takes a connection.
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

class Handler
{
  public:
    virtual ~Handler() = default;
    virtual void ready(unsigned what) = 0;
    int descriptor_ = -1;
    unsigned again_ = 0, what_ = 0;
};

static int poller;

static void watch(Handler *own, int how, unsigned what)
{
    epoll_event event{};
    event.events = what;
    event.data.ptr = own;
    epoll_ctl(poller, how, own->descriptor_, &event);
}

class Peer : public Handler
{
  public:
    explicit Peer(int descriptor)
    {
        descriptor_ = descriptor;
    }
    void ready(unsigned what) override
    {
        if (what & EPOLLOUT) {
            send(descriptor_, text_, length_, MSG_NOSIGNAL);
            watch(this, EPOLL_CTL_MOD, EPOLLIN);
            return;
        }
        length_ = recv(descriptor_, text_, sizeof text_, 0);
        watch(this, EPOLL_CTL_MOD, EPOLLOUT);
    }

  private:
    char text_[128];
    ssize_t length_ = 0;
};

class Door : public Handler
{
  public:
    void ready(unsigned) override
    {
        watch(new Peer(accept(descriptor_, nullptr, nullptr)), EPOLL_CTL_ADD, EPOLLIN);
    }
};

static void run_again(Handler *own)
{
    own->ready(own->what_);
}

static void run_active(Handler **list, int count)
{
    for (int i = 0; i < count; i++) {
        switch (list[i]->again_) {
        case 0:
            list[i]->ready(list[i]->what_);
            break;
        default:
            run_again(list[i]);
            break;
        }
    }
}

int main()
{
    Door door;
    door.descriptor_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(7043);
    if (bind(door.descriptor_, (sockaddr *)&address, sizeof address) ||
        listen(door.descriptor_, 10))
        return 1;
    poller = epoll_create1(0);
    watch(&door, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) {
        epoll_event ready[16];
        Handler *list[16];
        int count = epoll_wait(poller, ready, 16, -1);
        for (int i = 0; i < count; i++) {
            list[i] = (Handler *)ready[i].data.ptr;
            list[i]->what_ = ready[i].events;
        }
        run_active(list, count);
    }
}
