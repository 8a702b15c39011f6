/** `wirecheck plan --targets FILE`: what a run on each target would send and cost, and the sum. Nothing is sent. */
import type { Cost, Plan } from '../../plan/plan.ts';
import { sumCosts } from '../../plan/cost.ts';
import { plan as planRun } from '../../run/run.ts';
import { clampWidth, count, groupDigits, hang, table } from '../../text/layout.ts';
import { inert } from '../../text/inert.ts';
import { formatJson } from '../format-json.ts';
import { shownDetail } from '../files/outputs.ts';
import { contractLine, formatPlan } from '../plan.ts';
import { budgetLines, type Limits } from '../plan-budgets.ts';
import type { Flags } from '../settings/merge-settings.ts';
import type { Inputs } from '../settings/read-settings.ts';
import { chooseTargets, limitsOf } from './check-targets.ts';
import { type SettledTarget, settleTargets } from './read-targets.ts';

interface PlannedTarget extends SettledTarget {
  readonly plan: Plan;
}

interface Asked {
  readonly flags: Flags;
  readonly json: boolean;
}

export function planTargets(file: string, { flags, json }: Asked, inputs: Inputs): number {
  const { io } = inputs;
  const chosen = chooseTargets(file, inputs);
  if (chosen.targets.length === 0) return 0;
  // With --targets, extra keys are not used.
  const planned = settleTargets(chosen, flags, io).map((target) => ({ ...target, plan: planRun(target.settings) }));
  for (const notice of inputs.notices) io.stderr.write(`${notice}\n`);
  const isVerbose = shownDetail(inputs.merged) === 'verbose';
  const width = clampWidth(io.stdout.columns);
  const sections = [
    ...(isVerbose ? planned.map((target) => formatPlan(target.plan, runOf(target), 'verbose', width)) : []),
    formatSum(planned, { limits: limitsOf(inputs), isVerbose, width }),
  ];
  io.stdout.write(json ? formatJson(toJson(planned)) : sections.join('\n'));
  return 0;
}

/** The limits are for all targets together. */
function runOf({ name, settings }: SettledTarget): Parameters<typeof formatPlan>[1] {
  const { maxRequests: _requests, maxCompletions: _completions, ...own } = settings;
  return { head: `${inert(name, 100)}: ${inert(settings.baseUrl, 300)}`, settings: own };
}

interface Look {
  readonly limits: Limits;
  readonly isVerbose: boolean;
  readonly width: number;
}

function formatSum(planned: readonly PlannedTarget[], { limits, isVerbose, width }: Look): string {
  const cost = costOf(planned);
  const rows = planned.map(({ name, plan }) => rowOf(inert(name, 40), plan.least, plan.most));
  const lines = [
    `Plan for a run on ${count(planned.length, 'target')} (nothing was sent)`,
    '',
    ...table([
      ['', 'requests', 'completions charged', 'tokens generated'],
      ...rows,
      rowOf('all', cost.least, cost.most),
    ]),
    '',
    ...changedContracts(planned).flatMap((line) => hang('', line, width)),
    ...hang('', '--max-requests and --max-completions limit all targets together.', width),
    ...budgetLines(cost, limits, width),
    ...(isVerbose ? [] : ['--verbose shows the whole plan of each target.']),
  ];
  return `${lines.join('\n')}\n`;
}

function rowOf(name: string, least: Cost, most: Cost): string[] {
  const cell = (part: keyof Cost) => `${groupDigits(least[part])} to ${groupDigits(most[part])}`;
  return [name, cell('requests'), cell('completions'), cell('tokens')];
}

/** Targets that are not judged by v1 as it is. */
function changedContracts(planned: readonly PlannedTarget[]): readonly string[] {
  return planned.flatMap(({ name, settings }) =>
    contractLine(settings).map((line) => `${inert(name, 40)}: ${line.replace(/^C/, 'c')}`),
  );
}

function costOf(planned: readonly PlannedTarget[]): Pick<Plan, 'least' | 'most'> {
  return {
    least: sumCosts(planned.map(({ plan }) => plan.least)),
    most: sumCosts(planned.map(({ plan }) => plan.most)),
  };
}

function toJson(planned: readonly PlannedTarget[]): object {
  const targets = planned.map(({ name, settings: { baseUrl }, plan }) => ({ name, baseUrl, plan }));
  return { targets, ...costOf(planned) };
}
