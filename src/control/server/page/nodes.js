// SPDX-License-Identifier: Apache-2.0
// The nodes of the system that the run is one of: what each does, and what became of arming all of them.

import { id, make, show, showIf } from './dom.js';

export function nodesPanel(run) {
  run.on('nodes', ({ nodes, round }) => {
    showIf(id('nodes'), nodes.length > 0);
    if (nodes.length > 0) list(nodes);
    show(id('nodes-round'), round.state === 'none' ? '' : `Arming of all: ${round.words}`);
  });
}

const doing = ({ here, waits }) => (!here ? 'not here' : waits ? 'waits for others' : 'runs');
const outputs = ({ here, armed, may_arm: may }) => {
  if (!here) return '–';
  if (armed) return 'armed';
  return may ? 'disarmed' : 'disarmed, cannot be armed';
};
const count = (n) => (n === null ? '–' : String(n));
const words = ({ node, own, member }) =>
  `${node}${own ? ' (this one)' : ''}${member ? '' : ', no member'}`;

function list(nodes) {
  id('node-list').replaceChildren(
    ...nodes.map((one) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row', text: words(one) }),
        make('td', { text: doing(one) }),
        make('td', { text: outputs(one) }),
        make('td', { text: count(one.frame) }),
        make('td', { text: count(one.overruns) }),
      ),
    ),
  );
}
