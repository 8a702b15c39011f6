import { type Answer, type Exchange, findHeader } from '../../exchange/exchange.ts';
import { quoteHeaderName, quoteHeaderValue } from '../../exchange/reading/standard-headers.ts';
import type { Endpoint } from '../../plan/plan.ts';
import { cutText, MAX_QUOTE_LENGTH, type Quote, quoteText } from '../../text/quote.ts';
import { type Check, textOption } from '../check.ts';
import { inconclusive, noOccasion, observed, skipped } from '../check-result.ts';
import { type Observation, type ObservedItem, seenItems, seenValues } from '../observation.ts';
import { errorWord, headerItem, statusClass, statusOf } from '../reading/answers.ts';
import { allAnswers, type AnswerPlace, errorAnswers, isOnlyError } from '../reading/answer-places.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { answerOutcome, whyNoAnswer } from '../reading/outcome.ts';

export function acceptanceOf(exchange: Exchange): ObservedItem {
  const outcome = answerOutcome(exchange);
  if ('failure' in outcome) return whyNoAnswer(outcome);
  const { kind, status, answer } = outcome;
  if (kind === 'answered' || kind === 'success-other') return 'accepted';
  const code = errorWord(answer, 'code');
  const quoted = code === undefined ? {} : { code: quoteText(code) };
  return { kind: kind === 'client-error' ? 'refused' : 'answered', status, ...quoted };
}

export const acceptance: Check = {
  summary: 'Records whether the request is accepted.',
  isIndependentOfEdits: true,
  options: { what: { type: 'string', minLength: 1 } },
  execute: eachExchange((exchange, input) => {
    const of = textOption(input.options, 'what', '');
    const value = acceptanceOf(exchange);
    return observed([of === '' ? { name: 'outcome', value } : { name: 'outcome-of', of, value }]);
  }),
};

const RATE_HEADER = /^retry-after(?:-ms)?$|rate-?limit/i;
const MAX_HEADERS = 50;

function answerTo(exchange: Exchange): Observation {
  const outcome = answerOutcome(exchange);
  const of = cutText(`${exchange.request.method} ${exchange.request.path}`, MAX_QUOTE_LENGTH);
  return { name: 'answer-to', of, value: 'failure' in outcome ? whyNoAnswer(outcome) : outcome.status };
}

function locationOf(answer: Answer): { readonly location?: Quote } {
  const location = findHeader(answer.headers, 'location');
  return location === undefined ? {} : { location: quoteText(location) };
}

/** Part 7: statuses that each endpoint can return. */
const CONTRACT_STATUSES: Record<Exclude<Endpoint, 'other'>, readonly number[]> = {
  chat: [200, 401, 402, 403, 429],
  models: [200, 401],
};

const NO_ERROR = noOccasion('error');

/** Cases that provoke an error end with it; earlier attempts were not meant to fail. */
function wasAsked({ exchange: { seeks, attempts }, attempt }: AnswerPlace): boolean {
  const isEdited = seeks === 'refusal' || seeks === 'either' || seeks === 'unauthorized';
  return isEdited && attempt === attempts.length - 1;
}

function conditionsOf(answers: readonly AnswerPlace[], name: 'requests-behind' | 'unprovoked'): readonly Observation[] {
  const statuses = [...new Set(answers.map(({ answer }) => answer.status))].toSorted((left, right) => left - right);
  return statuses.map((status) => {
    const behind = answers.filter(({ answer }) => answer.status === status);
    const steps = behind.map(({ exchange }) => exchange.step);
    return { name, of: String(status), value: seenItems(steps, (step) => ({ kind: 'step', step })) };
  });
}

