import { beforeAll, describe, expect, it } from 'vitest';
import { modifier, noticesOf, observe, observeOnce } from './kit/compare-runs.ts';
import { knownCases } from '../src/commands/files/prepare-files.ts';
import { loadContract } from '../src/contract/read-contract.ts';
import { drop, put } from '../src/gateway/change.ts';
import { refuseWith } from '../src/gateway/change-answer.ts';
import { isModels, isPlain } from '../src/gateway/call-tests.ts';
import { compareRuns } from '../src/report/comparison/compare.ts';
import type { ObservedRun } from '../src/report/comparison/observed-run.ts';
import { readWaivers, type Waivers } from '../src/report/excuses/waivers.ts';

let conforming: ObservedRun;
beforeAll(async () => {
  conforming = await observeOnce('conforming', 'old');
});

describe('the waiver file in a comparison', () => {
  const waivers = (entry: string): Waivers =>
    readWaivers(`waivers:\n  - ${entry}`, 'w.yaml', { contract: loadContract(), cases: [] });

  it('excuses a change temporarily, by its fingerprint or its clause', async () => {
    const now = await observeOnce('no usage', 'new');
    const fingerprint = compareRuns(conforming, now).changes[0]?.fingerprint;
    for (const name of [`fingerprint: ${fingerprint}`, 'clause: versioning.no-breaking-change']) {
      const found = compareRuns(conforming, now, { waivers: waivers(`{ ${name}, reason: known, until: 2999-01-01 }`) });
      expect(found.exit).toBe(0);
      expect(found.changes[0]?.excused).toEqual({ by: 'waiver', reason: 'known', date: '2999-01-01' });
    }
    const expired = compareRuns(conforming, now, {
      waivers: waivers(`{ fingerprint: '*', reason: known, until: 2020-01-01 }`),
    });
    expect(expired.exit).toBe(1);
  });

  it('needs one entry for one cause, however many cases show it', async () => {
    const few = { only: ['auth/*'] };
    const old = await observeOnce('conforming', 'old', few);
    const now = await observe(
      modifier({ refusal: (refusal) => (refusal.status === 401 ? { ...refusal, code: 'renamed' } : refusal) }),
      'new',
      few,
    );
    const open = compareRuns(old, now, { failOn: 'warning' });
    const codes = open.changes.filter(({ what, old }) => what === 'refusal-code' && old.code === 'invalid_api_key');
    expect(codes.length).toBeGreaterThan(3);
    expect(new Set(codes.map(({ fingerprint }) => fingerprint)).size).toBe(codes.length);
    const [cause, ...others] = new Set(codes.map((change) => change.cause));
    expect(others).toEqual([]);
    const found = compareRuns(old, now, {
      waivers: waivers(`{ fingerprint: ${cause}, reason: known, until: 2999-01-01 }`),
    });
    const excused = found.changes.filter((change) => change.excused);
    expect(excused.map(({ place }) => place.case)).toEqual(codes.map(({ place }) => place.case));
    expect(noticesOf(found)).toEqual([]);
  });

  it('excuses a newly broken clause by the same entry as in a run', async () => {
    const now = await observeOnce('another object', 'new');
    const found = compareRuns(conforming, now, {
      waivers: waivers('{ clause: completion.object, reason: known, until: 2999-01-01 }'),
    });
    expect(found.exit).toBe(0);
    expect(found.changes[0]?.excused?.reason).toBe('known');
  });

  it('excuses a change by the clauses that it breaks, if all of them are waived', async () => {
    const now = await observeOnce('integer codes', 'new');
    const open = compareRuns(conforming, now);
    expect(open.exit).toBe(1);
    const broken = new Set(open.changes.flatMap(({ breaks = [] }) => breaks.map(({ clause }) => clause)));
    expect(broken).toEqual(new Set(['errors.code']));
    const found = compareRuns(conforming, now, {
      waivers: waivers('{ clause: errors.code, reason: known, owner: gateway team, until: 2999-01-01 }'),
    });
    expect(found.exit).toBe(0);
    expect(found.counts).toMatchObject({ breaking: 0, waived: 1 });
    expect(found.changes[0]?.excused).toMatchObject({ by: 'waiver', owner: 'gateway team' });
    expect(noticesOf(found)).toEqual([]);
    for (const term of ['clause: errors.type, until: 2999-01-01', 'clause: errors.code, until: 2020-01-01'])
      expect(compareRuns(conforming, now, { waivers: waivers(`{ ${term}, reason: known }`) }).exit).toBe(1);
  });

  it('allows an announced removal from its date on, and not before', async () => {
    const now = await observeOnce('no usage', 'new');
    const on = (date: string) =>
      compareRuns(conforming, now, {
        waivers: waivers(
          `{ fingerprint: '*', reason: moved, announced: { date: ${date}, link: 'https://gateway.example/changelog' } }`,
        ),
      });
    const early = on('2999-01-01');
    expect(early.exit).toBe(1);
    expect(early.changes[0]).toMatchObject({ kind: 'breaking', clause: 'versioning.works-until-removal' });
    const legal = on('2020-01-01');
    expect(legal.exit).toBe(0);
    expect(legal.changes[0]?.excused).toMatchObject({ by: 'announcement', date: '2020-01-01' });
  });

  it('reports a removal before its announced date as early and breaking', async () => {
    const few = { only: ['models/*'] };
    const old = await observeOnce('conforming', 'old', few);
    const now = await observe(modifier({ only: isModels, list: drop('/data/1') }), 'new', few);
    const entry =
      "{ fingerprint: '*', reason: moved, announced: { date: 2999-01-01, link: 'https://gateway.example/log' } }";
    const found = compareRuns(old, now, { waivers: waivers(entry) });
    expect(found.exit).toBe(1);
    expect(found.changes[0]).toMatchObject({ kind: 'breaking', what: 'model-gone', announcedFor: '2999-01-01' });
    expect(noticesOf(found)).toEqual([]);
  });

  it('gets notices about expired entries and entries that match no change', async () => {
    const now = await observeOnce('no usage', 'new');
    const AT = { file: 'w.yaml', line: 2 };
    const noticesFor = (entry: string) => noticesOf(compareRuns(conforming, now, { waivers: waivers(entry) }));
    expect(noticesFor("{ fingerprint: '*', reason: known, until: 2020-01-01 }")).toEqual([
      { kind: 'waiver-expired', until: '2020-01-01', fingerprint: '*', ...AT },
    ]);
    expect(noticesFor('{ clause: errors.code, reason: known, until: 2999-01-01 }')).toEqual([
      { kind: 'waiver-idle', isAnnounced: false, clause: 'errors.code', ...AT },
    ]);
    expect(noticesFor('{ clause: errors.code, reason: known, until: 2020-01-01 }')).toEqual([
      { kind: 'waiver-idle', expired: '2020-01-01', isAnnounced: false, clause: 'errors.code', ...AT },
    ]);
    expect(noticesFor("{ fingerprint: '*', reason: known, until: 2999-01-01 }")).toEqual([]);
  });

  it('gets a notice about an announcement of what is no removal, also before its date', async () => {
    const now = await observeOnce('integer codes', 'new');
    const announce = (name: string, date: string) =>
      noticesOf(
        compareRuns(conforming, now, {
          waivers: waivers(
            `{ ${name}, reason: moved, announced: { date: ${date}, link: 'https://gateway.example/changelog' } }`,
          ),
        }),
      );
    const idle = { kind: 'waiver-idle', isAnnounced: true };
    for (const name of ["fingerprint: '*'", 'clause: errors.code', 'clause: versioning.no-breaking-change'])
      for (const date of ['2020-01-01', '2999-01-01']) expect(announce(name, date)).toMatchObject([idle]);
    expect(announce('clause: completion.object', '2999-01-01')).toEqual([]);
    expect(announce('clause: completion.object', '2020-01-01')).toMatchObject([idle]);
  });

  it('gets a notice that says if the change belongs to no case', async () => {
    const now = await observeOnce('no usage', 'new');
    const known = knownCases({});
    const noticesFor = (clause: string, run: ObservedRun, old = conforming) => {
      const text = `waivers:\n  - { clause: ${clause}, case: 'parameters/*', reason: known, until: 2999-01-01 }`;
      return noticesOf(compareRuns(old, run, { waivers: readWaivers(text, 'w.yaml', known) }));
    };
    expect(noticesFor('versioning.no-breaking-change', now)).toMatchObject([{ kind: 'waiver-idle', isOfNoCase: true }]);
    const [other] = noticesFor('errors.code', now);
    expect(other).toMatchObject({ kind: 'waiver-idle' });
    expect(other).not.toHaveProperty('isOfNoCase');
    const few = { only: ['chat/*'] };
    const old = await observeOnce('conforming', 'old', few);
    const added = await observe(modifier({ completion: put('/extra', 1) }), 'new', few);
    expect(compareRuns(old, added).counts.additive).toBe(1);
    expect(noticesFor('versioning.additive', added, old)[0]).not.toHaveProperty('isOfNoCase');
  });

  it('excuses changes that match both a clause and a pattern of cases', async () => {
    const few = { only: ['parameters/max-tokens-*'] };
    const old = await observeOnce('conforming', 'old', few);
    const now = await observe(modifier({ only: isPlain, refusal: refuseWith(422, 'max-tokens-range') }), 'new', few);
    const known = knownCases({});
    const text = (glob: string) =>
      `waivers:\n  - { clause: versioning.no-breaking-change, case: '${glob}', reason: known, until: 2999-01-01 }`;
    const left = (glob: string) =>
      compareRuns(old, now, { waivers: readWaivers(text(glob), 'w.yaml', known) }).changes.filter(
        ({ what, excused }) => what === 'refusal-status' && !excused,
      );
    expect(compareRuns(old, now).changes.filter(({ what }) => what === 'refusal-status').length).toBeGreaterThan(1);
    expect(left('parameters/max-tokens-*')).toEqual([]);
    expect(left('auth/*').length).toBeGreaterThan(1);
  });
});
