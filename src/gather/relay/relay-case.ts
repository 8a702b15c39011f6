/** A case of `suites/relay.yaml`, with its script filled in. */
import type { JsonObject } from '../../json.ts';
import type { Mode } from '../../plan/plan.ts';
import type { AnyCase, Expectation, KeyUse } from '../../suite/case.ts';
import type { Settings } from '../../settings.ts';
import { canCompareModels, namedModels } from './named-models.ts';
import type { UpstreamScript } from './upstream-script.ts';

/**
 * How a case is asked. `parallel`: many times at once, each with its own word; `same-key` and `two-keys`: the very same
 * request twice; `leave`: the client disconnects before the answer ends; `stall`: watched while the upstream is silent;
 * `models`: once with each model that the user names; `silence`: all such cases at once, with `--patient`; `idle`: after
 * each of two idle pauses, with `--patient`; `refused`: after the upstream has closed its port; `none`: the case looks at
 * all calls of the run.
 */
export const CALLS = [
  'one',
  'parallel',
  'same-key',
  'two-keys',
  'leave',
  'stall',
  'models',
  'silence',
  'idle',
  'refused',
  'none',
] as const;
export type Calls = (typeof CALLS)[number];

/** @title a message */
export interface RelayMessage {
  /** @pattern ^(system|user|assistant)$ */
  readonly role: string;
  /** `${word}` is replaced by the word of the question. */
  readonly content: string;
}

/** A clause of a gateway's own contract, judged over its answers to the client. */
export interface FrontExpectation extends Expectation {
  /** The answers that the gateway's case looks over. */
  readonly over: readonly string[];
}

/** What a case expects, once the sets and the gateway's cases that it names are filled in. */
export interface ReadExpectation extends Expectation {
  /** What the check `front` judges. */
  readonly front?: FrontExpectation;
}

export interface RelayCase extends AnyCase {
  readonly mode: Mode;
  readonly calls: Calls;
  readonly messages: readonly RelayMessage[];
  /** Further fields of the request. */
  readonly request: JsonObject;
  readonly key: KeyUse;
  readonly script: UpstreamScript;
  readonly expect: readonly ReadExpectation[];
}

/** Whether the gateway may have to recover afterwards. */
export function injectsFailure({ suite }: RelayCase): boolean {
  return suite === 'failures';
}

/** The control is asked after it. */
export function mayHarm(testCase: RelayCase): boolean {
  return injectsFailure(testCase) || testCase.calls === 'leave';
}

/** The setting or the key that the case needs, and that the user did not give. */
export function missingFor({ calls }: RelayCase, settings: Settings, hasSecondKey: boolean) {
  if (calls === 'two-keys') return hasSecondKey ? undefined : 'second-key';
  if (calls === 'models') return canCompareModels(namedModels(settings)) ? undefined : 'upstream-model';
  return (calls === 'silence' || calls === 'idle') && !settings.patient ? 'patient' : undefined;
}

/** The step of the questions between the cases. */
export const CONTROL = 'control';
