/** The words for what was explored, for the formats that people read. */
import { COMMAND } from '../contract/package-files.ts';
import { parseJson } from '../json.ts';
import type { DrawnDifference, ExploredFinding, ExploreReport } from '../report/explore-report.ts';
import type { Report } from '../report/report.ts';
import { argument } from '../report/repeat/shell-text.ts';
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';

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
  const shown = missing.slice(0, 5).map((fields) => fields.join(' with '));
  const more = missing.length > shown.length ? ` and ${missing.length - shown.length} more` : '';
  const absent = missing.length === 0 ? '' : `; not together: ${shown.join(', ')}${more}`;
  return `${pairs.length} of ${all} pairs of fields, in ${count(values, 'pair')} of values${absent}`;
}

/** How a finding was reached. */
export function formatReached({ isShrunk, requests, draws, length, intermittent }: ExploredFinding): string {
  const seen = `seen in ${count(draws, 'draw')}`;
  const sequence = length > 1 ? `a sequence of ${length} requests on one connection, ` : '';
  if (intermittent) {
    const { failed, asked } = intermittent;
    return `${sequence}${seen}, intermittent: the same request failed ${failed} of ${count(asked, 'time')}`;
  }
  return isShrunk
    ? `${sequence}${seen}, shrunk with ${count(requests, 'request')}`
    : `${sequence}${seen}, not shrunk to the end: repeat it alone with its path`;
}

/** Characters. */
const MOST_OF_COMMAND = 4_000;

const SILENCES: Readonly<Record<NonNullable<ExploredFinding['silence']>, string>> = {
  timeout: 'no answer in time',
  closed: 'connection closed without an answer',
};

/** Each request that gets no answer, which is not judged: how it was reached, and how to repeat it. */
export function formatSilent(report: Report): readonly { readonly text: string; readonly repeat: string }[] {
  const { explore, exchanges, provenance } = report;
  return (explore?.findings ?? []).flatMap((finding) => {
    if (finding.silence === undefined) return [];
    const replay = formatReplay(finding, provenance.seed);
    const difference = formatDifferences(finding);
    const text = `${SILENCES[finding.silence]}: ${formatReached(finding)} (${replay})`;
    const own = exchanges.find(({ id }) => id === finding.exchange)?.repeat;
    return [
      {
        text: difference === undefined ? text : `${text}. ${difference}`,
        repeat: inert(own ?? `${exploreCommandOf(report)} ${replay}`, MOST_OF_COMMAND),
      },
    ];
  });
}

const MOST_SHOWN = 120;
/** Two texts that are too long to show differ in their length, or somewhere in it. */
const MOST_OF_LONG = 40;
const MOST_PLACES = 4;

/** What looks like nothing, or like something else: marks, joiners, and spaces but the usual one. */
const UNSEEN = /[\p{M}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/gu;
/** In a line of text, a second space is lost too. */
const UNSEEN_IN_LINE = new RegExp(`${UNSEEN.source}|(?<= ) `, 'gu');
const BEYOND_ASCII_IN_LINE = /[^ -~]|(?<= ) /gu;

/** As JSON escapes it. */
function escapeAll(text: string, pattern: RegExp): string {
  const escaped = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replaceAll(pattern, (character) => character.split('').map(escaped).join(''));
}

/** The JSON of a body, in which everything can be seen. It still parses to the same value. */
export function visibleJson(json: string): string {
  return escapeAll(json, UNSEEN);
}

function shown(value: DrawnDifference['failing'], pattern: RegExp): string {
  if (value === undefined) return 'absent';
  if (value.length <= MOST_SHOWN) return inert(escapeAll(value, pattern), Infinity);
  const head = Array.from(value).slice(0, MOST_OF_LONG).join('');
  return `${inert(escapeAll(head, pattern), Infinity)}… (${count(lengthOf(value), 'character')})`;
}

/** Of a text, without its quotes and escapes. */
function lengthOf(json: string): number {
  const value = parseJson(json);
  return Array.from(typeof value === 'string' ? value : json).length;
}

/** Whether both are the same letters, once composed or compatible forms are taken apart and marks left out. */
function looksAlike(failing = '', passing = ''): boolean {
  const plain = (text: string): string => text.normalize('NFKD').replaceAll(UNSEEN, '');
  return failing !== passing && plain(failing) === plain(passing);
}

/** Undefined if no request near it passes. */
export function formatDifferences({ difference }: ExploredFinding): string | undefined {
  return difference.length === 0 ? undefined : difference.slice(0, MOST_PLACES).map(formatDifference).join('; ');
}

/** `/temperature: 1.3 fails, absent passes`. */
function formatDifference({ pointer, failing, passing }: DrawnDifference): string {
  const place = pointer === '' ? 'body' : inert(pointer, MOST_SHOWN);
  const pattern = looksAlike(failing, passing) ? BEYOND_ASCII_IN_LINE : UNSEEN_IN_LINE;
  return `${place}: ${shown(failing, pattern)} fails, ${shown(passing, pattern)} passes`;
}

/** The command that explores this target. */
export function exploreCommandOf({ target: { baseUrl, upstream } }: Pick<Report, 'target'>): string {
  if (!upstream) return `${COMMAND} explore ${argument(baseUrl)}`;
  return `${COMMAND} relay ${argument(baseUrl)} --upstream-port ${new URL(upstream.url).port} --explore`;
}

/** The clauses that a finding breaks. */
export function clausesOfFinding(
  { cases }: Pick<Report, 'cases'>,
  { fingerprints }: ExploredFinding,
): readonly string[] {
  const expectations = cases.flatMap((testCase) => testCase.expectations);
  const broken = expectations.filter(({ findings }) =>
    findings.some(({ fingerprint }) => fingerprints.includes(fingerprint)),
  );
  return [...new Set(broken.map(({ clause }) => clause))];
}

export function formatReplay({ path }: ExploredFinding, seed: number): string {
  return `--seed ${seed} --path ${path}`;
}

export function formatUnsure({ flaky, unconfirmed }: ExploreReport): string | undefined {
  const parts = [
    ...(flaky.length > 0 ? [`failed once and then passed: ${flaky.join(', ')}`] : []),
    ...(unconfirmed.length > 0 ? [`failed and could not be asked again: ${unconfirmed.join(', ')}`] : []),
  ];
  return parts.length === 0 ? undefined : `draws that ${parts.join('; ')}`;
}
