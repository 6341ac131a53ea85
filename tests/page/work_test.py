# SPDX-License-Identifier: Apache-2.0
"""How often the page has the browser work on it while it follows a run: a picture is drawn on the canvases
of the plots and nothing else, for whatever changes the page has the browser look through all of it."""

import cost
from page_case import PageCase, number

# What is asked for by the clock, in a second, and may write a text: status 2, values 2, histograms, models
# and nodes 1 each at most, the slider of time 1; and the list of all every 5 s. Legends rest as the motors do.
BY_THE_CLOCK = 9
PICTURES = 15.2  # one in 66 ms

COUNT = """
window.drawn = 0;
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
  window.drawn += 1;
  return clear.apply(this, box);
};
"""


class Work(PageCase):
    def configure(self, daemon):
        cost.configure(daemon)

    def layouts(self):
        metrics = self.browser.devtools("Performance.getMetrics")["metrics"]
        return next(m["value"] for m in metrics if m["name"] == "LayoutCount")

    def pictures(self):
        return self.browser.run("return window.drawn") / cost.PLOTS

    def test_a_picture_leaves_the_page_as_it_is(self):
        cost.show_all_plots(self.browser)
        self.addCleanup(self.browser.devtools, "Emulation.clearDeviceMetricsOverride")
        cost.open_page(self.daemon, self.browser)
        self.wait_for("a motor at rest", lambda: abs(number(self.browser.text(".plot .key .value")) - 100) < 0.1)
        self.browser.devtools("Performance.enable")
        self.browser.run(COUNT)
        began, layouts = self.browser.run("return performance.now()"), self.layouts()
        self.wait_for("pictures", lambda: self.pictures() >= 100)
        layouts, drawn = self.layouts() - layouts, self.pictures()
        seconds = (self.browser.run("return performance.now()") - began) / 1000
        self.assertLess(layouts, BY_THE_CLOCK * seconds, f"layouts in {seconds:.1f} s, of {drawn} pictures")
        self.assertLess(drawn, PICTURES * seconds + 2, f"pictures in {seconds:.1f} s")
