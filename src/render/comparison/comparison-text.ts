/** The sentences of a comparison, the same in every format. Text of the target is raw but for facts: each format makes it inert. */
import { formatEnding } from '../../exchange/ending.ts';
import { formatNamedWaiver } from '../../exchange/notice.ts';
import { EXIT, type Exit } from '../../exit-codes.ts';
import {
  CHANGE_KINDS,
  CHANGES,
  type Change,
  type ChangeKind,
  type ChangeSide,
  type Comparison,
  type FoldedChange,
  LEFT_OUT_FOR,
  countedAs,
  foldChanges,
  isOfModels,
} from '../../report/comparison/comparison.ts';
import { count, formatInstant, inert, listFirst } from '../../text/layout.ts';
import { formatActual } from '../../verdict/actual.ts';
import { formatExpected } from '../../verdict/expected.ts';
import { type OfKind, wordsFor } from '../../kinds.ts';
import {
  type Fact,
  type MarkedText,
  asCode,
  fact,
  listCodes,
  listTexts,
  marked,
  plainText,
} from '../document/document.ts';
import { LOOKS, MAX_LINE, type Shade } from '../looks.ts';

/** Longer than what a side quotes, which is shortened where it enters: nothing is shortened twice. */
const MAX_SIDE = 1_000;

/** What is not ours. */
function data(text = '', most = MAX_SIDE): MarkedText {
  return asCode(inert(text, most));
}

function formatSide(change: Change, side: ChangeSide): MarkedText {
  const { what, old } = change;
  const { answers = 0, types = [], status, value, finding, median, spread } = side;
  if (median !== undefined) return `${median} ms (median of ${count(answers, 'answer')}, spread ${spread ?? 0} ms)`;
  if (status !== undefined) return formatSideStatus(change, side);
  if (what === 'body-type') return `${types.join(' or ')} in ${count(answers, 'answer')}`;
  // The title names the models.
  if (what === 'model-gone') return side === old ? 'listed' : (value ?? 'not listed');
  if (finding && side === old) return data(formatActual(finding.actual));
  if (finding) return marked`${data(formatActual(finding.actual))}, expected ${data(formatExpected(finding.expected))}`;
  return value === undefined ? formatPresence(side) : inert(value, MAX_SIDE);
}

function formatSideStatus({ what, place }: Change, { status, code, exchanges }: ChangeSide): MarkedText {
  // A shared request has the name of one of its cases, and a base request one of its own.
  const isShared = CHANGES[what].isOfCase && exchanges.some((id) => id.includes('/') && id !== place.case);
  const said = code === undefined ? '' : marked`, code ${data(code)}`;
  return marked`status ${String(status)}${said}${isShared ? ', from a request shared with other cases' : ''}`;
}

function formatPresence({ answers = 0, present = 0, types = [] }: ChangeSide): string {
  if (present === 0) return `in none of ${count(answers, 'answer')}`;
  const share = `in ${present} of ${count(answers, 'answer')}`;
  return types.length === 0 ? share : `${types.join(' or ')}, ${share}`;
}

/** The runs. Names of models are the target's, which an agent may take for an instruction. */
export function comparedRunFacts({ old, new: now }: Comparison, hasModels = true): readonly Fact[] {
  const describe = ({ source, baseUrl, model, startedAt }: Comparison['old']): MarkedText => [
    ...[asCode(inert(source)), ', ', asCode(inert(baseUrl)), ', '],
    ...(model === undefined || !hasModels ? [] : ['model ', asCode(inert(model)), ', ']),
    asCode(formatInstant(inert(startedAt, 40))),
  ];
  return [...fact('Old', describe(old)), ...fact('New', describe(now))];
}

/** All that is below the title of an entry. Nobody waives an additive change. */
export function entryFacts(entry: FoldedChange): readonly Fact[] {
  const { change } = entry;
  const ids = fingerprintsOf(entry).map(({ id, covers }) =>
    covers === undefined ? data(id) : marked`${data(id)} (${inert(covers)})`,
  );
  return [
    ...fact('Before', formatEvidence(change, change.old)),
    ...fact('Now', formatEvidence(change, change.new)),
    ...changeFacts(entry),
    ...(change.kind === 'additive' ? [] : fact('Fingerprint', listTexts(ids, MAX_FINGERPRINTS))),
  ];
}

