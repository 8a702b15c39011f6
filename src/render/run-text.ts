/** A run in words, the same in every format: target, product, flags, settings, note, counts, and a line each for cost, time and the like. */

import { adviseOnEnding } from '../exchange/ending.ts';
import { formatNotice } from '../exchange/notice.ts';
import type { NoFirstText } from '../report/first-text-time.ts';
import type { LoadReport } from '../report/load-report.ts';
import type { ProfileReport } from '../report/profile-report.ts';
import type { Counts, Report, TimeReport } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import type { DescribedSetting, DescribedSettings } from '../settings/setting-flags.ts';
import { defaultOf, flagOf, nameAt, type SettingName, settingOf } from '../settings/setting-names.ts';
import { count, formatDay, groupDigits, inert, formatDuration, formatInstant } from '../text/layout.ts';
import { shorten } from '../text/quote.ts';
import { formatObservationName, formatObservations, nameOnly } from '../verdict/observation.ts';
import {
  asCode,
  type Column,
  fact,
  type Fact,
  joinTexts,
  type List,
  type MarkedText,
  type Part,
  type PageBlock,
} from './document/document.ts';
import { exploreFacts, formatUntested } from './explore-text.ts';
import type { VerdictName } from './fold.ts';
import { formatNumber } from './load-facts.ts';
import { countWords, formatWords, lookOf, MAX_LINE, WORDS } from './looks.ts';
import { lookUp } from './lookup.ts';
import { formatProfile, listChanges } from './profile-text.ts';
import { formatRequest, flakyFact } from './request-text.ts';
import { tableNotes, observedFact } from './unjudged.ts';
import { verdictFacts, verdictLine } from './verdict-line.ts';
import type { RenderOptions } from './format.ts';
import { otherContractOfBaseline } from './excused.ts';

/**
 * The target in a few words, for headings. Not inert: every format escapes it in its own way.
 * `production (https://gateway.example/v1)`, `https://gateway.example/v1`, `openai 6.49` or `https://gateway.example/v1 in front of http://127.0.0.1:5055/v1`.
 */
export function formatTarget({ target: { name, baseUrl, client, upstream } }: Pick<Report, 'target'>): string {
  if (client) return client.version === undefined ? client.name : `${client.name} ${client.version}`;
  const address = upstream ? `${baseUrl} in front of ${upstream.url}` : baseUrl;
  return name === undefined ? address : `${name} (${address})`;
}

/** The header of every format shows these. */
export function listRunFlags({ strict, provenance, profile }: Report): readonly string[] {
  return [
    ...(profile ? [`profile digest ${inert(profile.digest, 64)}`] : []),
    ...(profile && profile.safetyChanges > 0 ? [`${count(profile.safetyChanges, 'safety clause')} changed`] : []),
    ...(strict ? ['strict'] : []),
    ...(provenance.httpVersions
      ? [`over ${provenance.httpVersions.map((version) => `HTTP/${inert(version, 9)}`).join(' and ')}`]
      : []),
    ...(provenance.settings['tls.insecure'] === true ? ['certificate not verified (--insecure)'] : []),
  ];
}

/** `CONFORMS: production (https://gateway.example/v1)`, of a page. */
export function pageTitle(report: Report): string {
  const [result = ''] = verdictLine(report).split(':');
  return shorten(`${result}: ${inert(report.title ?? formatTarget(report))}`, MAX_LINE);
}

/** `Sea Gateway 2.4 (contact: qa@sea.example)`. Not inert, as above. */
export function formatProduct({ product }: Pick<Report, 'product'>): string | undefined {
  if (!product) return undefined;
  const { name, version, contact } = product;
  const words = [name, version, contact && `(contact: ${contact})`];
  return words.filter((word) => word !== undefined).join(' ');
}

const MAX_LINES = 40;
const MAX_LINE_LENGTH = 2_000;

