/** Looks for credentials by simple means: undoes every form, then tries every run of eight characters, in any case. */

/** Also the words that cases put before a key, and no others: those could be secret. */
const PUBLIC = /^(?:(?:x|bearer|basic|token) )*sk-service-(?:unknown-)?/i;
const RUN = 8;

/** The runs that the text contains. */
export function leaksOf(text: string, credentials: Iterable<string>): readonly string[] {
  const runs = new Set<string>();
  for (const credential of credentials) {
    const secret = credential.replace(PUBLIC, '').toLowerCase();
    for (let at = 0; at + RUN <= secret.length; at++) runs.add(secret.slice(at, at + RUN));
  }
  // Nearly every place is ruled out by its first two characters, so that megabytes take no time.
  const starts = new Uint8Array(0x10000);
  const startAt = (reading: string, at: number) =>
    ((reading.charCodeAt(at) << 8) ^ reading.charCodeAt(at + 1)) & 0xffff;
  for (const run of runs) starts[startAt(run, 0)] = 1;
  const found = new Set<string>();
  for (const reading of new Set(readingsOf(text).map((decoded) => decoded.toLowerCase()))) {
    for (let at = 0; at + RUN <= reading.length; at++) {
      if (starts[startAt(reading, at)] === 0) continue;
      const run = reading.slice(at, at + RUN);
      if (runs.has(run)) found.add(run);
    }
  }
  return [...found];
}

function readingsOf(text: string): readonly string[] {
  const plain = undoJson(undoJson(text));
  const unbroken = plain.replaceAll(/[\r\n\0\ufffd]+|\\[rn]/g, '');
  const words = [...new Set([...`${text} ${unbroken}`.matchAll(/[A-Za-z0-9+/_-]{11,}/g)].map(([word]) => word))];
  const decoded = (skip: number, encoding: 'base64' | 'hex') =>
    words.map((word) => Buffer.from(word.slice(skip), encoding).toString('latin1')).join('\n');
  return [
    text,
    undoJson(text),
    plain,
    unbroken,
    undoPercent(plain),
    undoReferences(text),
    ...[0, 1].map((skip) => decoded(skip, 'hex')),
    ...[0, 1, 2, 3].map((skip) => decoded(skip, 'base64')),
    // For keys that are spread over events.
    [...text.matchAll(/content\\*": ?\\*"(.*?)\\*"/g)].map(([, content]) => content).join(''),
  ];
}

function undoJson(text: string): string {
  return text
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\\\', '\\');
}

function undoPercent(text: string): string {
  return text.replaceAll(/%([0-9a-f]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function undoReferences(text: string): string {
  return text
    .replaceAll(/&#(\d{2,3});?/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/&#x([0-9a-f]{2});/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\', '');
}
