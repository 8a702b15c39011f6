/** Applies the edits of a case to a base request. */
import { isObject, type Json, pointerTokens, withoutUndefined } from '../json.ts';
import { type BaseRequest, type Case, type Edit, placeIn } from '../suite/case.ts';
import { UsageError } from '../usage-error.ts';
import { rawNumber } from './bind-request.ts';
import type { Endpoint, RequestBody, RequestTemplate } from './plan.ts';

/** Throws for a pointer that leads nowhere: an edit without effect would judge the control. */
export function applyEdits(base: BaseRequest, edits: readonly Edit[], of?: EditedCase): RequestTemplate {
  const draft: Draft = { key: 'full', ...base };
  let body = base.body;
  for (const [index, edit] of edits.entries()) {
    if (!('pointer' in edit)) {
      Object.assign(draft, membersOf(edit, draft));
      continue;
    }
    const changed = draft.raw === undefined ? withEdit(body, pointerTokens(edit.pointer), edit) : NOWHERE;
    if (changed === NOWHERE) {
      throw new UsageError(
        `${edit.kind} ${edit.pointer || 'of the body'} leads nowhere in the body of ${base.name}. Correct the pointer.`,
        of && placeIn(of, 'edits', index),
      );
    }
    body = changed;
  }
  return toTemplate(draft, body);
}

type EditedCase = Pick<Case, 'source' | 'lines'>;

/** Everything but the JSON of the body. */
interface Draft extends Omit<RequestTemplate, 'endpoint' | 'mode' | 'body'> {
  readonly raw?: string;
}

/** What an edit of anything but the JSON of the body replaces. */
function membersOf(edit: Exclude<Edit, BodyEdit>, { headers }: Draft): Partial<Draft> {
  switch (edit.kind) {
    case 'raw':
      return { raw: edit.text };
    case 'spelling':
      return { spellings: edit.spellings };
    case 'header':
      return { headers: { ...headers, [edit.name.toLowerCase()]: edit.value } };
    case 'key':
      return { key: edit.use };
    case 'method':
      return { method: edit.method };
    case 'path':
      return { path: edit.path };
    case 'query':
      return { query: edit.query };
  }
}

function toTemplate(draft: Draft, body: Json | undefined): RequestTemplate {
  const { method, path, query, key, raw, spellings, headers } = draft;
  const requestBody = bodyOf(method, raw, body);
  const { 'content-type': _type, ...otherHeaders } = headers;
  return {
    endpoint: endpointOf(method, path),
    // The request decides how its answer is read.
    mode: isObject(body) && body['stream'] === true ? 'stream' : 'plain',
    method,
    path,
    ...withoutUndefined({ query }),
    headers: requestBody ? headers : otherHeaders,
    ...withoutUndefined({ body: requestBody, spellings }),
    key,
  };
}

function bodyOf(method: string, raw: string | undefined, value: Json | undefined): RequestBody | undefined {
  if (raw !== undefined) return { kind: 'raw', text: raw };
  // An edit of the method to GET drops the body.
  return value === undefined || method === 'GET' ? undefined : { kind: 'json', value };
}

function endpointOf(method: string, path: string): Endpoint {
  if (method === 'GET' && path === '/models') return 'models';
  if (method === 'POST' && path === '/chat/completions') return 'chat';
  return 'other';
}

const NOWHERE = Symbol('nowhere');

type BodyEdit = Extract<Edit, { readonly pointer: string }>;
type Edited = Json | undefined | typeof NOWHERE;

/** A copy of the document with one place changed. Its ancestors have to exist, and for `remove` the place itself. */
function withEdit(document: Json | undefined, tokens: readonly string[], edit: BodyEdit): Edited {
  const [first, ...rest] = tokens;
  if (first === undefined) return document === undefined && edit.kind === 'remove' ? NOWHERE : valueOf(edit);
  if (Array.isArray(document)) return withItem(document as readonly Json[], first, rest, edit);
  if (!isObject(document)) return NOWHERE;
  const isThere = Object.hasOwn(document, first);
  if (!isThere && (rest.length > 0 || edit.kind === 'remove')) return NOWHERE;
  const changed = rest.length > 0 ? withEdit(document[first], rest, edit) : valueOf(edit);
  if (changed === NOWHERE) return NOWHERE;
  const members = Object.entries(document).map(([name, old]) => [name, name === first ? changed : old] as const);
  const all = isThere ? members : [...members, [first, changed] as const];
  return Object.fromEntries(all.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
}

/** `add` inserts before the item; `-` means after the last one. */
function withItem(items: readonly Json[], token: string, rest: readonly string[], edit: BodyEdit): Edited {
  const end = rest.length === 0 && edit.kind === 'add' ? items.length : items.length - 1;
  const index = token === '-' ? items.length : /^(0|[1-9]\d*)$/.test(token) ? Number(token) : Infinity;
  if (index > end) return NOWHERE;
  const changed = rest.length > 0 ? withEdit(items[index], rest, edit) : valueOf(edit);
  if (changed === NOWHERE) return NOWHERE;
  const replaced = rest.length === 0 && edit.kind === 'add' ? 0 : 1;
  return items.toSpliced(index, replaced, ...(changed === undefined ? [] : [changed]));
}

function valueOf(edit: BodyEdit): Json | undefined {
  if (edit.kind === 'remove') return undefined;
  return edit.kind === 'rawNumber' ? rawNumber(edit.text) : edit.value;
}
