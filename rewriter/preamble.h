/* preamble.h - the text that goes on top of every instrumented file.
 *
 * Made at build time by tools/embed_preamble.cmake of the core of include/vprof_api.h and of
 * rewriter/probe.h, comments taken out. Ends with a newline. What follows it where the program
 * carries the probes of all rounds is of rewriter/site.h.
 */
#ifndef REWRITER_PREAMBLE_H
#define REWRITER_PREAMBLE_H

extern const char rewriter_preamble[];
extern const char rewriter_sites[];

#endif
