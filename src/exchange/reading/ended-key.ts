/** Answers of a target that no longer takes the key: a refusal, or the web page of a login in place of every answer. */
import { KEY_ENDED } from '../ending.ts';
import type { Exchange } from '../exchange.ts';
import type { Traffic } from '../traffic.ts';
import { lastAnswer } from './answered.ts';
import { startsAsPage } from './page-or-empty.ts';

export function isOfEndedKey(exchange: Exchange): boolean {
  return KEY_ENDED.includes(lastAnswer(exchange)?.status ?? 0) || isPage(exchange);
}

/** The status of a page is that of a completion. */
function isPage(exchange: Exchange): boolean {
  const answer = lastAnswer(exchange);
  return answer?.status === 200 && startsAsPage(answer);
}

/** Without the pages, if even the control got one in the end: they say nothing about any request. */
export function withoutPages(traffic: Traffic): Traffic {
  const { ending, exchanges } = traffic;
  if (ending.kind !== 'key-ended' || ending.status !== 200) return traffic;
  return { ...traffic, exchanges: exchanges.filter((exchange) => !isPage(exchange)) };
}
