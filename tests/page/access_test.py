# SPDX-License-Identifier: Apache-2.0
"""For everyone: by keyboard, by ear, on a phone, in the dark."""

import pathlib

from page_case import PageCase
from webdriver import ENTER, TAB

CONTRAST = (pathlib.Path(__file__).parent / "contrast.js").read_text()


class Access(PageCase):
    def focused(self):
        return self.browser.run(
            "const e = document.activeElement, s = getComputedStyle(e);"
            "return {id: e.id || e.textContent.trim().slice(0, 20),"
            " outline: s.outlineStyle !== 'none' &&"
            " parseFloat(s.outlineWidth) >= 2, place: e.getBoundingClientRect().y + scrollY}"
        )

    def test_a_parameter_is_set_by_keys_alone(self):
        self.wait_until_usable()
        for _ in range(200):
            self.browser.press(TAB)
            here = self.focused()
            self.assertTrue(here["outline"], f"no visible focus at {here}")
            if here["id"] == "parameter-constant":
                break
        else:
            self.fail("the field is not reached by Tab")
        self.browser.press(*"0.1", ENTER)
        self.assertIn("set at frame", self.reply('form[aria-label="constant"]'))
        self.wait_for(
            "its words", lambda: "constant set" in self.browser.text("#announcements")
        )

    def test_every_control_is_reached_by_keys_in_the_order_of_the_page(self):
        self.wait_until_usable()
        expected = self.browser.run(
            "const all = ["
            "  ...document.querySelectorAll('a, button, input, select, [tabindex=\"0\"]')];"
            "return all.filter((e) => e.checkVisibility() && !e.matches(':disabled') && e.tabIndex >= 0).length"
        )
        order = []
        for _ in range(expected):
            self.browser.press(TAB)
            order.append(
                self.browser.run(
                    "const all = [...document.querySelectorAll('*')];"
                    "return all.indexOf(document.activeElement)"
                )
            )
        self.assertEqual(order, sorted(set(order)))

    def test_every_control_has_a_name(self):
        self.wait_until_usable()
        for element in self.browser.find_all(
            "a, button, input, select, form[aria-label], [role=img]"
        ):
            markup = self.browser.run(
                "return arguments[0].outerHTML.slice(0, 120)",
                {"element-6066-11e4-a52e-4f735466cecf": element},
            )
            if self.browser.run(
                "return arguments[0].checkVisibility()",
                {"element-6066-11e4-a52e-4f735466cecf": element},
            ):
                self.assertNotEqual(self.browser.label(element).strip(), "", markup)

    def test_samples_are_not_announced(self):
        self.wait_until_usable()
        live = self.browser.run(
            "const live = '[aria-live], [role=status], [role=alert], [role=log], output';"
            "return [...document.querySelectorAll(live)]"
            ".map((e) => e.id)"
        )
        self.assertEqual(live, ["announcements"])

    def test_a_phone_needs_no_sideways_scrolling(self):
        self.browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=360,
            height=740,
            deviceScaleFactor=2,
            mobile=True,
        )
        self.addCleanup(self.browser.devtools, "Emulation.clearDeviceMetricsOverride")
        self.wait_until_usable()
        self.wait_for("plots", lambda: self.browser.shown(".plot canvas"))
        size = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertEqual(size, [360, 360])

    def test_text_stands_out_in_light_and_dark(self):
        self.addCleanup(self.browser.devtools, "Emulation.setEmulatedMedia", features=[])
        for scheme in ("light", "dark"):
            self.browser.devtools(
                "Emulation.setEmulatedMedia",
                features=[{"name": "prefers-color-scheme", "value": scheme}],
            )
            self.wait_until_usable()
            self.assertEqual(self.browser.run(CONTRAST), [], scheme)
