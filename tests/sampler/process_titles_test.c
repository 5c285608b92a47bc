/* process_titles.h: what is a title, and what are arguments. */
#include "check.h"

#include <string.h>

#include "sampler/process_titles.h"

#define TAKE(arguments) process_title_take(arguments, sizeof(arguments), title)

int main(void)
{
    char title[TRACE_TITLE_BYTES] = "";
    CHECK(TAKE("postgres: walwriter \0\0\0\0") && strcmp(title, "postgres: walwriter") == 0);
    CHECK(TAKE("nginx: worker process\0worker_processes=4") &&
          strcmp(title, "nginx: worker process") == 0);
    CHECK(!TAKE("python3\0worker.py\0two words") && strcmp(title, "nginx: worker process") == 0);
    CHECK(!TAKE("/opt/My Server/bin/server\0--quiet") && !TAKE("./my server") && !TAKE("sh  ") &&
          !TAKE(""));
    CHECK(TAKE("toy: 4567890123456789012345678901234567890123456789") &&
          strlen(title) == TRACE_TITLE_BYTES - 1);
    CHECK(process_title_take("toy: cut here", 8, title) && strcmp(title, "toy: cut") == 0);
    return CHECK_DONE();
}
