#define LIBRARY_DIFFERS(n) static int n(int a) { if (a) { return a + 4; } return 0; }
