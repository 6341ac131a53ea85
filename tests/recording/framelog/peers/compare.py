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
FRAME_NS = 1_000_000
check("closed", (read["done"], read["footer"]), (True, True))
check("library", read["library"].split()[0], "hild")
check("format", read["metadata"]["hild"], {"format": "5", "semantics": "9"})
check("model", read["metadata"]["run"]["model"], "dc-motor")
checks = {c["check"]: c["verdict"] for c in json.loads(read["attachments"]["machine.json"])["checks"]}
check("certificate", [name for name in ("preempt_rt", "governor", "smis") if name not in checks], [])
check("messages", {topic: (found["encoding"], found["count"]) for topic, found in read["topics"].items()},
      {"/step": ("protobuf", FRAMES), "/gap": ("protobuf", 0), "/change": ("json", 0), "/keyframe": ("protobuf", 0)})
if "indexed" in read:
    check("indexed messages", read["indexed"], {"/step": FRAMES})
check("statistics", read["statistics"]["messages"], FRAMES)
signals = json.loads(read["topics"]["/step"]["metadata"]["signals"])
units = {s["name"]: s["unit"] for s in signals["outputs"]}
check("unit", units["shaft_speed"], "rad/s")

# Where a step is, by its own count, by the time of its message, and by the frame.
first, last = read["topics"]["/step"]["first"], read["topics"]["/step"]["last"]
check("frames", (first["frame"], last["frame"]), (0, FRAMES - 1))
check("steps", [step["frame"] - step["extra_frames"] for step in (first, last)], [0, FRAMES - 1])
begun, due = (int(read["topics"]["/step"][at]) for at in ("first_at", "last_at"))
check("due", due - begun, (FRAMES - 1) * FRAME_NS)
clock = read["metadata"]["clock"]
check("frame", clock["frame_ns"], f"{FRAME_NS}/1")
num, den = map(int, clock["frame_ns"].split("/"))
t = last["frame"] * num // den / 1e9
check("t", t, 1.999)

# All that a step tells that is not 0, false or none. On the virtual clock work takes no time, and it starts at its
# tick: nothing is late, nothing differs from what the frame and the deadline say (t_ns, end_ns), nothing is counted
# beside what is there (passes_run, images_read). The first step has no past, which the method needs.
timing = {"span": 1, "deadline_ns": FRAME_NS, "lateness_ns": -FRAME_NS, "slept": True, "cause": "CAUSE_NONE"}
for step, expected in ((first, timing | {"starter": True, "images_begin": True}), (last, timing | {"frame": FRAMES - 1})):
    # Of the first step nothing is known; inputs that are held over a step make a small one.
    check("error", 0 < step.pop("error_ppb", 0) < 1e7, step is last)
    check("timing", {k: v for k, v in step.items() if v and not isinstance(v, (dict, list))}, expected)
    # The first step has an image of before the run too, for the method of second order.
    check("images", [(image["sampled_ns"], image["waited"], image["more"]) for image in step["images"]],
          [(-FRAME_NS, True, []), (0, True, [])][-1 if step is last else 0 :])
    # Inputs hold over the step, which is taken whole.
    check("passes", [(part["cost_ns"], part.get("images")) for part in step["passes"]], [(0, 2 if step is first else None)])
    check("exceptions", [name for name in ("t_ns", "end_ns", "passes_run", "images_read") if name in step], [])
    # What the passes had follows from what was read, nothing having steered it: it is not told.
    check("other inputs", [part["inputs"] for part in [step] + step["passes"]], [None] * 2)
    step["inputs"] = step["images"][-1]["inputs"]
check("phases", {k: v for k, v in last["phases"].items() if v}, {"idle_ns": FRAME_NS})

# The sine the voltage was configured to be, from the first tick to the last: independent of all that
# read it. The device began a little before the run; the converter has 16 bits over 20 V.
omega = 2 * math.pi * 2
before = math.asin(first["inputs"]["armature_voltage"] / 5) / omega
sine = 5 * math.sin(omega * (t + before))
voltage = last["inputs"]["armature_voltage"]
check("voltage", abs(voltage - sine) < 2 * 20 / 65536, True)

# The converter's count of it: 0 is -10 V, 65535 is 10 V; the scale is 1.
for step in (first, last):
    count = step["images"][-1]["counts"]["armature_voltage"]
    check("count", abs(-10 + count * 20 / 65535 - step["inputs"]["armature_voltage"]) < 1e-12, True)

# As exported, to the bit: inputs at the start of their step, outputs and states at its end.
header, *lines = rows
check("rows", len(lines), FRAMES + 1)
check("columns", sorted(header), sorted(["time [s]"] + [
    f"{kind}.{s['name']} [{s['unit']}]" for kind in ("input", "output", "state") for s in signals[f"{kind}s"]]))
check("times", [float(lines[i][0]) for i in (0, 1, -2, -1)], [0, 0.001, t, 2])
column = {name.split(" [")[0]: i for i, name in enumerate(header)}
for kind, later in (("input", 0), ("output", 1), ("state", 1)):
    for step, line in ((first, later), (last, FRAMES - 1 + later)):
        check(f"fields of {kind}s", sorted(step[f"{kind}s"]), sorted(s["field"] for s in signals[f"{kind}s"]))
        for s in signals[f"{kind}s"]:
            name = f"{kind}.{s['name']}"
            check(f"{name} at line {line}", float(lines[line][column[name]]), step[f"{kind}s"][s["field"]])

check("frames told by hild", log["frames"], FRAMES)
check("damages told by hild", log["file"]["damage_count"], 0)
check("configuration", read["attachments"]["config.yaml"], log["configuration"])
print("the readers agree")
