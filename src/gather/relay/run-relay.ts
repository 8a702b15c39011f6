/** The whole flow with both ends: cases → upstream → model that reaches it → asking → report. */
import type { Channel } from '../../exchange/channel/channel.ts';
import { endWithoutUpstream, LIST_REQUEST, modelsToTry } from '../../exchange/channel/first-contact.ts';
import type { Hooks } from '../../exchange/channel/hooks.ts';
import type { Ending } from '../../exchange/ending.ts';
import { findSilence, type Silence } from '../../exchange/ending-unanswered.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { withLimit } from '../../exchange/explain-ending.ts';
import { lastFailure } from '../../exchange/reading/answered.ts';
import { createVault, type Vault } from '../../exchange/secrets/vault.ts';
import type { CheckedRelay, RelayTraffic } from '../../exchange/traffic.ts';
import type { Excuses } from '../../report/excuses/apply-excuses.ts';
import type { Report } from '../../report/report.ts';
import { UPSTREAM_MODEL } from '../../scripted/scripted-server.ts';
import type { Keys, Settings } from '../../settings.ts';
import { usageError } from '../../usage-error.ts';
import { QuestionAsker, findStop, openFront } from './ask/ask-question.ts';
import { CaseWalk } from './ask/walk-cases.ts';
import { type RelayCase, chosenCases, playableCases } from './read-relay-suite.ts';
import { namedModels } from './named-models.ts';
import { reportOnRelay } from './report-on-relay.ts';
import { startUpstream, type Upstream } from './upstream.ts';

export interface RelayHooks extends Hooks {
  readonly excuses?: Excuses;
  /** Called with everything that the report is made of. */
  readonly onGathered?: (checked: CheckedRelay) => void;
}

/** An upstream that listens, and the secrets of the run that it belongs to. */
export interface RelayUpstream {
  readonly upstream: Upstream;
  readonly vault: Vault;
}

/** Milliseconds after which the upstream of a patient run closes idle connections, as common servers do. */
const IDLE = 5_000;

/** Start it before the gateway needs it. `runRelay` closes it. */
export async function startRelayUpstream(settings: Settings, keys: Keys, port?: number): Promise<RelayUpstream> {
  const { upstreamPort, upstreamHost, pace = 1, fallbackPort, fallbackModel: model = UPSTREAM_MODEL } = settings.relay;
  const names = namedModels(settings).flatMap(({ front, upstream = front }) => [front, upstream]);
  const vault = createVault(settings, keys, [UPSTREAM_MODEL, model, ...names]);
  const upstream = await startUpstream({
    host: upstreamHost,
    port: port ?? upstreamPort ?? 0,
    vault,
    ...(settings.patient && { idleMs: IDLE * pace }),
    ...(fallbackPort !== undefined && { fallback: { port: fallbackPort, model } }),
  });
  return { upstream, vault };
}

/** Judges the gateway at the base URL, which calls this upstream. */
export async function runRelay(
  settings: Settings,
  keys: Keys,
  started: RelayUpstream,
  hooks: RelayHooks = {},
): Promise<Report> {
  const { upstream } = started;
  if (chosenCases(settings).length === 0)
    throw usageError.NO_CASES('No cases selected: --only and --skip exclude all of them.');
  try {
    const traffic = await gatherBothEnds(settings, keys, { ...started, ...hooks });
    const { url: upstreamUrl, fallbackUrl } = upstream;
    const urls = { upstreamUrl, ...(fallbackUrl !== undefined && { fallbackUrl }) };
    const checked = { settings, hasSecondKey: keys.second !== undefined, ...urls, traffic };
    hooks.onGathered?.(checked);
    return reportOnRelay(checked, hooks.excuses);
  } finally {
    await upstream.close();
  }
}

// Gathers both ends of a run: finds the model that reaches the upstream, asks all cases, and records how it ended.

const LIST_ID = 'models';
/** Times that the first control is asked if the gateway calls its upstream but gives no reply. */
const FIRST_TRIES = 3;