/** What there is to say besides its sides and its fingerprint. */
export function changeFacts({ change, others }: FoldedChange): readonly Fact[] {
  const { kind, clause, excused } = change;
  const [cases, waiver] = [listCasesOf({ change, others }), formatWaiver(change)];
  return [
    ...(cases.length > 1 ? fact('Cases', listCodes(cases, MAX_CASES)) : []),
    ...fact('Clause', clause === undefined ? undefined : listClauses(clause, [change, ...others])),
    ...fact('Note', formatRemark(change)),
    ...fact('Waiver', waiver === undefined ? undefined : inert(waiver, 400)),
    // The section of any other entry says so.
    ...(excused ? fact('Kind', kind) : []),
  ];
}

/** `versioning.no-breaking-change; newly broken: errors.code` */
function listClauses(clause: string, changes: readonly Change[]): MarkedText {
  const broken = new Set(changes.flatMap(({ breaks = [] }) => breaks.map((each) => each.clause)));
  return broken.size === 0 ? data(clause) : marked`${data(clause)}; newly broken: ${listCodes([...broken], MAX_CASES)}`;
}

/** One side, and the exchanges that show it. */
export function formatEvidence(change: Change, side: ChangeSide): MarkedText {
  const { exchanges } = side;
  const shown = formatSide(change, side);
  return exchanges.length === 0 ? shown : marked`${shown} (${listCodes(exchanges, exchanges.length)})`;
}

/** Why it has its kind, if that is not obvious. */
export function formatRemark({ scant, mended, movedAlong, announcedFor, old }: Change): string | undefined {
  if (announcedFor !== undefined) return `announced for ${announcedFor}, but removed before that day`;
  if (mended) return 'now as the contract says; clients that relied on the old form will notice';
  if (movedAlong) {
    // `first text of a stream from 27 to 316 ms`
    const times = movedAlong.map(({ measure, old: before, new: now }) => `${measure} from ${before} to ${now} ms`);
    return `moved with it, and not counted apart: ${times.join(', ')}`;
  }
  return scant
    ? `only a warning: the older run has ${count(old.answers ?? 0, 'answer')}, and breaking needs 3`
    : undefined;
}

export const MAX_CASES = 6;
export const MAX_FINGERPRINTS = 6;

/** The ids for a waiver: one fingerprint for one cause, and one each for models that are gone. `covers`, if it is not plain. */
export function fingerprintsOf({ change, others }: FoldedChange): readonly { id: string; covers?: string }[] {
  if (others.length === 0) return [{ id: change.fingerprint }];
  if (!isOfModels(change)) return [{ id: change.cause, covers: `for all ${others.length + 1}` }];
  return [change, ...others].map(({ fingerprint, old }) => ({ id: fingerprint, covers: old.value ?? '' }));
}

export function formatWaiver({ excused }: Change): string | undefined {
  if (!excused) return undefined;
  const { by, reason, owner, link, date } = excused;
  const what = by === 'waiver' ? `waived until ${date}` : `removal announced for ${date}`;
  return `${what}${owner === undefined ? '' : ` by ${owner}`}: ${reason}${link === undefined ? '' : ` (${link})`}`;
}

/** The last line of every format. */
export function formatResult(comparison: Comparison): string {
  const { compared, counts, exit, changes } = comparison;
  const isWaived = changes.some(({ kind, excused }) => excused && kind === 'breaking');
  const { casesOnlyIn, casesChanged } = compared;
  const alone = casesOnlyIn.old + casesOnlyIn.new + casesChanged;
  const found = [
    `${counts.breaking} breaking`,
    count(counts.warning, 'warning'),
    `${counts.additive} additive`,
    `${counts.drift} drift`,
    ...(counts.waived > 0 ? [`${counts.waived} waived`] : []),
  ].join(', ');
  if (exit === EXIT.notJudged) {
    const why = `NOT COMPARED: ${formatObstacle(comparison)}`;
    return chooseLine(`${why}; otherwise ${found}`, why);
  }
  const words: Record<Exit<'passed' | 'failed'>, string> = {
    [EXIT.passed]: isWaived ? 'NO NEW BREAKING CHANGES' : 'NO BREAKING CHANGES',
    [EXIT.failed]: counts.breaking > 0 ? 'BREAKING CHANGES' : 'CHANGED',
  };
  const line = `${words[exit]}: ${found}`;
  return alone === 0
    ? line
    : chooseLine(`${line}, ${alone} of ${count(countCases(compared), 'case')} not compared`, line);
}

