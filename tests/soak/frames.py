# SPDX-License-Identifier: Apache-2.0
"""Whether every frame of a recording is there and due exactly where the grid has it. Reads MCAP by its
specification (mcap.dev/spec) and the frames by the table the recording brings, a block at a time."""
import json
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import zstd  # noqa: E402

BLOCK = 6  # the record that holds messages
FORMS = {"int64": "q", "int32": "i", "uint8": "B", "bool": "B", "uint32": "I", "float64": "d"}


def text(data, at):
    (length,) = struct.unpack_from("<I", data, at)
    return data[at + 4 : at + 4 + length].decode(), at + 4 + length


def records(data):
    at = 0
    while at < len(data):
        opcode, length = struct.unpack_from("<BQ", data, at)
        yield opcode, data[at + 9 : at + 9 + length]
        at += 9 + length


def blocks(path):
    """The records of the file itself, one after the other."""
    with open(path, "rb") as file:
        if file.read(8) != b"\x89MCAP0\r\n":
            raise ValueError(f"{path} is no MCAP file")
        while True:
            head = file.read(9)
            opcode, length = struct.unpack("<BQ", head)
            yield opcode, file.read(length)
            if opcode == 2:  # the footer
                return


class Fields:
    """Takes the named fields out of a record's header."""

    def __init__(self, table, names):
        fields = {f["name"]: f for f in table["header"]}
        self.forms = [(struct.Struct("<" + FORMS[fields[n]["type"]]), fields[n]["offset"]) for n in names]

    def __call__(self, record):
        return [form.unpack_from(record, offset)[0] for form, offset in self.forms]


def frames(path, *names):
    schemas, channel, fields = {}, None, None
    for opcode, data in blocks(path):
        if opcode == 3:
            (identity,) = struct.unpack_from("<H", data)
            _, at = text(data, 2)
            _, at = text(data, at)
            schemas[identity] = data[at + 4 :]
        elif opcode == 4:
            identity, schema = struct.unpack_from("<HH", data)
            if text(data, 4)[0] == "/frame" and channel is None:
                channel, fields = identity, Fields(json.loads(schemas[schema]), names)
        elif opcode == BLOCK:
            compression, at = text(data, 28)
            content = data[at + 8 :]
            if compression == "zstd":
                content = zstd.expand(content, struct.unpack_from("<Q", data, 16)[0])
            elif compression:
                raise ValueError(f"a block compressed by {compression}")
            for kind, message in records(content):
                if kind == 5 and struct.unpack_from("<H", message)[0] == channel:
                    yield fields(message[22:])


def judge(path, period_ns):
    """What is wrong with a recording, in words; and what was counted."""
    wrong, steps, spans, slipped, first, last = [], 0, 0, 0, None, None
    for step, frame, due, span, slip in frames(path, "step", "frame", "due", "span", "slipped"):
        slipped += slip
        if first is None:
            first = (step, frame, due - slip * period_ns)
        off = due - first[2] - (frame - first[1] + slipped) * period_ns
        if off and len(wrong) < 10:
            wrong.append(f"frame {frame} was due {off} ns from its place on the grid")
        if last and (step != last[0] + 1 or frame != last[1] + last[2]) and len(wrong) < 10:
            wrong.append(f"step {step} of frame {frame} follows step {last[0]} of frames {last[1]} to "
                         f"{last[1] + last[2] - 1}")
        steps, spans, last = steps + 1, spans + span, (step, frame, span)
    if first is None:
        wrong.append("no frame was recorded")
    elif first[:2] != (0, 0):
        wrong.append(f"the recording begins with step {first[0]} of frame {first[1]}")
    return wrong, {"steps": steps, "doubled": spans - steps, "slips": slipped}
