#include <stdlib.h>
#include <stdio.h>
static int a(int n) { return abs(n); } static int b(int n) {return abs(n) + a(n);} static void nothing(void) {}
int main(void) { nothing(); return printf("%d %d\n", a(-1), b(-2)) < 0; }
