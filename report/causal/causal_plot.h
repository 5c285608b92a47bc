/* causal_plot.h - curves of changes by level on a terminal, as many beside each other as it is wide.
 *
 *     mean                               p99
 *       0 % o---------------------         0 % o--------------
 *           |:..                               |::..
 *     -20 % |  :.*..                     -40 % |    :.*..
 *           '-----------^---------             '---------------
 *           0 %        50 %  100 %             0 %   50 %  100 %
 *
 * A filled point differs from 0. Around the curve that was fitted lies the band of the 95 % intervals; below, the
 * kink is marked.
 */
#ifndef REPORT_CAUSAL_CAUSAL_PLOT_H
#define REPORT_CAUSAL_CAUSAL_PLOT_H

#include "causal/causal.h"
#include "report/kit/terminal.h"

/* Of what is told of the part; nothing where nothing is. */
void causal_write_plots(const struct causal *causal, const struct causal_part *part,
                        struct terminal *terminal);
/* What the signs mean. */
void causal_write_plot_key(struct terminal *terminal);

#endif
