#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the live page costs the browser, beside a bare page of uPlot with the same data: a run of a thousand
signals and parameters at 50 Hz, of which 20 are plotted. CPU time of the renderer, in turn, of the same browser:
prints `page SECONDS`, `bare SECONDS` (medians, of a second) and `ratio` (the median of neighbouring turns)."""

import os
import pathlib
import statistics
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from daemon import ITEMS_OF_A_MOTOR, Daemon, many_motors  # noqa: E402
from webdriver import Browser  # noqa: E402

MOTORS = 84
PLOTS = 4
EACH = 5
ROUNDS = int(os.environ.get("HILD_COST_ROUNDS", "5"))
SECONDS = 15

# Which of them are plotted, as the page would have it stored.
STORE = """
const [plots, each] = arguments;
const tiles = Array.from({ length: plots }, (_, p) => ({
  kind: 'plot', x: 0, y: 5 * p, w: 12, h: 5,
  signals: Array.from({ length: each }, (_, i) => `output:m${String(each * p + i).padStart(3, '0')}.shaft_speed`),
}));
for (const key of Object.keys(localStorage)) localStorage.removeItem(key);
localStorage.setItem('hild.dashboard.' + arguments[2], JSON.stringify({ version: 1, tiles }));
"""

# The least that shows the same: a socket, a ring of samples, plots of the same size, drawn as often.
BARE = """
const [plots, each, token, box] = arguments;
document.body.replaceChildren();
const script = document.createElement('script');
script.src = '/uPlot.iife.min.js';
script.onload = () => {
  const names = Array.from({ length: plots * each }, (_, i) => `output:m${String(i).padStart(3, '0')}.shaft_speed`);
  const colours = ['#0b62b8', '#b34700', '#0a7a5c', '#98317f', '#7b6200'];
  const charts = Array.from({ length: plots }, () => new uPlot(
    { width: box.width, height: box.height, legend: { show: false }, scales: { x: { time: false } },
      series: [{}, ...colours.map((stroke) => ({ stroke, width: 1.75, points: { show: false } }))] },
    [[], ...colours.map(() => [])], document.body));
  const size = 500;
  const rows = [];
  let fresh = false;
  const socket = new WebSocket(`ws://${location.host}/ws`, token ? ['hild', `bearer.${token}`] : ['hild']);
  socket.onopen = () => socket.send(JSON.stringify(
    { jsonrpc: '2.0', id: 1, method: 'subscribe', params: { names, every: 1 } }));
  socket.onmessage = (event) => {
    const { method, params } = JSON.parse(event.data);
    if (method !== 'samples') return;
    params.time_s.forEach((t, i) => rows.push([t, ...params.values[i]]));
    rows.splice(0, rows.length - size);
    fresh = true;
    window.bareRows = rows.length;
  };
  let drawn = 0;
  const follow = () => {
    requestAnimationFrame(follow);
    if (!fresh || performance.now() - drawn < 66) return;
    drawn = performance.now();
    fresh = false;
    const times = rows.map((row) => row[0]);
    charts.forEach((chart, c) => chart.setData(
      [times, ...colours.map((_, i) => rows.map((row) => row[1 + each * c + i]))]));
  };
  follow();
};
document.body.append(script);
"""


def renderers(browser):
    """The processes of the browser that render pages."""
    children = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, queue = [], [browser._driver.pid]
    while queue:
        pid = queue.pop()
        queue += children.get(pid, [])
        try:
            if b"--type=renderer" in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes():
                found.append(pid)
        except OSError:
            pass
    return found


def cpu_seconds(browser):
    ticks = 0
    for pid in renderers(browser):
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measured(browser):
    """Of a second."""
    time.sleep(3)  # what it takes to begin is not asked for
    began, cpu = time.monotonic(), cpu_seconds(browser)
    time.sleep(SECONDS)
    return (cpu_seconds(browser) - cpu) / (time.monotonic() - began)


def configure(daemon):
    """As many signals as are to be known."""
    config = daemon.folder / "motor.yaml"
    config.write_text(many_motors(config.read_text(), MOTORS))
    daemon.configure = lambda _: None  # its port is free all the same


def show_all_plots(browser):
    """All of them are on the screen, or the page would not draw them."""
    browser.devtools("Emulation.setDeviceMetricsOverride", width=1280, height=1600, deviceScaleFactor=1, mobile=False)


def main():
    daemon = Daemon()
    browser = Browser()
    try:
        daemon.give_token()
        configure(daemon)
        daemon.start()
        show_all_plots(browser)
        return compare(daemon, browser)
    finally:
        browser.close()
        daemon.remove()


def open_page(daemon, browser):
    browser.open(daemon.url + "icon.svg")
    browser.run("sessionStorage.setItem('hild.token', arguments[0])", daemon.token)
    browser.open(daemon.url)
    browser.wait_for("a state", lambda: browser.text("#state-name") == "Running")
    model = browser.run("return document.getElementById('model').textContent")
    browser.run(STORE, PLOTS, EACH, model)
    browser.open("about:blank")
    browser.open(daemon.url)
    browser.wait_for("plots", lambda: len(browser.find_all(".plot .uplot")) == PLOTS)
    known = browser.wait_for("signals", lambda: browser.text("#signal-count"))
    assert int(known.replace("\u202f", "")) == MOTORS * ITEMS_OF_A_MOTOR, known
    drawn = "return [...document.querySelectorAll('.plot .key .value')].filter((e) => /\\d/.test(e.textContent)).length"
    browser.wait_for("samples in all of them", lambda: browser.run(drawn) == PLOTS * EACH)
    return browser.run(
        "const e = document.querySelector('.plot .uplot');"
        "return { width: e.clientWidth, height: Math.round(e.getBoundingClientRect().height) }"
    )


def open_bare(daemon, browser, box):
    browser.open(daemon.url + "healthz")
    browser.run(BARE, PLOTS, EACH, daemon.token, box)
    browser.wait_for("samples", lambda: browser.run("return window.bareRows >= 100"))


def compare(daemon, browser):
    pages, bares = [], []
    for round_ in range(ROUNDS):
        box = open_page(daemon, browser)
        pages.append(measured(browser))
        open_bare(daemon, browser, box)
        bares.append(measured(browser))
        print(f"round {round_ + 1}: page {pages[-1]:.3f}, bare {bares[-1]:.3f}", file=sys.stderr)
    print(f"page {statistics.median(pages):.4f}")
    print(f"bare {statistics.median(bares):.4f}")
    print(f"ratio {statistics.median(p / b for p, b in zip(pages, bares)):.4f}")


if __name__ == "__main__":
    sys.exit(main())
