import { oncePer } from '../../once-per.ts';
import { contentTypeFound, readBody, jsonOf, mediaTypeOf, writtenMediaType } from '../reading/answers.ts';
import { allAnswers, type AnswerPlace } from '../reading/answer-places.ts';
import { formFound } from '../reading/body-content.ts';
import { cutByEnd } from '../reading/control.ts';
import { type Check, textOption } from '../check.ts';
import { NOT_200, eachJson, eachExchange } from '../reading/each-exchange.ts';
import { type BriefParts, finding, issueFound, brokenWith } from '../finding.ts';
import { HOLDS, inconclusive, NO_FIELD, noOccasion, skipped } from '../check-result.ts';
import { answerOutcome, isRefusal } from '../reading/outcome.ts';
import { type Exchange, type Answer, findHeader } from '../../exchange/exchange.ts';
import type { Actual } from '../actual.ts';
import { type Chunk, chunkValue, readChunks } from '../../exchange/reading/chunks.ts';
import { hasConflictingMember } from '../../exchange/reading/json-text.ts';
import { quoteText } from '../../text/quote.ts';
import { startsWithByteOrderMark } from '../../exchange/reading/event-stream.ts';
import { isObject } from '../../json.ts';
import { issuesOf } from '../reading/schema-issues.ts';
import { MARK } from './streams/framing.ts';

export const jsonBody: Check = {
  summary: 'The whole body of an answer with status 200 is one JSON text.',
  judgesWholeBodies: 'plain',
  ignoresCutAnswers: true,
  execute: eachExchange((exchange, input) => {
    const outcome = answerOutcome(exchange);
    if (outcome.kind !== 'answered') return inconclusive(NOT_200);
    const reading = readBody(outcome.answer);
    switch (reading.kind) {
      case 'json':
        return HOLDS;
      case 'limit':
        return inconclusive({ kind: 'over-limit', what: 'body', limit: reading.limit });
      case 'aborted':
        return inconclusive({ kind: 'not-read', what: 'body' });
      case 'cut':
      case 'undecodable':
      case 'empty':
      case 'not-json':
      case 'not-utf8': {
        const { kind } = reading;
        const reason = kind === 'cut' && cutByEnd(input.run, exchange);
        if (reason) return inconclusive(reason);
        const actual = kind === 'empty' ? 'empty-body' : formFound(kind, outcome.answer);
        return brokenWith(exchange, { mismatch: kind, expected: 'json', actualType: kind, actual });
      }
    }
  }),
};

const JSON_TYPE = 'application/json';

/** Answers of the contract that are a JSON object or array. Several checks look at them. */
const jsonAnswers = oncePer((exchange: Exchange) => allAnswers([exchange]).filter(isJsonAnswer));

function isJsonAnswer({ exchange: { request }, answer }: AnswerPlace): boolean {
  if (request.endpoint === 'other') return false;
  // Stream clauses cover the Content-Type of a 200 to a streamed request.
  const isSuccess = answer.status === 200 && request.mode === 'plain';
  if (!isSuccess && answer.status < 400) return false;
  const value = jsonOf(answer);
  return typeof value === 'object' && value !== null;
}

/** What is wrong with an answer; undefined if the clause does not cover it. */
type JudgeAnswer = (answer: Answer) => BriefParts | 'right' | undefined;

const NOTHING = skipped('nothing-to-judge');

function eachJsonAnswer(judgeAnswer: JudgeAnswer) {
  return eachExchange((exchange) => {
    const judged = jsonAnswers(exchange).flatMap(({ attempt, answer }) => {
      const found = judgeAnswer(answer);
      return found ? [{ attempt, found }] : [];
    });
    if (judged.length === 0) return NOTHING;
    return judged.flatMap(({ attempt, found }) =>
      found === 'right' ? [] : [finding(exchange, { ...found, attempt })],
    );
  });
}

function wrongLabel(answer: Answer, parts: Pick<BriefParts, 'mismatch' | 'actualType'>): BriefParts {
  const actual = contentTypeFound(findHeader(answer.headers, 'content-type'));
  return { ...parts, expected: { kind: 'media-type', type: JSON_TYPE }, actual };
}

function hasConflict(answer: Answer): boolean {
  const reading = readBody(answer);
  return reading.kind === 'json' && reading.notes.includes('conflicting-member');
}

function isStream({ request }: Exchange, answer: Answer): boolean {
  return request.mode === 'stream' && answer.status === 200 && readChunks(answer).chunks.length > 0;
}

function twoValues(actual: Actual): BriefParts {
  return { mismatch: 'repeated', expected: 'one-value', actualType: 'json', actual };
}

