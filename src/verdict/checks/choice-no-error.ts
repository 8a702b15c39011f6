import type { Exchange } from '../../exchange/exchange.ts';
import { type Json, typeOf } from '../../json.ts';
import { itemsOf, memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { eachJson } from '../completion.ts';
import { finding, fold, judged, shown } from '../finding.ts';
import type { Finding } from '../verdict.ts';

function* errorsInChoices(value: Json, exchange: Exchange): Generator<Finding> {
  for (const [place, choice] of itemsOf(memberOf(value, 'choices')).entries()) {
    const error = memberOf(choice, 'error') ?? null;
    if (error === null) continue;
    const found = { actualType: typeOf(error), actual: shown(error) };
    const pointer = `/choices/${place}/error`;
    yield finding(exchange, { mismatch: 'error-in-success', pointer, expected: 'no error in a choice', ...found });
  }
}

export const choiceNoError: Check = {
  summary: 'No choice of a completion carries an error.',
  execute: (input) => eachJson(input, (value, exchange) => judged(fold(errorsInChoices(value, exchange), [exchange]))),
};
