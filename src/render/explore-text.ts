/** What was explored, as text: what was drawn, how each finding was reached, and its requests. */
import { COMMAND } from '../contract/package-files.ts';
import { drawnPathOf } from '../exchange/identity.ts';
import { parseJson, pointerOf, pointerTokens } from '../json.ts';
import type { ExchangeReport, Report } from '../report/report.ts';
import type { AskingLimit, DrawnDifference, ExploreReport, ExploredFinding } from '../report/explore-report.ts';
import { requestsOfFinding } from '../report/explored-requests.ts';
import { count, inert, listAll, listFirst } from '../text/layout.ts';
import { argument } from '../text/shell-text.ts';
import { asCode, type Fact, fact } from './document/document.ts';
import { lookUp } from './lookup.ts';

const KINDS: Readonly<Record<keyof ExploreReport['kinds'], string>> = {
  valid: 'valid',
  tolerant: 'with unknown fields',
  invalid: 'with one violation',
  open: 'that may be refused',
};

export function formatDrawn({ draws, sequences, kinds, unsent }: ExploreReport): string {
  const parts = Object.entries(KINDS).map(([kind, words]) => `${kinds[kind as keyof typeof KINDS]} ${words}`);
  const others = unsent === undefined ? '' : `; ${count(unsent, 'drawn request')} not sent`;
  return `${count(draws, 'draw')}, ${count(sequences, 'sequence')} among them; requests: ${parts.join(', ')}${others}`;
}

export function formatPairs({ pairs, missing }: ExploreReport): string {
  const values = pairs.reduce((sum, pair) => sum + pair.values, 0);
  const all = pairs.length + missing.length;
  const names = missing.map((fields) => fields.join(' with '));
  const absent = missing.length === 0 ? '' : `; not together: ${listFirst(names, 5)}`;
  return `${pairs.length} of ${all} pairs of fields, in ${count(values, 'pair')} of values${absent}`;
}

/** How it was found: `in 28 random requests; reduced to this one in 21 steps`. */
export function formatReached({ isShrunk, requests, draws, length, intermittent, alike }: ExploredFinding): string {
  const [noun, rest] =
    length > 1 ? ['sequence', `these ${length} requests on one connection`] : ['request', 'this one'];
  const found = `in ${count(draws, `random ${noun}`)}${alike ? ', with violations of several clauses' : ''}`;
  if (intermittent)
    return `${found}; intermittent: the same request failed ${intermittent.failed} of ${count(intermittent.asked, 'time')}`;
  return `${found}; ${isShrunk ? `reduced to ${rest} in ${count(requests, 'step')}` : 'not fully reduced: repeat it alone with its path'}`;
}

/** Characters. */
const MOST_OF_COMMAND = 4_000;

export const SILENCES: Readonly<Record<NonNullable<ExploredFinding['silence']>, string>> = {
  timeout: 'no answer in time',
  closed: 'connection closed without an answer',
};

/** What was drawn in an exploration. */
export function exploreFacts(report: Report): readonly Fact[] {
  const { explore, provenance } = report;
  if (!explore) return [];
  return [
    ...fact('Explored', `${formatDrawn(explore)}; seed ${provenance.seed}`),
    ...fact('Pairs', formatPairs(explore)),
    ...explore.findings.flatMap((finding) => silentFacts(report, finding)),
    ...fact('Not sure', formatUnsure(explore)),
  ];
}

/** A request that gets no answer, which is not judged: how it was reached, and how to repeat it. */
export function silentFacts(report: Report, finding: ExploredFinding): readonly Fact[] {
  if (finding.silence === undefined) return [];
  const replay = formatReplay(finding, report.provenance.seed);
  const own = lookUp(report).exchange(finding.exchange)?.repeat;
  const repeat = inert(own ?? `${exploreCommandOf(report)} ${replay}`, MOST_OF_COMMAND);
  const { before, request } = formatDrawnRequests(report, finding);
  const difference = formatDifferences(finding);
  return [
    ...fact('Unanswered', `${SILENCES[finding.silence]}: found ${formatReached(finding)} (${replay})`),
    ...fact('Before it', before && asCode(before)),
    ...fact('Request', request && asCode(request)),
    ...fact('Difference', difference && asCode(difference)),
    ...fact('Repeat', asCode(repeat), { isCommand: true }),
  ];
}

