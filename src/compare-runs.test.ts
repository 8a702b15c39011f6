import { beforeAll, describe, expect, it } from 'vitest';
import { observeExchanges, observeReport } from './compare-runs.ts';
import { drop, isChat, isModels, isPlain, isStream, put, refuseIf, refuseWith } from './gateway/change.ts';
import { type GatewayOptions, startGateway } from './gateway/index.ts';
import type { JsonObject } from './gateway/json.ts';
import type { Modifier } from './gateway/modifier.ts';
import { compareRuns } from './report/comparison/compare.ts';
import type { Change, Comparison } from './report/comparison/comparison.ts';
import type { ObservedRun } from './report/comparison/observed-run.ts';
import { quickSettings } from './real-run.test.kit.ts';
import { gather, judge } from './run.ts';

async function observe(options: GatewayOptions, source: string): Promise<ObservedRun> {
  const gateway = await startGateway({ eventGapMs: 0, ...options });
  try {
    const settings = quickSettings(gateway.baseUrl);
    const gathered = await gather(settings, { full: gateway.keys.full });
    return observeExchanges(judge(gathered, settings), source, gathered.traffic.exchanges);
  } finally {
    await gateway.close();
  }
}

const modifier = (parts: Omit<Modifier, 'title'>): GatewayOptions => ({ modifiers: [{ title: 'of the test', ...parts }] });

/** What a comparison found, as `kind what place`. */
function said({ changes }: Comparison): readonly string[] {
  return [...new Set(changes.map(inShort))].toSorted();
}

function inShort({ kind, what, place }: Change): string {
  return [kind, what, place.pointer ?? place.measure ?? ''].join(' ').trim();
}

interface Pair {
  readonly title: string;
  readonly old?: GatewayOptions;
  readonly new?: GatewayOptions;
  readonly found: readonly string[];
}

const extra = put('/system_fingerprint', 'fp');
const marked = (list: JsonObject): JsonObject => put('/data/2/deprecated', true)(list);
const withoutThird = (list: JsonObject): JsonObject => drop('/data/2')(list);

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
    found: ['breaking field-gone /error/code'],
  },
  {
    title: 'owned_by is gone from the list',
    new: modifier({ list: drop('/data/*/owned_by') }),
    found: ['breaking field-gone /data/*/owned_by'],
  },
  {
    title: 'temperature 2 is refused',
    new: modifier({ only: isChat, refuse: refuseIf(({ body }) => (body as JsonObject)?.['temperature'] === 2) }),
    found: ['breaking answer-lost'],
  },
  {
    title: 'the role system is refused',
    new: modifier({ only: isChat, refuse: refuseIf((call) => JSON.stringify(call.body).includes('"system"')) }),
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
    new: modifier({ only: isModels, list: withoutThird }),
    found: ['warning model-gone /data/*/id'],
  },
  {
    title: 'a model is gone that was marked deprecated',
    old: modifier({ only: isModels, list: marked }),
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
    title: 'replies are slow now',
    new: modifier({ only: isPlain, answer: (reply) => ({ ...reply, latencyMs: 0 }) }),
    found: [],
  },
];

describe('two runs compared', { timeout: 120_000 }, () => {
  let conforming: ObservedRun;
  beforeAll(async () => {
    conforming = await observe({}, 'old');
  });

  it.concurrent.each(PAIRS)('$title', async ({ old, new: now, found }) => {
    const before = old ? await observe(old, 'old') : conforming;
    expect(said(compareRuns(before, await observe(now ?? {}, 'new')))).toEqual(found);
  });
});
