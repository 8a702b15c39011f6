/** The cases of a run under load: those of `suites/load.yaml`, and those of other suites that look at all answers. */
import { replaceClauses } from '../../contract/assemble-contract.ts';
import { checkFile } from '../../contract/file-schema.ts';
import type { Contract } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load-contract.ts';
import { type ChosenContract, contractOf } from '../../contract/profile/apply-profile.ts';
import { readPackageFile } from '../../contract/package-files.ts';
import { parseYaml } from '../../contract/yaml/yaml-document.ts';
import { isSelected } from '../../plan/select.ts';
import type { Settings } from '../../settings.ts';
import { type AnyCase, type Case, isSelection } from '../../suite/case.ts';
import { loadSuites } from '../../suite/load-suites.ts';
import { usageError } from '../../usage-error.ts';
import { readCases, readExpectation } from '../../suite/read-cases.ts';

const FILE = 'suites/load.yaml';

/** @title an expectation */
export interface LoadExpectation {
  /** Clause of schemas/load/clauses.yaml. */
  readonly clause: string;
  /** A name of `LOAD_CHECKS`, which the file schema checks. */
  readonly check: string;
}

/** @title a case */
export interface LoadCaseEntry {
  /** @pattern ^[a-z0-9]+(-[a-z0-9]+)*$ */
  readonly id: string;
  /**
   * The row of the case in tables.
   *
   * @pattern ^(answers|refusals|lists|afterwards)$
   */
  readonly area: string;
  /** @minLength 1 */
  readonly title: string;
  /** @minItems 1 */
  readonly expect: readonly LoadExpectation[];
}

/** Cases of wirecheck load: suites/load.yaml. */
export interface LoadSuiteFile {
  readonly suite: 'load';
  readonly title: string;
  /** @minItems 1 */
  readonly cases: readonly LoadCaseEntry[];
}

let loaded: readonly AnyCase[] | undefined;

export function loadLoadCases(): readonly AnyCase[] {
  return (loaded ??= readLoadCases());
}

function readLoadCases(): readonly AnyCase[] {
  const document = parseYaml(readPackageFile(FILE), FILE);
  checkFile('load-suite', document);
  const contract = loadContract('load');
  const located = (document.value as LoadSuiteFile).cases.map((entry, index) => ({
    entry,
    path: ['cases', index],
    ids: [`load/${entry.id}`],
  }));
  return readCases(document, located, ({ id, area, title, expect }, place) => [
    {
      id: `load/${id}`,
      suite: area,
      title,
      source: place.at(),
      expect: expect.flatMap((each, index) => readExpectation({ ...each }, place.at('expect', index), contract)),
    },
  ]);
}

/**
 * They compare answers with each other, so their memory would grow with the run, or they judge what load judges itself:
 * words, and what a retry replaced.
 */
const NOT_UNDER_LOAD = ['chat/own-reply', 'chat/ids-differ', 'errors/passing-server-error'];

/** Cases of the other suites that look at all answers, without what is only observed: every answer is judged by them. */
export function ordinaryCases({
  only,
  skip,
  ...chosen
}: Pick<Settings, 'only' | 'skip'> & ChosenContract): readonly Case[] {
  const contract = contractOf(chosen);
  return loadSuites([], contract)
    .flatMap(({ cases }) => cases)
    .filter(({ id, over }) => over.length > 0 && over.every(isSelection) && !NOT_UNDER_LOAD.includes(id))
    .filter(({ id }) => isSelected({ only, skip }, id))
    .map((testCase) => ({
      ...testCase,
      expect: testCase.expect.filter(({ clause }) => contract.clause(clause)?.level !== 'observe'),
    }))
    .filter(({ expect }) => expect.length > 0);
}

export interface LoadCases {
  readonly ordinary: readonly Case[];
  readonly own: readonly AnyCase[];
}

/** The cases that `--only` and `--skip` leave. */
export function chooseLoadCases(settings: Settings): LoadCases {
  const hasBudgets = settings.load.budgets.length > 0;
  const own = loadLoadCases().filter(({ id }) => isSelected(settings, id) && (hasBudgets || id !== BUDGETS_CASE));
  const ordinary = ordinaryCases(settings);
  if (ordinary.length + own.length > 0) return { ordinary, own };
  throw usageError.NO_CASES('No cases selected: --only and --skip exclude all of them.');
}

const BUDGETS_CASE = 'load/budgets';
/** Calls have unknown keys only if this case is chosen. */
export const UNKNOWN_KEY_CASE = 'load/unknown-key';

/** The clauses of load, and those of a gateway's front that these cases judge, as the profile has them. */
export function loadContractUnder(chosen: ChosenContract, ordinary: readonly Case[]): Contract {
  const [front, load] = [contractOf(chosen), contractOf(chosen, 'load')];
  const judged = new Set(ordinary.flatMap(({ expect }) => expect.map(({ clause }) => clause)));
  return replaceClauses(front, [...load.clauses, ...front.clauses.filter(({ id }) => judged.has(id))]);
}
