# SPDX-License-Identifier: Apache-2.0
"""Watch and steer a run of hild from Python: JSON-RPC 2.0 over the daemon's Unix socket.

One file, the standard library only, Python 3.9 or later.

    from hild import Hild

    with Hild() as run:
        print(run.get("shaft_speed"))
        run.set(inertia="0.8 g m2")
        run.fault("shaft_speed", "stuck", 0)
        for sample in run.subscribe("shaft_speed", every=10):
            if sample.values["shaft_speed"] > 100:
                break
        run.release("shaft_speed")

    with Hild() as run, run.control():     # nobody else changes the run meanwhile
        run.set(inertia="0.8 g m2")

Values are numbers in the unit of the signal or parameter, or texts with a unit. What changes the
run answers an Effect: the step at whose start it took effect. An error of the daemon is a HildError
with its code and data; docs/control.md lists the methods and the codes.
"""

import json
import os
import pwd
import socket as _socket
import sys
from collections import deque
from typing import NamedTuple

__all__ = ["Hild", "HildError", "ControlTaken", "ConnectionLost", "RunEnded", "Effect", "Sample", "default_socket"]


class HildError(Exception):
    """The daemon refused: `code` as in docs/control.md, `data` more for programs."""

    def __init__(self, code, message, data=None):
        super().__init__(message)
        self.code = code
        self.data = data


class ControlTaken(HildError):
    """Another client has control of the run: `owner`, for `left_s` seconds more without a change."""

    def __init__(self, code, message, data=None):
        super().__init__(code, message, data)
        self.owner = (data or {}).get("owner")
        self.left_s = (data or {}).get("left_s")


class ConnectionLost(ConnectionError):
    """There is no daemon, or not any more."""


class RunEnded(ConnectionLost):
    """The run has ended, and told how: `outcome` ("requested", "overrun_limit", ...), `exit_code` of
    the daemon, `outputs_safe`. Raised to those that follow() the run or subscribe."""

    def __init__(self, ending):
        self.outcome = ending.get("outcome")
        self.exit_code = ending.get("exit_code")
        self.outputs_safe = ending.get("outputs_safe")
        super().__init__(f"the run has ended: {ending.get('words')} Exit code {self.exit_code}")


class Effect(NamedTuple):
    """The step at whose start a change took effect."""

    frame: int
    time_s: float


class Sample(NamedTuple):
    """One step of a subscription. `lost`: samples dropped before this one."""

    frame: int
    time_s: float
    values: dict
    lost: int


def default_socket():
    """Where hildctl looks too: $HILD_SOCKET, else where a daemon puts its socket."""
    named = os.environ.get("HILD_SOCKET")
    if named:
        return named
    directory = os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0]
    if directory:
        return directory + "/control.sock"
    if os.geteuid() == 0:
        return "/run/hild/control.sock"
    user = os.environ.get("XDG_RUNTIME_DIR")
    if user:
        return user + "/hild/control.sock"
    return f"/tmp/hild-{os.geteuid()}/control.sock"


