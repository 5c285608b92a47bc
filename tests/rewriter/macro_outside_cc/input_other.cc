/* Another unit, to which a name means something else. */
#include <second.h>
int from_other(int a);
LIBRARY_DIFFERS(differs)
int from_other(int a) { return differs(a); }
