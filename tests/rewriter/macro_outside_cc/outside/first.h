#define LIBRARY_MEMBER(type, n) int type::n(int a) const { return a + value; }
#define LIBRARY_INLINE(n) int n(int a) const { return a - value; }
#define LIBRARY_TEMPLATE(n) template <typename T> static T n(T a) { return a + 1; }
#define LIBRARY_NAMES(type, n) LIBRARY_NAMES_OF(type, n)
#define LIBRARY_NAMES_OF(type, n) const char *type::n() { return #type "::" #n; }
#define LIBRARY_LAMBDA(n) static int n(int a) { return [](int b) { return b + 2; }(a); }
#define LIBRARY_DIFFERS(n) static int n(int a) { return a + 3; }
