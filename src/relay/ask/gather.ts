/** Gathers both ends of a run: finds the model that reaches the upstream, asks all cases, and records how it ended. */
import { setMaxListeners } from 'node:events';
import { describeAnswer } from '../../exchange/answer-status.ts';
import { inOrderOfSending } from '../../exchange/attempts/asker.ts';
import type { OnAwait } from '../../exchange/awaited.ts';
import type { Ending } from '../../exchange/ending.ts';
import { findSilence, type Silence } from '../../exchange/ending-unanswered.ts';
import type { Exchange, Failure } from '../../exchange/exchange.ts';
import { withLimit } from '../../exchange/explain-ending.ts';
import { lastAnswer, timeLimitOf } from '../../exchange/reading/answered.ts';
import type { Vault } from '../../exchange/secrets/vault.ts';
import { readModelList } from '../../exchange/walking/choose-model.ts';
import type { Mode } from '../../plan/plan.ts';
import type { Keys, Settings } from '../../settings.ts';
import type { RelayTraffic } from '../../exchange/relay-traffic.ts';
import type { Asked } from '../judge/relay-check.ts';
import { namedModels } from '../named-models.ts';
import type { RelayCase } from '../relay-case.ts';
import { type Upstream, UPSTREAM_MODEL } from '../upstream/upstream.ts';
import { QuestionAsker } from './ask-question.ts';
import { Controls, isThrough } from './controls.ts';
import { findStop } from './find-stop.ts';
import { FrontCalls } from './front-calls.ts';
import { CaseWalk } from './walk-cases.ts';

export interface GatherHooks {
  readonly signal?: AbortSignal;
  readonly onAwait?: OnAwait;
  /** After each case. */
  onCase?(done: number, requests: number, completions: number): void;
}

const LIST_ID = 'models';
/** Listed models that are tried. */
const MAX_MODELS = 3;
/** Times that the first control is asked if the gateway calls its upstream but gives no reply. */
const FIRST_TRIES = 3;

interface BothEnds {
  readonly settings: Settings;
  readonly keys: Keys;
  readonly upstream: Upstream;
  readonly vault: Vault;
}

export async function gatherBothEnds(
  cases: readonly RelayCase[],
  { settings, keys, upstream, vault }: BothEnds,
  hooks: GatherHooks = {},
): Promise<RelayTraffic> {
  const startedAt = Date.now();
  const began = performance.now();
  const time = AbortSignal.timeout(settings.timeouts.run);
  const signal = AbortSignal.any([time, ...(hooks.signal ? [hooks.signal] : [])]);
  // Every pending request listens to it.
  setMaxListeners(0, signal);
  const front = new FrontCalls(settings, keys, { vault, began, signal, onAwait: hooks.onAwait });
  let model = namedModels(settings)[0]?.front ?? UPSTREAM_MODEL;
  const asker = new QuestionAsker(front, upstream, signal, () => model);
  const controls = new Controls(asker, settings.relay.recovery, signal, hooks.onAwait);
  let done = 0;
  const walk = new CaseWalk({
    settings,
    asker,
    controls,
    upstream,
    front,
    signal,
    onCase: () => hooks.onCase?.(++done, front.used.requests, front.used.completions),
  });
  let hasModel = false;
  try {
    if (settings.waitFor !== undefined) await front.waitUntilReady(settings.waitFor);
    const models = await findModels(front, settings);
    const reached = await reachUpstream(models, front, controls, (tried) => (model = tried));
    hasModel = reached;
    if (!reached) {
      // A list that is not answered says nothing about the upstream.
      const isControlSent = front.exchanges.some(({ request }) => request.endpoint === 'chat');
      if (isControlSent && !hooks.signal?.aborted) front.end(endingOf(asker.last, model, upstream));
    } else {
      // Only now the gateway's key is known. An answer from before may show it, and nobody would have redacted it.
      await front.list(LIST_ID);
      await askUntilThrough(controls, 'stream');
      await walk.run(cases, keys.second !== undefined);
    }
  } finally {
    await front.close();
  }
  if (hooks.signal?.aborted) front.end({ kind: 'interrupted' });
  if (time.aborted) front.end({ kind: 'budget', setting: 'max-time' });
  return {
    cases: cases.map((testCase) => walk.evidenceOf(testCase)),
    front: inOrderOfSending(front.exchanges),
    upstream: upstream.exchanges(began),
    otherRequests: upstream.otherRequests(began),
    overflow: upstream.overflow,
    ending: withLimit(explainSilence(front, upstream, cases), settings),
    ...(hasModel && { model }),
    used: front.used,
    notices: front.notices,
    knowsUpstreamKey: vault.hasLearned,
    startedAt,
    endedAt: Date.now(),
  };
}

