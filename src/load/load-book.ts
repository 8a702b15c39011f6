/** Judges a run under load by its events, in their order: as they happen, or from a recording. */
import type { RequestRules } from '../contract/contract.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import { areTimesSure, type LoadEvent, type LoadStart, type StageFacts } from '../exchange/load-traffic.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { LoadPhase, LoadStage } from '../report/load-report.ts';
import type { Case } from '../suite/case.ts';
import { CallRegistry, type KnownCall } from './call-registry.ts';
import type { DoneCall } from './generator.ts';
import { isStillAsked } from './keeps-limits.ts';
import { AnswerJudge } from './judge-answers.ts';
import { loadContractUnder } from './load-suite.ts';
import { isTooMuch } from './ramp.ts';

/** A recorded answer shares no memory with others. */
const NO_ROOM = { release: () => undefined };

export class LoadBook {
  readonly registry: CallRegistry;
  readonly judge: AnswerJudge;
  readonly stages: LoadStage[] = [];
  readonly #onEvent: ((event: LoadEvent) => void) | undefined;
  readonly #rules: RequestRules;
  /** Of a recording. */
  readonly #open = new Map<string, KnownCall>();

  /** `onEvent`: writes a recording. */
  constructor(
    { settings, salt, upstreamUrl }: LoadStart,
    cases: readonly Case[],
    { registry = new CallRegistry(salt), onEvent }: { registry?: CallRegistry; onEvent?: (event: LoadEvent) => void },
  ) {
    this.#onEvent = onEvent;
    this.#rules = contractOf(settings).rules;
    this.registry = registry;
    this.judge = new AnswerJudge({
      settings,
      contract: loadContractUnder(settings, cases),
      cases,
      registry,
      hasUpstream: upstreamUrl !== undefined,
    });
  }

  readonly begin = ({ id, profile, from }: KnownCall): void => {
    this.#onEvent?.({ kind: 'call-begins', id, profile, from });
  };

  readonly drop = ({ id, to = 0 }: KnownCall): void => {
    this.#onEvent?.({ kind: 'call-dropped', id, to });
  };

  readonly add = (done: DoneCall): void => {
    const { call, known, exchange, hasLeft, traits } = done;
    const { id, to = 0, upstreamDone, usageSent, wasPaced } = known;
    const { kind, stage } = call;
    const sent = {
      ...(upstreamDone !== undefined && { upstreamDone }),
      ...(usageSent && { usageSent }),
      ...(wasPaced && { wasPaced }),
    };
    const ended = { kind, stage, to, hasLeft, traits, ...sent };
    this.#onEvent?.({ kind: 'call-ends', id, call: ended, exchange });
    this.judge.add(done);
  };

  beginStage(phase: LoadPhase): void {
    this.#onEvent?.({ kind: 'stage-begins', phase });
    this.judge.allowsFailures = phase === 'during';
    this.judge.beginStage();
  }

  /** Says whether the ramp may go higher. */
  endStage(facts: StageFacts, isInterrupted: boolean): boolean {
    this.#onEvent?.({ kind: 'stage-ends', facts, isInterrupted });
    this.judge.endStage(areTimesSure(facts.generator));
    const counts = this.judge.stages.at(-1);
    if (!counts) throw new Error('No stage has begun.');
    const doubt = isInterrupted ? 'interrupted' : counts.isInconclusive ? 'unanswered' : undefined;
    this.stages.push({ ...facts, ...counts.toReport(), ...(doubt && { doubt }) });
    const { answered, broken, left, limit } = counts.outcomes;
    return !isTooMuch(counts.calls, answered + broken + left + limit);
  }

  readonly setList = (exchange: Exchange, when: 'before' | 'after'): void => {
    this.#onEvent?.({ kind: 'list', when, exchange });
    this.judge.lists.setControl(exchange, when);
  };

  endLists(): void {
    this.#onEvent?.({ kind: 'lists-end' });
    this.judge.lists.end();
  }

  /** What a recording says. */
  replay(event: LoadEvent): void {
    switch (event.kind) {
      case 'call-begins':
        this.#open.set(event.id, this.registry.open(event.id, event.profile, event.from));
        return;
      case 'call-dropped':
        this.#close(event.id, false, event.to);
        return;
      case 'call-ends': {
        const { call, exchange, id } = event;
        const known = this.#close(id, call.hasLeft, call.to);
        if (!known || !isStillAsked(call.kind, exchange.request.body, this.#rules)) return;
        if (call.upstreamDone !== undefined) known.upstreamDone = call.upstreamDone;
        if (call.usageSent) known.usageSent = true;
        if (call.wasPaced) known.wasPaced = true;
        this.add({ call, known, exchange, hasLeft: call.hasLeft, traits: call.traits, room: NO_ROOM });
        return;
      }
      case 'stage-begins':
        this.beginStage(event.phase);
        return;
      case 'stage-ends':
        this.endStage(event.facts, event.isInterrupted);
        return;
      case 'list':
        this.setList(event.exchange, event.when);
        return;
      case 'lists-end':
        this.endLists();
    }
  }

  #close(id: string, hasLeft: boolean, to: number): KnownCall | undefined {
    const known = this.#open.get(id);
    this.#open.delete(id);
    if (known) this.registry.end(known, hasLeft, to);
    return known;
  }
}
