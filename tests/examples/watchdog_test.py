# SPDX-License-Identifier: Apache-2.0
"""The models of config/uses/watchdog against what filtering and Bayes say.

    watchdog_test.py HILD MODELS        MODELS: the folder of the example's plug-ins
"""
import csv
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = TOP / "config/uses/watchdog"
HILD, MODELS = (pathlib.Path(word).resolve() for word in sys.argv[1:3])

# Of hypothesis.cpp.
R, L, K, J, B = 1.0, 0.01, 0.05, 4e-4, 2e-5
TORQUE, SPEED_NOISE, CURRENT_NOISE, PERIOD = 1e-4, 1.0, 0.02, 2e-3


def called(*words):
    done = subprocess.run([HILD, *map(str, words)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def run_offline(text, duration, signals):
    """The last rows of an offline run of a configuration, by the names of their columns."""
    with tempfile.TemporaryDirectory(prefix="hild-watchdog-") as folder:
        path = pathlib.Path(folder) / "rig.yaml"
        path.write_text(f"{text}\nrecord: {{file: run.mcap}}\naccuracy: {{limit: none}}\n")
        called("run", path, "--offline", "--duration", duration)
        header, *rows = csv.reader(called("export", path.parent / "run.mcap", "--signals", signals).splitlines())
    rows = [[float(value) for value in row] for row in rows if "" not in row]
    return {name.split(" ")[0].split(".")[-1]: [row[i] for row in rows] for i, name in enumerate(header)}


def product(*matrices):
    first, *rest = matrices
    for m in rest:
        first = [[sum(a * b for a, b in zip(row, column)) for column in zip(*m)] for row in first]
    return first


def transposed(m):
    return [list(row) for row in zip(*m)]


class Hypothesis(unittest.TestCase):
    """The covariance of a filter that has settled is the solution of the algebraic Riccati equation, whose matrices are
    written down here."""

    def settled(self, parameters):
        x = run_offline(f"frame: {{rate: 500 Hz}}\nmodel: {{plugin: {MODELS}/hypothesis.so, parameters: {{{parameters}}}}}\n"
                        "integrator: {method: rk-4}", 60, "states")
        return {name: column[-1] for name, column in x.items()}

    def check(self, parameters, friction=1.0, sensor=1.0, wander=0.0):
        x = self.settled(parameters)
        p = [[x["p_ii"], x["p_iw"], x["p_id"]], [x["p_iw"], x["p_ww"], x["p_wd"]], [x["p_id"], x["p_wd"], x["p_dd"]]]
        a = [[-R / L, -K / L, 0], [K / J, -B * friction / J, 0], [0, 0, 0]]
        c = [[0, sensor, sensor], [1, 0, 0]]
        q = [[1e-2, 0, 0], [0, (TORQUE / J) ** 2, 0], [0, 0, wander ** 2]]
        inverse = [[1 / (SPEED_NOISE ** 2 * PERIOD), 0], [0, 1 / (CURRENT_NOISE ** 2 * PERIOD)]]
        ap = product(a, p)
        gained = product(p, transposed(c), inverse, c, p)
        for i in range(3):
            for j in range(3):
                left = ap[i][j] + ap[j][i] + q[i][j] - gained[i][j]
                size = abs(ap[i][j]) + abs(ap[j][i]) + q[i][j] + abs(gained[i][j])
                self.assertLess(abs(left), 1e-6 * size + 1e-12, (i, j))
        self.assertGreater(p[0][0] * p[1][1], p[0][1] ** 2)
        return x

    def test_settles_where_nothing_is_wrong(self):
        self.check("wander: 0 rad/s")

    def test_settles_with_more_friction(self):
        self.check("friction_factor: 5", friction=5.0)

    def test_settles_where_the_sensor_is_not_believed(self):
        self.check("sensor: 0", sensor=0.0)

    def test_settles_where_the_sensor_wanders(self):
        x = self.check("wander: 5 rad/s", wander=5.0)
        self.assertGreater(x["p_dd"], 0)

    def test_has_the_variance_of_one_state_by_itself(self):
        # Without a motor constant the speed is alone: p = R (a + sqrt(a^2 + q / R)).
        x = self.settled("constant: 0 N m/A")
        noise, rate, wanders = SPEED_NOISE ** 2 * PERIOD, -B / J, (TORQUE / J) ** 2
        self.assertAlmostEqual(x["p_ww"] / (noise * (rate + math.sqrt(rate ** 2 + wanders / noise))), 1, delta=1e-9)


class Isolation(unittest.TestCase):
    def test_is_by_bayes(self):
        # Of misfits that hold: l = -m memory / (2 period) (1 - exp(-t / memory)).
        misfits = {"nominal": 2.0, "stuck": 2.02, "drift": 2.15, "friction": 40.0, "actuator": 36.0}
        memory, prior = 0.2, 1e-3
        inputs = ", ".join(f"{name}: {{value: {m}}}" for name, m in misfits.items())
        x = run_offline(f"frame: {{rate: 500 Hz}}\nmodel: {{plugin: {MODELS}/isolation.so}}\n"
                        f"integrator: {{method: rk-4}}\ninputs: {{{inputs}}}", 1, "outputs")
        for n in (0, 10, 100, 499):
            t = x["time"][n]
            weights = {}
            for name, m in misfits.items():
                log = -min(m, 36.0) * memory / (2 * PERIOD) * (1 - math.exp(-t / memory))
                weights[name] = log + math.log(1 - 4 * prior if name == "nominal" else prior)
            most = max(weights.values())
            total = sum(math.exp(w - most) for w in weights.values())
            for name, w in weights.items():
                self.assertAlmostEqual(x[f"p_{name}"][n], math.exp(w - most) / total, delta=1e-6)
            self.assertEqual(x["named"][n], 0)

    def test_names_what_fits_best(self):
        names = ["nominal", "stuck", "drift", "friction", "actuator"]
        for number, name in enumerate(names):
            inputs = ", ".join(f"{other}: {{value: {2 if other == name else 4}}}" for other in names)
            x = run_offline(f"frame: {{rate: 500 Hz}}\nmodel: {{plugin: {MODELS}/isolation.so}}\n"
                            f"integrator: {{method: rk-4}}\ninputs: {{{inputs}}}", 1, "outputs")
            self.assertEqual(x["named"][-1], number)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
