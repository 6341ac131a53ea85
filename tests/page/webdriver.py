# SPDX-License-Identifier: Apache-2.0
"""A headless Chromium, driven over the W3C WebDriver protocol of Debian's chromium-driver."""

import http.client
import json
import os
import re
import shutil
import subprocess
import time

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
TAB, ENTER, ESCAPE, SPACE = "\ue004", "\ue007", "\ue00c", " "


class WebDriverError(Exception):
    pass


class Browser:
    """One tab. What it logs and asks for is kept: see console() and requests()."""

    patience = 300  # s, of all waiting; nothing waits for its own sake

    def __init__(self):
        for program in ("chromium", "chromedriver"):
            if shutil.which(program) is None:
                raise WebDriverError(f"{program} is not installed; `make deps` installs it")
        self._driver = subprocess.Popen(
            ["chromedriver", "--port=0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            self._port = self._read_port()
            self._session = ""
            self._session = "/session/" + self._start_session()
        except BaseException:
            self._driver.kill()
            raise

    def _read_port(self):
        for line in self._driver.stdout:
            if found := re.search(r"successfully on port (\d+)", line):
                return int(found[1])
        raise WebDriverError("chromedriver did not start")

    def _start_session(self):
        arguments = [
            "--headless=new",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--window-size=1280,900",
            # Whatever asks for another machine fails, and is seen to have asked.
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        answer = self._call(
            "POST",
            "/session",
            {
                "capabilities": {
                    "alwaysMatch": {
                        "browserName": "chrome",
                        "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
                        "goog:chromeOptions": {"args": arguments},
                    }
                }
            },
        )
        return answer["sessionId"]

    def close(self):
        try:
            self._call("DELETE", "")
        finally:
            self._driver.terminate()
            self._driver.wait()
            self._driver.stdout.close()

    def _call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=300)
        try:
            connection.request(
                method,
                self._session + path,
                None if body is None else json.dumps(body),
                {"Content-Type": "application/json"},
            )
            value = json.load(connection.getresponse())["value"]
        finally:
            connection.close()
        if isinstance(value, dict) and "error" in value:
            raise WebDriverError(" ".join(value["message"].splitlines()[:2]))
        return value

    # ---- pages and scripts ----

    def open(self, url):
        self._call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        """The value that a function body returns."""
        return self._call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def run_async(self, script):
        """The value of an async function body."""
        wrapped = (
            "const done = arguments[0]; (async () => {" + script + "})()"
            ".then((value) => done({ value }), (error) => done({ error: String(error) }));"
        )
        answer = self._call("POST", "/execute/async", {"script": wrapped, "args": []})
        if "error" in answer:
            raise WebDriverError(answer["error"])
        return answer.get("value")

    def devtools(self, command, **parameters):
        return self._call("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def wait_for(self, what, condition):
        """The first true value of `condition()`."""
        end = time.monotonic() + self.patience
        while True:
            if value := condition():
                return value
            if time.monotonic() > end:
                raise AssertionError(f"never happened: {what}; now {condition()!r}")
            time.sleep(0.05)

    # ---- elements, by CSS selector ----

    def find(self, selector):
        return self._call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def find_all(self, selector):
        found = self._call("POST", "/elements", {"using": "css selector", "value": selector})
        return [element[ELEMENT] for element in found]

    def click(self, selector):
        self._call("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        """Instead of what is there."""
        element = self.find(selector)
        self._call("POST", f"/element/{element}/clear", {})
        self._call("POST", f"/element/{element}/value", {"text": text})

    def choose(self, selector, value):
        self.click(f'{selector} option[value="{value}"]')

    def text(self, selector):
        return self.run("return document.querySelector(arguments[0])?.textContent", selector)

    def shown(self, selector):
        return self.run("return document.querySelector(arguments[0])?.checkVisibility()", selector)

    def press(self, *keys):
        """Keys, one after the other, to whatever has the focus."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._call(
            "POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]}
        )

    def label(self, element):
        """The accessible name, as a screen reader would say it."""
        return self._call("GET", f"/element/{element}/computedlabel")

    # ---- what it logged since the last time ----

    def console(self):
        """Warnings and errors."""
        entries = self._call("POST", "/se/log", {"type": "browser"})
        return [e["message"] for e in entries if e["level"] in ("WARNING", "SEVERE")]

    def requests(self):
        """The addresses that were asked for."""
        events = [
            json.loads(e["message"])["message"]
            for e in self._call("POST", "/se/log", {"type": "performance"})
        ]
        return [
            e["params"]["request"]["url"]
            for e in events
            if e["method"] == "Network.requestWillBeSent"
        ] + [e["params"]["url"] for e in events if e["method"] == "Network.webSocketCreated"]
