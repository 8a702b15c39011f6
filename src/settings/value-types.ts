/** The types of value that settings take: how each is parsed, formatted, described, and checked in the config file. */

export interface ValueType<Value> {
  /** Stands for the value in help, such as `N`; empty for a switch, which takes none. */
  readonly placeholder: string;
  /** Completes "must be …". */
  readonly allowed: string;
  /** Bounds, both included, of a whole number. */
  readonly range?: readonly [min: number, max: number];
  /** JSON Schema of the value in the config file. A string may also hold `${VAR}`, so it is parsed again once that is replaced. */
  readonly schema: Readonly<Record<string, unknown>>;
  /** The value; undefined for text that is not allowed. */
  parse(text: string): Value | undefined;
  /** How a program gives it, unless as a text that is parsed. */
  readonly typed?: TypedForm;
  /** The value as a person would type it. */
  show(value: Value): string;
  /** Whether a part after a comma begins another item; without it, every part does. */
  readonly beginsItem?: (part: string) => boolean;
}

/** A value in fixed units, which is not parsed. */
interface TypedForm {
  /** Completes "must be …". */
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
}

/** `unit`: of what it counts. */
function numberFrom(least: number, most: number, { unit = '', isWhole = false } = {}): TypedForm {
  return {
    allowed: `${isWhole ? 'a whole number' : 'a number'}${unit} from ${least} to ${most}`,
    accepts: (value) =>
      typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value)),
  };
}

/** What a value must be that a program gives; undefined if it is that. */
export function findDemand(type: ValueType<unknown>, value: unknown): string | undefined {
  const { typed, allowed } = type;
  const isAllowed = typed ? typed.accepts(value) : typeof value === 'string' && type.parse(value) !== undefined;
  return isAllowed ? undefined : (typed?.allowed ?? allowed);
}

/** The number, if it is one between these. */
function within(number: number, least: number, most: number): number | undefined {
  return number >= least && number <= most ? number : undefined;
}

/** Matches the given regular expression, or any text with a `${VAR}` in it. */
function patternOrVariable(pattern: string): string {
  return String.raw`^(${pattern})$|\$\{`;
}

