/** Text that makes a request large. It exists only while the request is sent: plans, recordings and reports have its size. */
import type { Settings } from '../settings.ts';
import type { FillerUse } from '../suite/case.ts';
import type { Filler } from './plan.ts';

/** Where a body has the filler. */
const MARK = '${filler}';

const MiB = 1024 * 1024;

/** Above the default limits of common proxies (nginx: 1 MiB), and below what most services take. */
const LARGE_BODY = 2 * MiB;

/** A quarter more words than the context has tokens: short English words have about one token each. */
const WORDS_PER_TOKEN = 1.25;

const WORDS = ['the', 'sea', 'is', 'wide', 'and', 'the', 'old', 'boat', 'goes', 'out', 'at', 'six'];
const LETTER = 'x';

export function makeFiller(use: Exclude<FillerUse, 'larger'>, { contextTokens = 0 }: Settings): Filler {
  if (use === 'large') return { kind: 'letters', count: LARGE_BODY };
  return { kind: 'words', count: Math.ceil(contextTokens * WORDS_PER_TOKEN) };
}

/** Each twice as large as the one before, up to `--largest-body`. */
export function makeLargerFillers({ largestBody = 0 }: Settings): readonly Filler[] {
  const fillers: Filler[] = [];
  for (let size = 2 * LARGE_BODY; size < largestBody; size *= 2) fillers.push({ kind: 'letters', count: size });
  return largestBody > LARGE_BODY ? [...fillers, { kind: 'letters', count: largestBody }] : [];
}

/** The body as it is sent. */
export function fillBody(body: string, { kind, count }: Filler): string {
  return body.replace(MARK, () => (kind === 'letters' ? LETTER.repeat(count) : makeWords(count)));
}

/** The body as it is shown. */
export function describeFilled(body: string, { kind, count }: Filler): string {
  const start = kind === 'letters' ? LETTER.repeat(12) : makeWords(WORDS.length);
  return body.replace(MARK, () => `${start}… (${count.toLocaleString('en')} ${kind})`);
}

function makeWords(count: number): string {
  const round = `${WORDS.join(' ')} `;
  const rest = WORDS.slice(0, count % WORDS.length);
  return `${round.repeat(Math.floor(count / WORDS.length))}${rest.join(' ')}`.trimEnd();
}
