#include <cstdio>
#define GETTER(n) int n() const noexcept { return n##_ * 2; }
#define FIELD(n) int n##_ = 1; GETTER(n)
#define FIELDS FIELD(width) FIELD(height)
#define TEST_CLASS(n) class test_##n { public: test_##n() : ran_(0) { ran_++; } int run(); int ran_; };
#define BRACED(n) struct n { int a_, b_{1}; explicit n(int a) : a_{a} { b_ += a; } }; static const int k_##n = int{2};
#define BRACED_TOO(n) BRACED(n) class n##_too : public n { public: n##_too() : n(1) { a_++; } };
#define TEST(n) TEST_CLASS(n) int test_##n::run()
#define WHOLE_TEST(n) TEST(n) { return ran_ + 4; }
#define CONSTANT(n) constexpr int n(int a) { return a + 5; }
#define ALL_CONSTANT(n) CONSTANT(n)
#define SPACE(s, n) namespace s { static int n(int a) { return a + 6; } }
#define SPACES(n) SPACE(one, n) SPACE(other, n)
#define MAKE(n) template <class T> static T n(T a) { return a + 7; }
#define MAKE_TWICE(n) MAKE(n) MAKE(n##_again)

struct box {
    FIELDS
};
WHOLE_TEST(quick)
BRACED_TOO(braced)
ALL_CONSTANT(five)
SPACES(six)
MAKE_TWICE(seven)

int main()
{
    static const char text[five(1)] = "12345";
    box b;
    std::printf("%d %d\n", braced_too().a_, k_braced);
    test_quick t;
    std::printf("%d %d %d %s\n", b.width(), b.height(), t.run(), text);
    std::printf("%d %d %d %ld\n", one::six(1), other::six(1), seven(1), seven_again(1L));
    return 0;
}
