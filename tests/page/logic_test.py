# SPDX-License-Identifier: Apache-2.0
"""What the page computes by itself: numbers in words, samples kept, verdicts; in the browser."""

import json
import random
import re

from daemon import Daemon
from page_case import PageCase

THIN = "\u202f"


class Logic(PageCase):
    """Nothing here touches the run: one daemon serves the modules to all."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        daemon = Daemon()
        cls.addClassCleanup(daemon.remove)
        daemon.start()
        cls.browser.open(daemon.url)

    def setUp(self):
        pass

    def tearDown(self):
        pass

    def evaluate(self, module, expression, *values):
        """`expression` of `m`, the module, and `v`, each of the values."""
        return self.browser.run_async(
            f"const m = await import('/{module}');"
            f"return {json.dumps(values)}.map((v) => {expression});"
        )

    def test_numbers(self):
        table = {
            0: "0",
            1: "1",
            -1: "\u22121",
            0.02: "0.02",
            120.44: "120.4",
            123456: "123500",
            1e-3: "0.001",
            9.9e-4: f"9.9{THIN}×{THIN}10⁻⁴",
            -3.1e-5: f"\u22123.1{THIN}×{THIN}10⁻⁵",
            1.2345e7: f"1.235{THIN}×{THIN}10⁷",
        }
        self.assertEqual(self.evaluate("format.js", "m.number(v)", *table), list(table.values()))
        self.assertEqual(self.evaluate("format.js", "m.number(v)", None), ["–"])
        self.assertEqual(
            self.browser.run_async(
                "const m = await import('/format.js');"
                "return [NaN, Infinity, -Infinity].map((v) => m.number(v))"
            ),
            ["–", "∞", "\u2212∞"],
        )

    def test_numbers_that_change_keep_their_width(self):
        table = {
            0: "0.0000",
            120: "120.00",
            99.99: "99.990",
            -0.5: "\u22120.5000",
            54321.6: "54322",
        }
        self.assertEqual(self.evaluate("format.js", "m.steady(v)", *table), list(table.values()))

    def test_counts_are_grouped(self):
        table = {0: "0", 999: "999", 1000: f"1{THIN}000", 1234567: f"1{THIN}234{THIN}567"}
        self.assertEqual(self.evaluate("format.js", "m.count(v)", *table), list(table.values()))

    def test_durations(self):
        table = {
            0: "0 µs",
            0.85: "850 ns",
            12.34: "12.3 µs",
            1.2: "1.20 µs",
            640: "640 µs",
            1200: "1.20 ms",
            3.4e6: "3.40 s",
            -50: "\u221250.0 µs",
        }
        self.assertEqual(
            self.evaluate("format.js", "m.micros(v)", *table),
            [text.replace(" ", THIN) for text in table.values()],
        )
        table = {12.34: "12.3_s", 245: "4_min 05_s", 12000: "3_h 20_min"}
        self.assertEqual(
            self.evaluate("format.js", "m.seconds(v)", *table),
            [text.replace("_", THIN) for text in table.values()],
        )

    def test_sizes_of_files(self):
        table = {
            0: "0 B",
            999: "999 B",
            1000: "1.00 kB",
            9994: "9.99 kB",
            9996: "10.0 kB",
            99960: "100 kB",
            999499: "999 kB",
            999500: "1.00 MB",
            12.3e9: "12.3 GB",
            5e15: "5000 TB",
        }
        self.assertEqual(
            self.evaluate("format.js", "m.bytes(v)", *table),
            [text.replace(" ", THIN) for text in table.values()],
        )

    def test_what_a_recorder_does_in_words(self):
        idle = {
            "state": "idle", "file": None, "files": 0, "bytes": 0, "closing": 0, "lost": 0, "error": "",
        }
        begun = {**idle, "file": "a.mcap", "files": 1, "bytes": 2000}
        cases = [
            (idle, ["not recording", "", ""]),
            ({**idle, "error": "a.mcap: no space"}, ["not recording", "", "a.mcap: no space"]),
            ({**begun, "state": "beginning"}, ["begins, its file is being made", "", ""]),
            ({**begun, "state": "recording"}, ["recording a.mcap", ", 2.00 kB", ""]),
            (
                {**begun, "state": "recording", "files": 3, "lost": 1200, "error": "too slow"},
                [
                    "recording a.mcap",
                    ", 2.00 kB, file 3 of this run",
                    "1 200 frames are not in its files; too slow",
                ],
            ),
            ({**begun, "closing": 1}, ["ended, and a.mcap is still being written", "", ""]),
            ({**begun, "lost": 1}, ["not recording; the newest file is a.mcap", ", 2.00 kB",
                                    "1 frame is not in the file"]),
        ]
        found = self.evaluate(
            "recorders.js", "Object.values(m.recorderWords(v))", *[case for case, _ in cases]
        )
        thin = [[re.sub(r"(?<=\d) (?=\d|kB)", THIN, text) for text in words] for _, words in cases]
        self.assertEqual(found, thin)

    def test_who_may_not_is_told_why(self):
        role = {"writes": True, "why": None, "role": "guest", "may": {"mark": "all", "set": ["a"]}}
        cases = [
            ({"writes": True, "why": None, "role": None, "may": None}, "record", ""),
            ({"writes": False, "why": "only read", "role": None, "may": None}, "mark", "only read"),
            (role, "mark", ""),
            (role, "record", "the role guest may not record"),
            (role, "freeze", ""),  # makes a run safe
            (role, "set", "a", ""),
            (role, "set", "b", "the role guest may not set b"),
            (role, "mark", "any", ""),
        ]
        self.assertEqual(
            self.evaluate("access.js", "m.whyNot(...v)", *[case[:-1] for case in cases]),
            [case[-1] for case in cases],
        )

    def test_what_one_may_is_told(self):
        rights = [
            {"writes": True, "why": None, "role": None, "may": None},
            {"writes": False, "why": "this client may only read", "role": None, "may": None},
            {"writes": True, "why": None, "role": "guest", "may": {"set": ["a", "b"], "mark": "all"}},
            {"writes": True, "why": None, "role": "guest", "may": {}},
        ]
        self.assertEqual(
            self.evaluate("access.js", "m.rightsWords(v)", *rights),
            [
                "You may do everything.",
                "You may look on only: this client may only read.",
                "Your role is guest. It may set a or b; mark; and freeze, disarm and stop, and see everything.",
                "Your role is guest. It may freeze, disarm and stop, and see everything.",
            ],
        )

    def test_a_token_is_taken_from_what_stands_behind_the_address(self):
        links = ["#token=abc", "#dashboard=My%20own&token=a%2Fb", "#dashboard=x", "", "#token=", "#token=%"]
        self.assertEqual(
            self.evaluate("access.js", "m.readLink(v)", *links),
            [
                {"token": "abc", "rest": ""},
                {"token": "a/b", "rest": "#dashboard=My%20own"},
                None,
                None,
                {"token": "", "rest": ""},
                {"token": "", "rest": ""},
            ],
        )

    def test_marks_stand_with_what_they_are_called(self):
        marks = [{"is": "change"}, {"is": "change", "text": "engine fails"}, {"is": "event", "text": "é" * 21}, {"is": "alarm", "text": "é" * 20}]
        self.assertEqual(
            self.evaluate("markers.js", "m.labelOf(v)", *marks),
            ["C", "C engine fails", "E " + "é" * 19 + "…", "A " + "é" * 20],
        )

    def test_a_capture_waits_for_a_mark_of_its_kind(self):
        seen = self.browser.run_async(
            "const { Capture } = await import('/trigger.js');"
            "return ['event', 'alarm'].map((when) => { const c = new Capture({ when, since: 5 });"
            "  for (const mark of [{ is: when, time: 4 }, { is: 'change', time: 6 }, { is: when, time: 7 }, { is: when, time: 8 }]) c.mark(mark);"
            "  return [c.caught, c.window(4, 9.9), c.window(4, 10)]; })"
        )
        self.assertEqual(seen, [[7, None, {"from": 6, "to": 10}]] * 2)

    def test_a_model_that_chatters_does_not_drive_out_other_marks(self):
        seen = self.browser.run_async(
            "const { Marks } = await import('/markers.js'); const m = new Marks({ on() {} });"
            "m.add([{ key: 'c', is: 'change', time: 0.5, words: '' }]);"
            "for (let i = 0; i < 2000; ++i) m.add([{ key: `e${i}`, is: 'event', time: i, words: '' }]);"
            "return [m.all.length, m.all[0].is, m.all[1].time, m.all.at(-1).time]"
        )
        self.assertEqual(seen, [301, "change", 1700, 1999])

    def test_units(self):
        table = {
            "rad/s": "rad/s",
            "kg m2": "kg·m²",
            "N m s/rad": "N·m·s/rad",
            "m s-2": "m·s⁻²",
            "1": "",
        }
        self.assertEqual(self.evaluate("format.js", "m.unit(v)", *table), list(table.values()))

    def test_ticks_have_the_decimals_of_their_step(self):
        cases = [
            (0.4475, 0.0025, "0.4475"),
            (120, 0.5, "120.0"),
            (-3, 1, "\u22123"),
            (200, 50, "200"),
            (1.5e-7, 5e-8, f"1.5{THIN}×{THIN}10⁻⁷"),
        ]
        self.assertEqual(
            self.evaluate("format.js", "m.tick(v[0], v[1])", *[c[:2] for c in cases]),
            [c[2] for c in cases],
        )

    def test_decades(self):
        self.assertEqual(
            self.evaluate("bins.js", "m.decades(v[0], v[1])", [0.5, 200], [1, 1000], [2, 9]),
            [[1, 10, 100], [1, 10, 100, 1000], []],
        )

    def test_a_logarithmic_scale_ends_at_its_ends(self):
        self.assertEqual(
            self.evaluate("bins.js", "m.logScale(1, 100, 10, 30)(v)", 1, 10, 100, 0, 1e9),
            [10, 20, 30, 10, 30],
        )

    def test_traces_keep_the_newest_samples(self):
        """Against a plain list, at random."""
        generator = random.Random(1)
        keep, time, rows = 7, 0.0, []
        steps = []
        for _ in range(300):
            time = time + generator.choice([0, 1, 1, 1, 2]) if generator.random() > 0.02 else 0.0
            row = [generator.random(), generator.random()]
            steps.append([time, row])
        script = (
            "const { Traces } = await import('/traces.js'); const t = new Traces(['a', 'b'], 7);"
            f"return {json.dumps(steps)}.map(([time, row]) => {{ t.push(time, row);"
            "  return t.since(-Infinity, ['b', 'a']).map((c) => [...c]); })"
        )
        for (time, row), seen in zip(steps, self.browser.run_async(script)):
            if rows and time < rows[-1][0]:
                rows = []
            if rows and time == rows[-1][0]:
                rows.pop()
            rows = (rows + [(time, *row)])[-keep:]
            self.assertEqual(
                seen, [[r[0] for r in rows], [r[2] for r in rows], [r[1] for r in rows]]
            )

    def test_all_time_is_all_that_came_since_a_part_was_held(self):
        seen = self.browser.run_async(
            "const { TimeView } = await import('/time_view.js');"
            "const { Traces } = await import('/traces.js');"
            "const feed = { traces: new Traces(['a'], 4) }; const view = new TimeView(feed);"
            "const all = () => { view.showAll(); return [view.from, view.to]; };"
            "feed.traces.push(8, [1]); feed.traces.push(9, [1]);"
            "const held = all();"
            "feed.traces = feed.traces.withPast([6, 7], [[1], [1]]);"
            "const withPast = all();"
            # What is held is forgotten by the feed, and not by who holds it.
            "for (let t = 10; t < 14; ++t) feed.traces.push(t, [1]);"
            "return [held, withPast, all()];"
        )
        self.assertEqual(seen, [[8, 9], [6, 9], [6, 9]])

    def test_samples_still_on_their_way_when_the_past_was_told_do_not_end_it(self):
        seen = self.browser.run_async(
            "const { Traces } = await import('/traces.js'); let t = new Traces(['a'], 100);"
            "t.push(4, [4]);"
            "t = t.withPast([1, 2, 3, 5, 6, 7], [[-1], [-2], [-3], [-5], [-6], [-7]]);"
            "t.push(6, [6]); t.push(8, [8]);"
            "return t.since(-Infinity, ['a']).map((c) => [...c]);"
        )
        self.assertEqual(seen, [[1, 2, 3, 5, 6, 8], [-1, -2, -3, -5, 6, 8]])

    def test_traces_show_from_an_instant_on(self):
        seen = self.browser.run_async(
            "const { Traces } = await import('/traces.js'); const t = new Traces(['a'], 100);"
            "for (let i = 0; i < 10; ++i) t.push(i, [10 * i]);"
            "return [-5, 0, 4.5, 5, 99].map((from) => [...t.since(from, ['a'])[0]])"
        )
        # With the sample before it, so that the line begins at the edge.
        self.assertEqual(
            seen, [list(range(10)), list(range(10)), list(range(4, 10)), list(range(4, 10)), [9]]
        )

    def test_traces_of_other_signals_keep_what_is_known(self):
        seen = self.browser.run_async(
            "const { Traces } = await import('/traces.js'); const t = new Traces(['a', 'b'], 4);"
            "for (let i = 0; i < 6; ++i) t.push(i, [i, -i]);"
            "const other = t.withNames(['c', 'b']).since(-Infinity, ['b', 'c']);"
            "return other.map((c) => [...c].map(String))"
        )
        self.assertEqual(seen, [["2", "3", "4", "5"], ["-2", "-3", "-4", "-5"], ["NaN"] * 4])

    def test_a_parameter_that_comes_into_view_keeps_its_value_until_a_newer_one_is_told(self):
        seen = self.browser.run_async(
            "const { parametersPanel } = await import('/parameters.js');"
            "let list, seen, told;"
            "const values = Object.assign(new EventTarget(), {"
            "  watch: (names) => (seen = names), of: (name) => told[name] });"
            "parametersPanel({ on: (_, f) => (list = f) }, values);"
            "list({ parameters: [{ name: 'k', value: 7, start: 1, unit: '1' }] });"
            "const form = document.getElementById('parameter-k-form');"
            "form.scrollIntoView();"
            "while (seen().length === 0) await new Promise((next) => setTimeout(next, 10));"
            "return [{}, { 'parameter:k': 8 }].map((newest) => {"
            "  told = newest; values.dispatchEvent(new Event('values'));"
            "  return form.querySelector('.value').textContent; })"
        )
        self.assertEqual(seen, ["7", "8"])

    def with_moment(self, script):
        """Of a moment `m`, of a run whose signal a is 10 times the time, known from 0 s to 20 s."""
        return self.browser.run_async(
            "const { Traces } = await import('/traces.js');"
            "const { TimeView } = await import('/time_view.js');"
            "const { Moment } = await import('/moment.js');"
            "const feed = { traces: new Traces(['a'], 1000) };"
            "const run = (from, to) => { for (let t = from; t <= to; ++t) feed.traces.push(t, [10 * t]); };"
            "run(0, 20);"
            "const view = new TimeView(feed); const m = new Moment(feed, view);" + script
        )

    def test_the_instant_that_is_shown_is_within_what_is_known(self):
        seen = self.with_moment(
            "return [5.5, -3, 99, 20].map((time) => { m.go(time); return [m.at, m.valueOf('a'), m.valueOf('b')].map(String); })"
        )
        # Between two samples there is the one before.
        self.assertEqual(
            seen, [["5.5", "50", "NaN"], ["0", "0", "NaN"], ["20", "200", "NaN"], ["20", "200", "NaN"]]
        )

    def test_what_is_now_goes_on_while_the_past_is_shown(self):
        seen = self.with_moment(
            "const told = () => [m.at, m.to, m.now, m.valueOf('a'), view.held !== null];"
            "const all = [told()]; m.go(5); run(21, 30); all.push(told()); m.live(); all.push(told());"
            "return all"
        )
        self.assertEqual(
            seen, [[None, 20, 20, 200, False], [5, 20, 30, 50, True], [None, 30, 30, 300, False]]
        )

    def test_where_the_held_picture_is_given_up_now_is_shown(self):
        self.assertEqual(self.with_moment("m.go(5); view.follow(2); return [m.at, m.playing]"), [None, False])

    def test_the_plots_show_the_part_in_which_the_instant_is(self):
        seen = self.with_moment(
            "const told = [];"
            "for (const t of [15, 12, 2, 3]) { m.go(t); told.push([view.from, view.to]); } return told"
        )
        # Ten seconds that do not move while it is in them; three quarters of them before it.
        self.assertEqual(seen, [[10, 20], [10, 20], [-5.5, 4.5], [-5.5, 4.5]])

    def test_playing_ends_where_it_has_caught_up(self):
        seen = self.with_moment(
            "const told = []; const now = () => told.push([m.at, m.playing]);"
            "m.play(true); now();"  # now there is nothing to play
            "m.go(10); m.play(true, 2); m.pass(1); now(); m.play(false); m.pass(1); now();"
            "m.play(true); run(21, 30); m.pass(5); now(); m.pass(4); now();"
            "return told"
        )
        self.assertEqual(seen, [[None, False], [12, True], [12, False], [22, True], [None, False]])

    def test_playing_ends_where_it_was_to_end(self):
        seen = self.with_moment(
            "const told = []; const now = () => told.push([m.at, m.playing]);"
            "m.go(5); m.play(true, 2, 8); m.pass(1); now(); m.pass(0.5); now();"
            "m.go(5); m.play(true, 2); m.pass(3); now(); return told"  # not another time
        )
        self.assertEqual(seen, [[7, True], [None, False], [11, True]])

    def test_a_page_follows_what_all_are_to_show(self):
        """What it shows, whether it plays, which one it follows; after each of what happens."""
        seen = self.with_moment(
            "const { Follower } = await import('/show.js'); const f = new Follower(m); const told = [];"
            "const to = (number, at_s = 5) => f.take({ number, from_s: 5, to_s: 8, speed: 2, at_s, by: null });"
            "for (const act of ["
            "  () => to(1), () => m.pass(1), () => to(1, 7), () => m.pass(0.5), () => to(1, 7.9),"  # its end
            "  () => to(2, 6), () => to(3, 5), () => f.take(null),"  # another, ended by who shows it
            "  () => to(4), () => m.live(), () => to(4),"  # left by a person
            "  () => f.leave(5), () => to(5),"  # shown by this page itself
            "]) { act(); told.push([m.at, m.playing, f.number]); } return told"
        )
        self.assertEqual(
            seen,
            [
                [5, True, 1], [7, True, 1], [7, True, 1], [None, False, None], [None, False, None],
                [6, True, 2], [5, True, 3], [None, False, None],
                [5, True, 4], [None, False, None], [None, False, None],
                [None, False, None], [None, False, None],
            ],
        )

    def test_who_shows_what_is_told(self):
        showing = {"from_s": 12.34, "to_s": 20.1, "by": None}
        self.assertEqual(
            self.evaluate("show.js", "m.showingWords(v)", showing, {**showing, "by": "tutor"}),
            [f"Somebody shows 12.3{THIN}s to 20.1{THIN}s", f"tutor shows 12.3{THIN}s to 20.1{THIN}s"],
        )

    def test_an_instant_is_told_with_how_long_it_is_ago(self):
        self.assertEqual(
            self.evaluate("moment_bar.js", "m.momentWords(...v)", [12.34, 20.5], [3, 100], [5, 4], [5, 5]),
            [
                f"12.34{THIN}s, 8.2{THIN}s ago",
                f"3.00{THIN}s, 1{THIN}min 37{THIN}s ago",
                f"5.00{THIN}s, of what was before",
                f"5.00{THIN}s, 0.0{THIN}s ago",
            ],
        )

    def test_parameters_of_the_past(self):
        said = self.browser.run_async(
            "const { ParametersThen } = await import('/moment.js');"
            "const at = (t, ...times) => times.map((time) => String(t.at('p', time)));"
            "const seen = (...rest) => { const t = new ParametersThen(); for (const s of [10, 11, 12, 13]) t.saw('p', s, 1);"
            "  for (const one of rest) one(t); return t; };"
            "return ["
            "at(new ParametersThen(), 0),"
            "at(seen(), 0, 10, 12.5, 99),"
            "at(seen((t) => t.set('p', 20, 2)), 12, 19.9, 20, 30),"
            # Told later than what was seen since.
            "at(seen((t) => t.saw('p', 20.5, 2), (t) => t.set('p', 20, 2)), 19.9, 20, 21),"
            # Seen at the end of the step before: not what it was set to.
            "at(seen((t) => t.set('p', 20, 2), (t) => t.saw('p', 20, 1)), 19, 20),"
            # Set before it was ever seen: not known before that.
            "at(seen((t) => t.set('p', 5, 1)), 4, 5, 6),"
            # All of them may have become others in between.
            "at(seen((t) => t.jump(20), (t) => t.saw('p', 21, 3)), 19, 20, 20.5, 21),"
            "at(seen((t) => t.jump(5)), 4, 6, 10),"
            # Of a run that went back to 11 s and on from there.
            "at(seen((t) => t.set('p', 12.8, 5), (t) => t.saw('p', 11.2, 1), (t) => t.saw('p', 14, 1)), 11.5, 13.5),"
            "]"
        )
        self.assertEqual(
            said,
            [
                ["NaN"],
                ["1", "1", "1", "1"],
                ["1", "1", "2", "2"],
                ["1", "2", "2"],
                ["1", "2"],
                ["NaN", "1", "1"],
                ["1", "3", "3", "3"],
                ["NaN", "1", "1"],
                ["1", "1"],
            ],
        )

    def found(self, names, *queries):
        """The labels that each query finds, best first."""
        items = [{"label": n, "kind": "output"} for n in names]
        script = (
            "const { search } = await import('/search.js');"
            f"const items = {json.dumps(items)};"
            f"return {json.dumps(queries)}.map((q) => search(items, q).map((i) => i.label))"
        )
        return self.browser.run_async(script)

    def test_any_of_a_thousand_is_found_first_by_three_keys(self):
        names = [f"pack.cell_{n:03}" for n in range(1000)]
        found = self.found(names, *[f"{n:03}" for n in range(1000)])
        self.assertEqual([labels[0] for labels in found], names)

    def test_what_is_found_is_in_the_order_of_likelihood(self):
        names = ["xspeedx", "motor.shaft_speed", "speed", "speedometer", "s.p.e.e.d", "motor.speed", "torque"]
        self.assertEqual(
            self.found(names, "speed", "SHAFT mot", "mss", "q", "zz"),
            [
                ["speed", "motor.speed", "motor.shaft_speed", "speedometer", "s.p.e.e.d", "xspeedx"],
                ["motor.shaft_speed"],
                ["motor.shaft_speed"],
                ["torque"],
                [],
            ],
        )

    def test_tables_are_read_from_csv(self):
        good = "time, volts\n# of a drive\n0,1.5\n0.5; -2\n1e1\t3\n"
        self.assertEqual(
            self.evaluate("table.js", "m.parseTable(v)", good),
            [{"times_s": [0, 0.5, 10], "values": [1.5, -2, 3]}],
        )
        fails = ["0,1\n1,x\n", "0,1,2\n1,2,3\n", "", "t,v\n", "0,1\n2\n"]
        said = self.evaluate(
            "table.js",
            "{ try { return m.parseTable(v) } catch (e) { return e.message } }".join(
                ["(() => ", ")()"]
            ),
            *fails,
        )
        expected = ["line 2", "line 2", "no such line", "no such line", "line 2"]
        for words, expected in zip(said, expected):
            self.assertIn(expected, words)

    def test_verdicts(self):
        """Statuses a second apart; the verdict after the last."""
        base = {
            "state": "running",
            "steps": 0,
            "sim_time_s": 0,
            "overruns": {"total": 0},
            "slips": 0,
            "over_budget": 0,
            "utilisation": {"p99": 0.1, "limit": 0.8},
        }
        about = lambda of, level, words: {"of": of, "is": "x", "level": level, "words": words}
        later = lambda **changes: [
            {**base, "steps": 9},
            {**base, "steps": 99, "sim_time_s": 1, **changes},
        ]
        cases = [
            (later(), "good", "Keeping up"),
            (later(overruns={"total": 2}), "bad", "2 overruns"),
            (later(overruns={"total": 1}, slips=1), "bad", "1 frame given up"),
            (later(utilisation={"p99": 0.9, "limit": 0.8}), "fair", f"90{THIN}%"),
            (later(over_budget=3), "fair", "3 frames over budget"),
            (later(state="frozen"), "none", "held"),
            # What the run tells of itself counts: no better than its worst.
            (later(told=[about("run", "fair", "frozen, by x")], state="frozen"), "none", "by x"),
            (later(told=[about("outputs", "fair", "disarmed")]), "fair", "Keeping up"),
            (later(told=[about("recording", "bad", "losing")]), "bad", "Keeping up"),
            (later(told=[about("outputs", "quiet", "armed")]), "good", "Keeping up"),
            (later(state="ended", ending={"words": "Done.", "exit_code": 0}), "none", "Done. Exit"),
            (later(state="ended", ending={"words": "Oh.", "exit_code": 3}), "bad", "code 3"),
            # Another run has begun: the counts of the one before say nothing.
            ([{**base, "steps": 500}, {**base, "overruns": {"total": 3}}], "good", "Keeping up"),
        ]
        said = self.browser.run_async(
            "const { Pace } = await import('/pace.js');"
            "const { verdict } = await import('/verdict.js');"
            f"return {json.dumps([c[0] for c in cases])}.map((statuses) => {{"
            "  const pace = new Pace();"
            "  statuses.forEach((s, i) => pace.add(s, 1000 * i));"
            "  return verdict(statuses.at(-1), pace); })"
        )
        for (_, level, words), found in zip(cases, said):
            self.assertEqual(found["level"], level)
            self.assertIn(words, found["words"])

    def test_the_pace_is_that_of_the_last_ten_seconds(self):
        factors = self.browser.run_async(
            "const { Pace } = await import('/pace.js'); const pace = new Pace(); const seen = [];"
            "for (let i = 0; i <= 40; ++i) {"
            "  pace.add({ state: 'running', steps: i, slips: 0, over_budget: 0,"
            "  overruns: { total: 0 }, sim_time_s: i <= 20 ? i / 2 : i - 10 }, 1000 * i);"
            "  seen.push(String(pace.realTimeFactor)); } return seen"
        )
        self.assertEqual(factors[:2], ["NaN", "NaN"])
        self.assertEqual(set(factors[2:21]), {"0.5"})
        self.assertEqual(set(factors[30:]), {"1"})

    def test_the_pace_of_a_page_that_was_not_looked_at_begins_anew(self):
        seen = self.browser.run_async(
            "const { Pace } = await import('/pace.js'); const pace = new Pace();"
            "for (const at of [0, 500, 60000, 60500]) pace.add({ state: 'running', steps: at,"
            "  slips: 0, over_budget: 0, overruns: { total: at }, sim_time_s: 0 }, at);"
            "return pace.grown('overruns')"
        )
        self.assertEqual(seen, 500)
