/**
 * A report on one page, for a manager and for the vendor of a target: the verdict, each broken sentence of the contract
 * with who is affected, and what was not judged. Every text is one line and inert.
 */
import { adviseOnEnding } from '../../exchange/ending.ts';
import { groupBy } from '../../report/counts.ts';
import type { ClauseReport, OutcomeName, Report } from '../../report/report.ts';
import { commandToExplain } from '../../report/repeat/repeat-command.ts';
import { traitsOf } from '../../report/subject-traits.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import { coverageOf } from '../clause-states.ts';
import { formatDrawn } from '../explore-text.ts';
import { clauseOf, formatFinding } from '../finding-text.ts';
import { countOf, formatCounted } from '../seen-text.ts';
import { listEntries, type PageEntry } from '../html/entries.ts';
import { formatPart, ownerOf, type Quotation, quoteContract } from '../part-text.ts';
import { formatProfile, listChanges } from '../profile-text.ts';
import { formatJudged, listNotJudged, type NotJudged } from '../not-judged.ts';

/** A reader of one page reads no more. The full report has the rest. */
const MAX_BROKEN = 25;

export interface BrokenSentence {
  readonly clause: string;
  readonly verdict: PageEntry['verdict'];
  /** The clause in our words. */
  readonly sentence: string;
  /** `must, part 7` */
  readonly source: string;
  /** The contract's own words, or what implies the clause. */
  readonly contract: readonly Quotation[];
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
  /** Other forms of the same fault. */
  readonly forms?: string | undefined;
  /** The request, the scenario of a client, or in how many answers under load. */
  readonly where: string;
  /** `2 more causes: see the full report` */
  readonly also?: string | undefined;
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
  /** What was drawn, of an exploration. */
  readonly explored?: string;
  readonly broken: readonly BrokenSentence[];
  /** `15 more broken clauses: see the full report`, if some have no room. */
  readonly more?: string | undefined;
  /** How many clauses were judged, and of how many. */
  readonly judged: string;
  readonly notJudged: readonly NotJudged[];
  /** How to read the rest. A command ends the sentence, if there is one. */
  readonly guide: readonly { readonly words: string; readonly command?: string }[];
}

/** `page`: the full report, if there is one to read on. */
export function makeBrief(report: Report, page: string | undefined): Brief {
  const byClause = [...groupBy(listEntries(report), ({ expectation }) => expectation.clause).values()];
  const more = Math.max(0, byClause.length - MAX_BROKEN);
  const readOn = page === undefined ? '' : ': see the full report';
  const listed = listNotJudged(report, readOn);
  const left = listed.reduce((sum, { clauses }) => sum + clauses, 0);
  // Of a target that does not answer like this API: what a setting would add is not the point.
  const isNothing = left === report.clauses.length;
  const notJudged = isNothing ? [] : listed;
  const hasBroken = !isNothing && byClause.length > 0;
  return {
    meaning: isNothing ? 'Nothing was judged.' : MEANINGS[report.outcome.name](report),
    ...(report.explore && { explored: `Requests were drawn: ${formatDrawn(report.explore)}.` }),
    ending: adviseOnEnding(report),
    broken: byClause.slice(0, MAX_BROKEN).flatMap((entries) => describeBroken(report, entries, readOn)),
    more: more === 0 ? undefined : `${count(more, 'more broken clause')}${readOn}`,
    judged: formatJudged(report, notJudged),
    notJudged,
    guide: [
      ...(isNothing ? [] : listGuide(report)),
      ...nameFullReport(page, hasBroken),
      ...nameCommand(report, hasBroken),
    ],
  };
}

const MEANINGS: Readonly<Record<OutcomeName, (report: Report) => string>> = {
  conforms: (report) => {
    const { judged, all } = coverageOf(report);
    return judged === all
      ? 'Every must clause was judged, and none is broken.'
      : 'No must clause is broken. Those that need an extra key or a setting were not all judged.';
  },
  'conforms-in-part': () => 'No must clause that was judged is broken, but not all of them were judged.',
  'conforms-but-waived': (report) => `What fails is accepted for now by waivers.${alsoWarned(report)}`,
  'no-new-violations': (report) => `What fails was already broken before, or is waived.${alsoWarned(report)}`,
  'unused-waivers': () => 'A waiver is no longer needed. Nothing else fails the run.',
  'does-not-conform': (report) =>
    traitsOf(report).isCaller
      ? 'The client does not do what the contract asks of clients. Its users may get wrong results, or none.'
      : `The target breaks ${listOwners(report).join(' and ')}. Clients that rely on them may fail.`,
  'not-judged': () => 'Too little was judged for a verdict.',
};

/** Neither waived nor broken before. */
function alsoWarned(report: Report): string {
  const warned = listEntries(report).filter(({ verdict, excused }) => verdict === 'warn' && !excused);
  const { size } = new Set(warned.map(({ expectation }) => expectation.clause));
  return size === 0
    ? ''
    : ` ${count(size, 'should clause')} ${size === 1 ? 'is' : 'are'} broken beside it, which fails no run.`;
}

