/* marks.h - annotations become records. Signal-safe. */
#ifndef RUNTIME_MARKS_H
#define RUNTIME_MARKS_H

/* `what` is enum vprof_mark_1; in an experiment the record has the thread's delay. */
void marks_plain(unsigned what, unsigned long id);
void marks_named(unsigned what, unsigned long id, const char *name, long value);
/* `probe` tells which function is the unit of work, where an experiment says that one is; else 0. */
void marks_progress(const char *name, unsigned probe);

#endif
