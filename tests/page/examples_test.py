# SPDX-License-Identifier: Apache-2.0
"""The dashboards of the examples: each is what the page shows, has all of its signals, and does what it
says is to be pressed. Their pictures, docs/pictures/NAME.png, show them as they are: what has a name in them
stands beside in NAME.txt. With HILD_PICTURES=FOLDER both are made anew there (`make pictures`)."""

import base64
import os
import pathlib
import re
import unittest

from page_case import PageCase, number

TOP = pathlib.Path(__file__).resolve().parents[2]
PICTURES = TOP / "docs/pictures"
MODELS = pathlib.Path(os.environ.get("HILD_EXAMPLES", TOP / "build/examples"))
HEAD = "# SPDX-License-Identifier: Apache-2.0\n"


@unittest.skipUnless(MODELS.exists(), "the models of the examples are not built: `make examples`")
class Example:
    """A configuration of config/uses, on this daemon's own port and simulated devices, slow enough for
    any machine."""

    example = ""
    changes = {}  # {key: value} as with --set

    def configure(self, daemon):
        own = re.search(r"control: (.*)", daemon._config.read_text())[0]
        daemon._config.write_text(f"include: {TOP}/config/uses/{self.example}\n{own}\n")
        changes = {
            "frame.priority": "0",
            "overrun.standstill": "60 s",
            "safety.within": "60 s",
            **self.changes,
        }
        if os.environ.get("HILD_PICTURES"):  # that show the example and not how busy the machine is
            del changes["frame.priority"]
        daemon.options = ["--arm"]
        for key, value in changes.items():
            value = value.format(models=MODELS, folder=daemon.folder, image=daemon._image)
            daemon.options += ["--set", f"{key}={value}"]

    def tile(self, title, part=""):
        return f'#board .tile[aria-label$=": {title}"] {part}'.strip()

    def press(self, title):
        self.browser.click(self.tile(title, "button"))
        self.wait_for(f"{title} done", lambda: " at frame " in (self.browser.text(self.tile(title, ".reply")) or ""))

    def names(self):
        return HEAD + self.browser.run(
            "return [...document.querySelectorAll('#board .tile')].map((e) => `${e.ariaLabel}\\n`).join('')"
        )

    def whole(self, name):
        """That it is what the page shows, with all of its signals."""
        self.wait_for(f"the dashboard {name}", lambda: self.browser.run(
            "return document.getElementById('dashboard').value") == name)
        self.wait_for("its tiles", lambda: self.browser.shown("#board .note"))
        missing = "return [...document.querySelectorAll('#board .tile-body')].map((e) => e.textContent)"
        for text in self.browser.run(missing):
            self.assertNotIn("This run has no", text)
            self.assertNotIn("cannot be shown", text)

    def see(self, name, picture, settle=0):
        """That it is shown whole, and as in its picture, which is taken when that is asked for."""
        self.whole(name)
        if folder := os.environ.get("HILD_PICTURES"):
            self.take(pathlib.Path(folder), picture, settle)
        self.assertEqual(
            self.names(),
            (PICTURES / f"{picture}.txt").read_text(),
            "the dashboard is another than in its picture: `make pictures` takes it anew",
        )
        self.assertEqual((PICTURES / f"{picture}.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def take(self, folder, picture, settle):
        until = self.browser.run("return performance.now()") + settle
        self.wait_for("what moves", lambda: self.browser.run("return performance.now()") > until)
        self.browser.devtools(
            "Emulation.setDeviceMetricsOverride",
            width=1280, height=1600, deviceScaleFactor=1, mobile=False,
        )
        self.wait_for("the layout", lambda: self.browser.run("return innerHeight === 1600"))
        clip = self.browser.run(
            "scrollTo(0, 0); const { x, y, width, height } = document.getElementById('board').getBoundingClientRect();"
            "return { x: x - 8, y: y - 8, width: width + 16, height: height + 16, scale: 1 }"
        )
        shot = self.browser.devtools("Page.captureScreenshot", format="png", clip=clip)
        (folder / f"{picture}.png").write_bytes(base64.b64decode(shot["data"]))
        (folder / f"{picture}.txt").write_text(self.names())
        self.browser.devtools("Emulation.clearDeviceMetricsOverride")


class Trainer(Example, PageCase):
    example = "trainer/trainer.yaml"
    changes = {"model.plugin": "{models}/trainer/ship.so", "control.roles.trainee.socket": "{folder}/trainee"}

    def test_the_instructor_breaks_and_the_trainee_steers(self):
        self.wait_for_state("Running")
        self.wait_for("a button", lambda: self.browser.shown(self.tile("Wind", "button")))
        self.press("Wind")
        self.wait_for("a turn", lambda: abs(number(self.browser.text(self.tile("Turning", ".value")))) > 0.5)
        self.see("Instructor", "trainer-instructor", settle=12000)
        self.press("Gear fails")
        self.wait_for("its lamp", lambda: self.browser.text(self.tile("Gear works", ".word")) == "off")
        self.press("Calm")
        self.press("Gear mended")
        self.browser.click(self.tile("Score", "button"))
        self.wait_for("the score", lambda: "running" in (self.browser.text(self.tile("Score")) or ""))
        self.wait_for("its lamp", lambda: self.browser.text(self.tile("Gear works", ".word")) == "on")
        self.browser.choose("#dashboard", "Helm")
        self.wait_for("the helm", lambda: self.browser.shown(self.tile("Starboard 10", "button")))
        self.press("Starboard 10")
        rudder = lambda: number((self.browser.text(self.tile("Rudder", ".value")) or "").split(" ")[0])
        self.wait_for("the rudder", lambda: abs(rudder() - 10) < 0.5)
        self.see("Helm", "trainer-helm", settle=9000)


class Adaptive(Example, PageCase):
    example = "adaptive/adaptive.yaml"
    changes = {
        "models.reference.plugin": "{models}/adaptive/first_order.so",
        "models.law.plugin": "{models}/adaptive/lyapunov.so",
        "models.plant.plugin": "{models}/adaptive/first_order.so",
        "devices.rig.image": "{image}",
        "frame.period": "10 ms",
    }

    def test_the_plant_changes_and_nobody_adapts(self):
        self.wait_for_state("Running")
        self.wait_for("a button", lambda: self.browser.shown(self.tile("Adapt off", "button")))
        adapts = lambda: self.browser.text(self.tile("Adapts", ".word"))
        # What is not seen is not drawn.
        self.browser.run("document.querySelector(arguments[0]).scrollIntoView()", self.tile("Adapts"))
        self.wait_for("its lamp", lambda: adapts() == "on")
        self.press("Plant gain × 3")
        self.wait_for("the plant", lambda: number(self.browser.text(self.tile("Plant b", ".value"))) == 15)
        self.see("Adaptive control", "adaptive-dashboard", settle=6000)
        self.press("Adapt off")
        self.wait_for("its lamp", lambda: adapts() == "off")


class Watchdog(Example, PageCase):
    example = "watchdog/trial.yaml"
    changes = {
        **{f"models.{h}.plugin": "{models}/watchdog/hypothesis.so"
           for h in ("nominal", "stuck", "drift", "friction", "actuator")},
        "models.isolation.plugin": "{models}/watchdog/isolation.so",
        "devices.rig.image": "{image}-rig",
        "devices.net.image": "{image}",
    }

    def lit(self, lamp):
        self.wait_for(f"{lamp} lit", lambda: self.browser.run(
            "return [...document.querySelectorAll('#board .tile[data-kind=lamp]')]"
            ".find((e) => e.ariaLabel.endsWith(`: ${arguments[0]}`))?.querySelector('.word').textContent",
            lamp) == "on")

    def test_each_fault_that_is_pressed_is_named(self):
        self.wait_for_state("Running")
        self.wait_for("a button", lambda: self.browser.shown('#board .tile[data-kind=button] button'))
        self.lit("All well")
        for button, lamp, mend in [
            ("Sensor drifts", "Sensor drifts", "Sensor mended"),
            ("Bearing wears", "Bearing worn", "Bearing new"),
            ("Amplifier fails", "Amplifier off", "Amplifier works"),
        ]:
            self.press(button)
            self.lit(lamp)
            self.press(mend)
            self.lit("All well")
        self.press("Sensor stuck")
        self.lit("Sensor stuck")
        self.see("Watchdog", "watchdog", settle=2000)
        self.lit("Sensor stuck")
        self.press("Sensor mended")
        self.lit("All well")


class WatchedMotor(Example, PageCase):
    example = "watchdog/motor.yaml"
    changes = {"devices.net.domain": "44"}

    def test_its_sensor_stands_still_when_that_is_pressed(self):
        self.wait_for_state("Running")
        self.wait_for("a button", lambda: self.browser.shown('#board .tile[data-kind=button] button'))
        self.press("Sensor stuck")
        self.wait_for("the fault", lambda: "stuck" in (self.browser.text("#fault-list") or ""))
        self.press("Bearing wears")
        self.wait_for("worn", lambda: number(self.browser.text(self.tile("Friction", ".value"))) == 1e-4)
        self.whole("Motor")
        self.press("Sensor mended")
