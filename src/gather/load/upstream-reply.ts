/** Whether a reply is its own, and what the scripted upstream sent (rule 32). */
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { requestNameOf } from '../../exchange/identity.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { endsChoice } from '../../exchange/reading/choices.ts';
import { chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import { textTimes } from '../../exchange/reading/looks-fake.ts';
import { isObject, type Json, memberOf } from '../../json.ts';
import { findRequestWords } from '../../plan/request-word.ts';
import { quoteText } from '../../text/quote.ts';
import type { FindingParts } from '../../verdict/finding.ts';
import { itemsOf, readBody } from '../../verdict/reading/answers.ts';
import { firstDifference, heldBack, MAX_DELAY, otherFinish, otherUsage } from '../../verdict/reading/forwarded.ts';
import { type CallRegistry, type KnownCall, mayMix } from './call-registry.ts';
import { PACED_PAUSE, PROFILES, replyPieces, usageOf } from './profiles.ts';

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

interface ReplyFacts {
  readonly finish?: Json | undefined;
  readonly usage?: Json | undefined;
}

/** Finish_reason and token counts. */
export function readFacts({ request }: Exchange, answer: Answer): ReplyFacts {
  if (request.mode === 'stream') {
    const { choices, chunks } = readChunks(answer);
    const last = chunks.findLast(({ hasUsage }) => hasUsage);
    return {
      finish: choices[0]?.parts.find(endsChoice)?.finish?.text,
      usage: last && memberOf(chunkValue(last), 'usage'),
    };
  }
  const body = readBody(answer);
  if (body.kind !== 'json') return {};
  const [choice] = itemsOf(memberOf(body.value, 'choices'));
  return { finish: memberOf(choice, 'finish_reason'), usage: memberOf(body.value, 'usage') };
}

/** A reply without one breaks a clause of every answer, and is not reported twice. */
export function findOtherFinish({ finish }: ReplyFacts, { profile }: KnownCall): FindingParts | undefined {
  const sent = PROFILES[profile].finish;
  return finish === undefined || finish === null || finish === sent ? undefined : otherFinish(finish, sent);
}

/** No call asks for token counts of a stream, so that a stream may have none. */
export function findOtherUsage({ usage }: ReplyFacts, { profile, usageSent }: KnownCall): FindingParts | undefined {
  return isObject(usage) ? otherUsage(usage, usageSent ? usageOf(profile) : undefined) : undefined;
}

/**
 * A stream in whose middle the upstream paused: undefined if it has no text. `parts`: what is wrong with it. Only the times of
 * reading count, so that no two clocks are compared.
 */
export function judgePieces(exchange: Exchange): { readonly parts?: FindingParts } | undefined {
  const answer = lastAnswer(exchange);
  const times = answer ? textTimes(readChunks(answer)) : [];
  const [first, last] = [times[0], times.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const delay = PACED_PAUSE - (last - first);
  return delay <= MAX_DELAY ? {} : { parts: heldBack(delay) };
}
