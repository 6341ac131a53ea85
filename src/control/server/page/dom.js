// SPDX-License-Identifier: Apache-2.0
// Elements, found and made.

export const id = (name) => document.getElementById(name);

/// An element with attributes and children; `text` is its text, `on…` a listener.
export function make(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function makeSvg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === 'text') element.textContent = value ?? '';
    else if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

/// Writes a text only where it is another one: what stays is not announced and not laid out again.
export function show(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

export function showIf(element, condition) {
  if (element.hidden === condition) element.hidden = !condition;
}

/// Options of a select, the choice kept where it still exists.
export function options(select, entries) {
  const chosen = select.value;
  select.replaceChildren(...entries);
  if ([...select.options].some((option) => option.value === chosen)) select.value = chosen;
}