/** What fails: `sentences of the contract`, `clauses of suite house, which the contract does not have`. */
function listOwners(report: Report): readonly string[] {
  const failed = listEntries(report).filter(({ verdict, excused }) => verdict === 'fail' && !excused);
  const owners = failed.map(({ expectation: { clause, kind } }) => {
    const owner = ownerOf(report, clause);
    return owner === undefined ? BROKEN_KINDS[kind] : `clauses of ${owner}, which the contract does not have`;
  });
  const ofContract = Object.values(BROKEN_KINDS);
  const all = new Set([...ofContract.filter((words) => owners.includes(words)), ...owners]);
  const named = all.size === 0 ? [BROKEN_KINDS.stated] : [...all];
  return named.map((words) => (words === BROKEN_KINDS.stated ? `${words}${asChanged(report)}` : words));
}

const CHANGED_SENTENCES: readonly string[] = ['limit', 'required', 'field'];

/** A profile with limits or fields of its own: who reads v1 finds others there. */
function asChanged({ profile }: Report): string {
  if (!profile?.changes.some(({ change }) => CHANGED_SENTENCES.includes(change.kind))) return '';
  return `, as ${profile.name === undefined ? 'the run' : `profile ${inert(profile.name, 60)}`} changes it`;
}

const BROKEN_KINDS: Readonly<Record<ClauseReport['kind'], string>> = {
  stated: 'sentences of the contract',
  implied: 'clauses that the contract implies but does not state',
  prudent: 'clauses of good security practice, which the contract does not state',
  silent: 'clauses on what the contract leaves open',
  outside: 'clauses on what the contract leaves open',
};

/** `entries`: the causes of one clause, those that count first. */
function describeBroken(report: Report, entries: readonly PageEntry[], readOn: string): readonly BrokenSentence[] {
  const [first] = entries;
  if (!first) return [];
  const { expectation, verdict } = first;
  const texts = formatFinding(report, first);
  const part = formatPart(report, clauseOf(report, expectation), expectation.kind);
  return [
    {
      clause: inert(expectation.clause, 120),
      verdict,
      sentence: texts.requirement,
      source: `${expectation.level}, ${part}`,
      contract: quoteContract(clauseOf(report, expectation)),
      expected: texts.expected,
      actual: texts.actual,
      forms: texts.also,
      where: [formatWhere(report, first, texts), ...(first.share || !texts.tries ? [] : [texts.tries])].join('. '),
      also: entries.length === 1 ? undefined : `${count(entries.length - 1, 'more cause')}${readOn}`,
      hurts: texts.hurts,
      affected: texts.affected,
      excuse: texts.waiver ?? texts.baseline,
    },
  ];
}

/** `62 answers, such as POST /v1/chat/completions`; of a client, the number of scenarios. */
function formatWhere(
  report: Report,
  { seen: seenIn, unit, cases: { length: cases }, intermittent, share }: PageEntry,
  { seen, request, scenario }: ReturnType<typeof formatFinding>,
): string {
  const { caseWord, isCaller } = traitsOf(report);
  const example = scenario === undefined ? request : `"${scenario}"`;
  if (seen !== undefined) return example === undefined ? seen : `${seen}. An example: ${example}`;
  const isSeen = seenIn > 0 && !isCaller;
  const counted = intermittent ?? share;
  const number = counted
    ? `${formatCounted(counted)}${intermittent ? ' (intermittent)' : ''}`
    : isSeen
      ? countOf(seenIn, unit)
      : count(cases, caseWord);
  if (example === undefined) return number;
  return `${number}${(isSeen ? seenIn : cases) === 1 ? ':' : ', such as'} ${example}`;
}

function nameFullReport(page: string | undefined, hasBroken: boolean): Brief['guide'] {
  if (page === undefined) return [];
  return [{ words: `The full report (${inert(page, 120)}) has ${hasBroken ? EVIDENCE : RECEIVED}.` }];
}

function nameCommand(report: Report, hasBroken: boolean): Brief['guide'] {
  if (!hasBroken) return [];
  const clauses = listEntries(report).map(({ expectation }) => expectation.clause);
  const command = inert(commandToExplain(report, clauses, 'CLAUSE'), 600);
  return [{ words: 'To read more about a clause, run', command }];
}

function listGuide(report: Report): Brief['guide'] {
  const { strict, profile, edition } = report;
  const { isCaller } = traitsOf(report);
  const relies = isCaller ? 'A must clause binds every client.' : 'A client may rely on every must clause.';
  const should = strict ? ', and counts as well in this strict run' : ' and fails a run only with --strict';
  const isBroken = listEntries(report).length > 0;
  const lines = [
    `${relies} A should clause is good practice${should}.`,
    ...(isBroken ? [`Each sentence above ${SENTENCE}`] : []),
    ...(profile
      ? [
          `The contract is ${inert(formatProfile(profile), 200)}.`,
          ...listChanges(profile).map(({ what, why }) => inert(`${what}. ${why}`, 600)),
        ]
      : []),
    ...(edition === undefined ? [] : [`The tests are those of edition ${inert(edition, 40)}.`]),
  ];
  return lines.map((words) => ({ words }));
}

const SENTENCE =
  "says in plain words what a clause asks for. What stands in quotation marks beside a part is the contract's own text.";
const EVIDENCE = 'the request and the answer behind each sentence, and a command that repeats it';
const RECEIVED = 'every case with what was sent and received';
