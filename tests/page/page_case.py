# SPDX-License-Identifier: Apache-2.0
"""What the tests of the page share: a daemon, a browser that shows its page, and its words."""

import os
import re
import unittest

from daemon import Daemon
from webdriver import Browser


class PageCase(unittest.TestCase):
    more = ""  # keys of `control`
    allowed_errors = r"(?!)"  # what the console may say

    @classmethod
    def setUpClass(cls):
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def setUp(self):
        self.daemon = Daemon(self.more)
        self.addCleanup(self.daemon.remove)
        if os.geteuid() == 0:  # whose run takes no changes by HTTP without a token
            self.daemon.give_token()
        self.configure(self.daemon)
        self.daemon.start()
        self.browser.console()
        self.browser.requests()
        if self.daemon.token:
            self.browser.open(self.daemon.url + "icon.svg")
            self.browser.run("sessionStorage.setItem('hild.token', arguments[0])", self.daemon.token)
        self.browser.open(self.daemon.url)

    def configure(self, daemon):
        """For those that need more than keys."""

    def tearDown(self):
        # Which a browser asks for by itself at what is no page, as where the token is given.
        allowed = rf"{self.allowed_errors}|/favicon\.ico - "
        said = [line for line in self.browser.console() if not re.search(allowed, line)]
        home = re.compile(rf"(http|ws)://127\.0\.0\.1:{self.daemon.port}/|data:|about:|chrome:")
        others = [url for url in self.browser.requests() if not home.match(url)]
        self.browser.open("about:blank")  # or it would miss the daemon
        self.assertEqual(said, [], "errors on the console")
        self.assertEqual(others, [], "requests to other machines")

    # ---- what the page shows ----

    def wait_for(self, what, condition):
        return self.browser.wait_for(what, condition)

    def wait_for_state(self, name):
        self.wait_for(f"state {name}", lambda: self.browser.text("#state-name") == name)

    def wait_until_usable(self):
        self.wait_for_state("Running")
        self.wait_for("parameters", lambda: self.browser.shown("#parameter-constant"))
        self.wait_for(
            "fields enabled",
            lambda: self.browser.run(
                "return !document.querySelector('#recorders fieldset').disabled"  # whatever the role
            ),
        )

    def value(self, signal):
        """The number beside a signal, NaN when there is none."""
        text = self.browser.run(
            "return document.getElementsByName(arguments[0])[0]?.closest('.signal')"
            ".querySelector('.value').textContent",
            signal,
        )
        return number(text)

    def wait_for_value(self, signal, expected, within):
        self.wait_for(
            f"{signal} at {expected}", lambda: abs(self.value(signal) - expected) <= within
        )

    def reply(self, form):
        """What was said to a form, once something was."""
        return self.wait_for(f"a reply in {form}", lambda: self.browser.text(f"{form} .reply"))


def number(text):
    """A number as the page writes it."""
    plain = (text or "nan").replace("\u2212", "-").replace("\u202f", "")
    if power := re.fullmatch(r"(.+)×10([⁻⁰¹²³⁴-⁹]+)", plain):
        digits = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
        plain = power[1] + "e" + power[2].translate(digits)
    try:
        return float(plain)
    except ValueError:
        return float("nan")
