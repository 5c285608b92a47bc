/* A comparison as a suite of tests, in the XML of Ant's JUnit task, which CI servers read. The
 * latency's three metrics are the tests: they fail where the exit status is no success. */
#include "report/variance/compare_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/kit/html_parts.h"
#include "report/variance/compare_words.h"

/* An attribute's text; a text's ends of lines stay as they are. */
static void append_attribute(struct str *out, const char *key, const char *value)
{
    str_printf(out, " %s=\"", key);
    html_escape(out, value);
    str_append_char(out, '"');
}

/* ---- tests ---- */

enum result { PASSED, SKIPPED, FAILED };

static enum result result_of(const struct compare_report *report, const struct change *change)
{
    if (change->verdict == VERDICT_WORSE)
        return FAILED;
    if (change->verdict != VERDICT_INCONCLUSIVE)
        return PASSED;
    return report->strict && !change->not_worse ? FAILED : SKIPPED;
}

static unsigned count_results(const struct compare_report *report, enum result result)
{
    unsigned count = 0;
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        count += result_of(report, &report->comparison->rows[0].changes[m]) == result;
    return count;
}

/* "worse: p99 is 20.0 ms in A, 24.8 ms in B, +24.0 % (+22.2 ... +25.8)" */
static void write_change(const struct change *change, enum metric metric, struct str *out)
{
    str_printf(out, "%s: %s is %s in A, ", verdict_name(change->verdict), metric_name(metric),
               change_value(change->a, metric, true).text);
    str_printf(out, "%s in B, ", change_value(change->b, metric, true).text);
    str_printf(out, "%s (", change_number(change->change).text);
    if (change->gap == GAP_NONE)
        change_write_range(change, true, out);
    else
        change_write_gap(change, metric, out);
    str_append_char(out, ')');
}

static void append_test(const struct compare_report *report, enum metric metric, struct str *out)
{
    const struct change *change = &report->comparison->rows[0].changes[metric];
    enum result result = result_of(report, change);
    struct str said = {0};
    write_change(change, metric, &said);
    str_append(out, "    <testcase");
    append_attribute(out, "classname", "vprofiler.compare.latency");
    append_attribute(out, "name", metric_name(metric));
    str_append(out, " time=\"0\"");
    if (result == PASSED) {
        str_append(out, "/>\n");
    } else {
        str_append(out, result == FAILED ? ">\n      <failure" : ">\n      <skipped");
        append_attribute(out, "message", str_text(&said));
        if (result == FAILED)
            append_attribute(out, "type", verdict_key(change->verdict));
        str_append(out, "/>\n    </testcase>\n");
    }
    str_release(&said);
}

/* ---- the suite ---- */

static void append_suite(struct str *out, const char *date, const char *host, unsigned tests,
                         const unsigned counts[3])
{
    str_append(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite"
                    " id=\"0\" package=\"vprofiler\" name=\"vprofiler compare\"");
    append_attribute(out, "timestamp", date ? date : "1970-01-01T00:00:00");
    append_attribute(out, "hostname", host && *host ? host : "localhost");
    str_printf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"0\">\n",
               tests, counts[0], counts[1], counts[2]);
}

static void append_value(struct str *out, const char *key, const char *value)
{
    str_append(out, "      <property");
    append_attribute(out, "name", key);
    append_attribute(out, "value", value);
    str_append(out, "/>\n");
}

static void append_properties(const struct compare_report *report, struct str *out)
{
    const struct comparison *comparison = report->comparison;
    struct str headline = {0};
    char margin[32];
    snprintf(margin, sizeof margin, "%.9g", comparison->margin);
    comparison_write_headline(comparison, true, &headline);
    str_append(out, "    <properties>\n");
    append_value(out, "a", report->names[0]);
    append_value(out, "b", report->names[1]);
    for (int s = 0; s < 2; s++)
        if (report->commands[s])
            append_value(out, s ? "b.command" : "a.command", report->commands[s]);
    append_value(out, "finding", verdict_key(comparison->verdict));
    append_value(out, "headline", str_text(&headline));
    append_value(out, "margin", margin);
    for (uint32_t i = 0; i < report->warning_count; i++)
        append_value(out, report->warnings[i].code, report->warnings[i].message);
    str_append(out, "    </properties>\n");
    str_release(&headline);
}

/* What the terminal would show goes with it. */
static void append_text(const struct compare_report *report, struct str *out)
{
    char *text = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&text, &length);
    struct text_style style = {.utf8 = true, .columns = 100};
    str_append(out, "    <system-out>");
    if (memory) {
        compare_write_text(report, &style, memory);
        fclose(memory);
        html_escape(out, text);
    }
    str_append(out, "</system-out>\n");
    free(text);
}

void compare_write_junit(const struct compare_report *report, struct str *out)
{
    const unsigned counts[] = {count_results(report, FAILED), 0, count_results(report, SKIPPED)};
    append_suite(out, report->date, report->host, METRIC_JUDGED, counts);
    append_properties(report, out);
    for (enum metric m = 0; m < METRIC_JUDGED; m++)
        append_test(report, m, out);
    append_text(report, out);
    str_append(out, "    <system-err></system-err>\n  </testsuite>\n</testsuites>\n");
}

void compare_write_failed_junit(const char *message, const char *date, struct str *out)
{
    append_suite(out, date, NULL, 1, (const unsigned[]){0, 1, 0});
    str_append(out, "    <properties></properties>\n    <testcase");
    append_attribute(out, "classname", "vprofiler.compare");
    append_attribute(out, "name", "can be compared");
    str_append(out, " time=\"0\">\n      <error");
    append_attribute(out, "message", message);
    append_attribute(out, "type", "cannot");
    str_append(out, "/>\n    </testcase>\n    <system-out></system-out>\n"
                    "    <system-err></system-err>\n  </testsuite>\n</testsuites>\n");
}
