/* Facts as bytes: the same facts again; and bytes that are damaged are refused, or can be walked.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "check.h"
#include "rewriter/clang/facts_read.h"
#include "rewriter/facts_merge.h"
#include "rewriter/facts_pack.h"

static const char SOURCE[] = "int puts(const char *);\n"
                             "#define TWICE(x) (x) + (x)\n"
                             "#define MAKE(name) static int name(int x) { return one(x); }\n"
                             "static int one(int x) { return x ? puts(\"a\") : 0; }\n"
                             "MAKE(two)\n"
                             "int main(int count, char **words)\n"
                             "{\n"
                             "    int (*go)(int) = two;\n"
                             "    puts(words[0]);\n"
                             "    return go(count) + TWICE(one(one(2)));\n"
                             "}\n";

static void read_facts(struct facts *facts, const char *folder)
{
    struct error error;
    char file[128];
    snprintf(file, sizeof file, "%s/a.c", folder);
    const char *arguments[] = {"cc", file};
    struct compile_command command = {folder, file, arguments, 2, NULL};
    struct compile_db db = {.commands = &command, .count = 1};
    struct facts_source source = {.tree = folder, .db = &db, .jobs = 1};
    CHECK(file_write(file, SOURCE, strlen(SOURCE), &error));
    facts_read(facts, &source, &command);
    CHECK(facts->unit_count == 1 && facts->function_count >= 4 && facts->failure_count == 0);
}

/* All of it is looked at: packed once more, and merged with itself. */
static void use(const struct facts *facts, struct str *bytes)
{
    str_clear(bytes);
    facts_pack(bytes, facts);
    struct facts_merger *merger = facts_merger_new();
    facts_merger_add(merger, facts);
    facts_merger_add(merger, facts);
    struct facts merged;
    facts_merger_finish(merger, &merged);
    facts_release(&merged);
}

static void test_same(const struct str *bytes)
{
    struct facts facts;
    struct str again = {0};
    CHECK(facts_unpack(&facts, bytes->data, bytes->length));
    use(&facts, &again);
    CHECK(again.length == bytes->length && memcmp(again.data, bytes->data, again.length) == 0);
    facts_release(&facts);
    str_release(&again);
}

static void test_cut(const struct str *bytes)
{
    for (size_t length = 0; length < bytes->length; length++) {
        struct facts facts;
        char *part = memory_alloc(length + 1); /* of its own, so that a sanitizer sees its end */
        memcpy(part, bytes->data, length);
        CHECK(!facts_unpack(&facts, part, length));
        memory_free(part);
    }
}

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 33);
}

static void damage(char *bytes, size_t length, uint64_t *state)
{
    static const unsigned char ODD[] = {0, 1, 127, 128, 255};
    for (uint32_t count = 1 + next_random(state) % 4; count-- > 0;) {
        size_t at = next_random(state) % length;
        if (next_random(state) % 2)
            bytes[at] = (char)ODD[next_random(state) % sizeof ODD];
        else if (next_random(state) % 2)
            bytes[at] = (char)(bytes[at] ^ 1 << next_random(state) % 8);
        else
            bytes[at] = bytes[next_random(state) % length];
    }
}

static void test_damaged(const struct str *bytes, unsigned rounds)
{
    uint64_t state = 12;
    unsigned taken = 0;
    struct str scratch = {0};
    for (unsigned round = 0; round < rounds; round++) {
        char *copy = memory_alloc(bytes->length);
        memcpy(copy, bytes->data, bytes->length);
        damage(copy, bytes->length, &state);
        struct facts facts;
        bool good = facts_unpack(&facts, copy, bytes->length);
        memory_free(copy);
        if (good) {
            use(&facts, &scratch);
            facts_release(&facts);
            taken++;
        }
    }
    CHECK(taken > 0 && taken < rounds); /* both ends of the check are reached */
    str_release(&scratch);
}

int main(int argc, char **argv)
{
    char folder[] = "/tmp/vprof-pack-XXXXXX";
    CHECK(mkdtemp(folder) != NULL);
    struct facts facts = {0};
    struct str bytes = {0};
    struct error error;
    read_facts(&facts, folder);
    facts_pack(&bytes, &facts);
    test_same(&bytes);
    test_cut(&bytes);
    test_damaged(&bytes, argc > 1 ? (unsigned)atoi(argv[1]) : 20000);
    facts_release(&facts);
    str_release(&bytes);
    file_remove_tree(folder, &error);
    return failures != 0;
}
