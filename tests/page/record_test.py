# SPDX-License-Identifier: Apache-2.0
"""Recorders: begun and ended on the page, told as they are, marked; and not by who may not."""

import csv
import io
import pathlib
import re
import shutil
import subprocess

from daemon import PROGRAM
from page_case import PageCase
from webdriver import ENTER

CONTRAST = (pathlib.Path(__file__).parent / "contrast.js").read_text()
PERIOD = 0.02  # s, of a frame
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6}


class Recorders(PageCase):
    def configure(self, daemon):
        """A recorder of an own name, and one whose folder goes away."""
        self.gone = daemon.folder / "<i>gone"
        self.gone.mkdir()
        with daemon._config.open("a") as config:
            config.write("record: {file: run.mcap, begin: on-request}\n")
            config.write('recorders: {far: {file: "<i>gone/far.mcap", begin: on-request}}\n')

    def row(self, name, part="p"):
        return self.browser.text(f"#recorder-{name}-form {part}")

    def size(self, name):
        """In bytes, as it is shown: to three digits; 0 where there is none."""
        found = re.search(r", ([\d.]+)\u202f([kM]?B)$", self.row(name))
        return float(found[1]) * UNITS[found[2]] if found else 0

    def press(self, name):
        self.browser.click(f"#recorder-{name}-form button")

    def focused(self):
        return self.browser.run("return document.activeElement.closest('form')?.id")

    def label(self, name):
        return self.browser.label(self.browser.find(f"#recorder-{name}-form button"))

    def exported(self, file):
        """Time and mark of each step."""
        text = subprocess.run(
            [PROGRAM, "export", str(file), "--format", "csv", "--signals", "timing"],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        rows = csv.DictReader(io.StringIO(text))
        return [(float(row["time [s]"]), row["timing.mark []"]) for row in rows]

    def test_one_is_begun_marked_and_ended(self):
        self.wait_until_usable()
        self.wait_for("its line", lambda: self.row("record") == "record: not recording")
        self.assertIn("nothing is recorded", self.browser.text("#mark-note"))
        self.assertFalse(self.browser.shown("#no-recorders"))
        self.assertEqual(self.label("record"), "Begin recording: record")

        self.press("record")
        file = self.daemon.folder / "run-0001.mcap"
        self.wait_for("its file", lambda: f"recording {file}" in self.row("record"))
        self.assertIn("record was asked to begin", self.reply("#recorder-record-form"))
        said = f"record: recording {file}"
        self.wait_for("its words", lambda: said in self.browser.text("#announcements"))
        self.assertEqual(self.label("record"), "End recording: record")
        self.assertEqual(self.row("far"), "far: not recording")
        self.wait_for("a size", lambda: self.size("record") > 0)
        before = self.size("record")
        self.wait_for("a larger one", lambda: self.size("record") > before)
        told = self.size("record")
        self.assertGreaterEqual(file.stat().st_size, 0.99 * told)
        self.assertNotIn("nothing", self.browser.text("#mark-note"))

        self.browser.type("#mark-label", "4711")
        self.browser.click("#mark")
        marked = self.reply("#mark-form").replace("\u202f", "")
        frame = int(re.search(r"^Marked at frame (\d+)", marked)[1])

        self.press("record")
        self.wait_for("its end", lambda: "the newest file is" in self.row("record"))
        self.assertIn(f"not recording; the newest file is {file}, ", self.row("record"))
        self.assertAlmostEqual(self.size("record") / file.stat().st_size, 1, delta=0.01)
        self.assertEqual(self.label("record"), "Begin recording: record")
        marks = [(time, mark) for time, mark in self.exported(file) if mark not in ("", "0")]
        self.assertEqual([mark for _, mark in marks], ["4711"])
        self.assertAlmostEqual(marks[0][0], frame * PERIOD, delta=1e-6)

    def test_by_keys_the_focus_stays_where_it_was(self):
        self.wait_until_usable()
        self.wait_for("its line", lambda: self.row("record"))
        self.browser.run("document.querySelector('#recorder-record-form button').focus()")
        self.browser.press(ENTER)
        self.wait_for("its file", lambda: ": recording" in self.browser.text("#announcements"))
        self.assertEqual(self.focused(), "recorder-record-form")
        self.browser.press(ENTER)
        self.wait_for("its end", lambda: "the newest file is" in self.row("record"))
        self.assertEqual(self.focused(), "recorder-record-form")

    def test_says_why_one_cannot_begin(self):
        self.wait_until_usable()
        self.wait_for("its line", lambda: self.row("far"))
        shutil.rmtree(self.gone)
        self.press("far")
        wrong = lambda: self.row("far", ".wrong")
        self.wait_for("why", lambda: "No such file or directory" in wrong())
        self.assertIn("<i>gone/far-0001.mcap", wrong())
        self.assertEqual(self.browser.find_all("#recorders i"), [])
        self.wait_for("its state", lambda: self.row("far") == "far: not recording")
        said = "far: not recording; "
        self.wait_for("its words", lambda: said in self.browser.text("#announcements"))
        self.assertTrue(self.browser.shown("#recorder-far-form .wrong"))
        self.addCleanup(self.browser.devtools, "Emulation.setEmulatedMedia", features=[])
        for scheme in ("light", "dark"):
            self.browser.devtools(
                "Emulation.setEmulatedMedia",
                features=[{"name": "prefers-color-scheme", "value": scheme}],
            )
            self.assertEqual(self.browser.run(CONTRAST), [], scheme)

    def test_a_mark_is_called_something(self):
        self.wait_until_usable()
        self.browser.type("#mark-text", "engine fails, 80 °C")
        self.browser.click("#mark")
        self.assertIn("Marked at frame", self.reply("#mark-form"))
        self.assertEqual(self.browser.run("return document.querySelector('#mark-text').value"), "")
        self.wait_for("it", lambda: "s: mark 1: engine fails, 80 °C" in self.browser.text("#mark-list"))

    def test_what_a_mark_cannot_be_called_is_told_at_its_field(self):
        self.wait_until_usable()
        self.browser.type("#mark-text", 41 * "é")  # two bytes each
        self.browser.click("#mark")
        self.assertIn("text: found 82 bytes, expected 80 at most", self.reply("#mark-form"))
        self.assertEqual(self.browser.run("return document.activeElement.id"), "mark-text")

    def test_a_mark_that_cannot_be_is_told_at_its_field(self):
        self.wait_until_usable()
        self.browser.type("#mark-label", "-1")
        self.browser.click("#mark")
        self.assertIn("label", self.reply("#mark-form"))
        self.assertEqual(self.browser.run("return document.activeElement.id"), "mark-label")

    def test_a_phone_needs_no_sideways_scrolling(self):
        self.browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=360,
            height=740,
            deviceScaleFactor=2,
            mobile=True,
        )
        self.addCleanup(self.browser.devtools, "Emulation.clearDeviceMetricsOverride")
        self.wait_until_usable()
        self.wait_for("its line", lambda: self.row("record"))
        self.press("record")
        self.wait_for("its file", lambda: "run-0001.mcap" in self.row("record"))
        size = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertEqual(size, [360, 360])


