# SPDX-License-Identifier: Apache-2.0
"""The tree of signals, parameters and faults: a thousand of them, found by typing."""

import json

from daemon import CONSTANT, ITEMS_OF_A_MOTOR, VOLTAGE, many_motors
from page_case import PageCase
from webdriver import ENTER, ESCAPE, SPACE

DOWN, LEFT, END, HOME = "\ue015", "\ue012", "\ue010", "\ue011"
MOTORS = 84  # a little more than a thousand signals and parameters


class Tree(PageCase):
    def configure(self, daemon):
        config = daemon.folder / "motor.yaml"
        config.write_text(many_motors(config.read_text(), MOTORS))

    def rows(self):
        return self.browser.run(
            "return [...document.querySelectorAll('#signal-list [role=treeitem]')].map((e) =>"
            " e.querySelector('.name')?.textContent ?? e.children[1].textContent)"
        )

    def active(self):
        return self.browser.run(
            "const e = document.querySelector('#signal-list [aria-selected=true]');"
            "return e?.querySelector('.name')?.textContent ?? e?.children[1].textContent"
        )

    def wait_until_filled(self):
        self.wait_for_state("Running")
        self.wait_for("rows", self.rows)

    def test_only_what_is_seen_is_drawn_and_asked_for(self):
        self.wait_until_filled()
        count = self.browser.text("#signal-count").replace("\u202f", "")
        self.assertEqual(int(count), MOTORS * ITEMS_OF_A_MOTOR)
        self.assertLess(len(self.rows()), 60)
        self.assertEqual(self.rows()[:2], ["m000", "Outputs"])
        # What is asked for: the names of the rows that are seen, not a thousand.
        asked = self.browser.run_async(
            "const send = WebSocket.prototype.send; const seen = [];"
            "WebSocket.prototype.send = function (text) { seen.push(text); send.call(this, text); };"
            "while (!seen.some((t) => JSON.parse(t).method === 'get'))"
            "  await new Promise((r) => setTimeout(r, 20));"
            "WebSocket.prototype.send = send;"
            "return seen.find((t) => JSON.parse(t).method === 'get')"
        )
        names = json.loads(asked)["params"]["names"]
        self.assertIn("output:m000.shaft_speed", names)
        self.assertNotIn("output:m080.shaft_speed", names)
        self.assertLess(len(names), 60)

    def test_the_page_does_not_grow_with_the_number_of_signals(self):
        self.wait_until_filled()
        self.wait_for("plots", lambda: self.browser.shown(".plot"))
        height = self.browser.run(
            "return Math.max(...['signals', 'parameters', 'control'].map((name) =>"
            " document.getElementById(name).getBoundingClientRect().height))"
        )
        self.assertLess(height, 1500)

    def test_three_keys_find_one_of_a_thousand(self):
        """The number of a motor, and the first of what begins with these letters."""
        self.wait_until_filled()
        for motor in (7, 42, 83):
            self.browser.press("/")
            self.browser.press(*f"{motor:03}")
            self.wait_for("it", lambda: (self.active() or "").startswith(f"m{motor:03}."))
            self.browser.press(ESCAPE)
            self.browser.run("document.activeElement.blur()")

    def test_what_is_found_is_plotted_by_a_key(self):
        self.wait_until_filled()
        self.browser.press("/")
        self.browser.press(*"m042 speed")
        self.wait_for("both", lambda: self.rows() == ["m042.speed", "m042.shaft_speed"])
        self.browser.press(ENTER)
        self.wait_for(
            "its plot",
            lambda: "m042.speed"
            in self.browser.run("return [...document.querySelectorAll('.plot [role=img]')].map((e) => e.ariaLabel).join()"),
        )
        self.browser.press(DOWN)
        self.wait_for("the next", lambda: self.active() == "m042.shaft_speed")
        self.wait_for_value("output:m042.shaft_speed", 0, within=0)  # wired to nothing
        self.browser.press(ESCAPE)
        self.wait_for("all", lambda: self.rows()[0] == "m000")

    def test_is_walked_with_the_keyboard(self):
        self.wait_until_filled()
        self.browser.run("document.getElementById('signal-list').focus()")
        self.browser.press(DOWN, DOWN)
        self.wait_for("the first signal", lambda: self.active() == "m000.shaft_speed")
        self.browser.press(LEFT)
        self.assertEqual(self.active(), "Outputs")
        self.browser.press(LEFT)  # which closes
        self.assertEqual(self.rows()[:3], ["m000", "Outputs", "Inputs"])
        self.browser.press(LEFT, LEFT)  # to the model, which closes
        self.assertEqual(self.active(), "m000")
        self.assertEqual(self.rows()[:2], ["m000", "m001"])
        self.browser.press(END)
        self.wait_for("the last", lambda: self.active() == "m083.friction")
        self.browser.press(HOME, SPACE)
        self.wait_for("it opens again", lambda: self.rows()[1] == "Outputs")
        # What is said of the active row to who does not see it.
        said = self.browser.run(
            "const tree = document.getElementById('signal-list');"
            "const row = document.getElementById(tree.getAttribute('aria-activedescendant'));"
            "return [row.role, row.ariaLevel, row.ariaExpanded, row.ariaSetSize]"
        )
        self.assertEqual(said, ["treeitem", "1", "true", str(MOTORS)])

    def test_a_parameter_leads_to_its_field(self):
        self.wait_until_filled()
        self.wait_for("fields", lambda: self.browser.shown(r"#parameter-list form"))
        self.browser.press("/")
        self.browser.press(*"m077.constant")
        self.wait_for("it", lambda: self.active() == "m077.constant")
        value = "return document.querySelector('#signal-list [aria-selected=true] .value').textContent"
        self.wait_for("its value", lambda: self.browser.run(value) == str(CONSTANT))
        self.browser.press(ENTER)
        focused = self.browser.run("return document.activeElement.id")
        self.assertEqual(focused, "parameter-m077.constant")

    def test_an_output_leads_to_the_form_of_faults(self):
        self.wait_until_filled()
        self.browser.press("/")
        self.browser.press(*"m000.shaft")
        self.wait_for("it", lambda: self.active() == "m000.shaft_speed")
        self.wait_for_value("output:m000.shaft_speed", VOLTAGE / CONSTANT, within=0.1)
        self.browser.click("#signal-active button[value=fault]")
        self.assertEqual(
            self.browser.run("return document.getElementById('fault-signal').value"),
            "output:m000.shaft_speed",
        )


class Phone(PageCase):
    def test_fits_a_phone(self):
        self.wait_until_usable()
        self.addCleanup(lambda: self.browser.devtools("Emulation.clearDeviceMetricsOverride"))
        self.browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=360, height=740, deviceScaleFactor=1, mobile=True,
        )
        self.wait_for("the layout", lambda: self.browser.run("return innerWidth <= 360"))
        wide = self.browser.run(
            "return [...document.querySelectorAll('#signals *')].filter((e) =>"
            " e.getBoundingClientRect().right > 360).map((e) => e.id || e.className)"
        )
        self.assertEqual(wide, [])
