#!/usr/bin/env python3
"""report_tables: CSV and Parquet say the same, and what was put in, whatever it was.

usage: test_tables.py TABLE_PRINT REPORT_PRINT
"""
import csv
import io
import re
import subprocess
import sys

import parquet

TABLE_PRINT, REPORT_PRINT = sys.argv[1:]
# As table_print.c has them, with U+FFFD for each byte that is no UTF-8.
NAMES = ["plain", "", 'a "quoted" one', "comma, and ; and \\", "two\r\nlines\n", "\t",
         "</script><b>&amp;", "std::map<int, std::vector<char>>::operator[]", "déjà 漢 🔥",
         "bad \ufffd\ufffd bytes \ufffd", "\\N", "NULL", "123", "PAR1"]
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def number_of(row):
    if row % 1000 in (1, 2):
        return -1 << 63 if row % 1000 == 1 else (1 << 63) - 1
    value = row * 0x9E3779B97F4A7C15 % (1 << 64)
    return (value - (1 << 64) if value >> 63 else value) >> row % 64


def name_of(row):
    return f"{row}>".ljust(4096, "<") if row % 50 == 7 else NAMES[row % len(NAMES)]


def wanted(count):
    return [{"number": number_of(row), "maybe": None if row % 3 == 0 else -row, "name": name_of(row),
             "mostly_same": "other" if row % 100000 == 99999 else ""} for row in range(count)]


def printed(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def csv_rows(data, numbers):
    text = data.decode("utf-8")
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    return [{key: (int(value) if value else None) if key in numbers else value
             for key, value in row.items()} for row in rows]


def check_odd(count, groups):
    want = wanted(count)
    data = printed(TABLE_PRINT, "parquet", str(count))
    expect(parquet.read(data) == want, f"{count} rows of Parquet")
    expect(len(parquet.metadata(data)[4]) == groups,
           f"{count} rows: {len(parquet.metadata(data)[4])} row groups, not {groups}")
    got = csv_rows(printed(TABLE_PRINT, "csv", str(count)), ("number", "maybe"))
    expect(got == want, f"{count} rows of CSV")


def check_damaged():
    """The reader that the rest stands on refuses a file with one bit turned, wherever."""
    good = printed(TABLE_PRINT, "parquet", "20")
    for at in range(4, len(good)):
        bad = bytearray(good)
        bad[at] ^= 1
        try:
            same = parquet.read(bytes(bad)) == parquet.read(good)
        except Exception:
            continue
        # A letter of created_by, or the schema's name: nothing that a row is made of.
        expect(same, f"a bit of byte {at} turned makes other rows")


def shown(text):
    """As CSV has it: neither a formula for a spreadsheet nor a command for a terminal."""
    clean = re.sub("[\x01-\x08\x0e-\x1f\x7f-\x9f\xad\u200e\u200f\u2028-\u202e\u2066-\u206f\ufeff]", "\ufffd", text)
    return "'" * bool(re.match(r"\s*[=+\-@|]", text)) + clean


def check_samples():
    for case in ("toy", "odd", "empty", "rootless", "one", "deep", "server"):
        rows = csv_rows(printed(REPORT_PRINT, case, "nodes"),
                        ("node", "parent", "line", "height", "blamed", "calls"))
        got = parquet.read(printed(REPORT_PRINT, case, "parquet"))
        for row in got:
            row.update({key: shown(value) for key, value in row.items() if isinstance(value, str)})
        expect(got == rows, f"nodes of {case}")


check_odd(0, 0)
check_odd(1, 1)
check_odd(1 << 17, 2)
check_odd((1 << 17) + 3, 2)
check_damaged()
check_samples()
for failure in failures:
    print("FAILED", failure)
sys.exit(bool(failures))
