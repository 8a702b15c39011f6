/** Scenarios: what the server does, and what a client has to make of it. Read from `suites/client.yaml`. */
import type { Contract } from '../contract/contract.ts';
import { checkFile } from '../contract/file-schema.ts';
import { readPackageFile } from '../contract/package-files.ts';
import { parseYaml, type YamlDocument } from '../contract/yaml/yaml-document.ts';
import type { Modifier } from '../gateway/index.ts';
import { namedModifiers } from '../scripted/reply-script.ts';
import type { SourcePlace } from '../suite/case.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import type { CallCheckName } from './call-check-names.ts';

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
export type Outlook = 'text' | 'failure' | 'either' | 'calls';

export interface Scenario {
  readonly id: string;
  /** The area it is listed in. */
  readonly suite: string;
  readonly title: string;
  readonly source: SourcePlace;
  /** Absent where the calls of all scenarios are judged: such a scenario is not played. */
  readonly mode?: CallMode;
  readonly expect: Outlook;
  readonly clause: string;
  /** The tokens of the reply, with `${word}` for the random word; absent for the usual text. */
  readonly tokens?: readonly string[];
  readonly modifiers: readonly Modifier[];
  /** Names of the modifiers, for `explain`. */
  readonly changes: readonly string[];
  /** Every call is refused with it. */
  readonly status?: number;
  /** A simpler scenario: if the client fails it, this one says nothing more. */
  readonly basis?: string;
  /** What is looked at in the calls of all scenarios. */
  readonly check?: CallCheckName;
}

/** A scenario with a server. */
export type PlayableScenario = Scenario & { readonly mode: CallMode };

export function isPlayable(scenario: Scenario): scenario is PlayableScenario {
  return scenario.mode !== undefined;
}

const FILE = 'suites/client.yaml';
const PREFIX = 'client';

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
   * Behaviours in src/client/behaviours.
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
  readonly expect: Outlook;
  /** @minItems 1 */
  readonly scenarios: readonly Entry[];
}

/** Scenarios for clients: suites/client.yaml. */
export interface ScenarioFile {
  /** @minItems 1 */
  readonly areas: readonly Area[];
}

/** In the order of the file. The first of each mode is the control of that mode. */
export function loadScenarios(contract: Contract): readonly Scenario[] {
  const document = parseYaml(readPackageFile(FILE), FILE);
  return readScenarios(document, contract);
}

export function readScenarios(document: YamlDocument, contract: Contract): readonly Scenario[] {
  checkFile('client-suite', document);
  const { areas } = document.value as ScenarioFile;
  const lines = new Map<string, number>();
  return areas.flatMap((area, at) =>
    area.scenarios.map((entry, index) => {
      const path = ['areas', at, 'scenarios', index] as const;
      const scenario = toScenario(entry, area, new Place(document, path), contract);
      const before = lines.get(scenario.id);
      if (before !== undefined)
        new Place(document, path).refuse(`the id ${scenario.id} is already used on line ${before}. Choose another.`);
      lines.set(scenario.id, scenario.source.line);
      return scenario;
    }),
  );
}

class Place {
  readonly #document: YamlDocument;
  readonly #path: readonly (string | number)[];

  constructor(document: YamlDocument, path: readonly (string | number)[]) {
    this.#document = document;
    this.#path = path;
  }

  get source(): SourcePlace {
    return { file: this.#document.file, line: this.#document.lineOf(this.#path) };
  }

  refuse(message: string, ...below: readonly (string | number)[]): never {
    const line = this.#document.lineOf([...this.#path, ...below]);
    throw new UsageError(message, { file: this.#document.file, line });
  }
}

function toScenario(entry: Entry, { area, mode: usual, expect }: Area, place: Place, contract: Contract): Scenario {
  const mode = entry.mode ?? usual;
  if (expect === 'calls' && entry.check === undefined) return place.refuse(`${entry.id} needs check.`);
  if (expect !== 'calls' && mode === undefined) return place.refuse(`${entry.id} needs mode: plain, stream or models.`);
  refuseUnknownClause(entry.clause, place, contract);
  const { gateway = [], behaviours = [] } = entry;
  return {
    id: `${PREFIX}/${entry.id}`,
    suite: area,
    title: entry.title,
    source: place.source,
    ...(mode !== undefined && { mode }),
    expect,
    clause: entry.clause,
    ...(entry.text !== undefined && { tokens: entry.text.split('|') }),
    // For a client, a form is legal if its grammar allows it, even where a gateway is warned of it.
    modifiers: namedModifiers(entry, (message, ...below) => place.refuse(message, ...below)),
    changes: [...gateway, ...behaviours],
    ...(entry.status !== undefined && { status: entry.status }),
    ...(entry.check !== undefined && { check: entry.check }),
    ...(entry.basis !== undefined && { basis: `${PREFIX}/${entry.basis}` }),
  };
}

function refuseUnknownClause(clause: string, place: Place, contract: Contract): void {
  const level = contract.clause(clause)?.level;
  if (level === undefined || level === 'none') {
    const known = contract.clauses.map(({ id }) => id);
    place.refuse(`unknown clause "${clause}".${didYouMean(clause, known)}`, 'clause');
  }
}

/** The scenario that shows whether the client makes this kind of call at all. */
export function controlOf(mode: CallMode, scenarios: readonly Scenario[]): PlayableScenario {
  const control = scenarios.filter(isPlayable).find((scenario) => scenario.mode === mode);
  if (!control) throw new Error(`No scenario has the mode ${mode}.`);
  return control;
}
