/* priority.h - a thread that empties the kernel's rings goes before others: one that waits for its turn
 * loses records.
 */
#ifndef SAMPLER_PRIORITY_H
#define SAMPLER_PRIORITY_H

/* Of the calling thread; as far as it is allowed. */
void priority_raise(void);

#endif
