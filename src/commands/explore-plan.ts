/** `--plan` of an exploration: what would be drawn, and the most that it can cost. Nothing is sent. */
import { classify } from '../explore/classify.ts';
import { planExplore } from '../explore/plan-explore.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import type { Plan } from '../plan/plan.ts';
import type { Settings } from '../settings.ts';
import { count } from '../text/layout.ts';

const KINDS = {
  valid: 'that have to be answered',
  tolerant: 'with unknown fields',
  invalid: 'with one violation',
  open: 'that may be refused',
} as const;

/** `isFree`: the upstream is ours. */
export function formatExplorePlan(settings: Settings, isFree = false): string {
  const contract = contractOf(settings);
  const { draws, plan } = planExplore(settings);
  const requests = draws.flatMap((draw) => draw.requests);
  const standings = requests.map((request) => classify(request, contract).kind);
  const bytes = requests.reduce((sum, { body, raw }) => sum + Buffer.byteLength(raw ?? JSON.stringify(body)), 0);
  const sequences = draws.filter((draw) => draw.requests.length > 1).length;
  const { explore, seed } = settings;
  const shrinking = explore?.shrinkCompletions ?? 0;
  const number = (value: number): string => value.toLocaleString('en');
  return [
    `Explore ${settings.baseUrl}, seed ${seed}\n`,
    `  ${count(requests.length, 'drawn request')}, ${count(bytes, 'byte')} of bodies, ${count(sequences, 'sequence')} on one connection\n`,
    ...Object.entries(KINDS).map(([kind, words]) => `  ${standings.filter((own) => own === kind).length} ${words}\n`),
    `  ${number(plan.least.requests)} requests with the controls, ${number(plan.least.completions)} completions or more\n`,
    ...(isFree
      ? ['Nothing is charged: the scripted upstream calls no model. Each finding takes up to 40 requests more.\n']
      : [
          `At most ${number(mostCompletions(settings, plan))} charged completions, ${number(shrinking)} of them for asking again and shrinking.\n`,
          `At most ${number(plan.most.tokens)} completion tokens, without asking again and shrinking.\n`,
        ]),
    'Nothing was sent.\n',
  ].join('');
}

/** A careless target may answer violations too, until the run ends at its limit. */
function mostCompletions({ maxCompletions = Infinity, explore }: Settings, { most }: Plan): number {
  return Math.min(maxCompletions, most.completions + (explore?.shrinkCompletions ?? 0));
}
