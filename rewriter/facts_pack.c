/* One description of the form serves both ways: every pack_* writes the value, or reads into it. */
#include "rewriter/facts_pack.h"

#include <string.h>

#include "base/hash_map.h"
#include "trace/function_table.h"

/* A new member has to be packed below; then the size here may change. */
_Static_assert(sizeof(void *) != 8 ||
                   (sizeof(struct fact_file) == 16 && sizeof(struct fact_argument) == 16 &&
                    sizeof(struct fact_call) == 80 && sizeof(struct fact_statement) == 12 &&
                    sizeof(struct fact_function) == 200 && sizeof(struct fact_macro) == 48 &&
                    sizeof(struct fact_unit) == 48 && sizeof(struct fact_input) == 32),
               "a member of the facts is not packed");

struct packer {
    bool reading;
    bool bad; /* what is read is not ours */
    /* writing */
    struct str *out;
    struct intern texts;
    /* reading */
    struct arena *arena;
    const unsigned char *at, *end;
    const char **text;
    uint32_t text_count;
};

static void write_number(struct str *out, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        str_append_char(out, (char)(number | 128));
    str_append_char(out, (char)number);
}

static uint32_t read_number(struct packer *packer)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 35 && packer->at < packer->end; shift += 7) {
        unsigned char byte = *packer->at++;
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128 && number <= UINT32_MAX)
            return (uint32_t)number;
    }
    packer->bad = true;
    return 0;
}

static void pack_number(struct packer *packer, uint32_t *number)
{
    if (packer->reading)
        *number = read_number(packer);
    else
        write_number(packer->out, *number);
}

static void pack_bytes(struct packer *packer, void *bytes, size_t size)
{
    if (!packer->reading)
        str_append_bytes(packer->out, bytes, size);
    else if ((size_t)(packer->end - packer->at) < size)
        packer->bad = true;
    else {
        memcpy(bytes, packer->at, size);
        packer->at += size;
    }
}

static void pack_hash(struct packer *packer, uint64_t *hash)
{
    pack_bytes(packer, hash, sizeof *hash);
}

/* The index is below `count`, or it is `none`. */
static void pack_index(struct packer *packer, uint32_t *index, uint32_t count, uint32_t none)
{
    uint32_t number = *index == none ? 0 : *index + 1;
    pack_number(packer, &number);
    if (!packer->reading)
        return;
    packer->bad = packer->bad || number > count;
    *index = number == 0 || packer->bad ? none : number - 1;
}

/* The index is below `count`. */
static void pack_inner(struct packer *packer, uint32_t *index, uint32_t count)
{
    pack_number(packer, index);
    packer->bad = packer->bad || (packer->reading && *index >= count);
}

static void pack_text(struct packer *packer, const char **text)
{
    uint32_t number = 0;
    if (!packer->reading && *text)
        number = intern_add(&packer->texts, *text) + 1;
    pack_number(packer, &number);
    if (!packer->reading)
        return;
    packer->bad = packer->bad || number > packer->text_count;
    *text = number == 0 || packer->bad ? NULL : packer->text[number - 1];
}

/* A name is a text that is always there. */
static void pack_name(struct packer *packer, const char **text)
{
    pack_text(packer, text);
    if (packer->reading && !*text) {
        packer->bad = true;
        *text = "";
    }
}

static void pack_obstacle(struct packer *packer, enum obstacle *obstacle)
{
    uint32_t number = *obstacle;
    pack_inner(packer, &number, OBSTACLE_COUNT);
    if (packer->reading)
        *obstacle = packer->bad ? OBSTACLE_NONE : (enum obstacle)number;
}

static void pack_flags(struct packer *packer, bool *const flags[], unsigned count)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < count; i++)
        bits |= (uint32_t)*flags[i] << i;
    pack_number(packer, &bits);
    for (unsigned i = 0; packer->reading && i < count; i++)
        *flags[i] = bits >> i & 1;
}

#define PACK_FLAGS(packer, ...)                                                                    \
    pack_flags(packer, (bool *const[]){__VA_ARGS__},                                               \
               sizeof((bool *const[]){__VA_ARGS__}) / sizeof(bool *))

/* Every element takes a byte at least, so a count can't ask for more memory than there are bytes.
 */
