# SPDX-License-Identifier: Apache-2.0
"""Draws a frame of the demo as it was measured: docs/pictures/frame.svg.

    frame_picture.py HILD              whether the picture shows what a frame has now
    frame_picture.py HILD --draw FILE  draws it anew
"""
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
PICTURE = TOP / "docs/pictures/frame.svg"
COLOURS = {"wake": "#b8b8b8", "device": "#0072b2", "pass": "#d55e00", "wait": "#e8e8e8", "outputs": "#009e73",
           "record": "#cc79a7", "idle": "#f4f4f4"}
WIDTH, LEFT, BAR = 860, 20, 34


# Frames that a machine under any load keeps, for who wants the names of their parts alone.
PATIENT = ["frame.period=20 ms", "overrun={policy: double, then: continue, standstill: 60 s}",
           "safety={within: 60 s}"]


def measured(hild, settings):
    """The parts of a usual frame, (name, start, length) in us; the names of all that any frame had."""
    with tempfile.TemporaryDirectory(prefix="hild-picture-") as folder:
        log, trace = f"{folder}/run.mcap", f"{folder}/trace.json"
        subprocess.run([hild, "run", TOP / "config/demo.yaml", "--duration", "2", "--set", f"record.file={log}",
                        "--set", "control.http=127.0.0.1:0", "--set", f"control.socket={folder}/socket",
                        "--set", f"devices.rig.image={pathlib.Path(folder).name}",
                        *[word for setting in settings for word in ("--set", setting)]],
                       check=True, capture_output=True)
        subprocess.run([hild, "log", log, "--trace", trace], check=True, capture_output=True)
        events = [e for e in json.load(open(trace))["traceEvents"] if e["ph"] == "X"]
    frames = []
    for event in events:
        if event["name"].startswith("frame "):
            frames.append((event, []))
        elif frames:
            frames[-1][1].append(event)
    seen = {p["name"] for _, parts in frames for p in parts}
    # Of those with what most frames have the one whose work is in the middle.
    names = collections.Counter(tuple(p["name"] for p in parts) for _, parts in frames).most_common(1)[0][0]
    usual = [f for f in frames if tuple(p["name"] for p in f[1]) == names]
    usual.sort(key=lambda f: sum(p["dur"] for p in f[1] if p["name"] not in ("wake", "wait")))
    frame, parts = usual[len(usual) // 2]
    return [(p["name"], p["ts"] - frame["ts"], p["dur"]) for p in parts], seen


def rectangle(name, x, width, y):
    colour = COLOURS[name.split()[0]]
    return (f'<rect x="{x:.1f}" y="{y}" width="{max(width, 0.8):.1f}" height="{BAR}" fill="{colour}" '
            f'stroke="#555" stroke-width="0.5"><title>{name}</title></rect>')


def words(text, x, y, anchor="start", size=12, colour="#222"):
    return f'<text x="{x:.1f}" y="{y}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{text}</text>'


def close_up(parts, title, left, right, y):
    """Parts that follow one another, as wide as there is room, each with its name and its time."""
    first, last = parts[0][1], parts[-1][1] + parts[-1][2]
    scale = (right - left) / (last - first)
    out = [words(title, left, y - 12, size=13)]
    for name, start, length in parts:
        x = left + (start - first) * scale
        out.append(rectangle(name, x, length * scale, y))
        middle = x + length * scale / 2
        out.append(words(name, middle, y + BAR + 16, "middle"))
        out.append(words(f"{length:.2f} us", middle, y + BAR + 31, "middle", 11, "#555"))
    return out


def draw(parts, period=1000.0):
    scale = (WIDTH - 2 * LEFT) / period
    names = [p[0] for p in parts]
    end = parts[-1][1] + parts[-1][2]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} 250" width="{WIDTH}" '
           f'font-family="sans-serif" data-parts="{", ".join(names)}">',
           '<rect width="100%" height="100%" fill="#fff"/>',
           words("One frame of 1 ms, to scale", LEFT, 24, size=13)]
    for name, start, length in [*parts, ("idle", end, period - end)]:
        out.append(rectangle(name, LEFT + start * scale, length * scale, 36))
    for name, at, length in [p for p in parts if p[0] in ("wake", "wait")] + [("idle", end, period - end)]:
        if length * scale > 40:
            out.append(words(name, LEFT + (at + length / 2) * scale, 57, "middle"))
    release = names.index("wait") + 1
    out.append(words("tick", LEFT, 88, size=11, colour="#555"))
    out.append(words("release of the second pass", LEFT + parts[release][1] * scale, 88, "middle", 11, "#555"))
    out.append(words("next tick", WIDTH - LEFT, 88, "end", 11, "#555"))
    at_tick = [p for p in parts[:release] if p[0] not in ("wake", "wait")]
    out += close_up(at_tick, f"After waking ({parts[0][2]:.0f} us)", LEFT, WIDTH / 2 - 30, 150)
    out += close_up(parts[release:], "At the release", WIDTH / 2 + 30, WIDTH - LEFT, 150)
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    draws = "--draw" in sys.argv
    parts, seen = measured(sys.argv[1], [] if draws else PATIENT)
    if draws:
        pathlib.Path(sys.argv[-1]).write_text(draw(parts))
        return 0
    shown = set(re.search(r'data-parts="([^"]*)"', PICTURE.read_text())[1].split(", "))
    rare = {"commit", "events", "slack", "idle"}  # not in every frame
    if shown - seen or seen - shown - rare:
        print(f"{PICTURE.name} shows {sorted(shown)}; frames of the demo have {sorted(seen)}: `make pictures` "
              "draws it anew")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
