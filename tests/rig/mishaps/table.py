#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""table.py LOG.json: how the causes of ordered mishaps were named (models/mishaps.cpp), as a table of
what was done by what was found. Exit 1 where fewer than 95 % are named rightly, one is named wrongly,
or a late wake-up is unknown."""
import collections
import gzip
import json
import sys

FROM, EVERY, ROUNDS = 500, 25, 20  # as in mishaps.yaml, and for how long run.sh runs
# What was done, and the names that are right for it. A hog that meets the thread asleep, or at work,
# had the CPU that it wanted. A thread that was stopped wanted none, and nobody had it.
DONE = (
    ("long pass", "pass"),
    ("missing pages", "page_fault"),
    ("slow device", "device"),
    ("hog at a tick", "preemption"),
    ("hog at a release", "preemption"),
    ("hog in a pass", "preemption"),
    ("state event", "state_event"),
    ("stopped at a tick", "late_wake"),
)
# That the loop's own clock saw no more than where it happened is no wrong name.
NO_MORE_KNOWN = {
    "missing pages": ("pass",),
    "hog in a pass": ("pass",),
    "hog at a tick": ("late_wake",),
    "hog at a release": ("late_wake",),
}

with gzip.open(sys.argv[1], "rt", encoding="utf-8") as f:
    overruns = {o["frame"]: o for o in json.load(f)["overruns"]["list"]}

table = collections.defaultdict(collections.Counter)
rightly = wrongly = total = unknown_wakes = 0
expected_frames = set()
for k in range(ROUNDS * len(DONE)):
    what, right = DONE[k % len(DONE)]
    frame = FROM + EVERY * k
    if k == 0:
        continue  # the load begins with it: nothing is usual yet
    expected_frames.add(frame)
    found = overruns[frame]["cause"] if frame in overruns else "in time"
    table[what][found] += 1
    total += 1
    rightly += found == right
    known = (right, "unknown", "in time") + NO_MORE_KNOWN.get(what, ())
    if found not in known:
        wrongly += 1
        print(f"wrong: frame {frame}, {what}: {overruns[frame]['words']}")
    unknown_wakes += found == "unknown" and what.endswith(("tick", "release"))

columns = sorted({c for row in table.values() for c in row})
print(f"{'done':18}" + "".join(f"{c:>14}" for c in columns))
for what, _ in DONE:
    print(f"{what:18}" + "".join(f"{table[what][c] or '.':>14}" for c in columns))
beside = collections.Counter(
    o["cause"] for frame, o in overruns.items() if frame not in expected_frames
)
print(f"{total} mishaps: {100 * rightly / total:.1f} % named rightly, {wrongly} wrongly,"
      f" {unknown_wakes} late wakes unknown; overruns beside them: {dict(beside) or 'none'}")
sys.exit(rightly < 0.95 * total or wrongly > 0 or unknown_wakes > 0)
