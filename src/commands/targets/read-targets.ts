/** Reads a targets file. */
import type { Level } from '../../contract/contract.ts';
import { type IsSound, checkForm } from '../../contract/file-schema.ts';
import { type YamlDocument, parseYaml, placeOf as placeIn } from '../../contract/yaml/yaml-document.ts';
import { isObject, memberOf } from '../../json.ts';
import { Mistakes } from '../../mistakes.ts';
import { toFileNames } from '../../text/file-name.ts';
import { inert } from '../../text/layout.ts';
import { UsageError } from '../../usage-error.ts';
import { readTextFile } from '../files/user-files.ts';

/** A target as the file has it: which variables are set does not matter yet. */
export interface ListedTarget {
  readonly name: string;
  /** The name of its folder, unlike that of every other target in the file. */
  readonly folder: string;
  readonly entry: TargetEntry;
  /** Its place in the list. */
  readonly index: number;
  readonly document: YamlDocument;
  /** Says which parts of the file have the right form. */
  readonly isSound: IsSound;
}

export interface TargetsList {
  readonly targets: readonly ListedTarget[];
  /** Mistakes in the form of the file. They are thrown with those that show when targets are prepared. */
  readonly mistakes: Mistakes;
}

export function readTargets(file: string, cwd: string): TargetsList {
  const document = parseYaml(readTextFile('the targets file', file, cwd), file);
  const mistakes = new Mistakes();
  refuseKeys(document, mistakes);
  const isSound = checkForm('targets', document, mistakes);
  refuseTwins(document, mistakes);
  const entries = entriesIn(document);
  const names = entries.map(nameOf);
  const folders = toFileNames(names, 'target');
  const targets = entries.map((entry, index) => {
    const name = names[index] ?? '';
    return { name, folder: folders[index] ?? name, entry: entry as TargetEntry, index, document, isSound };
  });
  // Without one, no more mistakes can be found.
  if (targets.length === 0) mistakes.throwAny();
  return { targets, mistakes };
}

function entriesIn({ value }: YamlDocument): readonly object[] {
  const { targets } = (value ?? {}) as Partial<TargetsFile>;
  return Array.isArray(targets) ? targets.map((target: unknown) => (isObject(target) ? target : {})) : [];
}

/** The name of a target; empty without one. */
function nameOf(target: object): string {
  const name = memberOf(target, 'name');
  return typeof name === 'string' ? name.trim() : '';
}

function refuseTwins(document: YamlDocument, mistakes: Mistakes): void {
  const written = entriesIn(document).map(nameOf);
  for (const [index, name] of written.entries()) {
    if (name === '' || written.indexOf(name) === index) continue;
    const at = placeIn(document, 'targets', index, 'name');
    mistakes.add(new UsageError(`the name ${inert(name, 100)} is already used. Choose another.`, at));
  }
}

/** Runs before the schema does, whose message would not say where a key belongs. */
function refuseKeys(document: YamlDocument, mistakes: Mistakes): void {
  for (const [index, target] of entriesIn(document).entries()) {
    const key = Object.keys(target).find((name) => /^api[-_]?key$/i.test(name));
    if (key === undefined) continue;
    const text = `${key} must be left out of a file that is shared: name the variable that holds it, as apiKeyEnv.`;
    mistakes.add(new UsageError(text, placeIn(document, 'targets', index, key)));
  }
}

/**
 * Several gateways for one run: wirecheck run --targets FILE. ${VAR} is replaced by the variable of that name, except in
 * a name.
 */
export interface TargetsFile {
  /** @minItems 1 */
  readonly targets: readonly TargetEntry[];
}

/**
 * Each key overrides flags, variables and the config file for this target.
 *
 * @title a target
 */
export interface TargetEntry {
  /**
   * Names the target in reports and on boards, and its folder. Decides its shard.
   *
   * @maxLength 100
   * @pattern ^(?!.*\$\{)[^\u0000-\u001f\u007f]*\S[^\u0000-\u001f\u007f]*$
   * @x-message text of at most 100 characters without control characters and ${VAR}
   */
  readonly name: string;
  /**
   * Base URL of the gateway, ending in the version segment.
   *
   * @x-message an address such as https://gateway.example/v1
   * @x-secret true
   */
  readonly baseUrl: string;
  /**
   * Variable that holds the key.
   *
   * @pattern ^[A-Za-z_]\w*$
   * @x-message the name of a variable, not the key itself
   * @x-secret true
   */
  readonly apiKeyEnv?: string;
  /**
   * Model to call.
   *
   * @minLength 1
   */
  readonly model?: string;
  /** Treat broken should clauses as failures. */
  readonly strict?: boolean;
  /**
   * Waiver file.
   *
   * @minLength 1
   */
  readonly waivers?: string;
  /**
   * Profile: a file, or a name such as common-servers.
   *
   * @minLength 1
   */
  readonly profile?: string;
  /** Levels that differ from those of the contract, by clause id. Added to those of the config file. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** Headers to add to every request, instead of those of flags, variables and config file. */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /** Secret headers to add to every request, each with the variable that holds its value. */
  readonly headersFromEnv?: Readonly<Record<string, VariableName>>;
}

/**
 * @x-message text, in quotes if it is a number
 * @x-secret true
 */
export type HeaderValue = string;

/** @x-message the name of a variable */
export type VariableName = string;
