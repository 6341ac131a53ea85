# SPDX-License-Identifier: Apache-2.0
"""The way to the daemon: lost and found, with a token, read-only."""

from page_case import PageCase

UNREACHABLE = r"ERR_CONNECTION|ERR_EMPTY_RESPONSE|WebSocket connection|: (No|The) connection"


class Lost(PageCase):
    allowed_errors = UNREACHABLE

    def test_is_found_again_after_a_restart(self):
        self.wait_until_usable()
        self.daemon.stop()
        self.wait_for(
            "the loss", lambda: self.browser.text("#state-name") in ("Connection lost", "Ended")
        )
        self.wait_for(
            "fields disabled",
            lambda: self.browser.run(
                "return document.querySelector('#parameters fieldset').disabled"
            ),
        )
        self.daemon.start()
        self.wait_until_usable()
        self.browser.type("#parameter-constant", "0.1")
        self.browser.click('form[aria-label="constant"] button')
        self.assertIn("set at frame", self.reply('form[aria-label="constant"]'))
        # Plots go on with the new run.
        self.wait_for("samples", lambda: self.browser.text(".plot .value") not in ("", "–"))


class Served(PageCase):
    def test_may_load_and_run_only_what_the_daemon_serves(self):
        self.wait_until_usable()
        policy = self.browser.run_async(
            "return (await fetch('/')).headers.get('Content-Security-Policy')"
        )
        rules = dict(rule.split(maxsplit=1) for rule in policy.split(";"))
        self.assertEqual(rules.pop("default-src"), "'none'")
        self.assertEqual(rules.pop("frame-ancestors"), "'none'")
        self.assertLessEqual(set(rules.values()), {"'self'", "'none'"})
        # It is obeyed: a script within the page does not run.
        ran = self.browser.run(
            "const script = document.createElement('script');"
            "script.textContent = 'window.ran = true'; document.body.append(script);"
            "return window.ran ?? false"
        )
        self.assertFalse(ran)
        self.wait_for(
            "the refusal", lambda: any("inline script" in m for m in self.browser.console())
        )

    def test_has_the_licence_of_what_it_brings_along(self):
        self.wait_until_usable()
        words = self.browser.run_async(
            "const link = document.querySelector('a[href*=LICENSE]').href;"
            "return await (await fetch(link)).text()"
        )
        self.assertIn("The MIT License", words)
        self.assertIn("Leon Sorokin", words)


class ReadOnly(PageCase):
    more = ", writing: false"

    def test_shows_all_and_changes_nothing(self):
        self.wait_for_state("Running")
        self.assertTrue(self.browser.shown("#read-only"))
        self.wait_for("values", lambda: self.browser.shown("#parameter-constant"))
        self.wait_for("plots", lambda: self.browser.shown(".plot canvas"))
        enabled = self.browser.run(
            "return [...document.querySelectorAll('fieldset.writes :is(button, input, select)')]"
            ".filter((e) => !e.matches(':disabled')).length"
        )
        self.assertEqual(enabled, 0)


class Token(PageCase):
    token = "open-sesame-0123456789abcdefghijklmnop"
    allowed_errors = r"status of 401"

    def configure(self, daemon):
        file = daemon.folder / "token"
        file.touch(mode=0o600)
        file.write_text(self.token + "\n")
        daemon.configure(f", token_file: {file}")

    def test_is_asked_for_and_kept_for_the_tab(self):
        self.wait_for_state("Token wanted")
        self.assertFalse(self.browser.shown("main"))
        self.wait_for(
            "the focus", lambda: self.browser.run("return document.activeElement.id") == "token"
        )
        self.enter("not-the-token-0123456789abcdefghijk")
        self.wait_for("a refusal", lambda: self.browser.shown("#token-refused"))
        self.enter(self.token)
        self.wait_until_usable()
        self.assertFalse(self.browser.shown("#token-form"))
        self.browser.open(self.daemon.url)
        self.wait_until_usable()

    def enter(self, token):
        self.browser.type("#token", token)
        self.browser.click("#token-form button")
