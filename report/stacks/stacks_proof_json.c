/* Measured functions as JSON: "proof" of vprofiler.stacks/1. */
#include <string.h>

#include "report/kit/json_parts.h"
#include "report/stacks/stacks_proof.h"

static const char *mode_name(enum proof_mode mode)
{
    switch (mode) {
    case PROOF_WHOLE:
        return "whole";
    case PROOF_BEGIN:
        return "begin";
    case PROOF_COUNTED:
        return "counted";
    case PROOF_STOPPED:
        return "stopped";
    }
    BUG("a mode of proof");
}

static const char *verdict_name(enum proof_verdict verdict)
{
    switch (verdict) {
    case PROOF_UNSEEN:
        return "unseen";
    case PROOF_AGREES:
        return "agrees";
    case PROOF_DIFFERS:
        return "differs";
    }
    BUG("a verdict of proof");
}

static json_t *json_requests(const struct proof_requests *requests)
{
    json_t *object = json_object();
    json_set(object, "count", json_count(requests->count));
    json_set(object, "calls", json_number(requests->calls));
    json_set(object, "time_ns", json_number(requests->time));
    json_set(object, "share", json_number(requests->share));
    return object;
}

static void set_fates(json_t *object, const struct proven_function *proven)
{
    static const char *const names[CALL_FATES] = {[CALL_RETURNED] = "returned",
                                                  [CALL_LEFT] = "left",
                                                  [CALL_OPEN] = "open",
                                                  [CALL_BEGUN] = "begun_before",
                                                  [CALL_DOUBTFUL] = "doubtful"};
    for (int fate = 0; fate < CALL_FATES; fate++)
        json_set(object, names[fate], json_count(proven->fates[fate]));
    json_set(object, "deepest", json_count(proven->deepest));
    json_set(object, "threads", json_count(proven->threads));
}

static json_t *json_length(const struct proven_function *proven, double length)
{
    return proven->fates[CALL_RETURNED] ? json_number(length) : json_null();
}

static void set_lengths(json_t *object, const struct proven_function *proven)
{
    json_set(object, "mean_ns", json_length(proven, proven->mean));
    json_set(object, "sd_ns", json_length(proven, proven->sd));
    json_set(object, "min_ns", json_length(proven, (double)proven->least));
    json_set(object, "p50_ns", json_length(proven, proven->p50));
    json_set(object, "p95_ns", json_length(proven, proven->p95));
    json_set(object, "p99_ns", json_length(proven, proven->p99));
    json_set(object, "max_ns", json_length(proven, (double)proven->most));
}

static void set_times(json_t *object, const struct proven_function *proven)
{
    bool seen = proven->frame != CONTEXT_NONE;
    json_set(object, "ran_ns", json_integer((json_int_t)proven->ran));
    json_set(object, "off_ns", json_integer((json_int_t)proven->off));
    json_set(object, "queue_ns", json_integer((json_int_t)proven->queue));
    json_set(object, "part", proven->measured > 0 ? json_number(proven->seconds) : json_null());
    json_set(object, "by_stacks", seen ? json_number(proven->estimate) : json_null());
    json_set(object, "by_stacks_sd", seen ? json_number(proven->estimate_sd) : json_null());
    json_set(object, "verdict", json_text(verdict_name(proven->verdict)));
}

static json_t *json_function(const struct proven_function *proven)
{
    json_t *object = json_object();
    const char *at = strrchr(proven->label, '@');
    struct str name = {0};
    stacks_proof_name(proven, &name);
    json_set(object, "function", json_text(name.data));
    json_set(object, "object", json_text(at ? at + 1 : ""));
    json_set(object, "frame",
             proven->frame == CONTEXT_NONE ? json_null() : json_count(proven->frame));
    json_set(object, "mode", json_text(mode_name(proven->mode)));
    json_set(object, "calls", json_count(proven->calls));
    json_set(object, "counted_ns", json_integer((json_int_t)proven->counted));
    json_set(object, "measured_ns", json_integer((json_int_t)proven->measured));
    set_fates(object, proven);
    set_lengths(object, proven);
    set_times(object, proven);
    json_set(object, "requests",
             proven->requests.count ? json_requests(&proven->requests) : json_null());
    str_release(&name);
    return object;
}

json_t *stacks_proof_json(const struct stacks *stacks)
{
    const struct proof *proof = stacks->proof;
    if (!proof)
        return NULL;
    json_t *object = json_object(), *functions = json_array(), *refused = json_array();
    for (uint32_t i = 0; i < proof->count; i++)
        json_push(functions, json_function(&proof->items[i]));
    for (const char *line = proof->refused, *end; *line; line = *end ? end + 1 : end) {
        struct str text = {0};
        end = line + strcspn(line, "\n");
        str_append_bytes(&text, line, (size_t)(end - line));
        json_push(refused, json_text(str_text(&text)));
        str_release(&text);
    }
    json_set(object, "wall_ns", json_integer((json_int_t)(proof->until - proof->from)));
    json_set(object, "lost_hits", json_count(proof->lost));
    json_set(object, "switches", json_boolean(proof->switches));
    json_set(object, "functions", functions);
    json_set(object, "refused", refused);
    return object;
}
