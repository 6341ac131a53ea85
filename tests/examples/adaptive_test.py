# SPDX-License-Identifier: Apache-2.0
"""The adaptive laws of config/uses/adaptive against solutions that are worked out here, and what docs/examples.md
says of them.

    adaptive_test.py HILD MODELS               MODELS: the folder of the example's plug-ins
    adaptive_test.py HILD MODELS --draw FILE   draws docs/pictures/adaptive.svg anew
    adaptive_test.py HILD MODELS --table       prints the table of docs/examples.md
"""
import csv
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = TOP / "config/uses/adaptive"
PAGE = TOP / "docs/examples.md"
PICTURE = TOP / "docs/pictures/adaptive.svg"
HILD, MODELS = (pathlib.Path(word).resolve() for word in sys.argv[1:3])

# Of adaptive.yaml and changed.yaml.
AM = BM = 10.0
A, B, B_CHANGED = 5.0, 5.0, 15.0


# ---- hild ----------------------------------------------------------------------------------------


def plugins(law):
    return [f"models.reference.plugin={MODELS}/first_order.so", f"models.plant.plugin={MODELS}/first_order.so",
            f"models.law.plugin={MODELS}/{law}.so"]


def called(command, *words, settings=()):
    return subprocess.run([HILD, command, *map(str, words), *(w for s in settings for w in ("--set", s))],
                          capture_output=True, text=True, check=False)


def columns(text):
    """The columns of a table by their names without units; rows with an empty place are left out."""
    header, *rows = csv.reader(text.splitlines())
    rows = [[float(value) for value in row] for row in rows if "" not in row]
    return {name.split(" ")[0]: [row[i] for row in rows] for i, name in enumerate(header)}


