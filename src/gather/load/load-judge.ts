/**
 * The judge of a run under load: every answer is judged soon after it came, then dropped. It goes by the events of the run in
 * their order, as they happen or from a recording.
 */
import type { RequestRules } from '../../contract/contract.ts';
import { contractOf } from '../../contract/profile/apply-profile.ts';
import { retryAfter } from '../../exchange/channel/retry.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { UpstreamName } from '../../exchange/identity.ts';
import { areTimesSure, type LoadEvent, type LoadStart, type StageFacts } from '../../exchange/load-traffic.ts';
import { lastAnswer, lastFailure } from '../../exchange/reading/answered.ts';
import { clearReadings } from '../../exchange/reading/body-memo.ts';
import { closingOf } from '../../exchange/reading/event-stream.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import { isObject, type Json, parseJson } from '../../json.ts';
import type { Plan } from '../../plan/plan.ts';
import type { LoadKind, LoadOutcome, LoadPhase, LoadStage, StageCount } from '../../report/load-report.ts';
import type { Case } from '../../suite/case.ts';
import { CHECKS } from '../../verdict/checks/index.ts';
import { LEFT_OPEN } from '../../verdict/checks/streams/endings.ts';
import type { BriefParts } from '../../verdict/finding.ts';
import { IncrementalJudge } from '../../verdict/incremental-judge.ts';
import { judgeGateway } from '../../verdict/judge.ts';
import type { Verdict } from '../../verdict/verdict.ts';
import { canCompareModels, type NamedModel, namedModels } from '../relay/named-models.ts';
import { CallRegistry, type KnownCall, keepsLimits } from './calls.ts';
import { type DoneCall, type JudgedCall, judgeCall, judgePieces } from './judge-call.ts';
import { loadContractUnder, untimed } from './plan-load.ts';
import { wasGivenUp } from './send-call.ts';
import { ListWatch, recordOf, StageCounts, type Tallies, Tally, createTallies, shortened, sumOf } from './tally.ts';

/**
 * What is judged together: a check costs less for many, but nothing else happens meanwhile, and what is read of a body takes
 * many times its size. The parts depend on nothing but the order of the answers, so that a recording is judged in the same.
 */
const PART = { exchanges: 95, bytes: 1024 * 1024 };
/** Bytes of an answer, from which what was read of it is dropped at once. */
const LARGE = 512 * 1024;
/** Milliseconds: the upstream has answered, and the gateway still has not. */
const SILENCE = 20_000;
/** A stream with text within this share of the time that calls wait for an answer is quick. */
const QUICK = 1 / 10;
/** Streams of these outcomes tell how quick the target is. Others were refused, or ended by our client. */
const TELLING: readonly LoadOutcome[] = ['answered', 'broken', 'unanswered', 'limit'];
/**
 * What is counted apart, since only the end of its stage tells whether it counts: calls that got no answer, with our own
 * upstream's times as a proof and without, streams that the upstream paused, and those that end with [DONE].
 */
const LATER = ['proven', 'silent', 'pieces', 'closes'] as const;
const noneLater = () => recordOf(LATER, () => new Tally());

type WaitingCall = JudgedCall & { readonly done: DoneCall };

/** A recorded answer shares no memory with others. */
const NO_ROOM = { release: () => undefined };

const NO_COST = { requests: 0, completions: 0, tokens: 0 };
const TRAFFIC: Omit<Traffic, 'exchanges'> = {
  bindings: { sample: [], replyTokens: 16, streamTokens: 64, briefTokens: 1, withoutMaxTokens: false },
  keys: [],
  ending: { kind: 'complete' },
  used: NO_COST,
  notices: [],
  startedAt: 0,
  endedAt: 0,
};

