/** Reads the cases of `suites/relay.yaml`. */
import { checkFile } from '../contract/file-schema.ts';
import { loadContract } from '../contract/load-contract.ts';
import { readPackageFile } from '../contract/package-files.ts';
import { parseYaml } from '../contract/yaml/yaml-document.ts';
import type { JsonObject } from '../json.ts';
import type { Mode } from '../plan/plan.ts';
import { isSelected } from '../plan/select.ts';
import type { Settings } from '../settings.ts';
import type { KeyUse } from '../suite/case.ts';
import { UsageError } from '../usage-error.ts';
import { type FrontEntry, readFront } from './read-front.ts';
import type { Calls, ReadExpectation, RelayCase, RelayExpectation, RelayMessage } from './relay-case.ts';
import { namedModifiers } from '../scripted/reply-script.ts';
import { DEFAULT_SCRIPT, type UpstreamScript } from './upstream-script.ts';

const FILE = 'suites/relay.yaml';

const DEFAULT_MESSAGES: readonly RelayMessage[] = [
  { role: 'user', content: 'Answer in one short sentence. My word is ${word}.' },
];

/** @title a case */
export interface CaseEntry {
  /** @pattern ^[a-z0-9]+(-[a-z0-9]+)*$ */
  readonly id: string;
  /**
   * The row of the case in tables.
   *
   * @pattern ^(answers|streams|forwarding|parallel|keys|leaving|patience|failures|front|run)$
   */
  readonly area: string;
  /** @minLength 1 */
  readonly title: string;
  /** @default plain */
  readonly mode?: Mode;
  /** @default one */
  readonly calls?: Calls;
  /**
   * The conversation. One user message has ${word}, which chooses the script.
   *
   * @minItems 1
   */
  readonly messages?: readonly RelayMessage[];
  /** Further fields of the request. */
  readonly request?: JsonObject;
  /**
   * How the request is authorized. Such cases are asked one at a time.
   *
   * @default full
   * @pattern ^(none|unknown)$
   */
  readonly key?: KeyUse;
  readonly upstream?: Partial<UpstreamScript>;
  /** @minItems 1 */
  readonly expect: readonly (RelayExpectation | { readonly set: string } | FrontEntry)[];
}

/** @minItems 1 */
export type ExpectationSet = readonly RelayExpectation[];

/** Cases of wirecheck relay: suites/relay.yaml. */
export interface SuiteFile {
  readonly suite: 'relay';
  readonly title: string;
  /** Expectations that many cases share, by name. */
  readonly sets: Readonly<Record<string, ExpectationSet>>;
  /** @minItems 1 */
  readonly cases: readonly CaseEntry[];
}

let loaded: readonly RelayCase[] | undefined;

export function loadRelayCases(): readonly RelayCase[] {
  return (loaded ??= readCases());
}

/** Those that `--only` and `--skip` leave. */
export function chosenCases(settings: Pick<Settings, 'only' | 'skip'>): readonly RelayCase[] {
  return loadRelayCases().filter(({ id }) => isSelected(settings, id));
}

function readCases(): readonly RelayCase[] {
  const document = parseYaml(readPackageFile(FILE), FILE);
  checkFile('relay-suite', document);
  const { sets, cases } = document.value as SuiteFile;
  const known = new Set<string>();
  return cases.map((entry, index) => {
    const at = { file: FILE, line: document.lineOf(['cases', index]) };
    if (known.has(entry.id)) throw new UsageError(`the id ${entry.id} is already used. Choose another.`, at);
    known.add(entry.id);
    const expect = entry.expect.flatMap((expectation): readonly ReadExpectation[] => {
      if ('front' in expectation) return readFront(expectation, at);
      return 'set' in expectation ? (sets[expectation.set] ?? refuseSet(expectation.set, at)) : [expectation];
    });
    const unknown = expect.find(
      ({ clause }) => !(loadContract('relay').clause(clause) ?? loadContract().clause(clause)),
    );
    if (unknown) throw new UsageError(`unknown clause "${unknown.clause}".`, at);
    return {
      id: `relay/${entry.id}`,
      suite: entry.area,
      title: entry.title,
      source: at,
      mode: entry.mode ?? 'plain',
      calls: entry.calls ?? 'one',
      messages: entry.messages ?? DEFAULT_MESSAGES,
      request: entry.request ?? {},
      key: entry.key ?? 'full',
      script: { ...DEFAULT_SCRIPT, ...entry.upstream },
      modifiers: namedModifiers(entry.upstream ?? {}, (message, key, place) => {
        throw new UsageError(message, { file: FILE, line: document.lineOf(['cases', index, 'upstream', key, place]) });
      }),
      expect,
    };
  });
}

function refuseSet(name: string, at: { readonly file: string; readonly line: number }): never {
  throw new UsageError(`unknown set "${name}".`, at);
}
