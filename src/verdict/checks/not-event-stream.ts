import { chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import type { Answer } from '../../exchange/exchange.ts';
import { isObject } from '../../json.ts';
import { bodyStart, jsonOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { NOT_200 } from '../completion.ts';
import { eachExchange } from '../each-exchange.ts';
import { HOLDS, broken, finding, inconclusive } from '../finding.ts';
import { outcomeOf } from '../outcome.ts';

/** An event stream shows itself soon; the rest may be a million lines. */
const ENOUGH = 64 * 1024;

function beginningOf(answer: Answer): Answer {
  const { body } = answer;
  if (body.bytes.length <= ENOUGH) return answer;
  const beginning = { ...body, bytes: body.bytes.subarray(0, ENOUGH), reads: [{ at: 0, bytes: ENOUGH }] };
  return { ...answer, body: beginning };
}

export const notEventStream: Check = {
  summary: 'A reply that was not asked for as a stream is no event stream.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const { run } = input;
      const outcome = outcomeOf(exchange);
      if (outcome.kind !== 'answered') return inconclusive(NOT_200);
      const { answer } = outcome;
      if (jsonOf(answer, run) !== undefined) return HOLDS;
      // What it is labelled as does not count: clients that asked for JSON read it as JSON.
      const { events } = readChunks(beginningOf(answer), run.settings.limits.depth);
      const isStream = events.some((one) => one.kind === 'done' || (one.kind === 'chunk' && isObject(chunkValue(one))));
      if (!isStream) return HOLDS;
      const found = { actualType: 'event stream', actual: bodyStart(answer.body) };
      return broken([finding(exchange, { mismatch: 'event-stream', expected: 'one JSON text', ...found })]);
    }),
};
