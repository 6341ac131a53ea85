// SPDX-License-Identifier: Apache-2.0
// Test sequences of the configuration: begun and ended here, with what became of each step.

import { whyNot } from './access.js';
import { announce } from './announce.js';
import { id, make, show, showIf } from './dom.js';
import { count } from './format.js';
import { onSubmit } from './submit.js';
import { topic } from './verdict.js';

const marks = { passed: '✓', failed: '✗', error: '!', skipped: '–' };

/// How far a sequence is, and how the one begun last ended; '' where none was.
export function sequenceWords(last) {
  if (last === null) return '';
  const { is, words, ended, of_steps: steps, of_always: always, left_out: leftOut } = last;
  const hidden = leftOut > 0 ? `, of which ${count(leftOut)} are not shown` : '';
  if (is !== 'running' && is !== 'ending') return hidden === '' ? words : `${words}${hidden}`;
  const of = Number.isInteger(steps) ? ` of ${count(steps + always)}` : '';
  return `${words}: ${count(ended)}${of} steps have ended${hidden}`;
}

/// Why a client with these `rights` may not begin, or end, a sequence; '' where it may.
export function whyNotBegin(rights, name) {
  const why = whyNot(rights, 'begin');
  if (why !== '' || rights.may === null || rights.may.begin === 'all') return why;
  return rights.may.begin.includes(name) ? '' : `the role ${rights.role} may not begin ${name}`;
}

export function sequencesPanel(run) {
  let rows = new Map(); // by name
  let rights = { writes: false, why: '', may: null };
  let last = null;
  let known = ''; // the words of the topic when it was last asked
  let asking = false;

  function allow() {
    const running = last !== null && (last.is === 'running' || last.is === 'ending');
    const whys = new Set();
    for (const [name, { button }] of rows) {
      const why = whyNotBegin(rights, name);
      if (why !== '') whys.add(why);
      button.disabled = why !== '' || running;
    }
    const mayEnd = running && whyNotBegin(rights, last.sequence) === '';
    if (!mayEnd && document.activeElement === id('cease')) id('sequences-title').focus();
    id('cease').disabled = !mayEnd;
    const why = [...whys].join('; ');
    show(id('sequence-why'), why === '' ? '' : `Not all can be begun here: ${why}.`);
    showIf(id('sequence-why'), why !== '');
  }

  function list(sequences) {
    const names = sequences.map(({ name }) => name);
    for (const part of ['sequences', 'sequences-link']) showIf(id(part), names.length > 0);
    if (JSON.stringify(names) === JSON.stringify([...rows.keys()])) return;
    rows = new Map(sequences.map((one, i) => [one.name, row(run, one, i)]));
    id('sequence-list').replaceChildren(...[...rows.values()].map(({ item }) => item));
  }

  /// Steps that came are added to those that are shown.
  function tell(now) {
    if (now?.turn !== last?.turn) id('sequence-steps').replaceChildren();
    const before = last?.turn === now?.turn ? last : null;
    last = now;
    show(id('sequence-is'), sequenceWords(now));
    id('sequence-is').dataset.is = now?.is ?? 'none';
    if (now === null) return;
    const steps = id('sequence-steps');
    const follows = steps.scrollHeight - steps.scrollTop - steps.clientHeight < 8; // it is at the end
    steps.append(...now.steps.map(stepLine));
    while (steps.childElementCount > now.ended - now.left_out) steps.firstChild.remove();
    if (follows) steps.scrollTop = steps.scrollHeight;
    if (before === null && now.is !== 'running') return; // it was over before this page was opened
    for (const step of now.steps.filter(({ result }) => result === 'failed' || result === 'error'))
      announce(`${step.name}: ${step.result}, ${step.message ?? ''}`);
    if (before !== null && before.is !== now.is) announce(now.words);
  }

  async function ask() {
    if (asking) return;
    asking = true;
    try {
      let answer = await run.connection.call('sequences', { since: last?.ended ?? 0 });
      // Of another than was shown, all of it.
      if (answer.last !== null && last !== null && answer.last.turn !== last.turn)
        answer = await run.connection.call('sequences', { since: 0 });
      list(answer.sequences);
      tell(answer.last);
      allow();
    } finally {
      asking = false;
    }
  }

  run.on('connection', () => {
    if (!run.open) return;
    [last, known] = [null, ''];
    id('sequence-steps').replaceChildren();
    ask().catch(() => {});
  });
  run.on('rights', (its) => {
    rights = its;
    allow();
  });
  // Nothing is asked for while nothing can have changed.
  run.on('status', (status) => {
    const words = topic(status, 'sequence')?.words ?? '';
    if (words === known && last?.is !== 'running' && last?.is !== 'ending') return;
    ask()
      .then(() => {
        known = words;
      })
      .catch(run.connection.notes('sequences'));
  });
  onSubmit(id('cease-form'), {
    change: () => run.change('cease'),
    done: () => 'The sequence was asked to end; its last steps are taken',
  });
}

/// The line of a sequence, with its button.
function row(run, { name, file }, number) {
  const button = make('button', {
    text: 'Begin',
    'aria-label': `Begin ${name}`,
    'aria-describedby': 'sequence-why',
  });
  const form = make(
    'form',
    { class: 'recorder', id: `sequence-${number}-form`, 'aria-label': `Sequence ${name}` },
    make('p', {}, make('strong', { text: name }), ' ', make('span', { class: 'aside', text: file })),
    button,
  );
  onSubmit(form, {
    change: () => run.change('begin', { sequence: name }),
    done: () => `${name} was begun`,
  });
  return { item: make('li', {}, form), button };
}

/// What became of a step: a mark, the same in a word, when, and why.
function stepLine({ name, result, line, end_s: end, message, always }) {
  const why = result === 'passed' ? message : `line ${line}: ${message}`;
  return make(
    'li',
    { 'data-is': result },
    make('span', { class: 'mark', 'aria-hidden': 'true', text: marks[result] ?? '!' }),
    make('span', { class: 'result', text: result }),
    make('span', { class: 'aside', text: `${end.toFixed(3)} s` }),
    make('span', { text: always ? `${name} (always)` : name }),
    ...(message ? [make('p', { class: 'why', text: why })] : []),
  );
}
