/* chrome.h - some intervals' timelines as Chrome's trace events, for chrome://tracing and Perfetto.
 */
#ifndef REPORT_KIT_CHROME_H
#define REPORT_KIT_CHROME_H

#include "base/str.h"
#include "interval/track.h"

/* Each view is a process of its own. */
void chrome_write(struct str *out, const struct track_view *views, uint32_t count);

#endif
