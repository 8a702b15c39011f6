/** The requests that a selected case is judged by, although they belong to cases that were not selected. */

import type { Settings } from '../settings.ts';
import { type Case, isSelection, type Selection } from '../suite/case.ts';
import type { BaseRequests } from '../suite/load-requests.ts';
import { applyEdits } from './apply-edits.ts';
import { seeksOf } from './classify-step.ts';
import type { RequestTemplate, SoughtAnswer, TraitsOfChecks } from './plan.ts';
import { matchesGlob } from './select.ts';

type Selects = (request: Pick<RequestTemplate, 'endpoint' | 'mode'>, seeks: SoughtAnswer) => boolean;

const selectsReply: Selects = ({ endpoint, mode }, seeks) => endpoint === 'chat' && mode === 'plain' && isProper(seeks);

/** Whether the answer to a request may belong to a selection. The answer itself decides the rest. */
export const MAY_BE_SELECTED: Record<Selection, Selects> = {
  '*': () => true,
  lists: ({ endpoint }, seeks) => endpoint === 'models' && isProper(seeks),
  replies: selectsReply,
  completions: selectsReply,
  streams: ({ mode }, seeks) => mode === 'stream' && isProper(seeks),
};

/** A 200 to an invalid key or an invalid request is already a finding of its own, so its body is not judged. */
function isProper(seeks: SoughtAnswer): boolean {
  return seeks !== 'unauthorized' && seeks !== 'refusal';
}

const selectsRefusal: Selects = ({ endpoint, mode }, seeks) =>
  endpoint === 'chat' && mode === 'plain' && seeks === 'refusal';

/** Refusals that show how fast the target is without generation: enough for a median that one slow answer leaves alone. */
const REFUSALS = 3;

export interface Feeding {
  readonly cases: readonly Case[];
  /** Base requests. */
  readonly bases: readonly string[];
}

/**
 * A case that judges the answers of other requests is fed with all of them if it was selected by its full id, or if no
 * selected case sends one of them. With a wider glob, it judges what the selected cases send, so `--only 'auth/*'` stays
 * cheap. A rerun names the requests itself (`fedBy`).
 */
export function feedingOf(
  asked: readonly Case[],
  available: readonly Case[],
  { requests, checks }: { readonly requests: BaseRequests; readonly checks: TraitsOfChecks },
  { only, fedBy }: Pick<Settings, 'only' | 'fedBy'>,
): Feeding {
  const cases = new Set<Case>();
  const bases = new Set<string>();
  for (const testCase of asked) {
    const named = fedBy[testCase.id];
    for (const name of named ?? []) {
      const other = available.find(({ id }) => id === name);
      if (other) cases.add(other);
      else if (requests.has(name)) bases.add(name);
    }
    if (named) continue;
    const isNamed = only.some((glob) => !glob.includes('*') && matchesGlob(glob, testCase.id));
    for (const { isMetBy, enough } of needsOf(testCase, checks)) {
      if ((!isNamed || enough !== undefined) && asked.some(isMetBy)) continue;
      // A stream that is sent only to be timed once more is of use to its own case alone.
      const fitting = available.filter((other) => isMetBy(other) && other.ask?.confirms === undefined);
      for (const other of fitting.slice(0, enough)) cases.add(other);
    }
  }
  return { cases: [...cases], bases: [...bases] };
}

interface Need {
  readonly isMetBy: (other: Case) => boolean;
  /** How many are enough; all of them if absent. */
  readonly enough?: number;
}

function needsOf({ over, ask }: Case, checks: TraitsOfChecks): readonly Need[] {
  const selections = over.filter(isSelection);
  return [
    ...selections.map((name): Need => ({ isMetBy: (other) => sends(other, MAY_BE_SELECTED[name], checks) })),
    // The wait for a stream is compared with the time of a refusal.
    ...(ask?.confirms === undefined ? [] : [{ isMetBy: (other: Case) => isRefused(other, checks), enough: REFUSALS }]),
  ];
}

/** An edit of max_tokens may make the target generate without end. */
function isRefused(testCase: Case, checks: TraitsOfChecks): boolean {
  const editsTokens = testCase.ask?.edits.some((edit) => 'pointer' in edit && edit.pointer === '/max_tokens');
  return editsTokens === false && sends(testCase, selectsRefusal, checks);
}

function sends(testCase: Case, selects: Selects, checks: TraitsOfChecks): boolean {
  const { ask } = testCase;
  if (!ask) return false;
  const template = applyEdits(ask.base, ask.edits, testCase);
  return selects(template, seeksOf(testCase, ask, template, checks));
}