static void *pack_count(struct packer *packer, uint32_t *count, void *array, size_t element_bytes)
{
    pack_number(packer, count);
    if (!packer->reading)
        return array;
    if (packer->bad || *count > (size_t)(packer->end - packer->at)) {
        packer->bad = true;
        *count = 0;
    }
    return arena_alloc(packer->arena, (*count + 1) * element_bytes);
}

#define PACK_COUNT(packer, count, array)                                                           \
    ((array) = pack_count(packer, &(count), (array), sizeof *(array)))

static void pack_indices(struct packer *packer, uint32_t *indices, uint32_t count, uint32_t below)
{
    for (uint32_t i = 0; i < count; i++)
        pack_inner(packer, &indices[i], below);
}

#define PACK_INDICES(packer, count, array, below)                                                  \
    (PACK_COUNT(packer, count, array), pack_indices(packer, array, count, below))

static void pack_argument(struct packer *packer, struct fact_argument *argument)
{
    pack_number(packer, &argument->begin);
    pack_number(packer, &argument->end);
    PACK_FLAGS(packer, &argument->macro_safe, &argument->calls, &argument->copyable,
               &argument->scalar, &argument->pointer);
}

static void pack_call(struct packer *packer, struct fact_call *call, uint32_t function_count)
{
    bool known = call->arguments != NULL;
    pack_index(packer, &call->callee, function_count, FUNCTION_NONE);
    pack_number(packer, &call->begin);
    pack_number(packer, &call->end);
    pack_number(packer, &call->callee_end);
    pack_number(packer, &call->open);
    pack_number(packer, &call->line);
    PACK_FLAGS(packer, &call->pointer, &call->dynamic, &call->reference, &call->held,
               &call->void_result, &call->scalar_result, &call->macro_safe,
               &call->callee_macro_safe, &known);
    pack_obstacle(packer, &call->text_obstacle);
    pack_obstacle(packer, &call->value_obstacle);
    pack_text(packer, &call->macro);
    pack_text(packer, &call->name);
    pack_text(packer, &call->object);
    if (!known)
        return;
    PACK_COUNT(packer, call->argument_count, call->arguments);
    for (uint32_t i = 0; i < call->argument_count; i++)
        pack_argument(packer, &call->arguments[i]);
}

static void pack_statement(struct packer *packer, struct fact_statement *statement)
{
    pack_number(packer, &statement->line);
    pack_number(packer, &statement->offset);
    PACK_FLAGS(packer, &statement->declaration, &statement->closing);
}

static void pack_parameter(struct packer *packer, struct fact_parameter *parameter)
{
    pack_name(packer, &parameter->name);
    PACK_FLAGS(packer, &parameter->scalar, &parameter->pointer);
}

static void pack_function(struct packer *packer, struct fact_function *function,
                          const struct facts *facts)
{
    pack_name(packer, &function->name);
    pack_name(packer, &function->symbol);
    pack_name(packer, &function->usr);
    pack_index(packer, &function->file, facts->file_count, FACT_NO_FILE);
    pack_number(packer, &function->line);
    pack_number(packer, &function->body);
    pack_number(packer, &function->type);
    PACK_FLAGS(packer, &function->local, &function->marks, &function->cplusplus,
               &function->indirect_calls, &function->pure, &function->foreign,
               &function->address_taken, &function->unbounded, &function->referenced,
               &function->handles_signals, &function->calls_back, &function->team,
               &function->team_unseen, &function->crowded);
    pack_obstacle(packer, &function->obstacle);
    pack_text(packer, &function->macro);
    pack_number(packer, &function->macro_order);
    pack_number(packer, &function->macro_line);
    pack_number(packer, &function->macro_line_end);
    PACK_COUNT(packer, function->parameter_count, function->parameters);
    for (uint32_t i = 0; i < function->parameter_count; i++)
        pack_parameter(packer, &function->parameters[i]);
    PACK_INDICES(packer, function->callee_count, function->callees, facts->function_count);
    PACK_INDICES(packer, function->reference_count, function->references, facts->function_count);
    PACK_INDICES(packer, function->virtual_count, function->virtuals, facts->function_count);
    PACK_INDICES(packer, function->override_count, function->overrides, facts->function_count);
    PACK_COUNT(packer, function->call_count, function->calls);
    for (uint32_t i = 0; i < function->call_count; i++)
        pack_call(packer, &function->calls[i], facts->function_count);
    PACK_COUNT(packer, function->statement_count, function->statements);
    for (uint32_t i = 0; i < function->statement_count; i++)
        pack_statement(packer, &function->statements[i]);
}