/** The note for the reader, without blank lines and bounded: a stored report may hold anything. */
export function noteLines({ note = '' }: Report): readonly string[] {
  const lines = note.split(/\r?\n/).map((line) => line.trim());
  return lines
    .filter((line) => line !== '')
    .slice(0, MAX_LINES)
    .map((line) => inert(line, MAX_LINE_LENGTH));
}

/** `Cases`, or `Scenarios` of a client. */
export function titleOfCases(report: Report): string {
  const { caseWord } = traitsOf(report);
  return `${caseWord.charAt(0).toUpperCase()}${caseWord.slice(1)}s`;
}

/** Verdicts as data, in the order in which people look for them. */
export const VERDICT_ORDER: readonly VerdictName[] = ['pass', 'fail', 'warn', 'inconclusive', 'observed', 'skipped'];

export function total(counts: Counts): number {
  return VERDICT_ORDER.reduce((sum, verdict) => sum + counts[verdict], 0);
}

const AREA_COLUMNS: readonly Column[] = [{ head: 'Area' }, { head: 'cases' }, ...WORDS.map((head) => ({ head }))];

/** `most`: areas. */
export function areaTable(report: Report, most = Infinity): readonly PageBlock[] {
  const { areas, counts } = report;
  if (areas.length === 0) return [];
  const row = (name: MarkedText, own: Counts): readonly MarkedText[] => [
    name,
    groupDigits(total(own)),
    ...countWords(own).map(([, number]) => formatNumber(number)),
  ];
  const more = areas.length - Math.min(areas.length, most);
  const notes = tableNotes(report).join(' ');
  return [
    {
      kind: 'table',
      columns: AREA_COLUMNS,
      rows: [
        ...areas.slice(0, most).map(({ area, cases }) => row(asCode(inert(area, 40)), cases)),
        ...(more > 0 ? [[count(more, 'more area'), ...AREA_COLUMNS.slice(1).map(() => '')]] : []),
        row('all', counts.cases),
      ],
      hasTotal: true,
    },
    ...(notes === '' ? [] : [{ kind: 'paragraph', text: notes, tone: 'quiet' } as const]),
  ];
}

/** `133 cases: 125 pass, 1 not judged, 7 recorded` */
export function formatCounts({ counts: { cases } }: Report): string {
  const words = formatWords(cases);
  return `${count(total(cases), 'case')}${words === '' ? '' : `: ${words}`}`;
}

/** `214 requests and 96 refused connections`: nothing was sent to a port that is closed. */
export function formatRequests({ cost: { used }, exchanges, load }: Report): string {
  const sent = exchanges.filter(({ side }) => side === undefined).flatMap(({ attempts }) => attempts);
  // Under load, only a few exchanges are kept.
  const refused = load ? (load.refused ?? 0) : sent.filter(({ failure }) => failure?.kind === 'refused').length;
  if (refused === 0) return count(used.requests, 'request');
  return `${count(used.requests - refused, 'request')} and ${count(refused, 'refused connection')}`;
}

/** `0.6 s (0.4 s waiting for the target, 0.2 s in wirecheck)`: the parts add up to the whole, unless it was not our run. */
export function formatTimeSpent({ wall, target, pauses, checker }: TimeReport): string {
  if (checker === undefined) return `${seconds(wall)} (${seconds(target)} waiting for the target)`;
  const words = ['waiting for the target', 'pausing', 'in wirecheck'];
  const shares = shareTenths(wall, [target, pauses, checker]);
  const parts = shares.flatMap((share, place) => (share === 0 ? [] : [`${seconds(share * 100)} ${words[place]}`]));
  return parts.length === 0 ? seconds(wall) : `${seconds(wall)} (${parts.join(', ')})`;
}

