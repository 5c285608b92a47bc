/* table.h - the data: numbers by key, under one lock. Any thread may call. */
#ifndef TABLE_H
#define TABLE_H

unsigned table_get(unsigned key);
void table_put(unsigned key, unsigned value);

/* Tidies up for `us` microseconds; nobody gets at the table meanwhile. */
void table_vacuum(unsigned us);

#endif
