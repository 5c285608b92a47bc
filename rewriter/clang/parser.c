#include "rewriter/parser.h"

#include "rewriter/clang/errors.h"
#include "rewriter/clang/facts_read.h"
#include "rewriter/clang/flow_read.h"

const struct parser parser_clang = {
    .code = PARSER_CODE,
    .read = facts_read,
    .words = facts_parser_words,
    .find_errors = errors_find,
    .parse_flow = flow_unit_parse,
    .add_flow = flow_unit_add,
};
