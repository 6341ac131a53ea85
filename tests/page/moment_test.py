# SPDX-License-Identifier: Apache-2.0
"""The instant that a dashboard shows: dragged into the past, played from there, and live again."""

import json
import re

from daemon import CONSTANT, VOLTAGE
from page_case import PageCase, number
from webdriver import ESCAPE, SPACE

SPEED = VOLTAGE / CONSTANT  # rad/s, before
HIGHER = VOLTAGE / 0.04  # and after the constant was changed
NEAR = 5  # rad/s
HOME, END, LEFT = "\ue011", "\ue010", "\ue012"

LAYOUT = {
    "version": 1,
    "tiles": [
        {"kind": "numeric", "x": 0, "y": 0, "w": 3, "h": 2, "signal": "output:shaft_speed"},
        {"kind": "lamp", "x": 3, "y": 0, "w": 3, "h": 2, "signal": "output:shaft_speed", "above": 110},
        {"kind": "gauge", "x": 6, "y": 0, "w": 3, "h": 4, "signal": "output:shaft_speed", "max": 150},
        {"kind": "switch", "x": 0, "y": 2, "w": 4, "h": 3, "parameter": "parameter:constant", "off": 0.05, "on": 0.04},
        {"kind": "plot", "x": 0, "y": 5, "w": 12, "h": 5, "signals": ["output:shaft_speed"]},
    ],
}


class Moment(PageCase):
    def configure(self, daemon):
        file = daemon.folder / "bench.json"
        file.write_text(json.dumps(LAYOUT))
        daemon.configure(daemon._more + f", dashboards: {{Bench: {file}}}")

    def tile(self, kind, part=".value"):
        return self.browser.text(f".tile[data-kind={kind}] {part}")

    def speed(self):
        return number(self.tile("numeric"))

    def slider(self, *keys):
        self.browser.run("document.querySelector('#moment').focus()")
        self.browser.press(*keys)

    def past(self):
        """What the banner says, '' when there is none."""
        return self.browser.text("#past-words") if self.browser.shown("#past") else ""

    def make_a_past(self):
        """Runs until it is known that the speed was 100 rad/s and is 125 rad/s."""
        self.wait_until_usable()
        self.wait_for("the speed before", lambda: abs(self.speed() - SPEED) < 0.1)
        self.browser.type("#parameter-constant", "0.04")
        self.browser.click('form[aria-label="constant"] button')
        self.browser.run("document.querySelector('#moment').scrollIntoView()")  # what is not seen is not drawn
        self.wait_for("the speed after", lambda: abs(self.speed() - HIGHER) < 0.1)
        self.wait_for("the mark of the change", lambda: "set constant" in self.browser.text("#mark-list"))
        self.wait_for("the switch", lambda: self.tile("switch", ".word") == "on")

    def change_made_at(self):
        return float(re.search(r"C ([\d.]+) s: set constant", self.browser.text("#mark-list"))[1])

    def test_all_tiles_show_what_was(self):
        self.make_a_past()
        self.assertEqual(self.past(), "")
        self.assertEqual(self.tile("lamp", ".word"), "on")
        before = self.change_made_at() - 0.5
        self.browser.run(
            "const slider = document.querySelector('#moment'); slider.value = arguments[0];"
            "slider.dispatchEvent(new Event('input'))",
            before,
        )
        # It had come near to what it was on its way to.
        self.wait_for("the speed that was", lambda: abs(self.speed() - SPEED) < NEAR)
        self.assertRegex(self.past(), rf"^Showing {before:.2f}\u202fs, [\d.]+\u202fs ago\.$")
        self.assertRegex(
            self.browser.run("return document.querySelector('#moment').ariaValueText"),
            rf"^{before:.2f}\u202fs, [\d.]+\u202fs ago$",
        )
        self.assertEqual(self.tile("lamp", ".word"), "off")
        self.assertAlmostEqual(number(self.tile("gauge")), SPEED, delta=NEAR)
        self.wait_for("the plot", lambda: abs(number(self.browser.text(".plot .key .value")) - SPEED) < NEAR)
        self.assertEqual(self.tile("switch", ".word"), "off")
        # What would be changed by what was cannot be pressed; beside it is said that it acts now.
        locked = "return document.querySelector(arguments[0]).disabled"
        self.assertTrue(self.browser.run(locked, ".tile[data-kind=switch] fieldset"))
        self.assertFalse(self.browser.run(locked, "#parameters fieldset"))
        self.assertTrue(self.browser.shown("#acts-now"))
        self.browser.click("#live")
        self.assertEqual(self.past(), "")
        self.wait_for("now", lambda: abs(self.speed() - HIGHER) < 0.1)
        self.assertEqual(self.tile("switch", ".word"), "on")
        self.assertFalse(self.browser.run(locked, ".tile[data-kind=switch] fieldset"))
        self.assertFalse(self.browser.shown("#acts-now"))

    def test_keys_move_it_and_escape_returns(self):
        self.make_a_past()
        self.slider(HOME)
        first = float(re.search(r"Showing ([\d.]+)", self.past())[1])
        self.assertLess(first, self.change_made_at())
        self.slider("\ue014")  # a tenth of a second on
        self.assertAlmostEqual(float(re.search(r"Showing ([\d.]+)", self.past())[1]), first + 0.1, delta=0.011)
        self.browser.press(ESCAPE)
        self.assertEqual(self.past(), "")
        self.slider(LEFT)
        self.assertNotEqual(self.past(), "")
        self.slider(END)
        self.assertEqual(self.past(), "")

    def test_plays_from_there_until_it_has_caught_up(self):
        self.make_a_past()
        self.browser.choose("#play-speed", "4")
        self.slider(HOME, SPACE)
        self.assertEqual(self.browser.text("#play"), "Stay")
        # Faster than the run, so it comes to what is now by itself.
        self.wait_for("now", lambda: self.past() == "")
        self.assertEqual(self.browser.text("#play"), "Play")
        self.wait_for("the speed", lambda: abs(self.speed() - HIGHER) < 0.1)

    def test_changes_are_marked_on_its_axis(self):
        self.make_a_past()
        where = self.browser.run(
            "const slider = document.querySelector('#moment');"
            "const line = document.querySelector('#moment-marks .of-change');"
            "return [Number(line.getAttribute('x1')), Number(slider.min), Number(slider.max)]"
        )
        share, low, high = where[0] / 1000, where[1], where[2]
        # Both are of one picture, in which the line stands to a thousandth.
        self.assertAlmostEqual(share, (self.change_made_at() - low) / (high - low), delta=0.01)
