/** What a plan says to people, whatever is checked: the requests, their cost, and what is left out. */
import type { ChosenContract } from '../contract/profile/apply-profile.ts';
import { promptTokensOf, sumCosts, tokenLimitOf, tokensOfReply, usualCost } from '../plan/cost.ts';
import type { Cost, Plan, Step } from '../plan/plan.ts';
import { type Wave, WAVES } from '../plan/known-steps.ts';
import type { Detail } from '../render/index.ts';
import { formatProfile, shortDigest } from '../render/profile-text.ts';
import { groupBy } from '../report/counts.ts';
import { reportProfile } from '../report/profile-report.ts';
import type { Settings } from '../settings.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { EXTRA_KEYS } from '../suite/case.ts';
import { count, groupDigits, hang, inert, padEnd, table } from '../text/layout.ts';
import { formatReason, formatRemedy } from '../verdict/reason.ts';

/** The contract by which answers would be judged, if not v1: what is sent depends on it. */
export function contractLine(chosen: ChosenContract): readonly string[] {
  const profile = reportProfile(chosen);
  return profile ? [`Contract: ${inert(formatProfile(profile), 300)} [profile ${shortDigest(profile)}]`] : [];
}

/** `settings`: of the run, with limits of its own. */
export interface PlannedRun {
  readonly head: string;
  readonly settings: ChosenContract & PlanLimits;
}

