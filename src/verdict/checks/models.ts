import { answerOf } from '../reading/outcome.ts';
import { statusClass, statusWords, itemsOf, memberOf } from '../reading/body-reading.ts';
import type { Check, CheckInput } from '../check.ts';
import { CHAT_STEP, NO_CONTROL, isAnswered } from '../reading/control.ts';
import { HOLDS, HOLDS_FLAKY, broken, finding, fold, inconclusive, shown, skipped, judged } from '../finding.ts';
import { type ModelCall, modelCalls } from '../reading/model-sample.ts';
import type { CheckResult, Finding } from '../verdict.ts';
import { eachJson } from '../reading/completion.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Json } from '../../json.ts';

/** Judges the sample where one result is the fault that a clause speaks of, and the other results are not. */
export function judgeSample(fault: ModelCall['result'], expected: string, { exchanges, run }: CheckInput): CheckResult {
  const calls = modelCalls(exchanges, run);
  const faulty = calls.filter(({ result }) => result === fault);
  if (faulty.length > 0) {
    if (!isAnswered(run.exchange(CHAT_STEP))) return inconclusive(NO_CONTROL);
    const findings = faulty.flatMap(({ model, exchange }) => {
      const answer = answerOf(exchange);
      if (!answer) return [];
      const actual = `${statusWords(answer)} for the model ${shown(model)}`;
      return [finding(exchange, { mismatch: 'status', expected, actualType: statusClass(answer.status), actual })];
    });
    return broken(fold(findings, exchanges));
  }
  const answered = calls.filter(({ result }) => result === 'answered');
  if (answered.length > 0) return answered.some(({ flaky }) => flaky) ? HOLDS_FLAKY : HOLDS;
  if (calls.length === 0) return skipped('no model of the list was called');
  if (calls.every(({ result }) => result === 'unclear')) return inconclusive('no call of a listed model gave a result');
  return skipped('no call of a listed model was answered; judged by the other clause on listed models');
}

export const permitted: Check = {
  summary: 'No listed model is refused with 403, twice, while the control is answered.',
  execute: (input) => judgeSample('forbidden', 'a model that the key may call', input),
};

export const callable: Check = {
  summary: 'No call of a listed model is refused, other than with a 403.',
  execute: (input) => judgeSample('refused', '200 for a listed model', input),
};

export const absentFromList: Check = {
  summary: 'The model that a restricted key may not call is not in its list.',
  execute: (input) => {
    const forbidden = input.run.settings.forbiddenModel;
    if (forbidden === undefined) return skipped('no model was named that the restricted key may not call');
    return eachJson(input, (value, exchange) => {
      const data = memberOf(value, 'data');
      if (!Array.isArray(data)) return inconclusive('the answer holds no list');
      const place = itemsOf(data).findIndex((model) => memberOf(model, 'id') === forbidden);
      if (place === -1) return HOLDS;
      return broken([
        finding(exchange, {
          mismatch: 'listed',
          pointer: `/data/${place}/id`,
          expected: 'only models that the key may call',
          actualType: 'string',
          actual: shown(forbidden),
        }),
      ]);
    });
  },
};

function* repeatedModels(value: Json, exchange: Exchange): Generator<Finding> {
  const seen = new Set<string>();
  for (const [place, model] of itemsOf(memberOf(value, 'data')).entries()) {
    const id = memberOf(model, 'id');
    if (typeof id !== 'string') continue;
    const found = { pointer: `/data/${place}/id`, actualType: 'string', actual: shown(id) };
    if (seen.has(id)) yield finding(exchange, { mismatch: 'repeated', expected: 'an id of its own', ...found });
    seen.add(id);
  }
}

export const uniqueModels: Check = {
  summary: 'No model is listed twice.',
  execute: (input) => eachJson(input, (value, exchange) => judged(fold(repeatedModels(value, exchange), [exchange]))),
};
