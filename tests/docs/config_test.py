#!/usr/bin/env python3
"""The vprofiler.json of docs/config.md is taken as it stands, by a program that has what it names; and with a type
that is given where the interval is entered.

usage: config_test.py VPROFILER
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from blocks import ROOT, blocks

HEAD = r"""
#include <pthread.h>
#include <string.h>
#include <unistd.h>
struct request { char name[16]; };
struct task { struct request *request; };
struct queue { struct task *task; };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void WaitLatch(pthread_mutex_t *m) { pthread_mutex_lock(m); }
void SetLatch(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
void queue_push(struct queue *q, struct task *t) { q->task = t; }
struct task *queue_pop(struct queue *q) { return q->task; }
static struct queue queue;
"""
WORK = r"""
static void work(void)
{
    struct task *task = queue_pop(&queue);
    usleep(task->request->name[0] == 'a' ? 100 : 2000);
}
static void handle(struct request *request)
{
    struct task task = {request};
    WaitLatch(&lock);
    queue_push(&queue, &task);
    work();
    SetLatch(&lock);
}
int main(void)
{
    for (int i = 0; i < 120; i++) {
        struct request request;
        strcpy(request.name, i % 2 ? "a" : "b");
        handle(&request);
    }
    return 0;
}
"""
LINE = 42  # where the example puts its "enter"
BUILD = "#!/bin/sh\nset -e\ncc -g -c server.c\ncc -o server server.o -lpthread\n./server\n"


def profile(files):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file, content in files.items():
            (folder / file).write_text(content)
        done = subprocess.run([sys.argv[1], "iterate", "--build", "build.sh", "--auto", "--json"],
                              cwd=folder, text=True, capture_output=True, stdin=subprocess.DEVNULL)
        assert done.returncode == 0, done.stderr
        assert '"usleep"' in done.stdout and '"a"' in done.stdout, done.stdout


def with_later_type(example):
    config = json.loads(example)
    config["intervals"][0]["type"] = {**config["intervals"][0]["enter"][0],
                                      "is": "task->request->name"}
    return json.dumps(config)


def main():
    example = blocks("docs/config.md", "json")[0]
    assert f'"line": {LINE}' in example
    before = WORK.index("    usleep")
    padding = LINE - 1 - (HEAD + WORK[:before]).count("\n")
    text = HEAD + "\n" * padding + WORK
    assert text.splitlines()[LINE - 1].strip().startswith("usleep")
    for config in (example, with_later_type(example)):
        profile({"server.c": text, "build.sh": BUILD, "vprofiler.json": config})
    print("2 passed, 0 failed")


if __name__ == "__main__":
    main()
