# SPDX-License-Identifier: Apache-2.0
"""Test sequences: begun on the page, watched step by step, ended; and not by who may not."""

import json
import pathlib

from page_case import PageCase

CONTRAST = (pathlib.Path(__file__).parent / "contrast.js").read_text()

PASSING = """
name: a run
steps:
  - {name: "<b>stuck</b>", fault: shaft_speed, kind: stuck, value: 42 rad/s}
  - {expect: shaft_speed, is: 42 rad/s, within: 0 rad/s}
always: [{release: shaft_speed}]
"""
FAILING = """
steps:
  - {fault: shaft_speed, kind: stuck, value: 42 rad/s}
  - {name: "faster <i>than</i> it is", expect: shaft_speed, min: 43 rad/s}
  - {mark: 1}
always: [{release: shaft_speed}]
"""
LONG = """
steps:
  - {fault: shaft_speed, kind: stuck, value: 42 rad/s}
  - {wait: 100000 s}
always: [{release: shaft_speed}]
"""
SEQUENCES = {"a passing one": PASSING, "failing": FAILING, "long": LONG}


def write_sequences(daemon):
    """Their files, and what `control` says of them."""
    named = []
    for i, (name, text) in enumerate(SEQUENCES.items()):
        (daemon.folder / f"s{i}.yaml").write_text(text)
        named.append(f"{name}: s{i}.yaml")
    return f"sequences: {{{', '.join(named)}}}"


class SequencesCase(PageCase):
    def button(self, name):
        return f"#sequence-{list(SEQUENCES).index(name)}-form button"

    def disabled(self, selector):
        return self.browser.run(
            "return document.querySelector(arguments[0]).matches(':disabled')", selector
        )

    def wait_for_list(self):
        self.wait_until_usable()
        self.wait_for("the list", lambda: self.browser.shown(self.button("long")))

    def begin(self, name):
        self.wait_for("it may be begun", lambda: not self.disabled(self.button(name)))
        self.browser.click(self.button(name))

    def steps(self):
        return self.browser.run(
            "return [...document.querySelectorAll('#sequence-steps li')].map((e) => e.textContent)"
        )

    def marks(self):
        return self.browser.run(
            "return [...document.querySelectorAll('#sequence-steps li')].map("
            "(e) => [e.dataset.is, e.querySelector('.mark').textContent, e.querySelector('.mark').ariaHidden,"
            " e.querySelector('.result').textContent])"
        )

    def what_it_is(self):
        return self.browser.text("#sequence-is")

    def wait_for_end(self, words):
        self.wait_for(words, lambda: self.what_it_is() == words)

    def announced(self):
        return self.browser.text("#announcements")


class Sequences(SequencesCase):
    def configure(self, daemon):
        begins = {"kind": "button", "x": 0, "y": 0, "w": 4, "h": 3, "does": "begin", "sequence": "long"}
        (daemon.folder / "bench.json").write_text(json.dumps({"version": 1, "tiles": [begins]}))
        daemon.configure(daemon._more + ", dashboards: {Bench: bench.json}, " + write_sequences(daemon))

    def test_each_step_is_shown_and_the_outcome_remains(self):
        self.wait_for_list()
        self.assertEqual(self.what_it_is(), "")
        self.assertTrue(self.disabled("#cease"))
        self.begin("a passing one")
        self.wait_for_end("passed: a passing one: 3 passed")
        self.assertEqual(self.reply("#sequence-0-form"), "a passing one was begun")
        self.assertEqual(self.marks(), [["passed", "✓", "true", "passed"]] * 3)
        first, second, third = self.steps()
        self.assertRegex(first, r"^✓passed\d+\.\d{3} s<b>stuck</b>")
        self.assertIn("expect shaft_speed", second)
        self.assertIn("release shaft_speed (always)", third)
        self.assertEqual(self.browser.find_all("#sequence-steps b"), [])
        self.wait_for("its words", lambda: "passed: a passing one: 3 passed" in self.announced())

        self.begin("failing")
        self.wait_for_end("failed: failing: 2 passed, 1 failed, 1 skipped")
        self.assertEqual(
            [mark for _, mark, _, _ in self.marks()], ["✓", "✗", "–", "✓"], "of the one before nothing is left"
        )
        self.assertIn("line 4: shaft_speed was 42 rad/s", self.steps()[1])
        self.wait_for("its words", lambda: "faster <i>than</i> it is: failed, " in self.announced())

        self.browser.open(self.daemon.url)
        self.wait_for_list()
        self.wait_for_end("failed: failing: 2 passed, 1 failed, 1 skipped")
        self.assertEqual(len(self.steps()), 4)
        self.addCleanup(self.browser.devtools, "Emulation.setEmulatedMedia", features=[])
        for scheme in ("light", "dark"):
            self.browser.devtools(
                "Emulation.setEmulatedMedia",
                features=[{"name": "prefers-color-scheme", "value": scheme}],
            )
            self.assertEqual(self.browser.run(CONTRAST), [], scheme)

    def test_one_is_ended_and_a_tile_begins_it(self):
        self.wait_for_list()
        tile = "#board .tile[data-kind=button]"
        self.wait_for("its tile", lambda: self.browser.text(f"{tile} button") == "Begin long")
        self.browser.click(f"{tile} button")
        self.wait_for("its first step", lambda: len(self.steps()) == 1)
        self.assertEqual(self.what_it_is(), "running: long: 1 of 3 steps have ended")
        self.wait_for("its tile", lambda: self.browser.text(f"{tile} p.aside") == "running")
        self.wait_for("the head", lambda: "running: long" in self.browser.text("#told"))
        for name in SEQUENCES:
            self.assertTrue(self.disabled(self.button(name)), name)
        # It has control of the run, and may be ended all the same.
        self.wait_for("its control", lambda: "sequence " in self.browser.text("#owned-words"))
        self.browser.click("#cease")
        self.wait_for_end("error: long: 2 passed, 1 error")
        self.assertIn("interrupted", self.steps()[1])
        self.assertIn("release shaft_speed (always)", self.steps()[2])
        self.wait_for("its tile", lambda: self.browser.text(f"{tile} p.aside") == "error")
        self.assertFalse(self.disabled(self.button("long")))
        self.assertTrue(self.disabled("#cease"))


class SequencesOfARole(SequencesCase):
    """A visitor who may begin one of them, by a token."""

    def configure(self, daemon):
        token = "visitor-0123456789abcdefghijklmnop"
        file = daemon.folder / "visitor-token"
        file.touch(mode=0o600)
        file.write_text(token + "\n")
        role = f"roles: {{visitor: {{token_file: {file}, may: {{begin: [failing], set: all}}}}}}"
        daemon.configure(f"{daemon._more}, {write_sequences(daemon)}, {role}")
        daemon.token = token

    def test_what_it_may_not_begin_is_disabled_and_says_why(self):
        self.wait_for_list()
        self.wait_for("why", lambda: self.browser.shown("#sequence-why"))
        self.assertIn("the role visitor may not begin long", self.browser.text("#sequence-why"))
        self.assertTrue(self.disabled(self.button("long")))
        self.begin("failing")
        self.wait_for_end("failed: failing: 2 passed, 1 failed, 1 skipped")


class NoSequences(PageCase):
    def test_without_one_there_is_no_panel(self):
        self.wait_until_usable()
        self.wait_for_value("output:shaft_speed", 100, within=0.1)
        self.assertFalse(self.browser.shown("#sequences"))
        self.assertFalse(self.browser.shown("#sequences-link"))
