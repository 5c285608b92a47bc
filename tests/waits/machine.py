"""machine.py - programs of threads, run by a small machine that knows the truth, and written as a recorder sees them.

    def worker(m):
        yield m.run(2000)                    computes for 2,000 ns
        yield m.disk(5000)                   waits for a disk of its own; m.sleep: for a timer
        yield from queue.put(m, item)        queue = machine.Queue(4); a Lock, a Barrier
    m = machine.Machine({"a": worker, "b": worker})
    run = m.go()                             made_run.Run
    m.now                                    when the last thread ended

A thread has a processor of its own and comes back to it at once. Threads act one after the other: each act takes a
ns of the machine's time, so no two things are at one moment; lengths below a thousand ns are lost in that.
"""
import heapq

import made_run

FIRST = 100


class Thread:
    def __init__(self, tid, name, body):
        self.tid, self.name, self.body, self.blocked = tid, name, body, False


class Machine:
    def __init__(self, programs):
        """By name; what stands behind a # is not told."""
        self.names = {FIRST + i: name.split("#")[0] for i, name in enumerate(programs)}
        self.run_of = made_run.Run(self.names)
        self.heap, self.order, self.now, self.last = [], 0, 10, 10
        self.current, self.ended, self.served = None, {}, 0
        self.threads = {}
        for tid, (name, program) in zip(self.names, programs.items()):
            self.threads[name] = Thread(tid, name, program(self))
            self.at(10, self.threads[name], None)

    def at(self, time, thread, how):
        heapq.heappush(self.heap, (time, self.order, thread, how))
        self.order += 1

    # What a program yields:
    @staticmethod
    def run(length):
        return ("run", length)

    @staticmethod
    def disk(length):
        return ("disk", length)

    def shared_disk(self, length):
        """It serves one after the other."""
        self.served = max(self.now, self.served) + length
        return ("disk", self.served - self.now if length else 0)

    @staticmethod
    def sleep(length):
        return ("timer", length)

    @staticmethod
    def packet(at):
        """Waits for a packet that comes at a moment, whatever else."""
        return ("network", at)

    BLOCK = ("block", 0)

    # What it calls:
    def wake(self, thread):
        assert thread.blocked, thread.name
        thread.blocked = False
        self.run_of.wake(self.tick(), self.current.tid, thread.tid)
        self.at(self.now + 1, thread, "woken")

    def begin(self, number, of_type=None):
        self.run_of.begin(self.tick(), self.current.tid, number, of_type)

    def enter(self, number):
        self.run_of.enter(self.tick(), self.current.tid, number)

    def task(self, what, number):
        self.run_of.mark(what, self.tick(), self.current.tid, number)

    def end(self, number):
        self.run_of.end(self.tick(), self.current.tid, number)

    def tick(self):
        self.now += 1
        return self.now

    def go(self):
        while self.heap:
            time, _, thread, how = heapq.heappop(self.heap)
            self.now = max(self.now + 1, time)
            if how in ("disk", "timer", "network"):
                self.run_of.interrupt(self.now, thread.tid, how)
                self.run_of.come(self.tick(), thread.tid)
            elif how == "woken":
                self.run_of.come(self.now, thread.tid)
            self.act(thread)
        return self.run_of

    def act(self, thread):
        self.current = thread
        what, length = next(thread.body, ("over", 0))
        if what == "over":
            self.run_of.over(self.tick(), thread.tid)
            self.ended[thread.name] = self.now
        elif what == "run":
            self.at(self.now + length, thread, "run")
        elif what == "block":
            thread.blocked = True
            self.run_of.out(self.tick(), thread.tid)
        elif what == "network" and length <= self.now:
            self.at(self.now, thread, "run")  # it is there already
        elif length:
            self.run_of.out(self.tick(), thread.tid)
            self.at(length if what == "network" else self.now + length, thread, what)
        else:
            self.at(self.now, thread, "run")


class Queue:
    """With a number, of its own, it is told of: who put what in, and who took it."""

    def __init__(self, room=1 << 30, number=0):
        self.room, self.items, self.takers, self.putters = room, [], [], []
        self.put_next = self.take_next = number << 32

    def put(self, m, item):
        me = m.current
        while len(self.items) >= self.room:
            self.putters.append(me)
            yield m.BLOCK
        self.items.append(item)
        if self.put_next:
            self.put_next += 1
            m.task("enqueue", self.put_next)
        if self.takers:
            m.wake(self.takers.pop(0))

    def get(self, m):
        me = m.current
        while not self.items:
            self.takers.append(me)
            yield m.BLOCK
        item = self.items.pop(0)
        if self.take_next:
            self.take_next += 1
            m.task("dequeue", self.take_next)
        if self.putters:
            m.wake(self.putters.pop(0))
        return item


class Barrier:
    def __init__(self, count):
        self.count, self.waiting = count, []

    def wait(self, m):
        if len(self.waiting) + 1 < self.count:
            self.waiting.append(m.current)
            yield m.BLOCK
            return
        for thread in self.waiting:
            m.wake(thread)
        self.waiting = []


class Lock:
    """Handed over to who waited first."""

    def __init__(self):
        self.held, self.waiting = False, []

    def take(self, m):
        if self.held:
            self.waiting.append(m.current)
            yield m.BLOCK
        self.held = True

    def give(self, m):
        self.held = False
        if self.waiting:
            self.held = True
            m.wake(self.waiting.pop(0))
