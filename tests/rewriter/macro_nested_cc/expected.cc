#include <cstdio>
#define GETTER(n) int n() const noexcept {VPROF_FUNCTION_MADE(0) return n##_ * 2; }
#define FIELD(n) int n##_ = 1; GETTER(n)
#define FIELDS FIELD(width) FIELD(height)
#define TEST_CLASS(n) class test_##n { public: test_##n() : ran_(0) {VPROF_FUNCTION_MADE(32) ran_++; } int run(); int ran_; };
#define BRACED(n) struct n { int a_, b_{1}; explicit n(int a) : a_{a} {VPROF_FUNCTION_MADE(48) b_ += a; } }; static const int k_##n = int{2};
#define BRACED_TOO(n) BRACED(n) class n##_too : public n { public: n##_too() : n(1) {VPROF_FUNCTION_MADE(64) a_++; } };
#define TEST(n) TEST_CLASS(n) int test_##n::run()
#define WHOLE_TEST(n) TEST(n) {VPROF_FUNCTION_MADE(16) return ran_ + 4; }
#define CONSTANT(n) constexpr int n(int a) { return a + 5; }
#define ALL_CONSTANT(n) CONSTANT(n)
#define SPACE(s, n) namespace s { static int n(int a) { return a + 6; } }
#define SPACES(n) SPACE(one, n) SPACE(other, n)
#define MAKE(n) template <class T> static T n(T a) {VPROF_FUNCTION_MADE(80) return a + 7; }
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
{VPROF_FUNCTION(12)
    static const char text[five(1)] = "12345";
    box b;
    __extension__({VPROF_FUNCTION(14) std::printf("%d %d\n", braced_too().a_, k_braced);});
    test_quick t;
    __extension__({VPROF_FUNCTION(15) std::printf("%d %d %d %s\n", VPROF_RESTART(15, b.width()), VPROF_RESTART(15, b.height()), VPROF_RESTART(15, t.run()), text);});
    __extension__({VPROF_FUNCTION(19) std::printf("%d %d %d %ld\n", VPROF_RESTART(19, one::six(1)), VPROF_RESTART(19, other::six(1)), VPROF_RESTART(19, seven(1)), VPROF_RESTART(19, seven_again(1L)));});
    return 0;
}
