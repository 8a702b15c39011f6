// Cuts the draft at the top of the list of editions: from then on, what it covers changes only with a new one.
/** @import { EditionDigest } from '../../build/src/contract/editions.js' */

const NEWEST = /^- edition: '[^']+'\n/m;

/**
 * The text of the list with the digest and the date in its newest entry. A text whose newest entry is cut stays as it is.
 *
 * @param {string} text
 * @param {EditionDigest} digest
 * @param {string} date Such as `2026-11-16`.
 */
export function cutEdition(text, { digest, parts }, date) {
  const newest = NEWEST.exec(text);
  if (newest === null) throw new Error('The list of editions has no entry.');
  const end = newest.index + newest[0].length;
  if (text.startsWith('  cut:\n', end)) return text;
  const rows = Object.entries(parts).map(([name, value]) => `      ${name}: ${value}\n`);
  const cut = `  cut:\n    date: '${date}'\n    digest: ${digest}\n    parts:\n${rows.join('')}`;
  return text.slice(0, end) + cut + text.slice(end);
}
