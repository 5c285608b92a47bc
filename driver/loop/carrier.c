#include "driver/loop/carrier.h"

#include <string.h>

#include "base/memory.h"
#include "driver/loop/iteration.h"
#include "driver/workbench/process.h"

struct carrier {
    struct iterate_options options;
    struct iteration it;
    enum pace *paces;
};

static bool is_in(const char *name, const char *const *names)
{
    while (names && *names && strcmp(*names, name) != 0)
        names++;
    return names && *names;
}

/* What is asked for by name carries a probe, however short it is. */
static void take_paces(struct carrier *carrier, const char *const *names)
{
    struct iteration *it = &carrier->it;
    const struct function_table *table = rewriter_table(it->rewriter);
    const enum pace *paces = rewriter_paces(it->rewriter);
    carrier->paces = memory_zeroed(sizeof *carrier->paces * (table->function_count + 1));
    for (uint32_t i = 0; i < table->function_count; i++)
        carrier->paces[i] = is_in(table->functions[i].name, names) ? PACE_ANY : paces[i];
    it->loop.paces = carrier->paces;
}

/* What failed is looked at. */
static bool judge(struct carrier *carrier, bool ok, const struct error *error)
{
    if (!ok && error->code == ERROR_TARGET)
        carrier->options.keep = true;
    return ok;
}

struct carrier *carrier_open(const struct iterate_options *options, struct error *error)
{
    struct carrier *carrier = memory_zeroed(sizeof *carrier);
    struct iteration *it = &carrier->it;
    carrier->options = *options;
    carrier->options.live = true;
    carrier->options.kernel = "auto";
    *it = (struct iteration){.options = &carrier->options, .once = true};
    process_catch_interrupts();
    if (judge(carrier, iteration_find_files(it, error) && iteration_parse(it, error), error))
        return carrier;
    carrier_release(carrier);
    return NULL;
}

bool carrier_build(struct carrier *carrier, const char *const *names, struct error *error)
{
    struct iteration *it = &carrier->it;
    take_paces(carrier, names);
    it->round = 1;
    it->target.endless = false;
    it->target.wrapped = true;
    it->target.kernel = KERNEL_OFF;
    return judge(carrier,
                 iteration_build_carrier(it, error) && iteration_write_functions(it, error), error);
}

const struct function_table *carrier_table(const struct carrier *carrier)
{
    return rewriter_table(carrier->it.rewriter);
}

const struct target *carrier_target(const struct carrier *carrier)
{
    return &carrier->it.target;
}

const struct workdir *carrier_workdir(const struct carrier *carrier)
{
    return &carrier->it.workdir;
}

void carrier_release(struct carrier *carrier)
{
    if (!carrier)
        return;
    struct iteration *it = &carrier->it;
    if (it->source[0] && !carrier->options.keep)
        workdir_sweep(&it->workdir);
    probed_files_release(&it->probed);
    rewriter_close(it->rewriter);
    compile_db_release(&it->db);
    config_release(&it->config);
    workdir_release(&it->workdir);
    loop_state_release(&it->state);
    str_release(&it->stopped);
    memory_free(carrier->paces);
    memory_free(carrier);
}
