/* ledger_words.h - how a line of the root ledger is written.
 *
 *     collect_stats (stats.c:40)                                        who
 *     32 % in requests themselves, 46 % in others that wait in pthread_mutex_lock for it     how
 *     calling usleep                                                    the way, where it is one
 */
#ifndef REPORT_VARIANCE_LEDGER_WORDS_H
#define REPORT_VARIANCE_LEDGER_WORDS_H

#include <stdbool.h>

#include "base/str.h"
#include "report/variance/variance_report.h"

/* A line's own or waiting side that is a smaller part of it is not told. */
#define LEDGER_SIDE 0.05

/* A line is doubtful where its 95 % interval holds 0. */
bool ledger_line_doubtful(const struct ledger_line *line);
/* Where not all of it is the intervals' own, or all waiting. */
bool ledger_line_is_mixed(const struct ledger_line *line);
/* The largest part of what was waited for, or NULL. */
const struct ledger_part *ledger_line_wait(const struct ledger_line *line);
/* The call that most of a line's time was spent in, or NULL. */
const struct ledger_way *ledger_line_way(const struct ledger_line *line);

/* Writes "compact (src/store.c:80)"; the name is cut to `columns`. */
void named_place_write(const char *name, const char *file, uint32_t line, size_t columns, bool utf8,
                       struct str *out);
/* Writes a line's name so; what lies outside of timed functions has no place. */
void ledger_write_who(const struct ledger_line *line, size_t columns, bool utf8, struct str *out);
/* Writes what others do meanwhile: "wait in pthread_mutex_lock", "wait for table_lock", or "wait for
 * table_lock, whose holder waits for journal_lock". */
void ledger_write_wait(const struct variance_tree *tree, const struct ledger_part *part,
                       size_t columns, bool utf8, struct str *out);
/* Writes "calling usleep", or "waiting (disk vda (read))". */
void ledger_write_way(const struct ledger_way *way, size_t columns, bool utf8, struct str *out);
/* The part is not the owner's own time in the intervals. */
bool ledger_part_is_told(const struct ledger_part *part);
/* Writes "66 % while requests wait for table_lock, in the thread of vacuum", or "20 % while backup has
 * it". */
void ledger_write_part(const struct variance_tree *tree, const struct ledger_part *part,
                       size_t columns, bool utf8, struct str *out);
/* Writes what that has to do with the one who is waited for: ", which it holds"; by its name where there are
 * two of whom "it" could speak. */
void ledger_write_ending(const struct variance_tree *tree, const struct ledger_line *line,
                         const struct ledger_part *part, size_t columns, bool utf8,
                         struct str *out);

#endif
