/** What the contract leaves open: leaving clients, retries, added headers, fields and time. */
import type { Header } from '../../../exchange/exchange.ts';
import { lastAnswer } from '../../../exchange/reading/answered.ts';
import { chunkValue, readChunks } from '../../../exchange/reading/chunks.ts';
import { isStandardHeader } from '../../../exchange/reading/standard-headers.ts';
import { median } from '../../../exchange/reading/looks-fake.ts';
import { isObject, type Json, memberOf } from '../../../json.ts';
import { quoteText } from '../../../text/quote.ts';
import { observed, noOccasion, seeOtherClause } from '../../../verdict/check-result.ts';
import { fieldItem, type ObservedItem, seenValues } from '../../../verdict/observation.ts';
import { itemsOf, jsonOf } from '../../../verdict/reading/answers.ts';
import { eachAsked, UNJUDGED, type RelayCheck, relayCheck } from './relay-check.ts';
import { isFailover } from '../read-relay-suite.ts';
import { type Asked, sourceOf } from './both-ends.ts';

function newNames(before: readonly Header[], after: readonly Header[]): readonly string[] {
  const known = new Set(before.map(([name]) => name.toLowerCase()));
  return after.map(([name]) => name.toLowerCase()).filter((name) => !known.has(name));
}

function nameItem(name: string): ObservedItem {
  return isStandardHeader(name) ? { kind: 'standard', value: name } : quoteText(name);
}

function timesOf(asked: Asked): { readonly before: number; readonly after: number } | undefined {
  const [call] = asked.calls;
  const answer = lastAnswer(asked.front);
  if (!call || call.endedAt === undefined || !answer || asked.calls.length > 1) return undefined;
  return { before: call.arrivedAt - asked.sentAt, after: asked.sentAt + answer.endAt - call.endedAt };
}

const UNKNOWN_FIELD = 'x_new';

/** The objects of a reply that have the unknown field. */
function placesOf(value: Json | undefined): readonly ObservedItem[] {
  const choice = itemsOf(memberOf(value, 'choices'))[0];
  const objects = {
    reply: value,
    choice,
    message: memberOf(choice, 'message') ?? memberOf(choice, 'delta'),
    usage: memberOf(value, 'usage'),
  };
  return Object.entries(objects)
    .filter(([, object]) => isObject(object) && Object.hasOwn(object, UNKNOWN_FIELD))
    .map(([place]) => fieldItem(place, UNKNOWN_FIELD));
}

export const SEEN_RELAY_CHECKS = {
  'answer-fields': eachAsked('Unknown fields of an answer that reach the client.', ({ front, reading }) => {
    const { answer, kind } = reading;
    if (!answer || kind !== 'reply') return seeOtherClause('not-understood', 'relay.understood');
    const isStream = front.request.mode === 'stream';
    const values = isStream ? readChunks(answer).chunks.map(chunkValue) : [jsonOf(answer)];
    const places = seenValues(values.flatMap(placesOf));
    return observed([{ name: 'answer-fields-passed', value: places.length === 0 ? 'none' : places }]);
  }),
  leaving: eachAsked(
    'How soon the upstream call ends when the client leaves.',
    ({ calls, reading, endedAt: leftAt }, { case: { mode } }) => {
      const call = calls.at(-1);
      if (mode === 'stream' && call?.exchange.request.mode === 'plain') return noOccasion('plain-upstream-call');
      if (!call || reading.kind !== 'waiting') return UNJUDGED;
      const name = `${mode === 'stream' ? 'stream' : 'call'}-left` as const;
      if (call.reading.kind === 'reply') return observed([{ name, value: 'ran-to-end' }]);
      if (!call.wasLeft || call.endedAt === undefined) return observed([{ name, value: 'still-open' }]);
      return observed([{ name, value: { kind: 'stopped', after: Math.max(0, Math.round(call.endedAt - leftAt)) } }]);
    },
  ),
  calls: relayCheck('Upstream calls for each call of the client.', (_evidence, { cases }) => {
    const counted = cases
      .filter(({ case: testCase }) => testCase.calls === 'one' && !isFailover(testCase))
      .flatMap(({ case: { id }, asked }) => asked.map(({ calls }) => ({ id, count: calls.length })));
    if (counted.length === 0) return UNJUDGED;
    const several = counted.filter(({ count }) => count > 1);
    const items = several.map(({ id, count }) => ({ kind: 'calls', case: id, count }) as const);
    return observed([{ name: 'several-calls', value: items.length === 0 ? 'none' : items }]);
  }),
  'added-headers': relayCheck('Headers that a gateway adds to requests and answers.', (_evidence, { asked }) => {
    const pairs = asked.flatMap((question) => {
      const call = sourceOf(question);
      return call ? [{ front: question.front, call }] : [];
    });
    if (pairs.length === 0) return UNJUDGED;
    const toUpstream = pairs.flatMap(({ front, call }) =>
      newNames(front.request.headers, call.exchange.request.headers),
    );
    const toClient = pairs.flatMap(({ front, call }) =>
      newNames(call.reading.answer?.headers ?? [], lastAnswer(front)?.headers ?? []),
    );
    return observed([
      { name: 'request-headers-added', value: seenValues(toUpstream.map(nameItem)) },
      { name: 'answer-headers-added', value: seenValues(toClient.map(nameItem)) },
    ]);
  }),
  'added-time': relayCheck('Time that a gateway adds before and after the upstream call.', (_evidence, { cases }) => {
    const times = cases
      .filter(({ case: { suite, mode, script } }) => suite === 'answers' && mode === 'plain' && script.delay === 0)
      .flatMap(({ asked }) => asked.flatMap((question) => timesOf(question) ?? []));
    if (times.length === 0) return UNJUDGED;
    const usual = (values: readonly number[]): number => Math.max(0, Math.round(median(values)));
    return observed([
      { name: 'time-before-call', value: usual(times.map(({ before }) => before)) },
      { name: 'time-after-call', value: usual(times.map(({ after }) => after)) },
    ]);
  }),
} satisfies Record<string, RelayCheck>;