/** Each part in tenths of a second. Those that lose most by rounding down get what is missing to the whole. */
function shareTenths(whole: number, parts: readonly number[]): readonly number[] {
  const exact = parts.map((part) => part / 100);
  const missing = Math.round(whole / 100) - exact.reduce((sum, part) => sum + Math.floor(part), 0);
  const losers = [...exact.keys()].toSorted((a, b) => ((exact[b] ?? 0) % 1) - ((exact[a] ?? 0) % 1)).slice(0, missing);
  return exact.map((part, place) => Math.floor(part) + (losers.includes(place) ? 1 : 0));
}

const FAILURES: Readonly<Record<string, string>> = {
  200: '200 that broke off',
  closed: 'connection closed',
  refused: 'connection refused',
  timeout: 'timed out',
  'not-http': 'not HTTP',
};

/**
 * `3 of 553 attempts were replaced by a retry (503: 2, timed out: 1)`, only if any was: the share says more about the target
 * than any single retry. Requests to other base URLs are part of the cost, but no attempts at this one.
 */
export function retriesFact({ retries, cost }: Pick<Report, 'retries' | 'cost'>): readonly Fact[] {
  if (!retries || retries.replaced === 0) return [];
  const { attempts, replaced, causes } = retries;
  const where = cost.used.requests > attempts ? ' at this base URL' : '';
  const parts = Object.entries(causes).map(([cause, number]) => `${FAILURES[cause] ?? cause}: ${number}`);
  const were = replaced === 1 ? 'was' : 'were';
  const words = `${replaced} of ${count(attempts, 'attempt')}${where} ${were} replaced by a retry (${parts.join(', ')})`;
  return fact('Retries', words);
}

/** `5.8 s`; never `0.0 s`, as if no time had passed. */
export function seconds(milliseconds: number): string {
  const tenths = (milliseconds / 1000).toFixed(1);
  return tenths === '0.0' ? 'less than 0.1 s' : `${tenths} s`;
}

export function costFact(report: Report, hasPlan: boolean): readonly Fact[] {
  const { cost, load, provenance } = report;
  const { used, least, most } = cost;
  const unpaid = traitsOf(report).cost?.(formatRequests(report));
  if (unpaid) return fact(unpaid.label, unpaid.text);
  // A foreign recording: nothing was planned, and its cost is unknown.
  if (most.requests === 0) return fact('Traffic', count(used.requests, 'request'));
  const planned = (name: keyof typeof used) => [...new Set([least[name], most[name]].map(groupDigits))].join(' to ');
  const part = (name: 'requests' | 'completions' | 'tokens', noun: string, more = '') =>
    `${count(used[name], noun)}${more}${hasPlan ? ` (planned ${planned(name)})` : ''}`;
  const parts = [
    part('requests', 'request'),
    part('completions', 'completion', ` charged${load ? formatLeftEarly(load) : ''}`),
    // Those of a stream without usage are estimated.
    `${used.tokens > 0 ? 'about ' : ''}${part('tokens', 'token')}`,
  ];
  // Requests before the run, which no budget limits.
  const besides = provenance.settings['waitFor'] === undefined ? '' : ', besides requests of --wait-for';
  // The plan cannot count replies that nothing or only time limits.
  const overrun = `; the plan was at most ${groupDigits(most.tokens)}, not counting replies to requests without a valid max_tokens`;
  return fact('Cost', `${parts.join(', ')}${besides}${used.tokens <= most.tokens ? '' : overrun}`);
}

/** Under load, clients leave on purpose. The target may charge them though nothing of the completion came. */
function formatLeftEarly({ stages }: Pick<LoadReport, 'stages'>): string {
  const left = stages
    .flatMap(({ kinds }) => kinds)
    .filter(({ kind }) => kind === 'plain' || kind === 'stream')
    .reduce((sum, { outcomes }) => sum + outcomes.left, 0);
  return left === 0 ? '' : ` (up to ${groupDigits(left)} more if those that clients left are)`;
}