/** The sentences above have what the short one leaves out. */
function chooseLine(line: string, short: string): string {
  return line.length <= MAX_LINE ? line : short;
}

function formatObstacle({ compared, obstacles, old, new: now }: Comparison): string {
  const bare = [...(old.withoutBodies ? ['older'] : []), ...(now.withoutBodies ? ['newer'] : [])];
  if (bare.length > 0)
    return `the ${bare.join(' and the ')} run ${bare.length > 1 ? 'have' : 'has'} no bodies (--no-bodies)`;
  const [obstacle] = obstacles;
  if (obstacle?.kind === 'lacking')
    return `${formatShare(compared, obstacle.cases.length, ['was', 'were'])} judged only in the older run`;
  if (obstacle?.kind === 'undecided')
    return `${formatShare(compared, obstacle.cases.length, ['passed', 'passed'])} in the older run and could not be judged in the newer`;
  if (obstacle?.kind === 'no-case-in-common') return 'no case was judged in both runs';
  const left = formatLeftOut(compared);
  if (left !== '') return `${left} in one run or both`;
  return obstacle?.kind === 'nothing-in-common'
    ? 'the runs have no case and no kind of answer in common'
    : 'a run did not finish';
}

/** `8 of 147 cases were not judged`, or `102 of 144 cases were not judged (100) or flaky (2)` */
function formatLeftOut(compared: Comparison['compared']): string {
  const { casesLeftOut } = compared;
  const all = LEFT_OUT_FOR.reduce((sum, name) => sum + casesLeftOut[name], 0);
  if (all === 0) return '';
  const { flaky } = casesLeftOut;
  const unjudged = LOOKS.skipped.word;
  const words = flaky === 0 ? unjudged : flaky === all ? 'flaky' : `${unjudged} (${all - flaky}) or flaky (${flaky})`;
  return `${formatShare(compared, all, ['was', 'were'])} ${words}`;
}

/** `Not compared: 6 of 48 cases were not judged in one run or both, 38 of 48 cases are only in the older run.` */
function formatUncompared(compared: Comparison['compared']): readonly string[] {
  const { casesOnlyIn, casesChanged } = compared;
  const left = formatLeftOut(compared);
  const share = (cases: number, verb: Verb, rest: string): readonly string[] =>
    cases === 0 ? [] : [`${formatShare(compared, cases, verb)} ${rest}`];
  const parts = [
    ...(left === '' ? [] : [`${left} in one run or both`]),
    ...share(casesChanged, ['has', 'have'], 'another request in each run'),
    ...share(casesOnlyIn.old, ['is', 'are'], 'only in the older run'),
    ...share(casesOnlyIn.new, ['is', 'are'], 'only in the newer run'),
  ];
  return parts.length === 0 ? [] : [`Not compared: ${parts.join(', ')}.`];
}

type Verb = readonly [singular: string, plural: string];

/** `6 of 48 cases were` */
function formatShare(compared: Comparison['compared'], cases: number, [singular, plural]: Verb): string {
  return `${cases} of ${count(countCases(compared), 'case')} ${cases === 1 ? singular : plural}`;
}

/** Cases of either run. */
function countCases({ cases, casesLeftOut, casesChanged, casesOnlyIn }: Comparison['compared']): number {
  const parts = [...Object.values(casesLeftOut), casesChanged, ...Object.values(casesOnlyIn)];
  return parts.reduce((sum, part) => sum + part, cases);
}

export function formatScope({ compared }: Comparison): string {
  const { cases, shapes, scantShapes, answers } = compared;
  const scant = `${count(scantShapes, 'kind')} of answer ${scantShapes === 1 ? 'has' : 'have'} fewer than 3 answers`;
  return [
    `Compared ${count(cases, 'case')} and ${count(shapes, 'kind')} of answer (${count(answers, 'answer')} in the older run).`,
    ...formatUncompared(compared),
    ...(scantShapes === 0 ? [] : [`${scant}: a field missing from them is only a warning.`]),
  ].join(' ');
}

