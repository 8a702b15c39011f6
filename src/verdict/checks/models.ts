import { oncePer } from '../../once-per.ts';
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { lastAnswer, wasAnswered } from '../../exchange/reading/answered.ts';
import { type Json, memberOf, parseJson } from '../../json.ts';
import { STEPS } from '../../plan/known-steps.ts';
import { quoteText } from '../../text/quote.ts';
import type { Check, CheckInput, RunView } from '../check.ts';
import { finding, mergeFindings, typedValue, broken, brokenWith } from '../finding.ts';
import { HOLDS, holdsIn, inconclusive, NO_FIELD, noOccasion, seeOtherClause, skipped } from '../check-result.ts';
import { itemsOf, jsonOf, statusFound, statusOf } from '../reading/answers.ts';
import { isControlAnswered, noControl } from '../reading/control.ts';
import { eachExchange, eachJson } from '../reading/each-exchange.ts';
import { answerOutcome, isRefusal } from '../reading/outcome.ts';
import type { CheckResult, Finding } from '../verdict.ts';

/** Calls of a listed model: as the control, in the sample, or again after a 403. */
interface ModelCall {
  readonly model: string;
  readonly calls: readonly Exchange[];
  /** The last call that shows the result. */
  readonly exchange: Exchange;
  /**
   * `forbidden`: only 403, on at least two calls; or two of the calls of several rounds. `refused`: another 4xx, in any
   * round. `unclear`: anything else.
   */
  readonly result: 'answered' | 'forbidden' | 'refused' | 'unclear';
  /** At least one call got 403. */
  readonly flaky: boolean;
}

function isForbidden(exchange: Exchange): boolean {
  return lastAnswer(exchange)?.status === 403;
}

type Shows = (exchange: Exchange, run: RunView) => boolean;

const isRefusedOtherwise: Shows = (exchange, run) =>
  !isForbidden(exchange) && (isRefusal(exchange) || isPaidModel(exchange, run));

/** A 402 is about the account, unless the same key is answered later. Then it is about the model. */
function isPaidModel(exchange: Exchange, { traffic }: RunView): boolean {
  if (lastAnswer(exchange)?.status !== 402) return false;
  const { key } = exchange.request;
  const at = exchange.attempts.at(-1)?.sentAt ?? Infinity;
  return traffic.exchanges.some(
    (other) =>
      other.request.key === key &&
      other.request.endpoint === 'chat' &&
      (other.attempts.at(-1)?.sentAt ?? 0) > at &&
      wasAnswered(other),
  );
}

const MISANSWERED: ReadonlySet<string> = new Set(['success-other', 'redirect', 'odd-status']);

const SHOWS = {
  forbidden: isForbidden,
  refused: isRefusedOtherwise,
} satisfies Record<string, Shows>;

type ModelFault = keyof typeof SHOWS;

function resultOf(calls: readonly Exchange[], last: Exchange, run: RunView): ModelCall['result'] {
  const isSampled = calls.some(({ round }) => round !== undefined);
  if (isSampled && calls.filter(isForbidden).length > 1) return 'forbidden';
  if (isSampled && calls.some((call) => isRefusedOtherwise(call, run))) return 'refused';
  if (answerOutcome(last).kind === 'answered') return 'answered';
  if (isForbidden(last)) return calls.length > 1 && calls.every(isForbidden) ? 'forbidden' : 'unclear';
  return isRefusedOtherwise(last, run) ? 'refused' : 'unclear';
}

/** Each key has a list of its own. */
function nameModel({ request }: Exchange, model: string): string {
  return JSON.stringify([request.key, model]);
}

function isList(exchange: Exchange): boolean {
  return exchange.request.endpoint === 'models' && answerOutcome(exchange).kind === 'answered';
}

const listedModels = oncePer(
  (exchanges: readonly Exchange[]): ReadonlySet<string> =>
    new Set(exchanges.filter(isList).flatMap((list) => idsIn(lastJson(list)).map((id) => nameModel(list, id)))),
);