class Hild:
    """A connection to a daemon. Not to be shared between threads.

    `timeout`: seconds to wait for a reply; a change asked for a later frame or time is waited for
    without limit. Every method that changes the run takes `at_frame` or `at_time` (seconds of
    simulated time) and, where derivatives may jump, `restart=True`.
    """

    def __init__(self, socket=None, timeout=5.0):
        self._path = socket or default_socket()
        self._timeout = timeout
        self._last_id = 0
        self._received = b""
        self._samples = {}  # by subscription: its names, and samples not yet taken
        self._gathering = None  # the changes of an open transaction
        self._following = False
        self._state = None  # what a follower was told last
        self._socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            self._socket.connect(self._path)
        except OSError as error:
            self._socket.close()
            raise ConnectionLost(
                f"no daemon at {self._path} ({error.strerror or error}): start one with `hild run "
                'CONFIG`, or name its socket: Hild("PATH") or $HILD_SOCKET'
            ) from error

    def close(self):
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    # ---- reading -------------------------------------------------------------------------------

    def status(self):
        """How the run is doing, as a dictionary."""
        return self.call("status")

    def state(self):
        """What the run is up to, as words by topic: run, outputs, alarms, faults, stimuli, recording, guard,
        access. `{"outputs": "armed: they follow the plant", ...}`."""
        return {topic["of"]: topic["words"] for topic in self.status().get("told", [])}

    def follow(self):
        """From now on this client is told how the run ends: what waits then raises RunEnded.
        Returns {"state": ..., "told": [...]}."""
        self._state = self.call("follow")
        self._following = True
        return self._state

    def list(self):
        """Parameters, inputs, outputs and states with names, units and values."""
        return self.call("list")

    def get(self, *names):
        """Values by name, all of one step; of all names when none is given."""
        return self.call("get", **({"names": list(names)} if names else {}))["values"]

    def models(self):
        return self.call("models")

    def histograms(self, *names):
        return self.call("histograms", **({"names": list(names)} if names else {}))

    def overruns(self, last=20, since_step=None, before=None):
        """The last steps that ended late, oldest first, each with its cause in words."""
        return self.call("overruns", **_given(last=last, since_step=since_step, before=before))["overruns"]

    def saved(self, slot=0):
        """The states and parameters a slot holds."""
        return self.call("saved", slot=slot)

    def methods(self):
        return self.call("methods")

    def rights(self):
        """What this connection may change: {writes, role, may}."""
        return self.call("rights")

    def subscribe(self, *names, every=None, idle=None):
        """A generator of a Sample for every `every`-th step, until it is closed or the run ends
        (RunEnded, which says how).

        `idle`: seconds without a sample after which TimeoutError is raised, with what the run is up
        to; a frozen run has none.
        """
        if not self._following:
            try:
                self.follow()
            except HildError:
                self._following = True  # an older daemon does not tell
        made = self.call("subscribe", names=list(names), **_given(every=every))
        number = made["subscription"]
        self._samples[number] = (made["names"], deque())
        return self._subscribed(number, idle)

    def _why_idle(self):
        told = {t["of"]: t["words"] for t in (self._state or {}).get("told", [])}
        return f": the run is {told['run']}" if told.get("run", "running") != "running" else ""

    def _subscribed(self, number, idle):
        waiting = self._samples[number][1]
        try:
            while True:
                while not waiting:
                    self._take(self._read(idle, self._why_idle))
                yield waiting.popleft()
        finally:
            del self._samples[number]
            try:
                self.call("unsubscribe", subscription=number)
            except (OSError, HildError):
                pass  # the run has ended

    # ---- changing ------------------------------------------------------------------------------

    def set(self, values=None, *, restart=False, at_frame=None, at_time=None, **named):
        """Sets parameters: set(inertia=4e-4), or set({"a.b": "2 V"}) for other names."""
        params = {"values": {**(values or {}), **named}}
        return self._change("set", params, restart, at_frame, at_time)

    def fault(self, signal, kind, value=None, *, seed=None, frames=None, restart=False,
              at_frame=None, at_time=None):
        """Falsifies an input or output: kind stuck, offset, gain, noise or dropout."""
        params = _given(signal=signal, kind=kind, value=value, seed=seed, frames=frames)
        return self._change("override", params, restart, at_frame, at_time)

    def release(self, signal, *, restart=False, at_frame=None, at_time=None):
        """Ends all faults of a signal."""
        return self._change("release", {"signal": signal}, restart, at_frame, at_time)

    def inject(self, fault, value=None, *, frames=None, at_frame=None, at_time=None):
        """Makes something wrong with a device, such as bus.Command.missing, until it is cleared."""
        return self._change("inject", _given(fault=fault, value=value, frames=frames), False, at_frame, at_time)

    def clear(self, fault, *, at_frame=None, at_time=None):
        """Ends a fault of a device."""
        return self._change("clear", {"fault": fault}, False, at_frame, at_time)

    def acknowledge(self, alarm, *, at_frame=None, at_time=None):
        """Tells an alarm that latches that it is known of."""
        return self._change("acknowledge", {"alarm": alarm}, False, at_frame, at_time)

    def stimulate(self, input, shape, *, restart=False, at_frame=None, at_time=None, **more):
        """Drives an input: step, ramp, sine, chirp or playback; `more` as in docs/control.md."""
        params = {"input": input, "shape": shape, **_given(**more)}
        return self._change("stimulate", params, restart, at_frame, at_time)

    def quiet(self, input, *, restart=False, at_frame=None, at_time=None):
        """Stops the stimulus of an input."""
        return self._change("quiet", {"input": input}, restart, at_frame, at_time)

    def freeze(self, outputs="hold", values=None, *, at_frame=None, at_time=None):
        """Holds the plant: outputs hold, safe, or declared with values by name."""
        params = _given(outputs=outputs, values=values)
        return self._change("freeze", params, False, at_frame, at_time)

    def step(self, frames=1, *, freeze=False, at_frame=None, at_time=None):
        """Advances a frozen plant. One that runs is refused, or frozen after these frames with
        `freeze`."""
        params = {"frames": frames, **({"freeze": True} if freeze else {})}
        return self._change("step", params, False, at_frame, at_time)

    def resume(self, *, at_frame=None, at_time=None):
        return self._change("resume", {}, False, at_frame, at_time)

    def save(self, slot=0, *, at_frame=None, at_time=None):
        """Saves all states and parameters."""
        return self._change("save", {"slot": slot}, False, at_frame, at_time)

    def restore(self, slot=0, parameters=False, *, at_frame=None, at_time=None):
        params = {"slot": slot, "parameters": parameters}
        return self._change("restore", params, False, at_frame, at_time)

    def reset(self, parameters=False, *, at_frame=None, at_time=None):
        """Back to the initial states, and parameters if so wished."""
        return self._change("reset", {"parameters": parameters}, False, at_frame, at_time)

    def mark(self, label=1, text="", *, at_frame=None, at_time=None):
        """Marks the record of the step, which triggers a recording; `text` is what the mark is called."""
        params = {"label": label, **({"text": text} if text else {})}
        return self._change("mark", params, False, at_frame, at_time)

    def record(self, recorder=None):
        """Has a recorder begin to record, or all that do not yet; `status()["recorders"]` tells what became of it."""
        return self.call("record", **({} if recorder is None else {"recorder": recorder}))

    def unrecord(self, recorder=None):
        """Has it end, or all that record; its file is whole once `closing` is 0."""
        return self.call("unrecord", **({} if recorder is None else {"recorder": recorder}))

    def rewind(self, by_s=None, *, to_s=None):
        """Has a held run go back to a recorded step: it ends, and begins there anew, held and disarmed. Connect
        again then; `status()["rewinding"]` tells what becomes of it meanwhile."""
        return self.call("rewind", **({"by_s": by_s} if to_s is None else {"to_s": to_s}))

    def show(self, last_s=None, *, from_s=None, to_s=None, speed=1):
        """Has all pages play a stretch of the last minute; without a time ends it."""
        given = {"last_s": last_s, "from_s": from_s, "to_s": to_s}
        times = {name: value for name, value in given.items() if value is not None}
        return self.call("show", **({**times, "speed": speed} if times else {}))["showing"]

    def transaction(self, *, at_frame=None, at_time=None):
        """Collects the changes made within it, which then take effect together:

            with run.transaction() as together:
                run.set(inertia=4e-4)
                run.fault("shaft_speed", "dropout")
            print(together.effect)

        An exception within it drops them all.
        """
        return _Transaction(self, at_frame, at_time)

    def control(self, owner=None, *, timeout=None, over=False):
        """Control of the run while it lasts, so that nobody else changes it:

            with run.control("step response"):
                run.set(inertia=4e-4)

        ControlTaken when another client has it (`over=True` takes it all the same), and at the end
        when it was lost meanwhile: taken over, or run out after `timeout` seconds without a change
        (default 600). Anybody may disarm, freeze or stop.
        """
        return _Control(self, owner, timeout, over)

    def take(self, owner=None, *, timeout=None, over=False):
        """Takes control, until give() or until this connection is closed."""
        return self.call("take", **_given(owner=owner or _name(), timeout_s=timeout, over=over))

    def give(self):
        """Gives control back; returns the name it was had by, or None if nobody had it."""
        return self.call("give")["owner"]

    def arm(self):
        """Let the outputs follow the model, ramping in."""
        self.call("arm")

    def disarm(self):
        """Take the outputs to their safe values and keep them there."""
        self.call("disarm")

    def stop(self):
        """Ends the run with safe outputs."""
        self.call("stop")

    # ---- the wire ------------------------------------------------------------------------------

    def call(self, method, **params):
        """Any method by name; returns its result."""
        return self._call(method, params, self._timeout)

    def _change(self, method, params, restart, at_frame, at_time):
        if restart:
            params["restart"] = True
        later = _at(at_frame, at_time)
        if self._gathering is not None:
            if later:
                raise ValueError("a transaction has one time as a whole: transaction(at_frame=...)")
            self._gathering.append({method: params})
            return None
        params.update(later)
        result = self._call(method, params, None if later else self._timeout)
        return Effect(result["frame"], result["time_s"])

    def _call(self, method, params, timeout):
        self._last_id += 1
        request = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        # Python would write NaN and Infinity, which are no JSON.
        text = json.dumps(request, allow_nan=False) + "\n"
        try:
            self._socket.settimeout(timeout)
            self._socket.sendall(text.encode())
        except _socket.timeout as error:
            raise TimeoutError(f"the daemon takes no request within {timeout} s") from error
        except OSError as error:
            raise ConnectionLost(f"the daemon closed the connection: {error}") from error
        while True:
            message = self._read(timeout)
            if "method" in message:
                self._take(message)
            elif message.get("id") == self._last_id or message.get("id") is None:
                break  # replies to calls that were given up before may still arrive
        if "error" in message:
            error = message["error"]
            kind = ControlTaken if error.get("code") == _CONTROLLED else HildError
            raise kind(error.get("code"), error.get("message"), error.get("data"))
        return message["result"]

    def _read(self, timeout, why=lambda: ""):
        """The next message."""
        self._socket.settimeout(timeout)
        while b"\n" not in self._received:
            try:
                chunk = self._socket.recv(65536)
            except _socket.timeout as error:
                raise TimeoutError(f"nothing from the daemon within {timeout} s{why()}") from error
            except OSError as error:
                raise ConnectionLost(f"the connection failed: {error}") from error
            if not chunk:
                raise ConnectionLost("the daemon closed the connection: the run has ended")
            self._received += chunk
        line, self._received = self._received.split(b"\n", 1)
        return json.loads(line)

    def _take(self, message):
        """Keeps the samples of a notification until their subscriber asks for them."""
        params = message.get("params", {})
        if message.get("method") == "ended":
            raise RunEnded(params)
        if message.get("method") == "state":
            self._state = params
        if message.get("method") != "samples" or params.get("subscription") not in self._samples:
            return
        names, waiting = self._samples[params["subscription"]]
        lost = params.get("lost", 0)
        for frame, time_s, row in zip(params["frame"], params["time_s"], params["values"]):
            waiting.append(Sample(frame, time_s, dict(zip(names, row)), lost))
            lost = 0


