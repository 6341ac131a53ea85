#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints, for a shell in the virtual machine, the commands of a page that run there: those of its blocks with
`rig: NAME`. What each line calls is the script's that reads them (tests/rig/can/page.sh).

usage: guest_commands.py PAGE NAME
"""

import os
import shlex
import sys

import blocks

TREE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def lines_of(block):
    commands = blocks.commands_of(block)
    for command in commands:
        waited_for = block.one("background") if command is commands[-1] else None
        place = f"{block.page}:{command.line}"
        if waited_for is None:
            yield shlex.join(["page_run", place, command.text])
        else:
            yield shlex.join(["page_background", place, command.text, waited_for])
    for words in block.all("shows"):
        yield shlex.join(["page_shows", f"{block.page}:{block.line}", words])


def main(page, name):
    with open(os.path.join(TREE, page), encoding="utf-8") as file:
        found = [block for block in blocks.blocks_of(page, file.read()) if block.one("rig") == name]
    if not found:
        sys.exit(f"guest_commands: {page} has no block with `rig: {name}`")
    for block in found:
        print("\n".join(lines_of(block)))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