def good(done):
    if done.returncode != 0:
        raise AssertionError(f"{done.args}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run_offline(law, settings, duration, config="changed.yaml"):
    """The outputs of an offline run; None where the plant went to where no plant can be."""
    with tempfile.TemporaryDirectory(prefix="hild-adaptive-") as folder:
        log = f"{folder}/run.mcap"
        done = called("run", EXAMPLE / config, "--offline", "--duration", duration,
                      settings=[*plugins(law), *settings, f"record={{file: {log}}}"])
        if done.returncode == 2 and "plausible" in done.stdout:
            return None
        good(done)
        return columns(good(called("export", log, "--signals", "outputs")))


def sine(omega):
    """The inputs, of which none is rounded."""
    source = f"resolution: 0, source: {{sine: {{amplitude: 1 V, frequency: {omega / (2 * math.pi)!r} Hz}}}}"
    return ("inputs={reference.u: {device: rig, channel: 0, %s}, law.command: {device: rig, channel: 1, %s}, "
            "law.plant: {device: daq, channel: 0, of: plant}}" % (source, source))


def simulated(law, settings, duration, interval):
    """The solution of hild's own equations, all connected at every instant."""
    return columns(good(called("simulate", EXAMPLE / "changed.yaml", "--duration", duration, "--interval", interval,
                               "--rtol", "1e-11", "--atol", "1e-13", settings=[*plugins(law), *settings])))


# ---- by hand -------------------------------------------------------------------------------------


def runge_kutta(f, x, t, h, steps):
    """The state after so many classical steps of h."""
    def moved(by, k):
        return [a + by * b for a, b in zip(x, k)]
    for n in range(steps):
        at = t + n * h
        k1 = f(at, x)
        k2 = f(at + h / 2, moved(h / 2, k1))
        k3 = f(at + h / 2, moved(h / 2, k2))
        k4 = f(at + h, moved(h, k3))
        x = [a + h / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(x, k1, k2, k3, k4)]
    return x


def loop(law, gain, omega, b=B_CHANGED, weight=0.0):
    """The whole loop: ym, y, t1, t2, f1, f2."""
    def derivatives(t, x):
        ym, y, t1, t2, f1, f2 = x
        uc = math.sin(omega * t)
        e = y - ym
        if law == "lyapunov":
            d1, d2 = -gain * uc * e, gain * y * e
        else:
            n = 1 + weight * (f1 * f1 + f2 * f2)
            d1, d2 = -gain * f1 * e / n, gain * f2 * e / n
        return [BM * uc - AM * ym, b * (t1 * uc - t2 * y) - A * y, d1, d2, AM * (uc - f1), AM * (y - f2)]
    return derivatives


def growth_of_a_period(law, gain, omega):
    """The spectral radius of what a period of a sine makes of small deviations from the right gains (Floquet): below 1
    they die out, above 1 the law is unstable. The right gains make y = ym, so that all coefficients are sines."""
    def lagged(amplitude, phase, pole, numerator):
        return amplitude * numerator / math.hypot(pole, omega), phase - math.atan2(omega, pole)
    ym = lagged(1.0, 0.0, AM, BM)
    f1 = lagged(1.0, 0.0, AM, AM)
    f2 = lagged(*ym, AM, AM)
    first, second = ((1.0, 0.0), ym) if law == "lyapunov" else (f1, f2)

    def derivatives(t, x):
        def at(wave):
            return wave[0] * math.sin(omega * t + wave[1])
        e, d1, d2 = x
        return [-AM * e + B * (math.sin(omega * t) * d1 - at(ym) * d2), -gain * at(first) * e, gain * at(second) * e]
    steps = 1000
    h = 2 * math.pi / omega / steps
    images = [runge_kutta(derivatives, [float(i == j) for j in range(3)], 0.0, h, steps) for i in range(3)]
    matrix = [[images[j][i] for j in range(3)] for i in range(3)]
    logarithm = 0.0
    for doubling in range(30):  # the root of a high power
        size = max(abs(v) for row in matrix for v in row)
        logarithm += math.log(size) / 2 ** doubling
        matrix = [[v / size for v in row] for row in matrix]
        matrix = [[sum(matrix[i][k] * matrix[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    return math.exp(logarithm)


def peaks(rows, period, first, last):
    """The largest error of each of these periods."""
    return [max(abs(e) for t, e in zip(rows["time"], rows["output.law.error"]) if n * period <= t < (n + 1) * period)
            for n in range(first, last + 1)]


# ---- what the page shows -------------------------------------------------------------------------

LAWS = (("lyapunov", 20), ("lyapunov", 50), ("mit_rule", 20), ("mit_rule", 50))
LATE = ("connections=[{from: reference.y, to: law.reference, extrapolation: linear}, "
        "{from: plant.y, to: law.plant, extrapolation: linear, delay: frame}, {from: law.control, to: plant.u}]")
ROWS = (("none", []), ("every 10th step", ["devices.rig.stall={for: 12 ms, every: 10}"]),
        ("every 3rd step", ["devices.rig.stall={for: 12 ms, every: 3}"]),
        ("none, but y comes a frame late", [LATE]))


def adaptation(gain):
    return f"models.law.parameters.adaptation={gain} 1/(V2 s)"


def table():
    """The largest error of the last period of 20 s, of each law under each disturbance; whether it was lost."""
    lines = []
    for name, settings in ROWS:
        cells = []
        for law, gain in LAWS:
            rows = run_offline(law, [*settings, adaptation(gain)], 20)
            left = rows and max(abs(e) for t, e in zip(rows["time"], rows["output.law.error"]) if t > 18)
            cells.append("lost" if left is None or left > 0.5 else f"{1000 * left:.2g} mV" if left >= 1e-5 else "below 0.01 mV")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def curve(rows, name, x_of, y_of, colour, dashed=False):
    points = " ".join(f"{x_of(t):.1f},{y_of(v):.1f}" for t, v in list(zip(rows["time"], rows[name]))[::5])
    dash = ' stroke-dasharray="5 3"' if dashed else ""
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.2"{dash}/>'


def words(text, x, y, anchor="start", size=12, colour="#222"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" fill="{colour}">{text}</text>'


def panel(title, left, low, high, ticks, duration):
    """A frame with its axes; and where a time and a value are in it."""
    width, top, height = 360, 40, 190

    def x_of(t):
        return left + width * t / duration

    def y_of(v):
        return top + height * (high - min(max(v, low), high)) / (high - low)
    out = [words(title, left, top - 14, size=13),
           f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#999"/>']
    for v in ticks:
        out.append(f'<line x1="{left}" x2="{left + width}" y1="{y_of(v):.1f}" y2="{y_of(v):.1f}" stroke="#e4e4e4"/>')
        out.append(words(f"{v:g}", left - 6, y_of(v) + 4, "end", 11, "#555"))
    for t in range(0, duration + 1, 4):
        out.append(words(f"{t} s" if t == duration else str(t), x_of(t), top + height + 16, "middle", 11, "#555"))
    return out, x_of, y_of


def picture():
    """What both laws make of a plant whose gain has just become three times as large, at one adaptation gain."""
    duration = 16
    runs = [("Lyapunov", "#0072b2", run_offline("lyapunov", [adaptation(50)], duration)),
            ("MIT rule", "#d55e00", run_offline("mit_rule", [adaptation(50)], duration))]
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 290" width="860" font-family="sans-serif">',
           '<rect width="100%" height="100%" fill="#fff"/>']
    drawn, x_of, y_of = panel("Tracking error e = y - ym, in V", 50, -2.6, 2.6, (-2, -1, 0, 1, 2), duration)
    out += drawn + [curve(rows, "output.law.error", x_of, y_of, colour) for _, colour, rows in runs]
    drawn, x_of, y_of = panel("Gains, of uc and (dashed) of y", 480, -1.0, 14.0, (0, 4, 8, 12), duration)
    out += drawn
    for _, colour, rows in runs:
        out.append(curve(rows, "output.law.feedforward", x_of, y_of, colour))
        out.append(curve(rows, "output.law.feedback", x_of, y_of, colour, dashed=True))
    for n, (name, colour, _) in enumerate(runs):
        x = 50 + 120 * n
        out.append(f'<line x1="{x}" x2="{x + 24}" y1="272" y2="272" stroke="{colour}" stroke-width="2"/>')
        out.append(words(name, x + 30, 276))
    return "\n".join([*out, "</svg>"]) + "\n"


# ---- tests ---------------------------------------------------------------------------------------


class Laws(unittest.TestCase):
    """The plug-ins are the equations of the page."""

    def follows(self, law, settings, **of_the_loop):
        omega, duration, h = 5.0, 2.0, 2.5e-4
        rows = simulated(law, [sine(omega), adaptation(20), *settings], duration, 0.25)
        f = loop(law, 20, omega, **of_the_loop)
        x = [0.0, 0.0, 2.0, 1.0, 0.0, 0.0]
        for n, t in enumerate(rows["time"]):
            expected = {"reference.y": x[0], "plant.y": x[1], "law.error": x[1] - x[0], "law.feedforward": x[2],
                        "law.feedback": x[3], "law.control": x[2] * math.sin(omega * t) - x[3] * x[1]}
            for name, value in expected.items():
                self.assertAlmostEqual(rows["output." + name][n], value, delta=1e-7, msg=f"{law}, {name} at {t} s")
            x = runge_kutta(f, x, t, h, round(0.25 / h))
        self.assertEqual(len(rows["time"]), 9)
        self.assertGreater(max(abs(t1 - 2) for t1 in rows["output.law.feedforward"]), 0.25, "it hardly adapts")

    def test_lyapunov(self):
        self.follows("lyapunov", [])

    def test_mit_rule(self):
        self.follows("mit_rule", [])

    def test_normalized_mit_rule(self):
        self.follows("mit_rule", ["models.law.parameters.normalization=3 1/V2"], weight=3.0)

    # Models meet at ticks only: what is held in between is off by a part of a frame.
    def test_a_run_comes_nearer_as_frames_become_shorter(self):
        exact = simulated("lyapunov", [sine(5.0)], 4, 0.02)
        gains = dict(zip((round(t, 6) for t in exact["time"]), exact["output.law.feedforward"]))
        off = []
        for frame in (4, 2, 1):
            rows = run_offline("lyapunov", [sine(5.0), f"frame.period={frame} ms"], 4)
            both = [(v, gains[round(t, 6)]) for t, v in zip(rows["time"], rows["output.law.feedforward"])
                    if round(t, 6) in gains]
            self.assertGreater(len(both), 150)
            off.append(max(abs(a - b) for a, b in both))
        self.assertLess(off[0], 0.05)
        for longer, shorter in zip(off, off[1:]):
            self.assertAlmostEqual(longer / shorter, 2, delta=0.3)


class Stability(unittest.TestCase):
    """With one adaptation gain the MIT rule loses the plant it knew the gains of; Parks' law does not, with any."""
    OMEGA, GAIN = 20.0, 200

    def error_of(self, law, deviation, first, last):
        period = 2 * math.pi / self.OMEGA
        rows = simulated(law, [sine(self.OMEGA), adaptation(self.GAIN), "models.plant.parameters={b: 5 1/s}",
                               f"models.law.initial={{feedforward: {2 + deviation!r}, feedback: 1}}"],
                         f"{(last + 1) * period:.3f}", 0.003)
        return peaks(rows, period, first, last)

    def test_a_period_makes_of_a_deviation_what_floquet_says(self):
        for law, deviation, first, last in (("mit_rule", 1e-6, 12, 28), ("lyapunov", 1e-3, 2, 9)):
            expected = growth_of_a_period(law, self.GAIN, self.OMEGA)
            seen = self.error_of(law, deviation, first, last)
            mean = (seen[-1] / seen[0]) ** (1 / (last - first))
            self.assertAlmostEqual(mean / expected, 1, delta=0.05, msg=f"{law}: {seen}")

    def test_one_is_stable_for_every_gain_the_other_up_to_one(self):
        for gain in (20, 50, 200, 1000):
            self.assertLess(growth_of_a_period("lyapunov", gain, self.OMEGA), 1, gain)
        for gain, unstable in ((20, False), (50, False), (200, True), (1000, True)):
            self.assertEqual(growth_of_a_period("mit_rule", gain, self.OMEGA) > 1, unstable, gain)

    def test_a_run_shows_the_same(self):
        settings = [sine(self.OMEGA), adaptation(self.GAIN), "frame.period=500 us", "accuracy={limit: none}",
                    "models.plant.parameters={b: 5 1/s}", "models.law.initial={feedforward: 2.01, feedback: 1}"]
        left = {law: max(abs(e) for t, e in zip(rows["time"], rows["output.law.error"]) if t > 9)
                for law in ("lyapunov", "mit_rule") for rows in [run_offline(law, settings, 10)]}
        self.assertLess(left["lyapunov"], 1e-3)
        self.assertGreater(left["mit_rule"], 0.05)


class RealPart(unittest.TestCase):
    """The plant is at its converters by one word."""
    SIMULATED_CARD = ["models.plant.part=real", "devices.daq.driver=sim"]

    def test_the_plan_has_its_channels_in_the_place_of_the_model(self):
        with tempfile.TemporaryDirectory(prefix="hild-adaptive-") as folder:
            log = f"{folder}/run.mcap"
            good(called("run", EXAMPLE / "adaptive.yaml", "--offline", "--duration", "1",
                        settings=[*plugins("lyapunov"), *self.SIMULATED_CARD, f"record={{file: {log}}}"]))
            rows = columns(good(called("export", log)))
            again = good(called("replay", log))
        self.assertNotIn("output.plant.y", rows)
        self.assertIn("input.law.plant", rows)
        # Nothing is at the other end of the wire: y is 0, and the error what the model does.
        for y, e in zip(rows["output.reference.y"], rows["output.law.error"]):
            self.assertAlmostEqual(e, -y, delta=1e-3)
        self.assertGreater(max(rows["output.reference.y"]), 0.9)
        self.assertIn("to the bit", again)

    def test_what_is_wrong_is_told_with_its_place(self):
        for setting, expected in (
                ("models.plant.part=reel", "found \"reel\", expected `simulated` or `real`"),
                ("outputs={}", "nothing takes law.control in the place of connections[2]"),
                ("devices.daq.of=palnt", "did you mean \"plant\"?")):
            done = called("check", EXAMPLE / "adaptive.yaml",
                          settings=[*plugins("lyapunov"), *self.SIMULATED_CARD, setting])
            self.assertEqual(done.returncode, 1, setting)
            self.assertIn(expected, done.stderr)
        done = called("check", EXAMPLE / "adaptive.yaml",
                      settings=[*plugins("lyapunov"), "models.law.parameters.adaptation=-1 1/(V2 s)"])
        self.assertEqual(done.returncode, 1)
        self.assertIn("adaptation", done.stderr)


class Page(unittest.TestCase):
    def test_its_table_is_what_runs_give(self):
        page = PAGE.read_text()
        for line in table():
            self.assertIn(line, page, "adaptive_test.py HILD MODELS --table prints it anew")

    def test_its_picture_is_what_runs_give(self):
        self.assertEqual(PICTURE.read_text(), picture(), "`make pictures` draws it anew")


if __name__ == "__main__":
    if "--draw" in sys.argv:
        pathlib.Path(sys.argv[-1]).write_text(picture())
    elif "--table" in sys.argv:
        print("\n".join(table()))
    else:
        unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
