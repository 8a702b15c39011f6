/** A request on one line: method and path, then how it differs from the base request. */
import { type Json, parseJson, valueAt } from '../json.ts';
import type { CaseReport } from '../report/report.ts';
import type { ExchangeReport } from '../report/exchange-report.ts';
import { inert } from '../text/inert.ts';
import { formatValue, quoteText } from '../text/quote.ts';

type Edit = CaseReport['edits'][number];
type Of<Kind extends Edit['kind']> = Extract<Edit, { kind: Kind }>;

const MAX_VALUE_LENGTH = 60;

const EDIT_TEXTS: { readonly [Kind in Edit['kind']]: (edit: Of<Kind>) => string } = {
  set: ({ pointer, value }) => `${pointer} set to ${showValue(value)}`,
  add: ({ pointer, value }) => `${pointer} added: ${showValue(value)}`,
  remove: ({ pointer }) => `without ${pointer}`,
  rawNumber: ({ pointer, text }) => `${pointer} set to ${inert(text, MAX_VALUE_LENGTH)}`,
  raw: ({ text }) => (text === '' ? 'without a body' : `body ${inert(text, MAX_VALUE_LENGTH)}`),
  spelling: ({ spellings }) => `in a different spelling (${spellings.join(', ')})`,
  header: ({ name, value }) => (value === null ? `without ${name}` : `${name}: ${inert(value, MAX_VALUE_LENGTH)}`),
  key: ({ use }) => `key: ${use}`,
  method: ({ method }) => `method ${inert(method)}`,
  path: ({ path }) => `path ${inert(path)}`,
  query: ({ query }) => `query ${inert(query)}`,
};

/** A long text by its beginning and its length. */
function showValue(value: Json): string {
  if (typeof value !== 'string') return inert(JSON.stringify(value), MAX_VALUE_LENGTH);
  return inert(formatValue(quoteText(value, MAX_VALUE_LENGTH)), 2 * MAX_VALUE_LENGTH);
}

export function formatEdit(edit: Edit): string {
  // The table is keyed by the kind itself, which the compiler cannot follow through an index.
  return (EDIT_TEXTS[edit.kind] as (edit: Edit) => string)(edit);
}

/** Visible in the request line anyway. */
const SHOWN_ANYWAY: readonly Edit['kind'][] = ['key', 'method', 'path', 'query'];

/** The path of a call at the upstream is whole. */
export function rootFor({ side }: ExchangeReport, root: string): string {
  return side === 'upstream' ? '' : root;
}

/** The case's edits are named only for its own exchange: a case may also judge the exchanges of others. */
export function formatRequest(exchange: ExchangeReport, testCase: CaseReport | undefined, root: string): string {
  const all = testCase?.exchange === exchange.id ? testCase.edits : (exchange.edits ?? []);
  const own = all.filter(({ kind }) => !SHOWN_ANYWAY.includes(kind));
  const edits = own.filter((edit, index) => !own.slice(index + 1).some((later) => isReplacedBy(edit, later)));
  return [
    `${inert(exchange.method)} ${rootFor(exchange, root)}${inert(exchange.path)}`,
    ...(exchange.mode === 'stream' ? ['streamed'] : []),
    ...(exchange.key === 'full' ? [] : [`key: ${exchange.key === 'not-in-file' ? 'not in the file' : exchange.key}`]),
    ...edits.map((edit) => formatEdit(asSent(edit, exchange.body))),
    ...(isOfNoCase(exchange) ? [formatEdit({ kind: 'raw', text: exchange.body ?? '' })] : []),
  ].join(', ');
}

/** A first request that belongs to no case, and starts from no base request whose body would be known. */
function isOfNoCase({ id, body }: ExchangeReport): boolean {
  return id.startsWith('preflight/') && body !== undefined;
}

/** A later edit of the same place replaces an earlier one. */
function isReplacedBy(edit: Edit, later: Edit): boolean {
  return 'pointer' in edit && 'pointer' in later && edit.pointer === later.pointer;
}

/** Placeholders such as `${word}` in an edit are filled in from the body that was sent. */
function asSent(edit: Edit, body: string | undefined): Edit {
  if (!JSON.stringify(edit).includes('${')) return edit;
  if (edit.kind === 'raw') return { ...edit, text: body ?? '…' };
  if (edit.kind !== 'set' && edit.kind !== 'add') return edit;
  const value = valueAt(parseJson(body), edit.pointer) as typeof edit.value | undefined;
  // Of a very long body, such as a suite of one's own may have, the report has only the start.
  return { ...edit, value: value ?? '…' };
}

/** `/v1` of `https://host/v1`. */
export function pathUnder(baseUrl: string): string {
  return URL.canParse(baseUrl) ? inert(new URL(baseUrl).pathname.replace(/\/+$/, '')) : '';
}
