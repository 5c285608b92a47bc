/* units.c - counts the units of work of the program that it is linked with, and says how many at its end. */
#include <stdio.h>

unsigned long units;

static __attribute__((destructor)) void tell(void)
{
    fprintf(stderr, "%lu units\n", units);
}
