/** Judges answers by the ordinary checks of the contract, in parts that are dropped at once: memory does not grow. */
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Traffic } from '../exchange/traffic.ts';
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import type { Case } from '../suite/case.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { combineVerdicts } from '../verdict/combine-verdicts.ts';
import { judgeGateway } from '../verdict/judge.ts';
import type { Verdict } from '../verdict/verdict.ts';
import { shortened } from './shortened.ts';
import type { StageCount } from '../report/load-report.ts';

const NO_COST = { requests: 0, completions: 0, tokens: 0 };
/** Exchanges kept as evidence of each finding, and of each expectation that is kept. */
const MAX_EXAMPLES = 3;

const EMPTY: Omit<Traffic, 'exchanges'> = {
  bindings: { sample: [], replyTokens: 16, streamTokens: 64, briefTokens: 1, withoutMaxTokens: false },
  keys: [],
  ending: { kind: 'complete' },
  used: NO_COST,
  notices: [],
  startedAt: 0,
  endedAt: 0,
};

export interface OrdinaryJudgement {
  readonly verdict: Verdict;
  readonly stages: readonly StageCount[];
}

interface State {
  verdict: Verdict;
  readonly stages: Map<number, { judged: number; broken: number }>;
}

export class OrdinaryJudge {
  readonly #plan: Plan;
  readonly #options: { readonly contract: Contract; readonly settings: Settings };
  readonly #states = new Map<string, State>();
  readonly #examples = new Map<string, Exchange>();
  readonly #exampleCounts = new Map<string, number>();

  constructor(cases: readonly Case[], contract: Contract, settings: Settings) {
    this.#plan = { cases, partial: [], steps: [], stepsOf: {}, omissions: [], least: NO_COST, most: NO_COST };
    this.#options = { contract, settings };
  }

  /** All of one stage. Returns the ids of those that break a clause that counts. */
  judge(exchanges: readonly Exchange[], stage: number): ReadonlySet<string> {
    const verdicts = this.#judge(exchanges);
    for (const verdict of verdicts) this.#add(verdict, stage);
    this.#keepExamples(verdicts, exchanges);
    const isBroken = verdicts.some(({ verdict }) => verdict === 'fail');
    const broken = isBroken ? this.#whichBreak(exchanges) : new Set<string>();
    return broken;
  }

  get judgements(): readonly OrdinaryJudgement[] {
    return [...this.#states.values()].map(({ verdict, stages }) => ({
      verdict: withSum(verdict, [...stages.values()]),
      stages: [...stages].map(([stage, counts]) => ({ stage, ...counts })).filter(({ judged }) => judged > 0),
    }));
  }

  get examples(): readonly Exchange[] {
    return [...this.#examples.values()];
  }

  #judge(exchanges: readonly Exchange[]): readonly Verdict[] {
    return judgeGateway(this.#plan, { ...EMPTY, exchanges }, { ...this.#options, checks: CHECKS });
  }

  /** A verdict on many answers does not say which of them it rests on. */
  #whichBreak(exchanges: readonly Exchange[]): ReadonlySet<string> {
    const breaks = exchanges.filter((exchange) => this.#judge([exchange]).some(({ verdict }) => verdict === 'fail'));
    return new Set(breaks.map(({ id }) => id));
  }

  #add(verdict: Verdict, stage: number): void {
    const key = `${verdict.case} ${verdict.clause}`;
    const state = this.#states.get(key);
    if (!state) this.#states.set(key, { verdict, stages: new Map() });
    // An answer that could not be judged says nothing about the others.
    else state.verdict = isSure(verdict) || !isSure(state.verdict) ? combine(state.verdict, verdict) : state.verdict;
    const { stages } = this.#states.get(key)!;
    const counts = stages.get(stage) ?? { judged: 0, broken: 0 };
    counts.judged += verdict.answers?.judged ?? 0;
    counts.broken += verdict.answers?.broken ?? 0;
    stages.set(stage, counts);
  }

  #keepExamples(verdicts: readonly Verdict[], exchanges: readonly Exchange[]): void {
    const wanted = new Set<string>();
    for (const {
      findings,
      case: id,
      clause,
      exchanges: [first],
    } of verdicts) {
      for (const { fingerprint, exchange } of findings) if (this.#hasRoom(fingerprint)) wanted.add(exchange);
      if (first !== undefined && this.#hasRoom(`${id} ${clause}`, 1)) wanted.add(first);
    }
    if (wanted.size === 0) return;
    for (const exchange of exchanges) if (wanted.has(exchange.id)) this.#examples.set(exchange.id, shortened(exchange));
  }

  #hasRoom(name: string, most = MAX_EXAMPLES): boolean {
    const taken = this.#exampleCounts.get(name) ?? 0;
    if (taken < most) this.#exampleCounts.set(name, taken + 1);
    return taken < most;
  }
}

function isSure({ verdict }: Verdict): boolean {
  return verdict === 'pass' || verdict === 'warn' || verdict === 'fail';
}

function combine(earlier: Verdict, later: Verdict): Verdict {
  return isSure(earlier) || !isSure(later) ? combineVerdicts(earlier, later, CHECKS) : later;
}

function withSum(verdict: Verdict, counts: readonly { readonly judged: number; readonly broken: number }[]): Verdict {
  const judged = counts.reduce((sum, each) => sum + each.judged, 0);
  const broken = counts.reduce((sum, each) => sum + each.broken, 0);
  return judged === 0 ? verdict : { ...verdict, answers: { judged, broken } };
}
