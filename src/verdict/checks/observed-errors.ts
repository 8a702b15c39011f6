import type { Endpoint } from '../../plan/plan.ts';
import { allAnswers, type AnswerPlace, errorWord, errorAnswers, isOnlyError } from '../reading/answers.ts';
import type { Check } from '../check.ts';
import { observed, inconclusive, skipped } from '../finding.ts';
import { quoteText } from '../../text/quote.ts';
import { type Observation, seenItems, seenValues } from '../observation.ts';
import { answerOutcome, whyNoAnswer } from '../reading/outcome.ts';

/** Part 7: statuses that each endpoint can return. */
const CONTRACT_STATUSES: Record<Exclude<Endpoint, 'other'>, readonly number[]> = {
  chat: [200, 401, 402, 403, 429],
  models: [200, 401],
};

export const statusesSeen: Check = {
  summary: 'Records statuses that the contract does not list.',
  execute: ({ exchanges }) => {
    const answers = allAnswers(exchanges).filter(({ exchange }) => exchange.request.endpoint !== 'other');
    const observations = (['chat', 'models'] as const).map((endpoint) => {
      const known = CONTRACT_STATUSES[endpoint];
      const statuses = answers
        .filter(({ exchange }) => exchange.request.endpoint === endpoint)
        .map(({ answer }) => answer.status)
        .filter((status) => !known.includes(status));
      return { name: `${endpoint}-statuses` as const, value: seenValues(statuses) };
    });
    return observed(observations);
  },
};

export const refusalStatus: Check = {
  summary: 'Records the status, type and code of the refusal.',
  execute: ({ exchanges, run }) => {
    // If a call was repeated until it was refused, the last one has the refusal.
    const last = exchanges.at(-1);
    if (!last) return skipped({ kind: 'nothing-to-judge' });
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
};

const NO_ERROR = skipped({ kind: 'no-occasion', of: 'error' });

export const errorConditions: Check = {
  summary: 'Records the kinds of request behind each error status.',
  execute: ({ exchanges }) => {
    const answers = errorAnswers(exchanges);
    return answers.length === 0 ? NO_ERROR : observed(conditionsOf(answers, 'requests-behind'));
  },
};

/** Cases that provoke an error end with it; earlier attempts were not meant to fail. */
function wasAsked({ exchange: { seeks, attempts }, attempt }: AnswerPlace): boolean {
  const isEdited = seeks === 'refusal' || seeks === 'either' || seeks === 'unauthorized';
  return isEdited && attempt === attempts.length - 1;
}

export const unaskedErrors: Check = {
  summary: 'Records the errors that no case provoked.',
  execute: ({ exchanges }) => {
    const places = errorAnswers(exchanges).filter((place) => !wasAsked(place));
    if (places.length === 0) return skipped({ kind: 'no-occasion', of: 'unexpected-error' });
    return observed(conditionsOf(places, 'unprovoked'));
  },
};

function conditionsOf(answers: readonly AnswerPlace[], name: 'requests-behind' | 'unprovoked'): readonly Observation[] {
  const statuses = [...new Set(answers.map(({ answer }) => answer.status))].toSorted((left, right) => left - right);
  return statuses.map((status) => {
    const behind = answers.filter(({ answer }) => answer.status === status);
    const steps = behind.map(({ exchange }) => exchange.step);
    return { name, of: String(status), value: seenItems(steps, (step) => ({ kind: 'step', step })) };
  });
}

export const errorWords: Check = {
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
};