/** Split between target and checker if known; on demand with the slowest requests. */
export function timeFacts(report: Report, hasSlowest: boolean): readonly Fact[] {
  const { time, provenance } = report;
  if (!time) return fact('Time', seconds(Date.parse(provenance.endedAt) - Date.parse(provenance.startedAt)));
  const slowest = (hasSlowest ? time.slowest : []).flatMap(({ exchange: id, time: took }, place) => {
    const exchange = lookUp(report).exchange(id);
    const request = exchange ? formatRequest(report, exchange) : inert(id);
    return fact(place === 0 ? 'Slowest' : '', `${Math.round(took)} ms  ${request}`);
  });
  return [...fact('Time', formatTimeSpent(time)), ...slowest];
}

/** Flags of an exploration, which are not settings of every run. */
const EXPLORE_NAMES: Readonly<Record<string, SettingName | undefined>> = {
  'explore.requests': 'requests',
  'explore.shrinkCompletions': 'shrink-completions',
};
const EXPLORE_PATH = 'explore.path';

/** Those that somebody has set: some settings of an exploration follow from others. */
export function listGivenSettings(settings: DescribedSettings): readonly (readonly [string, DescribedSetting])[] {
  // A scripted upstream charges nothing.
  const isFree = 'explore.upstreamUrl' in settings;
  return Object.entries(settings).filter(([path, value]) => {
    if (!path.startsWith('explore.') || path === EXPLORE_PATH) return true;
    const name = EXPLORE_NAMES[path];
    return name !== undefined && value !== defaultOf(name) && !(isFree && name === 'shrink-completions');
  });
}

function labelOf(path: string): string {
  const name = nameAt(path) ?? EXPLORE_NAMES[path];
  if (name !== undefined) return flagOf(name);
  return path === EXPLORE_PATH ? '--path' : path;
}

export function formatSetting(path: string, value: DescribedSetting): readonly [label: string, values: string[]] {
  const name = nameAt(path);
  const show = (item: string | number | boolean) =>
    name === undefined ? String(item) : settingOf(name).type.show(item);
  if (typeof value !== 'object') return [labelOf(path), [show(value)]];
  if ('withheld' in value) return [labelOf(path), [formatWithheld(value)]];
  const values = value.map((item) => {
    if (typeof item === 'string') return show(item);
    if ('value' in item) return `${item.name}: ${item.value}`;
    return `${item.name}: (secret${item.variable === undefined ? '' : ` from ${item.variable}`})`;
  });
  return [labelOf(path), values];
}

function formatWithheld(value: Extract<DescribedSetting, { withheld: string }>): string {
  if (value.withheld === 'login') return `${value.shown} (login not shown)`;
  return value.withheld === 'PEM text' ? '(PEM text, not shown)' : '(address not shown)';
}

export const NO_FIRST_TEXT = {
  'checker-late': 'wirecheck itself was too late to measure it',
  'no-stream': 'no stream with text was measured',
} as const satisfies Record<NoFirstText, string>;

/** What a reader has to know before anything else, by name: a format picks from them. */
function headParts(report: Report) {
  const { target, tool, cost, edition, provenance } = report;
  const product = formatProduct(report);
  // The cost of a foreign recording is unknown, and the scripted upstream of a relay calls no model.
  const isCharged = cost.most.requests > 0 && traitsOf(report).isPlanned;
  const charged = isCharged ? `, ${count(cost.used.completions, 'completion')} charged` : '';
  return {
    tool: [['wirecheck ', asCode(inert(tool.version))]],
    target: [asCode(inert(formatTarget(report)))],
    product: product === undefined ? [] : [inert(product, 600)],
    model: target.model === undefined ? [] : [['model ', asCode(inert(target.model, 60))]],
    day: [inert(formatDay(provenance.startedAt))],
    flags: listRunFlags(report),
    counts: [formatCounts(report)],
    requests: [`${count(cost.used.requests, 'request')}${charged}`],
    edition: edition === undefined ? [] : [['edition ', asCode(inert(edition, 40))]],
  } satisfies Readonly<Record<string, readonly MarkedText[]>>;
}

type HeadName = keyof ReturnType<typeof headParts>;

