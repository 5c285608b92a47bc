/* fuzz_trace_corpus FOLDER... - every input once, where libFuzzer is not at hand. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "fuzz_trace.h"

static unsigned read_folder(const char *folder)
{
    struct dirent **entries;
    struct error error;
    unsigned inputs = 0;
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        struct str path = {0}, text = {0};
        path_join(&path, folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && file_read(&text, path.data, &error)) {
            LLVMFuzzerTestOneInput((const uint8_t *)text.data, text.length);
            inputs++;
        }
        str_release(&path);
        str_release(&text);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return inputs;
}

int main(int argc, char **argv)
{
    unsigned inputs = 0;
    for (int i = 1; i < argc; i++)
        inputs += read_folder(argv[i]);
    printf("%u inputs\n", inputs);
    return inputs == 0;
}
