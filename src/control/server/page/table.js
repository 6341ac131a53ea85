// SPDX-License-Identifier: Apache-2.0
// A table for a playback, from a CSV file of two columns: s, value.

const expected = 'expected two numbers: a time in s and a value';

/// {times_s, values}, or an Error that names the line.
export function parseTable(text) {
  const table = { times_s: [], values: [] };
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const cells = line.split(/[,;\t]/).map((cell) => cell.trim());
    const [time, value] = cells.map(Number);
    const good =
      cells.length === 2 && cells.every((cell) => cell !== '') && Number.isFinite(time + value);
    if (!good && table.times_s.length === 0 && i === 0) return; // names of columns
    if (!good) throw new Error(`table: line ${i + 1} is “${line}”; ${expected}`);
    table.times_s.push(time);
    table.values.push(value);
  });
  if (table.times_s.length === 0) throw new Error(`table: found no such line, ${expected}`);
  return table;
}

export async function readTable(file) {
  if (!file)
    throw new Error('table: found no file, expected a CSV of two columns: a time in s and a value');
  return parseTable(await file.text());
}
