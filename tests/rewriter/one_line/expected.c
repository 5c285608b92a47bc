#include <stdlib.h>
#include <stdio.h>
static int a(int n) {VPROF_FUNCTION(1) return __extension__({VPROF_FUNCTION(5) abs(n);}); } static int b(int n) {VPROF_FUNCTION(2)return __extension__({VPROF_FUNCTION(6) abs(n);}) + a(n);} static void nothing(void) {VPROF_FUNCTION(3)}
int main(void) {VPROF_FUNCTION(4) nothing(); return __extension__({VPROF_FUNCTION(9) printf("%d %d\n", VPROF_RESTART(9, a(-1)), VPROF_RESTART(9, b(-2)));}) < 0; }
