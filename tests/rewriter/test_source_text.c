/* Tokens, brackets and arguments of text that is hard to cut. */
#include <string.h>

#include "check.h"
#include "rewriter/source_text.h"

static struct source_text text_of(const char *text)
{
    return (struct source_text){text, (uint32_t)strlen(text)};
}

/* The tokens of `text`, each followed by '|'. */
static const char *tokens(const char *words)
{
    static char joined[512];
    struct source_text text = text_of(words);
    joined[0] = '\0';
    for (struct token token = source_token(&text, 0); token.kind != TOKEN_END;
         token = source_token(&text, token.end)) {
        strncat(joined, words + token.begin, token.end - token.begin);
        strcat(joined, "|");
    }
    return joined;
}

static void test_tokens(void)
{
    CHECK(strcmp(tokens("a+b1 /* c ( */ \"d)\\\"e\" // f\n'\\''"), "a|+|b1|\"d)\\\"e\"|'\\''|") ==
          0);
    CHECK(strcmp(tokens("1'000 0x1p-3 .5e+7f 1..2"), "1'000|0x1p-3|.5e+7f|1..2|") == 0);
    CHECK(strcmp(tokens("R\"x(a)\" )x\" u8R\"(b)\""), "R\"x(a)\" )x\"|u8R\"(b)\"|") == 0);
    CHECK(strcmp(tokens("a \\\n b \\\r\n c"), "a|b|c|") == 0);
    CHECK(strcmp(tokens("#define A(x) \\\n  x\nb # c"), "#define A(x) \\\n  x|b|#|c|") == 0);
    CHECK(strcmp(tokens("/* never closed"), "") == 0);
    CHECK(strcmp(tokens("\"never closed"), "\"never closed|") == 0);
}

static void test_match(void)
{
    struct source_text text = text_of("f(a[1], \")\", (b), /* ) */ { ')' })x");
    CHECK(source_match(&text, 1) == text.size_bytes - 2);
    text = text_of("(a]");
    CHECK(source_match(&text, 0) == SOURCE_NOWHERE);
    text = text_of("((a)");
    CHECK(source_match(&text, 0) == SOURCE_NOWHERE);
}

static void test_arguments(void)
{
    struct source_argument arguments[4];
    struct source_text text = text_of("( a , f(b, c) /* x, y */ , d[1, 2] , {3} )");
    uint32_t count = source_arguments(&text, 0, text.size_bytes - 1, arguments, 4);
    CHECK(count == 4);
    CHECK(strncmp(text.data + arguments[0].begin, "a ", 2) == 0 &&
          arguments[0].end == arguments[0].begin + 1);
    CHECK(arguments[1].end - arguments[1].begin == strlen("f(b, c)"));
    CHECK(arguments[0].macro_safe && arguments[1].macro_safe);
    CHECK(!arguments[2].macro_safe && !arguments[3].macro_safe);
    CHECK(source_arguments(&text, 0, text.size_bytes - 1, arguments, 2) == 4);
    text = text_of("( /* none */ )");
    CHECK(source_arguments(&text, 0, text.size_bytes - 1, arguments, 4) == 0);
    text = text_of("(a,\n#if B\n b)");
    CHECK(source_arguments(&text, 0, text.size_bytes - 1, arguments, 4) == 2);
    CHECK(!arguments[1].macro_safe);
}

static void test_words(void)
{
    struct source_text text = text_of("ns::run /* other */ \"text\"");
    CHECK(source_has_word(&text, 0, text.size_bytes, "run"));
    CHECK(!source_has_word(&text, 0, text.size_bytes, "ru"));
    CHECK(!source_has_word(&text, 0, text.size_bytes, "other"));
    CHECK(!source_has_word(&text, 0, text.size_bytes, "text"));
}

int main(void)
{
    test_tokens();
    test_match();
    test_arguments();
    test_words();
    return failures != 0;
}
