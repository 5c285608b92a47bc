/* fuzz_trace.h - an input of the trace reader's fuzzer, and the folder of .vtr files it stands for.
 *
 *     header |page| chunk and its records |page| chunk ... |file| header |page| ...
 *
 * A trace is mostly zeros up to the next page, which a fuzzer would waste its time on. So in an
 * input the word "|page|" stands for zeros (a hole, in the file) up to the next page, and "|file|"
 * begins the next file of the run.
 */
#ifndef TESTS_FUZZ_FUZZ_TRACE_H
#define TESTS_FUZZ_FUZZ_TRACE_H

#include <stddef.h>
#include <stdint.h>

#define FUZZ_PAGE "|page|"
#define FUZZ_FILE "|file|"
#define FUZZ_WORD_BYTES (sizeof FUZZ_PAGE - 1)

/* Reads the run that the input stands for in every way there is; aborts where a promise of
 * trace/timeline.h is broken. The name is libFuzzer's. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
