import { type Answer, type Exchange, findHeader } from '../../exchange/exchange.ts';
import { quoteHeaderName, quoteHeaderValue } from '../../exchange/reading/standard-headers.ts';
import { cutText, MAX_QUOTE_LENGTH, type Quote, quoteText } from '../../text/quote.ts';
import { errorWord, allAnswers, headerItem, statusClass, statusOf } from '../reading/answers.ts';
import { type Check, textOption } from '../check.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { observed, skipped } from '../finding.ts';
import { answerOutcome, whyNoAnswer } from '../reading/outcome.ts';
import { type Observation, type ObservedItem, seenItems, seenValues } from '../observation.ts';

export function acceptanceOf(exchange: Exchange): ObservedItem {
  const outcome = answerOutcome(exchange);
  if ('failure' in outcome) return whyNoAnswer(outcome);
  const { kind, status, answer } = outcome;
  if (kind === 'answered' || kind === 'success-other') return 'accepted';
  const code = errorWord(answer, 'code');
  return {
    kind: kind === 'client-error' ? 'refused' : 'answered',
    status,
    ...(code !== undefined && { code: quoteText(code) }),
  };
}

export const acceptance: Check = {
  summary: 'Records whether the request is accepted.',
  isIndependentOfEdits: true,
  options: { what: { type: 'string', minLength: 1 } },
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const of = textOption(input.options, 'what', '');
      const value = acceptanceOf(exchange);
      return observed([of === '' ? { name: 'outcome', value } : { name: 'outcome-of', of, value }]);
    }),
};

export const otherEndpoint: Check = {
  summary: 'Records the answer to an unknown path or a wrong method.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = answerOutcome(exchange);
      if ('failure' in outcome)
        return observed([{ name: 'answer-to', of: requestName(exchange), value: whyNoAnswer(outcome) }]);
      const value = { kind: 'status', ...statusOf(outcome.answer), ...locationOf(outcome.answer) } as const;
      return observed([{ name: 'answer-to', of: requestName(exchange), value }]);
    }),
};

export const compression: Check = {
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
};

export const contentTypes: Check = {
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
};

const RATE_HEADER = /^retry-after(?:-ms)?$|rate-?limit/i;
const MAX_HEADERS = 50;

/** Each header with its first value: later ones only count down. */
export const rateHeaders: Check = {
  summary: 'Records Retry-After and rate-limit headers.',
  execute: ({ exchanges }) => {
    const first = new Map<string, string>();
    for (const { answer } of allAnswers(exchanges)) {
      for (const [name, value] of answer.headers) {
        const key = name.toLowerCase();
        if (RATE_HEADER.test(name) && !first.has(key) && first.size < MAX_HEADERS) first.set(key, value);
      }
    }
    if (first.size === 0) return skipped({ kind: 'no-occasion', of: 'rate-limit-header' });
    const headers = [...first].map(([name, value]) => {
      return { kind: 'header', name: quoteHeaderName(name), value: quoteHeaderValue(value) } as const;
    });
    return observed([{ name: 'rate-limit-headers', value: headers }]);
  },
};

function answerTo(exchange: Exchange): Observation {
  const outcome = answerOutcome(exchange);
  return {
    name: 'answer-to',
    of: requestName(exchange),
    value: 'failure' in outcome ? whyNoAnswer(outcome) : outcome.status,
  };
}

function requestName({ request: { method, path } }: Exchange): string {
  return cutText(`${method} ${path}`, MAX_QUOTE_LENGTH);
}

function locationOf(answer: Answer): { readonly location?: Quote } {
  const location = findHeader(answer.headers, 'location');
  return location === undefined ? {} : { location: quoteText(location) };
}

export const redirectSeen: Check = {
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
};
