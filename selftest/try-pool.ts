/** Tests `--detect` on pools: one of several replicas has a fault or is unusual, and a balancer chooses one for each request. */
import { loadContract } from '../src/contract/read-contract.ts';
import { type FaultId, FAULTS, type Modifier, type OneIn } from '../src/gateway/index.ts';
import type { Cost } from '../src/plan/plan.ts';
import type { Report } from '../src/report/report.ts';
import { judge } from '../src/run/run.ts';
import { count } from '../src/text/layout.ts';
import { brokenClauses } from './compare.ts';
import { gatherFrom } from './in-memory.ts';
import { listSubjects, type TestSubject } from './test-subjects.ts';
import { trySubjects } from './trial.ts';
import { modifierOf, settingsFor } from './try-gateway.ts';

export interface PoolOptions {
  /** Faults and variants; by default all that a pool can show. */
  readonly names?: readonly string[];
  /** The seed of the balancer, and of the words and keys of the run. */
  readonly seed: number;
  /** One replica of this many; 1 for a gateway on its own. */
  readonly replicas: number;
  readonly per?: OneIn['per'];
  /** `--detect 1/N`. */
  readonly detect: number;
  readonly onResult?: (trial: PoolTrial) => void;
}

export interface PoolTrial {
  readonly subject: Pick<TestSubject, 'kind' | 'id'>;
  readonly seed: number;
  /** A fault: at least one of its must clauses was found broken. A variant: nothing was. */
  readonly isRight: boolean;
  /** Not found, because all that it did was a 5xx that a retry on another replica replaced, which is not a violation. */
  readonly hasPassed: boolean;
  /**
   * Clauses that were reported as broken, and that the subject does not break. In the pool of a fault that may be right:
   * what every request gets from a single gateway, such as a 401, only some valid requests get there.
   */
  readonly others: readonly string[];
  readonly used: Cost;
}

/** Milliseconds: many times what a run at 1/10 takes on a busy machine. One that is cut short shows nothing. */
const MAX_TIME = 1_800_000;

/** A 5xx that goes away on a retry is not a violation, and a request that one replica refuses with it is retried on another. */
const PASSING = new Set(['errors.no-server-error', 'errors.passing-server-error']);

/**
 * The must faults and the variants that are tried, and the must faults that are not: those `shared` by the whole deployment,
 * which a single replica cannot have, and those that break nothing but the clauses on a 5xx.
 */
export function sortPoolSubjects() {
  const contract = loadContract();
  const tried: TestSubject[] = [];
  const shared: string[] = [];
  const passing: string[] = [];
  for (const subject of listSubjects('gateway')) {
    const musts = subject.breaks?.filter((id) => contract.clause(id)?.level === 'must');
    if (musts?.length === 0) continue;
    const { basePath, keys }: Modifier = musts ? FAULTS[subject.id as FaultId] : {};
    if (basePath !== undefined || keys !== undefined) shared.push(subject.id);
    else if (musts?.every((id) => PASSING.has(id))) passing.push(subject.id);
    else tried.push(subject);
  }
  return { tried, shared, passing };
}

export function tryPool(options: PoolOptions): Promise<readonly PoolTrial[]> {
  const subjects = sortPoolSubjects().tried.filter(({ id }) => options.names?.includes(id) ?? true);
  return trySubjects(subjects, {
    parallel: 4,
    tryOut: (subject, patience) => tryOut(subject, options, patience),
    // The seed decides what a fault shows, so that only a false alarm is worth another look on a quiet machine.
    accepts: ({ subject, others }) => subject.kind === 'fault' || others.length === 0,
    onResult: options.onResult,
  });
}

