# SPDX-License-Identifier: Apache-2.0
"""A frozen run that is recorded goes back, and the page with it."""

import re

from page_case import PageCase


class Rewind(PageCase):
    # While it begins anew nobody answers.
    allowed_errors = r"ERR_CONNECTION|WebSocket connection|Failed to load resource"

    def configure(self, daemon):
        daemon.record()

    def sim_time(self):
        return float(re.match(r"[\d.]+", self.browser.text("#sim-time"))[0])

    def test_goes_back_and_on(self):
        self.wait_until_usable()
        self.wait_for("some time", lambda: self.sim_time() > 3)
        self.browser.click("#freeze")
        self.wait_for_state("Frozen")
        self.wait_for("the button", lambda: self.browser.run("return !this['rewind'].disabled"))
        at = self.sim_time()
        self.browser.type("#rewind-by", "2 s")
        self.browser.click("#rewind")
        self.wait_for("an earlier time", lambda: abs(self.sim_time() - (at - 2)) < 0.1)
        self.wait_for_state("Frozen, disarmed")
        self.wait_for("its words", lambda: "Went back" in self.browser.text("#rewind-reply"))
        self.browser.click("#resume")
        self.wait_for_state("Running, disarmed")
        self.wait_for("time going on", lambda: self.sim_time() > at - 1)

    def test_says_why_not(self):
        self.wait_until_usable()
        self.browser.click("#freeze")
        self.wait_for_state("Frozen")
        self.wait_for("the button", lambda: self.browser.run("return !this['rewind'].disabled"))
        self.browser.type("#rewind-by", "1000 s")
        self.browser.click("#rewind")
        self.wait_for(
            "the reason", lambda: "expected a time from 0 s" in self.browser.text("#rewind-reply")
        )
