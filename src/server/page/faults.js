// SPDX-License-Identifier: Apache-2.0
// Faults: inputs and outputs that are falsified, and their release.

import { activeList } from './active.js';
import { id, make, options, show } from './dom.js';
import { count, number, unit, withUnit } from './format.js';
import { onSubmit, valueOf } from './submit.js';

const labels = {
  stuck: 'stuck at',
  offset: 'offset by',
  gain: 'gain of',
  noise: 'noise of',
  dropout: 'dropped out',
};

export function faultsPanel(run) {
  const signal = id('fault-signal');
  const kind = id('fault-kind');
  let units = new Map();
  let offered = '';

  // A signal that needs no prefix to be told from others has none in what the run says.
  const unitOf = (name) =>
    units.get(name) ?? units.get(`input:${name}`) ?? units.get(`output:${name}`);
  const showUnit = () => {
    const none = kind.value === 'dropout';
    id('fault-value').disabled = none;
    show(
      id('fault-unit'),
      none ? '' : kind.value === 'gain' ? 'times' : unit(units.get(signal.value)),
    );
  };
  signal.addEventListener('change', showUnit);
  kind.addEventListener('change', showUnit);

  onSubmit(id('fault-form'), {
    change: () =>
      run.change('override', {
        signal: signal.value,
        kind: kind.value,
        value: kind.value === 'dropout' ? undefined : valueOf(id('fault-value')),
        frames: valueOf(id('fault-frames')),
        restart: id('restart').checked,
      }),
    done: () => `${signal.value} ${kind.value}`,
  });

  const showActive = activeList({
    list: 'fault-list',
    none: 'no-faults',
    next: 'fault-signal',
    button: 'Release',
    end: (name) => run.change('release', { signal: name, restart: id('restart').checked }),
    ended: 'released',
  });
  run.on('list', (list) => {
    const groups = [
      ['input', 'Inputs', list.inputs],
      ['output', 'Outputs', list.outputs],
    ];
    units = new Map(
      groups.flatMap(([side, , all]) => all.map((s) => [`${side}:${s.name}`, s.unit])),
    );
    if ([...units.keys()].join() !== offered) {
      offered = [...units.keys()].join();
      options(
        signal,
        groups.map(([side, label, all]) =>
          make(
            'optgroup',
            { label },
            ...all.map((s) => make('option', { value: `${side}:${s.name}`, text: s.name })),
          ),
        ),
      );
      showUnit();
    }
  });
  run.on('status', ({ overrides }) => {
    const bySignal = Map.groupBy(overrides, (o) => o.signal);
    showActive(
      [...bySignal].map(([name, all]) => ({
        key: name,
        name,
        what: all.map((o) => inWords(o, unitOf(name))).join(', '),
      })),
    );
  });
}

function inWords(o, u) {
  const until = o.until_frame ? ` until frame ${count(o.until_frame)}` : '';
  if (o.kind === 'dropout') return labels.dropout + until;
  return `${labels[o.kind]} ${withUnit(number(o.value), o.kind === 'gain' ? '' : u)}${until}`;
}
