#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""peers.py FIGURES PAGE: writes the figures that have a peer and a bound, out of what `run --json FIGURES` has
measured, as the table of PAGE (docs/performance.md), in place of the one that stands there."""

import json
import pathlib
import sys

from growth import replace_table

SUBJECTS = {"frame_comedi": "whole frame, Comedi", "can": "driver `can`", "wake_counted": "wake-up",
            "control_counted": "control socket", "integrators": "methods", "stiff": "stiff methods", "models": "FMU",
            "log": "export", "recording": "recording"}


def number(value):
    """To four digits, thousands apart."""
    text = f"{float(value):.4g}" if abs(float(value)) < 1e4 else f"{float(value):,.0f}"
    return text.replace(",", " ")


def table(figures):
    lines = ["| of | figure | unit | hild | peer | its figure | ratio | bound |", "|---|---|---|---|---|---|---|---|"]
    for f in figures:
        if not all(key in f for key in ("peer_value", "ratio", "bound")):
            continue
        lines.append("| " + " | ".join([
            SUBJECTS.get(f["benchmark"], f"`{f['benchmark']}`"), f["figure"], f["unit"], number(f["hild"]), f["peer"],
            number(f["peer_value"]), f"{f['ratio']:.3f}", f["bound"]]) + " |")
    if len(lines) == 2:
        sys.exit("peers.py: no figure has a peer and a bound; run `tests/bench/run --counted --json FILE` first")
    return "\n".join(lines)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    figures = json.loads(pathlib.Path(sys.argv[1]).read_text())
    replace_table(pathlib.Path(sys.argv[2]), "peers.py", table(figures))


if __name__ == "__main__":
    main()
