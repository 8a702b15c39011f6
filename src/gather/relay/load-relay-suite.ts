/** Reads the cases of `suites/relay.yaml`, and the clauses that they judge: those of relays, and of a gateway. */
import type { Contract } from '../../contract/contract.ts';
import { checkFile } from '../../contract/file-schema.ts';
import { replaceClauses } from '../../contract/assemble-contract.ts';
import { loadContract } from '../../contract/load-contract.ts';
import { readPackageFile } from '../../contract/package-files.ts';
import { changeContract, type ChosenContract, UNCHANGED } from '../../contract/profile/apply-profile.ts';
import { parseYaml, type YamlDocument } from '../../contract/yaml/yaml-document.ts';
import type { JsonObject } from '../../json.ts';
import type { Mode } from '../../plan/plan.ts';
import { isSelected } from '../../plan/select.ts';
import type { Settings } from '../../settings.ts';
import type { KeyUse, SourcePlace } from '../../suite/case.ts';
import { loadSuites } from '../../suite/load-suites.ts';
import { type EntryPlace, readCases, readExpectation } from '../../suite/read-cases.ts';
import { UsageError } from '../../usage-error.ts';
import type { Calls, ReadExpectation, RelayCase, RelayMessage } from './relay-case.ts';
import { DEFAULT_SCRIPT, type UpstreamScript } from './upstream-script.ts';

const FILE = 'suites/relay.yaml';

const DEFAULT_MESSAGES: readonly RelayMessage[] = [
  { role: 'user', content: 'Answer in one short sentence. My word is ${word}.' },
];

/** @title an expectation */
export interface RelayExpectation {
  /** Clause of schemas/relay/clauses.yaml. */
  readonly clause: string;
  /** A name of `RELAY_CHECKS`, which the file schema checks. */
  readonly check: string;
}

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
export interface RelaySuiteFile {
  readonly suite: 'relay';
  readonly title: string;
  /** Expectations that many cases share, by name. */
  readonly sets: Readonly<Record<string, ExpectationSet>>;
  /** @minItems 1 */
  readonly cases: readonly CaseEntry[];
}

let loaded: readonly RelayCase[] | undefined;

export function loadRelayCases(): readonly RelayCase[] {
  return (loaded ??= readRelayCases(parseYaml(readPackageFile(FILE), FILE)));
}

/** Those that `--only` and `--skip` leave. */
export function chosenCases(settings: Pick<Settings, 'only' | 'skip'>): readonly RelayCase[] {
  return loadRelayCases().filter(({ id }) => isSelected(settings, id));
}

export function readRelayCases(document: YamlDocument): readonly RelayCase[] {
  checkFile('relay-suite', document);
  const { sets, cases } = document.value as RelaySuiteFile;
  const located = cases.map((entry, index) => ({ entry, path: ['cases', index], ids: [`relay/${entry.id}`] }));
  return readCases(document, located, (entry, place) => [toCase(entry, place, sets)]);
}

function toCase(entry: CaseEntry, place: EntryPlace, sets: RelaySuiteFile['sets']): RelayCase {
  const {
    mode = 'plain',
    calls = 'one',
    messages = DEFAULT_MESSAGES,
    request = {},
    key = 'full',
    upstream = {},
  } = entry;
  return {
    id: `relay/${entry.id}`,
    suite: entry.area,
    title: entry.title,
    source: place.at(),
    expect: entry.expect.flatMap((named, index): readonly ReadExpectation[] => {
      const at = place.at('expect', index);
      if ('front' in named) return readFront(named, at);
      const own = 'set' in named ? (sets[named.set] ?? place.refuse(`unknown set "${named.set}".`)) : [named];
      return own.flatMap((each) => readExpectation({ ...each }, at, contractWith(each.clause)));
    }),
    mode,
    calls,
    messages,
    request,
    key,
    script: { ...DEFAULT_SCRIPT, ...upstream },
  };
}

/** A case may also judge a clause of a gateway's own contract. */
function contractWith(clause: string): Contract {
  return loadContract().clause(clause) ? loadContract() : loadContract('relay');
}

/** @title expectations of a gateway's case */
export interface FrontEntry {
  /** A case of the gateway's suites. Its clauses also hold for every answer to the client. */
  readonly front: string;
  /** Clauses that other cases for relays judge. */
  readonly except?: readonly string[];
}

/** Only what is judged is read: `wirecheck run` observes the rest. */
export function readFront({ front, except = [] }: FrontEntry, at: SourcePlace): readonly ReadExpectation[] {
  const contract = loadContract();
  const testCase = loadSuites([], contract)
    .flatMap(({ cases }) => cases)
    .find(({ id }) => id === front);
  if (!testCase) throw new UsageError(`unknown case "${front}".`, at);
  const other = except.find((clause) => !testCase.expect.some((expectation) => expectation.clause === clause));
  if (other !== undefined) throw new UsageError(`${front} does not judge "${other}".`, at);
  return testCase.expect
    .filter(({ clause }) => contract.clause(clause)?.level !== 'observe' && !except.includes(clause))
    .map((expectation) => ({
      clause: expectation.clause,
      check: 'front',
      options: {},
      front: { ...expectation, over: testCase.over },
    }));
}

let joined: Contract | undefined;

export function loadRelayContract(chosen: ChosenContract = UNCHANGED): Contract {
  return changeContract((joined ??= joinContracts()), chosen, 'relay');
}

function joinContracts(): Contract {
  const judged = new Set(loadRelayCases().flatMap(({ expect }) => expect.map(({ clause }) => clause)));
  const ofGateway = loadContract().clauses.filter(({ id }) => judged.has(id));
  const own = loadContract('relay');
  return replaceClauses(own, [...own.clauses, ...ofGateway]);
}