async function tryOut(subject: TestSubject, options: PoolOptions, patience: number): Promise<PoolTrial> {
  const { seed, replicas, per = 'request', detect } = options;
  const { settings, gathered } = await gatherFrom({
    gateway: { ...modifierOf(subject), seed, ...(replicas > 1 && { oneIn: { replicas, per } }) },
    inMemory: false,
    settingsFor(baseUrl, forbiddenModel) {
      const usual = settingsFor(baseUrl, forbiddenModel, patience);
      return { ...usual, timeouts: { ...usual.timeouts, run: MAX_TIME }, seed, detect };
    },
  });
  const report = judge(gathered, settings);
  const { breaks: expected = [] } = subject;
  const found = brokenClauses(report);
  const others = [...found].filter((id) => !expected.includes(id));
  const isFound = report.clauses.some(({ id, level }) => level === 'must' && expected.includes(id) && found.has(id));
  return {
    subject,
    seed,
    isRight: subject.kind === 'variant' ? others.length === 0 : isFound,
    hasPassed: !isFound && hasPassed(report, expected),
    others,
    used: report.cost.used,
  };
}

/** Whether an expected clause was kept thanks to retries, and every attempt that a retry replaced was a 5xx. */
export function hasPassed({ cases, retries }: Report, expected: readonly string[]): boolean {
  const isFlaky = cases.some(({ expectations }) =>
    expectations.some(({ clause, flaky }) => flaky && expected.includes(clause)),
  );
  const causes = Object.keys(retries?.causes ?? {});
  return isFlaky && causes.length > 0 && causes.every((cause) => /^5\d\d$/.test(cause));
}

/** Share of the must faults that has to be found at the rate that `--detect` names. */
const LEAST_FOUND = 0.95;

export type PoolSummary = ReturnType<typeof summarizePool>;

export function summarizePool(trials: readonly PoolTrial[]) {
  const all = trials.filter(({ subject }) => subject.kind === 'fault');
  const faults = all.filter(({ hasPassed }) => !hasPassed);
  const variants = trials.filter(({ subject }) => subject.kind === 'variant');
  return {
    faults: faults.length,
    found: faults.filter(({ isRight }) => isRight).length,
    /** Not counted: a 5xx that a retry replaced. */
    passed: all.flatMap(({ subject, hasPassed }) => (hasPassed ? subject.id : [])),
    variants: variants.length,
    leftAlone: variants.filter(({ isRight }) => isRight).length,
    /** The most that one run needed. */
    requests: Math.max(0, ...trials.map(({ used }) => used.requests)),
    completions: Math.max(0, ...trials.map(({ used }) => used.completions)),
  };
}

export function isPoolPassed({ faults, found, variants, leftAlone }: PoolSummary): boolean {
  return found >= leastFound(faults) && leftAlone === variants;
}

/** One draw in this many may find fewer by chance. The seed is fixed, so a result changes only when the requests do. */
const ONE_IN = 20;

/** The fewest that are still likely at the share that has to be found: which replica answers is drawn. */
export function leastFound(faults: number): number {
  let missed = 0;
  let chance = LEAST_FOUND ** faults;
  for (let sum = chance; 1 - sum > 1 / ONE_IN; sum += chance) {
    chance *= ((faults - missed) / (missed + 1)) * (1 / LEAST_FOUND - 1);
    missed += 1;
  }
  return faults - missed;
}

export function formatPool(seed: number, summary: PoolSummary): string {
  const { faults, found, passed, variants, leftAlone, requests, completions } = summary;
  const parts = [
    `must faults found ${found}/${faults}`,
    `variants left alone ${leftAlone}/${variants}`,
    `at most ${count(requests, 'request')} and ${count(completions, 'completion')} a run`,
  ];
  const left =
    passed.length === 0 ? '' : `\n  not counted (a retry replaced a 5xx): ${passed.join(', ')} (${passed.length})`;
  return `seed ${seed}: ${parts.join(' · ')}${left}\n`;
}

/** What there is to look at; empty if all went as expected. */
export function formatPoolTrial({ subject, seed, isRight, hasPassed, others }: PoolTrial): string {
  const isVariant = subject.kind === 'variant';
  const problems = [
    ...(isVariant || isRight || hasPassed ? [] : ['not found']),
    ...(others.length === 0 ? [] : [`${isVariant ? '' : 'also '}reported as broken: ${others.join(', ')}`]),
  ];
  return problems.map((problem) => `${subject.kind} ${subject.id} (seed ${seed}): ${problem}\n`).join('');
}
