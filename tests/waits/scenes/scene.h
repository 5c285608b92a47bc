/* scene.h - programs whose waits are known by what they do; main.c lists them. */
#ifndef SCENES_SCENE_H
#define SCENES_SCENE_H

#include <stdint.h>

struct scene_options {
    int rounds;
    const char *form; /* which of its forms, or "" */
    const char *word; /* a file or a number for it, or NULL */
};

/* Each returns what was done: rounds, requests. */
typedef int64_t scene_run(const struct scene_options *options);

scene_run scene_buffer, scene_stage;               /* pipeline.c */
scene_run scene_imbalance, scene_startup;          /* phases.c */
scene_run scene_batch, scene_handlers;             /* requests.c */
scene_run scene_herd, scene_convoy;                /* locks.c */
scene_run scene_neighbour, scene_naps, scene_disk; /* alone.c */
scene_run scene_server, scene_client, scene_echo;  /* network.c */
scene_run scene_chain, scene_shares;               /* chain.c */

#endif
