import { bodyStart, readBody, headerOf, jsonOf, mediaTypeOf } from '../reading/body-reading.ts';
import type { Check } from '../check.ts';
import { NOT_200, eachJson } from '../reading/completion.ts';
import { eachExchange } from '../reading/each-exchange.ts';
import { HOLDS, broken, finding, inconclusive, cutText, fold, judged, skipped } from '../finding.ts';
import { outcomeOf } from '../reading/outcome.ts';
import type { Attempt, Exchange, Answer } from '../../exchange/exchange.ts';
import type { Finding } from '../verdict.ts';
import { chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import { isObject } from '../../json.ts';
import { textOption } from '../options.ts';
import { issuesOf } from '../reading/schema-issues.ts';

export const jsonBody: Check = {
  summary: 'The whole body of an answer with status 200 is one JSON text.',
  execute: (input) =>
    eachExchange(input, (exchange) => {
      const outcome = outcomeOf(exchange);
      if (outcome.kind !== 'answered') return inconclusive(NOT_200);
      const reading = readBody(outcome.answer);
      switch (reading.kind) {
        case 'json':
          return HOLDS;
        case 'limit':
          return inconclusive(`the body went beyond the limit set by ${reading.limit}`);
        case 'aborted':
          return inconclusive(`the body was not read to its end: ${reading.why}`);
        case 'cut':
        case 'undecodable':
        case 'empty':
        case 'not-json':
        case 'not-utf8': {
          const start = bodyStart(outcome.answer.body);
          const actual = reading.kind === 'empty' ? 'an empty body' : start;
          const whole = { expected: 'one JSON text', actualType: reading.kind, actual };
          return broken([finding(exchange, { mismatch: reading.kind, ...whole })]);
        }
      }
    }),
};

/** Nothing for an answer that the clause does not speak of; otherwise what is wrong with it, if anything. */
function judgeLabel(exchange: Exchange, { outcome }: Attempt, attempt: number): readonly Finding[] | undefined {
  if (outcome.kind === 'none' || exchange.request.endpoint === 'other') return undefined;
  const { answer } = outcome;
  // A 200 to a streamed request has a label of its own, and clauses of its own.
  const isSuccess = answer.status === 200 && exchange.request.mode === 'plain';
  if (!isSuccess && answer.status < 400) return undefined;
  const value = jsonOf(answer);
  if (typeof value !== 'object' || value === null) return undefined;
  if (mediaTypeOf(answer) === 'application/json') return [];
  const label = headerOf(answer, 'content-type');
  const found = {
    actualType: label === undefined ? 'absent' : 'another type',
    actual: cutText(label ?? 'no Content-Type'),
  };
  return [finding(exchange, { mismatch: 'content-type', expected: 'application/json', attempt, ...found })];
}

export const jsonLabelled: Check = {
  summary: 'Every JSON answer is labelled application/json.',
  execute: ({ exchanges }) => {
    const labels = exchanges.flatMap((exchange) =>
      exchange.attempts.flatMap((attempt, index) => {
        const findings = judgeLabel(exchange, attempt, index);
        return findings ? [findings] : [];
      }),
    );
    return labels.length === 0 ? skipped('no answer was JSON') : judged(fold(labels.flat(), exchanges));
  },
};

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
      const outcome = outcomeOf(exchange);
      if (outcome.kind !== 'answered') return inconclusive(NOT_200);
      const { answer } = outcome;
      if (jsonOf(answer) !== undefined) return HOLDS;
      // What it is labelled as does not count: clients that asked for JSON read it as JSON.
      const { events } = readChunks(beginningOf(answer));
      const isStream = events.some((one) => one.kind === 'done' || (one.kind === 'chunk' && isObject(chunkValue(one))));
      if (!isStream) return HOLDS;
      const found = { actualType: 'event stream', actual: bodyStart(answer.body) };
      return broken([finding(exchange, { mismatch: 'event-stream', expected: 'one JSON text', ...found })]);
    }),
};

export const schema: Check = {
  summary: 'The body of an answer with status 200 fits the part of the named schema that the clause speaks of.',
  options: { schema: { type: 'string', minLength: 1 } },
  execute: (input) =>
    eachJson(input, (value, exchange, { body }) => {
      const issues = issuesOf(input.run, textOption(input.options, 'schema'), body, value);
      // A part whose parent is absent or mistyped has no issue of its own: that one is the parent's.
      const own = issues.filter(({ clause }) => clause === input.clause);
      return judged(own.map((issue) => finding(exchange, issue)));
    }),
};
