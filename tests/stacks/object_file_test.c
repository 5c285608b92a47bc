/* symbol/object_file.h: a file is found again, or its copy, or it is known to be another one now. */
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/str.h"
#include "symbol/object_file.h"

static struct str folder;

static void put(const char *name, const char *content, struct stat *is)
{
    struct str path = {0};
    struct error error;
    path_join(&path, folder.data, name);
    CHECK(file_write(path.data, content, strlen(content), &error));
    CHECK(stat(path.data, is) == 0);
    str_release(&path);
}

static const char *found(const struct stat *then, const char *copy, const char *name, bool *known)
{
    static struct str answer;
    struct object_files *files = object_files_open();
    struct str text = {0}, path = {0};
    const char *at;
    path_join(&path, folder.data, name);
    str_printf(&text, "no line\n%" PRIu64 " %" PRIu64 " %" PRIu64 ".%09" PRIu64 " - %s %s\n",
               (uint64_t)then->st_ino, (uint64_t)then->st_size, (uint64_t)then->st_mtim.tv_sec,
               (uint64_t)then->st_mtim.tv_nsec, copy, path.data);
    object_files_add(files, text.data, folder.data);
    *known = object_files_find(files, path.data, then->st_ino, &at);
    str_clear(&answer);
    str_append(&answer, at ? path_last_part(at) : "");
    CHECK(!object_files_find(files, path.data, then->st_ino + 1, &at) && !at);
    CHECK(!object_files_find(files, "/other", then->st_ino, &at) && !at);
    object_files_close(files);
    str_release(&text);
    str_release(&path);
    return str_text(&answer);
}

/* Whatever stands there, it ends. */
static void anything(void)
{
    static const char likely[] = "0123456789.-/ab    \n\n";
    char text[2048];
    for (unsigned seed = 0; seed < 300; seed++) {
        struct object_files *files = object_files_open();
        const char *at;
        srand(seed);
        for (size_t i = 0; i < sizeof text - 1; i++)
            text[i] =
                seed % 2 ? (char)(1 + rand() % 255) : likely[(size_t)rand() % (sizeof likely - 1)];
        text[sizeof text - 1] = '\0';
        object_files_add(files, text, "/");
        CHECK(!object_files_find(files, "/nowhere/at all", 7, &at) && !at);
        object_files_close(files);
    }
}

int main(void)
{
    anything();
    struct stat one, two, copy;
    struct error error;
    bool known;
    CHECK(file_make_temporary(&folder, &error));
    put("a program", "one", &one);
    put("copy", "one", &copy);
    CHECK(strcmp(found(&one, "-", "a program", &known), "a program") == 0 && known);
    put("a program", "two", &two);
    two = one;
    two.st_mtim.tv_nsec ^= 1;
    CHECK(strcmp(found(&two, "copy", "a program", &known), "copy") == 0 && known);
    CHECK(strcmp(found(&two, "-", "a program", &known), "") == 0 && known);
    CHECK(strcmp(found(&two, "no-copy", "a program", &known), "") == 0 && known);
    CHECK(file_remove_tree(folder.data, &error));
    str_release(&folder);
    object_files_close(NULL);
    return CHECK_DONE();
}
