"""A second reader of the Parquet files that vprofiler writes: small, strict, standard library only.

    rows = parquet.read(path_or_bytes)            a list of dicts, as csv.DictReader gives them, typed
    parquet.metadata(data)                        the footer, as {field number: value}

An executable specification of report/kit/parquet.h, written from the documents of apache/parquet-format and
not from the writer: whatever they allow beyond what is written here is refused.
"""
import pathlib
import struct
import zlib

INT64, BYTE_ARRAY = 2, 6
PLAIN, RLE, RLE_DICTIONARY = 0, 3, 8
DATA_PAGE, DICTIONARY_PAGE = 0, 2
GZIP = 2


class Bytes:
    """Thrift's compact protocol, over bytes with a place in them."""

    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, count):
        taken = self.data[self.at:self.at + count]
        assert len(taken) == count, "the file ends too early"
        self.at += count
        return taken

    def varint(self):
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def zigzag(self):
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def value(self, kind):
        if kind in (5, 6):
            value = self.zigzag()
            assert -1 << (31 if kind == 5 else 63) <= value < 1 << (31 if kind == 5 else 63)
            return value
        if kind == 8:
            return self.take(self.varint())
        if kind == 9:
            head = self.take(1)[0]
            count = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(count)]
        assert kind == 12, f"thrift type {kind}"
        return self.struct()

    def struct(self):
        fields, number = {}, 0
        while True:
            head = self.take(1)[0]
            if head == 0:
                return fields
            assert head >> 4, "a long field header"
            number += head >> 4
            fields[number] = self.value(head & 15)


def metadata(data):
    assert data[:4] == data[-4:] == b"PAR1", "no Parquet file"
    size, = struct.unpack("<I", data[-8:-4])
    footer = Bytes(data[-8 - size:-8])
    fields = footer.struct()
    assert footer.at == size, "bytes after the metadata"
    return fields


def unpack_bits(data, width, count):
    """One bit-packed run of the RLE/bit-packing hybrid."""
    run = Bytes(data)
    head = run.varint()
    assert head & 1 and head >> 1 == (count + 7) // 8, "not one bit-packed run"
    packed = run.take((head >> 1) * width)
    assert run.at == len(data), "bytes after the run"
    values = []
    for eight in range(head >> 1):
        bits = int.from_bytes(packed[eight * width:(eight + 1) * width], "little")
        values += [bits >> i * width & (1 << width) - 1 for i in range(8)]
    assert not any(values[count:]), "padding that is not 0"
    return values[:count]


def read_page(file, kind):
    """The page's own header and its bytes."""
    header = file.struct()
    assert header[1] == kind, f"page type {header[1]}"
    packed = file.take(header[3])
    assert zlib.crc32(packed) == header[4] & 0xFFFFFFFF, "checksum"
    page = zlib.decompress(packed, wbits=15 + 16)
    assert len(page) == header[2], "size of the page"
    return header, page


def read_dictionary(file):
    header, page = read_page(file, DICTIONARY_PAGE)
    assert header[7][2] == PLAIN
    entries, at = [], Bytes(page)
    while at.at < len(page):
        entries.append(at.take(*struct.unpack("<I", at.take(4))).decode("utf-8"))
    assert len(entries) == header[7][1] == len(set(entries)), "entries of the dictionary"
    return entries


def read_values(file, optional, dictionary):
    header, page = read_page(file, DATA_PAGE)
    facts = header[5]
    assert facts[3] == facts[4] == RLE and facts[2] == (RLE_DICTIONARY if dictionary else PLAIN)
    present = [1] * facts[1]
    if optional:
        size, = struct.unpack("<I", page[:4])
        present = unpack_bits(page[4:4 + size], 1, facts[1])
        page = page[4 + size:]
    count = sum(present)
    if dictionary:
        values = [dictionary[i] for i in unpack_bits(page[1:], page[0], count)]
    else:
        assert len(page) == 8 * count
        values = struct.unpack(f"<{count}q", page)
    values = iter(values)
    return [next(values) if there else None for there in present]


def check_statistics(chunk, values):
    statistics = chunk[12]
    there = [value for value in values if value is not None]
    assert statistics[3] == len(values) - len(there), "null_count"
    if chunk[1] == INT64 and there:
        extremes = [struct.unpack("<q", statistics[field])[0] for field in (6, 5)]
        assert extremes == [min(there), max(there)], "least and greatest"
    else:
        assert statistics.keys() == {3}


def read_chunk(data, column, chunk, rows):
    name, kind, optional = column
    assert chunk[3] == [name.encode()] and chunk[1] == kind and chunk[4] == GZIP
    assert chunk[5] == rows
    text = kind == BYTE_ARRAY
    assert sorted(chunk[2]) == ([PLAIN, RLE, RLE_DICTIONARY] if text else [PLAIN, RLE])
    start = chunk[11] if text else chunk[9]
    file = Bytes(data, start)
    dictionary = read_dictionary(file) if text else None
    assert file.at == chunk[9], "where the data page begins"
    values = read_values(file, optional, dictionary)
    assert len(values) == rows and file.at - start == chunk[7], "size of the chunk"
    check_statistics(chunk, values)
    return values, start, file.at


def read_schema(schema):
    root, leaves = schema[0], schema[1:]
    assert root[5] == len(leaves) and 1 not in root
    for leaf in leaves:
        assert leaf[1] in (INT64, BYTE_ARRAY) and leaf[3] in (0, 1)
        assert (leaf[1] == BYTE_ARRAY) == (leaf.get(6) == 0) == (leaf.get(10) == {1: {}}), "UTF8"
    return [(leaf[4].decode(), leaf[1], leaf[3] == 1) for leaf in leaves]


def read(source):
    data = source if isinstance(source, bytes) else pathlib.Path(source).read_bytes()
    file = metadata(data)
    columns = read_schema(file[2])
    assert file[1] == 2 and file[7] == [{1: {}}] * len(columns) and file[6].startswith(b"vprofiler")
    rows, at = [], 4
    for group in file[4]:
        assert len(group[1]) == len(columns) and group[5] == at and group[3] <= 1 << 17
        lists, plain, packed = [], 0, 0
        for column, chunk in zip(columns, group[1]):
            assert chunk[2] == 0
            values, start, end = read_chunk(data, column, chunk[3], group[3])
            assert start == at, "chunks stand one after the other"
            at = end
            lists.append(values)
            plain, packed = plain + chunk[3][6], packed + chunk[3][7]
        assert (group[2], group[6]) == (plain, packed), "sizes of the row group"
        rows += [dict(zip([column[0] for column in columns], row)) for row in zip(*lists)]
    assert at == len(data) - 8 - struct.unpack("<I", data[-8:-4])[0], "bytes before the metadata"
    assert len(rows) == file[3], "rows"
    return rows
