# SPDX-License-Identifier: Apache-2.0
"""What an instructor has all pages show: played by a page, also by one that is opened meanwhile, ended by
the instructor, by itself, or by whoever looks on."""

import json
import re

from daemon import CONSTANT, VOLTAGE
from page_case import PageCase, number

SPEED = VOLTAGE / CONSTANT


class Show(PageCase):
    def ask(self, method, **params):
        """As another client: the page knows nothing of it."""
        return self.browser.run_async(
            f"const body = JSON.stringify({{jsonrpc: '2.0', id: 1, method: '{method}', params: {json.dumps(params)}}});"
            "const headers = {'Content-Type': 'application/json'};"
            "const token = sessionStorage.getItem('hild.token');"
            "if (token) headers.Authorization = 'Bearer ' + token;"
            "return await (await fetch('/rpc', {method: 'POST', headers, body})).json()"
        )

    def past(self):
        return self.browser.text("#past") if self.browser.shown("#past") else ""

    def instant(self):
        found = re.search(r"Showing ([\d.]+)", self.past())
        return float(found[1]) if found else None

    def wait_for_some_time(self, seconds):
        self.wait_until_usable()
        self.wait_for("samples", lambda: number(self.browser.text(".plot .key .value")) > 0)
        self.wait_for("some time", lambda: self.ask("status")["result"]["sim_time_s"] > seconds)

    def test_it_is_played_with_who_shows_it_until_it_is_ended(self):
        self.wait_for_some_time(16)
        # A minute of ours, so that also a busy machine opens the page meanwhile.
        shown = self.ask("show", from_s=1, to_s=15.5, speed=0.25)["result"]["showing"]
        self.assertEqual([shown["from_s"], shown["to_s"], shown["by"]], [1, 15.5, None])
        first = self.wait_for("it", self.instant)
        self.assertIn("Somebody shows 1.0\u202fs to 15.5\u202fs", self.past())
        self.assertTrue(1 <= first <= 15.5, first)
        self.wait_for("that it goes on", lambda: (self.instant() or 0) > first)
        # By whoever opens the page meanwhile it is seen from where it is.
        self.browser.open(self.daemon.url)
        again = self.wait_for("it again", self.instant)
        self.assertGreaterEqual(again, first)
        self.assertIsNone(self.ask("show")["result"]["showing"])
        self.wait_for("now", lambda: self.past() == "")

    def test_it_ends_by_itself(self):
        self.wait_for_some_time(4)
        self.ask("show", from_s=1, to_s=3.5, speed=0.5)
        self.wait_for("it", self.instant)
        self.wait_for("its end", lambda: self.past() == "")
        self.wait_for("the run tells so", lambda: self.ask("status")["result"]["showing"] is None)
        self.assertEqual(self.past(), "")

    def test_who_looks_on_may_leave_it(self):
        self.wait_for_some_time(5)
        self.ask("show", from_s=1, to_s=4.5, speed=0.25)
        self.wait_for("it", self.instant)
        self.browser.click("#live")
        self.assertEqual(self.past(), "")
        self.wait_for("another picture of the run", lambda: self.ask("status")["result"]["showing"]["at_s"] > 1.5)
        self.assertEqual(self.past(), "", "it is not begun again")
        self.assertIn("All pages were asked to show 1.0", self.browser.text("#show-state"))

    def test_it_is_begun_and_ended_on_the_page(self):
        self.wait_for_some_time(4)
        self.assertTrue(self.browser.run("return document.querySelector('#show').disabled"))
        self.browser.run("document.querySelector('#moment').focus()")
        self.browser.press("\ue011")  # Home
        self.browser.click("#show")
        shown = self.wait_for("it", lambda: self.ask("status")["result"]["showing"])
        oldest = float(self.browser.run("return document.querySelector('#moment').min"))
        self.assertAlmostEqual(shown["from_s"], oldest, places=3)
        self.wait_for("its end", lambda: self.browser.text("#show") == "End showing")
        # Whoever shows it stays where they are.
        self.assertEqual(self.browser.text("#past-why"), "")
        self.browser.click("#show")
        self.wait_for("nothing", lambda: self.ask("status")["result"]["showing"] is None)
        self.wait_for("its button", lambda: self.browser.text("#show") == "Show to all")
