/** Verdicts on made-up cases and exchanges. */
import type { Level } from '../../src/contract/contract.ts';
import { contractOf } from '../../src/contract/profile/apply-profile.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import type { Ending } from '../../src/exchange/ending.ts';
import type { Traffic } from '../../src/exchange/traffic.ts';
import type { Plan } from '../../src/plan/plan.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';
import type { Ask, Case } from '../../src/suite/case.ts';
import { loadRequests } from '../../src/suite/read-suites.ts';
import type { Check } from '../../src/verdict/check.ts';
import { judgeGateway } from '../../src/verdict/judge.ts';
import { runView } from './exchanges.ts';
import type { CheckResult, Finding, Verdict } from '../../src/verdict/verdict.ts';

const NOTHING = { requests: 0, completions: 0, tokens: 0 };

/** The level that the contract gives to each of these. */
export const CLAUSES: Record<Level, string> = {
  must: 'errors.code',
  should: 'wire.json-labelled',
  observe: 'wire.compression',
};

interface Parts {
  readonly cases?: readonly Case[];
  readonly stepsOf?: Plan['stepsOf'];
  readonly omissions?: Plan['omissions'];
  readonly exchanges?: readonly Exchange[];
  readonly ending?: Ending;
  readonly settings?: Partial<Settings>;
  readonly checks?: Readonly<Record<string, Check>>;
}

/** Without `ask`, it looks at all exchanges. */
export function caseOf(
  id: string,
  clause: string,
  check: string,
  ask?: Partial<Ask> & { readonly base?: Ask['base'] },
): Case {
  const base = loadRequests().get('chat');
  if (!base) throw new Error('no chat');
  return {
    id,
    suite: 'own',
    title: id,
    source: { file: 'own.yaml', line: 1 },
    ...(ask && { ask: { base, edits: [], sample: false, closing: false, ...ask } }),
    over: ask ? [] : ['*'],
    needs: [],
    expect: [{ clause, check, options: {} }],
  };
}

export function judge(parts: Parts): readonly Verdict[] {
  const plan: Plan = {
    cases: parts.cases ?? [],
    partial: [],
    steps: [],
    stepsOf: parts.stepsOf ?? {},
    omissions: parts.omissions ?? [],
    least: NOTHING,
    most: NOTHING,
  };
  const traffic: Traffic = {
    ...runView({ exchanges: parts.exchanges ?? [] }).traffic,
    ...(parts.ending && { ending: parts.ending }),
  };
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...parts.settings };
  return judgeGateway(plan, traffic, { contract: contractOf(settings), settings, checks: parts.checks ?? {} });
}

export const says = (result: CheckResult): Check => ({ summary: 'x', execute: () => result });

export const FINDING: Finding = {
  mismatch: 'type',
  exchange: 'chat',
  attempt: 0,
  expected: { kind: 'type', types: ['string'] },
  actualType: 'null',
  actual: { kind: 'value', value: null },
  more: 0,
};

export const BROKEN: CheckResult = { kind: 'broken', findings: [FINDING] };
