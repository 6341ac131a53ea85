// SPDX-License-Identifier: Apache-2.0
// The answer to "is it keeping up?": a level (good, fair, bad, none) and words.

import { count, percent } from './format.js';

const times = (n, one, many) => `${count(n)} ${n === 1 ? one : many}`;
const recently = 'in the last 10 s';

export function verdict(status, pace) {
  if (status.state === 'starting') return { level: 'none', words: 'Getting ready' };
  if (status.state === 'ended') return { level: 'none', words: 'Outputs are at their safe values' };
  if (status.state === 'frozen') return { level: 'none', words: 'The plant is held' };

  const { slips, overruns, overBudget } = {
    slips: pace.grown('slips'),
    overruns: pace.grown('overruns'),
    overBudget: pace.grown('overBudget'),
  };
  if (slips > 0) {
    return {
      level: 'bad',
      words: `Losing time: ${times(slips, 'frame', 'frames')} given up ${recently}`,
    };
  }
  if (overruns > 0) {
    return { level: 'bad', words: `Late: ${times(overruns, 'overrun', 'overruns')} ${recently}` };
  }
  const { p99, limit } = status.utilisation;
  if (p99 > limit) {
    return {
      level: 'fair',
      words: `On time, but p99 of the work is ${percent(p99, 0)}, above its budget`,
    };
  }
  if (overBudget > 0) {
    return {
      level: 'fair',
      words: `On time; ${times(overBudget, 'frame', 'frames')} over budget ${recently}`,
    };
  }
  return { level: 'good', words: 'Keeping up' };
}
