/* causal_html_parts.h - the sections of the page of experiments; causal_html.c puts them together.
 *
 * Each function appends whole elements. Rows and sections of a target carry its number (data-target), by which the
 * script finds them.
 */
#ifndef REPORT_CAUSAL_CAUSAL_HTML_PARTS_H
#define REPORT_CAUSAL_CAUSAL_HTML_PARTS_H

#include "report/causal/causal_page.h"
#include "report/causal/causal_words.h"
#include "report/causal/drawn_curve.h"
#include "report/kit/html_parts.h"

/* Which target brings most: a row each, and in a cell what is told at each level. */
void html_causal_targets(const struct causal_page *page, struct str *out);
/* All levels of a part, with what was counted. */
void html_causal_levels(const struct causal *causal, const struct causal_part *part,
                        struct str *out);
/* A figure of that number; where there is nothing to draw, the reason. */
void html_causal_curve(const struct causal *causal, const struct causal_part *part,
                       const struct drawn_curve *curve, const struct drawn_scale *scale,
                       struct str *out);

extern const char causal_css[];
extern const char causal_js[];

#endif
