# SPDX-License-Identifier: Apache-2.0
"""The run as a whole: freeze, step, resume; save, restore, reset; stop."""

import re
import signal

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
        self.assertIn("Frozen", self.browser.text("#announcements"))
        at = self.effect("#freeze-form")
        self.assertEqual(self.frame(), at)

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
        self.assertIn("3", self.reply("#states-form"))
        self.assertTrue(
            self.browser.run(
                "return document.querySelector('#states-reply').classList.contains('error')"
            )
        )

    def test_outputs_are_as_declared_while_frozen(self):
        self.wait_until_usable()
        self.wait_for_value("output:shaft_speed", SPEED, within=0.1)
        self.browser.choose("#freeze-outputs", "declared")
        self.browser.type('#declared input[name="shaft_speed"]', "12.5")
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

    def test_lists_overruns_with_cause_and_words(self):
        self.wait_until_usable()
        self.wait_for("no overruns", lambda: self.browser.shown("#no-overruns"))
        self.daemon.signal(signal.SIGSTOP)
        held = self.frame()
        self.daemon.signal(signal.SIGCONT)
        self.wait_for("time going on", lambda: self.frame() > held)
