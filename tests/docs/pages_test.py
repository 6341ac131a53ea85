#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The pages of the documentation: every block says what it is, every link leads somewhere; and that what
looks at them sees. Usage: pages_test.py"""

import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
TREE = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import blocks  # noqa: E402


def block(*lines, language="console"):
    return blocks.Block("page.md", 1, language, [], list(lines))


def problems(*lines):
    return blocks.problems(TREE, "docs/page.md", "\n".join(lines))


class ThePages(unittest.TestCase):
    def test_say_what_each_block_is_and_lead_somewhere(self):
        wrong = []
        for page in blocks.pages(TREE):
            with open(os.path.join(TREE, page), encoding="utf-8") as file:
                wrong += blocks.problems(TREE, page, file.read())
        self.assertEqual(wrong, [])

    def test_have_commands_that_run(self):
        runs = 0
        for page in blocks.pages(TREE):
            with open(os.path.join(TREE, page), encoding="utf-8") as file:
                runs += sum(found.runs for found in blocks.blocks_of(page, file.read()))
        self.assertGreater(runs, 20)


class ABlock(unittest.TestCase):
    def test_needs_a_language_that_is_known(self):
        self.assertEqual(problems("```text", "a", "```"), [])
        self.assertIn("docs/page.md:2: ```:", problems("", "```", "a", "```")[0])
        self.assertIn("```bash:", problems("```bash", "a", "```")[0])

    def test_is_not_indented(self):
        self.assertIn("docs/page.md:3: an indented block", problems("So:", "", "    make demo")[0])
        self.assertEqual(problems("- a", "    goes on"), [])

    def test_of_text_hides_no_command(self):
        self.assertIn("a command in a block that nothing runs", problems("```text", "hild run x", "```")[0])
        self.assertIn("a command in a block that nothing runs", problems("```text", "$ ls", "```")[0])

    def test_says_why_it_is_not_run(self):
        self.assertEqual(problems("<!-- norun: needs a card -->", "```sh", "hild io x", "```"), [])
        self.assertIn("nothing follows", problems("<!-- norun: -->", "```sh", "hild io x", "```")[0])
        self.assertIn("unknown word", problems("<!-- dontrun: no -->", "```sh", "hild io x", "```")[0])
        self.assertIn("expected the block", problems("<!-- norun: no -->", "prose")[0])

    def test_that_does_not_end_is_told(self):
        self.assertIn("does not end", problems("```sh", "a")[0])

    def test_ends_with_numbers(self):
        self.assertEqual(problems("<!-- exits: 0 or 2 -->", "```sh", "hild doctor", "```"), [])
        self.assertIn("expected a number", problems("<!-- exits: badly -->", "```sh", "hild doctor", "```")[0])

    def test_of_commands_has_one(self):
        self.assertIn("without one", problems("```sh", "# nothing", "```")[0])
        self.assertIn("expected a command", problems("```console", "output", "```")[0])


class ALink(unittest.TestCase):
    def test_leads_to_a_file_and_a_heading(self):
        self.assertEqual(problems("[a](control.md#transports) [b](https://example.org/x)"), [])
        self.assertIn("there is no docs/nowhere.md", problems("[a](nowhere.md)")[0])
        self.assertIn("no heading #nowhere", problems("[a](control.md#nowhere)")[0])

    def test_by_name_leads_to_a_file_too(self):
        self.assertEqual(problems("`docs/control.md` tells"), [])
        self.assertIn("there is no docs/nowhere.md", problems("(docs/nowhere.md)")[0])


class Commands(unittest.TestCase):
    def test_of_a_console_have_their_output(self):
        found = blocks.commands_of(block("$ a \\", "    b", "said", "more", "$ c"))
        self.assertEqual([(c.text, c.shown) for c in found], [("a \\\n    b", ["said", "more"]), ("c", [])])

    def test_of_a_script_are_its_lines(self):
        found = blocks.commands_of(block("a  # why", "", "   # so", "cat >f <<'E'", "x", "E", "b", language="sh"))
        self.assertEqual([c.text for c in found], ["a  # why", "cat >f <<'E'\nx\nE", "b"])
        self.assertEqual([c.line for c in found], [2, 5, 8])


class WhatIsShown(unittest.TestCase):
    def test_is_compared_by_words_in_order(self):
        self.assertIsNone(blocks.missing(["took effect at frame 29398 (29.398 s)"], "x\ntook effect at frame 7 (1e-3 s)\n"))
        self.assertEqual(blocks.missing(["a", "b"], "b\na\n"), "b")
        self.assertIsNone(blocks.missing(["shaft_speed      100  rad/s"], "shaft_speed  99.5 rad/s"))

    def test_must_have_been_said(self):
        self.assertEqual(blocks.missing(["took effect at frame 3"], "took effect at step 3"), "took effect at frame 3")
        self.assertEqual(blocks.missing(["PASS  0.5 s  the speed"], "FAIL  0.5 s  the speed"), "PASS  0.5 s  the speed")
        self.assertEqual(blocks.missing(["at frame 3"], "at frame"), "at frame 3")

    def test_may_leave_out(self):
        self.assertIsNone(blocks.missing(["expected … here"], "expected a number here"))


if __name__ == "__main__":
    unittest.main()
