# SPDX-License-Identifier: Apache-2.0
"""Reads a log by the specifications of MCAP (mcap.dev/spec) and of Protocol Buffers, with nothing
but the standard library and Zstandard's own, checks every checksum, count and index, and prints what it found as JSON:
the same as read_log.mjs does. What a message does not hold stands there by its default, a message within it as null,
what may be absent not at all."""
import base64
import json
import struct
import sys
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3] / "support"))
import zstd  # noqa: E402

MAGIC = b"\x89MCAP0\r\n"


def fail(text):
    sys.exit(f"read_log.py: {text}")


class Bytes:
    """Takes bytes apart, from front to back."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, n):
        if n > len(self.data) - self.at:
            fail(f"{n} bytes wanted, {len(self.data) - self.at} left")
        self.at += n
        return self.data[self.at - n : self.at]

    def number(self, form):
        return struct.unpack("<" + form, self.take(struct.calcsize("<" + form)))[0]

    def text(self):
        return self.take(self.number("I")).decode()

    def pairs(self, first, second):
        part = Bytes(self.take(self.number("I")))
        found = []
        while part.at < len(part.data):
            found.append((first(part), second(part)))
        return found

    def map(self):
        return dict(self.pairs(Bytes.text, Bytes.text))

    def left(self):
        return self.at < len(self.data)


def records(data, offset=0):
    part = Bytes(data)
    while part.left():
        start = part.at
        opcode, length = part.number("B"), part.number("Q")
        yield offset + start, opcode, Bytes(part.take(length))


# ---- Protocol Buffers --------------------------------------------------------------------------


# Of google/protobuf/descriptor.proto: the types that are known here, and a label.
DOUBLE, FIXED32, BOOL, STRING, MESSAGE, BYTES, UINT32, ENUM, SFIXED64 = 1, 7, 8, 9, 11, 12, 13, 14, 16
REPEATED = 3
WIRE = {DOUBLE: 1, FIXED32: 5, BOOL: 0, STRING: 2, MESSAGE: 2, BYTES: 2, UINT32: 0, ENUM: 0, SFIXED64: 1}
FIXED = {DOUBLE: struct.Struct("<d"), FIXED32: struct.Struct("<I"), SFIXED64: struct.Struct("<q")}


def fields(data):
    """Number, wire type and value of each."""
    part = Bytes(data)

    def varint():
        n = shift = 0
        while True:
            byte = part.number("B")
            n |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return n

    while part.left():
        tag = varint()
        wire = tag & 7
        if wire == 0:
            value = varint()
        elif wire == 1:
            value = part.take(8)
        elif wire == 2:
            value = part.take(varint())
        elif wire == 5:
            value = part.take(4)
        else:
            fail(f"wire type {wire}")
        yield tag >> 3, wire, value


def all_of(data, number):
    return [value for field, _, value in fields(data) if field == number]


def one(data, number):
    found = all_of(data, number)
    if len(found) != 1:
        fail(f"field {number} is there {len(found)} times")
    return found[0]


def named(data, number=1):
    return one(data, number).decode()


class Field:
    """One of a message, as it was declared."""

    def __init__(self, data):
        self.name, self.number, self.kind = named(data), one(data, 3), one(data, 5)
        self.repeated = one(data, 4) == REPEATED
        self.optional = all_of(data, 17) == [1]  # that it is absent is no 0
        self.of = named(data, 6) if self.kind in (MESSAGE, ENUM) else None
        if self.kind not in WIRE:
            fail(f"type {self.kind}")


class Declared:
    """What a FileDescriptorSet declares: messages and enumerations, by their full names."""

    def __init__(self, descriptor_set):
        self.messages, self.names = {}, {}
        for file in all_of(descriptor_set, 1):
            if one(file, 12) != b"proto3":
                fail("not proto3")
            for message in all_of(file, 4):
                # Each such field is the only one of a choice of its own.
                choices = [one(f, 9) for f in all_of(message, 2) if all_of(f, 17) == [1]]
                if choices != list(range(len(all_of(message, 8)))):
                    fail(f"the choices of {named(message)}")
                self.add(self.messages, file, message, [(f.number, f) for f in map(Field, all_of(message, 2))])
            for enumeration in all_of(file, 5):
                values = [(one(value, 2), named(value)) for value in all_of(enumeration, 2)]
                if values[0][0] != 0:
                    fail("the first value of an enumeration is not 0")
                self.add(self.names, file, enumeration, values)
        for field in (f for message in self.messages.values() for f in message.values()):
            if field.of and field.of not in (self.messages if field.kind == MESSAGE else self.names):
                fail(f"{field.of} is not declared")

    @staticmethod
    def add(to, file, what, entries):
        name = f".{named(file, 2)}.{named(what)}"
        names = {entry if isinstance(entry, str) else entry.name for _, entry in entries}
        if name in to or not len(dict(entries)) == len(names) == len(entries):
            fail(f"{name}, or something of it, is declared twice")
        to[name] = dict(entries)

    def absent(self, field):
        """What stands for a field that is not there."""
        if field.repeated:
            return []
        if field.kind == ENUM:
            return self.names[field.of][0]
        return {MESSAGE: None, BOOL: False, DOUBLE: 0.0, STRING: "", BYTES: ""}.get(field.kind, 0)

    def value(self, field, value):
        if field.kind in FIXED:
            return FIXED[field.kind].unpack(value)[0]
        if field.kind == MESSAGE:
            return self.decode(value, field.of)
        if field.kind == ENUM:
            return self.names[field.of][value]
        if field.kind == STRING:
            return value.decode()
        if field.kind == BYTES:
            return base64.b64encode(value).decode()
        if value >= (2 if field.kind == BOOL else 1 << 32):
            fail(f"{field.name} is {value}")
        return bool(value) if field.kind == BOOL else value

    def decode(self, data, name):
        by_number = self.messages[name]
        found, seen = {f.name: self.absent(f) for f in by_number.values() if not f.optional}, set()
        for number, wire, value in fields(data):
            if number not in by_number:
                fail(f"{name} has no field {number}")
            field = by_number[number]
            if field.repeated and wire == 2 and field.kind in FIXED:  # packed
                found[field.name] += (v for (v,) in FIXED[field.kind].iter_unpack(value))
                continue
            if wire != WIRE[field.kind] or (number in seen and not field.repeated):
                fail(f"{name}: {field.name} has wire type {wire}, or is there twice")
            seen.add(number)
            if field.repeated:
                found[field.name].append(self.value(field, value))
            else:
                found[field.name] = self.value(field, value)
        return found


# ---- the file ----------------------------------------------------------------------------------


class Log:
    def __init__(self, data):
        self.data = data
        self.found = {"topics": {}, "attachments": {}, "metadata": {}, "chunks": 0}
        self.schemas, self.channels, self.decoders = {}, {}, {}
        self.chunks, self.counts = {}, {}
        self.attachments, self.metadata = {}, {}
        self.last_chunk = None

    def schema(self, r):
        identity, name, encoding = r.number("H"), r.text(), r.text()
        self.schemas[identity] = (name, encoding, r.take(r.number("I")))

    def channel(self, r):
        identity, schema, topic, encoding = r.number("H"), r.number("H"), r.text(), r.text()
        metadata = r.map()
        known = self.channels.setdefault(identity, (schema, topic, encoding, metadata))
        if known != (schema, topic, encoding, metadata):
            fail(f"two channels {identity}")
        if topic in self.found["topics"]:
            return
        self.found["topics"][topic] = {
            "encoding": encoding, "metadata": metadata, "count": 0, "bytes": 0}
        if encoding == "protobuf":
            name, schema_encoding, description = self.schemas[schema]
            if schema_encoding != "protobuf":
                fail(f"schema of {topic}")
            self.decoders[identity] = (Declared(description), "." + name)

    def message(self, r):
        identity, _, log_time, _ = (r.number(f) for f in "HIQQ")
        topic = self.found["topics"][self.channels[identity][1]]
        data = r.data[r.at :]
        topic["count"] += 1
        topic["bytes"] += len(data)
        self.counts[identity] = self.counts.get(identity, 0) + 1
        if identity in self.decoders:
            declared, name = self.decoders[identity]
            topic["last"] = declared.decode(data, name)
            topic.setdefault("first", topic["last"])
            # In words: some programs that read JSON have no integers as large.
            topic["last_at"] = str(log_time)
            topic.setdefault("first_at", topic["last_at"])
        return identity, log_time

    def chunk(self, offset, r):
        if self.last_chunk:
            fail(f"an index is missing before the chunk at {offset}")
        start, end, size, crc = (r.number(f) for f in "QQQI")
        compression = r.text()
        content = r.take(r.number("Q"))
        stored = len(content)
        if compression == "zstd":
            content = zstd.expand(content, size)
        elif compression != "":
            fail(f"compressed by {compression}")
        if len(content) != size or zlib.crc32(content) != crc:
            fail(f"checksum of the chunk at {offset}")
        index, times = {}, []
        for at, opcode, inner in records(content):
            if opcode != 5:
                fail(f"record {opcode} in a chunk")
            identity, time = self.message(inner)
            index.setdefault(identity, []).append((time, at))
            times.append(time)
        if (min(times), max(times)) != (start, end):
            fail(f"times of the chunk at {offset}")
        self.found["chunks"] += 1
        self.last_chunk = index
        self.chunks[offset] = {"times": (start, end), "size": size, "stored": stored,
                               "compression": compression, "length": 9 + len(r.data),
                               "indexes": {}}

    def message_index(self, offset, r):
        identity = r.number("H")
        entries = r.pairs(lambda b: b.number("Q"), lambda b: b.number("Q"))
        if entries != self.last_chunk.pop(identity):
            fail(f"index of channel {identity} at {offset}")
        list(self.chunks.values())[-1]["indexes"][identity] = offset

    def attachment(self, offset, r):
        times = r.number("Q"), r.number("Q")
        name, media_type = r.text(), r.text()
        content = r.take(r.number("Q"))
        if zlib.crc32(r.data[: r.at]) != r.number("I"):
            fail(f"checksum of the attachment {name}")
        self.found["attachments"][name] = content.decode()
        self.attachments[offset] = (9 + len(r.data), *times, len(content), name, media_type)

    def read(self):
        data = self.data
        if data[:8] != MAGIC or data[-8:] != MAGIC:
            fail("magic")
        summary_start, offset_start, summary_crc = struct.unpack("<QQI", data[-28:-8])
        if zlib.crc32(data[summary_start:-12]) != summary_crc:
            fail("checksum of the summary")
        ended = False
        for offset, opcode, r in records(data[8:summary_start], 8):
            if ended:
                fail("a record behind the end of the data section")
            if opcode == 1:
                r.text()
                self.found["library"] = r.text()
            elif opcode == 3:
                self.schema(r)
            elif opcode == 4:
                self.channel(r)
            elif opcode == 6:
                self.chunk(offset, r)
            elif opcode == 7:
                self.message_index(offset, r)
            elif opcode == 9:
                self.attachment(offset, r)
            elif opcode == 12:
                name = r.text()
                self.found["metadata"][name] = r.map()
                self.metadata[offset] = (9 + len(r.data), name)
            elif opcode == 15:
                ended = True
                if zlib.crc32(data[:offset]) != r.number("I"):
                    fail("checksum of the data section")
            else:
                fail(f"record {opcode} in the data section")
        if not ended or self.last_chunk:
            fail("no end of the data section, or an index that is not there")
        self.check_summary(summary_start, offset_start)
        self.found["footer"] = self.found["done"] = True
        return self.found

    def check_summary(self, summary_start, offset_start):
        groups, chunks, attachments, metadata = {}, 0, 0, 0
        for offset, opcode, r in records(self.data[summary_start:offset_start], summary_start):
            length = 9 + len(r.data)
            begun, so_far = groups.get(opcode, (offset, 0))
            if begun + so_far != offset:
                fail(f"records {opcode} of the summary are not in one place")
            groups[opcode] = (begun, so_far + length)
            if opcode == 3:
                schema = dict(self.schemas)
                self.schema(r)
                if schema != self.schemas:
                    fail("a schema of the summary is another")
            elif opcode == 4:
                self.channel(r)
            elif opcode == 8:
                chunks += 1
                self.check_chunk_index(r)
            elif opcode == 10:
                attachments += 1
                entry = self.attachments[r.number("Q")]
                if entry != (*(r.number("Q") for _ in range(4)), r.text(), r.text()):
                    fail("index of an attachment")
            elif opcode == 11:
                self.check_statistics(r)
            elif opcode == 13:
                metadata += 1
                if self.metadata[r.number("Q")] != (r.number("Q"), r.text()):
                    fail("index of metadata")
        if (chunks, attachments, metadata) != (
                len(self.chunks), len(self.attachments), len(self.metadata)):
            fail("an index is missing")
        for _, opcode, r in records(self.data[offset_start : -8 - 29], offset_start):
            group = r.number("B")
            if opcode != 14 or groups.pop(group) != (r.number("Q"), r.number("Q")):
                fail("offsets of the summary")
        if groups:
            fail("a group of the summary has no offset")

    def check_chunk_index(self, r):
        times = r.number("Q"), r.number("Q")
        chunk = self.chunks[r.number("Q")]
        length = r.number("Q")
        indexes = dict(r.pairs(lambda b: b.number("H"), lambda b: b.number("Q")))
        index_length = r.number("Q")
        compression, stored, size = r.text(), r.number("Q"), r.number("Q")
        if (times, length, indexes, compression, stored, size) != (
                chunk["times"], chunk["length"], chunk["indexes"], chunk["compression"],
                chunk["stored"], chunk["size"]):
            fail("index of a chunk")
        if index_length <= 0:
            fail("length of the indexes of a chunk")

    def check_statistics(self, r):
        messages, schemas, channels, attachments, metadata, chunks = (
            r.number(f) for f in "QHIIII")
        times = r.number("Q"), r.number("Q")
        counts = dict(r.pairs(lambda b: b.number("H"), lambda b: b.number("Q")))
        all_times = [t for c in self.chunks.values() for t in c["times"]]
        if (messages, schemas, channels, attachments, metadata, chunks, counts, times) != (
                sum(self.counts.values()), len(self.schemas), len(self.channels),
                len(self.attachments), len(self.metadata), len(self.chunks), self.counts,
                (min(all_times), max(all_times))):
            fail("statistics")
        self.found["statistics"] = {"messages": messages, "chunks": chunks,
                                    "attachments": attachments, "metadata": metadata}


with open(sys.argv[1], "rb") as file:
    print(json.dumps(Log(file.read()).read()))
