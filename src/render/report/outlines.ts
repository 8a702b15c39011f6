/** The outlines of a report for the terminal and as Markdown: which of its parts, in which order, and how much of each. */

import { basename, dirname } from 'node:path';
import { isBarelyBegun } from '../../exchange/ending.ts';
import { groupBy } from '../../report/counts.ts';
import type { AttemptReport, CaseReport, ExchangeReport, Report } from '../../report/report.ts';
import { count, inert } from '../../text/layout.ts';
import { clientFacts } from '../client-text.ts';
import {
  asCode,
  type Block,
  type Document,
  fact,
  type Fact,
  type List,
  type LogLine,
  type MarkedText,
  type Part,
} from '../document/document.ts';
import { writeMarkdown } from '../document/write-markdown.ts';
import { writeTerminal } from '../document/write-terminal.ts';
import { olderLists } from '../excused.ts';
import { exploreFacts } from '../explore-text.ts';
import { findingList } from '../finding-text.ts';
import { foldFindings, groupOf } from '../fold.ts';
import type { Format, RenderOptions } from '../format.ts';
import { loadFacts, loadTable } from '../load-facts.ts';
import { lookOf, LOOKS, ownVerdict } from '../looks.ts';
import { lookUp } from '../lookup.ts';
import { flakyList, formatAttemptTime, formatBodyEnd, formatRequest } from '../request-text.ts';
import {
  areaTable,
  contractPart,
  endingPart,
  headingPart,
  headLine,
  notePart,
  noticeFacts,
  noticeList,
  runFacts,
} from '../run-text.ts';
import { loweredList, MAX_REASONS, notJudgedList, observedFacts } from '../unjudged.ts';
import { verdictFacts, verdictLine } from '../verdict-line.ts';

/** Facts, the table, failures, and the verdict last. With `--verbose` every case comes first. */
export const terminal: Format = (report, options) => {
  const verdict: Block = {
    kind: 'heading',
    level: 2,
    text: verdictLine(report),
    tone: LOOKS[lookOf(report).shade].tone,
  };
  if (options.detail === 'quiet') return writeTerminal([[verdict]], options);
  return writeTerminal([...terminalOutline(report, options), brokenLines(report), [verdict]], options);
};

/** Whoever breaks this one has most likely never promised v1. */
const OF_ONE_SERVICE = 'auth.key-prefix';
const OTHER_CONTRACT =
  'v1 is the contract of one service, whose keys start with sk-service-. If yours promises otherwise, pass --profile common-servers.';

/** A line for each broken clause, the most severe last. */
function brokenLines(report: Report): Part {
  const broken = foldFindings(report).filter((entry) => groupOf(entry) === 'fail');
  const clauses = new Map(broken.map(({ expectation: { clause, level } }) => [clause, level] as const));
  const lines = [...clauses].map(([id, level]) => {
    const summary = report.clauses.find((clause) => clause.id === id)?.summary ?? '';
    return { lead: `${LOOKS.fail.sign} `, text: inert(`${id} (${level}): ${summary}`, 300), tone: LOOKS.fail.tone };
  });
  const hint = clauses.has(OF_ONE_SERVICE) && !report.profile ? [{ lead: '', text: OTHER_CONTRACT }] : [];
  return lines.length === 0 ? [] : [{ kind: 'lines', lines: [...lines.toReversed(), ...hint] }];
}

/** The closer to the end, the more it matters: on a terminal the last lines are the ones in view. */
function terminalOutline(report: Report, options: RenderOptions): Document {
  const isVerbose = options.detail === 'verbose';
  const mostIds = isVerbose ? Infinity : 4;
  const detail = { mostCases: isVerbose ? Infinity : 6, isByCase: true };
  const isBrief = isBarelyBegun(report.ending) && !isVerbose;
  // The cases about keys were sent all the same.
  const hasTable = !isBrief || ['key-refused', 'chat-unanswered'].includes(report.ending.kind);
  const observed = observedFacts(report);
  return [
    ...(isVerbose ? caseLog(report) : []),
    isVerbose && observed.facts.length > 0 ? [{ kind: 'facts', ...observed }] : [],
    [
      { kind: 'paragraph', text: headLine(report, ['tool', 'target', 'model', 'flags']), tone: 'quiet' },
      facts(runFacts(report, options, isBrief)),
    ],
    [facts(noticeFacts(report))],
    hasTable ? areaTable(report) : [],
    loadTable(report),
    [facts(loadFacts(report))],
    isBrief
      ? []
      : [{ ...notJudgedList(report, isVerbose ? Infinity : MAX_REASONS), mostIds: isVerbose ? Infinity : 0 }],
    [findingList(report, 'waived', { ...detail, isBrief: !isVerbose })],
    [findingList(report, 'known', { ...detail, isBrief: !isVerbose })],
    ...olderLists(report, mostIds).map((list) => [list]),
    [mostSevereLast(findingList(report, 'warn', detail))],
    [mostSevereLast(findingList(report, 'fail', detail))],
    endingPart(report),
    [facts([...writtenFacts(options), ...verdictFacts(report)])],
  ];
}

function mostSevereLast(list: List): List {
  return { ...list, items: list.items.toReversed() };
}

/** A label is said once for facts that follow one another. */
function facts(all: readonly Fact[]): Block {
  return {
    kind: 'facts',
    facts: all.map((each, at) => (each.label === all[at - 1]?.label ? { ...each, label: '' } : each)),
  };
}