static void pack_macro(struct packer *packer, struct fact_macro *macro, uint32_t file_count)
{
    pack_name(packer, &macro->name);
    pack_index(packer, &macro->file, file_count, FACT_NO_FILE);
    pack_number(packer, &macro->begin);
    pack_number(packer, &macro->line);
    pack_name(packer, &macro->parameters);
    pack_name(packer, &macro->body);
    PACK_FLAGS(packer, &macro->pastes);
}

static void pack_input(struct packer *packer, struct fact_input *input)
{
    pack_name(packer, &input->path);
    pack_name(packer, &input->name);
    pack_hash(packer, &input->hash);
    PACK_FLAGS(packer, &input->escapes);
}

static void pack_unit(struct packer *packer, struct fact_unit *unit, uint32_t file_count)
{
    pack_inner(packer, &unit->file, file_count);
    pack_bytes(packer, &unit->sync, sizeof unit->sync);
    PACK_COUNT(packer, unit->include_count, unit->includes);
    for (uint32_t i = 0; i < unit->include_count; i++)
        pack_inner(packer, &unit->includes[i], file_count);
}

static void pack_facts(struct packer *packer, struct facts *facts)
{
    PACK_COUNT(packer, facts->file_count, facts->files);
    for (uint32_t i = 0; i < facts->file_count; i++) {
        pack_name(packer, &facts->files[i].path);
        pack_hash(packer, &facts->files[i].hash);
    }
    PACK_COUNT(packer, facts->input_count, facts->inputs);
    for (uint32_t i = 0; i < facts->input_count; i++)
        pack_input(packer, &facts->inputs[i]);
    PACK_COUNT(packer, facts->function_count, facts->functions);
    for (uint32_t i = 0; i < facts->function_count; i++)
        pack_function(packer, &facts->functions[i], facts);
    PACK_COUNT(packer, facts->macro_count, facts->macros);
    for (uint32_t i = 0; i < facts->macro_count; i++)
        pack_macro(packer, &facts->macros[i], facts->file_count);
    PACK_COUNT(packer, facts->unit_count, facts->units);
    for (uint32_t i = 0; i < facts->unit_count; i++)
        pack_unit(packer, &facts->units[i], facts->file_count);
}

void facts_pack(struct str *bytes, const struct facts *facts)
{
    struct facts same = *facts;
    struct str body = {0};
    struct packer packer = {.out = &body};
    pack_facts(&packer, &same);
    write_number(bytes, packer.texts.count);
    for (size_t i = 0; i < packer.texts.count; i++)
        str_append_bytes(bytes, packer.texts.text[i], strlen(packer.texts.text[i]) + 1);
    str_append_bytes(bytes, str_text(&body), body.length);
    intern_release(&packer.texts);
    str_release(&body);
}

static void read_texts(struct packer *packer)
{
    PACK_COUNT(packer, packer->text_count, packer->text);
    for (uint32_t i = 0; i < packer->text_count && !packer->bad; i++) {
        const unsigned char *zero = memchr(packer->at, 0, (size_t)(packer->end - packer->at));
        packer->text[i] = (const char *)packer->at;
        packer->bad = !zero;
        packer->at = zero ? zero + 1 : packer->end;
    }
}

bool facts_unpack(struct facts *facts, const char *bytes, size_t size_bytes)
{
    *facts = (struct facts){0};
    const char *own = arena_strndup(&facts->arena, bytes, size_bytes);
    struct packer packer = {.reading = true, .arena = &facts->arena};
    packer.at = (const unsigned char *)own;
    packer.end = packer.at + size_bytes;
    read_texts(&packer);
    if (!packer.bad)
        pack_facts(&packer, facts);
    if (!packer.bad && packer.at == packer.end)
        return true;
    facts_release(facts);
    return false;
}
