#include "report/variance/family.h"

#include "report/variance/headline.h"
#include "report/variance/html_parts.h"
#include "report/variance/json.h"
#include "report/variance/text_parts.h"

static struct variance_report told(const struct report *of, const void *result)
{
    struct variance_report report = *(const struct variance_report *)result;
    report.of = of;
    return report;
}

static void write_headline(const struct report *of, const void *result, size_t columns, bool utf8,
                           struct str *out)
{
    struct variance_report report = told(of, result);
    headline_write(&report, columns, utf8, out);
}

/* Where a few intervals own the variance, the tables are of the others. */
static struct variance_report tabled(const struct report *of, const void *result)
{
    const struct variance_report *report = result;
    return told(of, report->others ? report->others : report);
}

static void write_text(const struct report *of, const void *result, struct terminal *terminal)
{
    struct variance_report report = tabled(of, result), all = told(of, result);
    text_outliers(&all, terminal);
    text_ledger(&report, terminal);
    text_tree(&report, terminal);
    text_tail(&report, terminal);
    text_factors(&report, terminal);
    text_pairs(&report, terminal);
}

static void write_json(const struct report *of, const void *result, json_t *into)
{
    struct variance_report report = told(of, result);
    variance_write_json(&report, into);
}

static void write_html_first(const struct report *of, const void *result, struct str *out)
{
    struct variance_report report = tabled(of, result), all = told(of, result);
    html_outliers(&all, out);
    html_strip(&report, all.others ? all.outliers->count : 0, out);
}

static void write_html(const struct report *of, const void *result, struct str *out)
{
    struct variance_report report = tabled(of, result);
    html_choice(&report, out);
    html_ledger(&report, out);
    html_waterfall(&report, out);
    html_icicle(&report, out);
    html_run_time(&report, out);
    html_covariances(&report, out);
    html_factors(&report, out);
}

static void write_tables(const struct report *of, const void *result, struct str *out)
{
    struct variance_report report = tabled(of, result);
    html_tree_table(&report, out);
}

const struct report_family variance_report_family = {.name = "variance",
                                                     .schema = "vprofiler.variance/1",
                                                     .headline = write_headline,
                                                     .text = write_text,
                                                     .json = write_json,
                                                     .html_first = write_html_first,
                                                     .html = write_html,
                                                     .html_tables = write_tables};