/** `wirecheck-report/report.html, report.json, junit.xml`: a line for each folder, the page first, since people open that. */
function writtenFacts({ written = [] }: RenderOptions): readonly Fact[] {
  const isPage = (path: string): boolean => path.endsWith('.html');
  const sorted = written.toSorted((a, b) => Number(isPage(b)) - Number(isPage(a)));
  const folders = [...groupBy(sorted, dirname)].toSorted(([a], [b]) => Number(a === '.') - Number(b === '.'));
  return folders.flatMap(([folder, [first = '', ...others]], index) => {
    // Otherwise it would seem to be in the folder before.
    const start = index > 0 && folder === '.' ? `./${first}` : first;
    const text = inert([start, ...others.map((path) => basename(path))].join(', '), 1000);
    return fact(index === 0 ? 'Report' : '', text);
  });
}

function caseLog(report: Report): Document {
  const shown = new Set<string>();
  const lines = report.cases.flatMap((testCase) => {
    const exchange = lookUp(report).exchange(testCase.exchange);
    const isNew = exchange !== undefined && !shown.has(exchange.id);
    if (exchange) shown.add(exchange.id);
    // What a client said.
    const said = clientFacts(testCase).map(([label, value]) => ({
      lead: `    ${label.padEnd(10)}`,
      text: inert(value.replaceAll('\n', ' '), 300),
    }));
    return [caseLine(testCase), ...(isNew ? exchangeLines(report, exchange, testCase) : []), ...said];
  });
  const others = report.exchanges
    .filter(({ id }) => !shown.has(id))
    .flatMap((exchange) => exchangeLines(report, exchange));
  return [
    [{ kind: 'lines', lines }],
    others.length === 0
      ? []
      : [
          { kind: 'heading', level: 3, text: 'Requests of the run itself' },
          { kind: 'lines', lines: others },
        ],
  ];
}

function caseLine(testCase: CaseReport): LogLine {
  const { verdict, remark = LOOKS[verdict].word } = ownVerdict(testCase);
  // A hyphen, which every terminal has.
  const sign = verdict === 'skipped' ? '-' : LOOKS[verdict].sign;
  return {
    lead: `${sign} ${inert(testCase.id)}  `,
    text: `${inert(testCase.title)} (${remark}${testCase.flaky ? ', flaky' : ''})`,
    tone: LOOKS[verdict].tone,
  };
}

function exchangeLines(report: Report, exchange: ExchangeReport, testCase?: CaseReport): readonly LogLine[] {
  return [
    { lead: '    ', text: formatRequest(report, exchange, testCase) },
    ...exchange.attempts.map((attempt) => ({ lead: '      → ', text: formatOutcome(attempt) })),
    ...exchange.attempts.flatMap(streamLines),
  ];
}

/** `200 in 35 ms, 120 bytes, cut` */
function formatOutcome(attempt: AttemptReport): string {
  const { answer, failure } = attempt;
  const more = answer
    ? [count(answer.body.bytes, 'byte'), formatBodyEnd(answer.body.end)]
    : [inert(failure?.code ?? '')];
  return [formatAttemptTime(attempt), ...more].filter(Boolean).join(', ');
}

const MAX_TIMES = 12;

function streamLines({ answer }: AttemptReport): readonly LogLine[] {
  if (!answer?.stream) return [];
  const { end, events, eventCount, reads } = answer.stream;
  const times = events.map(({ at }) => String(Math.round(at)));
  const shown = times.length > MAX_TIMES ? [...times.slice(0, MAX_TIMES - 1), '…', times.at(-1)] : times;
  const when = times.length === 0 ? '' : ` at ${shown.join(' ')} ms`;
  const ended = end === 'aborted' ? 'not read further' : `ended: ${end}`;
  return [
    { lead: '        ', text: `${count(eventCount, 'event')} in ${count(reads.length, 'read')}${when}, ${ended}` },
  ];
}

/** Characters. GitHub refuses a comment beyond 65,536; half of that is as much as anybody reads. */
const MAX_LENGTH = 32_000;
const MAX_ROWS = 30;
const MOST = 10;
const MOST_IDS = 4;

/** A page for a pull-request comment or a job summary: the verdict first, short, and never longer than a comment may be. */
export const markdown: Format = (report, { page }) => {
  // In a comment, or if nothing else was written, there is no file to point to.
  const readOn: MarkedText =
    page === undefined ? [asCode('--reporter html'), ' has all'] : `see the full report (${page})`;
  return writeMarkdown(markdownOutline(report), { most: MAX_LENGTH, readOn });
};

function markdownOutline(report: Report): Document {
  const lists: readonly List[] = [
    ...(['fail', 'warn', 'known', 'waived'] as const).map((group) => ({
      ...findingList(report, group, { mostCases: MOST_IDS, isByCase: false }),
      ...(group === 'fail' && { most: 2 * MOST }),
    })),
    { ...notJudgedList(report, MAX_REASONS), most: 2 * MOST },
    loweredList(report),
    flakyList(report),
    ...olderLists(report, MOST_IDS),
    noticeList(report),
  ];
  return [
    headingPart(report, ['target', 'product', 'model', 'flags', 'counts', 'requests', 'tool', 'edition']),
    endingPart(report),
    notePart(report),
    contractPart(report),
    loadTable(report, MAX_ROWS),
    [{ kind: 'facts', facts: [...loadFacts(report), ...exploreFacts(report)] }],
    areaTable(report, MAX_ROWS),
    lists.map((list) => ({ most: MOST, mostIds: MOST_IDS, ...list })),
  ];
}
