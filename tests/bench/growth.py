#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the work of a frame grows with each size of a configuration, in instructions.

    growth.py BUILD                a line for each axis: name, unit, slope, slope of the bare loop or -, bend
    growth.py BUILD --few          of the smaller sizes alone, and nothing that runs in real time
    growth.py BUILD --draw DOCS    draws DOCS/pictures/growth.svg too, and writes the table of DOCS/performance.md

callgrind counts what the frame thread takes for a hundred frames on the virtual clock, of which none waits; with
clients, for sixty steps of a served run in real time, each of which an image for them is made of. A slope is
that of the straight line of least squares through the sizes. The bend is the slope between the two largest sizes by
that between the two before: 1 where growth is linear.
"""
import concurrent.futures
import contextlib
import dataclasses
import json
import math
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
import typing

HERE = pathlib.Path(__file__).resolve().parent
FRAMES = 100
LOOP = "hild::exec::FrameLoop::run(*"
# Copies by `rep movsb` count an instruction a byte, and which ones are so depends on the processor: none here.
ALIKE = ":".join(f"glibc.cpu.x86_{what}_threshold=1000000000" for what in ("rep_movsb", "rep_stosb", "non_temporal"))
HEAD = """frame: {rate: 1 kHz, priority: 0}
integrator: {method: rtam-2}
overrun: {policy: double, then: continue}
"""


def wired(pairs, model):
    """As many inputs and outputs at one device."""
    text = HEAD + f"model: {{type: {model}}}\ndevices: {{rig: {{driver: sim}}}}\ninputs:\n"
    for i in range(pairs):
        text += f"  u{i:05}: {{device: rig, channel: {i}, scale: 2 V/V, source: {{constant: 1.5 V}}}}\n"
    text += "outputs:\n"
    for i in range(pairs):
        text += f"  y{i:05}: {{device: rig, channel: {i}, scale: 2 V/V, safe: 0 V}}\n"
    return text


def name_of(axis, n):
    return "grown" if n == 1 and axis != "events" else f"grown-{axis}-{n}"


def channels(n):
    return wired(n // 2, name_of("channels", n // 2))


def alone(axis):
    return lambda n: HEAD + f"model: {{type: {name_of(axis, n)}}}\n"


def models(n):
    text = HEAD.replace("integrator: {method: rtam-2}\n", "") + "models:\n"
    for i in range(n):
        text += f"  m{i}: {{type: grown, integrator: {{method: rtam-2}}}}\n"
    if n > 1:
        text += "connections:\n"
    for i in range(1, n):
        text += f"  - {{from: m{i - 1}.y00000, to: m{i}.u00000}}\n"
    return text


def recorded(n):
    return channels(n) + "record: {file: run.mcap}\n"


def with_control(configuration):
    return lambda n: configuration(n) + "control: {socket: control.sock}\n"


def served(n):
    """To so many clients: of frames so long that none is late under callgrind, whatever else the machine does."""
    return with_control(alone("states"))(1).replace("1 kHz", "10 Hz")


@dataclasses.dataclass
class Axis:
    name: str
    unit: str
    sizes: list
    configuration: typing.Callable
    bare: str = ""  # what growth_bare calls it
    function: str = LOOP  # what is counted
    clients: bool = False  # of these there are so many


AXES = [
    Axis("channels", "channel", [2, 200, 2000, 5000], channels, "channels"),
    Axis("states", "state", [1, 100, 1000, 10000], alone("states"), "states"),
    Axis("event functions", "function", [1, 10, 100, 1000], alone("events"), "events"),
    Axis("models", "model", [1, 10, 30, 100], models),
    Axis("parameters", "parameter", [1, 1000, 10000, 100000], with_control(alone("parameters"))),
    Axis("clients", "client", [1, 8, 32], served, clients=True),
    # Few have short names of fields, and cost less each.
    Axis("channels recorded, recorder's thread", "channel", [200, 2000, 5000], recorded,
         function="hild::record::Recorder::drain()*"),
]


def collected(command, folder):
    out = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind.out", *command],
                         cwd=folder, capture_output=True, text=True, env={**os.environ, "GLIBC_TUNABLES": ALIKE})
    found = re.search(r"Collected : (\d+)", out.stderr)
    if out.returncode != 0 or not found:
        sys.exit(f"growth: {' '.join(command)}: {out.stderr[-2000:]}")
    return int(found[1])


def ask(path, over):
    """A client that reads a value ten times a second, from the start of the run to its end."""
    while not over.is_set():
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as client:
            client.connect(path)
            client.settimeout(1)
            while not over.is_set():
                client.sendall(b'{"jsonrpc": "2.0", "id": 1, "method": "get", "params": {"names": ["x00000"]}}\n')
                if not client.recv(1 << 16):
                    break
                time.sleep(0.1)
        time.sleep(0.01)


def of_frame_thread(folder):
    """Of what was counted thread by thread. A live run is rehearsed by the same loop, on a thread that was before."""
    totals = [int(re.search(r"^totals: (\d+)", file.read_text(), re.MULTILINE)[1])
              for file in sorted(pathlib.Path(folder).glob("callgrind.out-*"))]
    return [n for n in totals if n > 0][-1]


def served_run(build, axis, clients, seconds):
    """Instructions and steps of a run of that length."""
    with tempfile.TemporaryDirectory(prefix="hild-growth-") as folder:
        file = pathlib.Path(folder) / "grown.yaml"
        file.write_text(axis.configuration(clients))
        over = threading.Event()
        threads = [threading.Thread(target=ask, args=(f"{folder}/control.sock", over)) for _ in range(clients)]
        for t in threads:
            t.start()
        try:
            collected([f"--toggle-collect={axis.function}", "--separate-threads=yes", f"{build}/hild_bench", "run",
                       str(file), "--duration", f"{seconds} s", "--report", "report.json"], folder)
        finally:
            over.set()
            for t in threads:
                t.join()
        return of_frame_thread(folder), json.loads((pathlib.Path(folder) / "report.json").read_text())["steps"]


def step_served(build, axis, n):
    """By two lengths: a run begins with more than its frames."""
    (few, steps_few), (many, steps_many) = (served_run(build, axis, n, seconds) for seconds in (3, 9))
    if many <= few or steps_many <= steps_few:
        sys.exit(f"growth: a served run of three times the length took no more steps, with {n} clients: this machine is "
                 "too busy to say; stop other work and try again")
    return (many - few) / (steps_many - steps_few)


def frame_of_hild(build, axis, n):
    if axis.clients:
        return step_served(build, axis, n)
    with tempfile.TemporaryDirectory(prefix="hild-growth-") as folder:
        file = pathlib.Path(folder) / "grown.yaml"
        file.write_text(axis.configuration(n))
        return collected([f"--toggle-collect={axis.function}", f"{build}/hild_bench", "run", str(file), "--offline",
                          "--duration", f"{FRAMES} ms"], folder) / FRAMES


def frame_by_hand(build, axis, n):
    with tempfile.TemporaryDirectory(prefix="hild-growth-") as folder:
        pairs = n // 2 if axis.bare == "channels" else n
        few, many = (collected([f"{build}/growth_bare", axis.bare, str(pairs), str(frames)], folder)
                     for frames in (FRAMES, 2 * FRAMES))
        return (many - few) / FRAMES


def slope(points):
    """Of least squares."""
    n = len(points)
    mean_x, mean_y = (sum(p[i] for p in points) / n for i in (0, 1))
    return (sum((x - mean_x) * (y - mean_y) for x, y in points) / sum((x - mean_x) ** 2 for x, _ in points))


def bend(points):
    (x0, y0), (x1, y1), (x2, y2) = points[-3:]
    before, after = (y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1)
    return after / before if before > 0.5 else 1.0  # less than an instruction each: it does not grow


@dataclasses.dataclass
class Grown:
    axis: Axis
    hild: list
    bare: list


def measure(build, few):
    """What is counted does not depend on what else the machine does: all CPUs count. But that of a run in real time,
    whose steps a busy machine doubles: it is not among the few."""
    axes = [axis for axis in AXES if not (few and axis.clients)]

    def points_of(axis, frame, pool):
        sizes = axis.sizes[:3] if few else axis.sizes
        return [(n, pool.submit(frame, build, axis, n)) for n in sizes]

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        asked = [(axis, points_of(axis, frame_of_hild, pool), points_of(axis, frame_by_hand, pool) if axis.bare else [])
                 for axis in axes]
        return [Grown(axis, *([(n, counted.result()) for n, counted in points] for points in (hild, bare)))
                for axis, hild, bare in asked]


# ---- the documentation -------------------------------------------------------------------------

WIDTH, HEIGHT, LEFT, TOP, INNER_W, INNER_H = 290, 230, 52, 30, 220, 150


def panel(grown, column, row):
    points = grown.hild + grown.bare
    low_x, high_x = (math.log10(f(p[0] for p in points)) for f in (min, max))
    low_y, high_y = (math.floor(math.log10(min(p[1] for p in points))), math.ceil(math.log10(max(p[1] for p in points))))

    def place(x, y):
        return (LEFT + (math.log10(x) - low_x) / (high_x - low_x) * INNER_W,
                TOP + INNER_H - (math.log10(y) - low_y) / (high_y - low_y) * INNER_H)

    parts = [f'<g transform="translate({column * WIDTH} {row * HEIGHT})">',
             f'<text x="{LEFT}" y="20" font-size="12" font-weight="bold">{grown.axis.name}</text>',
             f'<rect x="{LEFT}" y="{TOP}" width="{INNER_W}" height="{INNER_H}" fill="none" stroke="#999"/>']
    for power in range(low_y, high_y + 1):
        y = place(10 ** low_x, 10 ** power)[1]
        parts.append(f'<line x1="{LEFT}" x2="{LEFT + INNER_W}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>'
                     f'<text x="{LEFT - 5}" y="{y + 4:.1f}" font-size="10" text-anchor="end">{10 ** power}</text>')
    ticks = [(x, place(x, 10 ** low_y)[0]) for x, _ in grown.hild]
    for (x, at), (_, behind) in zip(ticks, [*ticks[1:], (0, math.inf)]):
        if behind - at < 34:
            continue  # no room for its number
        parts.append(f'<text x="{at:.1f}" y="{TOP + INNER_H + 14}" font-size="10" text-anchor="middle">{x}</text>')
    for line, colour in ((grown.bare, "#d55e00"), (grown.hild, "#0072b2")):
        at = [place(*p) for p in line]
        parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in at)}" fill="none" '
                     f'stroke="{colour}" stroke-width="1.5"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in at]
    return "\n".join([*parts, "</g>"])


def draw(all_grown, file):
    columns = 3
    rows = math.ceil(len(all_grown) / columns)
    panels = [panel(g, i % columns, i // columns) for i, g in enumerate(all_grown)]
    legend = (f'<text x="{LEFT}" y="{rows * HEIGHT + 14}" font-size="12">instructions a frame: '
              '<tspan fill="#0072b2">hild</tspan>, <tspan fill="#d55e00">a bare loop of the same arithmetic</tspan></text>')
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * WIDTH}" height="{rows * HEIGHT + 26}" '
                    'font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n'
                    + "\n".join([*panels, legend]) + "\n</svg>\n")


def cells(points):
    return ", ".join(f"{y:,.0f}".replace(",", " ") for _, y in points)


def table(all_grown):
    lines = ["| grows | from ... to | instructions a frame | for each | bare loop, for each | ratio | bend |",
             "|---|---|---|---|---|---|---|"]
    for g in all_grown:
        mine = slope(g.hild)
        bare = slope(g.bare) if g.bare else None
        sizes = ", ".join(f"{n}" for n, _ in g.hild)
        lines.append(f"| {g.axis.name} | {sizes} | {cells(g.hild)} | {mine:.1f} | "
                     + (f"{bare:.1f} | {mine / bare:.1f}" if bare else " | ") + f" | {bend(g.hild):.2f} |")
    return "\n".join(lines)


def replace_table(page, writer, lines):
    """Puts them where `writer` has its table in the page."""
    begin, end = f"<!-- {writer} writes from here -->\n", "\n<!-- to here -->"
    before, rest = page.read_text().split(begin)
    page.write_text(before + begin + lines + end + rest.split(end, 1)[1])


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    all_grown = measure(build, "--few" in sys.argv)
    for g in all_grown:
        bare = f"{slope(g.bare):.4g}" if g.bare else "-"
        print(g.axis.name, g.axis.unit, f"{slope(g.hild):.4g}", bare, f"{bend(g.hild):.3f}", sep="\t")
    if "--draw" in sys.argv:
        docs = pathlib.Path(sys.argv[sys.argv.index("--draw") + 1])
        draw(all_grown, docs / "pictures/growth.svg")
        replace_table(docs / "performance.md", "growth.py", table(all_grown))


if __name__ == "__main__":
    main()
