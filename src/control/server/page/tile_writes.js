// SPDX-License-Identifier: Apache-2.0
// Tiles that change the run: slider, switch, button. Each change is answered with its frame.

import { id, make, show } from './dom.js';
import { number, unit, withUnit } from './format.js';
import { onSubmit } from './submit.js';
import { fieldOf } from './tile_kinds.js';
import { topic } from './verdict.js';

const longestMark = 80; // bytes
let made = 0; // so that each form and field has an id of its own

/// A form that only those may use who may change the run, and by their role `of` {method, name?}.
function form(tile, context, inside, { change, done, of }) {
  const element = make(
    'form',
    { class: `write ${tile.kind}`, id: `tile-form-${++made}`, autocomplete: 'off' },
    ...inside,
    make('p', { class: 'reply' }),
  );
  onSubmit(element, { change, done });
  const right = { 'data-method': of.method, 'data-name': of.name };
  return make('fieldset', { class: 'writes', disabled: context.locked, ...right }, element);
}

/// The parameter of a tile, or a body that says that there is none.
function parameterOf(tile, context) {
  const item = context.itemOf(tile.parameter);
  if (item?.kind === 'parameter') return { item, bare: item.name.slice('parameter:'.length) };
  const text = `This run has no parameter ${tile.parameter ?? ''}.`;
  return { missing: { body: make('p', { class: 'aside', text }), names: [] } };
}

const set = (context, bare, value) =>
  context.run.change('set', { values: { [bare]: value }, restart: id('restart').checked });

export function sliderTile(tile, context) {
  const { item, bare, missing } = parameterOf(tile, context);
  if (missing) return missing;
  const [low, high] = [fieldOf(tile, 'min'), fieldOf(tile, 'max')];
  const label = fieldOf(tile, 'title') || item.label;
  const key = `tile-field-${++made}`;
  const now = make('span', { class: 'value' });
  const slider = make('input', {
    id: key,
    type: 'range',
    min: low,
    max: high,
    step: 'any',
  });
  let held = false; // by a person: what the run has must not move it
  const words = (v) => withUnit(number(v, 4), item.unit);
  const reach = (high - low) / 100;
  slider.addEventListener('input', () => {
    held = true;
    show(now, words(slider.valueAsNumber));
    slider.ariaValueText = now.textContent;
  });
  // `any` has no step for keys.
  slider.addEventListener('keydown', (event) => {
    const way = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 };
    if (!Object.hasOwn(way, event.key)) return;
    event.preventDefault();
    slider.value = slider.valueAsNumber + way[event.key] * reach;
    slider.dispatchEvent(new Event('input'));
    slider.dispatchEvent(new Event('change'));
  });
  slider.addEventListener('change', () => slider.form.requestSubmit());
  const element = form(
    tile,
    context,
    [make('label', { for: key, text: label }), slider, now],
    {
      change: async () => {
        try {
          return await set(context, bare, slider.valueAsNumber);
        } finally {
          held = false;
        }
      },
      done: () => `${item.label} set`,
      of: { method: 'set', name: bare },
    },
  );
  return {
    body: element,
    names: [],
    asks: [item.name],
    draw: () => {
      const value = context.valueOf(item);
      if (held || !Number.isFinite(value)) return;
      if (slider.valueAsNumber !== value) slider.value = value;
      show(now, words(value));
      slider.ariaValueText = now.textContent;
    },
  };
}

export function switchTile(tile, context) {
  const { item, bare, missing } = parameterOf(tile, context);
  if (missing) return missing;
  const [off, on] = [fieldOf(tile, 'off'), fieldOf(tile, 'on')];
  const label = fieldOf(tile, 'title') || item.label;
  const button = make('button', { class: 'toggle', role: 'switch', 'aria-checked': 'mixed' });
  const word = make('span', { class: 'word' });
  button.append(make('span', { text: label }), ' ', word);
  const is = () => ({ [off]: 'false', [on]: 'true' })[context.valueOf(item)] ?? 'mixed';
  return {
    body: form(tile, context, [button], {
      change: () => set(context, bare, is() === 'true' ? off : on),
      done: () => `${item.label} set`,
      of: { method: 'set', name: bare },
    }),
    names: [],
    asks: [item.name],
    draw: () => {
      const state = is();
      if (button.ariaChecked !== state) button.ariaChecked = state;
      show(
        word,
        { true: 'on', false: 'off', mixed: number(context.valueOf(item)) + unit(item.unit) }[state],
      );
    },
  };
}

