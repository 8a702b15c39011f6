/** Tests `--detect` on pools: one of several replicas has a fault or is unusual, and a balancer chooses one for each request. */
import { loadContract } from '../src/contract/load-contract.ts';
import { FAULTS, type Fault, type FaultId, type OneIn } from '../src/gateway/index.ts';
import type { Cost } from '../src/plan/plan.ts';
import type { Report } from '../src/report/report.ts';
import { judge } from '../src/run/run.ts';
import { brokenClauses } from './compare.ts';
import { gatherFrom } from './gather-from.ts';
import { listSubjects, type TestSubject } from './test-subjects.ts';
import { modifierOf, settingsFor } from './try-gateway.ts';
import { trySubjects } from './try-subjects.ts';

export interface PoolOptions {
  /** Faults and variants; by default all that a pool can show. */
  readonly names?: readonly string[];
  /** Of the balancer, and of the words and keys of the run. */
  readonly seed: number;
  /** One replica of this many; 1 for a gateway on its own. */
  readonly replicas: number;
  readonly per?: OneIn['per'];
  /** `--detect 1/N`. */
  readonly detect: number;
  readonly parallel?: number;
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

/** Faults of the whole deployment, which a single replica cannot have. */
const isShared = ({ basePath, keys }: Fault): boolean => basePath !== undefined || keys !== undefined;

export interface PoolSubjects {
  readonly tried: readonly TestSubject[];
  /** Must faults that are not tried, since they are of the whole deployment. */
  readonly shared: readonly string[];
  /** Must faults that are not tried, since they break nothing but the clauses on a 5xx. */
  readonly passing: readonly string[];
}

export function sortPoolSubjects(): PoolSubjects {
  const contract = loadContract();
  const tried: TestSubject[] = [];
  const shared: string[] = [];
  const passing: string[] = [];
  for (const subject of listSubjects('gateway')) {
    if (!subject.breaks) {
      tried.push(subject);
      continue;
    }
    const musts = subject.breaks.filter((id) => contract.clause(id)?.level === 'must');
    if (musts.length === 0) continue;
    if (isShared(FAULTS[subject.id as FaultId])) shared.push(subject.id);
    else if (musts.every((id) => PASSING.has(id))) passing.push(subject.id);
    else tried.push(subject);
  }
  return { tried, shared, passing };
}

export function tryPool(options: PoolOptions): Promise<readonly PoolTrial[]> {
  const { names, parallel = 4, onResult } = options;
  return trySubjects(
    sortPoolSubjects().tried.filter(({ id }) => names?.includes(id) ?? true),
    {
      parallel,
      tryOut: (subject, patience) => tryOut(subject, options, patience),
      // The seed decides what a fault shows, so that only a false alarm is worth another look on a quiet machine.
      accepts: ({ subject, others }) => subject.kind === 'fault' || others.length === 0,
      onResult,
    },
  );
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
  const musts = new Set(report.clauses.filter(({ level }) => level === 'must').map(({ id }) => id));
  const others = [...found].filter((id) => !expected.includes(id));
  const isFound = expected.some((id) => musts.has(id) && found.has(id));
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
