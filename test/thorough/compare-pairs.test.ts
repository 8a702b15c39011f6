import { beforeAll, describe, expect, it } from 'vitest';
import { modifier, observe, said } from '../kit/compare-runs.ts';
import { alter, drop, put } from '../../src/gateway/change.ts';
import {
  cutBody,
  letPass,
  onErrors,
  refuseIf,
  refuseWith,
  replaceBody,
  setHeader,
} from '../../src/gateway/change-answer.ts';
import { isChat, isModels, isPlain, isStream } from '../../src/gateway/call-tests.ts';
import type { GatewayOptions } from '../../src/gateway/index.ts';
import type { JsonObject } from '../../src/gateway/json.ts';
import type { Modifier } from '../../src/gateway/modifier.ts';
import { compareRuns } from '../../src/report/comparison/compare.ts';
import type { ObservedRun } from '../../src/report/comparison/observed-run.ts';

interface Pair {
  readonly title: string;
  readonly old?: GatewayOptions;
  readonly new?: GatewayOptions;
  readonly found: readonly string[];
}

const extra = put('/system_fingerprint', 'fp');
const withoutSecond = (list: JsonObject): JsonObject => drop('/data/1')(list);
/** The one that is marked deprecated. */
const withoutThird = (list: JsonObject): JsonObject => drop('/data/2')(list);
const isBody = (test: (body: string) => boolean): NonNullable<Modifier['refuse']> =>
  refuseIf(({ text = '' }) => test(text));

