# SPDX-License-Identifier: Apache-2.0
"""Roles on the page: given by a link or entered, told with what they may, left for another."""

import json

from page_case import PageCase

LAYOUT = {
    "version": 1,
    "tiles": [
        {"kind": "switch", "x": x, "y": 0, "w": 4, "h": 3, "parameter": f"parameter:{name}", "off": 0.05, "on": 0.04}
        for x, name in ((0, "constant"), (4, "friction"))
    ],
}


class Roles(PageCase):
    """Of a run whose configuration has a token and two roles, of which each has its own."""

    # Of a token that is refused, and of what was asked for on a connection that was left.
    allowed_errors = r"status of 401|: (No|The) connection"
    roles = {"trainee": "{set: [constant], mark: all}", "guest": "{mark: all}"}

    def configure(self, daemon):
        if not daemon.token:
            daemon.give_token()
        self.whole = daemon.token
        roles = ""
        self.tokens = {name: f"{name}-0123456789abcdefghijklmnop" for name in self.roles}
        for name, may in self.roles.items():
            file = daemon.folder / f"{name}-token"
            file.touch(mode=0o600)
            file.write_text(self.tokens[name] + "\n")
            roles += f"{name}: {{token_file: {file}, may: {may}}}, "
        board = daemon.folder / "bench.json"
        board.write_text(json.dumps(LAYOUT))
        text = daemon._config.read_text()
        more = f"control: {{roles: {{{roles}}}, dashboards: {{B: {board}}}, "
        daemon._config.write_text(text.replace("control: {", more, 1))

    def rights(self):
        return self.browser.text("#rights")

    def wait_for_rights(self, words):
        self.wait_for(f"rights: {words}", lambda: words in self.rights())

    def disabled(self, selector):
        return self.browser.run("return document.querySelector(arguments[0]).matches(':disabled')", selector)

    def become(self, token):
        self.browser.click("#other-role")
        self.browser.type("#token", token)
        self.browser.click("#token-form button")

    def test_a_link_gives_a_token_that_nobody_sees(self):
        self.wait_for_rights("You may do everything.")
        self.browser.open("about:blank")
        self.browser.requests()
        self.browser.open(f"{self.daemon.url}#token={self.tokens['trainee']}&dashboard=B")
        self.wait_for_rights("Your role is trainee. It may set constant; mark; and freeze, disarm and stop")
        self.wait_until_usable()
        # What the address keeps is the rest.
        self.assertEqual(self.browser.run("return location.hash"), "#dashboard=B")
        self.assertEqual([url for url in self.browser.requests() if self.tokens["trainee"] in url.split("#")[0]], [])
        self.assertNotIn(self.tokens["trainee"], self.daemon.said())
        # It outlasts a reload, as one that was entered.
        self.browser.run("location.reload()")
        self.wait_for_rights("Your role is trainee.")

    def test_a_link_that_is_opened_on_the_page_changes_the_role(self):
        self.wait_for_rights("You may do everything.")
        self.browser.run("location.hash = arguments[0]", f"token={self.tokens['guest']}")
        self.wait_for_rights("Your role is guest. It may mark; and freeze")
        self.wait_for("the address without it", lambda: self.browser.run("return location.href") == self.daemon.url)

    def test_the_role_is_changed_by_another_token(self):
        self.wait_for_rights("You may do everything.")
        self.become("no-token-of-anybody-0123456789")
        self.wait_for("the refusal", lambda: self.browser.shown("#token-refused"))
        self.assertEqual(self.rights(), "You may do everything.")
        self.browser.click("#token-no")
        self.assertFalse(self.browser.shown("#token-form"))
        self.become(self.tokens["trainee"])
        self.wait_for_rights("Your role is trainee.")
        self.assertFalse(self.browser.shown("#token-form"))
        self.wait_until_usable()
        self.browser.click("#other-role")
        self.browser.click("#token-forget")
        self.wait_for_state("Token wanted")
        self.assertTrue(self.browser.shown("#token-form"))
        self.browser.type("#token", self.whole)
        self.browser.click("#token-form button")
        self.wait_for_rights("You may do everything.")

    def test_tiles_that_the_role_may_not_use_are_locked(self):
        self.browser.run("sessionStorage.setItem('hild.token', arguments[0])", self.tokens["trainee"])
        self.browser.open(self.daemon.url)
        self.wait_for_rights("Your role is trainee.")
        self.wait_until_usable()
        self.wait_for("tiles", lambda: len(self.browser.find_all("#board .tile")) == 2)
        tile = "#board .tile:nth-child({}) fieldset"
        self.wait_for("the other locked", lambda: self.disabled(tile.format(2)))
        self.wait_for("its own open", lambda: not self.disabled(tile.format(1)))
        self.assertEqual(
            self.browser.run("return document.querySelector(arguments[0]).title", tile.format(2)),
            "the role trainee may not set friction",
        )

    def test_panels_that_the_role_may_not_use_are_locked(self):
        self.wait_until_usable()
        self.assertFalse(self.disabled("#states-form button[value=save]"))
        self.become(self.tokens["trainee"])
        self.wait_for_rights("Your role is trainee.")
        locked = ("#arm", "#resume", "#states-form button[value=save]", "#step-frames", "#fault-form button", "#stimulus-form button")
        for selector in locked:
            self.wait_for(f"{selector} locked", lambda selector=selector: self.disabled(selector))
        # What its role may, and what all may, since it makes a run safe.
        for selector in ("#parameter-constant", "#freeze", "#stop", "#mark"):
            self.wait_for(f"{selector} open", lambda selector=selector: not self.disabled(selector))
        self.assertEqual(
            self.browser.run("return document.querySelector('#step').closest('fieldset').title"),
            "the role trainee may not step",
        )
