/** What became of a call, as rule 34 tells answers apart. Pure. */
import type { Answer, BodyEnd, Exchange } from '../exchange/exchange.ts';
import { lastAnswer } from '../exchange/reading/answered.ts';
import { readChunks } from '../exchange/reading/chunks.ts';
import { endOfJson } from '../exchange/reading/json-text.ts';
import { streamEnd } from '../exchange/reading/stream-end.ts';
import { hasErrorMember } from '../json.ts';
import { readBody } from '../verdict/reading/answers.ts';

/** Why a reply with status 200 is not whole. */
export type BreakOff = 'cut' | 'stalled' | 'not-json' | 'error';

export type Reading =
  /** A 200 that came whole. */
  | { readonly kind: 'whole'; readonly answer: Answer }
  | { readonly kind: 'broken-off'; readonly how: BreakOff; readonly answer: Answer }
  /** 429 or 503. */
  | { readonly kind: 'rejected'; readonly answer: Answer }
  /** Any other status. */
  | { readonly kind: 'status'; readonly answer: Answer }
  /** Closed before any answer, on every try. */
  | { readonly kind: 'closed' }
  /** Not HTTP at all. */
  | { readonly kind: 'not-http' }
  /** Nothing, or headers and no text yet, within the time limits. */
  | { readonly kind: 'unanswered'; readonly after: number }
  /** Ended by a limit of ours: its size, or the time of a whole call that was still sending. */
  | { readonly kind: 'limit' };

const REJECTIONS = [429, 503];

export function readOutcome(exchange: Exchange): Reading {
  const answer = lastAnswer(exchange);
  if (!answer) return readFailure(exchange);
  if (REJECTIONS.includes(answer.status)) return { kind: 'rejected', answer };
  if (answer.status !== 200) return { kind: 'status', answer };
  return exchange.request.mode === 'stream' ? readStream(answer) : readPlain(answer);
}

function readFailure({ attempts }: Exchange): Reading {
  const outcome = attempts.at(-1)?.outcome;
  if (outcome?.kind !== 'none') return { kind: 'limit' };
  const { kind, at = 0 } = outcome.failure;
  switch (kind) {
    case 'timeout':
    case 'aborted':
      return { kind: 'unanswered', after: at };
    case 'not-http':
      return { kind: 'not-http' };
    case 'limit':
      return { kind: 'limit' };
    case 'refused':
    case 'closed':
    case 'tls':
    case 'unresolved':
      return { kind: 'closed' };
  }
}

function readPlain(answer: Answer): Reading {
  const { bytes } = answer.body;
  const end = endOfJson(answer.body);
  if (end.kind === 'cut' || end.kind === 'undecodable') return { kind: 'broken-off', how: 'cut', answer };
  if (end.kind !== 'complete') return readStop(answer, end, bytes.length > 0);
  const body = readBody(answer);
  if (body.kind === 'limit') return { kind: 'limit' };
  if (body.kind !== 'json') return { kind: 'broken-off', how: 'not-json', answer };
  if (hasErrorMember(body.value)) return { kind: 'broken-off', how: 'error', answer };
  return { kind: 'whole', answer };
}

/** We stopped reading: at a size limit, or because nothing more came. */
function readStop(answer: Answer, end: BodyEnd, hasText: boolean): Reading {
  if (end.kind === 'limit' && !end.limit.endsWith('timeout')) return { kind: 'limit' };
  const isIdle = end.kind === 'limit' && end.limit === 'idle-timeout';
  if (isIdle && hasText) return { kind: 'broken-off', how: 'stalled', answer };
  // Slow is legal.
  if (hasText) return { kind: 'limit' };
  return { kind: 'unanswered', after: answer.endAt };
}

function readStream(answer: Answer): Reading {
  const end = streamEnd(answer);
  if (end === 'cut') return { kind: 'broken-off', how: 'cut', answer };
  const { form, errors, events, choices } = readChunks(answer);
  if (errors.length > 0) return { kind: 'broken-off', how: 'error', answer };
  if (end === 'stalled' || end === 'limit' || end === 'aborted') {
    const hasText = choices.some(({ text, reasoning }) => text.length + reasoning.length > 0);
    return readStop(answer, answer.body.end, hasText);
  }
  const isMalformed = form !== 'events' || events.some(({ kind }) => kind === 'not-json');
  return isMalformed ? { kind: 'broken-off', how: 'not-json', answer } : { kind: 'whole', answer };
}
