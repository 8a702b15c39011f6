/** How plain a request is. Of the requests that show the same fault, the plainest is the one to show and to repeat. */
import { isObject, parseJson } from '../../json.ts';
import { KEY_USES, type SentKey } from '../../suite/case.ts';
import { findHeader, type SentRequest } from '../exchange.ts';

/** A request with the id of its exchange. */
type Request = Pick<SentRequest, 'endpoint' | 'mode' | 'path' | 'headers' | 'body' | 'key'> & { readonly id: string };

/** Sorts the plainest first. Items that are equally plain keep their order. */
export function sortByPlainness<T>(items: readonly T[], requestOf: (item: T) => Request | undefined): readonly T[] {
  const ranked = items.map((item) => ({ item, rank: rankOf(requestOf(item)) }));
  return ranked.toSorted((left, right) => compareRanks(left.rank, right.rank)).map(({ item }) => item);
}

/** Lower is plainer; the first number that differs decides. */
function rankOf(request: Request | undefined): readonly number[] {
  if (!request) return [Infinity];
  const { id, endpoint, mode, path, headers, body, key } = request;
  const isJson = findHeader(headers, 'content-type') === 'application/json';
  const oddities = [
    path.includes('?'),
    endpoint === 'chat' && !isJson,
    endpoint === 'chat' && !isObject(parseJson(body)),
  ];
  return [
    oddities.filter(Boolean).length,
    endpoint === 'models' ? 0 : 1,
    mode === 'plain' ? 0 : 1,
    KEYS.indexOf(key),
    // Only the id of a case has a suite: anything else is a base request, without edits.
    id.includes('/') ? 1 : 0,
    body?.length ?? 0,
  ];
}

/** Plainest first. Anybody can repeat a request without a key or with an unknown one. */
const KEYS = [...new Set<SentKey>(['full', 'none', 'unknown', ...KEY_USES, 'not-in-file'])];

function compareRanks(left: readonly number[], right: readonly number[]): number {
  const place = left.findIndex((rank, index) => rank !== right[index]);
  return place < 0 ? 0 : (left[place] ?? 0) - (right[place] ?? 0);
}