/** A chunk that differs from the one before in its text only has the same members. */
function conflictingChunks(answer: Answer): readonly Chunk[] {
  let isLastFine = false;
  return readChunks(answer).chunks.filter(({ isAlike, data }) => {
    isLastFine = (isAlike === true && isLastFine) || !hasConflictingMember(data);
    return !isLastFine;
  });
}

/** Bytes. Enough to recognise an event stream, which may have a million lines. */
const ENOUGH = 64 * 1024;

function beginningOf(answer: Answer): Answer {
  const { body } = answer;
  if (body.bytes.length <= ENOUGH) return answer;
  const beginning = { ...body, bytes: body.bytes.subarray(0, ENOUGH), reads: [{ at: 0, bytes: ENOUGH }] };
  return { ...answer, body: beginning };
}

export const schema: Check = {
  summary: 'The body of a 200 matches the part of the schema that belongs to the clause.',
  options: { schema: { type: 'string', minLength: 1 } },
  requires: ['schema'],
  execute: eachJson((value, exchange, { body }, input) => {
    const name = textOption(input.options, 'schema');
    // The schema names a clause for each of its parts.
    // If the parent is absent or has the wrong type, only the parent has an issue.
    const own = issuesOf(input.run, name, body, value).filter(({ clause }) => clause === input.clause);
    if (own.length > 0) return own.map((issue) => issueFound(exchange, issue));
    return input.run.contract.couldBreak(name, input.clause, value) ? HOLDS : NO_FIELD;
  }),
};

export const BODY_CHECKS = {
  'json-body': jsonBody,
  schema,
  'not-event-stream': {
    summary: 'Without stream true, the reply is not an event stream.',
    options: { mayBeRefused: { type: 'boolean', default: false } },
    isIndependentOfEdits: true,
    execute: eachExchange((exchange, input) => {
      const outcome = answerOutcome(exchange);
      if (input.options['mayBeRefused'] === true && isRefusal(exchange)) return noOccasion('legal-refusal');
      if (outcome.kind !== 'answered')
        return input.options['mayBeRefused'] === true ? skipped(NOT_200) : inconclusive(NOT_200);
      const { answer } = outcome;
      if (jsonOf(answer) !== undefined) return HOLDS;
      // Content-Type does not matter: clients that asked for JSON parse it as JSON.
      const { events } = readChunks(beginningOf(answer));
      const isStream = events.some(
        (event) => event.kind === 'done' || (event.kind === 'chunk' && isObject(chunkValue(event))),
      );
      if (!isStream) return HOLDS;
      const actual = formFound('event-stream', answer);
      return brokenWith(exchange, { mismatch: 'event-stream', expected: 'json', actualType: 'event-stream', actual });
    }),
  },
  'json-labelled': {
    summary: 'Every JSON answer has the content type application/json.',
    execute: eachJsonAnswer((answer) => {
      const type = mediaTypeOf(answer);
      if (type === JSON_TYPE) return 'right';
      const actualType = type === undefined ? 'absent' : 'other-media-type';
      return wrongLabel(answer, { mismatch: 'content-type', actualType });
    }),
  },
  /** Part 1: a stock client compares the media type letter by letter. Another type is wire.json-labelled. */
  'json-label-case': {
    summary: 'The content type application/json is in lower case.',
    execute: eachJsonAnswer((answer) => {
      if (mediaTypeOf(answer) !== JSON_TYPE) return undefined;
      if (writtenMediaType(answer) === JSON_TYPE) return 'right';
      return wrongLabel(answer, { mismatch: 'case', actualType: 'capitals' });
    }),
  },
  /** Part 1: clients differ in whether they read the first or the last of two members with one name. */
  'json-members-once': {
    summary: 'No object of a JSON answer or of a chunk has a member twice with different values.',
    execute: eachExchange((exchange) => {
      const bodies = jsonAnswers(exchange);
      const streams = allAnswers([exchange]).filter(({ answer }) => isStream(exchange, answer));
      if (bodies.length + streams.length === 0) return NOTHING;
      const conflicts = bodies.filter(({ answer }) => hasConflict(answer));
      return [
        ...conflicts.map(({ attempt, answer }) =>
          finding(exchange, { ...twoValues(formFound('json', answer)), attempt }),
        ),
        ...streams.flatMap(({ attempt, answer }) =>
          conflictingChunks(answer).map(({ index, data }) => {
            const parts = twoValues({ kind: 'text', text: quoteText(data) });
            return finding(exchange, { ...parts, pointer: `/${index}`, attempt });
          }),
        ),
      ];
    }),
  },
  /** Part 1: a stock client does not parse such JSON, and RFC 8259, section 8.1 does not allow sending it. */
  'json-byte-order-mark': {
    summary: 'No JSON answer starts with a byte order mark.',
    execute: eachJsonAnswer(({ body }) => (startsWithByteOrderMark(body.bytes) ? MARK : 'right')),
  },
} satisfies Record<string, Check>;
