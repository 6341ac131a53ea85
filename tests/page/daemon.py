# SPDX-License-Identifier: Apache-2.0
"""A hild that runs a motor at 50 Hz, slow enough for any machine under any load."""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time

PATIENCE = 300  # s
PROGRAM = os.environ.get("HILD_PROGRAM", "build/hild")

# The motor at rest has no current, so its speed is voltage / constant: 100 rad/s.
VOLTAGE = 5
CONSTANT = 0.05
CONFIGURATION = """
frame: {{rate: 50 Hz, clock: sleep, priority: 0}}
model:
  type: dc-motor
  parameters: {{resistance: 1 ohm, inductance: 0.1 H, constant: {constant} N m/A,
               inertia: 1e-3 kg m2, friction: 0 N m s/rad}}
integrator: {{method: rtam-2, sampling: stage}}
devices: {{rig: {{driver: sim, image: {image}}}}}
inputs:
  armature_voltage: {{device: rig, channel: 0, scale: 1 V/V, source: {{constant: {voltage} V}}}}
outputs:
  shaft_speed: {{device: rig, channel: 0, scale: 20 rad/s/V, safe: 0 V}}
  current: {{device: rig, channel: 1, scale: 2 A/V, safe: 0 V}}
overrun: {{policy: double, then: continue, standstill: 60 s}}
safety: {{within: 60 s}}  # a machine that stalls is no run that hangs, nor is one that is held
control: {{socket: {socket}, http: "127.0.0.1:{port}"{more}}}
"""

# Of each motor 2 inputs, 3 outputs, 2 states and 5 parameters.
ITEMS_OF_A_MOTOR = 12


def many_motors(configuration, motors):
    """The same run of so many motors, of which the first is wired as it was."""
    model = re.search(r"model:\n(  .*\n)+", configuration)[0]
    one = re.sub(r"\s+", " ", model.removeprefix("model:")).strip().replace("dc-motor ", "dc-motor, ")
    named = "".join(f"  m{i:03}: {{{one}, integrator: {{method: rtam-2}}}}\n" for i in range(motors))
    text = configuration.replace(model, "models:\n" + named)
    text = re.sub(r"(?m)^integrator: .*\n", "", text)
    return re.sub(r"(?m)^  (armature_voltage|shaft_speed|current):", r"  m000.\1:", text)


class Daemon:
    def __init__(self, more=""):
        """`more`: further keys of `control`, as `, writing: false`."""
        self._folder = tempfile.TemporaryDirectory(prefix="hild-page-")
        self.folder = pathlib.Path(self._folder.name)
        self.port = 0  # any that is free, and the same from then on
        self._image = self.folder.name
        self._config = self.folder / "motor.yaml"
        self._process = None
        self._recorded = ""
        self.options = []  # of `hild run`
        self.configure(more)

    def record(self):
        """Whatever it does, from its start on."""
        self._recorded = f"record: {{file: {self.folder / 'run.mcap'}, keyframes: 0.5 s}}\n"
        self.configure(self._more)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def configure(self, more):
        self._more = more
        if "given-token" not in more:
            self.token = None
        self._config.write_text(
            CONFIGURATION.format(
                image=self._image,
                port=self.port,
                socket=self.folder / "socket",
                constant=CONSTANT,
                voltage=VOLTAGE,
                more=more,
            )
            + self._recorded
        )

    def give_token(self):
        """One that it will ask for, as `token`; until it is configured anew without it."""
        token = "let-me-in-0123456789abcdefghijklmnop"
        file = self.folder / "given-token"
        file.touch(mode=0o600)
        file.write_text(token + "\n")
        self.configure(self._more + f", token_file: {file}")
        self.token = token

    def start(self):
        """Returns when it serves. Where its port was taken by another meanwhile it is waited for."""
        end = time.monotonic() + PATIENCE
        while not self._serves():
            said = self.said()
            self.stop()
            if "is in use" not in said or time.monotonic() > end:
                raise AssertionError(f"hild ended before it served:\n{said}")
            time.sleep(1)

    def said(self):
        return (self.folder / "log").read_text()

    def _serves(self):
        """Whether it comes to; not, when it has ended before."""
        self._log = open(self.folder / "log", "w")
        self._process = subprocess.Popen(
            [PROGRAM, "run", str(self._config), *self.options],
            stdin=subprocess.DEVNULL,
            # What it keeps, as dashboards, is gone with its folder.
            env={**os.environ, "STATE_DIRECTORY": str(self.folder / "state")},
            stdout=self._log,
            stderr=self._log,
        )
        while True:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", self.said()):
                if self.port == 0:
                    self.port = int(found[1])
                    self.configure(self._more)
                return True
            try:
                self._process.wait(timeout=0.05)
                return False
            except subprocess.TimeoutExpired:
                pass

    def hold(self, frames):
        """Stops the process for so many frames of 20 ms at least, so that it wakes late."""
        self._process.send_signal(signal.SIGSTOP)
        end = time.monotonic() + 0.02 * frames
        while time.monotonic() < end:
            time.sleep(0.01)
        self._process.send_signal(signal.SIGCONT)

    def wait(self):
        """Its exit code, once it has ended by itself."""
        return self._process.wait(timeout=PATIENCE)

    def stop(self):
        if self._process is None:
            return
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(timeout=PATIENCE)
        self._process = None
        self._log.close()

    def remove(self):
        self.stop()
        pathlib.Path("/dev/shm", self._image).unlink(missing_ok=True)
        self._folder.cleanup()