class Restricted(PageCase):
    """Visitors of two roles, each by its token."""

    roles = {"marker": "{mark: all}", "trainee": "{set: [constant]}"}

    def configure(self, daemon):
        roles = ""
        self.tokens = {}
        for name, may in self.roles.items():
            self.tokens[name] = f"{name}-0123456789abcdefghijklmnop"
            file = daemon.folder / f"{name}-token"
            file.touch(mode=0o600)
            file.write_text(self.tokens[name] + "\n")
            roles += f"{name}: {{token_file: {file}, may: {may}}}, "
        text = daemon._config.read_text()
        daemon._config.write_text(
            text.replace("control: {", f"control: {{roles: {{{roles}}}, ", 1)
            + "record: {file: run.mcap, begin: on-request}\n"
        )
        daemon.token = self.tokens["marker"]

    def disabled(self, selector):
        return self.browser.run(
            "return document.querySelector(arguments[0]).matches(':disabled')", selector
        )

    def described(self, selector):
        """By what the screen reader says of it beside its name."""
        return self.browser.run(
            "const of = document.querySelector(arguments[0]).getAttribute('aria-describedby');"
            "return document.getElementById(of).textContent",
            selector,
        )

    def test_what_a_role_may_not_is_disabled_and_says_why(self):
        begin = "#recorder-record-form button"
        self.wait_until_usable()
        self.wait_for("why", lambda: self.browser.shown("#record-why"))
        self.wait_for("its line", lambda: self.browser.shown(begin))
        self.assertTrue(self.disabled(begin))
        self.assertIn("the role marker may not record", self.described(begin))
        self.assertFalse(self.disabled("#mark"))
        self.assertFalse(self.browser.shown("#mark-why"))
        self.browser.click("#mark")
        self.assertIn("Marked at frame", self.reply("#mark-form"))

        self.browser.run(
            "sessionStorage.setItem('hild.token', arguments[0])", self.tokens["trainee"]
        )
        self.browser.open(self.daemon.url)
        self.wait_until_usable()
        self.wait_for("why", lambda: self.browser.shown("#mark-why"))
        self.assertTrue(self.disabled("#mark"))
        self.assertTrue(self.disabled("#mark-label"))
        self.assertIn("the role trainee may not mark", self.described("#mark"))
        self.assertTrue(self.disabled(begin))
        self.assertFalse(self.disabled("#parameter-constant"))


class ReadOnly(PageCase):
    more = ", writing: socket"

    def test_says_that_nothing_can_be_recorded_by_http(self):
        self.wait_for_state("Running")
        self.wait_for("why", lambda: self.browser.shown("#mark-why"))
        self.assertIn("control.writing is `socket`", self.browser.text("#mark-why"))
        self.assertTrue(
            self.browser.run("return document.querySelector('#mark').matches(':disabled')")
        )
        # It has no recorder, and says so once and not twice.
        self.assertTrue(self.browser.shown("#no-recorders"))
        self.assertFalse(self.browser.shown("#record-why"))
