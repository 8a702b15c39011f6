/** What the answers with a fault have in common and the others do not: it may point to one replica of several. */
import type { Exchange } from '../exchange/exchange.ts';
import { findHeader } from '../exchange/exchange.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import { chunkValue, readChunks } from '../exchange/reading/chunks.ts';
import { memberOf, parseJson } from '../json.ts';
import { quoteText } from '../text/quote.ts';
import { jsonOf } from './reading/answers.ts';
import { type Shared, SHARED_TRAITS, type SharedTrait } from './verdict.ts';

/** Of each kind. Fewer may agree by chance. */
const ENOUGH = 3;

export function findSharedTraits(faulty: readonly Exchange[], right: readonly Exchange[]): readonly Shared[] {
  if (faulty.length < ENOUGH || right.length < ENOUGH) return [];
  return SHARED_TRAITS.flatMap((trait): readonly Shared[] => {
    const [value, ...others] = new Set(faulty.map((exchange) => TRAITS[trait](exchange)));
    if (value === undefined || others.length > 0) return [];
    return right.some((exchange) => TRAITS[trait](exchange) === value) ? [] : [{ trait, value: quoteText(value) }];
  });
}

const TRAITS: Record<SharedTrait, (exchange: Exchange) => string | undefined> = {
  connection: ({ attempts }) => attempts.at(-1)?.connection?.toString(),
  'x-served-by': (exchange) => headerOf(exchange, 'x-served-by'),
  server: (exchange) => headerOf(exchange, 'server'),
  via: (exchange) => headerOf(exchange, 'via'),
  system_fingerprint: (exchange) => textOf(replyOf(exchange), 'system_fingerprint'),
  model: ({ request }) => textOf(parseJson(request.body), 'model'),
};

function headerOf(exchange: Exchange, name: string): string | undefined {
  const answer = lastAnswer(exchange);
  return answer && findHeader(answer.headers, name);
}

/** The completion, or the first chunk of one. */
function replyOf(exchange: Exchange): unknown {
  const answer = lastAnswer(exchange);
  if (!answer) return undefined;
  if (exchange.request.mode === 'plain') return jsonOf(answer);
  const [first] = readChunks(answer).chunks;
  return first && chunkValue(first);
}

function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}
