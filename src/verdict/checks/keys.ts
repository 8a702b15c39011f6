import { statusClass, statusWords } from '../reading/body-reading.ts';
import type { Check, RunView } from '../check.ts';
import { NO_CONTROL, controlAnswered, MODELS_STEP } from '../reading/control.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { HOLDS, broken, finding, inconclusive, skipped, fold, judged } from '../finding.ts';
import { outcomeOf, whyNoAnswer } from '../reading/outcome.ts';
import { acceptedKey, acceptsKey } from '../reading/accepted-key.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { KEY_PREFIX } from '../../exchange/secrets/credentials.ts';

/** They speak of the rate and the clock; whether the key was looked at is open. */
const BEFORE_THE_KEY: ReadonlySet<number> = new Set([408, 429]);

export const unauthorized: Check = {
  summary: 'A request without a valid key is answered with 401, while its control is answered.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = outcomeOf(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const { kind, status, answer } = outcome;
      const actual = statusWords(answer);
      if (kind === 'server-error') return inconclusive(`${actual}: judged as errors.no-server-error`);
      if (kind === 'odd-status' || BEFORE_THE_KEY.has(status))
        return inconclusive(`${actual} stayed after every attempt`);
      if (kind === 'client-error' && !controlAnswered(input)) return inconclusive(NO_CONTROL);
      if (status === 401) return HOLDS;
      return broken([
        finding(exchange, { mismatch: 'status', expected: '401', actualType: statusClass(status), actual }),
      ]);
    }),
};

/** Asked only after the key was refused: the same list with the key alone in the header. */
const BARE_KEY_STEP = 'bare-key';

export const bearerAccepted: Check = {
  summary: 'A valid key is taken from Authorization: Bearer.',
  needsNoExchange: true,
  execute: ({ run }) => {
    if (acceptedKey(run)) return HOLDS;
    const list = run.exchange(MODELS_STEP);
    if (!list) return inconclusive('the model list was not asked for');
    const outcome = outcomeOf(list);
    if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
    // A refusal for another reason than the key came after the key was looked at.
    if (outcome.status !== 401) {
      return outcome.kind === 'client-error' && run.traffic.ending.kind !== 'not-this-api'
        ? HOLDS
        : inconclusive(`no request with the key was answered (${outcome.status})`);
    }
    const bare = run.exchange(BARE_KEY_STEP);
    if (!bare || outcomeOf(bare).kind !== 'answered') return inconclusive('the key was refused');
    return broken([
      finding(list, {
        mismatch: 'status',
        expected: '200 with Authorization: Bearer',
        actualType: '4xx',
        actual: '401, while the key without the scheme was answered with 200',
      }),
    ]);
  },
};

export const keyPrefix: Check = {
  summary: 'A key that is accepted starts with sk-service-.',
  needsNoExchange: true,
  execute: ({ run }) => {
    const facts = run.traffic.keys.find(({ role }) => role === 'full');
    if (!facts) return skipped('no key was given');
    const accepted = acceptedKey(run);
    if (!accepted) return inconclusive('no request with the key was answered');
    if (facts.hasPrefix) return HOLDS;
    const found = { actualType: 'another prefix', actual: 'a key without this prefix' };
    // What somebody else recorded may have been sent with several keys.
    const lacking = run.traffic.exchanges.find((one) => acceptsKey(one) && !showsPrefix(one)) ?? accepted;
    return broken([finding(lacking, { mismatch: 'prefix', expected: KEY_PREFIX, ...found })]);
  },
};

/** What every key begins with is never hidden. */
function showsPrefix({ request }: Exchange): boolean {
  const value = request.headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
  return value.includes(KEY_PREFIX);
}

/** Whether the same endpoint answers without any key: then it is not the key in this place that was accepted. */
function isOpen({ request }: Exchange, run: RunView): boolean {
  return run.traffic.exchanges.some(
    (other) =>
      other.request.key === 'none' &&
      other.request.endpoint === request.endpoint &&
      other.request.mode === request.mode &&
      outcomeOf(other).kind === 'answered',
  );
}

export const keyNotAccepted: Check = {
  summary: 'A key is not accepted in this place.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = outcomeOf(exchange);
      if ('failure' in outcome) return inconclusive(whyNoAnswer(outcome));
      const actual = statusWords(outcome.answer);
      switch (outcome.kind) {
        case 'answered':
        case 'success-other': {
          if (isOpen(exchange, input.run)) return skipped('answered without any key too: judged as auth.required');
          const actualType = statusClass(outcome.status);
          return broken([finding(exchange, { mismatch: 'accepted', expected: 'a refusal (4xx)', actualType, actual })]);
        }
        case 'redirect':
        case 'client-error':
          if (outcome.status === 429 || outcome.status === 408)
            return inconclusive(`${actual} stayed after every attempt`);
          return controlAnswered(input) ? HOLDS : inconclusive(NO_CONTROL);
        case 'server-error':
        case 'odd-status':
          return inconclusive(`${actual} does not tell whether the key was accepted`);
      }
    }),
};

export const keyNotEchoed: Check = {
  summary: 'No answer repeats the key it was sent.',
  execute: ({ exchanges }) => {
    const findings = exchanges.flatMap((exchange) =>
      exchange.attempts.flatMap(({ secretsSeen }, attempt) =>
        // The ends of a masked key are a part of it, and give it away to nobody.
        secretsSeen
          .filter(({ whole }) => whole)
          .map(({ role, form, place }) =>
            finding(exchange, {
              mismatch: 'echo',
              expected: 'an answer without the key',
              actualType: `${form} in ${place}`,
              actual: `the ${role} secret in the ${place}, in its ${form} form`,
              attempt,
            }),
          ),
      ),
    );
    return judged(fold(findings, exchanges));
  },
};
