// SPDX-License-Identifier: Apache-2.0
// The buttons of the time that is shown, and captures.

import { announce } from './announce.js';
import { id, show, showIf } from './dom.js';
import { Capture, ofSamples } from './trigger.js';
import { valueOf } from './submit.js';

export function timeBar(view) {
  id('window').addEventListener('change', () => view.follow(Number(id('window').value)));
  id('pause').addEventListener('click', () => (view.held ? view.follow() : view.hold()));
  for (const [name, act] of [
    ['zoom-in', () => view.zoom(0.5)],
    ['zoom-out', () => view.zoom(2)],
    ['pan-back', () => view.pan(-0.5)],
    ['pan-on', () => view.pan(0.5)],
    ['all-time', () => view.showAll()],
  ])
    id(name).addEventListener('click', act);
  view.addEventListener('view', () => {
    show(id('pause'), view.held ? 'Go on' : 'Pause');
    const { from, to } = view;
    show(
      id('shown-time'),
      view.held ? `held: ${from.toFixed(3)} s to ${to.toFixed(3)} s` : '',
    );
  });
}

/// Waits for what the form asks for, then holds the picture around it.
export function capturePanel(run, signals, feed, view, marks) {
  let capture = null;

  const needsLevel = () => ofSamples.includes(id('capture-when').value);
  const showFields = () => {
    for (const e of document.querySelectorAll('#capture-form .of-level')) showIf(e, needsLevel());
  };
  id('capture-when').addEventListener('change', showFields);
  showFields();
  signals.addEventListener('chosen', () => {
    const select = id('capture-signal');
    const before = select.value;
    select.replaceChildren(...signals.chosen.map((s) => new Option(s.label, s.name)));
    if (signals.has(before)) select.value = before;
  });

  function say(words, level = '') {
    id('capture-state').classList.toggle('error', level === 'error');
    show(id('capture-state'), words);
    announce(words);
    show(id('capture'), capture ? 'Give up' : 'Capture');
  }

  id('capture-form').addEventListener('submit', (event) => {
    event.preventDefault();
    if (capture) {
      capture = null;
      return say('Given up');
    }
    const when = id('capture-when').value;
    const level = valueOf(id('capture-level'));
    if (needsLevel() && typeof level !== 'number') {
      id('capture-level').focus();
      return say('level: expected a number, in the unit of the signal', 'error');
    }
    if (needsLevel() && !id('capture-signal').value)
      return say('signal: none is plotted; check one in the list of signals', 'error');
    view.follow();
    const name = id('capture-signal').value;
    capture = new Capture({ when, name, level, since: feed.traces.lastTime });
    return say('Waiting');
  });

  feed.addEventListener('samples', ({ detail }) => {
    if (!capture) return;
    const column = feed.traces.names.indexOf(capture.name);
    if (capture.caught === null && column >= 0)
      detail.time_s.forEach((time, i) => capture.sample(time, detail.values[i][column]));
    look();
  });
  marks.addEventListener('marks', ({ detail }) => {
    if (!capture) return;
    for (const mark of detail) capture.mark(mark);
    look();
  });

  function look() {
    const window = capture.window(view.span, feed.traces.lastTime);
    if (window === null) return;
    const { caught } = capture;
    capture = null;
    marks.add([
      { key: `trigger ${caught}`, is: 'trigger', time: caught, words: 'captured here' },
    ]);
    view.hold(window.from, window.to);
    say(`Captured at ${caught.toFixed(3)} s`);
  }
}
