#include "trace/file_doubt.h"

#include <inttypes.h>

#include "base/memory.h"
#include "trace/trace_seal.h"

void damage_list_add(struct damage_list *damage, struct str text)
{
    VEC_PUSH(damage->texts, damage->count, damage->capacity) = text.data;
}

void damage_list_release(struct damage_list *damage)
{
    for (size_t i = 0; i < damage->count; i++)
        memory_free(damage->texts[i]);
    memory_free(damage->texts);
    *damage = (struct damage_list){0};
}

static void doubt_seal(struct damage_list *damage, const struct trace_reader *reader)
{
    struct str text = {0};
    str_printf(&text, "%s: ", reader->path);
    if (trace_seal_holds(reader->path, reader->map.data, reader->map.size_bytes, &text))
        str_release(&text);
    else
        damage_list_add(damage, text);
}

/* A sealed file knows how many others its run has: one of them is not there, or is empty. */
static void doubt_files(struct damage_list *damage, const struct trace_reader *readers,
                        size_t count, size_t file)
{
    const struct trace_reader *reader = &readers[file];
    uint32_t wanted = reader->header->seal.bytes ? reader->header->run_files : 0, there = 0;
    for (size_t i = 0; i < count; i++) {
        if (!trace_seal_is_one_run(reader->header, readers[i].header))
            continue;
        if (i < file)
            return; /* told by that one */
        there++;
    }
    if (there >= wanted)
        return;
    struct str text = {0};
    str_printf(&text,
               "%s: its run left %u traces, of which %u %s here. Intervals are missing, or parts "
               "of them: copy all of them again.",
               reader->path, wanted, there, there == 1 ? "is" : "are");
    damage_list_add(damage, text);
}

void file_doubt(struct damage_list *damage, const struct trace_reader *readers, size_t count,
                size_t file, bool rate_known)
{
    const struct trace_reader *reader = &readers[file];
    const struct trace_file_header *header = reader->header;
    struct str text = {0};
    doubt_seal(damage, reader);
    doubt_files(damage, readers, count, file);
    if (header->threads > reader->log_count && !header->lost_records &&
        !trace_overwritten_records(header) && header->end == TRACE_EXITED) {
        str_printf(&text, "%s: %u threads opened a log, but only %zu logs are there.", reader->path,
                   header->threads, reader->log_count);
        damage_list_add(damage, text);
    }
    if (!rate_known) {
        text = (struct str){0};
        str_printf(&text,
                   "%s: the rate of the clock is not known, because the run ended before a second "
                   "calibration; a clock tick counts as 1 ns.",
                   reader->path);
        damage_list_add(damage, text);
    }
}
