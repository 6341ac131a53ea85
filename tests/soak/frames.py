# SPDX-License-Identifier: Apache-2.0
"""Whether every frame of a recording is there and due exactly where the grid has it. Reads MCAP by its
specification (mcap.dev/spec) and of each step the few fields that tell where it is, a block at a time."""
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
import zstd  # noqa: E402

BLOCK = 6  # the record that holds messages
FRAME, EXTRA_FRAMES, SPAN, SLIPPED = 1, 2, 3, 18  # fields of hild.Step (docs/framelog.md): numbers are for ever
FIXED64 = struct.Struct("<q").unpack_from
LOG_TIME = struct.Struct("<Q").unpack_from


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


def varint(data, at):
    n = shift = 0
    while True:
        byte = data[at]
        n |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return n, at


def where(data, at):
    """Step, frame, span and slipped of the hild.Step that begins at `at`. What is not told is 0. There are millions:
    what takes one byte, which is nearly all, is taken without a call."""
    frame = extra = span = slipped = 0
    end = len(data)
    while at < end:
        tag = data[at]
        at += 1
        if tag >= 0x80:
            tag, at = varint(data, at - 1)
        wire = tag & 7
        if wire == 1:
            if tag >> 3 == FRAME:
                (frame,) = FIXED64(data, at)
            elif tag >> 3 == EXTRA_FRAMES:
                (extra,) = FIXED64(data, at)
            at += 8
            continue
        if wire == 5:
            at += 4
            continue
        if wire not in (0, 2):
            raise ValueError(f"a step with a field of wire type {wire}")
        n = data[at]
        at += 1
        if n >= 0x80:
            n, at = varint(data, at - 1)
        if wire == 2:
            at += n
        elif tag >> 3 == SPAN:
            span = n
        elif tag >> 3 == SLIPPED:
            slipped = n
    if at != end:
        raise ValueError("a step that is cut")
    return frame - extra, frame, span, slipped


def frames(path):
    """Of each step, in the order of the recording: step, frame, due, span, slipped. `due` is by the clock of the log,
    which differs from that of the run by as much in all of them."""
    channel = None
    for opcode, data in blocks(path):
        if opcode == 4:
            if text(data, 4)[0] == "/step" and channel is None:
                (channel,) = struct.unpack_from("<H", data)
        elif opcode == BLOCK:
            compression, at = text(data, 28)
            content = data[at + 8 :]
            if compression == "zstd":
                content = zstd.expand(content, struct.unpack_from("<Q", data, 16)[0])
            elif compression:
                raise ValueError(f"a block compressed by {compression}")
            for kind, message in records(content):
                if kind == 5 and struct.unpack_from("<H", message)[0] == channel:
                    step, frame, span, slipped = where(message, 22)
                    yield step, frame, LOG_TIME(message, 6)[0], span, slipped


def judge(path, period_ns):
    """What is wrong with a recording, in words; and what was counted."""
    wrong, steps, spans, slipped, first, last = [], 0, 0, 0, None, None
    for step, frame, due, span, slip in frames(path):
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
