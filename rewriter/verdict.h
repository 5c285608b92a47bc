/* verdict.h - what is known of declarations before they are built. */
#ifndef REWRITER_VERDICT_H
#define REWRITER_VERDICT_H

enum trial_verdict { TRIAL_UNKNOWN, TRIAL_GOOD, TRIAL_WRONG };

#endif
