# SPDX-License-Identifier: Apache-2.0
"""Holds what another reader found in a log of motor.yaml against what hild says of it."""
import csv
import json
import math
import sys

with open(sys.argv[1]) as file:
    read = json.load(file)
with open(sys.argv[2]) as file:
    rows = list(csv.reader(file))
with open(sys.argv[3]) as file:
    log = json.load(file)


def check(what, got, expected):
    if got != expected:
        sys.exit(f"compare.py: {what}: found {got!r}, expected {expected!r}")


FRAMES = 2000  # two seconds of 1 ms
check("closed", (read["done"], read["footer"]), (True, True))
check("library", read["library"].split()[0], "hild")
check("format", read["metadata"]["hild"], {"format": "3"})
check("model", read["metadata"]["run"]["model"], "dc-motor")
checks = {c["check"]: c["verdict"] for c in json.loads(read["attachments"]["machine.json"])["checks"]}
check("certificate", [name for name in ("preempt_rt", "governor", "smis") if name not in checks], [])
for topic in ("/frame", "/inputs", "/outputs", "/states", "/timing", "/counts"):
    check(f"messages of {topic}", read["topics"][topic]["count"], FRAMES)
    if "indexed" in read:
        check(f"indexed messages of {topic}", read["indexed"][topic], FRAMES)
check("gaps", read["topics"]["/gap"]["count"], 0)
check("statistics", read["statistics"]["messages"], 6 * FRAMES)
check("unit", read["topics"]["/outputs"]["metadata"]["unit.shaft_speed"], "rad/s")

# The sine the voltage was configured to be, from the first tick to the last: independent of all that
# read it. The device began a little before the run; the converter has 16 bits over 20 V.
last = read["topics"]["/inputs"]["last"]
check("tick", last["tick"], FRAMES - 1)
check("t", last["t"], 1.999)
omega = 2 * math.pi * 2
before = math.asin(read["topics"]["/inputs"]["first"]["armature_voltage"] / 5) / omega
sine = 5 * math.sin(omega * (1.999 + before))
check("voltage", abs(last["armature_voltage"] - sine) < 2 * 20 / 65536, True)

# The converter's count of it: 0 is -10 V, 65535 is 10 V; the scale is 1.
count = read["topics"]["/counts"]["last"]["armature_voltage"]
check("count", abs(-10 + count * 20 / 65535 - last["armature_voltage"]) < 1e-12, True)

# As exported, to the bit.
header, *lines = rows
check("rows", len(lines), FRAMES + 1)
column = {name.split(" [")[0]: i for i, name in enumerate(header)}
for kind, line in (("input", -2), ("output", -1), ("state", -1)):
    for name, value in read["topics"][f"/{kind}s"]["last"].items():
        if name not in ("tick", "t"):
            check(f"{kind}.{name}", float(lines[line][column[f"{kind}.{name}"]]), value)
check("first output", float(lines[1][column["output.shaft_speed"]]),
      read["topics"]["/outputs"]["first"]["shaft_speed"])

timing = read["topics"]["/timing"]["last"]
check("cause", timing["cause"], "CAUSE_NONE")
check("overrun", timing["overrun"], False)
check("span", timing["span"], 1)
check("steps", timing["step"], FRAMES - 1)
check("frames told by hild", log["frames"], FRAMES)
check("damages told by hild", log["file"]["damage_count"], 0)
check("configuration", read["attachments"]["config.yaml"], log["configuration"])
print("the readers agree")