/** JSON Schema has no flag for it. */
export function inAnyCase(text: string): string {
  return text.replaceAll(/[a-z]/gi, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`);
}

export function integer(min: number, max: number): ValueType<number> {
  return {
    placeholder: 'N',
    allowed: `a whole number from ${min} to ${max}`,
    range: [min, max],
    schema: { type: ['integer', 'string'], minimum: min, maximum: max, pattern: patternOrVariable('[0-9]+') },
    typed: numberFrom(min, max, { isWhole: true }),
    parse: (text) => within(/^\d+$/.test(text) ? Number(text) : NaN, min, max),
    show: (value) => String(value),
  };
}

type Units = readonly (readonly [unit: string, factor: number])[];

const TIME_UNITS: Units = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
];

/** A timer set for more than 2^31 - 1 ms would fire at once. */
const MAX_TIME = 2_147_483_647;

/** A smaller bare number was meant as seconds. */
const MIN_BARE_TIME = 100;

/** Milliseconds. */
export const time: ValueType<number> = {
  placeholder: 'TIME',
  allowed: `a time above zero such as 500ms, 30s or 10m (a bare number is milliseconds, ${MIN_BARE_TIME} or more)`,
  schema: { ...scaledSchema(TIME_UNITS, MAX_TIME), exclusiveMinimum: MIN_BARE_TIME - 1 },
  typed: numberFrom(1, MAX_TIME, { unit: ' of milliseconds' }),
  parse: (text) => (Number(text) < MIN_BARE_TIME ? undefined : parseScaled(text, TIME_UNITS, MAX_TIME)),
  show: (value) => formatScaled(value, TIME_UNITS),
};

const SIZE_UNITS: Units = [
  ['GiB', 1024 ** 3],
  ['MiB', 1024 ** 2],
  ['KiB', 1024],
  ['B', 1],
];

const MAX_SIZE = 4 * 1024 ** 3;

/** Bytes. */
export const size = sizeUpTo(MAX_SIZE);

export function sizeUpTo(max: number): ValueType<number> {
  return {
    placeholder: 'SIZE',
    allowed: `a size above zero such as 64KiB or 4MiB, at most ${formatScaled(max, SIZE_UNITS)} (a bare number is bytes)`,
    schema: scaledSchema(SIZE_UNITS, max),
    typed: numberFrom(1, max, { unit: ' of bytes' }),
    parse: (given) => parseScaled(given, SIZE_UNITS, max),
    show: (value) => formatScaled(value, SIZE_UNITS),
  };
}

function scaledSchema(units: Units, max: number): ValueType<number>['schema'] {
  const names = units.map(([unit]) => inAnyCase(unit)).join('|');
  const pattern = patternOrVariable(String.raw`[0-9]{1,15}(\.[0-9]{1,3})?\s*(${names})?`);
  return { type: ['number', 'string'], exclusiveMinimum: 0, maximum: max, pattern };
}

function parseScaled(text: string, units: Units, max: number): number | undefined {
  const [, digits, unit = ''] = /^(\d{1,15}(?:\.\d{1,3})?)\s*([a-z]*)$/i.exec(text) ?? [];
  const factor = unit === '' ? 1 : units.find(([name]) => name.toLowerCase() === unit.toLowerCase())?.[1];
  if (digits === undefined || factor === undefined) return undefined;
  return within(Math.round(Number(digits) * factor), 1, max);
}

function formatScaled(value: number, units: Units): string {
  const [unit, factor] = units.find(([, each]) => value >= each && value % each === 0) ?? ['', 1];
  return `${value / factor}${unit}`;
}

const MIN_RATE = 0.001;
const MAX_RATE = 999_999;

/** Requests per second. */
export const rate: ValueType<number> = {
  placeholder: 'N/s',
  allowed: 'a number of requests per second such as 5/s or 0.5/s',
  typed: numberFrom(MIN_RATE, MAX_RATE, { unit: ' of requests per second' }),
  schema: {
    type: ['number', 'string'],
    exclusiveMinimum: 0,
    maximum: MAX_RATE,
    pattern: patternOrVariable(String.raw`[0-9]{1,6}(\.[0-9]{1,3})?(/s)?`),
  },
  parse: (text) => within(/^\d{1,6}(\.\d{1,3})?(\/s)?$/.test(text) ? Number.parseFloat(text) : NaN, MIN_RATE, Infinity),
  show: (value) => `${value}/s`,
};

/** What a million tokens cost: of prompts, and generated ones. */
export const price: ValueType<string> = {
  ...text('IN/OUT', 'two prices such as 0.15/0.60, of a million prompt tokens and a million generated ones'),
  schema: {
    type: 'string',
    pattern: patternOrVariable(String.raw`[0-9]{1,6}(\.[0-9]{1,6})?/[0-9]{1,6}(\.[0-9]{1,6})?`),
  },
  parse: (given) => (/^\d{1,6}(\.\d{1,6})?\/\d{1,6}(\.\d{1,6})?$/.test(given) ? given : undefined),
};

/** Per cent. */
export const percent: ValueType<number> = {
  placeholder: 'N%',
  allowed: 'a share from 0% to 100%, such as 5%',
  typed: numberFrom(0, 100, { unit: ' of per cent' }),
  schema: { type: 'string', pattern: patternOrVariable(String.raw`[0-9]{1,3}(\.[0-9])?\s*%`) },
  parse: (given) => within(/^\d{1,3}(\.\d)?\s*%$/.test(given) ? Number.parseFloat(given) : NaN, 0, 100),
  show: (value) => `${value}%`,
};

/** More would take thousands of answers to each request. */
const MAX_PARTS = 100;

/** N of `1/N`. */
export const share: ValueType<number> = {
  placeholder: '1/N',
  allowed: `a share from 1/1 to 1/${MAX_PARTS}, such as 1/3`,
  typed: numberFrom(1, MAX_PARTS, { unit: ', the N of 1/N,', isWhole: true }),
  schema: { type: 'string', pattern: patternOrVariable('1/([1-9][0-9]?|100)') },
  parse: (text) => within(Number(/^1\/(\d{1,3})$/.exec(text)?.[1]), 1, MAX_PARTS),
  show: (value) => `1/${value}`,
};

const MAX_SHARDS = 1000;

/** `2/4`: the second of four parts. */
export const part: ValueType<string> = {
  ...text('I/N', `a part such as 2/4: I from 1 to N, and N at most ${MAX_SHARDS}`),
  schema: { type: 'string', pattern: patternOrVariable('[1-9][0-9]{0,3}/[1-9][0-9]{0,3}') },
  parse: (text) => {
    const [, index, parts] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
    return Number(index) <= Number(parts) && Number(parts) <= MAX_SHARDS ? text : undefined;
  },
};

const SWITCHES = ['0', '1', 'true', 'yes', 'on', 'false', 'no', 'off'];

export const toggle: ValueType<boolean> = {
  placeholder: '',
  allowed: 'true or false',
  typed: { allowed: 'true or false', accepts: (value) => typeof value === 'boolean' },
  schema: { type: ['boolean', 'string'], pattern: patternOrVariable(SWITCHES.map(inAnyCase).join('|')) },
  parse(given) {
    const word = given.toLowerCase();
    return SWITCHES.includes(word) ? ['1', 'true', 'yes', 'on'].includes(word) : undefined;
  },
  show: (value) => String(value),
};

/** Any text of visible characters. Leading and trailing white space is cut. */
export function text(placeholder: string, allowed: string = 'text without control characters'): ValueType<string> {
  return {
    placeholder,
    allowed,
    schema: { type: 'string', pattern: String.raw`^[^\u0000-\u001f\u007f]*\S[^\u0000-\u001f\u007f]*$` },
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    parse: (given) => (given.trim() === '' || /[\u0000-\u001f\u007f]/.test(given) ? undefined : given.trim()),
    show: (value) => value,
  };
}

/** `FRONT` or `FRONT=UPSTREAM`. The name upstream may hold further equals signs. */
export const modelPair: ValueType<string> = {
  ...text('FRONT[=UPSTREAM]', 'the name of a model, alone or as FRONT=UPSTREAM with both names'),
  parse: (given) => {
    const parsed = text('').parse(given);
    return parsed === undefined || /^\s*=|^[^=]*=\s*$/.test(parsed) ? undefined : parsed;
  },
};

/** Text for people: it may have several lines, and is no longer than anybody reads. */
export function words(most: number): ValueType<string> {
  return {
    ...text('TEXT', `text of at most ${most} characters`),
    schema: { type: 'string', pattern: String.raw`\S`, maxLength: most },
    parse: (given) => (given.trim() === '' || given.length > most ? undefined : given.trim()),
  };
}

/** A key that was given in its place is not a name, or is not set; neither is quoted. */
export const variableName: ValueType<string> = {
  ...text('NAME', 'the name of a variable, not the key itself'),
  parse: (given) => (/^[A-Za-z_]\w*$/.test(given) ? given : undefined),
};

/** SHA-256 in hexadecimal. */
export const digest: ValueType<string> = {
  ...text('SHA', 'a SHA-256 digest of 64 hexadecimal digits'),
  schema: { type: 'string', pattern: patternOrVariable('[0-9a-fA-F]{64}') },
  parse: (given) => (/^[0-9a-f]{64}$/i.test(given.trim()) ? given.trim().toLowerCase() : undefined),
};

export const file: ValueType<string> = text('FILE', 'the name of a file');

/** One of the names, such as `html` or `html=FILE`. */
export function nameWithFile(names: readonly string[]): ValueType<string> {
  const allowed = `one of ${names.join(', ')}, with or without =FILE`;
  return {
    ...text('NAME[=FILE]', allowed),
    beginsItem: (part) => names.includes(part.split('=')[0]?.trim() ?? ''),
    schema: {
      type: 'string',
      pattern: patternOrVariable(String.raw`\s*(${names.join('|')})\s*(=.*)?`),
      examples: names,
    },
  };
}

export const httpUrl: ValueType<string> = {
  ...text('URL', 'an http or https address'),
  schema: { type: 'string', pattern: patternOrVariable(`${inAnyCase('http')}[Ss]?://[^/].*`) },
  parse: (given) => (/^https?:\/\/[^/]/i.test(given) && URL.canParse(given) ? given : undefined),
};