/** Those to try: the one that the user names, the first listed ones, or without a list one that any gateway may forward. */
async function findModels(front: FrontCalls, settings: Settings): Promise<readonly string[]> {
  const [named] = namedModels(settings);
  if (named) return [named.front];
  const list = await front.list(LIST_ID);
  const outcome = list?.attempts.at(-1)?.outcome;
  if (outcome?.kind === 'none') {
    const { failure } = outcome;
    if (['refused', 'unresolved', 'tls'].includes(failure.kind)) front.end({ kind: 'unreachable', failure });
  }
  const reading = list && readModelList(list);
  const listed = reading?.kind === 'list' ? reading.models.map(({ id }) => id) : [];
  return listed.length === 0 ? [UPSTREAM_MODEL] : listed.slice(0, MAX_MODELS);
}

/** Tries one model after another until a call arrives at the upstream. */
async function reachUpstream(
  models: readonly string[],
  front: FrontCalls,
  controls: Controls,
  use: (model: string) => void,
): Promise<boolean> {
  for (const model of models) {
    use(model);
    const asked = await controls.ask('plain');
    if (!asked || front.ending) return false;
    if (asked.calls.length === 0) continue;
    if (!isThrough(asked)) await askUntilThrough(controls, 'plain', FIRST_TRIES - 1);
    return true;
  }
  return false;
}

async function askUntilThrough(controls: Controls, mode: Mode, tries = FIRST_TRIES): Promise<void> {
  for (let left = tries; left > 0 && !controls.isAnswered(mode); left--) await controls.ask(mode);
}

function endingOf(last: Asked | undefined, model: string, upstream: Upstream): Ending {
  const outcome = last?.front.attempts.at(-1)?.outcome;
  if (outcome?.kind === 'none' && !waitsForUpstream(outcome.failure)) {
    return { kind: 'unreachable', failure: outcome.failure };
  }
  const limit = last && timeLimitOf(last.front);
  const answer = limit === undefined ? last && lastAnswer(last.front) : undefined;
  if (answer?.status === 401) return { kind: 'key-refused', status: 401, answer: describeAnswer(answer) };
  return {
    kind: 'no-upstream-call',
    upstream: upstream.url,
    model,
    ...(answer && { answer: describeAnswer(answer) }),
    ...(limit !== undefined && { limit }),
    others: upstream.otherRequests(0).first.map(({ method, path }) => `${method} ${path}`),
  };
}

/** A gateway whose calls the upstream refuses cannot answer either. */
function explainSilence(front: FrontCalls, { overflow }: Upstream, cases: readonly RelayCase[]): Ending {
  const { ending = { kind: 'complete' }, exchanges } = front;
  if (ending.kind === 'interrupted' || ending.kind === 'budget') return { ...ending, ...silenceOf(exchanges) };
  if (ending.kind !== 'not-recovered') return ending;
  if (overflow > 0) return { ...ending, isUpstreamFull: true };
  const ids = cases.map(({ id }) => id);
  const { isRefused, status } = ending;
  if (!isRefused && status === undefined) return ending;
  return { ...ending, ...findStop(inOrderOfSending(exchanges), ids, status) };
}

/** That no call was answered is up to the upstream as well, and has an ending of its own. */
function silenceOf(exchanges: readonly Exchange[]): Silence {
  // Our client left other calls on purpose.
  const cutShort = exchanges.filter(({ givenUp }) => givenUp !== undefined);
  const { unanswered, ...rest } = findSilence(exchanges, cutShort);
  return unanswered?.of === 'all' ? { unanswered, ...rest } : rest;
}

/** A gateway that accepts a call and then is silent may wait for an upstream at another address. */
function waitsForUpstream({ kind, limit }: Failure): boolean {
  return kind === 'aborted' || (kind === 'timeout' && limit !== 'connect-timeout');
}
