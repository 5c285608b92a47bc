#!/usr/bin/env python3
"""mutations.py [--only WORDS] [--tests WORDS] [--build DIR] [--texts]: does a wrong analysis fail its tests?

Puts one deliberate bug after the other into a copy of the tree, builds the tests of trace/, interval/,
variance/, waits/, stacks/ and stats/ and runs them. Exits 1 where a bug goes unnoticed, or where the text that it
changes is not there any more, exactly once: then the bug has to be told anew. It takes some
minutes, so it is no part of ctest; with --texts it only looks whether those texts are there, which is.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Of the bugs whose names begin so, and of all others; some of it reads alike in two of them.
FOLDERS = {"waits: ": ["trace", "waits"], "stacks: ": ["stacks", "stats"], "": ["trace", "interval", "variance", "stats"]}
TESTS = {"trace_golden": "trace_dump_tool", "trace_waker": "trace_waker_test",
         "trace_nest": "trace_nest_test", "trace_find": "trace_find_test", "trace_hold": "trace_hold_test",
         "trace_clock_map": "trace_clock_map_test",
         "variance_critical_path": "variance_critical_path_test",
         "variance_call_graph": "variance_call_graph_test",
         "variance_variance_tree": "variance_variance_tree_test",
         "variance_path_sums": "variance_path_sums_test",
         "variance_factor": "variance_factor_test", "variance_analyze": "variance_analyze_test",
         "variance_calls": "variance_calls_test", "variance_pages": "variance_pages_test", "trace_call_scan": "trace_call_scan_test",
         "variance_simulate": "variance_simulate", "variance_sim_cases": "variance_simulate", "variance_simulate_kernel": "variance_simulate",
         "trace_thread_states": "trace_dump_tool",
         "stats_exact_moments": "stats_exact_moments_test",
         "waits_knot": "waits_knot_test", "waits_refine": "waits_refine_test", "waits_cascade": "waits_cascade_tool", "waits_simulate": "waits_simulate",
         "stacks_sighted_call": "stacks_sighted_call_test", "stacks_simulate": "stacks_simulate",
         "stacks_span_inference": "stacks_span_inference_test", "stacks_tree_change": "stacks_tree_change_test",
         "stacks_growth": "stacks_growth_test", "stacks_side_blocks": "stacks_side_blocks_test",
         "waits_request": "vprofiler", "waits_replay": "vprofiler"}

# What is wrong, and how the source says it: (before, after).
MUTATIONS = [
    ("wake-up latency is ignored",
     "time_ns woken = clamp(block->waker_time, lo, hi);", "time_ns woken = hi;"),
    ("a block ends one ns early",
     "hi = clamp(block->end, lo, s->hi);", "hi = clamp(block->end - 1, lo, s->hi);"),
    ("the waker is the one before",
     "if (index->releases[i].thread == b->thread)\n        i = index->other[i];",
     "if (index->other[i] != RELEASE_NONE)\n        i = index->other[i];"),
    ("negative covariances are dropped",
     "pair->contribution = 2 * wide_ratio(wide_spread(n, sum_a, sum_b, pair->product), whole);",
     "struct wide spread = wide_spread(n, sum_a, sum_b, pair->product);\n"
     "        pair->contribution = spread.negative ? 0 : 2 * wide_ratio(spread, whole);"),
    ("the own body is forgotten",
     "if (body != NODE_NONE)\n        add_moments(filling, body, from, from[PATH_SQUARE], 1);",
     "if (body != NODE_NONE && !path)\n        add_moments(filling, body, from, from[PATH_SQUARE], 1);"),
    ("what a body leaves of its pairs is forgotten",
     "add_product(filling, body, node, above - square - others);",
     "add_product(filling, body, node, above - square);"),
    ("a call counts in each stretch that it reaches into",
     "return call->inside || call->end <= s->counted;",
     "return call->inside || call->end <= s->counted || true;"),
    ("the divisor of a sample, n - 1",
     "return wide_ratio(wide_spread(n, sum_x, sum_y, product), wide_product(n, n));",
     "return wide_ratio(wide_spread(n, sum_x, sum_y, product), wide_product(n, n > 1 ? n - 1 : 1));"),
    ("recursion counts at every level",
     "if (above && *above)\n        return;", "if (above && *above > 1000)\n        return;"),
    ("the waker's work reaches over the blocked window",
     ".lo = lo,\n                              .hi = woken,",
     ".lo = lo - (lo > 5 ? 5 : 0),\n                              .hi = woken,"),
    ("who made a task is ignored",
     "if (pickup)\n        walk_pickup(walk, pickup);",
     "if (pickup && false)\n        walk_pickup(walk, pickup);"),
    ("squares in 64 bits",
     "if (latency > UINT32_MAX) {", "if (latency > UINT32_MAX && false) {"),
    ("sums in 64 bits",
     "if (__builtin_add_overflow(sums->square, square, &sums->square)) {",
     "if (__builtin_add_overflow(sums->square, square, &sums->square) && false) {"),
    ("a signal wakes as many as wait",
     "index->unused[i] = (uint32_t)i + 1;", "(void)0;"),
    ("a futex is woken by the latest",
     " || operation == TRACE_OP_FUTEX;", ";"),
    ("after a signal the mutex is free at once",
     "split_for_mutex(list, index, i);", "(void)split_for_mutex;"),
    ("a second arrival at a barrier wakes the slow",
     "waker_list_drop_arrival(list, &waiting);", "(void)waker_list_drop_arrival;"),
    ("objects of two processes are one where the addresses are",
     "return hash_mix(hash_mix(space->process + UINT64_C(1)) ^ address);",
     "return hash_mix(hash_mix(UINT64_C(1) + (space->process & 0)) ^ address);"),
    ("shared memory is not looked for in the parent's maps",
     "range = ranges_find(&space->learned, address);", "range = NULL;"),
    ("the oldest task is taken, not the latest",
     "event->below_own = *top;\n            *top = i + 1;",
     "event->below_own = *top;\n            *top = *top ? *top : i + 1;"),
    ("a hand-over from whoever began first",
     "while (segments[by_begin[i]].end < time)\n        i--;", "while (i > 0)\n        i--;"),
    ("waiting counts as work",
     "walk_gap(walk, PATH_AGAIN, NULL, segment->end);", "walk_stretch(walk, segment->end);"),
    ("a thread did something before it began",
     "time_ns first = walk->run->threads[walk->thread].first;", "time_ns first = time;"),
    ("what a loop did is summed up as if nobody worked for the interval meanwhile",
     "return last ? last->end : INT64_MIN;", "return last ? walk->begin : INT64_MIN;"),
    ("a chunk of what a loop did is forgotten",
     "cell.ns += b->cells[k++].ns;", "k++;"),
    ("a queue is waited for where the task came from",
     "walk_gap(walk, PATH_TASK, pickup, pickup->creation_time);\n    walk->thread = pickup->creator;",
     "walk->thread = pickup->creator;\n    walk_gap(walk, PATH_TASK, pickup, pickup->creation_time);"),
    ("a loop's own waits are left out of what it did",
     "if (hi > lo)\n            add_blocked(s, block, innermost, lo, hi);",
     "if (hi > lo && !(s->blame && s->depth == 0))\n            add_blocked(s, block, innermost, lo, hi);\n"
     "        else if (hi > lo)\n            interval_table_add(s->a->table, s->top, hi - lo);"),
    ("what a waker did for another interval is nobody's",
     "interval == INTERVAL_NONE || interval == a->interval", "true"),
    ("what a waker did for the row's own interval is another's",
     "interval == INTERVAL_NONE || interval == a->interval", "interval == INTERVAL_NONE"),
    ("a waker served the same all the time",
     "while (lo > blame->lo && other_interval(a, thread, label) == other);", "while (lo > blame->lo);"),
    ("every clock ticks once a ns",
     "map->ns_span = map->known ? ns_span : 1;", "map->ns_span = map->known ? tick_span : 1;"),
    ("a moment before the start is rounded up",
     "if (product < 0 && ns * map->tick_span != product)", "if (product < 0 && !map->tick_span)"),
    ("sites of a function are added up as if they were strangers",
     "joint->block_square[b] += products;", "(void)products;\n        joint->square -= products;"),
    ("a column begins with its third path",
     "else if (to->members == 2)", "else if (to->members == 3)"),
    ("a column forgets the row before",
     "column->squares = 0;", "(void)column->squares;"),
    ("own time of a path has that of those below it",
     "(uint64_t)path_sums_own(paths, paths->path_at[place])", "paths->x.items[place]"),
    ("a waker below itself is waited for twice",
     "if (c->column_of[p] == column + 1)\n            return false;", "if (c->column_of[p] == column + 1)\n            return true;"),
    ("sites that meet in an interval are said to exclude each other",
     "find_pair(tree, a, b)->product == 0;", "find_pair(tree, a, b)->product >= 0;"),
    ("sites that exclude each other have nothing in common",
     "sum->all -= by * a->all * b->all;", "sum->all -= 0 * by * a->all * b->all;"),
    ("a pair takes the lesser height",
     "factor->height = node->height > factor->height ? node->height : factor->height;",
     "factor->height = node->height < factor->height ? node->height : factor->height;"),
    ("calls that overlap are not cut",
     "if (end > around->room.end || start < lo || end <= start || step->key != key)",
     "if (start < lo || end <= start || step->key != key)"),
    ("a call that began in a block was running meanwhile",
     "const time_ns lo = s->block_end > s->lo ? s->block_end : s->lo;", "const time_ns lo = s->lo;"),
    ("a stretch has one page at the most",
     "page[-1].end_ticks) > walk->lo;", "page[-1].end_ticks) > walk->lo + 1000000000;"),
    ("a longer record is taken for one more of those before it",
     "builder_add_place(b, at, 1);\n    b->first", "builder_add_row(b, at, 1);\n    b->first"),
    ("pairs of two groups of siblings are forgotten",
     "if (group->number)\n            add_groups_before", "if (group->number > 1)\n            add_groups_before"),
    ("what a block's call took is not handed up",
     "if (node != TABLE_ROOT)\n            table->extras[", "if (node > 3)\n            table->extras["),
    ("a holder is blamed for what it did before",
     "part->start = clamp(holder->since, whole->start, part->end);", "part->start = whole->start;"),
    ("who had it together with a later one is not to blame",
     "while (before != HOLD_NONE && holds[before - 1].since >= holds[i].since)",
     "while (before != HOLD_NONE && holds[before - 1].until > holds[i].since)"),
    ("nobody let go before the next had it",
     "part->waker_time = clamp(holder->until, part->start, part->end);",
     "part->waker_time = part->end;"),
    ("the inner release of a recursive mutex ends all of the hold",
     "*latest = taking->before;", "*latest = 0;"),
    ("who reads is in nobody's way",
     "return (a->key | WAKER_KEY_READ) == (b->key | WAKER_KEY_READ);", "return a->key == b->key;"),
    ("who waited for a condition has not taken its mutex again",
     "note_taking(list, waiting->thread, last->key, waiting->block.end);", "(void)0;"),
    ("who woke a thread in vain is blamed", "b->waker = next->block.waker;", "(void)next;"),
    ("every second wait for a condition says that the first was in vain",
     "mode == TRACE_RELEASE_AGAIN && !list->loop.acted", "!list->loop.acted"),
    ("each part of a call counts as a call",
     "return part_set_add(counted, s->thread->process, call.probe, call.part);",
     "return part_set_add(counted, s->thread->process, call.probe, call.part) || true;"),
    ("a part reaches back to where its call was entered",
     "uint64_t start = TRACE_HEAD_TICKS(part->head);", "uint64_t start = part->began;"),
    ("the last of several wakings counts",
     "if (slot->standing == OFF && !slot->waking.seen)", "if (slot->standing == OFF)"),
    ("a waking before the switch is forgotten",
     "slot->early.seen && slot->early.gaps == slot->gaps", "false && slot->early.gaps == slot->gaps"),
    ("a thread that was off while records were lost was so all the time",
     "to->standing == OFF && to->hidden == b->hidden", "to->standing == OFF"),
    ("waits: one record that is missing hides a thread's coming and its going",
     "b->hidden += uses->missed > 1;", "b->hidden += uses->missed > 0;"),
    ("waits: a gap ends with no switch of its processor",
     "(struct processor_use){event->time, to};\n    uses->missed = 0;", "(struct processor_use){event->time, to};"),
    ("a wrapped wait is counted twice",
     "from = block->end > from ? block->end : from;", "(void)from;"),
    ("who has the processor now had it before",
     "time_ns from = clamp(processor->uses[use].start, lo, hi);", "time_ns from = lo;"),
    ("who was preempted waited until it came back",
     "off.woken = off.out;\n        off.cause = OFF_RUNNABLE;", "off.cause = OFF_RUNNABLE;"),
    ("waits: a thread waits for whom until it gets a processor",
     "(struct wait){off->out, off->woken, t,", "(struct wait){off->out, off->in, t,"),
    ("waits: a thread is not behind itself",
     "gone * (time_ns)(standing->own + standing->behind);", "gone * (time_ns)standing->behind;"),
    ("waits: whom it waits for may wait, too",
     "gone - (whom_blocked - standing->whom_blocked);", "gone;"),
    ("waits: who has stopped to wait still stands behind",
     "change_behind(s, standing->whom, -(standing->own + standing->behind), wait->end);", "(void)0;"),
    ("waits: who waits for the next one in the chain is behind it alone",
     "if (!s->standings[vertex].wait)\n            return;", "return;"),
    ("waits: blame goes to whom a thread waits for, not to whom that one waits for",
     "s->cascade->blame[vertex] += gone * (time_ns)standing->behind;\n"
     "        standing->since = time;\n        return;\n    }",
     "standing->since = time;\n        return;\n    }\n"
     "    s->cascade->blame[standing->whom] += gone * (time_ns)standing->own;"),
    ("waits: other programs' threads count by themselves",
     ".own = vertex_is_of_run(vertices, v);", ".own = v > 0;"),
    ("waits: a wait is of the window in which it ends",
     "settle(s, v, s->cascade->borders[s->window + 1]);", "(void)v;"),
    ("waits: windows in which nothing was recorded say that nobody waited",
     "if (!cascade->recorded[w])\n            continue;", "(void)0;"),
    ("waits: an edge counts that may be less",
     "graph->edges[e].raw_share.ci95[0] > EDGE_LEAST;", "graph->edges[e].raw_share.value > EDGE_LEAST;"),
    ("waits: of equal weights one goes at a time",
     "if (i == part->edge_count || weighed[i].weight > weighed[i - 1].weight)", "if (i > 0)"),
    ("waits: whose was the first processor, not the one that it came back to",
     "&c->side->processors[off->processor];\n    size_t first", "&c->side->processors[0];\n    size_t first"),
    ("waits: what the end of the recording cut is left out",
     "(off != &task->open || off->woken < off->in);", "off != &task->open;"),
    ("waits: threads that wait for a processor for long are counted too short",
     "queue(c, off->processor, last, who, -1);", "queue(c, off->processor, last - 1, who, -1);"),
    ("waits: nobody has woken who gave a disk a request",
     "off->device = slot->device;\n}", "}"),
    ("waits: an id that is used again is the thread before",
     "(slot->standing != NOT_KNOWN || slot->ended)));", "slot->standing != NOT_KNOWN));"),
    ("waits: what a waker did before the wait is the wait's",
     "tell_thread(o, block->waker, at.depth + 1, lo, let_go);",
     "tell_thread(o, block->waker, at.depth + 1, block->start, let_go);"),
    ("waits: who wanted a processor ran",
     "add_runnable(o, vertex, off, from, to);", "leaf(o, TIME_RUNS, vertex, NO_VERTEX, to - from);"),
    ("waits: what lies between borders is taken twice",
     "take_all(sums, &of->borders[first], -1);", "(void)0;"),
    ("waits: a slow request is as any other", "sum->slow += f->slow ? ns : 0;", "sum->slow += ns;"),
    ("waits: without its wait, who waited for the waiter goes on no sooner",
     ": latest(begin, wait->end + r->shift[wait->whom]);", ": latest(begin, wait->end);"),
    ("waits: packets come sooner where they are waited for sooner",
     "case VERTEX_NETWORK:\n        return latest(begin, wait->end);",
     "case VERTEX_NETWORK:\n        return begin + wait->end - wait->begin;"),
    ("waits: a request is worked for before it began",
     "*shift = latest(*shift, r->promised[event->number] - event->time);", "(void)0;"),
    ("waits: half of what a wait was is left out, not of what it is",
     "(double)(end - begin + latency_after(r, wait)) * r->out.part",
     "(double)(wait->end - wait->begin + latency_after(r, wait)) * r->out.part"),
    ("stacks: all calls are open anew at each moment",
     "uint32_t common = i ? stack_moments_common(tree, &moments[i - 1], moment) : CONTEXT_ROOT;",
     "uint32_t common = CONTEXT_ROOT;"),
    ("stacks: a call ends where it was seen last",
     "call->after = after;", "(void)after;\n        call->after = call->last;"),
    ("stacks: a call begins where it was seen first",
     ".before = before,", ".before = before > 0 ? moment->time : before,"),
    ("stacks: a thread off its processor is seen for a moment only",
     "call->last = moment->until;", "call->last = moment->time;"),
    ("stacks: calls from two places are one", "return d + 1;", "return depth;"),
    ("stacks: a call from another place ends its caller's", "return d + 1;", "return d;"),
    ("stacks: own time is all of it", "parent->own_conservative -= time->conservative;", "(void)0;"),
    ("stacks: each sample stands for as much",
     "times->items[node].sampled_ns += sample->amount_ns;",
     "times->items[node].sampled_ns += sample->amount_ns > 1000000 ? 1000000 : sample->amount_ns;"),
    ("stacks: what is met by chance is as sure as what was seen for long",
     "(seen ? OF_SEEN : OF_CHANCE)", "(seen || true ? OF_SEEN : OF_CHANCE)"),
    ("stacks: neighbours seem more alike than they are",
     "return square * spread * alike_part(least);", "return square * spread * alike_part(r + 0 * least);"),
    ("stacks: neighbours are not alike",
     "return square * spread * alike_part(least);", "return square * spread + 0 * least;"),
    ("stacks: the middle between two samples is that of all time",
     "(begun < time ? clamp(begun, s->lo, time) : time) - s->lo - gone;",
     "(begun < time ? clamp(begun, s->lo, time) : time) - s->lo - 0 * gone;"),
    ("stacks: a sample is what comes until the next one",
     "return at + (pieces->sampled[c->sample + 1] - at) / 2;", "return pieces->sampled[c->sample + 1] + 0 * at;"),
    ("stacks: time off is that of the sample before",
     "add_piece(c, until, *stack, true, false);",
     "add_piece(c, until, *(stack - (c->passed > 1)), true, false);"),
    ("stacks: who was preempted was in what two samples have in common",
     "if (off->cause == OFF_RUNNABLE && c->pieces->sample_count)",
     "if (off->cause == OFF_CAUSES && c->pieces->sample_count)"),
    ("stacks: what was seen of the next request is known of this one",
     ".moment_count = i->moment - first,", ".moment_count = moments->count - first,"),
    ("stacks: what is around the interval's function is in it",
     "if (nodes[node].depth > least)", "if (nodes[node].depth > 0 * least)"),
    ("stacks: a function that was split is new",
     "fabs(c->rest[change] + single->change) >= fabs(c->rest[change])", "fabs(c->rest[change] + single->change) >= 0"),
    ("stacks: an inserted frame ends the path",
     "if (most <= 0)\n        return false;", "if (most <= 1e300)\n        return false;"),
    ("stacks: of many contexts each is told as if it were one",
     "rate * (double)told / (double)count", "rate * (double)told / (double)told"),
    ("stacks: what a run has of its own is not seen", "if (runs >= least_runs)", "if (runs > least_runs)"),
    ("stacks: what the base differs by from itself is told",
     "&& fabs(item->change) > item->floor && counts", "&& item->floor >= 0 && counts"),
    ("stacks: parts that are alike leave nothing open",
     "unit_change_widen(&change, sqrt(c->open[0][index] + c->open[1][index]));", "(void)c->open;"),
    ("stacks: what threads do outside of requests is the first ones'",
     "parts[stretches->blocks] += weight * (double)outside;", "parts[0] += weight * (double)outside;"),
    ("stacks: a request goes on until the next one",
     "time_ns next = l + 1 < of->label_count ? label[1].time : end;", "time_ns next = end;"),
    ("stacks: where nothing tells when it was, it is in every block alike",
     ": unknown && b == 0;", ": unknown ? 1.0 / a->blocks : 0;"),
    ("stacks: a path that is new costs what is new in it",
     "double cost = b->own[n] - (in_both ? a->own[r->same[n]] : 0);",
     "double cost = b->own[n] - (r->same[n] != CONTEXT_NONE ? a->own[r->same[n]] : 0);"),
    ("stacks: all sizes weigh alike",
     "sums->weighted ? 1 / (relative * relative) : 1;", "sums->weighted ? 100 : 1 + 0 * relative;"),
    ("specificity is linear",
     "factor->specificity = above * above;", "factor->specificity = above;"),
]


def copy_tree(target):
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True,
                           capture_output=True, check=True).stdout.splitlines()
    for name in names:
        source, copy = ROOT / name, target / name
        if source.is_file() and not (copy.exists() and copy.read_bytes() == source.read_bytes()):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)


def build(tree, out, tests):
    command = ["cmake", "--build", str(out), "-j2", "--target", *sorted(set(tests.values()))]
    result = subprocess.run(command, cwd=tree, text=True, capture_output=True)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def failing(out, tests):
    """Names of the tests that fail."""
    pattern = "^(" + "|".join(tests) + ")$"
    text = subprocess.run(["ctest", "-R", pattern, "--timeout", "120"], cwd=out, text=True,
                          capture_output=True).stdout
    results = dict(re.findall(r"Test +#\d+: (\w+) \.*(.*)", text))
    if set(results) != set(tests):
        sys.exit(f"not all tests ran:\n{text}")
    return [name for name, result in results.items() if "Passed" not in result]


def find(tree, name, before):
    """The one file that says it, or None."""
    folders = next(folders for start, folders in FOLDERS.items() if name.startswith(start))
    found = [(path, text.count(before)) for folder in folders
             for path in sorted((tree / folder).glob("*.c")) for text in [path.read_text()]
             if before in text]
    return found[0][0] if len(found) == 1 and found[0][1] == 1 else None


def try_mutation(tree, out, tests, mutation):
    """What became of it; and whether that is well."""
    name, before, after = mutation
    path = find(tree, name, before)
    if not path:
        return "DOES NOT APPLY", False
    original = path.read_text()
    path.write_text(original.replace(before, after))
    try:
        trouble = build(tree, out, tests)
        if trouble:
            return "DOES NOT COMPILE\n" + trouble, False
        caught = failing(out, tests)
        return ", ".join(caught) if caught else "NOT NOTICED", bool(caught)
    finally:
        path.write_text(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", help="the bugs whose names have these words")
    parser.add_argument("--tests", default="", help="only the tests whose names have these words")
    parser.add_argument("--build", help="keep the copy here, to go on faster the next time")
    parser.add_argument("--texts", action="store_true", help="build nothing: are the texts there that are changed?")
    options = parser.parse_args()
    chosen = [m for m in MUTATIONS if not options.only or options.only in m[0]]
    if options.texts:
        missing = [name for name, before, _ in chosen if not find(ROOT, name, before)]
        sys.exit("\n".join(f"{name}: DOES NOT APPLY" for name in missing) or 0)
    tests = {name: target for name, target in TESTS.items() if options.tests in name}
    top = pathlib.Path(options.build or tempfile.mkdtemp(prefix="vprofiler-mutations-"))
    tree, out = top / "tree", top / "out"
    copy_tree(tree)
    subprocess.run(["cmake", "-S", str(tree), "-B", str(out)], check=True,
                   stdout=subprocess.DEVNULL)
    trouble = build(tree, out, tests)
    wrong = [] if trouble else failing(out, tests)
    if trouble or wrong:
        sys.exit(trouble or f"without any bug these fail: {wrong}")
    bad = 0
    for mutation in chosen:
        text, well = try_mutation(tree, out, tests, mutation)
        bad += not well
        print(f"{mutation[0]}: {text}", flush=True)
    print(f"{len(chosen)} bugs, {len(chosen) - bad} noticed")
    if not options.build:
        shutil.rmtree(top)
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
