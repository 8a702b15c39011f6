/** A target that is asked with many invalid keys may block the caller. That says nothing about any of these keys. */
import { isValidKey } from '../../suite/case.ts';
import type { Exchange } from '../exchange.ts';
import { lastAnswer } from './answered.ts';

/** In a row. One of several replicas that answers 403 would hardly be met so often. */
const BLOCKS = 8;
/** In a row, of 429 after every attempt. */
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
