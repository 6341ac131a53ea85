# SPDX-License-Identifier: Apache-2.0
"""Parameters: edited in the form, seen in the plant."""

from daemon import CONSTANT, VOLTAGE
from page_case import PageCase, number


class Parameters(PageCase):
    form = 'form[aria-label="constant"]'
    field = "#parameter-constant"

    def set(self, text):
        self.browser.type(self.field, text)
        self.browser.click(f"{self.form} button")

    def now(self):
        return number(self.browser.text(f"{self.form} .value"))

    def test_change_what_the_plant_does(self):
        self.wait_until_usable()
        self.wait_for_value("output:shaft_speed", VOLTAGE / CONSTANT, within=0.1)
        self.set("0.1")
        self.assertRegex(self.reply(self.form), r"^constant set at frame \d+")
        self.wait_for("the new value", lambda: self.now() == 0.1)
        self.wait_for_value("output:shaft_speed", VOLTAGE / 0.1, within=0.1)

    def test_are_read_with_their_unit(self):
        self.wait_until_usable()
        self.set("80 N mm/A")
        self.assertRegex(self.reply(self.form), "^constant set at frame")
        self.wait_for("the new value", lambda: self.now() == 0.08)

    def test_show_unit_start_and_limits(self):
        self.wait_until_usable()
        self.assertEqual(self.browser.text(f"{self.form} .unit"), "N·m/A")
        facts = self.browser.text("#parameter-constant-facts").replace("\u202f", " ")
        self.assertEqual(facts, f"start {CONSTANT} N·m/A; at least 0")

    def test_out_of_limits_are_refused_at_the_field(self):
        self.refuses("-1", "constant")

    def test_of_the_wrong_unit_are_refused_at_the_field(self):
        self.refuses("3 s", "constant")

    def test_that_are_no_number_are_refused_at_the_field(self):
        self.refuses("much", "constant")

    def test_that_are_empty_are_refused_at_the_field(self):
        self.refuses("", "constant")

    def refuses(self, text, word):
        self.wait_until_usable()
        self.set(text)
        words = self.reply(self.form)
        self.assertIn(word, words)
        about = self.browser.run(
            "const field = document.querySelector(arguments[0]);"
            "return {invalid: field.ariaInvalid, focused: document.activeElement === field,"
            "        words: field.ariaErrorMessageElements[0].textContent}",
            self.field,
        )
        self.assertEqual(about, {"invalid": "true", "focused": True, "words": words})
        self.assertIn(words, self.browser.text("#announcements"))
        self.assertEqual(self.now(), CONSTANT)
        # It mends itself with the next good value.
        self.set("0.06")
        self.wait_for("the new value", lambda: self.now() == 0.06)
        self.assertIsNone(
            self.browser.run(
                "return document.querySelector(arguments[0]).getAttribute('aria-invalid')",
                self.field,
            )
        )
