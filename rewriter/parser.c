#include "rewriter/parser.h"

const char *parser_code(void)
{
    return PARSER_CODE;
}
