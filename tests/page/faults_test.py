# SPDX-License-Identifier: Apache-2.0
"""Faults and stimuli: injected, seen, taken back."""

from daemon import CONSTANT, VOLTAGE
from page_case import PageCase

SPEED = VOLTAGE / CONSTANT


class Faults(PageCase):
    def inject(self, signal, kind, value=""):
        self.browser.choose("#fault-signal", signal)
        self.browser.run(
            "const kind = document.getElementById('fault-kind'); kind.value = arguments[0];"
            "kind.dispatchEvent(new Event('change'))",
            kind,
        )
        if value:
            self.browser.type("#fault-value", value)
        self.browser.click("#fault-form button")

    def listed(self):
        return self.browser.text("#fault-list")

    def test_a_stuck_sensor_is_listed_and_holds_until_released(self):
        self.wait_until_usable()
        self.wait_for_value("output:shaft_speed", SPEED, within=0.1)
        self.inject("output:shaft_speed", "stuck", "7.5")
        self.assertRegex(self.reply("#fault-form"), r"^output:shaft_speed stuck at frame \d+")
        self.wait_for_value("output:shaft_speed", 7.5, within=0)
        self.wait_for("the list", lambda: "stuck at 7.5" in self.listed())
        self.assertIn("shaft_speed", self.listed())
        self.assertFalse(self.browser.shown("#no-faults"))
        self.wait_for_value("state:speed", SPEED, within=0.1)  # the plant itself is as it was
        self.assertEqual(self.value("output:shaft_speed"), 7.5)

        self.browser.click("#fault-list button")
        self.wait_for_value("output:shaft_speed", SPEED, within=0.1)
        self.wait_for("an empty list", lambda: self.browser.shown("#no-faults"))
        # The button is gone; whoever pressed it is not lost.
        self.wait_for(
            "the focus",
            lambda: self.browser.run("return document.activeElement.id") == "fault-signal",
        )

    def test_an_input_that_is_offset_moves_the_plant(self):
        self.wait_until_usable()
        self.inject("input:armature_voltage", "offset", "-2 V")
        self.wait_for_value("output:shaft_speed", (VOLTAGE - 2) / CONSTANT, within=0.1)

    def test_a_dropout_needs_no_value(self):
        self.wait_until_usable()
        self.inject("input:armature_voltage", "dropout")
        self.assertRegex(self.reply("#fault-form"), "^input:armature_voltage dropout at frame")
        self.wait_for("the list", lambda: "dropped out" in self.listed())

    def test_one_without_its_value_is_refused(self):
        self.wait_until_usable()
        self.inject("input:armature_voltage", "stuck")
        self.assertIn("value", self.reply("#fault-form"))
        self.assertEqual(self.browser.run("return document.activeElement.id"), "fault-value")
        self.assertTrue(self.browser.shown("#no-faults"))

    def test_a_stimulus_is_added_to_an_input_until_stopped(self):
        self.wait_until_usable()
        self.browser.type("#stimulus-amplitude", "3")
        self.browser.click("#stimulus-form button")
        self.assertRegex(
            self.reply("#stimulus-form"), r"^armature_voltage: step started at frame \d+"
        )
        self.wait_for_value("output:shaft_speed", (VOLTAGE + 3) / CONSTANT, within=0.1)
        self.wait_for(
            "the list", lambda: "armature_voltage step" in self.browser.text("#stimulus-list")
        )
        self.browser.click("#stimulus-list button")
        self.wait_for_value("output:shaft_speed", SPEED, within=0.1)

    def test_fields_of_a_stimulus_are_those_of_its_shape(self):
        self.wait_until_usable()
        seen = lambda: {
            name
            for name in ("amplitude", "frequency_hz", "frequency_end_hz", "over_s", "table")
            if self.browser.shown(f"#stimulus-{name}")
        }
        choose = lambda shape: self.browser.run(
            "const shape = document.getElementById('stimulus-shape'); shape.value = arguments[0];"
            "shape.dispatchEvent(new Event('change'))",
            shape,
        )
        self.assertEqual(seen(), {"amplitude"})
        choose("chirp")
        self.assertEqual(seen(), {"amplitude", "frequency_hz", "frequency_end_hz", "over_s"})
        choose("playback")
        self.assertEqual(seen(), {"amplitude", "table"})
