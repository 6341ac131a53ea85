# SPDX-License-Identifier: Apache-2.0
"""Alarms: told in the head and in their panel, acknowledged there."""

from page_case import PageCase


class Alarms(PageCase):
    def configure(self, daemon):
        """One that the motor, which runs up to 100 rad/s, sets off by itself, and one that nothing does."""
        with daemon._config.open("a") as config:
            config.write(
                'alarms: {fast: {watch: "output:shaft_speed", above: 60 rad/s, latch: true, '
                'text: it <i>spins</i>}, cold: {watch: "output:current", below: -1 kA}}\n'
            )

    def row(self, name):
        return self.browser.text(f"#alarm-{name}")

    def told(self):
        return self.browser.text("#told")

    def stick(self, value):
        self.browser.choose("#fault-signal", "output:shaft_speed")
        self.browser.run(
            "const kind = document.getElementById('fault-kind'); kind.value = 'stuck';"
            "kind.dispatchEvent(new Event('change'))"
        )
        self.browser.type("#fault-value", value)
        self.browser.click("#fault-form button")

    def test_one_is_told_and_acknowledged(self):
        self.wait_until_usable()
        self.wait_for("the alarm", lambda: "fast active" in self.row("fast"))
        self.assertRegex(self.row("fast"), r"since frame \d+: shaft_speed above 60\srad/s")
        self.assertIn("it <i>spins</i>", self.row("fast"))
        self.assertIn("cold clear: output:current below", self.row("cold"))
        self.wait_for("the head", lambda: "open: fast (it <i>spins</i>): active" in self.told())
        self.assertFalse(self.browser.shown("#alarm-cold button"))

        self.stick("7.5")
        self.wait_for("its end", lambda: "fast over, waits to be acknowledged" in self.row("fast"))
        self.browser.click("#alarm-fast button")
        self.wait_for("it to be clear", lambda: "fast clear" in self.row("fast"))
        self.assertFalse(self.browser.shown("#alarm-fast button"))
        self.assertEqual(self.browser.run("return document.activeElement.id"), "alarms-title")
        self.wait_for("a quiet head", lambda: "fast" not in self.told())


class NoAlarms(PageCase):
    def test_without_one_there_is_no_panel(self):
        self.wait_until_usable()
        self.wait_for_value("output:shaft_speed", 100, within=0.1)
        self.assertFalse(self.browser.shown("#alarms"))
        self.assertFalse(self.browser.shown("#alarms-link"))
