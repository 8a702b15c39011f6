/** Imports a HAR file of a browser, a proxy or Postman: every exchange with the two endpoints. */
import { CONTROL_STEP, LIST_STEP } from '../../plan/plan.ts';
import { type Notice, type NoticeOf, UNUSABLE, type Unusable } from '../../exchange/notice.ts';
import { wasAnswered } from '../../exchange/reading/answered.ts';
import { createRedactor } from '../../exchange/secrets/redaction.ts';
import { loadContract } from '../../contract/load-contract.ts';
import { packageVersion } from '../../contract/package-files.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';
import { readEntries } from './har-entries.ts';
import { type EntryReader, toExchange } from './har-exchange.ts';
import { credentialsIn, readEntry } from './har-reading.ts';
import { HarSecrets } from './har-secrets.ts';
import type { RecordedItem, RecordedRun } from '../recording.ts';

interface HarSurvey {
  readonly baseUrl: string;
  readonly secrets: HarSecrets;
  readonly calls: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly notices: readonly Notice[];
}

/** `shown` is the path as the user wrote it. */
export async function openHar(path: string, shown = path): Promise<RecordedRun> {
  const survey = await surveyHar(path, shown);
  const { baseUrl, startedAt, endedAt, notices, secrets, calls } = survey;
  const settings: Settings = { ...DEFAULT_SETTINGS, baseUrl };
  const { replyTokens, streamTokens } = settings;
  return {
    start: {
      tool: { name: 'wirecheck', version: packageVersion() },
      // The current one, since nothing was planned.
      contractHash: loadContract().hash,
      suiteHashes: {},
      settings,
      keys: secrets.keys,
      steps: {},
      startedAt,
    },
    items: () => importEntries(path, shown, survey, settings),
    end: () => ({
      bindings: { sample: [], replyTokens, streamTokens, briefTokens: 1, withoutMaxTokens: false },
      ending: { kind: 'complete' },
      used: { requests: calls, completions: 0, tokens: 0 },
      notices: [],
      startedAt,
      endedAt,
    }),
    notices: () => notices,
  };
}

/** Reads the whole file once, to find its most frequent base URL and its secrets. */
async function surveyHar(path: string, shown: string): Promise<HarSurvey> {
  const secrets = new HarSecrets();
  const bases = new Map<
    string,
    { calls: number; readonly unusable: Map<Unusable, number>; from: number; to: number }
  >();
  let others = 0;
  let entries = 0;
  for await (const value of readEntries(path, shown)) {
    entries += 1;
    secrets.add(credentialsIn(value));
    const reading = readEntry(value);
    if (reading.kind === 'other') {
      others += 1;
      continue;
    }
    const baseUrl = reading.kind === 'call' ? reading.call.baseUrl : reading.baseUrl;
    const base = bases.get(baseUrl) ?? { calls: 0, unusable: new Map<Unusable, number>(), from: Infinity, to: 0 };
    bases.set(baseUrl, base);
    if (reading.kind === 'unusable') {
      base.unusable.set(reading.why, (base.unusable.get(reading.why) ?? 0) + 1);
      continue;
    }
    const { call } = reading;
    secrets.addKey(call);
    base.calls += 1;
    base.from = Math.min(base.from, call.startedAt);
    base.to = Math.max(base.to, call.startedAt + call.endAt);
  }
  const [first, ...rest] = [...bases].toSorted(([, a], [, b]) => b.calls - a.calls);
  if (!first) {
    throw new UsageError(
      `${shown} has no exchange with this API: none of its ${entries} entries is a GET …/models or a POST …/chat/completions. Pass another file.`,
      { code: 'FILE_INVALID' },
    );
  }
  const [baseUrl, { calls, unusable, from, to }] = first;
  if (calls === 0)
    throw new UsageError(
      `${shown} has nothing to judge: of its exchanges with ${baseUrl}, ${[...unusable].map(([why, number]) => `${number} ${UNUSABLE[why]}`).join(', ')}. Export it with bodies.`,
      { code: 'FILE_INVALID' },
    );
  return {
    baseUrl,
    secrets,
    calls,
    startedAt: from,
    endedAt: to,
    notices: [
      { kind: 'har', file: shown, judged: calls, entries, baseUrl },
      ...(others > 0 ? [{ kind: 'har-other-apis', entries: others } as const] : []),
      ...rest.map(([other, base]) => ({ kind: 'har-other-base', exchanges: base.calls, baseUrl: other }) as const),
      ...(unusable.size > 0 ? [{ kind: 'har-unusable', exchanges: countUnusable(unusable) } as const] : []),
    ],
  };
}

function countUnusable(unusable: ReadonlyMap<Unusable, number>): NoticeOf<'har-unusable'>['exchanges'] {
  return [...unusable].map(([why, count]) => ({ why, count }));
}

async function* importEntries(
  path: string,
  shown: string,
  survey: HarSurvey,
  settings: Settings,
): AsyncGenerator<RecordedItem> {
  const reader: EntryReader = {
    survey,
    redactor: createRedactor(survey.secrets.secrets),
    maxDepth: settings.limits.depth,
  };
  const taken = new Set<string>();
  let number = 0;
  for await (const value of readEntries(path, shown)) {
    number += 1;
    const reading = readEntry(value);
    if (reading.kind !== 'call' || reading.call.baseUrl !== survey.baseUrl) continue;
    const exchange = toExchange(reading.call, `entry-${number}`, reader);
    // The first answered list and completion serve as the controls.
    const step = exchange.request.endpoint === 'models' ? LIST_STEP : CONTROL_STEP;
    const isValid = exchange.seeks === 'answer';
    const isControl = !taken.has(step) && isValid && exchange.request.mode === 'plain' && wasAnswered(exchange);
    if (isControl) taken.add(step);
    const { name: _, ...own } = exchange;
    yield { kind: 'exchange', exchange: isControl ? { ...own, id: step, step } : exchange, again: false };
  }
}
