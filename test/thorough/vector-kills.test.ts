/** Which faulty clients the vectors find without wirecheck: the figures of vectors/README.md. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { FAULTY_CLIENTS } from '../../selftest/clients/catalogue.ts';
import type { ClientModifier, FaultyClient } from '../../selftest/clients/client-modifier.ts';
import { makeCall } from '../../selftest/clients/small-client.ts';
import { packageRoot } from '../../src/contract/package-root.ts';
import { judgedOf, listMistakes, parseVectors } from '../kit/vectors/play.ts';

const FOLDER = join(packageRoot(), 'vectors');
const README = readFileSync(join(FOLDER, 'README.md'), 'utf8').replaceAll('\n', ' ');

/** Those that every client gets, whatever codings it accepts. */
const vectors = readdirSync(FOLDER).flatMap((name) =>
  /^client-.*ndjson$/.test(name)
    ? judgedOf(parseVectors(readFileSync(join(FOLDER, name), 'utf8'))).filter(({ needs }) => needs === undefined)
    : [],
);

/** Milliseconds after which a client that never gives up counts as wrong. */
const LIMIT = 3_000;

function clausesFailed(client: ClientModifier): Promise<readonly string[]> {
  const hangs = () =>
    new Promise<never>((_resolve, reject) => setTimeout(reject, LIMIT, new Error('It hangs.')).unref());
  return listMistakes(vectors, (task) => Promise.race([makeCall(task, client), hangs()])).then((mistakes) =>
    mistakes.map(({ clause }) => clause),
  );
}

it('The vectors alone find the faulty clients that their page counts', { timeout: 600_000 }, async () => {
  const faulty = Object.values<FaultyClient>(FAULTY_CLIENTS);
  expect(await clausesFailed({ title: 'A right client' })).toEqual([]);
  const failed: (readonly [FaultyClient, readonly string[]])[] = [];
  // One after the other, so that none is slow because of the others.
  for (const client of faulty) failed.push([client, await clausesFailed(client)]);
  const found = failed.filter(([, clauses]) => clauses.length > 0);
  const shown = new Set(found.flatMap(([{ breaks }, clauses]) => breaks.filter((clause) => clauses.includes(clause))));
  const missed = [...new Set(faulty.flatMap(({ breaks }) => breaks))].filter((clause) => !shown.has(clause));
  const figures = [found.length, faulty.length, shown.size, shown.size + missed.length];
  expect(README).toContain(`${figures[0]} of the ${figures[1]} faulty clients`);
  expect(README).toContain(`${figures[2]} of the ${figures[3]} clauses`);
  for (const clause of missed) expect(README).toContain(`\`${clause}\``);
});
