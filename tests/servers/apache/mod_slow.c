/* mod_slow.c - an Apache module built apart from the server, with a planted cause: it sleeps for 5 ms, now and then.
 *
 *     SlowFilter on      in a filter of what is answered, of one request of four
 *     SlowLog on         in what writes the log, of one request of four
 */
#include <unistd.h>

/* The others lack what this one defines. */
#include <httpd.h>

#include <http_config.h>
#include <http_protocol.h>
#include <http_request.h>
#include <util_filter.h>

#define KEPT __attribute__((noinline))

static int filters, logs;
static unsigned served;

/* What is behind the sleep keeps it from being a jump, so that who called it is in its stack. */
KEPT static void compress_slowly(void)
{
    usleep(5000);
    __asm__ volatile("");
}

KEPT static void write_log_slowly(void)
{
    usleep(5000);
    __asm__ volatile("");
}

static apr_status_t slow_filter(ap_filter_t *filter, apr_bucket_brigade *brigade)
{
    if (served++ % 4 == 0)
        compress_slowly();
    ap_remove_output_filter(filter);
    return ap_pass_brigade(filter->next, brigade);
}

static void insert_filter(request_rec *request)
{
    if (filters)
        ap_add_output_filter("SLOW", NULL, request, request->connection);
}

static int log_slowly(request_rec *request)
{
    (void)request;
    if (logs && served++ % 4 == 0)
        write_log_slowly();
    return DECLINED;
}

static const char *set(cmd_parms *parameters, void *config, int on)
{
    (void)config;
    *(int *)parameters->info = on;
    return NULL;
}

static const command_rec commands[] = {
    AP_INIT_FLAG("SlowFilter", set, &filters, RSRC_CONF, "a filter of answers sleeps"),
    AP_INIT_FLAG("SlowLog", set, &logs, RSRC_CONF, "what writes the log sleeps"),
    {NULL}};

static void add_hooks(apr_pool_t *pool)
{
    (void)pool;
    ap_register_output_filter("SLOW", slow_filter, NULL, AP_FTYPE_CONTENT_SET);
    ap_hook_insert_filter(insert_filter, NULL, NULL, APR_HOOK_LAST);
    ap_hook_log_transaction(log_slowly, NULL, NULL, APR_HOOK_FIRST);
}

module AP_MODULE_DECLARE_DATA slow_module = {
    STANDARD20_MODULE_STUFF, NULL, NULL, NULL, NULL, commands, add_hooks};
