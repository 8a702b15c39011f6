/** Targets that no longer look at a key: those that block the caller, and those for which the key has ended. */
import { isValidKey } from '../../suite/case.ts';
import { KEY_ENDED } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import type { Traffic } from '../traffic.ts';
import { lastAnswer } from './answered.ts';
import { startsAsPage } from './page-or-empty.ts';

/** Refusals in a row. One of several replicas that answers 403 would hardly be met so often. */
const BLOCKS = 8;
/** Requests in a row that got 429 after every attempt. */
const LIMITED = 3;

/** The exchanges of later rounds that a block explains, in order of sending. */
export function findBlocked(exchanges: readonly Exchange[]): readonly Exchange[] {
  const blocked: Exchange[] = [];
  let row: Exchange[] = [];
  const settle = (): void => {
    if (isBlock(row)) blocked.push(...row);
    row = [];
  };
  for (const exchange of exchanges) {
    if (exchange.round === undefined || isValidKey(exchange.request.key)) continue;
    const status = lastAnswer(exchange)?.status;
    if (status === 403 || status === 429) row.push(exchange);
    else settle();
  }
  settle();
  return blocked;
}

function isBlock(row: readonly Exchange[]): boolean {
  const limited = row.findLastIndex((exchange) => lastAnswer(exchange)?.status !== 429);
  return row.length >= BLOCKS || row.length - 1 - limited >= LIMITED;
}

export function isOfEndedKey(exchange: Exchange): boolean {
  return KEY_ENDED.includes(lastAnswer(exchange)?.status ?? 0) || isPage(exchange);
}

/** The status of a page is that of a completion. */
function isPage(exchange: Exchange): boolean {
  const answer = lastAnswer(exchange);
  return answer?.status === 200 && startsAsPage(answer);
}

/** Leaves the pages out if even the control got one in the end: they say nothing about any request. */
export function withoutPages(traffic: Traffic): Traffic {
  const { ending, exchanges } = traffic;
  if (ending.kind !== 'key-ended' || ending.status !== 200) return traffic;
  return { ...traffic, exchanges: exchanges.filter((exchange) => !isPage(exchange)) };
}
