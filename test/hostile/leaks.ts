/**
 * Looks for credentials in a text by plain means: every packing undone, then every run of eight characters looked for, in
 * either case and either direction.
 */
import { inflateRawSync } from 'node:zlib';

const PUBLIC = /^sk-service-(?:unknown-)?/;
const RUN = 8;

/** The runs that stand in it. */
export function leaksOf(text: string, credentials: Iterable<string>): readonly string[] {
  const runs = new Set<string>();
  for (const credential of credentials) {
    const secret = credential.replace(PUBLIC, '').toLowerCase();
    for (const spelt of [secret, Array.from(secret).toReversed().join('')])
      for (let at = 0; at + RUN <= spelt.length; at++) runs.add(spelt.slice(at, at + RUN));
  }
  const starts = new Set(Array.from(runs, (run) => run.charCodeAt(0) * 256 + run.charCodeAt(1)));
  const found = new Set<string>();
  for (const reading of new Set(readingsOf(text).map((one) => one.toLowerCase()))) {
    for (let at = 0; at + RUN <= reading.length; at++) {
      if (!starts.has(reading.charCodeAt(at) * 256 + reading.charCodeAt(at + 1))) continue;
      const run = reading.slice(at, at + RUN);
      if (runs.has(run)) found.add(run);
    }
  }
  return [...found];
}

function readingsOf(text: string): readonly string[] {
  const words = [...new Set([...text.matchAll(/[A-Za-z0-9+/_-]{11,}/g)].map(([word]) => word))];
  const decoded = (skip: number, encoding: 'base64' | 'hex') =>
    words.map((word) => Buffer.from(word.slice(skip), encoding).toString('latin1')).join('\n');
  const plain = undoJson(undoJson(text));
  const unpacked = [0, 1, 2, 3].map((skip) => decoded(skip, 'base64'));
  return [
    text,
    undoJson(text),
    plain,
    undoPercent(plain),
    undoPercent(undoPercent(plain)),
    undoReferences(text),
    ...[0, 1].map((skip) => decoded(skip, 'hex')),
    ...[plain, ...unpacked].flatMap((reading) => [
      reading,
      reading.replaceAll(/[\s\0\u200b\ufffd]+/g, ''),
      unzipAll(reading),
    ]),
    [...plain.matchAll(/(?:[0-9a-f]{2}:){7,}[0-9a-f]{2}/gi)]
      .map(([bytes]) => Buffer.from(bytes.replaceAll(':', ''), 'hex').toString('latin1'))
      .join('\n'),
    [...plain.matchAll(/(?:\d{1,3}[,\s]+){7,}\d{1,3}/g)]
      .map(([numbers]) => Buffer.from(numbers.split(/[,\s]+/).map(Number)).toString('latin1'))
      .join('\n'),
    // Letter by letter in events: everything between the letters is left out.
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

/** Beginnings of gzip and zlib as Node writes them, with the length of their header. */
const PACKED = { '\x1f\x8b\x08': 10, '\x78\x9c': 2 };
const MOST_TRIES = 100;

function unzipAll(text: string): string {
  const bytes = Buffer.from(text, 'latin1');
  const found: string[] = [];
  for (const [magic, header] of Object.entries(PACKED)) {
    const starts = [...text.matchAll(new RegExp(magic, 'g'))].slice(0, MOST_TRIES);
    for (const { index } of starts) {
      try {
        found.push(inflateRawSync(bytes.subarray(index + header), { maxOutputLength: 1024 * 1024 }).toString('latin1'));
      } catch {
        // It only looked like it.
      }
    }
  }
  return found.join('\n');
}

function undoReferences(text: string): string {
  return text
    .replaceAll(/&#(\d{2,3});?/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/&#x([0-9a-f]{2});/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('\\', '');
}
