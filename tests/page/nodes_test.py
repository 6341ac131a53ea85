# SPDX-License-Identifier: Apache-2.0
"""A run that is a node of a system: what it knows of the others."""

import os

from page_case import PageCase


class Nodes(PageCase):
    def configure(self, daemon):
        """One of two members: the other one never comes."""
        text = daemon._config.read_text()
        net = f"net: {{driver: dds, domain: 99, system: page-{os.getpid()}, node: left, members: 'left, right'}}"
        daemon._config.write_text(text.replace("devices: {", f"devices: {{{net}, "))

    def rows(self):
        return self.browser.run(
            "return [...document.querySelectorAll('#node-list tr')]"
            ".map((r) => [...r.cells].map((c) => c.textContent))"
        )

    def test_shows_for_whom_it_waits(self):
        self.wait_for("the nodes", lambda: self.browser.shown("#nodes") and len(self.rows()) == 2)
        left, right = self.rows()
        self.assertEqual(left[:2], ["left (this one)", "waits for others"])
        self.assertEqual(right, ["right", "not here", "–", "–", "–"])

