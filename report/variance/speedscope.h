/* speedscope.h - a tree and some intervals' timelines for speedscope.app, in its own format.
 */
#ifndef REPORT_VARIANCE_SPEEDSCOPE_H
#define REPORT_VARIANCE_SPEEDSCOPE_H

#include "base/str.h"
#include "interval/track.h"
#include "variance/variance_tree.h"

/* Writes the tree by share of variance and by mean, then each view's tracks. */
void speedscope_write(struct str *out, const struct variance_tree *tree,
                      const struct track_view *views, uint32_t count);

#endif
