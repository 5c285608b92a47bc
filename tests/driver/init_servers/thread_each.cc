// C++: a thread for each connection, members and a virtual handler.
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <memory>
#include <string>
#include <thread>

class Service {
public:
    virtual ~Service() = default;
    virtual std::string call(const std::string &input) = 0;
};

class Upper : public Service {
public:
    std::string call(const std::string &input) override
    {
        std::string text = input;
        for (char &c : text)
            c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
        return text;
    }
};

class Session {
public:
    Session(int client, Service &service) : client_(client), service_(service) {}
    ~Session() { close(client_); }
    void run()
    {
        std::string line;
        while (next(line))
            respond(line);
    }

private:
    bool next(std::string &line)
    {
        char block[256];
        ssize_t got = recv(client_, block, sizeof block, 0);
        if (got <= 0)
            return false;
        line.assign(block, static_cast<size_t>(got));
        return true;
    }
    void respond(const std::string &line)
    {
        std::string text = service_.call(line);
        send(client_, text.data(), text.size(), MSG_NOSIGNAL);
    }
    int client_;
    Service &service_;
};

int main()
{
    Upper upper;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(7011);
    if (bind(door, reinterpret_cast<sockaddr *>(&address), sizeof address) || listen(door, 8))
        return 1;
    for (;;) {
        int client = accept(door, nullptr, nullptr);
        std::thread([client, &upper] {
            Session session(client, upper);
            session.run();
        }).detach();
    }
}