const MOST_SHOWN = 120;
/** Two texts that are too long to show differ in their length, or somewhere in it. */
const MOST_OF_LONG = 40;
const MOST_PLACES = 4;
/** A text of which only the length matters. */
const RUN = /^"a+"$/;

function shown(value: DrawnDifference['failing'], pattern: RegExp): string {
  if (value === undefined) return 'absent';
  if (value.length <= MOST_SHOWN) return inert(escapeAll(value, pattern), Infinity);
  const head = Array.from(value).slice(0, MOST_OF_LONG).join('');
  return `${inert(escapeAll(head, pattern), Infinity)}… (${count(lengthOf(value), 'character')})`;
}

/** The quotes and escapes of a text do not count. */
function lengthOf(json: string): number {
  const value = parseJson(json);
  return Array.from(typeof value === 'string' ? value : json).length;
}

/** Undefined if no request near it passes. */
export function formatDifferences({ difference, beside = [], length }: ExploredFinding): string | undefined {
  const places = difference.slice(0, MOST_PLACES).map((place) => formatDifference(place, length > 1));
  const needed = beside.slice(0, MOST_PLACES).map(({ pointer, failing }) => {
    return `${formatPlace(pointer, false)}: ${shown(failing, UNSEEN_IN_LINE)}`;
  });
  return [...places, ...(needed.length > 0 ? [`only with ${listAll(needed)}`] : [])].join('; ') || undefined;
}

/** `/temperature of request 1`; of a single request, `/temperature`. */
function formatPlace(pointer: string, isSequence: boolean): string {
  const [number, ...inside] = isSequence ? pointerTokens(pointer) : [];
  const own = number === undefined ? pointer : pointerOf(inside);
  const place = own === '' ? 'body' : own === '/(spelling)' ? 'spelling of the JSON' : inert(own, MOST_SHOWN);
  if (number === undefined) return place;
  return own === '' ? `request ${inert(number)}` : `${place} of request ${inert(number)}`;
}

/** `/temperature: 1.3 fails, absent passes`. */
function formatDifference({ pointer, failing, passing }: DrawnDifference, isSequence: boolean): string {
  const place = formatPlace(pointer, isSequence);
  if (RUN.test(failing ?? '') && RUN.test(passing ?? ''))
    return `${place}: ${count(lengthOf(failing ?? ''), 'character')} fail, ${lengthOf(passing ?? '')} pass`;
  const pattern = looksAlike(failing, passing) ? BEYOND_ASCII_IN_LINE : UNSEEN_IN_LINE;
  return `${place}: ${shown(failing, pattern)} fails, ${shown(passing, pattern)} passes`;
}

/** The command that explores this target. */
export function exploreCommandOf({ target: { baseUrl, upstream } }: Pick<Report, 'target'>): string {
  if (!upstream) return `${COMMAND} explore ${argument(baseUrl)}`;
  return `${COMMAND} relay ${argument(baseUrl)} --upstream-port ${new URL(upstream.url).port} --explore`;
}

export function formatReplay({ path }: ExploredFinding, seed: number): string {
  return `--seed ${seed} --path ${path}`;
}

/** What was done with unknown fields in requests, if none was judged. */
export function formatUntested({ explore }: Pick<Report, 'explore'>): string {
  return (explore?.kinds.tolerant ?? 0) > 0 ? 'sent and not judged' : 'not tested';
}

const ASKING_LIMITS: Readonly<Record<AskingLimit, string>> = {
  completions: 'all of --shrink-completions was used',
  requests: 'all requests for asking again were used',
  silence: 'the time for requests without an answer was used',
  run: 'the run ended before',
};

export function formatUnsure({ flaky, unconfirmed, askingLimit }: ExploreReport): string | undefined {
  const limit = askingLimit === undefined ? '' : ` (${ASKING_LIMITS[askingLimit]})`;
  const parts = [
    ...(flaky.length > 0 ? [`${nameDraws(flaky)} failed once and then passed`] : []),
    ...(unconfirmed.length > 0 ? [`${nameDraws(unconfirmed)} failed and could not be asked again${limit}`] : []),
  ];
  return parts.join('; ') || undefined;
}

