/* journal.h - a log of all changes, written out when a page of it is full. Any thread may call. */
#ifndef JOURNAL_H
#define JOURNAL_H

void journal_open(void);
void journal_append(const char *text);

#endif
