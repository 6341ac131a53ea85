# SPDX-License-Identifier: Apache-2.0
"""A live state that never lies: disarm, freeze, fault and stop are named in the head of the page.
How long that took from the click is printed; a machine under load may take its time."""

import re
import time

from daemon import CONSTANT, VOLTAGE
from page_case import PageCase

SPEED = VOLTAGE / CONSTANT


class State(PageCase):
    # A server that is gone cannot be reached.
    allowed_errors = r"ERR_CONNECTION|ERR_EMPTY_RESPONSE|WebSocket connection|: (No|The) connection"

    def told(self, of):
        """The words on a topic in the head; nothing where it is not told."""
        return self.browser.text(f'#told [data-of="{of}"]') or ""

    def named(self, what, act, condition):
        """Waits for it after the act, and prints how long that took."""
        began = time.monotonic()
        act()
        self.wait_for(what, condition)
        print(f"{what} named after {time.monotonic() - began:.2f} s")

    def state(self):
        return self.browser.text("#state-name")

    def confirm(self, method):
        self.browser.click(f"#{method}")
        self.assertTrue(self.browser.shown(f"#{method}-dialog"))
        self.browser.click(f"#{method}-yes")

    def test_an_ordinary_run_is_armed(self):
        self.wait_until_usable()
        self.wait_for("armed outputs", lambda: "armed" in self.told("outputs"))
        self.assertEqual(self.told("faults"), "")
        self.assertEqual(self.told("access"), "")
        self.assertTrue(self.browser.run("return document.getElementById('arm').disabled"))

    def test_names_disarmed_outputs_and_what_their_lines_carry(self):
        self.wait_until_usable()
        self.wait_for_value("output:shaft_speed", SPEED, within=0.1)
        self.browser.click("#disarm")
        self.browser.click("#disarm-no")
        self.assertFalse(self.browser.shown("#disarm-dialog"))
        self.assertNotIn("disarmed", self.state())

        self.named(
            "disarm",
            lambda: self.confirm("disarm"),
            lambda: self.state() == "Running, disarmed" and "disarmed" in self.told("outputs"),
        )
        differs = lambda: self.browser.run(
            "return document.getElementsByName('output:shaft_speed')[0].closest('.signal')"
            ".querySelector('.differs').textContent"
        )
        both = re.compile(r"line 0\.0+, plant (99|100)\.\d+: disarmed")
        self.wait_for("the line beside the plant", lambda: both.fullmatch(differs()))
        # Not as if all were well; worse where a busy machine does not keep up.
        self.assertIn(self.browser.run("return document.body.dataset.level"), ("fair", "bad"))
        self.assertIn("disarmed", self.browser.text("#announcements"))

        self.named("arm", lambda: self.confirm("arm"), lambda: self.state() == "Running")
        self.wait_for("the same on the line", lambda: differs() == "")

    def test_names_a_frozen_plant_and_single_steps(self):
        self.wait_until_usable()
        self.named(
            "freeze", lambda: self.browser.click("#freeze"), lambda: self.state() == "Frozen"
        )
        self.assertIn("as asked for", self.browser.text("#verdict"))
        self.browser.click("#step")
        self.wait_for(
            "single steps", lambda: "single-stepping" in self.browser.text("#verdict")
        )
        self.browser.click("#resume")
        self.wait_for_state("Running")

    def test_names_a_fault_and_a_stimulus(self):
        self.wait_until_usable()
        self.browser.choose("#fault-signal", "output:shaft_speed")
        self.browser.type("#fault-value", "42")
        self.named(
            "fault",
            lambda: self.browser.click("#fault-form button"),
            lambda: "shaft_speed stuck 42" in self.told("faults"),
        )
        self.browser.click("#fault-list button")
        self.wait_for("its end", lambda: self.told("faults") == "")

    def test_says_how_the_run_ended(self):
        self.wait_until_usable()
        self.browser.click("#stop")
        self.named(
            "stop", lambda: self.browser.click("#stop-yes"), lambda: self.state() == "Ended"
        )
        self.assertEqual(self.daemon.wait(), 0)
        words = lambda: self.browser.text("#verdict")
        self.wait_for("how", lambda: "stopped on request" in words())
        self.assertIn("Exit code 0", words())
        self.wait_for("that it is gone", lambda: "daemon is gone" in words())
        self.assertEqual(self.state(), "Ended", "not as if the connection alone were lost")
        self.assertIn("stopped on request", words())


class Interlocked(PageCase):
    allowed_errors = State.allowed_errors

    def configure(self, daemon):
        config = daemon.folder / "motor.yaml"
        config.write_text(
            config.read_text()
            + "interlocks: {overspeed: {output: shaft_speed, max: 150 rad/s}}\n"
        )

    def test_says_what_ended_the_run(self):
        self.wait_until_usable()
        self.browser.choose("#fault-signal", "output:shaft_speed")
        self.browser.type("#fault-value", "151")
        self.browser.click("#fault-form button")
        self.wait_for_state("Ended")
        self.assertIn("overspeed", self.browser.text("#verdict"))
        self.assertIn("Exit code 5", self.browser.text("#verdict"))
        self.assertEqual(self.browser.run("return document.body.dataset.level"), "bad")
        self.assertEqual(self.daemon.wait(), 5)
