/** `--plan` of an exploration: what would be drawn, and the most that it can cost. Nothing is sent. */

import { contractOf } from '../contract/profile/apply-profile.ts';
import { makeExchangeId } from '../exchange/identity.ts';
import { MAX_UNANSWERED } from '../exchange/walking/target-watch.ts';
import { classify } from '../explore/classify.ts';
import { MOST_LOOKING, MOST_PER_FINDING } from '../explore/shrink-budget.ts';
import { EXPLORE, planExplore } from '../explore/plan-explore.ts';
import { ANY_MODEL, bindRequest, initialBindings } from '../plan/bind-request.ts';
import type { Plan } from '../plan/plan.ts';
import { makeRequestWord } from '../plan/request-word.ts';
import type { Settings } from '../settings.ts';
import { count } from '../text/layout.ts';
import { formatJson } from './format-json.ts';

const KINDS = {
  valid: 'that have to be answered',
  tolerant: 'with unknown fields',
  invalid: 'with one violation',
  open: 'that may be refused',
} as const;

/** What `--json` prints. */
interface ShownExplorePlan {
  readonly baseUrl: string;
  readonly seed: number;
  readonly draws: number;
  readonly sequences: number;
  /** Drawn requests, by what the contract says of them. */
  readonly requests: Readonly<Record<'all' | keyof typeof KINDS, number>>;
  /** Of the drawn requests, as they are sent. Without `--model`, a name of usual length is assumed. */
  readonly bodyBytes: number;
  /** With the controls, if everything passes. */
  readonly least: { readonly requests: number; readonly completions: number };
  /** At most. Completions are zero where the scripted upstream answers. */
  readonly most: {
    /** In all, with every attempt (`--retries`) and every control that is asked again. */
    readonly requests: number;
    /** For asking again and shrinking. */
    readonly furtherRequests: number;
    readonly requestsPerFinding: number;
    readonly completions: number;
    readonly shrinkCompletions: number;
    /** Without asking again and shrinking. */
    readonly completionTokens: number;
  };
}

/** `isFree`: the upstream is ours. */
function describeExplorePlan(settings: Settings, isFree: boolean): ShownExplorePlan {
  const contract = contractOf(settings);
  const { draws, plan } = planExplore(settings);
  const requests = draws.flatMap((draw) => draw.requests);
  const kinds = requests.map((request) => classify(request, contract).kind);
  const countOf = (kind: keyof typeof KINDS): number => kinds.filter((own) => own === kind).length;
  return {
    baseUrl: settings.baseUrl,
    seed: settings.seed,
    draws: draws.length,
    sequences: draws.filter((draw) => draw.requests.length > 1).length,
    requests: {
      all: requests.length,
      valid: countOf('valid'),
      tolerant: countOf('tolerant'),
      invalid: countOf('invalid'),
      open: countOf('open'),
    },
    bodyBytes: countBytes(plan, settings),
    least: { requests: plan.least.requests, completions: plan.least.completions },
    most: {
      requests: mostRequests(settings, plan),
      furtherRequests: MOST_LOOKING,
      requestsPerFinding: MOST_PER_FINDING,
      completions: isFree ? 0 : mostCompletions(settings, plan),
      shrinkCompletions: isFree ? 0 : (settings.explore?.shrinkCompletions ?? 0),
      completionTokens: isFree ? 0 : plan.most.tokens,
    },
  };
}

export function formatExplorePlan(settings: Settings, { isFree = false, json = false }): string {
  const plan = describeExplorePlan(settings, isFree);
  if (json) return formatJson(plan);
  const { baseUrl, seed, sequences, requests, bodyBytes, least, most } = plan;
  const number = (value: number): string => value.toLocaleString('en');
  const about = settings.model === undefined ? 'about ' : '';
  return [
    `Explore ${baseUrl}, seed ${seed}\n`,
    `  ${count(requests.all, 'drawn request')}, ${about}${count(bodyBytes, 'byte')} of bodies, ${count(sequences, 'sequence')} on one connection\n`,
    ...Object.entries(KINDS).map(([kind, words]) => `  ${requests[kind as keyof typeof KINDS]} ${words}\n`),
    `  ${number(least.requests)} requests with the controls, ${number(least.completions)} completions or more\n`,
    `At most ${number(most.furtherRequests)} requests more for asking again and shrinking, about ${most.requestsPerFinding} a finding.\n`,
    `At most ${number(most.requests)} requests in all, with every retry and every control that is asked again.\n`,
    ...(isFree
      ? ['Nothing is charged: the scripted upstream calls no model.\n']
      : [
          `At most ${number(most.completions)} charged completions, ${number(most.shrinkCompletions)} of them for asking again and shrinking.\n`,
          `At most ${number(most.completionTokens)} completion tokens, without asking again and shrinking.\n`,
        ]),
    'Nothing was sent.\n',
  ].join('');
}

function countBytes({ steps }: Plan, settings: Settings): number {
  const bindings = { model: ANY_MODEL, ...initialBindings(settings) };
  const sizes = steps.flatMap(({ id, name, template }) => {
    const word = makeRequestWord(settings.seed, makeExchangeId({ step: id }));
    const filled = name === EXPLORE ? bindRequest(template, bindings, word) : undefined;
    return filled?.kind === 'request' ? [Buffer.byteLength(filled.request.body ?? '')] : [];
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Controls after waves with doubtful refusals, and after refusals of the key, are fewer. */
const OTHER_CONTROLS = 24;

function mostRequests({ retries, maxRequests = Infinity }: Settings, { steps, most }: Plan): number {
  const controls = Math.ceil(steps.length / MAX_UNANSWERED) + OTHER_CONTROLS;
  return Math.min(maxRequests, most.requests + controls * (retries + 1) + MOST_LOOKING);
}

/** A careless target may answer violations too, until the run ends at its limit. */
function mostCompletions({ maxCompletions = Infinity, explore }: Settings, { most }: Plan): number {
  return Math.min(maxCompletions, most.completions + (explore?.shrinkCompletions ?? 0));
}