export function formatPlan(plan: Plan, { head, settings }: PlannedRun, detail: Detail, width: number): string {
  const sections = [
    [head, ...contractLine(settings)],
    costTable(plan, settings, width),
    budgetLines(plan, settings, width),
    ...(detail === 'verbose' ? WAVES.flatMap((wave) => waveLines(plan, wave, width)) : []),
    omissionLines(plan, detail, width),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join('\n')}\n`)
    .join('\n');
}

function costTable({ steps, cases, omissions }: Plan, limits: PlanLimits, width: number): string[] {
  const longest = Math.max(0, ...steps.map(({ template }) => promptTokensOf(template)));
  const amounts = [({ least }: Step) => least, usualCost, ({ most }: Step) => most].map((costOf) => {
    const capped = capCost(sumCosts(steps.map(costOf)), steps, limits);
    const prompts = steps.reduce((sum, step) => sum + costOf(step).completions * promptTokensOf(step.template), 0);
    return { ...capped, prompts: Math.min(prompts, capped.completions * longest) };
  });
  const row = (name: string, values: readonly number[], show = groupDigits) => [name, ...values.map(show), bar(values)];
  const [input = 0, output = 0] = limits.price?.split('/').map(Number) ?? [];
  const prices = amounts.map(({ prompts, tokens }) => (prompts * input + tokens * output) / MILLION);
  return [
    ...table([
      ['', 'at least', 'usually', 'at most'],
      ...AMOUNTS.map(([name, part]) =>
        row(
          name,
          amounts.map((amount) => amount[part]),
        ),
      ),
      ...(limits.price === undefined ? [] : [row(`price at ${limits.price}`, prices, (amount) => amount.toFixed(4))]),
    ]),
    `for ${cases.length - omissions.length} of ${count(cases.length, 'case')}`,
    ...uncountedLines(steps, width),
    ...addedLines(steps, width),
  ];
}

const AMOUNTS = [
  ['requests', 'requests'],
  ['completions charged', 'completions'],
  ['tokens generated', 'tokens'],
  ['prompt tokens, about', 'prompts'],
] as const;
const MILLION = 1e6;

/** Characters of a bar, which ends with the most. */
const BAR = 24;

function bar([least = 0, usual = 0, most = 0]: readonly number[]): string {
  const [first = 0, second = 0] = [least, usual].map((value) => Math.round((value / (most || 1)) * BAR));
  return `${'█'.repeat(first)}${'▓'.repeat(second - first)}${'░'.repeat(BAR - second)}`;
}

/** Opening connections and what is sent after a pause take a few seconds more. */
const AROUND_PAUSE = 4;

/** Settings and keys that send more, and the steps that they add. */
const ADDING: readonly (readonly [name: string, isAdded: (step: Step) => boolean])[] = [
  ...EXTRA_KEYS.map((role) => [KEY_VARIABLES[role], ({ template }: Step) => template.key === role] as const),
  ['--parallel', ({ wave }) => wave === 'parallel'],
  ['--patient', ({ wave }) => wave === 'patient'],
  ['--counts', ({ id }) => id.startsWith('counts/')],
  ['--context-tokens', ({ template }) => template.filler?.kind === 'words'],
  ['--largest-body', ({ when }) => when?.kind === 'taken'],
];

function addedLines(steps: readonly Step[], width: number): string[] {
  return ADDING.flatMap(([name, isAdded]) => {
    const own = steps.filter(isAdded);
    const charged = sumCosts(own.map(({ most }) => most)).completions;
    const pause = Math.max(0, ...own.map(({ template }) => template.idle?.pause ?? 0));
    const parts = [
      count(own.length, 'request'),
      charged === 0 ? 'no completion' : `at most ${count(charged, 'completion')}`,
      ...(pause === 0 ? [] : [`about ${Math.ceil(pause / 1000) + AROUND_PAUSE} s`]),
    ];
    return own.length === 0 ? [] : hang('', `${name} adds ${parts.join(', ')}`, width);
  });
}

/** Replies whose tokens nobody can count in advance. */
function uncountedLines(steps: readonly Step[], width: number): string[] {
  const uncounted = steps.filter(({ bound }) => bound === 'nothing' || bound === 'time');
  const numberOf = (limit: 'none' | 'invalid') =>
    uncounted.filter(({ template }) => tokenLimitOf(template.body) === limit).length;
  const [none, invalid] = [numberOf('none'), numberOf('invalid')];
  const parts = [
    ...(none > 0 ? [`${count(none, 'request')} without max_tokens`] : []),
    ...(invalid > 0 ? [`${invalid} with an invalid max_tokens (stopped after 20 s)`] : []),
  ];
  return parts.length === 0 ? [] : hang('', `not counted: replies to ${parts.join(', and to ')}`, width);
}

const WAVE_TITLES: Record<Wave, string> = {
  list: 'The list of models',
  control: 'The control request, without which a refusal proves nothing',
  positive: 'Requests that must be answered',
  edit: 'Edited requests, most of which must be refused',
  malformed: 'Malformed requests and missing fields',
  large: 'Large bodies without model and messages, one at a time',
  credential: 'Requests with other keys or none, one at a time',
  parallel: 'Many requests at once',
  patient: 'Requests before and after idle pauses',
  'max-tokens': 'Edits of max_tokens, one at a time',
  closing: 'Requests at the end',
};

function waveLines({ steps }: Plan, wave: Wave, width: number): string[][] {
  const own = steps.filter((step) => step.wave === wave);
  if (own.length === 0) return [];
  const lines = own.flatMap((step) => hang(`  ${padEnd(step.id, 44)}  `, formatStep(step), width));
  return [[`${WAVE_TITLES[wave]} (${count(own.length, 'step')})`, ...lines]];
}

function formatStep({ template, when, repeat, bound, samples, firstRound = 1, packedIn }: Step): string {
  return [
    `${template.method} ${template.path}${template.query === undefined ? '' : `?${template.query}`}`,
    ...(template.mode === 'stream' ? ['streamed'] : []),
    ...(BOUNDS[bound] === undefined ? [] : [BOUNDS[bound]]),
    ...(template.key === 'full' ? [] : [`key: ${template.key}`]),
    ...(samples === undefined || packedIn !== undefined ? [] : [count(samples - firstRound + 1, 'time')]),
    ...(packedIn === undefined ? [] : [`more than once only if ${packedIn} was not answered`]),
    ...(repeat ? [`up to ${repeat.most} times, until ${repeat.until}`] : []),
    ...(repeat?.more === undefined ? [] : [`then ${count(repeat.more, 'time')} more`]),
    ...(when
      ? [`only if ${when.step} ${CONDITIONS[when.kind]}${'statuses' in when ? when.statuses.join(' or ') : ''}`]
      : []),
  ].join(', ');
}

const BOUNDS: Record<Step['bound'], string | undefined> = {
  'max-tokens': undefined,
  'first-text': 'ended at the first text',
  time: 'stopped after 20 s',
  nothing: 'unbounded',
};

const CONDITIONS: Record<NonNullable<Step['when']>['kind'], string> = {
  answered: 'was answered',
  unanswered: 'was not answered',
  looksFake: 'does not look streamed',
  status: 'had status ',
  refused: 'was refused',
  unrefused: 'was not refused',
  readable: 'or another answer allows its Origin',
  taken: 'was not refused as too large',
};

/** What is not sent: in one line, or with `--verbose` with the cases. */
function omissionLines({ omissions, steps }: Plan, detail: Detail, width: number): string[] {
  const groups = [...groupBy(omissions, ({ reason }) => formatRemedy(reason) ?? formatReason(reason))];
  const number = count(omissions.length, 'case');
  if (detail !== 'verbose') {
    const remedies = groups.map(([remedy]) => remedy).join('; ');
    return [
      ...(omissions.length === 0 ? [] : hang('Not sent: ', `${number} (${remedies})`, width)),
      `--verbose lists all ${count(steps.length, 'request')}, and when each is sent.`,
    ];
  }
  if (omissions.length === 0) return [];
  return [
    `Not sent (${number})`,
    ...groups.flatMap(([remedy, group]) => [
      ...hang('  - ', `${remedy}:`, width),
      ...hang('    ', group.map((omission) => omission.case).join(', '), width),
    ]),
  ];
}

export type PlanLimits = Pick<Settings, 'maxRequests' | 'maxCompletions' | 'price'>;

const EFFECTS = [
  ['--max-requests', 'maxRequests', 'requests', 'ends the run early, before all is judged'],
  ['--max-completions', 'maxCompletions', 'completions', 'leaves out a part of the run'],
] as const;

type Costs = Pick<Plan, 'steps' | 'least' | 'most'>;

/** The plan with no more of anything than its limits allow. */
export function capPlan<Of extends Costs>(plan: Of, limits: PlanLimits): Of {
  const [least, most] = [plan.least, plan.most].map((cost) => capCost(cost, plan.steps, limits));
  return { ...plan, least, most };
}

function capCost(
  { requests, completions, tokens }: Cost,
  steps: readonly Step[],
  { maxRequests = Infinity, maxCompletions = Infinity }: PlanLimits,
): Cost {
  const charged = Math.min(completions, maxCompletions, maxRequests);
  return {
    requests: Math.min(requests, maxRequests),
    completions: charged,
    tokens: Math.min(tokens, charged * Math.max(0, ...steps.map(tokensOfReply))),
  };
}

/** What `--max-requests` and `--max-completions` mean for a plan that may take more. */
function budgetLines({ least, most }: Omit<Costs, 'steps'>, limits: PlanLimits, width: number): readonly string[] {
  return EFFECTS.flatMap(([flag, name, part, effect]) => {
    const limit = limits[name];
    if (limit === undefined || limit >= most[part]) return [];
    const [low, high] = [least[part], most[part]].map(groupDigits);
    const need = limit < least[part] ? `: it needs at least ${low}` : `, if it needs more (${high} at most)`;
    return hang('', `${flag} ${groupDigits(limit)} ${effect}${need}.`, width);
  });
}

/** The plan for one of several targets. */
interface PlannedTarget {
  readonly name: string;
  readonly settings: ChosenContract;
  readonly plan: Plan;
}

/** `limits`: of all targets together. */
export function formatPlans(
  planned: readonly PlannedTarget[],
  limits: PlanLimits,
  isVerbose: boolean,
  width: number,
): string {
  const cost = sumPlans(planned);
  const { least, most } = capPlan(cost, limits);
  const rows = planned.map(({ name, plan }) => rowOf(inert(name, 40), plan.least, plan.most));
  const lines = [
    `Plan for a run on ${count(planned.length, 'target')} (nothing was sent)`,
    '',
    ...table([['', 'requests', 'completions charged', 'tokens generated'], ...rows, rowOf('all', least, most)]),
    '',
    // Targets that are not judged by v1 as it is.
    ...planned.flatMap(({ name, settings }) =>
      contractLine(settings).flatMap((line) => hang('', `${inert(name, 40)}: ${line.replace(/^C/, 'c')}`, width)),
    ),
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

export function sumPlans(planned: readonly PlannedTarget[]): Costs {
  return {
    steps: planned.flatMap(({ plan }) => plan.steps),
    least: sumCosts(planned.map(({ plan }) => plan.least)),
    most: sumCosts(planned.map(({ plan }) => plan.most)),
  };
}
