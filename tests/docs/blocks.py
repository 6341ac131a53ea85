# SPDX-License-Identifier: Apache-2.0
"""The blocks of the pages: what they are, what they ask for, and whether what was printed is what they show.

A block is fenced, and its info string is a language of LANGUAGES. Commands are in blocks of three:
  console   lines that begin with "$ " are commands, what follows one is what it prints, as far as shown
  sh        every line is a command
  python    a program
All others are not run. HTML comments above a block, each on a line of its own, say how it is run:
  norun: REASON       it is not, because
  rig: NAME           in the virtual machine, by the test rig.NAME (tests/docs/guest_commands.py)
  given: COMMAND      this runs before it, unseen by the reader
  background: WORDS   its last command goes on while the rest of the page runs; WORDS are waited for
  interrupt: TIME     its last command gets ^C after so long ("2 s"), as a reader would end it
  exits: STATUS       the exit status of its last command, or several ("0 or 2"); all others end with 0
  shows: WORDS        what is to be read in what it prints, in addition
"""

import os
import re
from dataclasses import dataclass, field

RUN = ("console", "sh", "python")
LANGUAGES = (*RUN, "text", "yaml", "json", "cpp", "cmake")
DIRECTIVES = ("norun", "rig", "given", "background", "interrupt", "exits", "shows")
# What nobody would take for a picture or a printout at the start of a line.
PROGRAMS = ("$", "hild", "hildctl", "build/hild", "build/hildctl", "make", "cmake", "ctest", "sudo", "apt", "curl",
            "python3", "systemctl", "npm", "cd", "export", "source")


@dataclass
class Block:
    page: str
    line: int  # of the fence
    language: str
    directives: list  # (name, value) in order
    text: list  # lines

    def all(self, name):
        return [value for key, value in self.directives if key == name]

    def one(self, name):
        return next(iter(self.all(name)), None)

    @property
    def runs(self):
        return self.language in RUN and self.one("norun") is None and self.one("rig") is None


@dataclass
class Command:
    line: int
    text: str
    shown: list = field(default_factory=list)  # lines of its output


class PageError(Exception):
    """What is wrong with a page: file, line, words."""


def pages(tree):
    """README.md and the pages of docs/, as paths in the tree."""
    docs = sorted(name for name in os.listdir(os.path.join(tree, "docs")) if name.endswith(".md"))
    return ["README.md", *(f"docs/{name}" for name in docs)]


def blocks_of(page, text):
    """The fenced blocks of a page; PageError where a fence or a comment above one is wrong."""
    found, directives, lines, at = [], [], text.split("\n"), 0
    while at < len(lines):
        line = lines[at]
        comment = re.fullmatch(r"<!--\s*([a-z]+):\s*(.*?)\s*-->", line)
        if comment and comment[1] in DIRECTIVES:
            if not comment[2]:
                raise PageError(f"{page}:{at + 1}: {comment[1]}: nothing follows")
            directives.append((comment[1], comment[2]))
        elif comment and comment[1] != "SPDX-License-Identifier":
            raise PageError(f"{page}:{at + 1}: unknown word {comment[1]}:, expected one of {', '.join(DIRECTIVES)}")
        elif line.startswith("```"):
            end = next((i for i in range(at + 1, len(lines)) if lines[i].startswith("```")), None)
            if end is None:
                raise PageError(f"{page}:{at + 1}: a block that does not end")
            found.append(Block(page, at + 1, line[3:].strip(), directives, lines[at + 1 : end]))
            directives, at = [], end
        elif line.strip() and directives:
            raise PageError(f"{page}:{at + 1}: expected the block that the comment above is about")
        at += 1
    if directives:
        raise PageError(f"{page}: ends with a comment about a block")
    return found


def commands_of(block):
    """The commands of a console or sh block; those that go on, by a backslash or a here-document, as one."""
    found, at = [], 0
    lines = block.text
    while at < len(lines):
        start, line = at, lines[at]
        at += 1
        if block.language == "console":
            if not line.startswith("$ "):
                if not found:
                    raise PageError(f"{block.page}:{block.line + at}: expected a command, \"$ ...\", found {line!r}")
                found[-1].shown.append(line)
                continue
            line = line[2:]
        elif not line.strip() or line.strip().startswith("#"):
            continue
        text = [line]
        while text[-1].endswith("\\") and at < len(lines):
            text.append(lines[at])
            at += 1
        until = re.search(r"<<\s*'?(\w+)'?", line)
        while until and text[-1] != until[1]:
            if at == len(lines):
                raise PageError(f"{block.page}:{block.line + start + 1}: {until[1]} is missing")
            text.append(lines[at])
            at += 1
        found.append(Command(block.line + start + 1, "\n".join(text)))
    if not found:
        raise PageError(f"{block.page}:{block.line}: a block of commands without one")
    return found