// The title of a change, the same in every format.

/** The title as most formats show it. */
export function titleOf(entry: FoldedChange): string {
  return inert(plainText(formatTitle(entry)), 600);
}

/** One sentence: what changed, and where or in how many places. */
export function formatTitle({ change, others }: FoldedChange): MarkedText {
  const { what, place } = change;
  if (others.length > 0 && isOfModels(change)) return formatModels([change, ...others]);
  const cases = listCasesOf({ change, others });
  const where = cases.length > 1 ? count(cases.length, 'case') : data(place.case, 200);
  const title = TITLES[what](change, where, cases.length - 1);
  return others.length === 0 || place.case !== undefined
    ? title
    : marked`${title}, and in ${count(others.length, 'more kind')} of answer`;
}

/** Each once: one case may show a change in several kinds of answer. */
export function listCasesOf({ change, others }: FoldedChange): readonly string[] {
  return [...new Set([change, ...others].flatMap(({ place }) => place.case ?? []))];
}

const MAX_MODELS = 10;

/** The list alone cannot tell these apart. */
const MODEL_GONE = 'removed without deprecation, or the key lost access';

function formatModels(changes: readonly Change[]): MarkedText {
  const isGone = changes[0]?.what === 'model-gone';
  const names = changes.flatMap(({ old, new: now }) => (isGone ? old.value : now.value) ?? []);
  const shown = listCodes(names, MAX_MODELS);
  return isGone ? marked`Models no longer listed: ${shown} (${MODEL_GONE})` : marked`New models: ${shown}`;
}

/** The title of a case whose request must be answered. */
const ANSWERED = /^(.+?) (is|are) (?:still )?answered\b(.*)$/;

/** `where`: the case, or the number of cases. `more`: how many there are beside the first. */
const TITLES: Record<Change['what'], (change: Change, where: MarkedText, more: number) => MarkedText> = {
  'field-gone': ({ place }) => marked`${data(place.pointer)} is no longer in ${formatAnswers(place)}`,
  'field-type': ({ place }) => marked`${data(place.pointer)} has a different type in ${formatAnswers(place)}`,
  'field-new': ({ place }) => marked`${data(place.pointer)} is new in ${formatAnswers(place)}`,
  'body-type': ({ place }) => marked`The body of ${formatAnswers(place)} has a different type`,
  'answer-lost': ({ place: { title = '' } }, where, more) => {
    const [, subject, verb = '', rest = ''] = ANSWERED.exec(title) ?? [];
    if (subject === undefined) return marked`${where} ${more > 0 ? 'are' : 'is'} no longer answered`;
    // The title is that of the first case only.
    if (more > 0) return `${subject} and ${count(more, 'more case')} are no longer answered`;
    return marked`${`${subject} ${verb} no longer answered${rest} `}(${where})`;
  },
  'acceptance-lost': (_, where, more) => marked`${where} ${more > 0 ? 'are' : 'is'} no longer accepted`,
  'answer-new': (_, where, more) =>
    more > 0 ? marked`${where} were refused and are now answered` : marked`${where} was refused and is now answered`,
  'stream-lost': () => marked`A request with ${asCode('"stream": true')} no longer gets an event stream`,
  'end-marker-lost': () => marked`Streams no longer end with ${asCode('[DONE]')}`,
  'clause-broken': ({ clause }, where, more) => marked`${where} now ${more > 0 ? 'break' : 'breaks'} ${data(clause)}`,
  'refusal-status': ({ old, new: now }, where) =>
    marked`Status of a refusal changed: ${`${old.status ?? 'none'} → ${now.status ?? 'none'}`} (${where})`,
  'refusal-code': ({ old, new: now }, where) =>
    marked`Error code changed: ${data(old.code ?? 'none')} → ${data(now.code ?? 'none')} (${where})`,
  'model-gone': ({ old }) => marked`Model no longer listed: ${data(old.value)} (${MODEL_GONE})`,
  'model-new': ({ new: now }) => marked`New model: ${data(now.value)}`,
  'value-new': ({ place, new: now }) => marked`${data(place.pointer)} has a new value: ${data(now.value)}`,
  attempts: ({ old, new: now }, where) => marked`Upstream calls changed: ${`${old.value} → ${now.value}`} (${where})`,
  time: ({ place, old, new: now }) => formatTime(place.measure ?? '', old, now),
  'token-count': ({ place, old, new: now }) => `${place.measure}: ${now.value}, was ${old.value}`,
};

