/** What a reader has to know of a run before anything else, the same in every format: its target, its product, its flags, its note. */
import type { Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { inert } from '../text/inert.ts';

/**
 * The target in a few words, for headings. Not inert: every format escapes it in its own way.
 * `production (https://gateway.example/v1)`, `https://gateway.example/v1`, `openai 6.49` or `https://gateway.example/v1 in front of http://127.0.0.1:5055/v1`.
 */
export function formatTarget({ target: { name, baseUrl, client, upstream } }: Pick<Report, 'target'>): string {
  if (client) return client.version === undefined ? client.name : `${client.name} ${client.version}`;
  const address = upstream ? `${baseUrl} in front of ${upstream.url}` : baseUrl;
  return name === undefined ? address : `${name} (${address})`;
}

/** In the header of every format. */
export function listRunFlags({ strict, provenance, profile }: Report): readonly string[] {
  return [
    ...(profile ? [`profile digest ${inert(profile.digest, 64)}`] : []),
    ...(strict ? ['strict'] : []),
    ...(provenance.settings['tls.insecure'] === true ? ['certificate not verified (--insecure)'] : []),
  ];
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
