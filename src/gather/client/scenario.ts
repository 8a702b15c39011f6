/** Scenarios: what the server does, and what a client has to make of it. Read from `suites/client.yaml`. */
import { once } from '../../once-per.ts';
import { checkFile } from '../../contract/file-schema.ts';
import { loadContract } from '../../contract/read-contract.ts';
import { readPackageFile } from '../../contract/package-files.ts';
import { parseYaml, type YamlDocument } from '../../contract/yaml/yaml-document.ts';
import { withoutUndefined } from '../../json.ts';
import type { AnyCase, Expectation } from '../../suite/case.ts';
import { type EntryPlace, readCases, refuseUnknownClause } from '../../suite/read-cases.ts';

export const CALL_MODES = ['plain', 'stream', 'models'] as const;
/** The call that a client makes. */
export type CallMode = (typeof CALL_MODES)[number];

export function endpointOf(mode: CallMode): 'chat' | 'models' {
  return mode === 'models' ? 'models' : 'chat';
}

/**
 * `text`: the exact text comes out; `failure`: a failed call is reported; `either`: both are recorded; `calls`: judged
 * by the calls of all scenarios that were played.
 */
export type ExpectedResult = 'text' | 'failure' | 'either' | 'calls';

/** The check of a scenario that names none: it judges what came out of the call. */
const USUAL_CHECK: Readonly<Partial<Record<ExpectedResult, string>>> = {
  text: 'understands',
  failure: 'makes-known',
  either: 'records',
};

export interface Scenario extends AnyCase, Pick<Entry, 'status' | 'basis'> {
  readonly expect: readonly [Expectation];
  /** Absent where the calls of all scenarios are judged: such a scenario is not played. */
  readonly mode?: CallMode;
  readonly expectedResult: ExpectedResult;
  /** The tokens of the reply, with `${word}` for the random word; absent for the usual text. */
  readonly tokens?: readonly string[];
  /** Names of changes: variants and faults of the reference gateway, and other behaviours. */
  readonly gateway: readonly string[];
  readonly behaviours: readonly string[];
}

/** A scenario with a server. */
export type PlayableScenario = Scenario & { readonly mode: CallMode };

export function isPlayable(scenario: Scenario): scenario is PlayableScenario {
  return scenario.mode !== undefined;
}

const FILE = 'suites/client.yaml';
const PREFIX = 'client';

/** A check of the calls of all scenarios. */
export type CallCheckName = string;

/** @title a scenario */
export interface Entry {
  /**
   * @pattern ^[a-z0-9]+(-[a-z0-9]+)*$
   * @x-message words in lower case with dashes between, such as stream-crlf
   */
  readonly id: string;
  /**
   * A sentence about what the client meets.
   *
   * @minLength 1
   */
  readonly title: string;
  /** @minLength 1 */
  readonly clause: string;
  readonly mode?: CallMode;
  /**
   * The text of the reply. ${word} is a random word; a bar separates the tokens of a stream.
   *
   * @pattern \$\{word\}
   * @x-message a text with ${word} in it
   */
  readonly text?: string;
  /**
   * Variants and faults of the reference gateway.
   *
   * @minItems 1
   */
  readonly gateway?: readonly string[];
  /**
   * Behaviours in src/gateway/behaviours.ts.
   *
   * @minItems 1
   */
  readonly behaviours?: readonly string[];
  /**
   * Every call is refused with it.
   *
   * @asType integer
   * @minimum 400
   * @maximum 599
   */
  readonly status?: number;
  /** With expect: calls. The part of the calls to look at. */
  readonly check?: CallCheckName;
  /** Id of a simpler scenario: if the client fails that one, this one says nothing more. */
  readonly basis?: string;
}

/**
 * Scenarios of one kind of call that expect the same.
 *
 * @title an area
 */
export interface Area {
  /**
   * @pattern ^[a-z]+( [a-z]+)*$
   * @x-message words in lower case
   */
  readonly area: string;
  readonly mode?: CallMode;
  readonly expect: ExpectedResult;
  /** @minItems 1 */
  readonly scenarios: readonly Entry[];
}

/** Scenarios for clients: suites/client.yaml. */
export interface ScenarioFile {
  /** @minItems 1 */
  readonly areas: readonly Area[];
}

/** The order is that of the file. The first scenario of each mode is the control of that mode. */
export const loadScenarios = once(() => readScenarios(parseYaml(readPackageFile(FILE), FILE)));

export function readScenarios(document: YamlDocument): readonly Scenario[] {
  checkFile('client-suite', document);
  const { areas } = document.value as ScenarioFile;
  const located = areas.flatMap((area, at) =>
    area.scenarios.map((entry, index) => ({
      entry: { ...entry, area },
      path: ['areas', at, 'scenarios', index],
      ids: [`${PREFIX}/${entry.id}`],
    })),
  );
  return readCases(document, located, (entry, place) => [toScenario(entry, entry.area, place)]);
}

function toScenario(entry: Entry, { area, mode: usual, expect: expectedResult }: Area, place: EntryPlace): Scenario {
  const { id, title, clause, mode = usual, check = USUAL_CHECK[expectedResult], gateway = [], behaviours = [] } = entry;
  const { text, status, basis } = entry;
  if (check === undefined) return place.refuse(`${id} needs check.`);
  if (expectedResult !== 'calls' && mode === undefined) place.refuse(`${id} needs mode: plain, stream or models.`);
  refuseUnknownClause(clause, place.at('clause'), loadContract('client'));
  return {
    id: `${PREFIX}/${id}`,
    suite: area,
    title,
    source: place.at(),
    expect: [{ clause, check, options: {} }],
    expectedResult,
    // For a client, a form is legal if its grammar allows it, even where a gateway is warned of it.
    gateway,
    behaviours,
    ...withoutUndefined({ mode, tokens: text?.split('|'), status, basis: basis && `${PREFIX}/${basis}` }),
  };
}

/** The scenario that shows whether the client makes this kind of call at all. */
export function controlBefore(mode: CallMode): PlayableScenario {
  const control = loadScenarios().find((scenario) => scenario.mode === mode);
  if (!control || !isPlayable(control)) throw new Error(`No scenario has the mode ${mode}.`);
  return control;
}