function lastJson(exchange: Exchange): Json | undefined {
  const answer = lastAnswer(exchange);
  return answer && jsonOf(answer);
}

function idsIn(list: Json | undefined): readonly string[] {
  const ids = itemsOf(memberOf(list, 'data')).map((model) => memberOf(model, 'id'));
  return ids.filter((id) => typeof id === 'string');
}

function modelOf({ request }: Exchange): string | undefined {
  const model = memberOf(parseJson(request.body), 'model');
  return typeof model === 'string' ? model : undefined;
}

function modelCalls(exchanges: readonly Exchange[], run: RunView): readonly ModelCall[] {
  const asked = new Map<string, { readonly model: string; readonly calls: Exchange[] }>();
  for (const exchange of new Set(exchanges)) {
    // If max_tokens is refused, the control that sent it says nothing about the model.
    if (exchange.step === STEPS.control && run.traffic.bindings.withoutMaxTokens) continue;
    const model = modelOf(exchange);
    if (model === undefined) continue;
    const name = nameModel(exchange, model);
    const known = asked.get(name) ?? { model, calls: [] };
    asked.set(name, known);
    known.calls.push(exchange);
  }
  return [...asked.values()].flatMap(({ model, calls }): ModelCall[] => {
    const last = calls.at(-1);
    if (!last) return [];
    const result = resultOf(calls, last, run);
    const isFault: Shows | undefined = result in SHOWS ? SHOWS[result as ModelFault] : undefined;
    const exchange = (isFault && calls.findLast((call) => isFault(call, run))) ?? last;
    return [{ model, calls, exchange, result, flaky: calls.some(isForbidden) }];
  });
}

function wrongStatus(exchange: Exchange, answer: Answer, condition: Condition): Finding {
  const actual = { kind: 'status', ...statusOf(answer), model: quoteText(modelOf(exchange) ?? '') } as const;
  return finding(exchange, { ...statusFound(answer, { kind: 'success', condition }), actual });
}

type Condition = 'permitted-model' | 'listed-model';

function answeredCalls({ calls }: ModelCall): readonly Exchange[] {
  return calls.filter((call) => answerOutcome(call).kind === 'answered');
}

/** One result is the fault that the clause speaks of; `other` is a clause that judges another one. */
export function judgeSample(
  fault: ModelFault,
  condition: Condition,
  other: string,
  { exchanges, run }: CheckInput,
): CheckResult {
  const listed = listedModels(run.traffic.exchanges);
  const calls = modelCalls(exchanges, run).filter(({ model, exchange }) => listed.has(nameModel(exchange, model)));
  const faulty = calls.filter(({ result }) => result === fault);
  if (faulty.length > 0) {
    const control = run.exchange(STEPS.control);
    if (!isControlAnswered(control)) return inconclusive(noControl(control));
    const findings = faulty.flatMap(({ exchange }) => {
      const answer = lastAnswer(exchange);
      return answer ? [wrongStatus(exchange, answer, condition)] : [];
    });
    const answers = {
      kept: calls.flatMap(answeredCalls),
      broken: faulty.flatMap((model) => model.calls.filter((call) => SHOWS[fault](call, run))),
    };
    return { ...broken(findings, exchanges), answers };
  }
  const { ending, bindings } = run.traffic;
  const clear = new Set(calls.filter(({ result }) => result !== 'unclear').map(({ model }) => model));
  if (ending.kind !== 'complete' && bindings.sample.some((model) => !clear.has(model)))
    return inconclusive({ kind: 'run-ended', ending });
  const answered = calls.filter(({ result }) => result === 'answered');
  const isFlaky = answered.some(({ flaky }) => flaky);
  if (answered.length > 0) return holdsIn(answered.flatMap(answeredCalls), isFlaky);
  if (calls.length === 0) return noOccasion('listed-model');
  if (calls.every(({ result }) => result === 'unclear')) return inconclusive('models-unclear');
  return seeOtherClause('listed-models', other);
}

