/** What clients build on beyond the contract: request ids, waits that are asked for, codes to tell errors apart. */
import { retryAfter } from '../../exchange/channel/retry.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { lastAnswer } from '../../exchange/reading/answered.ts';
import { isObject, memberOf, parseJson } from '../../json.ts';
import { isValidKey } from '../../suite/case.ts';
import { quoteText } from '../../text/quote.ts';
import type { Check } from '../check.ts';
import { noOccasion, observed } from '../check-result.ts';
import { type Observation, seenValues } from '../observation.ts';
import { errorWord, itemsOf, jsonOf } from '../reading/answers.ts';
import { allAnswers } from '../reading/answer-places.ts';
import { isRefusal } from '../reading/outcome.ts';
import { quoteHeaderName } from '../../exchange/reading/standard-headers.ts';

const REQUEST_ID = /^(?:x-)?(?:[a-z]+-)?(?:request|correlation|trace)-?id$/i;
/** Different names that a target may give to each answer. */
const MAX_NAMES = 20;

/** Of answers that have each header, by its name. */
function requestIds(exchanges: readonly Exchange[]): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>();
  for (const { answer } of allAnswers(exchanges)) {
    for (const [written, value] of answer.headers) {
      const name = written.toLowerCase();
      if (!REQUEST_ID.test(name) || (!ids.has(name) && ids.size >= MAX_NAMES)) continue;
      ids.set(name, [...(ids.get(name) ?? []), value]);
    }
  }
  return ids;
}

/** Kinds of error that a client has to tell apart. */
const SITUATIONS = {
  'a bad key': ({ request }) => !isValidKey(request.key) && request.key !== 'not-in-file',
  'an over-long prompt': ({ request }) => request.filler?.kind === 'words',
  'an unknown model': ({ request }) => {
    const model = memberOf(parseJson(request.body), 'model');
    return typeof model === 'string' && model.startsWith('wirecheck-no-such-model-');
  },
  'a bad value': ({ seeks, request }) => seeks === 'refusal' && isObject(parseJson(request.body)),
} as const satisfies Record<string, (exchange: Exchange) => boolean>;

type Situation = keyof typeof SITUATIONS;

function situationOf(exchange: Exchange): Situation | undefined {
  const names = Object.keys(SITUATIONS) as Situation[];
  return names.find((name) => SITUATIONS[name](exchange));
}

/** Names of fields of a list entry, as servers write them. */
const CONTEXT_FIELD =
  /^(?:context_length|context_window|max_context_length|max_model_len|max_input_tokens|n_ctx_train)$/;

export const SEEN_SERVICE_CHECKS = {
  'request-ids': {
    summary: 'Records which answers have a request id, and whether two have the same.',
    execute: ({ exchanges }) => {
      const ids = requestIds(exchanges);
      if (ids.size === 0) return noOccasion('request-id');
      const answers = allAnswers(exchanges).length;
      return observed(
        [...ids].flatMap(([name, values]): readonly Observation[] => {
          const header = quoteHeaderName(name);
          const of = typeof header === 'string' ? header : (header.quote ?? '');
          return [
            { name: 'answers-with', of, value: values.length === answers ? 'always' : 'sometimes' },
            { name: 'same-twice', of, value: new Set(values).size < values.length },
          ];
        }),
      );
    },
  },
  'after-wait': {
    summary: 'Records what came after the wait that Retry-After asked for.',
    execute: ({ exchanges }) => {
      const after = exchanges.flatMap(({ attempts }) =>
        attempts.flatMap(({ outcome }, place) => {
          const asked = outcome.kind === 'answer' ? retryAfter(outcome.answer) : undefined;
          const next = attempts[place + 1];
          if (asked === undefined || next?.outcome.kind !== 'answer' || next.pause < asked) return [];
          return [next.outcome.answer.status];
        }),
      );
      return after.length === 0
        ? noOccasion('wait-asked')
        : observed([{ name: 'after-wait', value: seenValues(after) }]);
    },
  },
  'codes-apart': {
    summary: 'Records error.code for a bad key, a bad value, an unknown model and an over-long prompt.',
    execute: ({ exchanges }) => {
      const codes = new Map<Situation, Set<string>>();
      for (const exchange of exchanges) {
        const answer = lastAnswer(exchange);
        const situation = answer && (isRefusal(exchange) || answer.status === 401) ? situationOf(exchange) : undefined;
        const code = answer && situation && errorWord(answer, 'code');
        if (situation && code !== undefined) codes.set(situation, (codes.get(situation) ?? new Set()).add(code));
      }
      if (codes.size === 0) return noOccasion('error');
      const all = [...codes.values()].flatMap((each) => [...each]);
      return observed([
        ...[...codes].map(([of, each]): Observation => ({
          name: 'code-for',
          of,
          value: seenValues([...each].map((code) => quoteText(code))),
        })),
        { name: 'codes-differ', value: new Set(all).size === all.length },
      ]);
    },
  },
  'stated-context': {
    summary:
      'Records the context length that the list states for the called model, and whether --context-tokens is the same.',
    execute: ({ exchanges, run: { traffic, settings } }) => {
      const entries = exchanges.flatMap((exchange) => {
        const answer = lastAnswer(exchange);
        return answer?.status === 200 ? itemsOf(memberOf(jsonOf(answer), 'data')) : [];
      });
      const entry = entries.find((each) => memberOf(each, 'id') === traffic.bindings.model);
      const stated = isObject(entry)
        ? Object.entries(entry).find(([name, value]) => CONTEXT_FIELD.test(name) && typeof value === 'number')?.[1]
        : undefined;
      if (typeof stated !== 'number') return noOccasion('stated-context');
      const { contextTokens } = settings;
      return observed([
        { name: 'stated-context', value: stated },
        ...(contextTokens === undefined
          ? []
          : [{ name: 'stated-as-asked', value: contextTokens === stated } satisfies Observation]),
      ]);
    },
  },
} satisfies Record<string, Check>;
