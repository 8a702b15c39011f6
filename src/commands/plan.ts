/** `wirecheck plan [BASE_URL]`. Sends nothing, and needs neither key nor secret header. */
import { plan as planRun } from '../run/run.ts';
import { EXTRA_KEYS } from '../suite/case.ts';
import { EXIT } from '../exit-codes.ts';
import { clampWidth, inert } from '../text/layout.ts';
import type { Keys, Settings } from '../settings.ts';
import { readSelected } from './choose-cases.ts';
import { shownDetail } from './files/outputs.ts';
import { formatJson } from '../json.ts';
import { capPlan, formatPlan, formatPlans, type PlannedRun, sumPlans } from './plan-text.ts';
import { findTargetsFile } from './run.ts';
import { SETTINGS_WITHOUT_SECRETS } from './settings/command-settings.ts';
import { findBaseUrl, findExtraKeys, type Inputs, readInputs } from './settings/read-settings.ts';
import type { Call, OwnOptions } from './command-row.ts';
import type { SettledTarget } from './targets/check-targets.ts';

/** The plan does not depend on the address. */
const ANY_TARGET = 'https://gateway.example/v1';

export async function planCommand({ args, options, flags, io }: Call): Promise<number> {
  const [argument] = args;
  const inputs = readInputs(SETTINGS_WITHOUT_SECRETS, flags, io);
  const targets = findTargetsFile(argument, inputs);
  if (targets !== undefined) return planTargets(targets, { flags, ...options }, inputs);
  const baseUrl = findBaseUrl(argument, inputs);
  const what = `a run${baseUrl === undefined ? '' : ` on ${baseUrl}`}`;
  // Only which extra keys there are: a config file may name a key that this machine does not have.
  const settings = readSelected(inputs, baseUrl ?? ANY_TARGET);
  return showRunPlan(settings, findExtraKeys(inputs.env), { what, ...options }, inputs);
}

type Shown = Pick<OwnOptions, 'json'> & { readonly what: string };

export function showRunPlan(settings: Settings, keys: Partial<Keys>, { what, json }: Shown, inputs: Inputs): number {
  const { io, notices } = inputs;
  const extraKeys = EXTRA_KEYS.filter((role) => keys[role] !== undefined);
  const plan = planRun(settings, extraKeys);
  for (const notice of notices) io.stderr.write(`${notice}\n`);
  const detail = shownDetail(inputs.merged);
  const width = clampWidth(io.stdout.columns);
  const head = `Plan for ${what} (nothing was sent)`;
  io.stdout.write(json ? formatJson(capPlan(plan, settings)) : formatPlan(plan, { head, settings }, detail, width));
  return EXIT.passed;
}

/** What a run on each target would send and cost, and the sum. */
async function planTargets(
  file: string,
  { flags, json }: Pick<Call, 'flags'> & Pick<OwnOptions, 'json'>,
  inputs: Inputs,
): Promise<number> {
  const { chooseTargets, limitsOf, settleTargets } = await import('./targets/check-targets.ts');
  const { io } = inputs;
  const chosen = chooseTargets(file, inputs);
  if (chosen.targets.length === 0) return EXIT.passed;
  // With --targets, extra keys are not used.
  const planned = settleTargets(chosen, { flags, io }).map((target) => ({ ...target, plan: planRun(target.settings) }));
  for (const notice of inputs.notices) io.stderr.write(`${notice}\n`);
  if (json) {
    const targets = planned.map(({ name, settings: { baseUrl }, plan }) => ({ name, baseUrl, plan }));
    const { least, most } = capPlan(sumPlans(planned), limitsOf(inputs));
    io.stdout.write(formatJson({ targets, least, most }));
    return EXIT.passed;
  }
  const isVerbose = shownDetail(inputs.merged) === 'verbose';
  const width = clampWidth(io.stdout.columns);
  const plans = isVerbose ? planned.map((target) => formatPlan(target.plan, runOf(target), 'verbose', width)) : [];
  io.stdout.write([...plans, formatPlans(planned, limitsOf(inputs), isVerbose, width)].join('\n'));
  return EXIT.passed;
}

/** The limits are for all targets together. */
function runOf({ name, settings }: SettledTarget): PlannedRun {
  const { maxRequests: _requests, maxCompletions: _completions, ...own } = settings;
  return { head: `${inert(name, 100)}: ${inert(settings.baseUrl, 300)}`, settings: own };
}
