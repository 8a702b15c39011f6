/** Reads the cases of `suites/relay.yaml`, and the clauses that they judge: those of relays, and of a gateway. */
import { replaceClauses } from '../../contract/assemble-contract.ts';
import type { Contract } from '../../contract/contract.ts';
import { checkFile } from '../../contract/file-schema.ts';
import { loadContract } from '../../contract/read-contract.ts';
import { readPackageFile } from '../../contract/package-files.ts';
import { type ChosenContract, UNCHANGED, changeContract } from '../../contract/profile/apply-profile.ts';
import { type YamlDocument, parseYaml } from '../../contract/yaml/yaml-document.ts';
import type { JsonObject } from '../../json.ts';
import type { Mode } from '../../plan/plan.ts';
import { isSelected } from '../../plan/select.ts';
import type { Count, PositiveInteger } from '../../scalars.ts';
import type { Settings } from '../../settings.ts';
import type { AnyCase, Expectation, KeyUse, SourcePlace } from '../../suite/case.ts';
import { loadSuites } from '../../suite/read-suites.ts';
import { type EntryPlace, readCases, readExpectation } from '../../suite/read-cases.ts';
import { UsageError } from '../../usage-error.ts';
import { canCompareModels, namedModels } from './named-models.ts';

/**
 * How a case is asked. `parallel`: many times at once, each with its own word; `same-key` and `two-keys`: the very same
 * request twice; `leave`: the client disconnects before the answer ends; `stall`: watched while the upstream is silent;
 * `models`: once with each model that the user names; `silence`: all such cases at once, with `--patient`; `idle`: after
 * each of two idle pauses, with `--patient`; `refused`: after the upstream has closed its port; `outage`: 20 times, with one
 * of two upstreams down throughout; `bad-request`: requests that no upstream takes, among others; `surge`: 16 at once;
 * `none`: the case looks at all calls of the run.
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
  'outage',
  'bad-request',
  'surge',
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

export interface RelayCase extends AnyCase, Required<Pick<CaseEntry, keyof typeof USUAL>> {
  readonly script: UpstreamScript;
  /** What the other upstream of two does. Absent: the same. */
  readonly otherScript?: UpstreamScript;
  readonly expect: readonly ReadExpectation[];
}

/** Whether the gateway may have to recover afterwards. */
export function injectsFailure({ suite }: RelayCase): boolean {
  return suite === 'failures';
}

/** Whether one of two upstreams fails, and the other is well unless the case says otherwise. */
export function isFailover({ suite }: Pick<RelayCase, 'suite'>): boolean {
  return suite === 'failover';
}

/** The control is asked after it. */
export function mayHarm(testCase: RelayCase): boolean {
  return injectsFailure(testCase) || isFailover(testCase) || testCase.calls === 'leave';
}

/** The setting or the key that the case needs, and that the user did not give. */
export function missingFor({ calls }: RelayCase, settings: Settings, hasSecondKey: boolean) {
  if (calls === 'two-keys') return hasSecondKey ? undefined : 'second-key';
  if (calls === 'models') return canCompareModels(namedModels(settings)) ? undefined : 'upstream-model';
  return (calls === 'silence' || calls === 'idle') && !settings.patient ? 'patient' : undefined;
}

/** The chosen cases that take calls and lack nothing. */
export function playableCases(settings: Settings, hasSecondKey: boolean): readonly RelayCase[] {
  return chosenCases(settings).filter((each) => each.calls !== 'none' && !missingFor(each, settings, hasSecondKey));
}

/** The step of the questions between the cases. */
export const CONTROL = 'control';

/**
 * What the upstream does; src/gather/relay/read-relay-suite.ts has the defaults.
 *
 * @title a script
 */
export interface UpstreamScript {
  /** `${mark}` is replaced by a word that no other reply has. */
  readonly text: string;
  /** The text, repeated this many times to make a long one. */
  readonly times: PositiveInteger;
  /** Parts that the text is streamed in. */
  readonly pieces: PositiveInteger;
  /** Milliseconds before each part but the first. */
  readonly pause: Count;
  /** Milliseconds in which the upstream is silent in mid-stream. */
  readonly silence: Count;
  readonly finish: string;
  readonly usage: { readonly prompt: Count; readonly completion: Count };
  /** Milliseconds before the head. */
  readonly delay: Count;
  /**
   * Every call is refused with it.
   *
   * @asType integer
   * @minimum 400
   * @maximum 599
   */
  readonly status?: number;
  /** Changes of the reference gateway, by name: its variants and faults, and other behaviours. */
  readonly gateway: readonly string[];
  readonly behaviours: readonly string[];
  /** Later calls of the same question get an ordinary reply. */
  readonly once: boolean;
  /** Waits for this many calls of the case before answering any of them. */
  readonly gather: PositiveInteger;
}

export const DEFAULT_SCRIPT: UpstreamScript = {
  text: 'The reply with the mark ${mark} is whole, and it ends here.',
  times: 1,
  pieces: 4,
  pause: 0,
  silence: 0,
  finish: 'stop',
  usage: { prompt: 21, completion: 13 },
  delay: 0,
  gateway: [],
  behaviours: [],
  once: false,
  gather: 1,
};

/** The reply of the upstream that is well. It differs from the first word on, in its counts too. */
const OTHER_SCRIPT: UpstreamScript = {
  ...DEFAULT_SCRIPT,
  text: 'Another provider wrote this with its own mark ${mark}, up to its very last word.',
  usage: { prompt: 34, completion: 55 },
};

const FILE = 'suites/relay.yaml';

/** What a case has that does not say otherwise. */
export const USUAL = {
  mode: 'plain',
  calls: 'one',
  messages: [{ role: 'user', content: 'Answer in one short sentence. My word is ${word}.' }],
  request: {},
  key: 'full',
} as const;

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
   * @pattern ^(answers|streams|forwarding|parallel|keys|leaving|patience|failover|failures|front|run)$
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
  /** Of a failover: what the other upstream does. Default: it answers. */
  readonly other?: Partial<UpstreamScript>;
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
export function chosenCases(settings: Pick<Settings, 'only' | 'skip' | 'relay'>): readonly RelayCase[] {
  const hasTwo = settings.relay.fallbackPort !== undefined;
  return loadRelayCases().filter((each) => isSelected(settings, each.id) && (hasTwo || !isFailover(each)));
}

export function readRelayCases(document: YamlDocument): readonly RelayCase[] {
  checkFile('relay-suite', document);
  const { sets, cases } = document.value as RelaySuiteFile;
  const located = cases.map((entry, index) => ({ entry, path: ['cases', index], ids: [`relay/${entry.id}`] }));
  return readCases(document, located, (entry, place) => [toCase(entry, place, sets)]);
}

function toCase(entry: CaseEntry, place: EntryPlace, sets: RelaySuiteFile['sets']): RelayCase {
  const { id, area: suite, title, upstream, other, expect, ...asked } = entry;
  return {
    ...USUAL,
    ...asked,
    id: `relay/${id}`,
    suite,
    title,
    source: place.at(),
    expect: expect.flatMap((named, index): readonly ReadExpectation[] => {
      const at = place.at('expect', index);
      if ('front' in named) return readFront(named, at);
      const own = 'set' in named ? (sets[named.set] ?? place.refuse(`unknown set "${named.set}".`)) : [named];
      return own.flatMap((each) => readExpectation({ ...each }, at, contractWith(each.clause)));
    }),
    script: { ...DEFAULT_SCRIPT, ...upstream },
    ...(isFailover({ suite }) && { otherScript: { ...OTHER_SCRIPT, ...other } }),
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