export const SEEN_ANSWER_CHECKS = {
  acceptance,
  'refusal-status': {
    summary: 'Records the status, type and code of the refusal.',
    execute: ({ exchanges, run }) => {
      // If a call was repeated until it was refused, the last one has the refusal.
      const last = exchanges.at(-1);
      if (!last) return skipped('nothing-to-judge');
      const outcome = answerOutcome(last);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const { status, answer } = outcome;
      if (status === 200 && last.request.key === 'exhausted' && !isOnlyError(last, answer)) {
        const isRefusedElsewhere = run.traffic.exchanges.some(
          (exchange) => exchange.request.key === 'exhausted' && answerOutcome(exchange).kind === 'client-error',
        );
        const isStream = last.request.mode === 'stream';
        return skipped({ kind: isStream && isRefusedElsewhere ? 'exhausted-key-streams' : 'key-not-used-up' });
      }
      const observations: Observation[] = [{ name: 'status', value: status }];
      const calls = run.traffic.exchanges.filter(({ step }) => step === last.step).length;
      if (calls > 1) observations.push({ name: 'calls', value: calls });
      for (const name of ['type', 'code'] as const) {
        const word = errorWord(answer, name);
        if (word !== undefined) observations.push({ name: `error-${name}`, value: quoteText(word) });
      }
      return observed(observations);
    },
  },
  'statuses-seen': {
    summary: 'Records statuses that the contract does not list.',
    execute: ({ exchanges }) => {
      const observations = (['chat', 'models'] as const).map((endpoint) => {
        const answers = allAnswers(exchanges).filter(({ exchange }) => exchange.request.endpoint === endpoint);
        const statuses = answers.map(({ answer }) => answer.status);
        const others = statuses.filter((status) => !CONTRACT_STATUSES[endpoint].includes(status));
        return { name: `${endpoint}-statuses` as const, value: seenValues(others) };
      });
      return observed(observations);
    },
  },
  'error-words': {
    summary: 'Records every error type and code.',
    execute: ({ exchanges }) => {
      const answers = errorAnswers(exchanges);
      if (answers.length === 0) return NO_ERROR;
      return observed(
        (['type', 'code'] as const).map((name) => ({
          name: `error-${name}` as const,
          value: seenItems(
            answers.flatMap(({ answer }) => errorWord(answer, name) ?? []),
            (word) => quoteText(word),
          ),
        })),
      );
    },
  },
  'error-conditions': {
    summary: 'Records the kinds of request behind each error status.',
    execute: ({ exchanges }) => {
      const answers = errorAnswers(exchanges);
      return answers.length === 0 ? NO_ERROR : observed(conditionsOf(answers, 'requests-behind'));
    },
  },
  'unasked-errors': {
    summary: 'Records the errors that no case provoked.',
    execute: ({ exchanges }) => {
      const places = errorAnswers(exchanges).filter((place) => !wasAsked(place));
      if (places.length === 0) return noOccasion('unexpected-error');
      return observed(conditionsOf(places, 'unprovoked'));
    },
  },
  'content-types': {
    summary: 'Records the content types of answers.',
    execute: ({ exchanges }) => {
      const types = new Map<string, (string | undefined)[]>();
      for (const { exchange, answer } of allAnswers(exchanges)) {
        const { endpoint, mode } = exchange.request;
        if (endpoint === 'other') continue;
        const of = `${endpoint} ${mode} ${statusClass(answer.status)}`;
        const known = types.get(of) ?? [];
        types.set(of, known);
        known.push(findHeader(answer.headers, 'content-type'));
      }
      return observed(
        [...types].map(([of, values]) => ({ name: 'content-types', of, value: seenItems(values, headerItem) })),
      );
    },
  },
  compression: {
    summary: 'Records the compression and the HTTP version of answers.',
    execute: ({ exchanges }) => {
      const answers = allAnswers(exchanges);
      const encodings = answers.map(({ answer }) => findHeader(answer.headers, 'content-encoding'));
      const versions = answers.map(({ answer }) => answer.httpVersion);
      return observed([
        { name: 'content-encoding', value: seenItems(encodings, headerItem) },
        { name: 'http-version', value: seenItems(versions, headerItem) },
      ]);
    },
  },
  /** Each header with its first value: later ones only count down. */
  'rate-headers': {
    summary: 'Records Retry-After and rate-limit headers.',
    execute: ({ exchanges }) => {
      const first = new Map<string, string>();
      for (const { answer } of allAnswers(exchanges)) {
        for (const [name, value] of answer.headers) {
          const key = name.toLowerCase();
          if (RATE_HEADER.test(name) && !first.has(key) && first.size < MAX_HEADERS) first.set(key, value);
        }
      }
      if (first.size === 0) return noOccasion('rate-limit-header');
      const headers = [...first].map(([name, value]) => {
        return { kind: 'header', name: quoteHeaderName(name), value: quoteHeaderValue(value) } as const;
      });
      return observed([{ name: 'rate-limit-headers', value: headers }]);
    },
  },
  'redirect-seen': {
    summary: 'Records redirects and the answer to a trailing slash.',
    execute: ({ exchanges }) => {
      const redirects = allAnswers(exchanges)
        .filter(({ answer }) => answer.status >= 300 && answer.status < 400)
        .map(({ exchange, answer }) => {
          const { method, path } = exchange.request;
          return { kind: 'redirect', method, path, status: answer.status, ...locationOf(answer) } as const;
        });
      const slashed = exchanges.filter(({ request }) => /.\/(?:\?|$)/.test(request.path));
      return observed([{ name: 'redirects', value: seenValues(redirects) }, ...slashed.map(answerTo)]);
    },
  },
  'other-endpoint': {
    summary: 'Records the answer to an unknown path or a wrong method.',
    execute: eachExchange((exchange) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome) return observed([answerTo(exchange)]);
      const value = { kind: 'status', ...statusOf(outcome.answer), ...locationOf(outcome.answer) } as const;
      return observed([{ ...answerTo(exchange), value }]);
    }),
  },
} satisfies Record<string, Check>;