export class LoadJudge {
  readonly registry: CallRegistry;
  readonly tallies: Tallies = createTallies();
  /** One for each stage that has begun. */
  readonly counts: StageCounts[] = [];
  /** Statuses of rejected calls, and calls that were answered on a second try. */
  readonly rejections = new Set<number>();
  secondTries = 0;
  readonly lists = new ListWatch(this.tallies);
  readonly named: readonly NamedModel[];
  readonly arrivedAs = new Map<Json | undefined, string>();
  /** The scripted upstream is behind the gateway, so that every text is known. */
  readonly hasUpstream: boolean;
  /** While a command of `--during` runs or an upstream fails, a failure that is reported passes (rules 31 and 38). */
  allowsFailures = false;
  /** One of two upstreams fails. */
  isFailingOver = false;
  readonly mostUpstreamCalls: number;
  /** The upstreams that were called, of two. */
  readonly upstreams = new Set<UpstreamName>();
  readonly #rules: RequestRules;
  /** The shortest time limit of a call in milliseconds: usually `--idle-timeout`. */
  readonly #patience: number;
  readonly #onEvent: ((event: LoadEvent) => void) | undefined;
  readonly #ordinary: IncrementalJudge;
  readonly #isBroken: (exchange: Exchange) => boolean;
  /** Answers by stage, for each of the ordinary verdicts. */
  readonly #ordinaryCounts: Map<number, { readonly stage: number; judged: number; broken: number }>[] = [];
  /** Calls whose answers wait for the ordinary checks. */
  #waiting: WaitingCall[] = [];
  #later = noneLater();

