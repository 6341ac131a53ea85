// SPDX-License-Identifier: Apache-2.0
// What the run has: its signals, parameters and faults of devices, as rows of one list and as a tree.

export const kinds = [
  ['output', 'outputs', 'Outputs'],
  ['input', 'inputs', 'Inputs'],
  ['state', 'states', 'States'],
  ['parameter', 'parameters', 'Parameters'],
  ['fault', 'device_faults', 'Faults of devices'],
];
const signalKinds = ['output', 'input', 'state'];

/// The items of a `list`: {name as `output:NAME`, label, kind, unit, model, place among all}.
export function itemsOf(list) {
  const all = kinds.flatMap(([kind, key]) =>
    (list[key] ?? []).map((s) => ({
      name: `${kind}:${s.name}`,
      label: s.name,
      kind,
      unit: s.unit ?? '',
      help: s.help ?? '',
      model: modelOf(s.name),
    })),
  );
  all.forEach((item, place) => (item.place = place));
  return all;
}

export const isSignal = ({ kind }) => signalKinds.includes(kind);

// Of several models each name begins with that of its model; so do the faults of a device.
function modelOf(name) {
  const dot = name.indexOf('.');
  return dot > 0 ? name.slice(0, dot) : '';
}

/// The groups of items, by model where there are several, then by kind: [{key, title, level, items}
/// or {key, title, level, groups}].
export function groupsOf(items) {
  const models = Map.groupBy(items, (item) => item.model);
  if (models.size < 2) return ofKinds(items, '', 1);
  return [...models].map(([model, its]) => ({
    key: `model:${model}`,
    title: model || 'The plant',
    level: 1,
    groups: ofKinds(its, model, 2),
  }));
}

function ofKinds(items, model, level) {
  return kinds
    .map(([kind, , title]) => ({
      key: `kind:${model}:${kind}`,
      title,
      level,
      items: items.filter((item) => item.kind === kind),
    }))
    .filter(({ items: its }) => its.length > 0);
}

/// The rows of a tree in which the groups in `closed` are not opened: groups and items, each with
/// its `level`, its place `at` among `of` neighbours.
export function rowsOf(groups, closed) {
  return groups.flatMap((group, i) => {
    const open = !closed.has(group.key);
    const own = {
      group: group.key,
      title: group.title,
      count: sizeOf(group),
      open,
      level: group.level,
      at: i + 1,
      of: groups.length,
    };
    if (!open) return [own];
    if (group.groups) return [own, ...rowsOf(group.groups, closed)];
    const of = group.items.length;
    return [
      own,
      ...group.items.map((item, at) => ({ item, level: group.level + 1, at: at + 1, of })),
    ];
  });
}

const sizeOf = ({ items, groups }) =>
  items ? items.length : groups.reduce((sum, group) => sum + sizeOf(group), 0);
