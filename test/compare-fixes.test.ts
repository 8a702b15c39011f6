import { beforeAll, describe, expect, it } from 'vitest';
import { modifier, observe, observeOnce, said, withoutDrift } from './kit/compare-runs.ts';
import { put } from '../src/gateway/change.ts';
import { letPass, onErrors, refuseIf, replaceBody } from '../src/gateway/change-answer.ts';
import { isChat, isPlain, isStream } from '../src/gateway/call-tests.ts';
import { compareRuns } from '../src/report/comparison/compare.ts';
import type { ObservedRun } from '../src/report/comparison/observed-run.ts';

let conforming: ObservedRun;
beforeAll(async () => {
  conforming = await observeOnce('conforming', 'new');
});

const FIXES = [
  {
    title: 'a value and a role of the contract that were refused are answered',
    old: modifier({
      only: isChat,
      refuse: refuseIf(({ body, text = '' }) => body['temperature'] === 2 || text.includes('"role":"system"')),
    }),
    kept: ['limits.temperature-in-range', 'message.roles'],
  },
  {
    title: 'a stream that was one JSON body is a stream',
    old: modifier({ only: isStream, streams: () => false }),
    kept: ['stream.event-stream'],
  },
  {
    title: 'error bodies that were pages are errors',
    old: modifier({ answer: onErrors(replaceBody('text/html', '<h1>Error</h1>')) }),
    kept: ['errors.json'],
  },
];

const AUTH = { only: ['auth/*', 'models/*'] };

describe('a fix', { timeout: 120_000 }, () => {
  it.each(FIXES)('is a note, not a change to review: $title', async ({ old, kept }) => {
    const found = compareRuns(await observe(old, 'old'), conforming);
    expect(said(found)).toEqual([]);
    expect(found.notices).toContainEqual({ kind: 'fixed', clauses: expect.arrayContaining(kept) });
  });

  it('is a warning at most if clients may rely on the old form', async () => {
    const before = await observeOnce('integer codes', 'old');
    const found = compareRuns(before, conforming);
    expect(found.exit).toBe(0);
    expect(new Set(said(found))).toEqual(new Set(['warning field-type /error/code']));
    expect(found.changes.every(({ mended }) => mended)).toBe(true);
    expect(said(compareRuns(conforming, before))).toContain('breaking field-type /error/code');
  });

  it('is not claimed by a run that ended early, of a clause that is judged over all answers', async () => {
    const before = await observeOnce('integer codes', 'old');
    const fixedIn = (now: ObservedRun) =>
      compareRuns(before, now).notices.flatMap((notice) => (notice.kind === 'fixed' ? notice.clauses : []));
    expect(fixedIn(conforming)).toContain('errors.code');
    const early = await observeOnce('conforming', 'early', { maxRequests: 60 });
    expect(early.report.clauses.find(({ id }) => id === 'errors.code')?.verdict).toBe('pass');
    expect(fixedIn(early)).not.toContain('errors.code');
  });

  it('of what was wrong in some answers only is one entry, as the fault is', async () => {
    const inSome = modifier({
      error: (body, { status }, { text = '' }) =>
        status === 404 || text.includes('"temperature"') ? put('/error/code', 7)(body) : body,
    });
    const before = await observe(inSome, 'old');
    const found = compareRuns(conforming, before);
    expect(said(found)).toEqual(['breaking field-type /error/code']);
    expect(found.counts.breaking).toBe(1);
    const [lead] = found.changes;
    expect(lead?.old.answers).toBe(Math.max(...withoutDrift(found).map(({ old }) => old.answers ?? 0)));
    expect(lead?.new.answer?.body).toContain('"code":7');
    expect(lead?.old.answer?.exchange).toBe(lead?.new.answer?.exchange);
    expect(said(compareRuns(before, conforming)).filter((line) => line.startsWith('additive'))).toEqual([]);
  });

  it('of a status is a warning with a note, in the cases that broke the clause', async () => {
    const before = await observe({ fault: 'auth-empty-body-first' }, 'old', AUTH);
    const found = compareRuns(before, await observeOnce('conforming', 'new', AUTH));
    expect(said(found)).toEqual(['warning refusal-status']);
    expect(withoutDrift(found).every(({ mended }) => mended)).toBe(true);
  });

  it('of an open endpoint also explains answers that only follow from it, and opening it adds nothing', async () => {
    const open = await observe({ fault: 'auth-error-200' }, 'open');
    const found = compareRuns(open, conforming);
    expect(said(found)).toEqual([]);
    expect(found.notices).toContainEqual({ kind: 'fixed', clauses: expect.arrayContaining(['auth.required']) });
    const opened = said(compareRuns(conforming, open));
    expect(opened).toContain('breaking clause-broken');
    expect(opened).not.toContain('additive answer-new');
  });

  it('of an endpoint that was open is no loss of other ways to send a key, and opening it adds none', async () => {
    const closed = await observeOnce('conforming', 'closed', AUTH);
    const open = await observe({ fault: 'auth-models-open' }, 'open', AUTH);
    const opened = compareRuns(closed, open);
    expect(said(opened)).toEqual(['breaking clause-broken']);
    // What the older run answered, not what the clause asks for.
    expect(opened.changes[0]?.old).toMatchObject({ status: 401, exchanges: [expect.stringMatching(/^auth\//)] });
    expect(said(compareRuns(open, closed))).toEqual([]);
  });

  it('is no part of another way to send a valid key, which is additive', async () => {
    const old = await observeOnce('conforming', 'old', AUTH);
    const other = await observe({ variant: 'auth-x-api-key-accepted' }, 'new', AUTH);
    expect(said(compareRuns(old, other))).toEqual(['additive answer-new']);
    const both = await observe({ variant: 'auth-x-api-key-accepted', fault: 'auth-longer-key-accepted' }, 'new');
    expect(said(compareRuns(conforming, both))).toEqual(['additive answer-new', 'breaking clause-broken']);
  });

  it('is additive if the contract leaves it open', async () => {
    const refusal = letPass('temperature-type', 'max-tokens-type', 'top-p-type', 'stream-type');
    const refuse = refuseIf(({ text = '' }) => text.includes('null'));
    const few = { only: ['parameters/*'] };
    const before = await observe(modifier({ only: isPlain, refusal, refuse }), 'old', few);
    const now = await observe(modifier({ only: isPlain, refusal }), 'new', few);
    expect(said(compareRuns(before, now))).toEqual(['additive answer-new']);
  });
});
