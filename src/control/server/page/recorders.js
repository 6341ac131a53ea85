// SPDX-License-Identifier: Apache-2.0
// Recorders: what each of them does, begun and ended here, and marks in what they record.

import { whyNot } from './access.js';
import { announce } from './announce.js';
import { id, make, show, showIf } from './dom.js';
import { bytes, count } from './format.js';
import { onSubmit, valueOf } from './submit.js';

/// What a recorder does, how much of it there is, and what is wrong, as words; '' for nothing.
export function recorderWords({ state, file, files, bytes: size, closing, lost, error }) {
  const frames = lost === 1 ? '1 frame is' : `${count(lost)} frames are`;
  const missing = `${frames} not in ${files > 1 ? 'its files' : 'the file'}`;
  const wrong = [lost > 0 ? missing : '', error].filter((words) => words !== '');
  const said = { is: 'not recording', much: '', wrong: wrong.join('; ') };
  if (state === 'beginning') return { ...said, is: 'begins, its file is being made' };
  if (file === null) return said;
  const much = `, ${bytes(size)}${files > 1 ? `, file ${count(files)} of this run` : ''}`;
  if (state === 'recording') return { ...said, is: `recording ${file}`, much };
  if (closing > 0) return { ...said, is: `ended, and ${file} is still being written` };
  return { ...said, is: `not recording; the newest file is ${file}`, much };
}

export function recordersPanel(run) {
  let rows = new Map(); // by name
  let why = { record: '', mark: '' };

  function allow() {
    for (const { button } of rows.values()) button.disabled = why.record !== '';
    for (const part of ['mark', 'mark-label', 'mark-text']) id(part).disabled = why.mark !== '';
    tell(id('record-why'), rows.size > 0 ? why.record : '', 'Nothing can be begun or ended here');
    tell(id('mark-why'), why.mark, 'Nothing can be marked here');
  }

  run.on('rights', (rights) => {
    why = { record: whyNot(rights, 'record'), mark: whyNot(rights, 'mark') };
    allow();
  });
  run.on('status', ({ recorders, recording }) => {
    const names = recorders.map(({ name }) => name);
    if (JSON.stringify(names) !== JSON.stringify([...rows.keys()])) {
      rows = new Map(names.map((name) => [name, row(run, name)]));
      id('recorder-list').replaceChildren(...[...rows.values()].map((one) => one.item));
      allow();
    }
    for (const one of recorders) rows.get(one.name).show(one);
    showIf(id('no-recorders'), recorders.length === 0);
    const note = 'nothing is recorded now: no file will have it';
    show(id('mark-note'), recording === null ? note : 'in all that is recorded');
  });
  onSubmit(id('mark-form'), {
    async change() {
      const text = id('mark-text').value.trim();
      const effect = await run.change('mark', {
        label: valueOf(id('mark-label')),
        ...(text === '' ? {} : { text }),
      });
      id('mark-text').value = '';
      return effect;
    },
    done: () => 'Marked',
  });
}

function tell(element, why, words) {
  show(element, why === '' ? '' : `${words}: ${why}.`);
  showIf(element, why !== '');
}

/// The line of a recorder: its button begins or ends it, by what was shown last.
function row(run, name) {
  const is = make('span');
  const much = make('span'); // by itself: it grows, and is not announced
  const wrong = make('p', { class: 'wrong error' });
  const button = make('button', { 'aria-describedby': 'record-why' });
  const form = make(
    'form',
    { class: 'recorder', id: `recorder-${name}-form`, 'aria-label': `Recorder ${name}` },
    make('p', {}, make('strong', { text: name }), ': ', is, much),
    button,
    wrong,
  );
  let asks = 'record';
  let asked = '';
  let told = null;
  onSubmit(form, {
    change: () => {
      asked = asks === 'record' ? 'begin' : 'end';
      return run.change(asks, { recorder: name });
    },
    done: () => `${name} was asked to ${asked}`,
  });
  function showIt(recorder) {
    const words = recorderWords(recorder);
    form.dataset.is = recorder.state;
    form.classList.toggle('failing', words.wrong !== '');
    show(is, words.is);
    show(much, words.much);
    show(wrong, words.wrong);
    showIf(wrong, words.wrong !== '');
    asks = recorder.state === 'idle' ? 'record' : 'unrecord';
    const verb = asks === 'record' ? 'Begin' : 'End';
    show(button, verb);
    button.setAttribute('aria-label', `${verb} recording: ${name}`);
    // Not the frames that are lost, which grow as well: the head of the page tells them.
    const news = [`${name}: ${words.is}`, recorder.error].filter((part) => part !== '').join('; ');
    if (told !== null && news !== told) announce(news);
    told = news;
  }
  return { item: make('li', {}, form), button, show: showIt };
}
