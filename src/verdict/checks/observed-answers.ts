import type { Exchange } from '../../exchange/exchange.ts';
import { errorWord, allAnswers } from '../reading/answers.ts';
import type { Check } from '../check.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { cutText, observed, skipped } from '../finding.ts';
import { textOption } from '../options.ts';
import { outcomeOf, whyNoAnswer } from '../reading/outcome.ts';
import { headerOf, statusWords, statusClass } from '../reading/body-reading.ts';
import { seenValues } from '../reading/seen-values.ts';
import type { Observation } from '../verdict.ts';

function describe(exchange: Exchange): string {
  const outcome = outcomeOf(exchange);
  if ('failure' in outcome) return `not answered: ${whyNoAnswer(outcome)}`;
  if (outcome.kind === 'answered' || outcome.kind === 'success-other') return 'accepted';
  const said = outcome.kind === 'client-error' ? 'refused' : 'answered';
  const code = errorWord(outcome.answer, 'code');
  return `${said} with ${outcome.status}${code === undefined ? '' : ` ${cutText(code)}`}`;
}

export const acceptance: Check = {
  summary: 'Records whether this is accepted.',
  options: { what: { type: 'string', minLength: 1 } },
  execute: (input) =>
    eachExchange(input, (exchange) =>
      observed([{ name: textOption(input.options, 'what', 'outcome'), value: describe(exchange) }]),
    ),
};

export const otherEndpoint: Check = {
  summary: 'Records what an unknown path or a wrong method is answered with.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = outcomeOf(exchange);
      const { method, path } = exchange.request;
      const location = 'answer' in outcome ? headerOf(outcome.answer, 'location') : undefined;
      const answer = 'failure' in outcome ? whyNoAnswer(outcome) : statusWords(outcome.answer);
      const value = location === undefined ? answer : `${answer} to ${cutText(location)}`;
      return observed([{ name: cutText(`${method} ${path}`), value }]);
    }),
};

export const compression: Check = {
  summary: 'Records how answers are compressed, and with which version of HTTP they come.',
  execute: ({ exchanges }) => {
    const answers = [...allAnswers(exchanges)].map(({ answer }) => answer);
    return observed([
      {
        name: 'Content-Encoding',
        value: seenValues(answers.map((answer) => headerOf(answer, 'content-encoding') ?? 'none')),
      },
      { name: 'HTTP version', value: seenValues(answers.map(({ httpVersion }) => httpVersion)) },
    ]);
  },
};

export const contentTypes: Check = {
  summary: 'Records the content types of answers.',
  execute: ({ exchanges }) => {
    const types = new Map<string, Set<string>>();
    for (const { exchange, answer } of allAnswers(exchanges)) {
      const { endpoint, mode } = exchange.request;
      if (endpoint === 'other') continue;
      const name = `${endpoint} ${mode} ${statusClass(answer.status)}`;
      const known = types.get(name) ?? new Set();
      types.set(name, known.add(headerOf(answer, 'content-type') ?? 'none'));
    }
    return observed([...types].map(([name, values]) => ({ name, value: seenValues(values) })));
  },
};

const RATE_HEADER = /^retry-after(?:-ms)?$|rate-?limit/i;
const MOST_HEADERS = 50;

/** Each header with the first value it had: the later ones only count down. */
export const rateHeaders: Check = {
  summary: 'Records Retry-After and rate-limit headers.',
  execute: ({ exchanges }) => {
    const first = new Map<string, string>();
    for (const { answer } of allAnswers(exchanges)) {
      for (const [name, value] of answer.headers) {
        const key = cutText(name.toLowerCase());
        if (RATE_HEADER.test(name) && !first.has(key) && first.size < MOST_HEADERS) first.set(key, cutText(value));
      }
    }
    if (first.size === 0) return skipped('no answer had such a header');
    return observed([...first].map(([name, value]) => ({ name, value })));
  },
};

function answerTo(exchange: Exchange): Observation {
  const outcome = outcomeOf(exchange);
  const { method, path } = exchange.request;
  return { name: cutText(`${method} ${path}`), value: 'failure' in outcome ? whyNoAnswer(outcome) : outcome.status };
}

export const redirectSeen: Check = {
  summary: 'Records redirects, and what happens to a trailing slash.',
  execute: ({ exchanges }) => {
    const redirects = [...allAnswers(exchanges)]
      .filter(({ answer }) => answer.status >= 300 && answer.status < 400)
      .map(({ exchange, answer }) => {
        const { method, path } = exchange.request;
        return `${method} ${path}: ${answer.status} to ${headerOf(answer, 'location') ?? 'nowhere'}`;
      });
    const slashed = exchanges.filter(({ request }) => /.\/(?:\?|$)/.test(request.path));
    return observed([{ name: 'redirects', value: seenValues(redirects) }, ...slashed.map(answerTo)]);
  },
};
