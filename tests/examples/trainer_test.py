# SPDX-License-Identifier: Apache-2.0
"""The ship of config/uses/trainer against the solution of Nomoto's equation.

    trainer_test.py HILD MODELS        MODELS: the folder of the example's plug-ins
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = TOP / "config/uses/trainer"
HILD, MODELS = (pathlib.Path(word).resolve() for word in sys.argv[1:3])

# Of ship.cpp.
GAIN, LAG, SPEED, RATE = 0.185, 107.3, 7.7, 0.0405


def called(*words):
    done = subprocess.run([HILD, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def voyage(duration, *settings):
    """The outputs of an offline run, by their names, with `time`."""
    with tempfile.TemporaryDirectory(prefix="hild-trainer-") as folder:
        log = f"{folder}/run.mcap"
        words = [f"model.plugin={MODELS}/ship.so", f"record={{file: {log}}}", *settings]
        called("run", EXAMPLE / "trainer.yaml", "--offline", "--duration", duration,
               *(w for s in words for w in ("--set", s)))
        header, *rows = csv.reader(called("export", log, "--signals", "outputs").splitlines())
    rows = [[float(value) for value in row] for row in rows if "" not in row]
    return {name.split(" ")[0].removeprefix("output."): [row[i] for row in rows] for i, name in enumerate(header)}


def track(rudder, end, steps=20000):
    """North and east after `end`, by Simpson's rule over the heading that is known."""
    def heading(t):
        return GAIN * rudder * (t - LAG * (1 - math.exp(-t / LAG)))
    h = end / steps
    sums = [0.0, 0.0]
    for n in range(steps + 1):
        weight = h / 3 * (1 if n in (0, steps) else 4 if n % 2 else 2)
        sums[0] += weight * SPEED * math.cos(heading(n * h))
        sums[1] += weight * SPEED * math.sin(heading(n * h))
    return sums


class Ship(unittest.TestCase):
    def test_turns_as_nomotos_equation_says(self):
        rudder = 0.1
        ship = voyage(300, f"model.initial={{rudder: {rudder} rad}}",
                      f"model.parameters={{rudder_order: {rudder} rad}}")
        for n in range(0, len(ship["time"]), 500):
            t = ship["time"][n]
            turn = GAIN * rudder * (1 - math.exp(-t / LAG))
            self.assertAlmostEqual(ship["yaw_rate"][n], turn, delta=1e-9)
            self.assertAlmostEqual(ship["heading"][n], GAIN * rudder * t - LAG * turn, delta=1e-7)
        north, east = track(rudder, ship["time"][-1])
        self.assertAlmostEqual(ship["north"][-1], north, delta=1e-3)
        self.assertAlmostEqual(ship["east"][-1], east, delta=1e-3)

    def test_holds_her_course_where_the_rudder_balances_the_wind(self):
        ship = voyage(100, "model.initial={rudder: 0.05 rad}", "model.parameters={rudder_order: 0.05 rad}",
                      "inputs={wind_bias: {value: 0.05 rad}, current_east: {value: 0.5 m/s}}")
        self.assertEqual(max(map(abs, ship["heading"])), 0)
        self.assertAlmostEqual(ship["east"][-1], 0.5 * ship["time"][-1], delta=1e-9)
        self.assertAlmostEqual(ship["north"][-1], SPEED * ship["time"][-1], delta=1e-7)

    def test_puts_the_rudder_over_at_a_limited_rate(self):
        ship = voyage(40, "model.parameters={rudder_order: 35 deg}")
        order = math.radians(35)
        # Within a second of the order it comes nearer by the part that is left.
        slows = (order - RATE) / RATE
        for t, rudder in zip(ship["time"], ship["rudder"]):
            expected = RATE * t if t <= slows else order - RATE * math.exp(slows - t)
            self.assertAlmostEqual(rudder, expected, delta=1e-4)
        # As SOLAS asks: from 35 deg on one side to 30 deg on the other in 28 s.
        hard_over = voyage(60, "model.initial={rudder: -35 deg}", "model.parameters={rudder_order: 35 deg}")
        at = next(t for t, rudder in zip(hard_over["time"], hard_over["rudder"]) if rudder >= math.radians(30))
        self.assertLessEqual(at, 28.5)

    def test_is_slower_to_turn_at_half_the_speed(self):
        # T and 1/K in proportion to 1/speed: the turn by the same rudder, over the same way, is the same.
        settings = ("model.initial={rudder: 0.1 rad, speed: %s m/s}",
                    "model.parameters={rudder_order: 0.1 rad, speed_order: %s m/s}")
        whole = voyage(100, *(s % SPEED for s in settings))
        half = voyage(200, *(s % (SPEED / 2) for s in settings))
        self.assertAlmostEqual(half["heading"][-1], whole["heading"][-1], delta=1e-6)
        self.assertAlmostEqual(half["north"][-1], whole["north"][-1], delta=1e-3)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