async function gatherBothEnds(settings: Settings, keys: Keys, given: RelayUpstream & Hooks): Promise<RelayTraffic> {
  const { upstream, vault, ...hooks } = given;
  const cases = chosenCases(settings);
  const front = openFront({ settings, keys, hooks, wire: { redactor: vault.redactor } });
  const { ledger, began, startedAt } = front;
  const asker = new QuestionAsker(settings, front, upstream, hooks);
  const hasSecondKey = keys.second !== undefined;
  const askable = playableCases(settings, hasSecondKey);
  let casesDone = 0;
  const walk = new CaseWalk(asker, () => {
    casesDone += 1;
    const { requests, completions } = ledger.used;
    const elapsed = performance.now() - began;
    hooks.onProgress?.({ casesDone, cases: askable.length, requests, completions, elapsed });
  });
  let isReached = false;
  try {
    await front.awaitTarget(LIST_REQUEST);
    isReached = await reachUpstream(await findModels(front, settings), asker);
    if (isReached) {
      // Only now the gateway's key is known. An answer from before may show it, and nobody would have redacted it.
      await askList(front);
      await asker.askUntilThrough('stream', FIRST_TRIES);
      await walk.run(askable);
    } else if (front.exchanges.some(({ request }) => request.endpoint === 'chat') && !hooks.signal?.aborted) {
      // A list that is not answered says nothing about the upstream.
      front.end(endingOf(asker.lastControl?.front, asker));
    }
  } finally {
    await front.close();
  }
  return {
    cases: cases.map((testCase) => walk.evidenceOf(testCase)),
    front: front.exchanges,
    upstream: upstream.exchanges(began),
    otherRequests: upstream.otherRequests(began),
    overflow: upstream.overflow,
    ending: withLimit(explainSilence(front, upstream, cases), settings),
    ...(isReached && { model: asker.model }),
    used: ledger.used,
    notices: front.notices,
    knowsUpstreamKey: vault.hasLearned,
    startedAt,
    endedAt: Date.now(),
  };
}

function askList(front: Channel): Promise<Exchange | undefined> {
  return front.ask({ id: LIST_ID, step: LIST_ID, seeks: 'any', request: LIST_REQUEST, isWhole: true });
}

/** Those to try: the one that the user names, the first listed ones, or without a list one that any gateway may forward. */
async function findModels(front: Channel, settings: Settings): Promise<readonly string[]> {
  const given = namedModels(settings)[0]?.front;
  const list = given === undefined ? await askList(front) : undefined;
  const failure = list && lastFailure(list);
  if (failure && ['refused', 'unresolved', 'tls'].includes(failure.kind)) front.end({ kind: 'unreachable', failure });
  return modelsToTry(list, { given, unlisted: UPSTREAM_MODEL });
}

/** Tries one model after another until a call arrives at the upstream. */
async function reachUpstream(models: readonly string[], asker: QuestionAsker): Promise<boolean> {
  for (const model of models) {
    asker.model = model;
    const asked = await asker.control('plain');
    if (!asked || asker.front.ending) return false;
    if (asked.calls.length === 0) continue;
    await asker.askUntilThrough('plain', FIRST_TRIES - 1);
    return true;
  }
  return false;
}

function endingOf(control: Exchange | undefined, { model, upstream }: QuestionAsker): Ending {
  const failure = control && lastFailure(control);
  // A gateway that accepts a call and then is silent may wait for an upstream at another address.
  const isWaiting = failure?.kind === 'aborted' || (failure?.kind === 'timeout' && failure.limit !== 'connect-timeout');
  if (failure && !isWaiting) return { kind: 'unreachable', failure };
  const others = upstream.otherRequests(0).first.map(({ method, path }) => `${method} ${path}`);
  const ending = endWithoutUpstream(control, { upstream: upstream.url, model, others });
  const { answer } = ending;
  return answer?.status === 401 ? { kind: 'key-refused', status: 401, answer } : ending;
}

/** A gateway whose calls the upstream refuses cannot answer either. */
function explainSilence(front: Channel, { overflow }: Upstream, cases: readonly RelayCase[]): Ending {
  const { conclusion: ending, exchanges } = front;
  if (ending.kind === 'interrupted' || ending.kind === 'budget') return { ...ending, ...silenceOf(exchanges) };
  if (ending.kind !== 'not-recovered') return ending;
  if (overflow > 0) return { ...ending, isUpstreamFull: true };
  const { isRefused, status } = ending;
  if (!isRefused && status === undefined) return ending;
  const ids = cases.map(({ id }) => id);
  return { ...ending, ...findStop(exchanges, ids, status) };
}

/** That no call was answered is up to the upstream as well, and has an ending of its own. */
function silenceOf(exchanges: readonly Exchange[]): Silence {
  // Our client left other calls on purpose.
  const cutShort = exchanges.filter(({ givenUp }) => givenUp !== undefined);
  const { unanswered, ...rest } = findSilence(exchanges, cutShort);
  return unanswered?.of === 'all' ? { unanswered, ...rest } : rest;
}
