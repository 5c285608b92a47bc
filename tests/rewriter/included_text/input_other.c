#include <stdlib.h>
#define NAME third
#include "input_text.h"

int other(int n)
{
    return third(n);
}
