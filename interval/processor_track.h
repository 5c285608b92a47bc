/* processor_track.h - who had each processor during an interval.
 *
 *     processor 0  |-- serve (4711) --|  idle  |-- serve (4711) --|
 *     processor 1  |-- backup (process) ------------------|   not known  |----|
 *
 * Nothing is drawn where a processor was idle, or where it is not known who had it.
 */
#ifndef INTERVAL_PROCESSOR_TRACK_H
#define INTERVAL_PROCESSOR_TRACK_H

#include "base/arena.h"
#include "interval/track.h"
#include "symbol/callee_table.h"

/* Fills in the view's processors, those of the machine that was recorded in [begin, end]; none
 * where no scheduler was. Their tracks live in the arena, their names there or with the callees. */
void processor_tracks_make(struct track_view *view, struct arena *arena,
                           struct callee_table *callees, time_ns begin, time_ns end);

#endif
