/** Whether finish_reason and token counts of a reply are those that the upstream sent (rule 32). */
import type { Answer, Exchange } from '../exchange/exchange.ts';
import { endsChoice } from '../exchange/reading/choices.ts';
import { chunkValue, readChunks } from '../exchange/reading/chunks.ts';
import { isObject, type Json, memberOf, typeOf } from '../json.ts';
import { quoteText, quoteValue } from '../text/quote.ts';
import { type FindingParts, valueFound } from '../verdict/finding.ts';
import { itemsOf, readBody } from '../verdict/reading/answers.ts';
import type { KnownCall } from './call-registry.ts';
import { PROFILES, usageOf } from './profiles.ts';

interface ReplyFacts {
  readonly finish?: Json | undefined;
  readonly usage?: Json | undefined;
}

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
  if (finish === undefined || finish === null || finish === sent) return undefined;
  return {
    mismatch: 'finish-reason',
    expected: { kind: 'upstream-value', value: quoteText(sent) },
    actualType: typeOf(finish),
    actual: valueFound(finish),
  };
}

const COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

/** No call asks for token counts of a stream, so that a stream may have none. */
export function findOtherUsage({ usage }: ReplyFacts, { profile, usageSent }: KnownCall): FindingParts | undefined {
  if (!isObject(usage)) return undefined;
  if (!usageSent) {
    return {
      mismatch: 'usage-invented',
      expected: { kind: 'no-usage' },
      actualType: 'object',
      actual: valueFound(usage),
    };
  }
  const sent = usageOf(profile);
  const wrong = COUNTS.find((name) => usage[name] !== sent[name]);
  if (wrong === undefined) return undefined;
  return {
    mismatch: 'usage-altered',
    pointer: `/usage/${wrong}`,
    expected: { kind: 'upstream-value', value: quoteValue(sent[wrong]) },
    actualType: typeOf(usage[wrong]),
    actual: valueFound(usage[wrong]),
  };
}
