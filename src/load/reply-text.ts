/** Whether a reply is its own, and what the upstream sent. */
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { requestNameOf } from '../exchange/identity.ts';
import { findRequestWords } from '../plan/request-word.ts';
import { quoteText } from '../text/quote.ts';
import type { FindingParts } from '../verdict/finding.ts';
import { replyTexts } from '../verdict/reading/reply-texts.ts';
import { type CallRegistry, type KnownCall, mayMix } from './call-registry.ts';
import { replyPieces } from './profiles.ts';

/** Undefined without text. */
export function textOf(exchange: Exchange, answer: Answer): string | undefined {
  return replyTexts(exchange, answer)[0];
}

/** The word of another call that was under way, or whose client had disconnected. */
export function findForeign(text: string, own: KnownCall, registry: CallRegistry): FindingParts | undefined {
  // Replies mostly repeat one word; to look for others in eight megabytes of it takes long.
  const rest = text.replaceAll(own.word, '');
  for (const word of new Set(findRequestWords(rest))) {
    const other = registry.find(word);
    if (!other || other.id === own.id || !mayMix(own, other)) continue;
    return {
      mismatch: 'foreign-reply',
      expected: { kind: 'own-reply' },
      actualType: 'reply',
      actual: { kind: 'foreign-word', exchange: other.id, request: requestNameOf({ step: other.id }) },
    };
  }
  return undefined;
}

/** Characters that a finding shows before the first difference. */
const BEFORE = 20;

/** `isPart`: not all of it was read. */
export function findAltered(text: string, { word, profile }: KnownCall, isPart: boolean): FindingParts | undefined {
  const sent = replyPieces(word, profile).join('');
  if (text === sent || (isPart && sent.startsWith(text))) return undefined;
  const isLost = sent.startsWith(text);
  const from = Math.max(0, firstDifference(text, sent) - BEFORE);
  return {
    mismatch: isLost ? 'text-lost' : 'text-altered',
    expected: { kind: 'upstream-text', text: quoteText(sent.slice(from)), from },
    actualType: 'text',
    actual: { kind: 'text-at', text: quoteText(text.slice(from)), from, length: text.length },
  };
}

function firstDifference(text: string, other: string): number {
  const most = Math.min(text.length, other.length);
  for (let at = 0; at < most; at++) if (text[at] !== other[at]) return at;
  return most;
}