const PAIRS: readonly Pair[] = [
  { title: 'the same gateway twice', found: [] },
  {
    title: 'usage is gone from replies',
    new: modifier({ completion: drop('/usage') }),
    found: ['breaking field-gone /usage'],
  },
  {
    title: 'created is a string now',
    new: modifier({ completion: put('/created', 'today') }),
    found: ['breaking field-type /created'],
  },
  {
    title: 'error.code is gone',
    new: modifier({ error: drop('/error/code') }),
    // The warning is on the kinds of refusal of which there were fewer than three.
    found: ['breaking field-gone /error/code', 'warning field-gone /error/code'],
  },
  {
    title: 'owned_by is gone from the list',
    new: modifier({ list: drop('/data/*/owned_by') }),
    found: ['breaking field-gone /data/*/owned_by'],
  },
  {
    title: 'temperature 2 is refused',
    new: modifier({ only: isChat, refuse: refuseIf(({ body }) => body['temperature'] === 2) }),
    found: ['breaking answer-lost'],
  },
  {
    title: 'the role system is refused',
    new: modifier({ only: isChat, refuse: isBody((body) => body.includes('"role":"system"')) }),
    found: ['breaking answer-lost'],
  },
  {
    title: 'a stream is one JSON body now',
    new: modifier({ only: isStream, streams: () => false }),
    found: ['breaking stream-lost'],
  },
  {
    title: 'a field of no table is gone',
    old: modifier({ completion: extra }),
    found: ['warning field-gone /system_fingerprint'],
  },
  {
    title: 'a field of no table is new',
    new: modifier({ completion: extra }),
    found: ['additive field-new /system_fingerprint'],
  },
  {
    title: 'refusals come as 422 now',
    new: modifier({ only: isPlain, refusal: refuseWith(422, 'max-tokens-range') }),
    found: ['warning refusal-status'],
  },
  {
    title: 'a model is gone without a mark',
    new: modifier({ only: isModels, list: withoutSecond }),
    found: ['warning model-gone /data/*/id'],
  },
  {
    title: 'a model is gone that was marked deprecated',
    new: modifier({ only: isModels, list: withoutThird }),
    found: [],
  },
  {
    title: 'a model is new',
    old: modifier({ only: isModels, list: withoutThird }),
    found: ['additive model-new /data/*/id'],
  },
  {
    title: 'streams have no end marker any more',
    new: modifier({ events: (events) => events.filter(({ bytes }) => !String(bytes).includes('[DONE]')) }),
    found: ['warning end-marker-lost'],
  },
  {
    title: 'a finish reason is new',
    new: modifier({ completion: put('/choices/*/finish_reason', 'wind') }),
    found: ['additive value-new /choices/*/finish_reason'],
  },
  {
    title: 'null is refused where it was taken',
    old: modifier({
      only: isPlain,
      refusal: letPass('temperature-type', 'max-tokens-type', 'top-p-type', 'stream-type'),
    }),
    new: modifier({ only: isPlain, refuse: isBody((body) => body.includes('null')) }),
    found: ['warning acceptance-lost'],
  },
  {
    title: 'a temperature out of range is refused, as it should have been before',
    old: modifier({ only: isPlain, refusal: letPass('temperature-range') }),
    found: [],
  },
  {
    title: 'unknown fields are refused where they were ignored',
    new: modifier({ only: isChat, refuse: isBody((body) => body.includes('wirecheck_unknown')) }),
    found: ['warning answer-lost'],
  },
  {
    title: 'another code for the same refusal',
    new: modifier({ error: alter('/error/code', (code) => (code === 'invalid_api_key' ? 'bad_key' : code)) }),
    found: ['warning refusal-code'],
  },
  {
    title: 'error bodies are pages now',
    new: modifier({ answer: onErrors(replaceBody('text/html', '<h1>Error</h1>')) }),
    // With one answer of its kind, as a 404 has here, it is a warning.
    found: ['breaking body-type', 'warning body-type'],
  },
  {
    title: 'a field of the contract is gone from answers of which the older run had fewer than three',
    new: modifier({ error: (body, { status }) => (status === 404 ? drop('/error/code')(body) : body) }),
    found: ['warning field-gone /error/code'],
  },
  {
    title: 'a field of the contract is null now',
    new: modifier({ completion: put('/usage', null) }),
    found: ['breaking field-type /usage'],
  },
  {
    title: 'a field of the contract is null intermittently',
    new: modifier({
      completion: (value, { body }) => (body['temperature'] === undefined ? value : put('/usage', null)(value)),
    }),
    found: ['breaking clause-broken /usage'],
  },
  {
    title: 'the role of a reply is gone',
    new: modifier({ completion: drop('/choices/*/message/role') }),
    found: ['breaking field-gone /choices/*/message/role'],
  },
  {
    title: 'an error type is new',
    new: modifier({ error: alter('/error/type', (type) => (type === 'authentication_error' ? 'auth_error' : type)) }),
    found: ['additive value-new /error/type'],
  },
  {
    title: 'a field of no table has another type',
    old: modifier({ completion: put('/took', 1) }),
    new: modifier({ completion: put('/took', 'long') }),
    found: ['warning field-type /took'],
  },
  {
    title: 'streams are refused',
    new: modifier({ only: isStream, refuse: refuseIf(() => true) }),
    found: ['breaking answer-lost'],
  },
  {
    title: 'what was refused is answered',
    new: modifier({ only: isPlain, refusal: letPass('temperature-range') }),
    found: ['breaking clause-broken'],
  },
  {
    title: 'the kind marker of a completion is another one',
    new: modifier({ completion: put('/object', 'completion') }),
    found: ['breaking clause-broken /object'],
  },
  {
    title: 'the kind marker of a completion is a number',
    new: modifier({ completion: put('/object', 1) }),
    found: ['breaking field-type /object'],
  },
  {
    title: 'the kind marker of chunks is another one',
    new: modifier({ chunk: put('/object', 'chunk') }),
    found: ['warning clause-broken /object'],
  },
  {
    title: 'replies come from a role that the contract does not know',
    new: modifier({ completion: put('/choices/*/message/role', 'robot') }),
    found: ['breaking clause-broken /choices/*/message/role'],
  },
  {
    title: 'replies come from the user',
    new: modifier({ completion: put('/choices/*/message/role', 'user') }),
    found: ['warning clause-broken /choices/*/message/role'],
  },
  {
    title: 'plain answers are labelled as something else',
    new: modifier({ only: isPlain, answer: setHeader('content-type', 'text/plain') }),
    found: ['warning clause-broken'],
  },
  {
    title: 'bodies are cut, and stay so',
    new: modifier({ only: isPlain, answer: cutBody }),
    found: ['breaking clause-broken'],
  },
  {
    title: 'every chat request gets a 503, however often it is sent',
    new: { fault: 'error-every-chat-503' },
    found: ['additive value-new /error/type', 'breaking answer-lost', 'breaking clause-broken'],
  },
  {
    title: 'an out-of-range value is a server error now',
    new: { fault: 'param-temperature-out-of-range-502' },
    found: ['additive value-new /error/type', 'breaking clause-broken'],
  },
  {
    title: 'streams break off, and stay so',
    new: { fault: 'stream-cut' },
    found: ['breaking clause-broken'],
  },
  {
    title: 'streams never say why they end, so that the rest about their end cannot be told',
    new: { fault: 'stream-finish-missing' },
    found: ['warning clause-broken'],
  },
  {
    title: 'a key that nobody knows is accepted',
    new: { fault: 'auth-prefix-is-enough' },
    found: ['breaking clause-broken'],
  },
  {
    title: 'what is broken was broken before',
    old: modifier({ completion: put('/object', 'completion') }),
    new: modifier({ completion: put('/object', 'text') }),
    found: [],
  },
  {
    title: 'what was broken is kept',
    old: modifier({ completion: put('/object', 'completion') }),
    found: [],
  },
  {
    title: 'a field of chunks is gone',
    new: modifier({ chunk: drop('/created') }),
    found: ['warning field-gone /created'],
  },
  {
    title: 'a field is a number where it was an integer, outside the contract',
    old: modifier({ completion: put('/took', 1) }),
    new: modifier({ completion: put('/took', 1.5) }),
    found: [],
  },
];

let conforming: ObservedRun;
beforeAll(async () => {
  conforming = await observe({}, 'old');
});

describe('a pair of gateways', { timeout: 120_000 }, () => {
  it.concurrent.each(PAIRS)('$title', async ({ old, new: now, found }) => {
    const before = old ? await observe(old, 'old') : conforming;
    expect(said(compareRuns(before, await observe(now ?? {}, 'new')))).toEqual(found);
  });
});