const MEASURES: Readonly<Record<string, readonly [subject: string, less?: string]>> = {
  reply: ['A reply takes'],
  refusal: ['A refusal takes'],
  'model list': ['The model list takes'],
  'first text of a stream': ['The first text of a stream takes'],
  'gap between two pieces of a stream': ['The median gap between two pieces of a stream is', 'shorter'],
  'whole stream': ['A whole stream takes'],
};

/** `A reply takes 17 times as long`, or `longer` where a factor would say little. */
function formatTime(name: string, { median: before = 0 }: ChangeSide, { median: now = 0 }: ChangeSide): string {
  const [subject, less = 'less time'] = MEASURES[name] ?? [`${name} takes`];
  if (now <= before) return `${subject} ${less}`;
  const factor = before > 0 ? now / before : 0;
  if (factor < 1.5) return `${subject} longer`;
  return `${subject} ${factor < 10 ? Math.round(factor * 10) / 10 : Math.round(factor)} times as long`;
}

function formatAnswers({ endpoint, mode, status }: Change['place']): MarkedText {
  const request = asCode(endpoint === 'models' ? 'GET /models' : 'POST /chat/completions');
  return marked`answers to ${request}${mode === 'stream' ? ' (streaming)' : ''} with status ${String(status)}`;
}

// The sentences for obstacles and notices of a comparison. Text of the target is raw: each format makes it inert.

type Remark = Comparison['obstacles' | 'notices'][number];

/** Clauses and models that a sentence lists; the JSON has all. */
const MAX_LISTED = 10;

const REMARKS: { readonly [Kind in Remark['kind']]: (remark: OfKind<Remark, Kind>) => string } = {
  incomplete: ({ source, ending }) =>
    `Not everything can be compared: ${source} is incomplete (${formatEnding(ending)}).`,
  'without-bodies': ({ source }) =>
    `The report ${source} was made with --no-bodies, so its answers cannot be compared. Compare recordings, or reports with bodies.`,
  undecided: ({ cases: [first = '', ...others], older, newer }) => {
    const more = others.length === 0 ? '' : ` and ${others.length} more`;
    return `${first}${more} passed in ${older} and could not be judged in ${newer}. Look up the reason there, and run it again.`;
  },
  lacking: ({ cases, older, newer }) =>
    `${newer} lacks ${count(cases.length, 'case')} that ${older} judged: ${listFirst(cases, MAX_LISTED)}. Make both runs with the same settings.`,
  'no-case-in-common': () => 'No case was judged in both runs.',
  'nothing-in-common': () => 'The two runs have no case and no kind of answer in common.',
  'wrong-order': ({ older, newer }) => `${older} is older than ${newer}. If it is the older version, name it first.`,
  'same-run': () => 'Both files contain the same run.',
  'same-profile': ({ profile }) => `Both runs were judged by ${profile}.`,
  'different-profiles': ({ older = 'v1', newer = 'v1' }) =>
    `The runs were judged by different contracts: ${older}, then ${newer}. Their verdicts do not mean the same.`,
  'different-contracts': () => 'The runs used different clauses or suites. Only cases in both are compared.',
  'different-models': ({ older = 'none', newer = 'none' }) =>
    `The runs used different models: ${older}, then ${newer}.`,
  'bodies-missing': ({ source, count: missing }) =>
    `${source} lacks ${missing === 1 ? 'one complete body' : `${missing} complete bodies`}, so their fields are not compared. A recording has all bodies.`,
  'only-here': ({ source, cases }) =>
    `Only ${source} has ${count(cases.length, 'case')}, which cannot be compared: ${listFirst(cases, MAX_LISTED)}.`,
  redefined: ({ clauses }) =>
    `The two contracts define these clauses differently, so their verdicts were not compared: ${listFirst(clauses, MAX_LISTED)}.`,
  'other-limits': ({ clauses }) =>
    `The two contracts set different limits, so these clauses were compared only where both runs sent the same value: ${listFirst(clauses, MAX_LISTED)}.`,
  fixed: ({ clauses }) => `Fixed since the older run: ${clauses.slice(0, MAX_LISTED).join(', ')}.`,
  retired: ({ models }) => `Removed after deprecation: ${models.slice(0, MAX_LISTED).join(', ')}.`,
  'waiver-expired': ({ until, ...waiver }) =>
    `${formatNamedWaiver(waiver)} expired on ${until}, so its changes count again. Fix them, or set a later date.`,
  'waiver-idle': ({ expired, isAnnounced, isOfNoCase, ...waiver }) => {
    const why = isOfNoCase
      ? ' A changed field belongs to a kind of answer, not to a case: leave out case, and name the fingerprint.'
      : '';
    const idle = `matches nothing that ${isAnnounced ? 'was removed' : 'changed'} between the two runs.${why}`;
    return `${formatNamedWaiver(waiver)} ${expired === undefined ? idle : `expired on ${expired}, and ${idle}`}`;
  },
};

