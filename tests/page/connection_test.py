# SPDX-License-Identifier: Apache-2.0
"""The way to the daemon: lost and found, with a token, read-only."""

from page_case import PageCase

UNREACHABLE = (
    r"ERR_CONNECTION|WebSocket connection|ERR_EMPTY_RESPONSE|: (No connection|The connection)"
)


class Connection(PageCase):
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
