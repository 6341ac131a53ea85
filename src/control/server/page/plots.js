// SPDX-License-Identifier: Apache-2.0
// Live plots of the chosen signals, one for each unit.

import { id, show } from './dom.js';
import { Feed } from './feed.js';
import { count } from './format.js';
import { Plot } from './plot.js';
import { calm, dark } from './theme.js';

const perWindow = 1000; // samples
const fastest = 200; // samples a second
const redrawEvery = () => (calm.matches ? 1000 : 66); // ms

export function plotsPanel(run, signals) {
  const feed = new Feed(run);
  let plots = [];
  let paused = false;
  let drawn = -Infinity;

  const span = () => Number(id('window').value);
  const ask = () =>
    feed.want(
      signals.chosen.map((s) => s.name),
      Math.min(fastest, perWindow / span()),
    );

  function build() {
    for (const plot of plots) plot.destroy();
    const group = { key: 'signals', gutter: 50 };
    const units = Map.groupBy(signals.chosen, (s) => s.unit);
    plots = [...units.values()].map(
      (signalsOfUnit, i) => new Plot(signalsOfUnit, group, i === units.size - 1),
    );
    id('charts').replaceChildren(...plots.map((plot) => plot.element));
    for (const plot of plots) plot.fit();
    ask();
    draw();
  }

  function draw() {
    drawn = performance.now();
    feed.fresh = false;
    show(
      id('samples-lost'),
      feed.lost > 0 ? `${count(feed.lost)} samples lost on the way here` : '',
    );
    const to = feed.traces.lastTime;
    if (to === -Infinity) return;
    for (const plot of plots) {
      const views = feed.traces.since(
        to - span(),
        plot.signals.map((s) => s.name),
      );
      // What is held must not change with the samples that come meanwhile.
      plot.draw(paused ? views.map((view) => view.slice()) : views, to - span(), to);
    }
  }

  function follow() {
    requestAnimationFrame(follow);
    if (!paused && feed.fresh && performance.now() - drawn >= redrawEvery()) draw();
  }

  signals.addEventListener('chosen', build);
  id('window').addEventListener('change', () => {
    ask();
    draw();
  });
  id('pause').addEventListener('click', () => {
    paused = !paused;
    draw();
    show(id('pause'), paused ? 'Go on' : 'Pause');
  });
  dark.addEventListener('change', () => plots.forEach((plot) => plot.redraw()));
  new ResizeObserver(() => plots.forEach((plot) => plot.fit())).observe(id('charts'));
  follow();
}
