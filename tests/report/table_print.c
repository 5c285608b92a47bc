/* table_print csv|parquet ROWS - a table with all that can go wrong in one: the numbers at both
 * ends, missing ones, texts of 4 KB, quotes, line breaks, markup, bytes that are no UTF-8. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/kit/csv.h"
#include "report/kit/parquet.h"

static const struct table_column columns[] = {{"number", TABLE_NUMBER, false},
                                              {"maybe", TABLE_NUMBER, true},
                                              {"name", TABLE_TEXT, false},
                                              {"mostly_same", TABLE_TEXT, false}};
static const struct table_kind kind = {"odd", columns, 4};

static const char *const names[] = {"plain",
                                    "",
                                    "a \"quoted\" one",
                                    "comma, and ; and \\",
                                    "two\r\nlines\n",
                                    "\t",
                                    "</script><b>&amp;",
                                    "std::map<int, std::vector<char>>::operator[]",
                                    "d\xc3\xa9j\xc3\xa0 \xe6\xbc\xa2 \xf0\x9f\x94\xa5",
                                    "bad \xff\xfe bytes \xc3",
                                    "\\N",
                                    "NULL",
                                    "123",
                                    "PAR1"};
enum { NAMES = sizeof names / sizeof *names, LONG_BYTES = 4096 };

/* Another text each time, so that there are too many for one dictionary. */
static const char *long_name(uint64_t row)
{
    static char text[LONG_BYTES + 1];
    memset(text, '<', LONG_BYTES);
    int length = snprintf(text, sizeof text, "%llu", (unsigned long long)row);
    text[length] = '>';
    return text;
}

static int64_t number_of(uint64_t row)
{
    if (row % 1000 == 1)
        return INT64_MIN;
    if (row % 1000 == 2)
        return INT64_MAX;
    return (int64_t)(row * UINT64_C(0x9e3779b97f4a7c15)) >> row % 64;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    bool csv = strcmp(argv[1], "csv") == 0;
    struct table *table = table_open(&kind, csv ? &csv_format : &parquet_format, stdout);
    for (uint64_t row = 0; row < strtoull(argv[2], NULL, 10); row++)
        table_add(table, (struct table_value[]){
                             {.number = number_of(row)},
                             {.number = -(int64_t)row, .missing = row % 3 == 0},
                             {.text = row % 50 == 7 ? long_name(row) : names[row % NAMES]},
                             {.text = row % 100000 == 99999 ? "other" : NULL},
                         });
    table_close(table);
    return ferror(stdout) || fflush(stdout) != 0;
}
