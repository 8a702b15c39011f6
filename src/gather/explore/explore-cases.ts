/** Reads the cases of `suites/explore.yaml`, which are also listed, explained and waived: what draws requests is not loaded. */
import { once } from '../../once-per.ts';
import { replaceClauses } from '../../contract/assemble-contract.ts';
import type { Contract } from '../../contract/contract.ts';
import { checkFile } from '../../contract/file-schema.ts';
import { loadContract } from '../../contract/read-contract.ts';
import { readPackageFile } from '../../contract/package-files.ts';
import { type ChosenContract, contractOf } from '../../contract/profile/apply-profile.ts';
import { parseYaml } from '../../contract/yaml/yaml-document.ts';
import type { JsonObject } from '../../json.ts';
import { DEFAULT_SCRIPT, type RelayCase, USUAL, loadRelayContract } from '../relay/read-relay-suite.ts';
import type { AnyCase } from '../../suite/case.ts';
import { readCases, readExpectation } from '../../suite/read-cases.ts';

const FILE = 'suites/explore.yaml';

/** @title an expectation */
export interface ExploreExpectation {
  readonly clause: string;
  /** A name of `CHECKS`, or in forwarded of `RELAY_CHECKS`: the file schema checks it. */
  readonly check: string;
}

/** @title a case */
export interface ExploreCaseEntry {
  /**
   * Of all drawn requests, or with a label in brackets of those that the label names.
   *
   * @pattern ^[a-z0-9]+(-[a-z0-9]+)*(\[[^\]]+\])?$
   */
  readonly id: string;
  /** @minLength 1 */
  readonly title: string;
  /** A refusal proves something only if this request was answered. */
  readonly control?: string;
  /** Only requests that have a number in this field show it. */
  readonly field?: string;
  /** @minItems 1 */
  readonly expect: readonly ExploreExpectation[];
}

/** Cases of wirecheck explore: suites/explore.yaml. */
export interface ExploreSuiteFile {
  readonly suite: 'explore';
  readonly title: string;
  /** @minItems 1 */
  readonly cases: readonly ExploreCaseEntry[];
  /** A case for each clause that a request can break. */
  readonly violation: ExploreCaseEntry;
  /**
   * What reaches the upstream, and what comes back.
   *
   * @minItems 1
   */
  readonly forwarded: readonly ExploreCaseEntry[];
}

/** A case that drawn requests are judged by. */
export interface ExploreTopic extends AnyCase {
  readonly control?: string;
  readonly field?: string;
}

/** The clauses that a missing body breaks, a body that is no JSON object, and a message that is none. */
export const BODY_CLAUSES = {
  missing: 'endpoint.chat-body-required',
  malformed: 'endpoint.chat-body-json',
  message: 'request.messages-type',
} as const;

const loadTopics = once(() => {
  const document = parseYaml(readPackageFile(FILE), FILE);
  checkFile('explore-suite', document);
  const file = document.value as ExploreSuiteFile;
  const { violation } = file;
  const read = (list: 'cases' | 'forwarded', contract: Contract): readonly ExploreTopic[] => {
    const located = file[list].map((entry, index) => ({ entry, path: [list, index], ids: [`explore/${entry.id}`] }));
    return readCases(document, located, (entry, place) => [
      {
        ...entry,
        id: `explore/${entry.id}`,
        suite: 'explore',
        source: place.at(),
        expect: entry.expect.flatMap((each, index) =>
          readExpectation({ ...each }, place.at('expect', index), contract),
        ),
      },
    ]);
  };
  return {
    cases: read('cases', loadContract()),
    forwarded: read('forwarded', loadContract('relay')),
    violationOf: (clause: string): ExploreTopic => {
      const fill = (text: string): string => text.replace('${clause}', clause);
      return {
        ...violation,
        id: `explore/${fill(violation.id)}`,
        suite: 'explore',
        title: fill(violation.title),
        source: { file: FILE, line: document.lineOf(['violation']) },
        expect: violation.expect.map((each) => ({ check: each.check, clause: fill(each.clause), options: {} })),
      };
    },
  };
});

/** `id`: without the suite. */
export function topicOf(id: string): ExploreTopic {
  const broken = /^refused\[(.*)\]$/.exec(id)?.[1];
  if (broken !== undefined) return loadTopics().violationOf(broken);
  const topic = loadTopics().cases.find((each) => each.id === `explore/${id}`);
  if (!topic) throw new Error(`${FILE} has no ${id}.`);
  return topic;
}

/** The topic of requests that break this clause. */
export const refusedTopic = (clause: string): ExploreTopic => topicOf(`refused[${clause}]`);

/** Whether the requests of this case have a violation. */
export function isOfViolation(id: string): boolean {
  return id.startsWith('explore/refused[');
}

/** A violation is drawn only if it breaks a must, but for a message that is no object. */
export const isDrawnViolation =
  (contract: Contract) =>
  (clause: string): boolean =>
    clause === BODY_CLAUSES.message || contract.clause(clause)?.level === 'must';

/** All of them. */
export function listExploreCases(contract: Contract): readonly AnyCase[] {
  const broken = new Set([...contract.clausesOf('v1/chat-completion-request'), ...Object.values(BODY_CLAUSES)]);
  const topics = [...loadTopics().cases, ...[...broken].filter(isDrawnViolation(contract)).map(refusedTopic)];
  return topics.map((topic) => asCase(topic, contract));
}

/** Only expectations that this contract judges are kept. */
export function asCase({ control: _control, field: _field, ...topic }: ExploreTopic, contract: Contract): AnyCase {
  const isJudged = (clause: string): boolean => (contract.clause(clause)?.level ?? 'none') !== 'none';
  return { ...topic, expect: topic.expect.filter(({ clause }) => isJudged(clause)) };
}

/** Those that compare both ends of a gateway, as far as this contract judges them: each is a check of `wirecheck relay`. */
export function forwardingCases(chosen: ChosenContract): readonly RelayCase[] {
  const contract = loadRelayContract(chosen);
  const usual = { ...USUAL, messages: [], script: DEFAULT_SCRIPT };
  const cases = loadTopics().forwarded.map((topic) => ({ ...asCase(topic, contract), ...usual }));
  return cases.filter(({ expect }) => expect.length > 0);
}

/** Whether a request with this body shows what such a case is about. */
export function canShow({ id }: Pick<RelayCase, 'id'>, body: JsonObject): boolean {
  const field = loadTopics().forwarded.find((topic) => topic.id === id)?.field;
  return field === undefined || typeof body[field] === 'number';
}

/** The clauses that an exploration is judged by: those of a gateway, and with an upstream behind it those of a relay. */
export function relayExploreContract(chosen: ChosenContract): Contract {
  const gateway = contractOf(chosen);
  const others = loadRelayContract(chosen).clauses.filter(({ id }) => !gateway.clause(id));
  return replaceClauses(gateway, [...gateway.clauses, ...others]);
}
