/** Whatever is altered in a report is found by `wirecheck verify`, but for the few members that no recording can show. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { judgeForReport } from '../../src/commands/verify.ts';
import { loadRecorded } from '../../src/commands/files/read-recorded.ts';
import { isObject, pointerOf } from '../../src/json.ts';
import { addCauses } from '../../src/render/json.ts';
import { compareReports } from '../../src/report/verification/compare-reports.ts';
import { withoutBodies } from '../../src/report/without-bodies.ts';
import { VerifiedRun } from '../kit/verified-run.ts';

const run = new VerifiedRun();
beforeAll(() => run.record(), 60_000);
afterAll(() => run.close());

type Path = readonly (string | number)[];

/** One of each form: a second case, or a second header, is compared as the first. */
function* listPlaces(value: unknown, path: Path, seen: Set<string>): Generator<Path> {
  const form = pointerOf(path.map((token) => (typeof token === 'number' ? 0 : token)));
  if (!Array.isArray(value) && !isObject(value)) {
    if (!seen.has(form)) yield path;
    seen.add(form);
    return;
  }
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  for (const [name, member] of members) yield* listPlaces(member, [...path, name], seen);
}

function altered(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) {
    if (typeof value === 'boolean') return !value;
    return typeof value === 'number' ? value + 1 : `${String(value)}x`;
  }
  if (Array.isArray(value)) return value.with(Number(first), altered(value[Number(first)], rest));
  return isObject(value) ? { ...value, [first]: altered(value[first], rest) } : value;
}

it('every member of a report counts', { timeout: 120_000 }, async () => {
  const report = run.readReport('run.json');
  const recorded = await loadRecorded('run.ndjson.gz', run.cwd);
  if (recorded.kind === 'report') throw new Error('the recording is a report');
  const { judged: again } = await judgeForReport(report, recorded, { cwd: run.cwd });
  if (!again) throw new Error('the recording is of something else');
  const judged = { whole: addCauses(again), bare: addCauses(withoutBodies(again)) };
  expect(compareReports(report, judged)).toEqual({ compared: 'everything', certain: [], judgement: [] });
  const places = [...listPlaces(report, [], new Set())];
  expect(places.length).toBeGreaterThan(150);
  const missed = places.filter((path) => {
    const { certain, compared } = compareReports(altered(report, path) as typeof report, judged);
    return certain.length === 0 && compared === 'everything';
  });
  expect(missed.map(pointerOf).toSorted()).toEqual([
    '/note',
    '/product/contact',
    '/product/name',
    '/product/version',
    '/provenance/node',
    '/provenance/platform',
    // Compared with the files themselves.
    '/recordingDigest',
    '/reportDigest',
    '/title',
  ]);
});
