// SPDX-License-Identifier: Apache-2.0
// Which form of the page a thing of the run is changed by: brought into view, filled in, focused.

import { id } from './dom.js';

/// `item`: of Signals; `how`: `fault`, `stimulus`, or what its kind is changed by.
export function openForm(item, how = item.kind) {
  const bare = item.name.slice(item.kind.length + 1);
  const [form, field, value] = {
    parameter: () => [id(`parameter-${bare}-form`), id(`parameter-${bare}`)],
    fault: () =>
      item.kind === 'fault'
        ? [id('inject-form'), id('inject-value'), ['inject-fault', bare]]
        : [id('fault-form'), id('fault-value'), ['fault-signal', item.name]],
    stimulus: () => [id('stimulus-form'), id('stimulus-shape'), ['stimulus-input', bare]],
  }[how]();
  if (value && id(value[0])) {
    id(value[0]).value = value[1];
    id(value[0]).dispatchEvent(new Event('change'));
  }
  form?.scrollIntoView({ block: 'nearest' });
  field?.focus();
}
