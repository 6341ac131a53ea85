// SPDX-License-Identifier: Apache-2.0
// The slider of the instant that the dashboard shows, the banner while that is one of the past, and
// playing from there.

import { announce } from './announce.js';
import { id, make, makeSvg, show, showIf } from './dom.js';
import { seconds } from './format.js';
import { speeds } from './moment.js';

const frame = 50; // ms between pictures of what plays
const small = 0.1; // s, by an arrow key
const large = 5; // s, by a page key
const mostMarks = 200;
const rarely = 1000; // ms between changes of the slider while its thumb stays at its end

/// "12.34 s, 8.2 s ago".
export function momentWords(at, now) {
  const ago = now - at;
  const past = ago >= 0 ? `, ${seconds(ago)} ago` : ', of what was before';
  return `${at.toFixed(2)}\u202fs${past}`;
}

/// `marks` are drawn on the axis; to be called with each picture.
export function momentBar(moment, marks) {
  const slider = id('moment');
  const axis = id('moment-marks');
  let inPast = false;
  let drawnMarks = '';
  let last = 0; // ms, when what plays went on
  let drawn = -Infinity; // ms, when the slider last was

  // Each change of a slider has the browser lay it out, and look through the whole page after that.
  function draw() {
    const { from, to, at, now, held } = moment;
    const known = from < to;
    slider.disabled = id('play').disabled = !known;
    const stays = !held && !inPast && performance.now() - drawn < rarely;
    if (!known || stays) return;
    drawn = performance.now();
    // In this order: a value is cut to the limits there are.
    if (slider.min !== String(from)) slider.min = from;
    if (slider.max !== String(to)) slider.max = to;
    if (slider.valueAsNumber !== (at ?? to)) slider.value = at ?? to;
    slider.ariaValueText = at === null ? `now, ${to.toFixed(2)} s` : momentWords(at, now);
    if (at !== null) show(id('past-words'), `Showing ${momentWords(at, now)}.`);
    drawMarks(from, to);
  }

  function drawMarks(from, to) {
    const seen = marks.between(from, to).slice(-mostMarks);
    // Where they stand to the pixel: they move no oftener than that.
    const places = seen.map(({ is, time }) => [is, ((1000 * (time - from)) / (to - from)).toFixed(0)]);
    const shape = JSON.stringify(places);
    if (shape === drawnMarks) return;
    drawnMarks = shape;
    axis.replaceChildren(
      ...places.map(([is, x], i) =>
        makeSvg(
          'line',
          { class: `of-${is}`, x1: x, x2: x, y1: 0, y2: 10 },
          makeSvg('title', { text: seen[i].words }),
        ),
      ),
    );
  }

  function changed() {
    const past = moment.at !== null;
    draw();
    show(id('play'), moment.playing ? 'Stay' : 'Play');
    if (past === inPast) return;
    inPast = past;
    for (const part of ['past', 'acts-now']) showIf(id(part), past);
    id('live').disabled = !past;
    document.body.classList.toggle('past', past);
    announce(past ? `The dashboard shows the past. ${id('past-words').textContent}` : 'Live');
  }

  function play() {
    if (moment.playing) return moment.play(false);
    // From now on there is nothing to play: from the oldest on.
    if (moment.at === null) moment.go(moment.from);
    return moment.play(true, Number(id('play-speed').value));
  }

  const step = () => {
    const now = performance.now();
    moment.pass((now - last) / 1000);
    last = now;
    if (moment.playing) setTimeout(step, frame);
  };
  let playing = false;
  moment.addEventListener('moment', () => {
    if (moment.playing && !playing) {
      last = performance.now();
      setTimeout(step, frame);
    }
    playing = moment.playing;
    changed();
  });

  slider.addEventListener('input', () => moment.go(slider.valueAsNumber));
  // Let go at its end it is where it was taken from.
  slider.addEventListener('change', () => slider.valueAsNumber >= Number(slider.max) && moment.live());
  slider.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = moment.at ?? moment.to;
    const by = (s) => () => moment.go(at + s);
    const keys = {
      ArrowLeft: by(-small),
      ArrowDown: by(-small),
      ArrowRight: by(small),
      ArrowUp: by(small),
      PageDown: by(-large),
      PageUp: by(large),
      Home: () => moment.go(moment.from),
      End: () => moment.live(),
      ' ': play,
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  id('play').addEventListener('click', play);
  id('play-speed').replaceChildren(
    ...speeds.map((speed) => make('option', { value: speed, text: `${speed}\u202f×` })),
  );
  id('play-speed').value = moment.speed;
  id('play-speed').addEventListener('change', () =>
    moment.play(moment.playing, Number(id('play-speed').value)),
  );
  id('live').addEventListener('click', () => moment.live());
  document.addEventListener('keydown', (event) => {
    const busy = event.defaultPrevented || document.querySelector('dialog[open]');
    if (event.key === 'Escape' && !busy) moment.live();
  });
  return draw;
}