function* repeatedModels(value: Json, exchange: Exchange): Generator<Finding> {
  const seen = new Map<string, string>();
  for (const [place, model] of itemsOf(memberOf(value, 'data')).entries()) {
    const id = memberOf(model, 'id');
    if (typeof id !== 'string') continue;
    const pointer = `/data/${place}/id`;
    const first = seen.get(id);
    if (first === undefined) {
      seen.set(id, pointer);
      continue;
    }
    const actual = { kind: 'repeated', value: quoteText(id), pointer: first } as const;
    yield finding(exchange, { mismatch: 'repeated', pointer, expected: 'unique-id', actualType: 'string', actual });
  }
}

const eachCall = eachExchange((exchange, { run }) => {
  const outcome = answerOutcome(exchange);
  if (outcome.kind === 'answered') return HOLDS;
  if (!MISANSWERED.has(outcome.kind) || 'failure' in outcome) return skipped('not-200');
  const control = run.exchange(STEPS.control);
  if (!isControlAnswered(control)) return inconclusive(noControl(control));
  return [wrongStatus(exchange, outcome.answer, 'listed-model')];
});

export const MODEL_CHECKS = {
  'unique-models': {
    summary: 'No model is listed twice.',
    execute: eachJson((value, exchange) =>
      idsIn(value).length === 0 ? NO_FIELD : mergeFindings(repeatedModels(value, exchange), [exchange]),
    ),
  },
  permitted: {
    summary: 'No listed model gets 403 twice while the control is answered.',
    findsRefusals: true,
    execute: (input) => judgeSample('forbidden', 'permitted-model', 'endpoint.models-callable', input),
  },
  callable: {
    summary: 'No call to a listed model is refused with a status other than 403.',
    findsRefusals: true,
    execute: (input) => judgeSample('refused', 'listed-model', 'endpoint.models-permitted', input),
  },
  /** Part 4: a valid request gets exactly 200, and the first call of a model is as valid as the next. */
  'models-answer-200': {
    summary: 'No call to a model is answered with a success other than 200, or a redirect.',
    execute: (input) => eachCall({ ...input, exchanges: [...new Set(input.exchanges)] }),
  },
  'absent-from-list': {
    summary: 'The model that a restricted key may not call is not in its list.',
    execute: (input) => {
      const forbidden = input.run.settings.forbiddenModel;
      if (forbidden === undefined) return skipped({ kind: 'needs', settings: ['forbidden-model'] });
      return eachJson((value, exchange) => {
        const data = memberOf(value, 'data');
        if (!Array.isArray(data)) return inconclusive('no-list');
        const place = itemsOf(data).findIndex((model) => memberOf(model, 'id') === forbidden);
        if (place === -1) return HOLDS;
        const parts = { mismatch: 'listed', pointer: `/data/${place}/id`, expected: 'permitted-models' } as const;
        return brokenWith(exchange, { ...parts, ...typedValue(forbidden) });
      })(input);
    },
  },
  /** Any other model of a run comes from the list. */
  'model-listed': {
    summary: 'The model that --model names is in the list, if it is answered.',
    needsNoExchange: true,
    execute: ({ run }) => {
      const { traffic, settings } = run;
      const control = run.exchange(STEPS.control);
      if (settings.model === undefined || !control) return noOccasion('named-model');
      if (!isControlAnswered(control)) return inconclusive(noControl(control));
      const list = traffic.exchanges.find(
        (exchange) =>
          exchange.request.key === 'full' && isList(exchange) && Array.isArray(memberOf(lastJson(exchange), 'data')),
      );
      if (!list) return skipped('no-model-list');
      if (listedModels(traffic.exchanges).has(nameModel(control, settings.model))) return holdsIn([list]);
      const parts = { mismatch: 'absent', pointer: '/data', expected: 'called-model' } as const;
      return brokenWith(list, { ...parts, actualType: 'absent', actual: 'absent' });
    },
  },
} satisfies Record<string, Check>;
