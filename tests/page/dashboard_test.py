# SPDX-License-Identifier: Apache-2.0
"""Dashboards: made of tiles, arranged by mouse and keyboard, kept by the daemon, shared by a link."""

import json

from daemon import CONSTANT, VOLTAGE
from page_case import PageCase, number
from webdriver import ENTER

DOWN, RIGHT, DELETE, SHIFT = "\ue015", "\ue014", "\ue017", "\ue008"
SPEED = VOLTAGE / CONSTANT


class Dashboard(PageCase):
    # A dashboard that cannot be shown is told on the page; nothing goes wrong in it.

    def file(self, name):
        return self.daemon.folder / "state" / "dashboards" / f"{name}.json"

    def kinds(self):
        return self.browser.run(
            "return [...document.querySelectorAll('#board .tile')].map((e) => e.dataset.kind)"
        )

    def place(self, kind):
        """Column, row, width, height."""
        return self.browser.run(
            "const style = document.querySelector(`.tile[data-kind=${arguments[0]}]`).style;"
            "return ['--x', '--y', '--w', '--h'].map((n) => Number(style.getPropertyValue(n)))",
            kind,
        )

    def arrange(self):
        self.wait_until_usable()
        self.wait_for("tiles", self.kinds)
        self.browser.click("#arrange")

    def add(self, kind, **fields):
        self.browser.choose("#tile-kind", kind)
        self.browser.click("#add-tile")
        for name, value in fields.items():
            if name == "does":
                self.browser.choose("#tile-field-does", value)
            else:
                self.browser.type(f"#tile-field-{name}", value)
        self.browser.click("#tile-yes")
        self.assertFalse(self.browser.shown("#tile-dialog"), self.browser.text("#tile-reply"))

    def tile_text(self, kind, part=".value"):
        return self.browser.text(f".tile[data-kind={kind}] {part}")

    def show_tile(self, kind):
        self.browser.run(
            "document.querySelector(`.tile[data-kind=${arguments[0]}]`).scrollIntoView()", kind
        )

    def test_tiles_show_values(self):
        self.arrange()
        self.add("numeric", signal="output:shaft_speed")
        self.add("gauge", signal="output:shaft_speed", max="150", warn="90")
        self.add("lamp", signal="output:shaft_speed", above="50")
        self.show_tile("numeric")
        self.wait_for("a number", lambda: abs(number(self.tile_text("numeric")) - SPEED) < 0.1)
        self.wait_for("the mark, in words", lambda: self.tile_text("gauge").endswith(" marked"))
        self.wait_for("the lamp, in words", lambda: self.tile_text("lamp", ".word") == "on")

    def test_an_xy_plot_is_drawn(self):
        self.arrange()
        self.add("xy", x_signal="input:armature_voltage", y_signal="output:shaft_speed")
        self.show_tile("xy")
        words = lambda: self.tile_text("xy")
        self.wait_for("values", lambda: words().startswith("100.0") or words().startswith("99.9"))
        self.assertEqual(
            self.browser.run("return document.querySelector('.xy [role=img]').ariaLabel"),
            "Plot of shaft_speed over armature_voltage",
        )
        # The point is where the axes have it: 5 V and 100 rad/s, and not beyond them.
        self.wait_for("something drawn", lambda: self.browser.run(
            "const canvas = document.querySelector('.xy canvas');"
            "const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);"
            "const ink = getComputedStyle(document.documentElement).getPropertyValue('--ink').trim();"
            "const at = document.createElement('canvas').getContext('2d');"
            "at.fillStyle = ink; at.fillRect(0, 0, 1, 1);"
            "const [r, g, b] = at.getImageData(0, 0, 1, 1).data;"
            "let dots = 0;"
            "for (let i = 0; i < data.length; i += 4)"
            "  dots += data[i] === r && data[i + 1] === g && data[i + 2] === b && data[i + 3] === 255;"
            "return dots > 20"))

    def parameter(self):
        return number(self.browser.text('form[aria-label="constant"] .value'))

    def test_tiles_change_the_run(self):
        self.arrange()
        self.add("switch", parameter="parameter:constant", off="0.05", on="0.04")
        self.add("button", does="set", parameter="parameter:constant", value="0.1")
        self.add("slider", parameter="parameter:constant", min="0", max="0.2")
        self.browser.click("#arrange")
        self.show_tile("switch")
        self.wait_for("off", lambda: self.tile_text("switch", ".word") == "off")
        self.browser.click(".tile[data-kind=switch] button")
        self.wait_for("on", lambda: self.tile_text("switch", ".word") == "on")
        self.assertRegex(self.tile_text("switch", ".reply"), r"^constant set at frame \d+")
        self.browser.click(".tile[data-kind=button] button")
        self.wait_for("what the button sets", lambda: self.parameter() == 0.1)
        slider = ".tile[data-kind=slider] input"
        self.wait_for(
            "the slider there",
            lambda: self.browser.run("return document.querySelector(arguments[0]).valueAsNumber", slider) == 0.1,
        )
        self.browser.run("document.querySelector(arguments[0]).focus()", slider)
        self.browser.press(RIGHT)  # a hundredth of its way
        self.wait_for("what the slider sets", lambda: abs(self.parameter() - 0.102) < 1e-9)

    def test_texts_are_never_html(self):
        self.arrange()
        evil = "<img src=x onerror=\"document.title='evil'\"><b>bold</b>"
        self.add("text", text=evil)
        self.assertEqual(self.tile_text("text", ".note"), evil)
        self.assertEqual(self.browser.run("return document.querySelectorAll('.tile b, .tile img').length"), 0)

    def test_is_arranged_with_the_keyboard(self):
        self.arrange()
        self.add("numeric", signal="output:shaft_speed")
        x, y, w, h = self.place("numeric")
        self.browser.run("document.querySelector('.tile[data-kind=numeric]').focus()")
        self.browser.press(RIGHT, RIGHT, DOWN)
        self.assertEqual(self.place("numeric"), [x + 2, y + 1, w, h])
        self.assertIn(f"column {x + 2}, row {y + 1}", self.browser.text("#announcements"))
        self.hold_shift(RIGHT, DOWN)
        self.assertEqual(self.place("numeric"), [x + 2, y + 1, w + 1, h + 1])
        self.browser.press(ENTER)
        self.assertTrue(self.browser.shown("#tile-dialog"))
        self.browser.click("#tile-no")
        self.browser.run("document.querySelector('.tile[data-kind=numeric]').focus()")
        self.browser.press(DELETE)
        self.assertNotIn("numeric", self.kinds())

    def hold_shift(self, *keys):
        actions = [{"type": "keyDown", "value": SHIFT}]
        actions += [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        actions += [{"type": "keyUp", "value": SHIFT}]
        self.browser._call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def drag(self, selector, dx, dy):
        element = {"element-6066-11e4-a52e-4f735466cecf": self.browser.find(selector)}
        steps = [
            {"type": "pointerMove", "origin": element, "x": 0, "y": 0, "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "origin": "pointer", "x": dx, "y": dy, "duration": 50},
            {"type": "pointerUp", "button": 0},
        ]
        self.browser._call(
            "POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": steps}]}
        )

    def test_is_arranged_with_the_mouse(self):
        self.arrange()
        self.add("text", text="here")
        self.show_tile("text")
        column = self.browser.run("return (document.getElementById('board').clientWidth + 8) / 12")
        x, y, w, h = self.place("text")
        self.drag(".tile[data-kind=text] .grip", round(3 * column), 48)
        self.assertEqual(self.place("text"), [x + 3, y + 1, w, h])
        self.drag(".tile[data-kind=text] .corner", round(2 * column), 96)
        self.assertEqual(self.place("text"), [x + 3, y + 1, w + 2, h + 2])
        # None stands on another.
        overlaps = self.browser.run(
            "const boxes = [...document.querySelectorAll('#board .tile')].map((e) => e.getBoundingClientRect());"
            "return boxes.some((a, i) => boxes.some((b, j) => i !== j && a.left < b.right - 1 &&"
            " b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1))"
        )
        self.assertFalse(overlaps)

    def store(self, name):
        self.browser.type("#dashboard-name", name)
        self.browser.click("#store-form button")
        self.wait_for("the answer", lambda: self.browser.text("#dashboard-reply"))

    def store_as(self, name, expected):
        self.browser.type("#dashboard-name", name)
        self.browser.click("#store-form button")
        self.wait_for(expected, lambda: expected in self.browser.text("#dashboard-reply"))

    def test_is_kept_by_the_daemon_and_shared_by_a_link(self):
        self.arrange()
        self.add("text", text="for all")
        self.store("Bench 1")
        self.assertEqual(self.browser.text("#dashboard-reply"), "Stored as Bench 1")
        stored = json.loads(self.file("Bench 1").read_text())
        self.assertEqual(stored["tiles"][-1]["text"], "for all")
        link = self.browser.run("return location.href")
        self.assertTrue(link.endswith("#dashboard=Bench%201"), link)
        # Another browser, that has nothing of its own.
        self.browser.run("localStorage.clear()")
        self.browser.open("about:blank")
        self.browser.open(link)
        self.wait_for("the text", lambda: self.browser.shown(".note"))
        self.assertEqual(self.tile_text("text", ".note"), "for all")
        # And back to its own, without it.
        self.browser.choose("#dashboard", "")
        self.wait_for("its own", lambda: "text" not in self.kinds())

    def test_what_somebody_else_stored_is_not_overwritten(self):
        self.arrange()
        self.store("shared")
        text = self.file("shared").read_text()
        self.file("shared").write_text(text + "\n")  # as if somebody else had
        self.add("text", text="mine")
        self.browser.click("#store-form button")
        self.wait_for("the refusal", lambda: "somebody else" in self.browser.text("#dashboard-reply"))
        self.assertEqual(self.file("shared").read_text(), text + "\n")

    def test_a_name_that_is_none_is_refused(self):
        self.arrange()
        self.browser.type("#dashboard-name", "../up")
        self.browser.click("#store-form button")
        self.wait_for("why", lambda: "expected 1 to 60 letters" in self.browser.text("#dashboard-reply"))

    def test_is_removed_when_that_is_meant(self):
        self.arrange()
        self.store("old")
        self.browser.click("#discard")
        self.browser.click("#discard-no")
        self.assertTrue(self.file("old").exists())
        self.browser.click("#discard")
        self.browser.click("#discard-yes")
        self.wait_for("its end", lambda: not self.file("old").exists())

    def open_file(self, name, text):
        self.wait_until_usable()
        self.file(name).parent.mkdir(parents=True, exist_ok=True)
        self.file(name).write_text(text)
        self.browser.run("location.hash = 'dashboard=' + arguments[0]", name)
        return self.wait_for("what is said", lambda: self.browser.text("#dashboard-reply"))

    def test_a_broken_file_is_told_and_left(self):
        broken = '{"version": 1,\n "tiles": [\n'
        words = self.open_file("bad", broken)
        self.assertIn(f"{self.file('bad')}:", words)
        self.assertIn("mend it", words)
        self.assertEqual(self.file("bad").read_text(), broken)
        self.assertIn("plot", self.kinds())  # what was shown before
        # What is stored under its name does not take its place without a trace.
        self.browser.click("#arrange")
        self.store_as("bad", "is kept as")
        self.assertEqual(self.file("bad").with_suffix(".json.broken").read_text(), broken)

    def test_a_broken_tile_is_told_and_kept(self):
        gauge = {"kind": "guage", "x": 0, "y": 0, "w": 3, "h": 3}
        text = {"kind": "text", "x": 0, "y": 5, "w": 3, "h": 2, "text": "good"}
        words = self.open_file("half", json.dumps({"version": 1, "tiles": [gauge, text]}))
        self.assertIn('tile 1: kind: found "guage", expected one of plot, xy', words)
        self.assertEqual(self.tile_text("text", ".note"), "good")
        self.browser.click("#arrange")
        self.browser.click("#store-form button")
        self.wait_for("it stored", lambda: "Stored" in self.browser.text("#dashboard-reply"))
        tiles = json.loads(self.file("half").read_text())["tiles"]
        self.assertEqual([gauge, text["text"]], [tiles[0], tiles[1]["text"]])

    def test_a_signal_that_the_run_has_not_is_told(self):
        tile = {"kind": "numeric", "x": 0, "y": 0, "w": 6, "h": 2, "signal": "output:nosuch"}
        self.open_file("other", json.dumps({"version": 1, "tiles": [tile]}))
        self.assertIn("no output:nosuch", self.tile_text("numeric", ".unit"))


