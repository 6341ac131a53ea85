// SPDX-License-Identifier: Apache-2.0
// Numbers, durations and units as a person reads them.

const minus = '\u2212';
const thin = '\u202f'; // narrow no-break space
const superscripts = {
  '-': '\u207b',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};

const raised = (digits) => [...digits].map((c) => superscripts[c]).join('');

/// A value to `digits` significant ones: 0.02, 120.4, 3.1 × 10⁻⁵. Never more than it has.
export function number(value, digits = 4) {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : `${minus}∞`;
  if (value === 0) return '0';
  const [mantissa, exponent] = value.toExponential(digits - 1).split('e');
  const plain = Number(exponent) >= -3 && Number(exponent) < Math.max(digits, 6);
  if (plain) return String(Number(value.toPrecision(digits))).replace('-', minus);
  const power = raised(String(Number(exponent)));
  return `${String(Number(mantissa)).replace('-', minus)}${thin}×${thin}10${power}`;
}

/// A value of a changing read-out, always as wide as its digits: 120.0 and not 120.
export function steady(value, digits = 5) {
  if (!Number.isFinite(value)) return number(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return number(value, digits - 1);
  const before = size < 1 ? 1 : Math.floor(Math.log10(size)) + 1;
  return value.toFixed(Math.max(0, digits - before)).replace('-', minus);
}

/// A value on an axis, with as many decimals as the step from one to the next has.
export function tick(value, step) {
  const decimals = [0, 1, 2, 3, 4, 5].find((d) => {
    const whole = Math.round(step * 10 ** d);
    return whole !== 0 && Math.abs(step * 10 ** d - whole) < 1e-6;
  });
  if (decimals === undefined || Math.abs(value) >= 1e6) return number(value, 5);
  return value.toFixed(decimals).replace('-', minus);
}

/// A power of ten: 1, 10, 100, 10³.
export const power = (n) =>
  n < 1000 ? String(n) : `10${raised(String(Math.round(Math.log10(n))))}`;

/// 12 345
export const count = (n) => String(Math.round(n)).replace(/\B(?=(\d{3})+$)/g, thin);

export const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)}${thin}%`;

/// 512 B, 12.3 kB, 1.20 GB: three digits, in powers of 1000.
export function bytes(n) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let of = 0;
  for (; n >= 999.5 && of + 1 < units.length; ++of) n /= 1000;
  const digits = of === 0 || n >= 99.95 ? 0 : n >= 9.995 ? 1 : 2;
  return `${n.toFixed(digits)}${thin}${units[of]}`;
}

/// Microseconds in the unit that suits them: 850 ns, 12.3 µs, 1.20 ms, 3.40 s.
export function micros(us) {
  if (!Number.isFinite(us)) return '–';
  const size = Math.abs(us);
  const [scale, unit] =
    size === 0
      ? [1, 'µs']
      : size < 1
        ? [1e3, 'ns']
        : size < 1e3
          ? [1, 'µs']
          : size < 1e6
            ? [1e-3, 'ms']
            : [1e-6, 's'];
  const value = us * scale;
  const digits = unit === 'ns' || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${size === 0 ? '0' : value.toFixed(digits).replace('-', minus)}${thin}${unit}`;
}

/// Seconds of a run: 12.3 s, 4 min 05 s, 3 h 20 min.
export function seconds(s) {
  if (s < 60) return `${s.toFixed(1)}${thin}s`;
  const two = (n) => String(n).padStart(2, '0');
  const whole = Math.floor(s);
  if (s < 3600) return `${Math.floor(whole / 60)}${thin}min ${two(whole % 60)}${thin}s`;
  return `${Math.floor(whole / 3600)}${thin}h ${two(Math.floor(whole / 60) % 60)}${thin}min`;
}

/// A frame's length as a rate: 1 kHz, 50 Hz.
export function rate(period) {
  const hz = 1 / period;
  return hz >= 1000 ? `${number(hz / 1000)}${thin}kHz` : `${number(hz)}${thin}Hz`;
}

/// kg m2 as kg m², N m s/rad as N·m·s/rad.
export const unit = (text = '') =>
  text === '1'
    ? ''
    : text.replace(/([A-Za-zµ°])(-?\d+)/g, (_, u, d) => u + raised(d)).replace(/ +/g, '·');

/// `12.3 rad/s`; no unit, no space.
export const withUnit = (text, u) => (unit(u) ? `${text}${thin}${unit(u)}` : text);

/// The cause of an overrun, the class of an event: late_wake as late wake.
export const words = (name) => name.replaceAll('_', ' ');
