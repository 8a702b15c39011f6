/**
 * A report on one page, for a manager and for the vendor of a target: the verdict, each broken sentence of the contract
 * with who is affected, and what was not judged. Every text is one line and inert.
 */
import { COMMAND } from '../../contract/package-files.ts';
import { adviseOnEnding } from '../../exchange/ending.ts';
import { groupBy } from '../../report/counts.ts';
import type { OutcomeName, Report } from '../../report/report.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { clauseOf, formatFinding } from '../finding-text.ts';
import { listEntries, type PageEntry } from '../html/entries.ts';
import { coverageOf } from '../coverage.ts';
import { formatPart } from '../part-text.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { formatJudged, listNotJudged, type NotJudged } from './not-judged.ts';

/** A reader of one page reads no more. The full report has the rest. */
const MAX_BROKEN = 25;

export interface BrokenSentence {
  readonly clause: string;
  readonly verdict: PageEntry['verdict'];
  /** The clause in our words. */
  readonly sentence: string;
  /** `must, part 7` */
  readonly source: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** The request, the scenario of a client, or in how many answers under load. */
  readonly where: string;
  readonly hurts?: string | undefined;
  readonly affected?: string | undefined;
  /** Why it does not count, or is new. */
  readonly excuse?: string | undefined;
}

export interface Brief {
  /** The verdict in plain words. */
  readonly meaning: string;
  /** Why the run ended early. */
  readonly ending?: string | undefined;
  readonly broken: readonly BrokenSentence[];
  /** Broken clauses that have no room. */
  readonly more: number;
  /** How many clauses were judged, and of how many. */
  readonly judged: string;
  readonly notJudged: readonly NotJudged[];
  /** How to read the rest. */
  readonly guide: readonly string[];
}

export function makeBrief(report: Report): Brief {
  const byClause = [...groupBy(listEntries(report), ({ expectation }) => expectation.clause).values()];
  const notJudged = listNotJudged(report);
  return {
    meaning: formatMeaning(report),
    ending: adviseOnEnding(report.ending, report.target.baseUrl),
    broken: byClause.slice(0, MAX_BROKEN).flatMap((entries) => describeBroken(report, entries)),
    more: Math.max(0, byClause.length - MAX_BROKEN),
    judged: formatJudged(report, notJudged),
    notJudged,
    guide: listGuide(report),
  };
}

const MEANINGS: Readonly<Record<OutcomeName, string>> = {
  conforms: 'Every must clause was judged, and none is broken.',
  'conforms-in-part': 'No must clause that was judged is broken, but not all of them were judged.',
  'conforms-but-waived': 'Something is broken. All of it is accepted for now by waivers.',
  'no-new-violations': 'Something is broken, but all of it was already broken before, or is waived.',
  'unused-waivers': 'Nothing else is broken, but a waiver is no longer needed.',
  'does-not-conform': 'The target breaks sentences of the contract. Clients that rely on them may fail.',
  'not-judged': 'Too little was judged for a verdict.',
};

/** A verdict counts what the keys and settings of a run can reach. Whom a breach may hurt depends on who breaks it. */
function formatMeaning(report: Report): string {
  const { name } = report.outcome;
  const { judged, all } = coverageOf(report);
  if (name === 'conforms' && judged < all)
    return 'No must clause that was judged is broken. The others need an extra key or a setting.';
  if (name === 'does-not-conform' && traitsOf(report).isCaller)
    return 'The client breaks sentences of the contract. It may fail with a gateway that keeps them.';
  return MEANINGS[name];
}

/** `entries`: the causes of one clause, those that count first. */
function describeBroken(report: Report, entries: readonly PageEntry[]): readonly BrokenSentence[] {
  const [first] = entries;
  if (!first) return [];
  const { expectation, verdict } = first;
  const texts = formatFinding(report, first);
  const part = formatPart(clauseOf(report, expectation)?.part, expectation.kind);
  return [
    {
      clause: inert(expectation.clause, 120),
      verdict,
      sentence: texts.requirement,
      source: `${expectation.level}, ${part}`,
      expected: texts.expected,
      actual: texts.actual,
      where: formatWhere(report, entries, texts),
      hurts: texts.hurts,
      affected: texts.affected,
      excuse: texts.waiver ?? texts.baseline,
    },
  ];
}

/** `62 answers, such as POST /v1/chat/completions`, or the number of cases where answers say no more. */
function formatWhere(
  report: Report,
  entries: readonly PageEntry[],
  { seen, request, scenario }: ReturnType<typeof formatFinding>,
): string {
  const { caseWord, isCaller } = traitsOf(report);
  const cases = new Set(entries.flatMap((entry) => entry.cases)).size;
  const answers = entries.reduce((sum, entry) => sum + entry.answers, 0);
  const number = seen ?? (answers > cases && !isCaller ? count(answers, 'answer') : count(cases, caseWord));
  const example = scenario === undefined ? request : `"${scenario}"`;
  return example === undefined ? number : `${number}, such as ${example}`;
}

function listGuide({ strict, profile, edition }: Report): readonly string[] {
  return [
    `A client may rely on every must clause. A should clause is good practice${strict ? ', and counts as well in this strict run' : ' and fails no run'}.`,
    'Each sentence above says in plain words what a clause of the contract asks for. The part is its place in the contract.',
    ...(profile
      ? [
          `The contract is ${inert(formatProfile(profile), 200)}.`,
          ...listChanges(profile).map(({ what, why }) => inert(`${what}. ${why}`, 600)),
        ]
      : []),
    ...(edition === undefined ? [] : [`The tests are those of edition ${inert(edition, 40)}.`]),
    'The full report (report.html) has the request and the answer behind each sentence, and a command that repeats it.',
    `To read more about a clause, run ${COMMAND} explain CLAUSE.`,
  ];
}
