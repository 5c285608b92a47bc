/* timeline_load.h - from a folder of .vtr files to the timelines of a run.
 *
 *     struct timelines run;
 *     if (timelines_open(&run, "run/", &error)) { ... timelines_release(&run); }
 */
#ifndef TRACE_TIMELINE_LOAD_H
#define TRACE_TIMELINE_LOAD_H

#include "base/error.h"
#include "trace/timeline.h"

/* The run is made of every .vtr file in `directory`. Fails with ERROR_NOTHING where there is none.
 * Damaged files are read as far as they go; what was left out is said in `run->damage` texts. The
 * calls of a run that is loaded are all in memory: for small ones, and where they are all looked at
 * anyway. */
bool timelines_open(struct timelines *run, const char *directory, struct error *error);
bool timelines_open_pages(struct timelines *run, const char *directory, uint32_t page_calls,
                          struct error *error);
bool timelines_load(struct timelines *run, const char *directory, struct error *error);
void timelines_release(struct timelines *run);

#endif
