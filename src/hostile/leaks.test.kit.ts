/** Looks for credentials in a text by plain means: every packing undone, then every run of eight characters compared. */

const PUBLIC = /^sk-service-(?:unknown-)?/;
const RUN = 8;

/** What was found, with the middle left out. */
export function leaksOf(text: string, credentials: Iterable<string>): readonly string[] {
  const runs = new Set<string>();
  for (const credential of credentials) {
    const secret = credential.replace(PUBLIC, '');
    for (let at = 0; at + RUN <= secret.length; at++) runs.add(secret.slice(at, at + RUN));
  }
  const found = new Set<string>();
  for (const reading of readingsOf(text)) {
    for (let at = 0; at + RUN <= reading.length; at++) {
      const run = reading.slice(at, at + RUN);
      if (runs.has(run)) found.add(run);
    }
  }
  return [...found];
}

function readingsOf(text: string): readonly string[] {
  const unescaped = [text, undoJson(text), undoJson(undoJson(text)), undoPercent(text), undoReferences(text)];
  const runs = [...text.matchAll(/[A-Za-z0-9+/_-]{11,}/g)].map(([run]) => run);
  return [
    ...new Set(unescaped),
    ...runs.flatMap((run) => [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString('latin1'))),
    ...runs.flatMap((run) =>
      [0, 1].map((skip) => Buffer.from(/[0-9a-f]*/i.exec(run.slice(skip))?.[0] ?? '', 'hex').toString('latin1')),
    ),
    // Letter by letter in events: everything between the letters is left out.
    [...text.matchAll(/\\"content\\": ?\\"(.*?)\\"/g)].map(([, content]) => content).join(''),
    [...text.matchAll(/"content": ?"(.*?)"/g)].map(([, content]) => content).join(''),
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
    .replaceAll(/&#x?([0-9a-f]+);/gi, (_all, code: string) =>
      String.fromCodePoint(Math.min(Number.parseInt(code, 16), 65_535)),
    )
    .replaceAll('\\', '');
}
