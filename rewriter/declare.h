/* declare.h - what the config declares about the program, for the rewriter to place.
 *
 * Plain data, read from vprofiler.json by driver/workbench/config.c, which owns the strings.
 *
 *   "intervals": [ {"begin": {"function": "handle", "at": "entry", "id": "request", "if": "..."},
 *                   "end":   {"function": "handle", "at": "exit",  "id": "request"},
 *                   "enter": {"function": "work", "at": {"line": 42}, "id": "task->request"},
 *                   "type":  "\"get\""} ]
 *                   or, later:  {"function": "run", "at": "entry", "id": "request", "is": "name"}
 *   "synchronization": [ {"function": "LWLockAcquire", "role": "acquire", "object": 0},
 *                        {"function": "queue_push", "role": "enqueue", "task": 1},
 *                        {"function": "queue_pop",  "role": "dequeue", "task": "return"} ]
 *   "untimed": [ "palloc", "list.c:append" ]
 */
#ifndef REWRITER_DECLARE_H
#define REWRITER_DECLARE_H

#include <stdbool.h>
#include <stdint.h>

enum mark_what { MARK_BEGIN, MARK_END, MARK_ENTER, MARK_TYPE }; /* what is written: plan.c */
enum mark_place { MARK_AT_ENTRY, MARK_AT_EXIT, MARK_AT_LINE };

/* SI_NONE of vprof_api.h: from an ENTER of this id on the thread works for nobody. */
#define MARK_ID_NONE "~0UL"

struct mark_declaration {
    enum mark_what what;
    const char *function; /* name, or "file.c:name" where a static name is not unique */
    enum mark_place place;
    uint32_t line;         /* MARK_AT_LINE: before the statement that begins on this line */
    const char *id;        /* C expression, evaluated at the entry for an exit; MARK_ID_NONE */
    const char *condition; /* C expression, or NULL: always */
    const char *type;      /* C expression of a string, or NULL; BEGIN and TYPE only */
    /* Where these stand, for messages: "vprofiler.json:4:9: intervals[0].begin.id". */
    const char *id_place, *condition_place, *type_place;
};

enum sync_role { SYNC_ACQUIRE, SYNC_RELEASE, SYNC_ENQUEUE, SYNC_DEQUEUE };

#define SYNC_ARGUMENT_RETURN UINT32_MAX

struct sync_declaration {
    const char *function;
    enum sync_role role;
    uint32_t argument; /* index of the object or the task; SYNC_ARGUMENT_RETURN: the result */
    bool dereference;  /* dequeue: the task is *argument after the call ("task": "*1") */
};

struct declarations {
    struct mark_declaration *marks;
    uint32_t mark_count;
    struct sync_declaration *syncs;
    uint32_t sync_count;
    const char **untimed; /* functions whose time is their callers' in a live program */
    uint32_t untimed_count;
};

#endif