export function formatRemarkOnRuns(remark: Remark): string {
  return wordsFor(REMARKS, remark);
}

/** Obstacles first: they decide the exit code. */
export function listRemarks({ obstacles, notices }: Pick<Comparison, 'obstacles' | 'notices'>): readonly string[] {
  return [...obstacles, ...notices].filter((remark) => !isOnContracts(remark)).map(formatRemarkOnRuns);
}

/** Stands before everything else: verdicts by a profile do not mean what those by v1 mean. */
export function contractRemarks({ notices }: Pick<Comparison, 'notices'>): readonly string[] {
  return notices.filter(isOnContracts).map(formatRemarkOnRuns);
}

function isOnContracts({ kind }: Remark): boolean {
  return kind === 'different-profiles' || kind === 'same-profile';
}

// The entries of a comparison as every format lists them: by kind, and waived ones apart.

type SectionName = ChangeKind | 'waived';

/** `lead`: below the title, on a page. `shade`: the verdict that has the same colour. */
export const SECTION_LOOKS: Readonly<
  Record<SectionName, { readonly title: string; readonly lead: string; readonly shade: Shade; readonly sign: string }>
> = {
  breaking: {
    title: 'Breaking',
    lead: 'Clients that relied on it stop working. One entry per cause.',
    shade: 'fail',
    sign: '✗',
  },
  warning: { title: 'Warnings', lead: 'Clients may notice. One entry per cause.', shade: 'warn', sign: '!' },
  additive: { title: 'Additive', lead: 'Allowed at any time.', shade: 'pass', sign: '+' },
  drift: { title: 'Drift', lead: 'Times that moved beyond noise.', shade: 'inconclusive', sign: '~' },
  waived: {
    title: 'Waived',
    lead: 'Accepted by the waiver file, so they do not fail the comparison. One entry per cause.',
    shade: 'skipped',
    sign: '–',
  },
};

export type Section = ReturnType<typeof sectionsOf>[number];

/** One for each kind that occurs, the worst first. Waived entries come last: they do not fail the comparison. */
export function sectionsOf({ changes }: Comparison) {
  return [...CHANGE_KINDS, 'waived' as const].flatMap((name) => {
    const entries = foldChanges(changes.filter((change) => countedAs(change) === name));
    return entries.length === 0 ? [] : [{ name, look: SECTION_LOOKS[name], entries }];
  });
}

/** Entries are in the order of their sections. */
export function entriesOf(comparison: Comparison): readonly FoldedChange[] {
  return sectionsOf(comparison).flatMap(({ entries }) => entries);
}

/** The comparison, with what other formats say of it: the result in a sentence, and its entries. */
export function addEntries(comparison: Comparison): Comparison {
  const { format, version, tool, old, new: now, failOn, exit, changes, ...rest } = comparison;
  const entries = entriesOf(comparison).map((entry) => ({
    counted: countedAs(entry.change),
    title: titleOf(entry),
    changes: [entry.change, ...entry.others].map((change) => changes.indexOf(change)),
  }));
  const head = { format, version, tool, old, new: now, failOn, exit, line: inert(formatResult(comparison), 600) };
  return { ...head, ...rest, entries, changes };
}