export function headLine(report: Report, names: readonly HeadName[]): MarkedText {
  const parts: Readonly<Record<HeadName, readonly MarkedText[]>> = headParts(report);
  return joinTexts(
    names.flatMap((name) => parts[name]),
    ' · ',
  );
}

/** The contract, where it is not v1 as it is: each change with its reason. */
export function profileFacts({ profile }: Report): readonly Fact[] {
  return profile ? [...fact('Contract', inert(formatProfile(profile), 300)), ...changeFacts(profile)] : [];
}

/** The same as a part of its own, never folded or left out: it says what the verdict means. */
export function contractPart({ profile }: Report): Part {
  if (!profile) return [];
  return [{ kind: 'facts', heading: `Judged by ${inert(formatProfile(profile), 600)}`, facts: changeFacts(profile) }];
}

/** `Limits of chat are 5. Why.`: each change as one text. */
export function listChangeTexts({ profile }: Report): readonly string[] {
  return profile ? listChanges(profile).map(({ what, why }) => `${what}. ${why}`) : [];
}

function changeFacts(profile: ProfileReport): readonly Fact[] {
  return listChanges(profile).flatMap(({ what, why }) => fact('', `${inert(what, 600)}. ${inert(why, 600)}`));
}

/** Unknown fields in both directions: ignored in requests, added to answers. Of a gateway's front only. */
export function toleranceFact(report: Report, hasNames: boolean): readonly Fact[] {
  if (!traitsOf(report).isPlanned) return [];
  const { unknownRequestFields: sent, unknownAnswerFields: extra } = report.tolerance;
  const requests =
    sent.asked === 0
      ? `unknown request fields were ${formatUntested(report)}`
      : `${sent.ignored} of ${sent.asked} cases with unknown request fields answered`;
  if (!extra) return fact('Tolerance', `${requests}; extra fields in answers were not looked for`);
  const fields = formatObservations(extra).map((field) => inert(field, 80));
  const list = hasNames && extra.length > 0 ? `: ${fields.join(', ')}` : '';
  const answers = extra.length === 0 ? 'no extra fields' : count(extra.length, 'extra field');
  return fact('Tolerance', `${requests}; ${answers} in answers${list}`);
}

/** What `--counts` asked for. All of it is numbers and words of ours. */
export function countsFact({ observations }: Report): readonly Fact[] {
  const found = observations.filter(({ case: id }) => id === 'counts/signature');
  const texts = found.map(
    (each) => `${formatObservationName(nameOnly(each))}: ${formatObservations([each.value]).join(', ')}`,
  );
  return fact('Counts', texts.length === 0 ? undefined : texts.join('; '));
}

export function noticeFacts({ notices }: Report, most = Infinity, length = 600): readonly Fact[] {
  return notices.slice(0, most).flatMap((notice) => fact('Note', inert(formatNotice(notice), length)));
}

export function noticeList({ notices }: Report): List {
  const items = notices.map((notice) => ({ text: inert(formatNotice(notice), 600) }));
  return { kind: 'list', heading: count(items.length, 'notice'), items, noun: 'notice' };
}

/** The title, the verdict, a line on the run, and what the verdict has no room for. */
export function headingPart(report: Report, names: readonly HeadName[]): Part {
  return [
    ...(report.title === undefined ? [] : [{ kind: 'heading', level: 1, text: inert(report.title, 600) } as const]),
    { kind: 'heading', level: 2, text: verdictLine(report), mark: lookOf(report).mark },
    { kind: 'paragraph', text: headLine(report, names) },
    { kind: 'facts', facts: verdictFacts(report) },
  ];
}

const TRY = ' Try: ';

/** The advice on how a run ended. A command at its end is shown whole, to be copied. */
export function endingPart(report: Report): Part {
  const sentence = adviseOnEnding(report);
  if (sentence === undefined) return [];
  const at = sentence.lastIndexOf(TRY);
  const [text, command] = at === -1 ? [sentence] : [sentence.slice(0, at), sentence.slice(at + TRY.length)];
  return [{ kind: 'paragraph', text, command, tone: 'strong' }];
}

