#include "trace/unwound.h"

#include <string.h>

bool unwound_begin(const char *data, struct unwound_cursor *cursor,
                   struct trace_unwinding *unwinding)
{
    if (cursor->end - cursor->at < sizeof *unwinding)
        return false;
    memcpy(unwinding, data + cursor->at, sizeof *unwinding);
    cursor->at += sizeof *unwinding;
    return true;
}

bool unwound_next(const char *data, struct unwound_cursor *cursor, struct unwound_view *view)
{
    uint64_t room = cursor->end - cursor->at;
    if (room < sizeof view->head)
        return false;
    memcpy(&view->head, data + cursor->at, sizeof view->head);
    uint64_t bytes = view->head.bytes;
    if (!bytes)
        return false;
    view->path = data + cursor->at + sizeof view->head;
    if (bytes % 8 != 0 || bytes > room || bytes <= sizeof view->head ||
        !memchr(view->path, '\0', bytes - sizeof view->head)) {
        cursor->damaged = true;
        return false;
    }
    cursor->at += bytes;
    return true;
}
