# SPDX-License-Identifier: Apache-2.0
"""The Python client against a daemon that the test plays. Usage: hild_test.py FOLDER_OF_HILD_PY"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import unittest

FOLDER = sys.argv.pop(1) if len(sys.argv) > 1 else "."
sys.path.insert(0, FOLDER)

from hild import (ConnectionLost, ControlTaken, Effect, Hild, HildError,  # noqa: E402
                  RunEnded, Sample, default_socket)


class FakeDaemon:
    """Answers every request by a function of method and params: a result, an Exception, bytes."""

    def __init__(self, path, answer):
        self.calls = []
        self._answer = answer
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listening.bind(path)
        self._listening.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def close(self):
        self._listening.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listening.close()

    def _serve(self):
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            with client, client.makefile("rb") as lines:
                for line in lines:
                    if not self._reply(client, json.loads(line)):
                        break

    def _reply(self, client, request):
        self.calls.append((request["method"], request["params"]))
        answer = self._answer(*self.calls[-1])
        if answer is None:
            return False  # hangs up
        if isinstance(answer, bytes):
            client.sendall(answer.replace(b"ID", str(request["id"]).encode()))
            return True
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        if isinstance(answer, Exception):
            reply["error"] = answer.args[0]
        else:
            reply["result"] = answer
        client.sendall(json.dumps(reply).encode() + b"\n")
        return True


def samples(first, rows, lost=0, subscription=5):
    params = {
        "subscription": subscription,
        "frame": list(range(first, first + len(rows))),
        "time_s": [(first + i + 1) / 1000 for i in range(len(rows))],
        "values": rows,
        "lost": lost,
    }
    return json.dumps({"jsonrpc": "2.0", "method": "samples", "params": params}).encode() + b"\n"


SUBSCRIBED = (
    b'{"jsonrpc":"2.0","id":ID,"result":'
    b'{"subscription":5,"names":["speed","x"],"units":["rad/s","1"],"every":1}}\n'
)


class ClientTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="hild-python-")
        self.path = os.path.join(self.folder.name, "control.sock")
        self.answers = {}
        self.daemon = FakeDaemon(self.path, self.answer)

    def tearDown(self):
        self.daemon.close()
        self.folder.cleanup()

    def answer(self, method, params):
        return self.answers.get(method, {"frame": 7, "time_s": 0.007})

    def check(self, act, method, params):
        with Hild(self.path) as run:
            result = act(run)
        self.assertEqual(self.daemon.calls[-1], (method, params))
        return result

    def test_reading(self):
        self.answers["get"] = {"frame": 1, "time_s": 0.1, "values": {"speed": 3.5}}
        self.answers["overruns"] = {"total": 0, "overruns": []}
        self.answers["status"] = {"state": "running"}
        self.assertEqual(self.check(lambda r: r.get("speed"), "get", {"names": ["speed"]}),
                         {"speed": 3.5})
        self.check(lambda r: r.get(), "get", {})
        self.assertEqual(self.check(lambda r: r.status(), "status", {}), {"state": "running"})
        self.assertEqual(self.check(lambda r: r.overruns(last=3), "overruns", {"last": 3}), [])
        for method in ("list", "methods", "histograms"):
            self.check(lambda r: getattr(r, method)(), method, {})
        self.check(lambda r: r.saved(2), "saved", {"slot": 2})

    def test_changing(self):
        effect = self.check(lambda r: r.set(inertia=4e-4), "set", {"values": {"inertia": 4e-4}})
        self.assertEqual(effect, Effect(7, 0.007))
        self.check(lambda r: r.set({"a.b": "2 V"}, restart=True, at_frame=9), "set",
                   {"values": {"a.b": "2 V"}, "restart": True, "at": {"frame": 9}})
        self.check(lambda r: r.fault("speed", "noise", "2 rpm", seed=3, frames=5, at_time=1.5),
                   "override", {"signal": "speed", "kind": "noise", "value": "2 rpm", "seed": 3,
                                "frames": 5, "at": {"time_s": 1.5}})
        self.check(lambda r: r.fault("speed", "dropout"), "override",
                   {"signal": "speed", "kind": "dropout"})
        self.check(lambda r: r.release("speed"), "release", {"signal": "speed"})
        self.check(lambda r: r.stimulate("load", "ramp", amplitude=1, over_s=2), "stimulate",
                   {"input": "load", "shape": "ramp", "amplitude": 1, "over_s": 2})
        self.check(lambda r: r.quiet("load"), "quiet", {"input": "load"})
        self.check(lambda r: r.freeze("declared", {"speed": 0}), "freeze",
                   {"outputs": "declared", "values": {"speed": 0}})
        self.check(lambda r: r.step(3), "step", {"frames": 3})
        self.check(lambda r: r.step(freeze=True), "step", {"frames": 1, "freeze": True})
        self.check(lambda r: r.resume(), "resume", {})
        self.check(lambda r: r.save(1), "save", {"slot": 1})
        self.check(lambda r: r.restore(1, True), "restore", {"slot": 1, "parameters": True})
        self.check(lambda r: r.reset(), "reset", {"parameters": False})
        self.check(lambda r: r.mark(4), "mark", {"label": 4})
        self.check(lambda r: r.mark(4, "engine fails"), "mark", {"label": 4, "text": "engine fails"})
        self.check(lambda r: r.arm(), "arm", {})
        self.check(lambda r: r.disarm(), "disarm", {})
        self.check(lambda r: r.stop(), "stop", {})

    def test_what_all_pages_show(self):
        showing = {"number": 1, "from_s": 1.0, "to_s": 21.0, "speed": 0.5, "at_s": 1.0, "by": None}
        self.answers["show"] = {"showing": showing}
        shown = self.check(lambda r: r.show(20, speed=0.5), "show", {"last_s": 20, "speed": 0.5})
        self.assertEqual(shown, showing)
        self.check(lambda r: r.show(from_s=0, to_s=2), "show", {"from_s": 0, "to_s": 2, "speed": 1})
        self.answers["show"] = {"showing": None}
        self.assertIsNone(self.check(lambda r: r.show(), "show", {}))

    def test_a_transaction_takes_effect_as_one(self):
        with Hild(self.path) as run:
            with run.transaction(at_time=2) as together:
                self.assertIsNone(run.set(ratio=2))
                run.fault("speed", "stuck", 0)
            self.assertEqual(together.effect, Effect(7, 0.007))
        self.assertEqual(self.daemon.calls, [("transaction", {
            "changes": [{"set": {"values": {"ratio": 2}}},
                        {"override": {"signal": "speed", "kind": "stuck", "value": 0}}],
            "at": {"time_s": 2}})])

    def test_an_exception_drops_the_transaction(self):
        with Hild(self.path) as run:
            with self.assertRaises(KeyError):
                with run.transaction():
                    run.set(ratio=2)
                    raise KeyError
            with run.transaction():
                pass
            with self.assertRaises(ValueError), run.transaction():
                run.set(ratio=2, at_frame=3)
            with self.assertRaises(ValueError):
                run.set(ratio=2, at_frame=3, at_time=1)
            self.assertEqual(self.daemon.calls, [])
            run.mark()
        self.assertEqual(self.daemon.calls, [("mark", {"label": 1})])

    def test_samples_are_yielded_one_by_one(self):
        self.answers["subscribe"] = (SUBSCRIBED + samples(10, [[1, 2], [3, None]]) +
                                     samples(0, [[9]], subscription=6) + samples(14, [[5, 6]], 2))
        with Hild(self.path) as run:
            stream = run.subscribe("speed", "x", every=1)
            self.assertEqual(next(stream), Sample(10, 0.011, {"speed": 1, "x": 2}, 0))
            run.mark()  # a call in between loses none
            self.assertEqual(next(stream), Sample(11, 0.012, {"speed": 3, "x": None}, 0))
            self.assertEqual(next(stream), Sample(14, 0.015, {"speed": 5, "x": 6}, 2))
            stream.close()
        self.assertEqual([call[0] for call in self.daemon.calls],
                         ["follow", "subscribe", "mark", "unsubscribe"])
        self.assertEqual(self.daemon.calls[1][1], {"names": ["speed", "x"], "every": 1})
        self.assertEqual(self.daemon.calls[3][1], {"subscription": 5})

    def test_a_stream_without_samples_times_out(self):
        self.answers["subscribe"] = SUBSCRIBED
        with Hild(self.path) as run:
            with self.assertRaises(TimeoutError):
                next(run.subscribe("speed", "x", idle=0.05))

    def test_a_refusal_is_an_exception(self):
        self.answers["set"] = Exception({"code": -32602, "message": "no", "data": {"frame": 3}})
        with Hild(self.path) as run, self.assertRaises(HildError) as caught:
            run.set(ratio=-1)
        self.assertEqual((caught.exception.code, str(caught.exception), caught.exception.data),
                         (-32602, "no", {"frame": 3}))

    def test_control_is_held_for_a_block(self):
        self.answers["give"] = {"owner": "tune"}
        with Hild(self.path) as run, run.control("tune", timeout=60) as same:
            self.assertIs(same, run)
            run.mark()
        self.assertEqual(
            self.daemon.calls,
            [("take", {"owner": "tune", "timeout_s": 60, "over": False}),
             ("mark", {"label": 1}), ("give", {})])

    def test_control_has_the_name_of_program_user_and_process(self):
        self.answers["give"] = {"owner": "me"}
        with Hild(self.path) as run, run.control():
            pass
        self.assertRegex(self.daemon.calls[0][1]["owner"],
                         rf"^hild_test\.py \(.+, process {os.getpid()}\)$")

    def test_control_of_another_is_an_exception_of_its_own(self):
        taken = {"code": -32005, "message": "bob has had control",
                 "data": {"owner": "bob", "left_s": 588.0}}
        self.answers["take"] = Exception(taken)
        with Hild(self.path) as run, self.assertRaises(ControlTaken) as caught, run.control():
            self.fail("entered")
        self.assertEqual((caught.exception.owner, caught.exception.left_s), ("bob", 588.0))
        self.assertIsInstance(caught.exception, HildError)

    def test_control_that_was_lost_is_told_at_the_end(self):
        self.answers["give"] = Exception({"code": -32005, "message": "bob has it"})
        with Hild(self.path) as run:
            with self.assertRaisesRegex(ControlTaken, "bob has it"), run.control("tune"):
                run.mark()
            self.answers["give"] = {"owner": None}
            with self.assertRaisesRegex(ControlTaken, "ran out before tune"), run.control("tune"):
                run.mark()
            with self.assertRaises(KeyError), run.control("tune"):  # what came first is told
                raise KeyError

    def test_a_number_that_is_none_is_not_sent(self):
        with Hild(self.path) as run, self.assertRaises(ValueError):
            run.set(ratio=float("nan"))
        self.assertEqual(self.daemon.calls, [])

    def test_a_connection_that_ends_is_told(self):
        self.answers["mark"] = None
        with Hild(self.path) as run, self.assertRaisesRegex(ConnectionLost, "closed"):
            run.mark()

    def test_the_state_in_words(self):
        self.answers["status"] = {"told": [{"of": "outputs", "is": "armed", "words": "armed: yes"}]}
        self.assertEqual(self.check(lambda r: r.state(), "status", {}), {"outputs": "armed: yes"})
        self.answers["follow"] = {"state": "running", "told": []}
        self.check(lambda r: r.follow(), "follow", {})

    def test_a_run_that_ends_tells_how(self):
        ended = {"outcome": "interlock", "words": "Tripped.", "exit_code": 5, "outputs_safe": True}
        said = json.dumps({"jsonrpc": "2.0", "method": "ended", "params": ended}).encode() + b"\n"
        self.answers["follow"] = {"state": "running", "told": []}
        self.answers["subscribe"] = SUBSCRIBED + samples(1, [[1.5, 2]]) + said
        self.answers["unsubscribe"] = None
        with Hild(self.path) as run:
            rows = run.subscribe("speed", "x")
            self.assertEqual(next(rows).frame, 1)
            with self.assertRaisesRegex(RunEnded, "Tripped. Exit code 5") as told:
                next(rows)
        error = told.exception
        self.assertEqual((error.outcome, error.exit_code, error.outputs_safe),
                         ("interlock", 5, True))
        self.assertIsInstance(error, ConnectionLost)

    def test_a_wait_for_samples_says_why_there_are_none(self):
        frozen = {"of": "run", "is": "frozen", "words": "frozen, as asked for"}
        self.answers["follow"] = {"state": "frozen", "told": [frozen]}
        self.answers["subscribe"] = SUBSCRIBED
        with Hild(self.path) as run:
            with self.assertRaisesRegex(TimeoutError, "the run is frozen, as asked for"):
                next(run.subscribe("speed", "x", idle=0.05))

    def test_no_reply_in_time(self):
        self.answers["mark"] = b""
        with Hild(self.path, timeout=0.05) as run, self.assertRaises(TimeoutError):
            run.mark()

    def test_no_daemon(self):
        with self.assertRaisesRegex(ConnectionLost, "hild run CONFIG"):
            Hild(self.path + ".none")

    def test_the_socket_of_the_environment(self):
        kept = dict(os.environ)
        try:
            os.environ["HILD_SOCKET"] = self.path
            Hild().close()
            del os.environ["HILD_SOCKET"]
            os.environ["RUNTIME_DIRECTORY"] = "/run/a:/run/b"
            self.assertEqual(default_socket(), "/run/a/control.sock")
        finally:
            os.environ.clear()
            os.environ.update(kept)

    def test_as_a_program(self):
        def program(*words):
            return subprocess.run([sys.executable, os.path.join(FOLDER, "hild.py"), *words],
                                  env={**os.environ, "HILD_SOCKET": self.path},
                                  capture_output=True, text=True, check=False)

        ended = program("set", 'values={"ratio": 2}')
        self.assertEqual(json.loads(ended.stdout), {"frame": 7, "time_s": 0.007})
        self.assertEqual(self.daemon.calls, [("set", {"values": {"ratio": 2}})])
        self.answers["mark"] = Exception({"code": -32602, "message": "no"})
        ended = program("mark")
        self.assertEqual((ended.returncode, ended.stderr), (1, "hild.py: no\n"))


if __name__ == "__main__":
    unittest.main()
