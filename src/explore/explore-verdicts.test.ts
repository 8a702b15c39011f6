/** Explorations of gateways whose fault is easily counted for something else. */
import { describe, expect, it } from 'vitest';
import { exploreFor } from '../../test/kit/explored.ts';
import { brokenClauses } from '../../test/kit/real-run.ts';
import type { Call } from '../gateway/call.ts';
import { errorAnswer, isChat, isPlain, isStream } from '../gateway/change.ts';
import type { Modifier } from '../gateway/index.ts';

const refuseWith = (status: number, only: (call: Call) => boolean): Modifier => ({
  title: 'x',
  only,
  before: () => errorAnswer(status),
});
const says =
  (pattern: RegExp) =>
  (call: Call): boolean =>
    isChat(call) && pattern.test(JSON.stringify(call.body['messages'] ?? ''));

describe('An exploration', { timeout: 60_000 }, () => {
  it('that may ask nothing again reports a 5xx that stayed as drawn', async () => {
    const explore = { requests: 30, completions: 295, shrinkCompletions: 0 };
    const { report } = await exploreFor({ modifiers: [refuseWith(500, says(/"system"/))] }, 30, { explore });
    expect(report.outcome.exit).toBe(1);
    expect(report.explore?.findings.map(({ isShrunk }) => isShrunk)).toContain(false);
  });

  it('of a gateway without streams blames nothing that is special about a drawn stream', async () => {
    const { report } = await exploreFor({ modifiers: [refuseWith(400, isStream)] }, 25);
    expect(brokenClauses(report)).toEqual(['stream.answers']);
    const levels = { 'stream.answers': 'observe' } as const;
    const observed = await exploreFor({ modifiers: [refuseWith(400, isStream)] }, 25, { levels });
    expect(brokenClauses(observed.report)).toEqual([]);
  });

  it('finds no reason in a request that is refused every other time', async () => {
    let turn = 0;
    const { report } = await exploreFor(
      { modifiers: [refuseWith(400, (call) => isPlain(call) && (turn += 1) % 2 === 0)] },
      60,
    );
    const findings = report.explore?.findings ?? [];
    expect(findings.flatMap(({ difference }) => difference)).toEqual([]);
    expect(brokenClauses(report)).toEqual(['endpoint.chat-answers']);
    expect(findings.every(({ intermittent, neighbour }) => intermittent && neighbour === undefined)).toBe(true);
  });
});

it('A connection that is dropped on its second call each time is not judged, and shown as a sequence', async () => {
  const dropped: Modifier = {
    title: 'x',
    only: (call) => isChat(call) && call.previous?.place === 1,
    before: () => ({ kind: 'hang-up', how: 'close' }),
  };
  const { report } = await exploreFor({ modifiers: [dropped] }, 60);
  expect([report.outcome.exit, brokenClauses(report)]).toEqual([3, []]);
  expect(report.explore?.findings.map(({ silence, length }) => [silence, length])).toEqual([['closed', 2]]);
}, 60_000);
