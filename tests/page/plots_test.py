# SPDX-License-Identifier: Apache-2.0
"""What is drawn: live plots of the chosen signals, histograms, the bar of the utilisation."""

from daemon import CONSTANT, VOLTAGE
from page_case import PageCase, number

# How many pixels of each plot have the colour of its first trace.
INK = """
return [...document.querySelectorAll('.plot')].map((plot) => {
  const canvas = plot.querySelector('canvas');
  const wanted = getComputedStyle(plot.querySelector('.swatch')).color.match(/\\d+/g).map(Number);
  const copy = new OffscreenCanvas(canvas.width, canvas.height)
    .getContext('2d', { willReadFrequently: true });
  copy.drawImage(canvas, 0, 0);
  const { data } = copy.getImageData(0, 0, canvas.width, canvas.height);
  let found = 0;
  for (let i = 0; i < data.length; i += 4) {
    found += [0, 1, 2].every((c) => Math.abs(data[i + c] - wanted[c]) < 8) && data[i + 3] > 200;
  }
  return found;
});
"""


class Plots(PageCase):
    def test_tells_the_estimated_error_of_a_step(self):
        self.wait_until_usable()
        self.wait_for("an estimate", lambda: "e" in self.browser.text("#step-error"))
        self.assertRegex(self.browser.text("#step-error"), r"^\d\.\de[+-]\d+$")
        self.assertRegex(self.browser.text("#step-error-words"), r"^estimated, max \d\.\de[+-]\d+ of a state")

    def plots(self):
        return self.browser.run(
            "return [...document.querySelectorAll('.plot [role=img]')].map((e) => e.ariaLabel)"
        )

    def newest(self, label):
        """The number in the legend of a plot."""
        return number(
            self.browser.run(
                "const key = [...document.querySelectorAll('.plot .key')]"
                ".find((e) => e.childNodes[1].textContent === arguments[0]);"
                "return key?.querySelector('.value').textContent",
                label,
            )
        )

    def test_there_is_one_for_each_unit_of_the_outputs(self):
        self.wait_until_usable()
        self.assertEqual(
            self.plots(),
            ["Plot of shaft_speed in rad/s", "Plot of current in A", "Plot of torque in N·m"],
        )
        self.wait_for("traces", lambda: min(self.browser.run(INK)) > 50)

    def test_they_show_what_the_plant_does(self):
        self.wait_until_usable()
        self.wait_for("speed", lambda: abs(self.newest("shaft_speed") - VOLTAGE / CONSTANT) < 0.1)
        self.browser.type("#parameter-constant", "0.04")
        self.browser.click('form[aria-label="constant"] button')
        self.browser.run("document.querySelector('.plot').scrollIntoView()")  # what is not seen is not drawn
        self.wait_for("the new speed", lambda: abs(self.newest("shaft_speed") - 125) < 0.1)

    def test_signals_are_chosen_and_remembered(self):
        self.wait_until_usable()
        for name in ("output:current", "output:torque", "state:speed"):
            self.browser.click(f'input[name="{name}"]')
        expected = ["Plot of shaft_speed, speed in rad/s"]
        self.assertEqual(self.plots(), expected)
        self.wait_for("the state", lambda: self.newest("speed") > 0)
        self.browser.open(self.daemon.url)
        self.wait_for("the same plots", lambda: self.plots() == expected)

    def test_none_at_all_may_be_chosen(self):
        self.wait_until_usable()
        for name in ("output:shaft_speed", "output:current", "output:torque"):
            self.browser.click(f'input[name="{name}"]')
        self.assertEqual(self.plots(), [])
        self.browser.click('input[name="input:load_torque"]')
        self.wait_for("load", lambda: self.newest("load_torque") == 0)

    def test_a_pause_holds_the_picture_and_not_the_run(self):
        self.wait_until_usable()
        self.wait_for("samples", lambda: self.newest("shaft_speed") > 0)
        self.browser.click("#pause")
        held = self.newest("shaft_speed")
        self.browser.type("#parameter-constant", "0.04")
        self.browser.click('form[aria-label="constant"] button')
        self.wait_for_value("output:shaft_speed", 125, within=0.1)
        self.assertEqual(self.newest("shaft_speed"), held)
        self.browser.click("#pause")
        self.wait_for("the new speed", lambda: abs(self.newest("shaft_speed") - 125) < 0.1)

    def test_histograms_are_told_in_words_too(self):
        self.wait_until_usable()
        for chart, title in (("#work-chart", "Work in a frame"), ("#wake-chart", "Wake latency")):
            self.wait_for(f"bars of {chart}", lambda: self.browser.shown(f"{chart} .bar"))
            label = self.browser.run("return document.querySelector(arguments[0]).ariaLabel", chart)
            self.assertRegex(label, rf"^{title}: p50 .+s, p99 .+s, max .+s$")
        marked = self.browser.run(
            "return [...document.querySelectorAll('#work-chart .mark text, .limit text')]"
            ".map((e) => e.textContent.split(' ')[0])"
        )
        self.assertEqual(marked[:5], ["budget", "frame", "p50", "p99", "max"])

    def test_phases_add_up_to_the_names_of_the_run(self):
        self.wait_until_usable()
        rows = self.wait_for(
            "phases",
            lambda: self.browser.run(
                "return [...document.querySelectorAll('#phases th')].map((e) => e.textContent)"
            ),
        )
        names = self.browser.run_async(
            "const body = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'status'});"
            "const headers = {'Content-Type': 'application/json'};"
            "const token = sessionStorage.getItem('hild.token');"
            "if (token) headers.Authorization = 'Bearer ' + token;"
            "const reply = await fetch('/rpc', {method: 'POST', headers, body});"
            "return Object.keys((await reply.json()).result.phases_us)"
        )
        self.assertEqual(rows, names)
