# SPDX-License-Identifier: Apache-2.0
"""Time on the page: what was before it was opened, zoom and pan, cursors, captures, marks."""

import re

from daemon import CONSTANT, VOLTAGE
from page_case import PageCase, number
from webdriver import ESCAPE

SPEED = VOLTAGE / CONSTANT
HOME, SHIFT = "\ue011", "\ue008"


class Time(PageCase):
    def shown(self):
        """From when to when, while that is held."""
        words = self.browser.text("#shown-time")
        found = re.fullmatch(r"held: (-?[\d.]+) s to (-?[\d.]+) s", words)
        return (float(found[1]), float(found[2])) if found else None

    def wait_for_plots(self):
        self.wait_until_usable()
        self.wait_for("a plot", lambda: self.browser.shown(".plot"))
        self.wait_for("samples", lambda: number(self.legend()) > 0)

    def legend(self):
        return self.browser.text(".plot .key .value")

    def focus(self):
        self.browser.run("document.querySelector('.plot [role=img]').focus()")

    def point(self, start, to):
        """Presses the mouse on the first plot, from its middle, moves it and lets it go."""
        element = {"element-6066-11e4-a52e-4f735466cecf": self.browser.find(".plot .u-over")}
        move = lambda at: {"type": "pointerMove", "origin": element, "duration": 50, **at}
        steps = [move(start), {"type": "pointerDown", "button": 0}, *map(move, to)]
        steps.append({"type": "pointerUp", "button": 0})
        self.browser._call(
            "POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": steps}]}
        )

    def sim_time(self):
        return float(re.match(r"[\d.]+", self.browser.text("#sim-time"))[0])

    def test_what_was_before_the_page_was_opened_is_there(self):
        self.wait_for_plots()
        # As long as it takes, up to where the page says minutes.
        self.wait_for("some time", lambda: 8 < self.sim_time())
        opened = self.sim_time()
        self.browser.open(self.daemon.url)
        self.wait_for_plots()

        def all_of_it():
            self.browser.click("#all-time")  # what was before comes a moment after the page
            start, end = self.shown() or (opened, opened)
            return start < 1 and end > opened - 1

        self.wait_for("all of it", all_of_it)

    def test_zooms_and_pans_with_keys(self):
        self.wait_for_plots()
        self.browser.choose("#window", "2")
        self.wait_for("more than that", lambda: self.sim_time() > 5)
        self.browser.click("#pause")
        start, end = self.shown()
        self.focus()
        self.browser.press("+")
        self.assertAlmostEqual(self.shown()[1] - self.shown()[0], (end - start) / 2, places=2)
        at = self.shown()
        self.browser.press("\ue012")  # a tenth of what is shown
        self.assertAlmostEqual(self.shown()[0], at[0] - 0.1 * (at[1] - at[0]), places=2)
        self.browser.press(ESCAPE)
        self.assertIsNone(self.shown())
        self.assertEqual(self.browser.text("#pause"), "Pause")

    def test_dragging_zooms(self):
        self.wait_for_plots()
        width = self.browser.run("return document.querySelector('.plot .u-over').clientWidth")
        self.point({"x": -50, "y": 0}, [{"x": 50, "y": 0}])
        start, end = self.wait_for("a part", self.shown)
        self.assertAlmostEqual(end - start, 10 * 100 / width, delta=10 * 3 / width)

    def test_cursors_tell_values_and_differences(self):
        self.wait_for_plots()
        self.browser.type("#parameter-constant", "0.04")
        self.browser.click('form[aria-label="constant"] button')
        self.wait_for_value("output:shaft_speed", 125, within=0.01)
        self.focus()
        self.browser.press(HOME)  # all of it
        start, end = self.shown()
        width = self.browser.run("return document.querySelector('.plot .u-over').clientWidth")
        across = [round(share * width) for share in (0.4, 0.48)]  # from the middle
        for x in across:
            self.point({"x": x, "y": 0}, [])
        expected = [start + (0.5 + x / width) * (end - start) for x in across]
        times = self.browser.run(
            "return [...document.querySelectorAll('#cursor-times td')].map((e) => e.textContent)"
        )
        a, b, between = (number(t.replace("\u202fs", "")) for t in times)
        pixel = 2 * (end - start) / width
        self.assertAlmostEqual(a, expected[0], delta=pixel)
        self.assertAlmostEqual(b, expected[1], delta=pixel)
        self.assertAlmostEqual(between, b - a, delta=0.002)
        row = self.browser.run(
            "return [...document.querySelectorAll('#cursor-values tr:first-child > *')].map((e) => e.textContent)"
        )
        self.assertEqual(row[0], "shaft_speed")
        values = [number(text.split("\u202f")[0]) for text in row[1:]]
        # What the history of the run has there.
        for value, time in zip(values, (a, b)):
            newest = [v for t, v in self.history("output:shaft_speed") if t <= time][-1]
            self.assertAlmostEqual(value, newest, delta=0.01 + 0.01 * abs(newest))
        self.assertAlmostEqual(values[2], values[1] - values[0], delta=0.001)
        self.browser.click("#clear-cursors")
        self.assertFalse(self.browser.shown("#cursors"))

    def test_a_signal_that_rises_is_captured(self):
        self.wait_for_plots()
        self.browser.choose("#window", "2")
        self.wait_for_value("output:shaft_speed", SPEED, within=0.01)
        self.browser.type("#capture-level", "110")
        self.browser.click("#capture")
        self.assertEqual(self.browser.text("#capture-state"), "Waiting")
        self.browser.type("#parameter-constant", "0.04")
        self.browser.click('form[aria-label="constant"] button')
        self.wait_for("it", lambda: "Captured" in self.browser.text("#capture-state"))
        caught = float(re.search(r"at ([\d.]+) s", self.browser.text("#capture-state"))[1])
        start, end = self.shown()
        self.assertAlmostEqual(start, caught - 0.5, places=2)
        self.assertAlmostEqual(end, caught + 1.5, places=2)
        # Where it is marked there are 110 rad/s, and not yet a sample before: asked of the history.
        rows = self.history("output:shaft_speed")
        at = [v for t, v in rows if abs(t - caught) < 1e-6]
        before = [v for t, v in rows if t < caught - 1e-6]
        self.assertGreaterEqual(at[0], 110)
        self.assertLess(before[-1], 110)

    def history(self, name):
        answer = self.browser.run_async(
            "const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'history', params: {names: ['"
            + name + "']}});"
            "const headers = {'Content-Type': 'application/json'};"
            "const token = sessionStorage.getItem('hild.token');"
            "if (token) headers.Authorization = 'Bearer ' + token;"
            "return (await (await fetch('/rpc', {method: 'POST', headers, body})).json()).result"
        )
        return list(zip(answer["time_s"], [row[0] for row in answer["values"]]))

    def test_a_level_that_is_none_is_refused(self):
        self.wait_for_plots()
        self.browser.type("#capture-level", "much")
        self.browser.click("#capture")
        self.assertIn("expected a number", self.browser.text("#capture-state"))

    def test_faults_and_changes_are_marked(self):
        self.wait_for_plots()
        self.browser.choose("#capture-when", "fault")
        self.browser.choose("#window", "2")
        self.browser.click("#capture")
        self.browser.choose("#fault-signal", "output:current")
        self.browser.type("#fault-value", "3")
        self.browser.click("#fault-form button")
        self.browser.click("#mark-form button")
        self.wait_for("it captured", lambda: "Captured" in self.browser.text("#capture-state"))
        marks = lambda: self.browser.text("#mark-list")
        self.wait_for("the fault", lambda: "override current stuck 3" in marks() or "override output:current stuck 3" in marks())
        self.browser.click("#all-time")
        self.wait_for("the change", lambda: "mark 1" in marks())
        self.assertRegex(marks(), r"F \d+\.\d{3} s: override .*current stuck 3")
        self.assertRegex(marks(), r"C \d+\.\d{3} s: mark 1")