// What a button does to a signal or a parameter: in words, and the change.
const deeds = {
  set: ({ label, worth }) => `Set ${label} to ${worth}`,
  fault: ({ label, how, worth }) => (how === 'dropout' ? `${label}: ${how}` : `${label}: ${how} ${worth}`),
  release: ({ label }) => `Release ${label}`,
  stimulate: ({ label, worth }) => `Add ${worth} to ${label}`,
  quiet: ({ label }) => `Leave ${label} alone`,
};
const changes = {
  fault: (context, { signal, how, value }) =>
    change(context, 'override', { signal, kind: how, ...(how === 'dropout' ? {} : { value }) }),
  release: (context, { signal }) => change(context, 'release', { signal }),
  stimulate: (context, { bare, value }) =>
    change(context, 'stimulate', { input: bare, shape: 'step', amplitude: value }),
  quiet: (context, { bare }) => change(context, 'quiet', { input: bare }),
  set: (context, { bare, value }) => set(context, bare, value),
};
const change = (context, method, params) =>
  context.run.change(method, { ...params, restart: id('restart').checked });

/// A button that begins a sequence, and says how far that is.
function beginTile(tile, context) {
  const sequence = fieldOf(tile, 'sequence');
  const what = fieldOf(tile, 'title') || `Begin ${sequence}`;
  const is = make('p', { class: 'aside' });
  // "running: NAME", "ending: NAME, ...", "passed: NAME: ..."
  const tell = () => {
    const told = topic(context.run.status ?? {}, 'sequence');
    const its = told?.words.slice(told.is.length + 2).split(/[:,]/, 1)[0] === sequence;
    show(is, its ? told.is : '');
  };
  tell();
  context.run.addEventListener('status', tell);
  return {
    body: form(tile, context, [make('button', { text: what, title: `Begin ${sequence}` }), is], {
      change: () => context.run.change('begin', { sequence }),
      done: () => `${sequence} was begun`,
      of: { method: 'begin', name: sequence },
    }),
    names: [],
    end: () => context.run.removeEventListener('status', tell),
  };
}

export function buttonTile(tile, context) {
  const does = fieldOf(tile, 'does');
  if (does === 'begin') return beginTile(tile, context);
  const [value, how] = [fieldOf(tile, 'value'), fieldOf(tile, 'how')];
  let what = capital(does);
  const of = { method: does === 'fault' ? 'override' : does };
  let act = () => context.run.change(does, does === 'mark' ? called(fieldOf(tile, 'title')) : {});
  if (Object.hasOwn(deeds, does)) {
    const { item, missing } = does === 'set' ? parameterOf(tile, context) : signalOf(tile, context);
    if (missing) return missing;
    const bare = item.name.slice(item.name.indexOf(':') + 1);
    const worth = how === 'gain' && does === 'fault' ? number(value) : withUnit(number(value), item.unit);
    of.name = bare;
    what = deeds[does]({ label: item.label, how, worth });
    act = () => changes[does](context, { signal: item.name, bare, how, value });
  }
  return {
    body: form(
      tile,
      context,
      [make('button', { text: fieldOf(tile, 'title') || what, title: what })],
      { change: act, done: () => fieldOf(tile, 'title') || what, of },
    ),
    names: [],
  };
}

// A button for marks calls them what it is called itself, where that is no more than fits.
const called = (text) =>
  text && new TextEncoder().encode(text).length <= longestMark ? { text } : {};

/// The input or output of a tile, or a body that says that there is none.
function signalOf(tile, context) {
  const item = context.itemOf(tile.signal);
  if (item?.kind === 'input' || item?.kind === 'output') return { item };
  const text = `This run has no ${tile.signal || 'signal for this button'}.`;
  return { missing: { body: make('p', { class: 'aside', text }), names: [] } };
}

const capital = (word) => word[0].toUpperCase() + word.slice(1);
