# SPDX-License-Identifier: Apache-2.0
"""Control of the run: who has it is told, and it changes hands only when that is meant."""

import json
import socket

from page_case import PageCase


class Client:
    """Another client of the run, on its socket."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.settimeout(60)
        self._socket.connect(str(path))
        self._lines = self._socket.makefile("rb")

    def close(self):
        self._lines.close()
        self._socket.close()

    def ask(self, method, **params):
        """The whole reply."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self._socket.sendall(json.dumps(request).encode() + b"\n")
        return json.loads(self._lines.readline())


class Owner(PageCase):
    def setUp(self):
        super().setUp()
        self.other = Client(self.daemon.folder / "socket")
        self.addCleanup(self.other.close)

    def wait_for_owner(self, words):
        self.wait_for(words, lambda: words in self.browser.text("#control-owner"))

    def owner(self):
        control = self.other.ask("status")["result"]["control"]
        return control and control["owner"]

    def test_the_owner_is_told_and_taken_over_from_only_when_that_is_meant(self):
        self.wait_until_usable()
        self.wait_for_owner("nobody has it")
        self.assertFalse(self.browser.shown("#owned"))

        self.assertIn("result", self.other.ask("take", owner="test A"))
        self.wait_for_owner("test A has it")
        self.assertTrue(self.browser.shown("#owned"))
        self.assertIn("test A has control", self.browser.text("#owned"))
        self.assertIn("test A has control", self.browser.text("#announcements"))
        self.browser.click('#mark-form button')
        self.assertIn("test A has had control", self.reply("#mark-form"))
        self.browser.click("#freeze")  # stays open
        self.wait_for_state("Frozen")

        self.browser.click("#take")
        self.assertIn("from test A", self.browser.text("#take-title"))
        self.assertEqual(self.browser.run("return document.activeElement.id"), "take-no")
        self.browser.click("#take-no")
        self.assertEqual(self.owner(), "test A")
        self.browser.click("#take")
        self.browser.click("#take-yes")
        self.wait_for_owner("this page has it")
        self.assertRegex(self.owner(), "^live page [0-9a-f]+$")
        self.assertFalse(self.browser.shown("#owned"))
        self.browser.click("#resume")
        self.wait_for_state("Running")
        self.assertEqual(self.other.ask("mark")["error"]["code"], -32005)

    def test_is_taken_and_given_back(self):
        self.wait_until_usable()
        self.browser.click("#take")
        self.wait_for_owner("this page has it")
        self.assertEqual(self.other.ask("mark")["error"]["code"], -32005)
        self.browser.click("#take")
        self.wait_for_owner("nobody has it")
        self.assertIn("result", self.other.ask("mark"))