NUMBER = r"[-+]?\d+(?:[.,]\d+)*(?:e[-+]?\d+)?"


def pattern(line):
    """What a shown line stands for: its words, any numbers in their places, any gap where it has ... """
    parts = []
    for piece in re.findall(rf"{NUMBER}|\s+|\.\.\.|…|[^\s]", line.strip()):
        if re.fullmatch(NUMBER, piece):
            parts.append(NUMBER)
        elif piece.isspace():
            parts.append(r"\s+")
        elif piece in ("...", "…"):
            parts.append(".*")
        else:
            parts.append(re.escape(piece))
    return "".join(parts)


def missing(shown, printed):
    """The first of the shown lines that is not in what was printed, after those before it; None."""
    lines = printed.replace("\r", "\n").split("\n")
    at = 0
    for line in filter(str.strip, shown):
        found = next((i for i in range(at, len(lines)) if re.search(pattern(line), lines[i])), None)
        if found is None:
            return line
        at = found + 1
    return None


def seconds(text):
    """"2 s" in seconds."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?) s", text)
    if not found:
        raise PageError(f"{text!r}: expected a time such as \"2 s\"")
    return float(found[1])


def heading_anchor(words):
    """The anchor that a heading gets."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words).lower()
    return re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")


def outside_blocks(text):
    """(number, line) of what is prose."""
    fenced = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, line


def problems(tree, page, text):
    """What is wrong with a page, as words with file and line."""
    wrong = []
    try:
        for block in blocks_of(page, text):
            wrong += block_problems(block)
    except PageError as error:
        wrong.append(str(error))
    before = ""
    for number, line in outside_blocks(text):
        if line.startswith("    ") and not before.strip():
            wrong.append(f"{page}:{number}: an indented block; fence it and say what it is")
        before = line if not line.startswith("    ") else before
        wrong += link_problems(tree, page, number, line)
    return wrong


def block_problems(block):
    place = f"{block.page}:{block.line}"
    if block.language not in LANGUAGES:
        return [f"{place}: ```{block.language}: expected one of {', '.join(LANGUAGES)}"]
    if block.language not in RUN:
        told = [f"{place}: {name}: is of commands, and this is {block.language}" for name, _ in block.directives]
        if block.language == "text":
            for number, line in enumerate(block.text, block.line + 1):
                if line.split(" ")[0] in PROGRAMS:
                    told.append(f"{block.page}:{number}: a command in a block that nothing runs: {line!r}")
        return told
    wrong = []
    try:
        if block.language != "python":
            commands_of(block)
        for time in block.all("interrupt"):
            seconds(time)
    except PageError as error:
        wrong.append(str(error))
    if not all(re.fullmatch(r"\d+( or \d+)*", status) for status in block.all("exits")):
        wrong.append(f"{place}: exits: expected a number, or several, \"0 or 2\"")
    if block.one("norun") is not None and len(block.directives) > 1:
        wrong.append(f"{place}: norun: goes with nothing else")
    return wrong


def link_problems(tree, page, number, line):
    """Links and `docs/...` to what is not there."""
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", line):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(tree, os.path.dirname(page), path)) if path else os.path.join(tree, page)
        if not os.path.exists(file):
            wrong.append(f"{page}:{number}: {target}: there is no {os.path.relpath(file, tree)}")
        elif anchor:
            with open(file, encoding="utf-8") as other:
                headings = re.findall(r"^#+ +(.*)$", other.read(), re.MULTILINE)
            if anchor not in map(heading_anchor, headings):
                wrong.append(f"{page}:{number}: {target}: no heading #{anchor}")
    for cited in re.findall(r"(?<![\w/.-])(?:docs|include|tests|config|systemd)/[\w./@-]*\w", line):
        if not os.path.exists(os.path.join(tree, cited)) and "*" not in line and "<" not in line:
            wrong.append(f"{page}:{number}: there is no {cited}")
    return wrong
