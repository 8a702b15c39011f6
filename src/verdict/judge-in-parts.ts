/**
 * Judges a recording that does not fit in memory, part by part. The few exchanges that belong to a single case are kept.
 * Cases that look at all exchanges are judged on each part, and their verdicts are combined.
 */
import type { Contract } from '../contract/contract.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Traffic } from '../exchange/traffic.ts';
import { countRepetitions } from '../plan/cost.ts';
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { type Case, isSelection } from '../suite/case.ts';
import { combineVerdicts } from './combine-verdicts.ts';
import type { Checks } from './check.ts';
import { judgeGateway } from './judge.ts';
import type { Verdict } from './verdict.ts';

/** Exchanges kept per fingerprint, and per step that is sent once. */
const MAX_KEPT = 3;

export interface Judgement {
  readonly verdicts: readonly Verdict[];
  /** Only those that a verdict or a finding names. */
  readonly exchanges: readonly Exchange[];
}

export class PartialJudge {
  readonly #plan: Plan;
  readonly #contract: Contract;
  readonly #settings: Settings;
  readonly #checks: Checks;
  readonly #overall: Plan;
  readonly #carried = new Map<string, unknown>();
  readonly #room: Map<string, number>;
  /** Verdicts on the cases that look at all exchanges, in plan order. */
  #verdicts: readonly Verdict[] | undefined;
  readonly #own = new Map<string, Exchange>();
  readonly #evidence = new Map<string, Exchange>();
  readonly #evidenceCounts = new Map<string, number>();

  constructor(plan: Plan, contract: Contract, settings: Settings, checks: Checks) {
    this.#plan = plan;
    this.#contract = contract;
    this.#settings = settings;
    this.#checks = checks;
    this.#overall = { ...plan, cases: plan.cases.filter(looksOverAll) };
    this.#room = new Map(
      plan.steps.map(({ id, repeat, samples = 1 }) => [id, Math.max(MAX_KEPT, samples, countRepetitions(repeat))]),
    );
  }

  keeps(exchange: string): boolean {
    return this.#own.has(exchange) || this.#evidence.has(exchange);
  }

  add(traffic: Traffic): void {
    const { exchanges } = traffic;
    for (const exchange of exchanges) {
      const room = this.#room.get(exchange.step) ?? 0;
      if (room === 0) continue;
      this.#room.set(exchange.step, room - 1);
      this.#own.set(exchange.id, exchange);
    }
    const verdicts = this.#judge(this.#overall, traffic, this.#carried);
    this.#keepEvidence(verdicts, exchanges);
    const before = this.#verdicts;
    this.#verdicts = before
      ? verdicts.map((verdict, index) => combineVerdicts(before[index] ?? verdict, verdict, this.#checks))
      : verdicts;
  }

  /** Uses only the ending in `traffic`, not its exchanges. */
  end(traffic: Traffic): Judgement {
    const rest = { ...this.#plan, cases: this.#plan.cases.filter((testCase) => !looksOverAll(testCase)) };
    const own = this.#judge(rest, { ...traffic, exchanges: [...this.#own.values()] });
    const byCase = new Map<string, Verdict[]>();
    for (const verdict of [...(this.#verdicts ?? []), ...own]) {
      const group = byCase.get(verdict.case);
      if (group) group.push(verdict);
      else byCase.set(verdict.case, [verdict]);
    }
    return {
      verdicts: this.#plan.cases.flatMap(({ id }) => byCase.get(id) ?? []),
      exchanges: [...new Map([...this.#own, ...this.#evidence]).values()],
    };
  }

  #judge(plan: Plan, traffic: Traffic, carried?: Map<string, unknown>): readonly Verdict[] {
    return judgeGateway(plan, traffic, {
      contract: this.#contract,
      settings: this.#settings,
      checks: this.#checks,
      carried,
    });
  }

  #keepEvidence(verdicts: readonly Verdict[], exchanges: readonly Exchange[]): void {
    const wanted = new Set<string>();
    for (const { case: id, clause, findings, exchanges: looked } of verdicts) {
      for (const { fingerprint, exchange } of findings) if (this.#hasRoom(fingerprint)) wanted.add(exchange);
      for (const exchange of looked) if (this.#hasRoom(`${id} ${clause}`)) wanted.add(exchange);
    }
    for (const exchange of exchanges) if (wanted.has(exchange.id)) this.#evidence.set(exchange.id, exchange);
  }

  #hasRoom(name: string): boolean {
    const taken = this.#evidenceCounts.get(name) ?? 0;
    this.#evidenceCounts.set(name, taken + 1);
    return taken < MAX_KEPT;
  }
}

function looksOverAll({ over }: Case): boolean {
  return over.length > 0 && over.every(isSelection);
}