  /** `onEvent`: writes a recording. */
  constructor(
    { settings, salt, upstreamUrl }: LoadStart,
    cases: readonly Case[],
    { registry = new CallRegistry(salt), onEvent }: { registry?: CallRegistry; onEvent?: (event: LoadEvent) => void },
  ) {
    this.#rules = contractOf(settings).rules;
    const { idle, firstByte, attempt } = settings.timeouts;
    this.#patience = Math.min(idle, firstByte, attempt);
    this.hasUpstream = upstreamUrl !== undefined;
    this.mostUpstreamCalls = settings.relay.mostUpstreamCalls;
    const named = namedModels(settings);
    this.named = canCompareModels(named) ? named : [];
    this.#onEvent = onEvent;
    this.registry = registry;
    const plan: Plan = {
      cases: untimed(cases),
      partial: [],
      steps: [],
      stepsOf: {},
      omissions: [],
      least: NO_COST,
      most: NO_COST,
    };
    const judging = { contract: loadContractUnder(settings, cases), settings, checks: CHECKS };
    const trafficOf = (exchanges: readonly Exchange[]): Traffic => ({ ...TRAFFIC, exchanges });
    this.#isBroken = (exchange) => judgeGateway(plan, trafficOf([exchange]), judging).some(hasFailed);
    this.#ordinary = new IncrementalJudge(plan, {
      ...judging,
      trafficOf,
      whole: PART,
      part: PART,
      keptPerVerdict: 1,
      keep: shortened,
      ignoresUnclearParts: true,
      onPart: (verdicts, exchanges) => this.#endPart(verdicts, exchanges),
    });
  }

  begin(id: string, profile: KnownCall['profile'], from = performance.now()): KnownCall {
    const known = this.registry.open(id, profile, from);
    this.#onEvent?.({ kind: 'call-begins', id, profile, from });
    return known;
  }

  /** A call that got no answer since the run ended, that was not sent, or that is not judged. */
  drop(known: KnownCall, to = performance.now()): void {
    this.registry.end(known, false, to);
    this.#onEvent?.({ kind: 'call-dropped', id: known.id, to });
  }

  /** A call of a stage that has ended. */
  add(done: DoneCall, to = performance.now()): void {
    const { call, known, exchange, hasLeft, traits } = done;
    this.registry.end(known, hasLeft, to);
    if (this.#onEvent) {
      const ended = { kind: call.kind, stage: call.stage, to, hasLeft, traits, ...known.behind };
      this.#onEvent({ kind: 'call-ends', id: known.id, call: ended, exchange });
    }
    const judged = judgeCall(done, this);
    // It may be long, and calls are remembered for a while.
    delete known.behind.arrived;
    this.#noteUpstreams(done);
    this.#note(done, judged.outcome);
    if (judged.isOrdinary) {
      this.#waiting.push({ done, ...judged });
      this.#ordinary.add(exchange);
    } else this.#finish({ done, ...judged });
    if ((lastAnswer(exchange)?.body.bytes.length ?? 0) > LARGE) clearReadings();
  }

  beginStage(phase: LoadPhase): void {
    this.#onEvent?.({ kind: 'stage-begins', phase });
    this.isFailingOver = phase === 'failover';
    this.allowsFailures = phase === 'during' || this.isFailingOver;
    this.counts.push(new StageCounts());
  }

  /** All answers of the stage have come. Says whether the ramp may go higher. */
  endStage(facts: StageFacts, isInterrupted: boolean): boolean {
    this.#onEvent?.({ kind: 'stage-ends', facts, isInterrupted });
    if (this.#waiting.length > 0) this.#ordinary.endPart();
    const counts = this.counts.at(-1);
    if (!counts) throw new Error('No stage has begun.');
    const isSure = areTimesSure(facts.generator);
    const { tallies } = this;
    const { proven, silent, pieces, closes } = this.#later;
    // Calls that are forgotten show it on a busy machine too: most others had text soon.
    tallies.silent.merge(silent, !counts.isQuick);
    tallies.silent.merge(proven, !counts.isQuick && !isSure);
    if (isSure && counts.isPrompt) tallies.pieces.merge(pieces);
    if (isSure) tallies.closes.merge(closes);
    this.#later = noneLater();
    return counts.end(facts, isInterrupted);
  }

  /** A list of a key, asked alone. */
  setList(exchange: Exchange, when: 'before' | 'after'): void {
    this.#onEvent?.({ kind: 'list', when, exchange });
    this.lists.setControl(exchange, when);
  }

  endLists(): void {
    this.#onEvent?.({ kind: 'lists-end' });
    this.lists.end();
  }

  /** What a recording says. */
  replay(event: LoadEvent): void {
    switch (event.kind) {
      case 'call-begins':
        return void this.begin(event.id, event.profile, event.from);
      case 'call-dropped': {
        const known = this.registry.findOpen(event.id);
        return known && this.drop(known, event.to);
      }
      case 'call-ends':
        return this.#replayCall(event);
      case 'stage-begins':
        return this.beginStage(event.phase);
      case 'stage-ends':
        return void this.endStage(event.facts, event.isInterrupted);
      case 'list':
        return this.setList(event.exchange, event.when);
      case 'lists-end':
        return this.endLists();
    }
  }

  #replayCall({ id, call, exchange }: Extract<LoadEvent, { readonly kind: 'call-ends' }>): void {
    const { kind, to, hasLeft, traits } = call;
    const known = this.registry.findOpen(id);
    if (!known) return;
    if (!isStillAsked(kind, exchange.request.body, this.#rules)) return this.registry.end(known, hasLeft, to);
    known.behind = { ...call };
    this.add({ call, known, exchange, hasLeft, traits, room: NO_ROOM }, to);
  }

  /** The stages that have ended. */
  get stages(): readonly LoadStage[] {
    return this.counts.flatMap(({ report }) => report ?? []);
  }

  /** The verdicts of ordinary checks on their expectations, with their answers by stage. */
  get ordinary(): readonly { readonly verdict: Verdict; readonly stages: readonly StageCount[] }[] {
    return this.#ordinary.verdicts.map((verdict, place) => {
      const stages = [...(this.#ordinaryCounts[place]?.values() ?? [])].filter(({ judged }) => judged > 0);
      const answers = { judged: sumOf(stages, 'judged'), broken: sumOf(stages, 'broken') };
      return { verdict: stages.length === 0 ? verdict : { ...verdict, answers }, stages };
    });
  }

  /** Exchanges that verdicts and findings name. */
  get examples(): readonly Exchange[] {
    const all = [...Object.values(this.tallies).flatMap(({ examples }) => examples), ...this.#ordinary.evidence];
    return [...new Map(all.map((exchange) => [exchange.id, exchange])).values()];
  }

  /** The exchanges are all of one stage: a verdict on many answers does not say which of them it rests on. */
  #endPart(verdicts: readonly Verdict[], exchanges: readonly Exchange[]): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    const stage = waiting[0]?.done.call.stage ?? 0;
    for (const [place, { answers }] of verdicts.entries()) {
      const stages = (this.#ordinaryCounts[place] ??= new Map());
      const counts = stages.get(stage) ?? { stage, judged: 0, broken: 0 };
      stages.set(stage, counts);
      counts.judged += answers?.judged ?? 0;
      counts.broken += answers?.broken ?? 0;
    }
    const faulty = verdicts.some(hasFailed) ? exchanges.filter(this.#isBroken) : [];
    const broken = new Set(faulty.map(({ id }) => id));
    for (const judged of waiting)
      this.#finish(broken.has(judged.done.exchange.id) ? { ...judged, outcome: 'broken' } : judged);
  }

  #noteUpstreams({ call, known: { behind } }: DoneCall): void {
    const { called = [] } = behind;
    for (const name of called) this.upstreams.add(name);
    this.counts[call.stage]?.addUpstreamCalls(called);
  }

  #note(done: DoneCall, outcome: LoadOutcome): void {
    const { exchange, hasLeft } = done;
    const answer = lastAnswer(exchange);
    if (outcome !== 'left' && !hasLeft) this.#noteEnd(done);
    if (outcome === 'unanswered') this.#noteSilence(done);
    else if (outcome !== 'left' && outcome !== 'limit') this.tallies.silent.add({ exchange });
    if (answer && exchange.attempts.length > 1) this.secondTries += 1;
    const pieces = done.known.behind.wasPaced && outcome === 'answered' && judgePieces(exchange);
    if (pieces) this.#later.pieces.add({ exchange }, pieces.parts);
    if (!answer || outcome !== 'rejected') return;
    this.rejections.add(answer.status);
    const counts = this.counts[done.call.stage];
    if (counts) counts.retryAfter = Math.max(counts.retryAfter, retryAfter(answer) ?? 0);
  }

  /**
   * Our own upstream had answered long before, or nothing came for as long as a time limit: then the other streams of the
   * stage tell. Any other call was given up too soon to say anything.
   */
  #noteSilence({ exchange, known }: DoneCall): void {
    const {
      behind: { upstreamDone = Infinity },
      to = performance.now(),
    } = known;
    const { proven, silent } = this.#later;
    if (to - upstreamDone >= SILENCE) proven.add({ exchange }, silence(exchange));
    else if (!wasGivenUp(exchange) || (lastFailure(exchange)?.at ?? 0) >= this.#patience)
      silent.add({ exchange }, silence(exchange));
  }

  /** How it ended, and whether that was in time. */
  #noteEnd({ call, exchange }: DoneCall): void {
    const counts = this.counts[call.stage];
    if (counts && wasGivenUp(exchange)) counts.givenUp += 1;
    if (call.kind !== 'stream') return;
    const answer = lastAnswer(exchange);
    const closing = answer?.status === 200 ? closingOf(answer) : undefined;
    if (closing === 'open' || closing === 'closed')
      this.#later.closes.add({ exchange }, closing === 'open' ? LEFT_OPEN : undefined);
  }

  #finish({ done: { call, known, exchange, room }, outcome, isFault = false }: WaitingCall): void {
    const counts = this.counts[call.stage];
    counts?.add(call.kind, outcome, isFault);
    const { mixedWith, from } = known;
    if (outcome === 'broken' || isFault) counts?.addBroken(exchange, mixedWith && mixedWith.from - from);
    if (outcome === 'answered' && call.kind !== 'slow-reader' && known.profile !== 'paced') counts?.addTimes(exchange);
    if (call.kind === 'stream' && TELLING.includes(outcome)) counts?.addStream(exchange, this.#patience * QUICK);
    room.release();
  }
}

function hasFailed({ verdict }: Verdict): boolean {
  return verdict === 'fail';
}

function silence(exchange: Exchange): BriefParts {
  const time = lastAnswer(exchange)?.endAt ?? lastFailure(exchange)?.at ?? 0;
  const actual = { kind: 'unanswered', time } as const;
  return { mismatch: 'unanswered', expected: 'timely-answer', actualType: 'waiting', actual };
}

/**
 * Whether a recorded call still asks what it was sent for: a profile may have other limits than its run had (rule 39). A value
 * out of range has to be out of range, and all others within. What no key may do does not depend on values.
 */
export function isStillAsked(
  kind: LoadKind,
  body: string | undefined,
  { limits }: Pick<RequestRules, 'limits'>,
): boolean {
  const request = kind === 'unknown-key' ? undefined : parseJson(body);
  return !isObject(request) || (kind === 'refusal') !== keepsLimits(request, limits);
}
