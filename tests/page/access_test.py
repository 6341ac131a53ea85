# SPDX-License-Identifier: Apache-2.0
"""For everyone: by keyboard, by ear, on a phone, in the dark."""

from page_case import PageCase
from webdriver import ENTER, TAB

CONTRAST = """
const light = (c) => c.map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const parse = (text) => text.match(/[\\d.]+/g).map(Number);
const ground = (element) => {
  for (let e = element; e; e = e.parentElement) {
    const [r, g, b, a = 1] = parse(getComputedStyle(e).backgroundColor);
    if (a === 1) return [r, g, b];
  }
  return [255, 255, 255];
};
const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const poor = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
  const e = walk.currentNode.parentElement;
  if (!walk.currentNode.textContent.trim() || !e.checkVisibility() || e.closest(':disabled')) continue;
  const style = getComputedStyle(e);
  const ink = parse(e.namespaceURI.endsWith('svg') ? style.fill : style.color).slice(0, 3);
  const found = ratio(ink, ground(e));
  if (found < 4.5) poor.push(`${found.toFixed(2)}: ${walk.currentNode.textContent.trim()}`);
}
const root = getComputedStyle(document.documentElement);
const hex = (name) => root.getPropertyValue(name).trim().match(/[0-9a-f]{2}/g).map((v) => parseInt(v, 16));
for (const [name, least] of [['--ink-soft', 4.5], ['--edge', 3],
    ...[0, 1, 2, 3, 4, 5].map((i) => [`--trace-${i}`, 3])]) {
  const found = ratio(hex(name), hex('--surface'));
  if (found < least) poor.push(`${found.toFixed(2)}: ${name}`);
}
return poor;
"""


class Access(PageCase):
    def focused(self):
        return self.browser.run(
            "const e = document.activeElement, s = getComputedStyle(e);"
            "return {id: e.id || e.textContent.trim().slice(0, 20), outline: s.outlineStyle !== 'none' &&"
            " parseFloat(s.outlineWidth) >= 2, place: e.getBoundingClientRect().y + scrollY}")

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
        self.assertIn("constant set", self.browser.text("#announcements"))

    def test_every_control_is_reached_by_keys_in_the_order_of_the_page(self):
        self.wait_until_usable()
        expected = self.browser.run(
            "const all = [...document.querySelectorAll('a, button, input, select, [tabindex=\"0\"]')];"
            "return all.filter((e) => e.checkVisibility() && !e.matches(':disabled')).length")
        order = []
        for _ in range(expected):
            self.browser.press(TAB)
            order.append(self.browser.run(
                "const all = [...document.querySelectorAll('*')];"
                "return all.indexOf(document.activeElement)"))
        self.assertEqual(order, sorted(set(order)))

    def test_every_control_has_a_name(self):
        self.wait_until_usable()
        for element in self.browser.find_all("a, button, input, select, form[aria-label], [role=img]"):
            markup = self.browser.run("return arguments[0].outerHTML.slice(0, 120)",
                                      {"element-6066-11e4-a52e-4f735466cecf": element})
            if self.browser.run("return arguments[0].checkVisibility()",
                                {"element-6066-11e4-a52e-4f735466cecf": element}):
                self.assertNotEqual(self.browser.label(element).strip(), "", markup)

    def test_samples_are_not_announced(self):
        self.wait_until_usable()
        live = self.browser.run(
            "return [...document.querySelectorAll('[aria-live], [role=status], [role=alert], output')]"
            ".map((e) => e.id)")
        self.assertEqual(live, ["announcements"])

    def test_a_phone_needs_no_sideways_scrolling(self):
        self.browser.devtools("Emulation.setDeviceMetricsOverride", width=360, height=740,
                              deviceScaleFactor=2, mobile=True)
        self.addCleanup(self.browser.devtools, "Emulation.clearDeviceMetricsOverride")
        self.wait_until_usable()
        self.wait_for("plots", lambda: self.browser.shown(".plot canvas"))
        size = self.browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertEqual(size, [360, 360])

    def test_text_stands_out_in_light_and_dark(self):
        self.addCleanup(self.browser.devtools, "Emulation.setEmulatedMedia", features=[])
        for scheme in ("light", "dark"):
            self.browser.devtools("Emulation.setEmulatedMedia",
                                  features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.wait_until_usable()
            self.assertEqual(self.browser.run(CONTRAST), [], scheme)