class Configured(PageCase):
    """Dashboards that come with the configuration."""

    def configure(self, daemon):
        for name in ("first", "second"):
            text = {"kind": "text", "x": 0, "y": 0, "w": 6, "h": 2, "text": f"the {name}"}
            (daemon.folder / f"{name}.json").write_text(json.dumps({"version": 1, "tiles": [text]}))
        daemon.configure(daemon._more + ", dashboards: {Z first: first.json, A second: second.json}")

    def shows(self, note):
        self.wait_for(note or "no note", lambda: self.browser.text("#board .note") == note)

    def test_the_first_is_what_is_shown_at_first(self):
        self.shows("the first")
        self.assertEqual(
            self.browser.run("return [...document.querySelectorAll('#dashboard option')].map((o) => o.textContent)"),
            ["This browser’s own", "Z first (configuration)", "A second (configuration)"],
        )
        self.assertTrue(self.browser.run("return location.hash").endswith("=Z%20first"))
        self.browser.choose("#dashboard", "A second")
        self.shows("the second")
        # Where the address names one, that is shown: a browser's own, too.
        self.browser.choose("#dashboard", "")
        self.shows(None)
        self.browser.run("location.reload()")
        self.wait_for("a plot", lambda: self.browser.shown("#board .plot"))
        self.wait_for("the list", lambda: self.browser.run("return document.getElementById('dashboard').length") == 3)
        self.assertEqual(self.browser.run("return document.getElementById('dashboard').value"), "")

    def test_none_of_them_is_replaced_or_removed(self):
        self.shows("the first")
        self.wait_until_usable()
        self.browser.click("#arrange")
        said = lambda words: self.wait_for(words, lambda: words in self.browser.text("#dashboard-reply"))
        self.browser.click("#store-form button")
        said("comes with the configuration")
        self.browser.click("#discard")
        self.browser.click("#discard-yes")
        said("comes with the configuration")
        self.browser.type("#dashboard-name", "mine")
        self.browser.click("#store-form button")
        said("Stored as mine")
        self.assertEqual([f.name for f in (self.daemon.folder / "state/dashboards").iterdir()], ["mine.json"])

    def test_buttons_make_signals_wrong_and_right_again(self):
        # What is stored by hand, for nothing of it depends on how it was arranged.
        self.shows("the first")
        at = {"y": 0, "w": 3, "h": 3}
        stuck = {"kind": "button", "x": 0, **at, "does": "fault", "signal": "output:shaft_speed", "value": 7}
        mend = {"kind": "button", "x": 3, **at, "does": "release", "signal": "output:shaft_speed"}
        push = {"kind": "button", "x": 6, **at, "does": "stimulate", "signal": "input:load_torque", "value": 0.5}
        rest = {"kind": "button", "x": 9, **at, "does": "quiet", "signal": "input:load_torque"}
        folder = self.daemon.folder / "state/dashboards"
        folder.mkdir(parents=True)
        (folder / "buttons.json").write_text(json.dumps({"version": 1, "tiles": [stuck, mend, push, rest]}))
        self.browser.run("location.hash = 'dashboard=buttons'")
        self.wait_for("buttons", lambda: self.browser.shown(".tile[data-kind=button] button"))
        titles = self.browser.run("return [...document.querySelectorAll('.tile button')].map((b) => b.textContent)")
        self.assertEqual(
            [title.replace("\u202f", " ") for title in titles],
            ["shaft_speed: stuck 7 rad/s", "Release shaft_speed", "Add 0.5 N·m to load_torque", "Leave load_torque alone"],
        )
        in_force = lambda what: self.browser.run("return document.getElementById(arguments[0]).textContent", what)
        press = lambda n: self.browser.click(f".tile:nth-child({n}) button")
        press(1)
        self.wait_for("the fault", lambda: "shaft_speed" in in_force("fault-list"))
        press(2)
        self.wait_for("its end", lambda: "shaft_speed" not in in_force("fault-list"))
        press(3)
        self.wait_for("the stimulus", lambda: "load_torque" in in_force("stimulus-list"))
        press(4)
        self.wait_for("its end", lambda: "load_torque" not in in_force("stimulus-list"))


class ReadOnly(PageCase):
    more = ", writing: false"

    def test_nothing_is_kept_where_nothing_may_be_written(self):
        self.wait_for_state("Running")
        self.wait_for("a plot", lambda: self.browser.shown(".plot"))
        self.browser.click("#arrange")
        self.assertTrue(self.browser.run("return document.querySelector('#arrange-tools fieldset').disabled"))
        # To arrange one's own stays free.
        self.assertFalse(self.browser.run("return document.getElementById('add-tile').disabled"))