export function notePart(report: Report): Part {
  const lines = noteLines(report);
  return lines.length === 0 ? [] : [{ kind: 'note', lines }];
}

export function provenanceFacts(report: Report): readonly Fact[] {
  const { provenance: run, tool, target, outcome, strict, edition, editionDigest = '' } = report;
  const product = formatProduct(report);
  const took = formatDuration(Date.parse(run.endedAt) - Date.parse(run.startedAt));
  return [
    ...fact('Target', asCode(inert(formatTarget(report)))),
    ...fact('Product', product && inert(product, 600)),
    ...fact('Model', target.model === undefined ? undefined : asCode(inert(target.model))),
    ...fact('Checker', `${tool.name} ${inert(tool.version)}, Node ${inert(run.node)}, ${inert(run.platform)}`),
    ...fact('Started', formatInstant(inert(run.startedAt, 40))),
    ...fact('Ended', `${formatInstant(inert(run.endedAt, 40))}, after ${took}`),
    ...retriesFact(report),
    ...timeFacts(report, false),
    ...costFact(report, true),
    ...fact('Target clock', run.clockSkew === undefined ? undefined : formatClockSkew(run.clockSkew)),
    ...fact('Strict', strict ? 'yes: broken should clauses count as failures' : 'no'),
    ...fact('Exit code', String(outcome.exit)),
    ...fact('Seed', String(run.seed)),
    ...fact('Edition', edition === undefined ? undefined : [`${inert(edition, 40)} `, asCode(inert(editionDigest))]),
    ...fact('Contract hash', asCode(inert(run.contractHash))),
  ];
}

function formatClockSkew(skew: number): string {
  if (skew === 0) return 'matches the local clock';
  return `${formatDuration(Math.abs(skew))} ${skew > 0 ? 'ahead of' : 'behind'} the local clock`;
}

/** The settings of a run that are not the defaults. */
export function settingsPart({ provenance: run }: Report): readonly PageBlock[] {
  const facts = listGivenSettings(run.settings).flatMap(([path, given]) => {
    const [label, values] = formatSetting(path, given);
    const shown = values.map((value) => asCode(inert(value)));
    return fact(inert(label, 100), joinTexts(shown, ', '));
  });
  if (facts.length === 0) return [{ kind: 'paragraph', text: 'All settings have their defaults.', tone: 'quiet' }];
  const text = 'Set for this run; the others have their defaults.';
  return [
    { kind: 'paragraph', text, tone: 'quiet' },
    { kind: 'facts', facts },
  ];
}

/** Flaky cases that are named. */
const MAX_FLAKY = 3;

/** The facts of a run as a terminal shows them. `isBrief`: it ended before anything could be judged. */
export function runFacts(report: Report, options: RenderOptions, isBrief: boolean): readonly Fact[] {
  const isVerbose = options.detail === 'verbose';
  const { edition, editionDigest = '' } = report;
  const otherContract = otherContractOfBaseline(report);
  return [
    // What it was judged by matters to those who compare reports.
    ...fact('Edition', isVerbose && edition ? `${inert(edition, 40)} ${inert(editionDigest)}`.trimEnd() : undefined),
    ...profileFacts(report),
    // Findings by another contract may be new or gone for that reason alone.
    ...fact('Baseline', otherContract && `${inert(report.baseline?.file ?? '', 300)}. ${otherContract}`),
    ...exploreFacts(report),
    ...costFact(report, isVerbose),
    ...timeFacts(report, isVerbose),
    ...toleranceFact(report, isVerbose),
    ...countsFact(report),
    ...retriesFact(report),
    ...flakyFact(report, isVerbose ? Infinity : MAX_FLAKY),
    ...(isBrief || isVerbose ? [] : observedFact(report, options.page)),
  ];
}
