// SPDX-License-Identifier: Apache-2.0
// The answer to "is it keeping up?": a level (good, fair, bad, none) and words.

import { count, percent } from './format.js';

const times = (n, one, many) => `${count(n)} ${n === 1 ? one : many}`;
const recently = 'in the last 10 s';
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/// What a status tells of a topic, as `outputs`; undefined where it tells nothing.
export const topic = (status, of) => status.told?.find((t) => t.of === of);

const worse = { none: 0, good: 0, quiet: 0, note: 0, fair: 1, bad: 2 };

/// Of the whole: no better than the worst of what is told of plant, outputs, recording and guard.
export function verdict(status, pace) {
  const its = ofTheRun(status, pace);
  if (status.state === 'ended') return its;
  for (const of of ['plant', 'outputs', 'recording', 'guard']) {
    const level = topic(status, of)?.level ?? 'quiet';
    if (worse[level] > worse[its.level]) its.level = level;
  }
  return its;
}

function ofTheRun(status, pace) {
  const { ending } = status;
  if (status.state === 'starting') return { level: 'none', words: 'Getting ready' };
  if (status.state === 'ended') {
    return ending
      ? {
          level: ending.exit_code === 0 ? 'none' : 'bad',
          words: `${ending.words} Exit code ${ending.exit_code}.`,
        }
      : { level: 'none', words: 'The run has ended.' };
  }
  if (status.state === 'frozen' || status.state === 'stepping') {
    const { level = 'none', words = 'The plant is held' } = topic(status, 'run') ?? {};
    return { level: level === 'bad' ? 'bad' : 'none', words: capital(words) };
  }

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
