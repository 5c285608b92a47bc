/* input_stamp.h - stands for the text of a file outside the tree: its size and time as one number.
 */
#ifndef REWRITER_INPUT_STAMP_H
#define REWRITER_INPUT_STAMP_H

#include <stdint.h>

uint64_t input_stamp(const char *path); /* 0: not there */

#endif
