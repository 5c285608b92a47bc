/* iterate_options.h - what the main job is told: the values of `vprofiler iterate`'s command line.
 */
#ifndef DRIVER_LOOP_ITERATE_OPTIONS_H
#define DRIVER_LOOP_ITERATE_OPTIONS_H

#include <stdbool.h>

struct iterate_options {
    unsigned k;           /* factors selected in a round */
    double threshold;     /* d: fraction of the interval's variance */
    unsigned max_rounds;  /* 0: no limit */
    double budget_s;      /* no round is begun that would not fit; 0: no limit */
    unsigned jobs;        /* files parsed at once */
    const char *build;    /* script */
    const char *run;      /* script, or NULL */
    char *const *command; /* or NULL */
    const char *source;
    const char *out;
    const char *config;   /* or NULL: <source>/vprofiler.json where it is there */
    const char *commands; /* compile_commands.json, or NULL: recorded */
    const char *kernel;   /* one of kernel_modes */
    const char *words;    /* the command line, for the report */
    bool resume;          /* go on with the newest loop of `out`; the rest is as it was then */
    bool live;            /* one build; probes are switched while the program runs */
    bool automatic;       /* open what still has children, without asking */
    bool json;            /* report.json on stdout in place of the text */
    bool redact;          /* `words` has no secrets; see command_words.h */
    bool keep;            /* keep the work tree and every trace */
};

#endif
