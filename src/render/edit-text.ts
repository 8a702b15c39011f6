/** How a request differs from its control. Of long texts, what differs is shown. */
import { isObject, parseJson, pointerOf, valueAt } from '../json.ts';
import { type OfKind, wordsFor } from '../kinds.ts';
import type { CaseReport, ExchangeReport } from '../report/report.ts';
import { groupDigits, inert } from '../text/layout.ts';
import { areAlikeButWords } from '../text/scenario-word.ts';

type Edit = CaseReport['edits'][number];
/** `before`: what the control has there, if it is known. */
type Shown<Kind extends Edit['kind']> = OfKind<Edit, Kind> & { readonly before: string | undefined };

const EDIT_TEXTS: { readonly [Kind in Edit['kind']]: (edit: Shown<Kind>) => string } = {
  set: (edit) => `${edit.pointer} set to ${showValue(edit)}`,
  add: (edit) => `${edit.pointer} added: ${showValue(edit)}`,
  remove: ({ pointer }) => `without ${pointer}`,
  rawNumber: ({ pointer, text }) => `${pointer} set to ${showAround(text)}`,
  raw: ({ text, before }) => (text === '' ? 'without a body' : `body ${showAround(text, before)}`),
  spelling: ({ spellings }) => `in a different spelling (${spellings.join(', ')})`,
  header: ({ name, value, before }) => (value === null ? `without ${name}` : `${name}: ${showAround(value, before)}`),
  key: ({ use }) => `key: ${use}`,
  method: ({ method }) => `method ${inert(method)}`,
  path: ({ path }) => `path ${showAround(path)}`,
  query: ({ query }) => `query ${showAround(query)}`,
};

/** A text counts its own characters, without quotation marks. */
function showValue({ value, before }: Shown<'set' | 'add'>): string {
  const json = JSON.stringify(value);
  return showAround(json, before, { length: typeof value === 'string' ? value.length : json.length });
}

export function formatEdit(edit: Edit, control?: ExchangeReport): string {
  return wordsFor(EDIT_TEXTS, { ...edit, before: control && textBefore(edit, control) });
}

function textBefore(edit: Edit, { headers, body }: ExchangeReport): string | undefined {
  if ('pointer' in edit) return JSON.stringify(valueAt(parseJson(body), edit.pointer));
  return edit.kind === 'header' ? valueOf(headers, edit.name.toLowerCase()) : body;
}

function valueOf(headers: ExchangeReport['headers'], name: string): string | undefined {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1];
}

const MAX_LENGTH = 60;
/** Characters that are alike on either side of what differs. */
const CONTEXT = 8;

/** A long text: the part that differs from another, or else its end. Inert. */
export function showAround(text: string, other = '', { most = MAX_LENGTH, length = text.length } = {}): string {
  if (text.length <= most) return inert(text, most);
  const alike = alikeUntil(text, other);
  const from = Math.max(0, alike - CONTEXT);
  const after = alikeUntil(reverse(text.slice(from)), reverse(other)) - CONTEXT;
  const to = text.length - Math.max(0, Math.min(after, text.length - from));
  // In the middle. If that is too long, its end says more, unless the two begin differently.
  const first = Math.max(from - Math.floor((most - (to - from)) / 2), to - most);
  const start = Math.max(0, Math.min(first, text.length - most));
  const head = other !== '' && alike === 0 ? text.slice(0, Math.min(start, CONTEXT)) : '';
  // Without half of a surrogate pair at either end.
  const [lead, shown] = [head, text.slice(start, start + most)].map((part) =>
    inert(part.replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, ''), Infinity),
  );
  return `${lead}${start > 0 ? '…' : ''}${shown}${start + most < text.length ? '…' : ''} (${groupDigits(length)} characters)`;
}

/** How far a text is like the beginning of another, apart from white space. */
function alikeUntil(text: string, other: string): number {
  const isBlank = (character = '') => /\s/.test(character);
  for (let at = 0, there = 0; ; at++, there++) {
    while (isBlank(text[at])) at++;
    while (isBlank(other[there])) there++;
    if (text[at] === undefined || text[at] !== other[there]) return at;
  }
}

function reverse(text: string): string {
  return text.split('').toReversed().join('');
}

/** Of two requests at a place. Undefined: nothing is there. */
type Difference = readonly [place: string, before: string | undefined, after: string | undefined];

/** All that differs between a request and its control, if more does than the random words: each request has its own. */
export function differencesFrom(control: ExchangeReport, sent: ExchangeReport, edits: readonly Edit[]) {
  const difference = (place: string, read: (exchange: ExchangeReport) => string | undefined): Difference => [
    place,
    read(control),
    read(sent),
  ];
  const names = new Set([control, sent].flatMap(({ headers }) => headers.map(([name]) => name.toLowerCase())));
  // The name of the key stands for its header.
  names.delete('authorization');
  const all = [
    difference('method', ({ method }) => method),
    difference('path', ({ path }) => path.split('?')[0]),
    difference('query', ({ path }) => path.split('?')[1]),
    difference('key', ({ key }) => key),
    ...Array.from(names, (name) => difference(`header ${name}`, ({ headers }) => valueOf(headers, name))),
    ...edits.flatMap((edit): Difference[] =>
      edit.kind === 'spelling' ? [['spelling', 'usual', edit.spellings.join(', ')]] : [],
    ),
    ...bodyDifferences(control.body, sent.body, edits),
  ];
  const isOfWords = all.every(([, before, after]) => areAlikeButWords(before, after));
  return isOfWords ? [] : all.filter(([, before, after]) => before !== after);
}

/** Field by field, if both are JSON. Two texts may have the same value. */
function bodyDifferences(before: string | undefined, after: string | undefined, edits: readonly Edit[]) {
  const [old, own] = [parseJson(before), parseJson(after)];
  const whole: Difference = ['body', before, after];
  if (old === undefined || own === undefined) return [whole];
  // A number as it was written.
  const written = new Map(edits.flatMap((edit) => (edit.kind === 'rawNumber' ? [[edit.pointer, edit.text]] : [])));
  const fields = fieldDifferences(old, own).map(([at, from, to]): Difference => [at, from, written.get(at) ?? to]);
  const isRaw = edits.some(({ kind }) => kind === 'raw');
  return isRaw && fields.every(([, from, to]) => from === to) ? [whole] : fields;
}

function fieldDifferences(before: unknown, after: unknown, place = ''): readonly Difference[] {
  const both = [before, after];
  if (!both.every(isObject) && !both.every(Array.isArray))
    return [[place || 'body', JSON.stringify(before), JSON.stringify(after)]];
  const names = new Set(both.flatMap((value) => Object.keys(value as object)));
  return [...names].flatMap((name) => {
    const own = pointerOf([name]);
    return fieldDifferences(valueAt(before, own), valueAt(after, own), place + own);
  });
}
