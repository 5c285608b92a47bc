/* parser.h - who reads a compilation: rewriter/clang, which is linked in or comes as a module.
 *
 *     const struct parser *parser = &parser_clang;      where rewriter_clang is linked
 *     parser->read(&part, &source, command);
 *
 * libclang is large, and most commands parse nothing; so nothing but clang/ names it, and whoever
 * opens a rewriter says which parser it has. A module gives its parser under the name `parser_clang`.
 */
#ifndef REWRITER_PARSER_H
#define REWRITER_PARSER_H

#include <stdbool.h>

struct arena;
struct compile_command;
struct facts;
struct facts_source;
struct flow;
struct flow_unit;
struct parse_errors;
struct str;

struct parser {
    /* A hash of the parser's code and of what it gives: another one is that of another build, which
     * must not be used. parser_code() is the rewriter's. */
    const char *code;
    /* clang/facts_read.h */
    void (*read)(struct facts *facts, const struct facts_source *source,
                 const struct compile_command *command);
    void (*words)(struct str *words);
    /* clang/errors.h, clang/flow_read.h */
    bool (*find_errors)(struct parse_errors *errors, struct arena *arena,
                        const struct facts_source *source, const struct compile_command *command);
    struct flow_unit *(*parse_flow)(const struct facts_source *source,
                                    const struct compile_command *command);
    void (*add_flow)(struct flow *flow, struct flow_unit *unit);
};

extern const struct parser parser_clang;

const char *parser_code(void);

#endif
