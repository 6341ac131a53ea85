# SPDX-License-Identifier: Apache-2.0
"""Models that are run beside one another: who had which when, beside what was planned."""

import re

from page_case import PageCase

MOTOR = "{type: dc-motor, integrator: {method: rk-4}, substeps: 20%s}"


class SeveralModels(PageCase):
    def configure_models(self, daemon, models):
        text = daemon._config.read_text()
        control = re.search(r"control: .*", text)[0]
        overrun = re.search(r"overrun: .*", text)[0]
        safety = re.search(r"safety: .*", text)[0]
        daemon._config.write_text(
            "frame: {rate: 50 Hz, clock: sleep, priority: 0}\n"
            f"models:\n{models}\n{overrun}\n{safety}\n{control}\n"
        )

    def row(self, model, table="model-times"):
        """The cells of its row; none where there is none yet."""
        return self.browser.run(
            f"return [...document.querySelectorAll('#{table} tr')]"
            f".filter((r) => r.cells[0].textContent === '{model}')"
            ".flatMap((r) => [...r.cells].map((c) => c.textContent))"
        )


class Background(SeveralModels):
    def configure(self, daemon):
        """One whose step takes five frames, on a thread of its own."""
        slow = "{type: dc-motor, integrator: {method: ab-2}, every: 5, cpu: 0}"
        self.configure_models(daemon, f"  fast: {MOTOR % ''}\n  slow: {slow}")

    def test_shows_what_its_steps_take(self):
        self.wait_for("a step", lambda: self.row("slow", "background-times")[2:3] not in ([], ["0"]))
        self.assertTrue(self.browser.shown("#background"))
        row = self.row("slow", "background-times")
        self.assertEqual(row[1], "CPU 0")
        for cell in row[3:]:
            self.assertRegex(cell, r"^[\d.]+\s.?s$")
        self.assertFalse(self.browser.shown("#models"), "nothing is run beside anything within a frame")


class Models(SeveralModels):
    def configure(self, daemon):
        """Two models, one of them on a worker, on whatever CPUs there are."""
        self.configure_models(daemon, f"  left: {MOTOR % ''}\n  right: {MOTOR % ', cpu: 0'}")

    def test_shows_who_has_which_model_when_beside_the_plan(self):
        self.wait_for("the models", lambda: self.browser.shown("#models") and self.row("right"))
        left, right = self.row("left"), self.row("right")
        self.assertIn("frame thread", left[1])
        # A worker that the machine does not let run is stood in for by the frame thread.
        self.assertTrue("CPU 0" in right[1] or "frame thread" in right[1], right)
        for cell in left[2:] + right[2:]:
            self.assertRegex(cell, r"^[\d.]+\s.?s$")
        charts = self.browser.run(
            "return [...document.querySelectorAll('#model-charts svg')].map((s) =>"
            " [s.getAttribute('aria-label'), s.querySelectorAll('.planned').length,"
            " s.querySelectorAll('.observed').length])"
        )
        self.assertEqual([label.split(":")[0] for label, _, _ in charts],
                         ["frame thread, any CPU", "CPU 0"])
        self.assertEqual(sum(planned for _, planned, _ in charts), 2)
        self.assertEqual(sum(observed for _, _, observed in charts), 2)


class OneModel(PageCase):
    def test_has_nothing_to_show_of_them(self):
        self.wait_until_usable()
        self.assertFalse(self.browser.shown("#models"))
