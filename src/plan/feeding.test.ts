import { STEPS } from './known-steps.ts';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../contract/read-contract.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { loadRequests, loadSuites } from '../suite/read-suites.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { makePlan } from './make-plan.ts';
import type { Plan } from './plan.ts';

const suites = loadSuites([], loadContract());

function planOf(changes: Partial<Settings> = {}): Plan {
  return makePlan(
    { suites, requests: loadRequests(), checks: CHECKS },
    { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...changes },
    [],
  );
}

const ids = ({ steps }: Plan): readonly string[] => steps.map(({ id }) => id);
const ALWAYS = ['models', 'bare-key', 'chat', 'chat-bare'];

describe('a case that judges the answers of others', () => {
  it('is fed with every request that it looks at, if it is named', () => {
    const { cases, partial, steps } = planOf({ only: ['streaming/every-stream'] });
    expect(cases.map(({ id }) => id).filter((id) => !partial.includes(id))).toEqual(['streaming/every-stream']);
    // Brief streams need to know whether one token is taken.
    const fed = steps.filter(({ id }) => !ALWAYS.includes(id) && id !== STEPS.brief);
    const all = planOf().steps.filter(({ template, seeks, when }) => {
      const isProper = template.mode === 'stream' && seeks !== 'unauthorized' && seeks !== 'refusal';
      return isProper && when?.kind !== 'looksFake';
    });
    expect(fed.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    expect(fed.length).toBeGreaterThan(2);
  });

  it.each(['chat/every-reply', 'chat/every-completion', 'models/every-list'])('is fed with nothing else: %s', (id) => {
    const { steps } = planOf({ only: [id] });
    const fed = steps.filter((step) => !ALWAYS.includes(step.id));
    expect(fed.filter(({ seeks }) => seeks === 'unauthorized' || seeks === 'refusal')).toEqual([]);
    // A plain request is sent only if the stream with the same limit is refused.
    const streams = fed.filter(({ template }) => template.mode === 'stream').map((step) => step.id);
    expect(streams.filter((name) => name !== 'streaming/reply')).toEqual([]);
    expect(fed).not.toEqual([]);
  });

  it('is fed with the whole run if it looks at every answer, but not with streams that are only timed', () => {
    const timed = planOf().steps.filter(({ when }) => when?.kind === 'looksFake');
    expect(timed.map(({ id }) => id)).toEqual(['streaming/in-pieces']);
    const others = ids(planOf()).filter((id) => id !== 'streaming/in-pieces');
    expect(ids(planOf({ only: ['auth/key-echo'] })).toSorted()).toEqual(others.toSorted());
    expect(ids(planOf({ only: ['streaming/in-pieces'] }))).toContain('streaming/in-pieces');
  });

  it('judges what other selected cases send, if a glob selects them together', () => {
    const plan = planOf({ only: ['auth/*'] });
    expect(plan.cases.map(({ id }) => id)).toContain('auth/key-echo');
    expect(ids(plan).filter((id) => id.startsWith('parameters/') || id.startsWith('streaming/'))).toEqual([]);
  });

  it('is fed if a glob selects no case that sends anything', () => {
    expect(ids(planOf({ only: ['*/every-stream'] }))).toContain('streaming/non-ascii-text');
  });

  it('is not fed with requests that --skip excludes', () => {
    const plan = planOf({ only: ['streaming/every-stream'], skip: ['streaming/non-*'] });
    expect(ids(plan)).not.toContain('streaming/non-ascii-text');
  });

  it('is fed with the requests that a rerun names', () => {
    const only = ['streaming/every-stream'];
    expect(ids(planOf({ only, fedBy: { 'streaming/every-stream': ['streaming/non-ascii-text'] } }))).toEqual([
      ...ALWAYS,
      'streaming/reply',
      'streaming/non-ascii-together',
      'streaming/non-ascii-text',
    ]);
    expect(ids(planOf({ only, fedBy: { 'streaming/every-stream': ['chat-stream'] } }))).toEqual([
      ...ALWAYS,
      'chat-stream',
    ]);
    const only2 = ['models/every-list'];
    expect(ids(planOf({ only: only2, fedBy: { 'models/every-list': ['models'] } }))).toEqual(['models', 'bare-key']);
  });
});

it('A stream that is judged by its wait brings three refusals to compare with, none of them an edit of max_tokens', () => {
  const refused = (plan: Plan) => plan.steps.filter(({ seeks }) => seeks === 'refusal');
  const plan = planOf({ only: ['streaming/in-pieces'] });
  expect(refused(plan)).toHaveLength(3);
  expect(ids(plan).filter((id) => id.includes('max-tokens'))).toEqual([]);
  const both = planOf({ only: ['streaming/in-pieces', 'errors/no-body'] });
  expect(refused(both).map(({ id }) => id)).toEqual(['errors/no-body']);
});
