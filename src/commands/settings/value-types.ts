/** The kinds of value that a setting takes: how each is read from text, written back, and described. */

export interface ValueType<Value> {
  /** Stands for the value in help, such as `N`; empty for a switch, which takes none. */
  readonly placeholder: string;
  /** Completes "must be …". */
  readonly allowed: string;
  /** The least and the most, where the value is a number that has both. */
  readonly range?: readonly [least: number, most: number];
  /** Undefined where the text is not allowed. */
  parse(text: string): Value | undefined;
  /** As a person would type it. */
  show(value: Value): string;
}

export function integer(least: number, most: number): ValueType<number> {
  return {
    placeholder: 'N',
    allowed: `a whole number from ${least} to ${most}`,
    range: [least, most],
    parse: (text) => {
      const number = /^\d+$/.test(text) ? Number(text) : NaN;
      return number >= least && number <= most ? number : undefined;
    },
    show: (value) => String(value),
  };
}

const TIME_UNITS: readonly (readonly [unit: string, milliseconds: number])[] = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

/** More than a timer can wait for (2^31 - 1 ms) would fire at once. */
const LONGEST_TIME = 2_147_483_647;

/** Milliseconds. */
export const time: ValueType<number> = {
  placeholder: 'TIME',
  allowed: 'a time above zero such as 500ms, 30s or 10m (a bare number is milliseconds)',
  parse: (text) => scaled(text, TIME_UNITS, LONGEST_TIME),
  show: (value) => unscaled(value, TIME_UNITS),
};

const SIZE_UNITS: readonly (readonly [unit: string, bytes: number])[] = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['B', 1],
];

/** Bytes. */
export const size: ValueType<number> = {
  placeholder: 'SIZE',
  allowed: 'a size above zero such as 64KiB or 4MiB (a bare number is bytes)',
  parse: (text) => scaled(text, SIZE_UNITS, 4 * 1024 ** 3),
  show: (value) => unscaled(value, SIZE_UNITS),
};

function scaled(text: string, units: readonly (readonly [string, number])[], most: number): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?)\s*([a-z]*)$/i.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const factor = unit === '' ? 1 : units.find(([name]) => name.toLowerCase() === unit.toLowerCase())?.[1];
  if (factor === undefined) return undefined;
  const value = Math.round(Number(digits) * factor);
  return value >= 1 && value <= most ? value : undefined;
}

function unscaled(value: number, units: readonly (readonly [string, number])[]): string {
  const [unit, factor] = units.find(([, each]) => value >= each && value % each === 0) ?? ['', 1];
  return `${value / factor}${unit}`;
}

/** Requests per second. */
export const rate: ValueType<number> = {
  placeholder: 'N/s',
  allowed: 'a number of requests per second such as 5/s or 0.5/s',
  parse: (text) => {
    const [, digits] = /^(\d{1,6}(?:\.\d{1,3})?)(?:\/s)?$/.exec(text) ?? [];
    return digits !== undefined && Number(digits) > 0 ? Number(digits) : undefined;
  },
  show: (value) => `${value}/s`,
};

const SWITCH: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  1: true,
  false: false,
  no: false,
  off: false,
  0: false,
};

export const toggle: ValueType<boolean> = {
  placeholder: '',
  allowed: 'true or false',
  parse: (text) => (Object.hasOwn(SWITCH, text.toLowerCase()) ? SWITCH[text.toLowerCase()] : undefined),
  show: (value) => String(value),
};

/** Any text of visible characters; where white space around it is not meant, it is cut. */
export function text(placeholder: string, allowed: string = 'a text without control characters'): ValueType<string> {
  return {
    placeholder,
    allowed,
    // oxlint-disable-next-line no-control-regex
    parse: (given) => (given.trim() === '' || /[\u0000-\u001f\u007f]/.test(given) ? undefined : given.trim()),
    show: (value) => value,
  };
}

export const file: ValueType<string> = text('FILE', 'the name of a file');

/** An absolute http or https address. Never shown in a message: it may hold a password. */
export const httpUrl: ValueType<string> = {
  placeholder: 'URL',
  allowed: 'an http or https address',
  parse: (given) => (/^https?:\/\/[^/]/i.test(given) && URL.canParse(given) ? given : undefined),
  show: (value) => value,
};

/** A day of the calendar; 2030-02-30 is none. */
export const calendarDay: ValueType<string> = {
  placeholder: 'DATE',
  allowed: 'a date such as 2030-12-31',
  parse: (given) => {
    const time = /^\d{4}-\d{2}-\d{2}$/.test(given) ? Date.parse(`${given}T00:00:00Z`) : NaN;
    return !Number.isNaN(time) && new Date(time).toISOString().startsWith(given) ? given : undefined;
  },
  show: (value) => value,
};
