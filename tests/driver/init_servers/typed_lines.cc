#include <iostream>
#include <string>
static std::string evaluate(const std::string &line)
{
    return std::string(line.rbegin(), line.rend());
}
int main()
{
    std::string line;
    while (std::getline(std::cin, line)) {
        std::string reply = evaluate(line);
        std::cout << reply << std::endl;
    }
}
