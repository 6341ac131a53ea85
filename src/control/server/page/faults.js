// SPDX-License-Identifier: Apache-2.0
// Faults: inputs and outputs that are falsified, and their release.

import { activeList } from './active.js';
import { changeForm } from './change_form.js';
import { id, showIf } from './dom.js';
import { count, number, withUnit } from './format.js';

export function faultsPanel(run) {
  let units = new Map();
  let kinds = new Map();
  let injected = new Set(); // faults of devices, which are cleared and not released
  let faultUnits = new Map();

  // A signal that needs no prefix to be told from others has none in what the run says.
  const unitOf = (name) =>
    units.get(name) ?? units.get(`input:${name}`) ?? units.get(`output:${name}`);

  changeForm(run, {
    method: 'override',
    prefix: 'fault',
    done: ({ signal, kind }) => `${signal} ${kind}`,
  });
  changeForm(run, { method: 'inject', prefix: 'inject', done: ({ fault }) => `${fault} injected` });
  const showActive = activeList({
    list: 'fault-list',
    none: 'no-faults',
    next: 'fault-signal',
    button: 'Release',
    end: (name) =>
      injected.has(name)
        ? run.change('clear', { fault: name })
        : run.change('release', { signal: name, restart: id('restart').checked }),
    ended: 'released',
  });
  run.on('methods', (methods) => {
    const params = methods.find(({ name }) => name === 'override').params;
    const of = params.find(({ name }) => name === 'value').of;
    const words = params.find(({ name }) => name === 'kind').words;
    kinds = new Map(words.map((w) => [w.name, { shown: w.shown, unit: of[w.name]?.unit }]));
  });
  run.on('list', ({ inputs, outputs, device_faults: faults }) => {
    showIf(id('inject-form'), faults.length > 0);
    faultUnits = new Map(faults.map((f) => [f.name, f.unit]));
    units = new Map([
      ...inputs.map((s) => [`input:${s.name}`, s.unit]),
      ...outputs.map((s) => [`output:${s.name}`, s.unit]),
    ]);
  });
  run.on('status', ({ overrides, injected: all }) => {
    const bySignal = Map.groupBy(overrides, (o) => o.signal);
    injected = new Set(all.map((o) => o.fault));
    showActive([
      ...[...bySignal].map(([name, of]) => ({
        key: name,
        name,
        what: of.map((o) => inWords(o, kinds.get(o.kind), unitOf(name))).join(', '),
      })),
      ...all.map((o) => ({
        key: o.fault,
        name: o.fault,
        what: inWords({ ...o, kind: 'injected' }, { unit: '' }, faultUnits.get(o.fault)),
      })),
    ]);
  });
}

function inWords(o, kind, u) {
  const until = o.until_frame ? ` until frame ${count(o.until_frame)}` : '';
  const shown = kind?.shown ?? o.kind;
  if (o.value === undefined) return shown + until;
  return `${shown} ${withUnit(number(o.value), kind?.unit === '1' ? '' : u)}${until}`;
}
