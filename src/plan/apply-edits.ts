/** A base request with the edits of a case becomes the template of a request. */
import { isObject, type Json, pointerTokens } from '../json.ts';
import type { BaseRequest, Edit, KeyUse } from '../suite/case.ts';
import { rawNumber } from './bind-request.ts';
import type { Endpoint, Mode, RequestBody, RequestTemplate } from './plan.ts';

export function applyEdits(base: BaseRequest, edits: readonly Edit[]): RequestTemplate {
  let { method, path } = base;
  let query: string | undefined;
  let key: KeyUse = 'full';
  let body = base.body;
  let raw = base.raw;
  const headers: Record<string, string | null> = { ...base.headers };
  for (const edit of edits) {
    switch (edit.kind) {
      case 'set':
        body = withValue(body, pointerTokens(edit.pointer), edit.value, 'set');
        break;
      case 'add':
        body = withValue(body, pointerTokens(edit.pointer), edit.value, 'add');
        break;
      case 'remove':
        body = withValue(body, pointerTokens(edit.pointer), undefined, 'set');
        break;
      case 'rawNumber':
        body = withValue(body, pointerTokens(edit.pointer), rawNumber(edit.text), 'set');
        break;
      case 'raw':
        raw = edit.text;
        break;
      case 'header':
        headers[edit.name.toLowerCase()] = edit.value;
        break;
      case 'key':
        key = edit.use;
        break;
      case 'method':
        method = edit.method;
        break;
      case 'path':
        path = edit.path;
        break;
      case 'query':
        query = edit.query;
        break;
    }
  }
  const requestBody = bodyOf(method, raw, body);
  return {
    endpoint: endpointOf(method, path),
    mode: modeOf(body),
    method,
    path,
    ...(query !== undefined && { query }),
    headers: requestBody ? headers : withoutContentType(headers),
    ...(requestBody && { body: requestBody }),
    key,
  };
}

function bodyOf(method: string, raw: string | undefined, value: Json | undefined): RequestBody | undefined {
  if (method === 'GET') return undefined;
  if (raw !== undefined) return { kind: 'raw', text: raw };
  return value === undefined ? undefined : { kind: 'json', value };
}

function withoutContentType(headers: Readonly<Record<string, string | null>>): Record<string, string | null> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type'));
}

function endpointOf(method: string, path: string): Endpoint {
  if (method === 'GET' && path === '/models') return 'models';
  if (method === 'POST' && path === '/chat/completions') return 'chat';
  return 'other';
}

/** What was asked for decides how the answer is read. */
function modeOf(body: Json | undefined): Mode {
  return isObject(body) && body['stream'] === true ? 'stream' : 'plain';
}

/** A copy of the document with one place changed; `undefined` takes it away. `add` inserts into arrays, `-` appends. */
function withValue(
  document: Json | undefined,
  tokens: readonly string[],
  value: Json | undefined,
  how: 'set' | 'add',
): Json | undefined {
  const [first, ...rest] = tokens;
  if (first === undefined) return value;
  if (Array.isArray(document)) {
    const items: (Json | undefined)[] = [...(document as readonly Json[])];
    const index = first === '-' ? items.length : Number(first);
    if (rest.length > 0) items[index] = withValue(items[index], rest, value, how);
    else if (value === undefined) items.splice(index, 1);
    else items.splice(index, how === 'add' ? 0 : 1, value);
    return items as Json[];
  }
  const members: Record<string, Json> = isObject(document) ? { ...document } : {};
  const changed = rest.length > 0 ? withValue(members[first], rest, value, how) : value;
  if (changed === undefined) delete members[first];
  else members[first] = changed;
  return members;
}
