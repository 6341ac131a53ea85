#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A random DBC file, read by hild and by canmatrix (Debian's python3-canmatrix): both find the same in it,
the same in random payloads, and make the same payloads of values. 77 is "skipped".
  canmatrix_test.py DBC_PEER [SEED]
"""

import logging
import math
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import canmatrix.formats
except ImportError:
    print("skipped: no canmatrix (apt-get install python3-canmatrix)")
    sys.exit(77)

MESSAGES = 300
PAYLOADS = 6  # of a message
FD_LENGTHS = [12, 16, 20, 24, 32, 48, 64]


def bits_of(start, length, little):
    """As the DBC format numbers them: Motorola goes from bit 7 of a byte to 0, and on in the next."""
    at, bits = start, []
    for _ in range(length):
        bits.append(at)
        if little:
            at += 1
        else:
            at = at - 1 if at % 8 else at + 15
    return bits


class Signal:
    """A signal at a random place."""

    def __init__(self, chance, name, length=None):
        self.name, self.mark = name, ""
        self.little = chance.random() < 0.5
        self.kind = 0 if length else chance.choice([0, 0, 0, 0, 1, 2])
        self.length = {0: length or chance.randint(1, 64 if chance.random() < 0.2 else 20), 1: 32, 2: 64}[self.kind]
        self.signed = self.kind != 0 or (not length and chance.random() < 0.5)
        self.factor = chance.choice(["1", "0.1", "-0.5", "0.00390625", "1E-03", "25"])
        self.offset = chance.choice(["0", "0", "-40", "12.5", "1E+02"])
        if self.kind:  # without rounding, since all of their bits are compared
            self.factor = chance.choice(["1", "-0.5", "0.00390625"])
        self.unit = chance.choice(["", "km/h", "\N{DEGREE SIGN}C", "%", "Nm"])
        self.start = 0

    def place(self, chance, free):
        """Whether a place was found, whose bits are then no longer free."""
        for _ in range(20):
            self.start = chance.choice(sorted(free))
            bits = bits_of(self.start, self.length, self.little)
            if free.issuperset(bits):
                free.difference_update(bits)
                return True
        return False

    def line(self):
        return (f" SG_ {self.name}{self.mark} : {self.start}|{self.length}@{int(self.little)}"
                f"{'-' if self.signed else '+'} ({self.factor},{self.offset}) [0|0] \"{self.unit}\"  Peer")


class Message:
    """A message: plain, or with a switch, or with a switch below another."""

    def __init__(self, chance, number):
        self.name = f"Message{number}"
        self.length = chance.choice([8, 8, 8, chance.randint(1, 8), chance.choice(FD_LENGTHS)])
        self.id = chance.randrange(1 << 29) | 1 << 31 if chance.random() < 0.5 else 2 * number + 1
        self.cycle = chance.choice([0, 0, 10, 100, 2500])
        self.signals, self.ranges = [], []
        free = set(range(8 * self.length))
        kind = chance.random()
        if kind < 0.4:
            self.fill(chance, free, "", 8)
        elif kind < 0.7:
            self.switch(chance, free, "S", " M")
            self.groups(chance, free)
        else:
            self.nested(chance, free)

    def add(self, chance, free, name, mark, length=None):
        signal = Signal(chance, name, length)
        signal.mark = mark
        if not free or not signal.place(chance, free):
            return None
        self.signals.append(signal)
        return signal

    def fill(self, chance, free, mark, most):
        return [self.add(chance, free, f"Signal{len(self.signals)}", mark) for _ in range(chance.randint(1, most))]

    def switch(self, chance, free, name, mark):
        signal = self.add(chance, free, name, mark, 2)
        if signal:
            signal.factor, signal.offset = "1", "0"
        return signal

    def groups(self, chance, free):
        """What is there by one value may have the bits of what is there by another."""
        if not self.signals:
            return
        self.fill(chance, free, "", 2)
        for value in range(3):
            self.fill(chance, set(free), f" m{value}", 3)

    def nested(self, chance, free):
        if not self.switch(chance, free, "S", " M"):
            return
        self.fill(chance, free, "", 2)
        below = set(free)
        inner = self.switch(chance, below, "T", " m0M")
        if inner:
            self.ranges.append(("T", "S", "0-1"))
            for value, ranges in ((0, "0-1"), (2, "2-2"), (3, "3-3")):
                for signal in self.fill(chance, set(below), f" m{value}", 2):
                    if signal:
                        self.ranges.append((signal.name, "T", ranges))
        for signal in self.fill(chance, set(free), " m2", 2):
            if signal:
                self.ranges.append((signal.name, "S", "2-3"))

    def text(self):
        lines = [f"BO_ {self.id} {self.name}: {self.length} Peer"]
        return "\n".join(lines + [signal.line() for signal in self.signals]) + "\n"

    def attributes(self):
        lines = [f"SIG_VALTYPE_ {self.id} {s.name} : {s.kind};" for s in self.signals if s.kind]
        lines += [f"SG_MUL_VAL_ {self.id} {name} {by} {ranges};" for name, by, ranges in self.ranges]
        if self.cycle:
            lines.append(f"BA_ \"GenMsgCycleTime\" BO_ {self.id} {self.cycle};")
        return "".join(f"{line}\n" for line in lines)


def file_of(messages):
    return ("VERSION \"1\"\n\nNS_ :\n\tCM_\n\nBS_:\n\nBU_: Peer\n\n" + "\n".join(m.text() for m in messages)
            + "\nCM_ \"one; two\";\nBA_DEF_ BO_ \"GenMsgCycleTime\" INT 0 65535;\n"
              "BA_DEF_DEF_ \"GenMsgCycleTime\" 0;\n" + "".join(m.attributes() for m in messages))


def near(ours, theirs, signal):
    """Whether two numbers are the same, but for what a double loses."""
    if math.isnan(theirs) or math.isinf(theirs):
        return str(ours) == str(theirs) or (math.isnan(ours) and math.isnan(theirs))
    return abs(ours - theirs) <= 1e-14 * (abs(theirs) + 2 * abs(float(signal.offset)))


def value_of(signal, raw):
    """The number canmatrix finds in it."""
    if signal.is_float and not math.isfinite(raw):
        return raw * float(signal.factor)
    return float(signal.raw2phys(raw))


def wrong_in_decoding(frame, payload, answer):
    words = answer.split()
    ours = {words[i]: (int(words[i + 1]), float(words[i + 2])) for i in range(0, len(words), 3)}
    theirs = frame.decode(payload)
    if set(ours) != set(theirs):
        return f"{frame.name} {payload.hex()}: {sorted(ours)} are there, for canmatrix {sorted(theirs)}"
    for name, decoded in theirs.items():
        signal = decoded.signal
        raw, value = ours[name]
        if not signal.is_float and raw != decoded.raw_value % (1 << signal.size):
            return f"{frame.name}.{name} {payload.hex()}: {raw} raw, for canmatrix {decoded.raw_value}"
        if not near(value, value_of(signal, decoded.raw_value), signal):
            return f"{frame.name}.{name} {payload.hex()}: {value}, for canmatrix {value_of(signal, decoded.raw_value)}"
    return None


def random_raw(chance, signal):
    """A raw value that a double can tell from its neighbours, with what is added to it."""
    if signal.is_float:
        return chance.choice([0.0, 1.0, -2.5, 1024.0, -0.015625])
    size = min(signal.size, 40)
    low = -(1 << (size - 1)) if signal.is_signed else 0
    return chance.randint(low, low + (1 << size) - 1)


def encoding(chance, frame, payload):
    """Values of what is there in a payload, as a request, and the payload that canmatrix makes of them."""
    signals = [decoded.signal for decoded in frame.decode(payload).values()]
    raws = {signal.name: random_raw(chance, signal) for signal in signals}
    words = [f"{signal.name} {value_of(signal, raws[signal.name])!r}" for signal in signals]
    request = f"encode {frame.name} {'00' * frame.size} {' '.join(words)}"
    return request, bytes(frame.signals_to_bytes(raws)).hex()


def listing(matrix):
    lines = []
    for frame in matrix.frames:
        lines.append(f"{frame.name} {frame.arbitration_id.id} {int(frame.arbitration_id.extended)} {frame.size} "
                     f"{frame.cycle_time}")
        lines += [f" {signal.name} \"{signal.unit}\"" for signal in frame.signals]
    return lines + ["."]


def main():
    peer = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 20260801
    chance = random.Random(seed)
    logging.disable(logging.CRITICAL)
    messages = [Message(chance, number) for number in range(MESSAGES)]
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "random.dbc"
        file.write_bytes(file_of(messages).encode("latin-1"))
        matrix = canmatrix.formats.loadp_flat(str(file))
        frames = [frame for frame in matrix.frames if frame.signals]
        requests, judges = ["list"], []
        for frame in frames:
            for _ in range(PAYLOADS):
                payload = bytes(chance.randrange(256) for _ in range(frame.size))
                requests.append(f"decode {frame.name} {payload.hex()}")
                judges.append(lambda answer, f=frame, p=payload: wrong_in_decoding(f, p, answer))
                request, expected = encoding(chance, frame, payload)
                requests.append(request)
                judges.append(lambda answer, r=request, e=expected:
                              None if answer == e else f"{r}: {answer}, canmatrix makes {e}")
        done = subprocess.run([peer, str(file)], input="\n".join(requests) + "\n", capture_output=True,
                              encoding="utf-8", timeout=250, check=False)
    if done.returncode != 0:
        print(f"seed {seed}: {done.stderr}")
        return 1
    answers = done.stdout.splitlines()
    expected = listing(matrix)
    wrong = [f"{ours} in the list, for canmatrix {theirs}"
             for ours, theirs in zip(answers, expected) if ours != theirs]
    answers = answers[len(expected):]
    if len(answers) != len(judges):
        wrong.append(f"{len(answers)} answers to {len(judges)} requests")
    wrong += filter(None, (judge(answer.strip()) for judge, answer in zip(judges, answers)))
    for line in wrong[:20]:
        print(f"seed {seed}: {line}")
    signals = [signal for frame in frames for signal in frame.signals]
    kinds = {
        "signals": len(signals),
        "big-endian": sum(not s.is_little_endian for s in signals),
        "floats": sum(s.is_float for s in signals),
        "signed": sum(s.is_signed for s in signals),
        "with a switch": sum(f.is_multiplexed for f in frames),
        "with one below another": sum(bool(f.is_complex_multiplexed) for f in frames),
    }
    print(f"{len(frames)} messages: {kinds}; {len(judges)} payloads; {len(wrong)} differences")
    if min(kinds.values()) < 20:
        print("too few of one kind to have tried anything")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
