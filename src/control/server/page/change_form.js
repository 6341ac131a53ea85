// SPDX-License-Identifier: Apache-2.0
// The form of a change, made of what the run tells of its fields: their words, units and help, and
// for which word of the choice each is there.

import { id, make, options, show, showIf } from './dom.js';
import { unit } from './format.js';
import { onSubmit, valueOf } from './submit.js';
import { readTable } from './table.js';

const groupsOf = {
  input: [['input', 'Inputs']],
  signal: [
    ['input', 'Inputs'],
    ['output', 'Outputs'],
  ],
  device_fault: [['device_fault', 'Faults of devices']],
};

/// Fills `PREFIX-fields` of the form `PREFIX-form`, which asks for the change `method`;
/// `done(values)` are the words for what happened.
export function changeForm(run, { method, prefix, done }) {
  let fields = [];
  let told = '';
  let list = null;
  const element = (name) => id(`${prefix}-${name}`);
  const nameField = () => fields.find(({ type }) => type === 'name');
  const choiceField = () => fields.find(({ words }) => words);
  const word = () => element(choiceField().name).value;
  const isUsed = ({ of }) => of === undefined || word() in of;

  const unitOf = (field) => {
    const told = field.of?.[word()].unit ?? field.unit;
    if (told === undefined) return '';
    if (told === '1') return 'times';
    return unit(told === '' ? unitOfSignal() : told);
  };
  const unitOfSignal = () => {
    const chosen = element(nameField().name).value.split(':');
    const side = chosen.length > 1 ? chosen[0] : groupsOf[nameField().target][0][0];
    return list?.[`${side}s`].find(({ name }) => name === chosen.at(-1))?.unit;
  };
  const showFields = () => {
    for (const field of fields) {
      showIf(element(field.name).closest('label'), isUsed(field));
      if (isUsed(field) && element(`${field.name}-unit`)) {
        show(element(`${field.name}-unit`), unitOf(field));
      }
    }
  };
  const showNames = () => {
    const select = element(nameField().name);
    const groups = groupsOf[nameField().target].map(([side, label]) => ({
      side,
      label,
      all: list[`${side}s`],
    }));
    const offered = JSON.stringify(
      groups.map(({ side, all }) => all.map((s) => `${side}:${s.name}`)),
    );
    if (select.dataset.offered === offered) return;
    select.dataset.offered = offered;
    const option = (value, text) => make('option', { value, text });
    options(
      select,
      groups.length === 1
        ? groups[0].all.map((s) => option(s.name, s.name))
        : groups.map(({ side, label, all }) =>
            make('optgroup', { label }, ...all.map((s) => option(`${side}:${s.name}`, s.name))),
          ),
    );
    showFields();
  };

  run.on('methods', (methods) => {
    const params = methods.find(({ name }) => name === method).params;
    if (JSON.stringify(params) === told) return;
    told = JSON.stringify(params);
    fields = params.filter(({ name }) => name !== 'restart'); // one box for all forms
    element('fields').replaceChildren(...fields.map((field) => makeField(prefix, field)));
    for (const select of element('fields').querySelectorAll('select')) {
      select.addEventListener('change', showFields);
    }
    if (list !== null) showNames();
    showFields();
  });
  run.on('list', (newest) => {
    list = newest;
    if (fields.length > 0) showNames();
  });

  onSubmit(element('form'), {
    change: async () => run.change(method, await values()),
    done: () => done(Object.fromEntries(fields.map(({ name }) => [name, element(name).value]))),
  });
  async function values() {
    const entries = [['restart', id('restart').checked]];
    for (const { name, type } of fields.filter(isUsed)) {
      const input = element(name);
      if (type === 'boolean') entries.push([name, input.checked]);
      else if (input.type === 'file') entries.push([name, await readTable(input.files[0])]);
      else if (input.tagName === 'SELECT') entries.push([name, input.value]);
      else entries.push([name, valueOf(input)]);
    }
    return Object.fromEntries(entries);
  }
}

// "over_s" is "Over": the unit stands behind its field.
function labelOf(name) {
  const words = name.replace(/_(s|hz|rad)$/, '').replaceAll('_', ' ');
  return words[0].toUpperCase() + words.slice(1);
}

function makeField(prefix, { name, type, help, words, usual }) {
  const key = `${prefix}-${name}`;
  if (type === 'boolean') {
    const box = make('input', { id: key, name, type: 'checkbox' });
    return make('label', { class: 'check' }, box, make('span', { text: help.split(';')[0] }));
  }
  const label = { class: 'field', title: help };
  if (type === 'name' || words) {
    const entries = (words ?? []).map((w) =>
      make('option', { text: w.name, title: w.help, selected: w.name === usual }),
    );
    return make('label', label, labelOf(name), make('select', { id: key, name }, ...entries));
  }
  const table = type.startsWith('{times_s');
  const input = make('input', {
    id: key,
    name,
    size: 8,
    type: table ? 'file' : undefined,
    accept: table ? '.csv,.tsv,.txt,text/csv' : undefined,
    inputmode: type === 'integer' ? 'numeric' : undefined,
    placeholder: help.match(/default: ([^;)]+)/)?.[1],
  });
  const shown = make('span', { class: 'unit', id: `${key}-unit` });
  const entry = make('span', { class: 'entry' }, input, shown);
  return make('label', label, labelOf(name), entry);
}
