// SPDX-License-Identifier: Apache-2.0
// Alarms: what each of them watches and is, and acknowledged here.

import { id, make, show, showIf } from './dom.js';
import { count, number, withUnit } from './format.js';
import { onSubmit } from './submit.js';

/// What an alarm is, as `list` has it: "active", "over", which waits to be acknowledged, "clear".
export function alarmState({ active, open }) {
  if (active) return 'active';
  return open ? 'over' : 'clear';
}

/// "active since frame 812: shaft_speed above 60 rad/s, outputs are disarmed for it".
export function alarmWords(alarm) {
  const { below, above, unit, then, since_frame: since } = alarm;
  const limits = [
    ['below', below],
    ['above', above],
  ]
    .filter(([, limit]) => limit !== null)
    .map(([side, limit]) => `${side} ${withUnit(number(limit), unit)}`);
  const is = { active: 'active', over: 'over, waits to be acknowledged', clear: 'clear' };
  const follows = { note: '', disarm: ', outputs are disarmed for it', stop: ', ends the run' };
  const from = since === null ? '' : `, open since frame ${count(since)}`;
  return `${is[alarmState(alarm)]}${from}: ${alarm.watch} ${limits.join(' or ')}${follows[then]}`;
}

export function alarmsPanel(run) {
  let rows = new Map(); // by name

  run.on('list', ({ alarms }) => {
    const names = alarms.map(({ name }) => name);
    if (JSON.stringify(names) !== JSON.stringify([...rows.keys()])) {
      rows = new Map(names.map((name) => [name, row(run, name)]));
      id('alarm-list').replaceChildren(...[...rows.values()].map(({ item }) => item));
    }
    for (const one of alarms) rows.get(one.name).show(one);
    for (const part of ['alarms', 'alarms-link']) showIf(id(part), alarms.length > 0);
  });
}

/// The line of an alarm; its button is there while one that latches is open.
function row(run, name) {
  const words = make('span');
  const text = make('p', { class: 'aside' });
  const button = make('button', { text: 'Acknowledge', 'aria-label': `Acknowledge ${name}` });
  const form = make(
    'form',
    { class: 'active', id: `alarm-${name}` },
    make('div', {}, make('strong', { text: name }), ' ', words, text),
    button,
  );
  onSubmit(form, {
    change: () => run.change('acknowledge', { alarm: name }),
    done: () => `${name} acknowledged`,
  });
  function showIt(alarm) {
    form.dataset.is = alarmState(alarm);
    show(words, alarmWords(alarm));
    show(text, alarm.text);
    showIf(text, alarm.text !== '');
    // Whoever pressed a button that goes away is not lost.
    const leaves = !(alarm.open && alarm.latch);
    if (leaves && document.activeElement === button) id('alarms-title').focus();
    showIf(button, !leaves);
  }
  return { item: make('li', {}, form), show: showIt };
}