/** `draw 141`, `draws 3, 17 and 141`. */
function nameDraws(numbers: readonly number[]): string {
  return `${numbers.length === 1 ? 'draw' : 'draws'} ${listAll(numbers.map(String))}`;
}

/** Characters of a body. */
const MOST_OF_BODY = 400;
const MOST_BEFORE = 160;

/** `before`: the requests before it on its connection. */
type DrawnTexts = Partial<Record<'before' | 'request' | 'drawn' | 'difference', string | undefined>>;

/** How a request was drawn. What is wrong with a call at the upstream was drawn at the front. Empty for any other. */
export function drawnTexts(report: Report, exchange: string | undefined): DrawnTexts {
  const { explore, provenance } = report;
  const find = lookUp(report).exchange;
  const front = find(exchange)?.cause ?? exchange;
  const finding = explore?.findings.find((each) => each.exchange === front || (each.alike ?? []).includes(front ?? ''));
  if (finding) {
    const drawn = `${formatReached(finding)} (${formatReplay(finding, provenance.seed)})`;
    return { ...formatDrawnRequests(report, finding), drawn, difference: formatDifferences(finding) };
  }
  const sent = find(front);
  if (!explore || !sent?.body || drawnPathOf(sent) !== undefined) return {};
  const { request } = formatDrawnRequests(report, { exchange: sent.id });
  return { request, drawn: 'by a fixed request, not by a random one' };
}

export function formatDrawnRequests(report: Report, finding: Pick<ExploredFinding, 'exchange'>): DrawnTexts {
  const requests = requestsOfFinding(report.exchanges, finding);
  const failing = requests.at(-1);
  const before = requests.slice(0, -1);
  const { root } = lookUp(report);
  const place = before.length === 0 ? '' : `request ${requests.length} of ${requests.length}, which fails: `;
  return {
    before: before.map(formatEarlier).join('; ') || undefined,
    request: failing && `${place}${inert(failing.method)} ${root}${inert(failing.path)}${formatBody(failing)}`,
  };
}

/** `request 1, body {"model":…}, answered with 200`. */
function formatEarlier(exchange: ExchangeReport, index: number): string {
  const { answer } = exchange.attempts.at(-1) ?? {};
  const outcome = answer ? `answered with ${answer.status}` : 'not answered';
  return `request ${index + 1}${formatBody(exchange, MOST_BEFORE)}, ${outcome}`;
}

/** Without bodies, nobody knows whether it had one. */
function formatBody({ body }: ExchangeReport, most = MOST_OF_BODY): string {
  if (body === undefined) return '';
  return body === '' ? ', without a body' : `, body ${inert(visibleJson(body), most)}`;
}

/** What looks like nothing, or like something else: marks, joiners, and spaces but the usual one. */
const UNSEEN = /[\p{M}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
/** In a line of text, a second space is lost too. */
export const UNSEEN_IN_LINE = new RegExp(`${UNSEEN.source}|(?<= ) `, 'gu');
export const BEYOND_ASCII_IN_LINE = /[^ -~]|(?<= ) /gu;

/** Every match is escaped as in JSON. */
export function escapeAll(text: string, pattern: RegExp): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replaceAll(pattern, (character) => character.split('').map(escaped).join(''));
}

/** The JSON of a body, in which everything can be seen. It still parses to the same value. */
export function visibleJson(json: string): string {
  return escapeAll(json, UNSEEN);
}

/**
 * Whether both are the same letters, once composed or compatible forms are taken apart and marks left out. `isCut`: only the
 * beginnings are known.
 */
export function looksAlike(failing = '', passing = '', isCut = false): boolean {
  const [first = '', second = ''] = [failing, passing].map((text) => text.normalize('NFKD').replaceAll(UNSEEN, ''));
  const most = isCut ? Math.min(first.length, second.length) : Infinity;
  return failing !== passing && first.slice(0, most) === second.slice(0, most);
}
