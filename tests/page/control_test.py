# SPDX-License-Identifier: Apache-2.0
"""The run as a whole: freeze, step, resume; save, restore, reset; stop."""

import re

from daemon import CONSTANT, VOLTAGE
from page_case import PageCase

SPEED = VOLTAGE / CONSTANT


class Control(PageCase):
    def frame(self):
        """The frame in the head of the page."""
        return int(re.sub(r"\D", "", self.browser.text("#frame")))

    def effect(self, form):
        """The frame at which what a form asked for took effect."""
        words = self.reply(form).replace("\u202f", "")
        return int(re.search(r"at frame (\d+)", words)[1])

    def test_freezes_steps_and_resumes(self):
        self.wait_until_usable()
        self.browser.click("#freeze")
        self.wait_for_state("Frozen")
        self.wait_for("its words", lambda: "Frozen" in self.browser.text("#announcements"))
        at = self.effect("#freeze-form")
        self.wait_for("its frame", lambda: self.frame() == at)

        self.browser.type("#step-frames", "5")
        self.browser.click("#step")
        self.wait_for("five frames", lambda: self.frame() == at + 5)

        self.browser.click("#resume")
        self.wait_for_state("Running")
        self.wait_for("time going on", lambda: self.frame() > at + 6)

    def test_saves_resets_and_restores(self):
        self.wait_until_usable()
        self.wait_for_value("state:speed", SPEED, within=0.1)
        self.browser.click("#freeze")
        self.wait_for_state("Frozen")
        self.browser.click('button[value="save"]')
        self.assertIn("Saved", self.reply("#states-form"))
        self.wait_for("a filled slot", lambda: "0, filled" in self.browser.text("#slot"))
        self.browser.click('button[value="reset"]')
        self.wait_for_value("state:speed", 0, within=0)
        self.browser.click('button[value="restore"]')
        self.wait_for_value("state:speed", SPEED, within=0.1)

    def test_says_why_an_empty_slot_is_not_restored(self):
        self.wait_until_usable()
        self.browser.choose("#slot", "3")
        self.browser.click('button[value="restore"]')
        self.assertIn("nothing was saved", self.reply("#states-form"))
        self.assertEqual(self.browser.run("return document.activeElement.id"), "slot")
        self.assertTrue(
            self.browser.run(
                "return document.querySelector('#states-reply').classList.contains('error')"
            )
        )

    def test_outputs_are_as_declared_while_frozen(self):
        self.wait_until_usable()
        self.wait_for_value("output:shaft_speed", SPEED, within=0.1)
        self.browser.choose("#freeze-outputs", "declared")
        self.browser.type('#declared input[name="values.shaft_speed"]', "12.5")
        self.browser.click("#freeze")
        self.wait_for_state("Frozen")
        self.wait_for_value("output:shaft_speed", 12.5, within=0)

    def test_stops_only_when_that_is_meant(self):
        self.wait_until_usable()
        self.browser.click("#stop")
        self.assertTrue(self.browser.shown("#stop-dialog"))
        self.assertEqual(self.browser.run("return document.activeElement.id"), "stop-no")
        self.browser.click("#stop-no")
        self.assertFalse(self.browser.shown("#stop-dialog"))
        before = self.frame()
        self.wait_for("time going on", lambda: self.frame() > before)

        self.browser.click("#stop")
        self.browser.click("#stop-yes")
        self.assertEqual(self.daemon.wait(), 0)
        self.wait_for(
            "the end", lambda: self.browser.text("#state-name") in ("Ended", "Connection lost")
        )
        self.browser.console()  # a server that is gone cannot be reached

    def overruns(self):
        return int(self.browser.text("#overrun-total").replace("\u202f", ""))

    def test_lists_overruns_with_cause_and_words(self):
        self.wait_until_usable()
        before = self.overruns()
        # Once may not do: a run that is stopped while it wakes may not count the step.
        self.wait_for("an overrun", lambda: self.daemon.hold(10) or self.overruns() > before)
        self.wait_for("its line", lambda: self.browser.shown("#overrun-list li"))
        self.assertFalse(self.browser.shown("#no-overruns"))
        newest = self.browser.text("#overrun-list li:first-child .what")
        self.assertRegex(newest, r"^[a-z ]+ at \d+\.\d{3} s, \d.* late$")
        self.assertIn("cause", self.browser.text("#overrun-list li:first-child .aside"))
        # The list and the sum by cause tell the same causes.
        cause = newest.split(" at ")[0]
        self.wait_for("its cause", lambda: cause in self.browser.text("#overrun-causes"))
        self.wait_for("time going on", lambda: self.browser.text("#state-name") == "Running")
