/* three routes, each of which reads a header and stores a page, and one of which scans. Storing takes about as long whichever
   route it is on, and reading a header always the same: the scan is what varies */
#include "own.h"
#include <vprof_api.h>
static struct own_row *row;
static int requests = 400;
void read_header(void) { long a = NOW(); NAP(700); row->part[1] += NOW() - a; }
void store_page(unsigned r) { long a = NOW(); NAP(1200 + r % 300); row->part[0] += NOW() - a; }
void scan(unsigned r) { long a = NOW(); NAP(100 + r % 2500); row->part[2] += NOW() - a; }
void get_page(unsigned r) { read_header(); store_page(r); }
void put_page(unsigned r) { read_header(); store_page(r); NAP(50); }
void list_pages(unsigned r) { read_header(); scan(r >> 3); store_page(r); }
void serve(long id, unsigned r)
{
    row = OWN_ROW();
    row->begin = NOW();
    SI_BEGIN(id);
    switch ((r >> 9) % 3) {
    case 0: get_page(r); break;
    case 1: put_page(r); break;
    default: list_pages(r);
    }
    SI_END(id);
    row->end = NOW();
    row->used = 1;
}
int main(void)
{
    unsigned long seed = 5;
    own_open();
    for (int i = 0; i < requests; i++) serve(i + 1, RNG(seed));
    own_close("store_page read_header scan", NULL);
    return 0;
}
