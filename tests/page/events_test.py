# SPDX-License-Identifier: Apache-2.0
"""State events of the model on the page: marked where they were, and waited for by a capture."""

import math
import re

from page_case import PageCase

# A ball that is let go at 1 m, and comes back to it each time: on the floor after the time of a fall,
# then after twice that each time.
FALL = math.sqrt(2 * 1 / 0.6)  # s
STEP = 0.2  # s, longer than any on a machine that is late
MODEL = """model: {type: bouncing-ball, parameters: {gravity: 0.6 m/s2, restitution: 1}}
"""


class Events(PageCase):
    def configure(self, daemon):
        text = daemon._config.read_text()
        text = re.sub(r"model:\n(  .*\n)+", MODEL, text)
        text = re.sub(r"inputs:\n(  .*\n)+", "", text)
        text = re.sub(r"outputs:\n(  .*\n)+", "outputs:\n  height: {device: rig, channel: 0, scale: 1 m/V, safe: 0 V}\n", text)
        daemon._config.write_text(text)

    def next_impact(self, time):
        n = math.ceil((time / FALL - 1) / 2)
        return FALL * (2 * n + 1)

    def marks(self):
        return [float(t) for t in re.findall(r"E ([\d.]+) s: a state event", self.browser.text("#mark-list"))]

    def test_they_are_marked_and_captured(self):
        self.wait_for_state("Running")
        self.wait_for("a plot", lambda: self.browser.shown(".plot"))
        self.browser.choose("#window", "2")
        self.browser.choose("#capture-when", "event")
        self.browser.click("#capture")
        self.wait_for("it captured", lambda: "Captured" in self.browser.text("#capture-state"))
        caught = float(re.search(r"at ([\d.]+) s", self.browser.text("#capture-state"))[1])
        # At the start of the step in which it was.
        self.assertLess(self.next_impact(caught) - caught, STEP)
        self.assertIn(caught, self.marks())
        self.assertEqual(self.browser.run("return document.querySelectorAll('#moment-marks .of-event').length > 0"), True)