class _Control:
    def __init__(self, run, owner, timeout, over):
        self._run = run
        self._owner = owner or _name()
        self._timeout = timeout
        self._over = over

    def __enter__(self):
        self._run.take(self._owner, timeout=self._timeout, over=self._over)
        return self._run

    def __exit__(self, kind, error, trace):
        try:
            if self._run.give() is None and kind is None:
                raise ControlTaken(_CONTROLLED, f"control ran out before {self._owner} gave it back")
        except (HildError, OSError):
            if kind is None:
                raise


class _Transaction:
    def __init__(self, run, at_frame, at_time):
        self._run = run
        self._at = _at(at_frame, at_time)
        self.effect = None

    def __enter__(self):
        if self._run._gathering is not None:
            raise ValueError("a transaction within a transaction")
        self._run._gathering = []
        return self

    def __exit__(self, kind, error, trace):
        changes, self._run._gathering = self._run._gathering, None
        if kind is not None or not changes:
            return
        timeout = None if self._at else self._run._timeout
        result = self._run._call("transaction", {"changes": changes, **self._at}, timeout)
        self.effect = Effect(result["frame"], result["time_s"])


_CONTROLLED = -32005


def _name():
    """How others are told who has control: "tune.py (alice, process 4242)"."""
    program = os.path.basename(sys.argv[0]) if sys.argv else ""
    if program in ("", "-c", "-"):
        program = "python"
    user = os.environ.get("HILD_OWNER") or os.environ.get("SUDO_USER") or _user()
    return f"{program[:40]} ({user[:24]}, process {os.getpid()})"


def _user():
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return f"user {os.geteuid()}"


def _given(**params):
    return {key: value for key, value in params.items() if value is not None}


def _at(frame, time_s):
    if frame is not None and time_s is not None:
        raise ValueError("at_frame or at_time, not both")
    at = _given(frame=frame, time_s=time_s)
    return {"at": at} if at else {}


def _main():
    """python3 hild.py METHOD [KEY=VALUE ...]: values are JSON, or text."""
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(_main.__doc__)
        return 0 if len(sys.argv) > 1 else 1

    def value(text):
        try:
            return json.loads(text)
        except ValueError:
            return text

    try:
        params = {key: value(text) for key, text in (word.split("=", 1) for word in sys.argv[2:])}
        with Hild() as run:
            print(json.dumps(run.call(sys.argv[1], **params), indent=2))
    except (HildError, OSError, ValueError) as error:
        print(f"hild.py: {error}", file=sys.stderr)
        return 2 if isinstance(error, OSError) else 1
    return 0


if __name__ == "__main__":
    raise SystemExit(_main())
