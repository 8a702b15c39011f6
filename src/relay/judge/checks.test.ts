/** Each check on data: evidence that it passes, and evidence in which it finds what it is for. */
import { describe, expect, it } from 'vitest';
import { failure } from '../../../test/kit/exchanges.ts';
import { completion, judgeBothEnds, plain } from '../../../test/kit/relay-evidence.ts';
import {
  atFront,
  FAILED,
  failing,
  JUDGING,
  OBSERVING,
  OTHER_OBJECT,
  PROPER,
} from '../../../test/kit/relay-examples.ts';
import { RELAY_CHECKS } from './checks.ts';

it('Every check has examples on data', () => {
  expect([...Object.keys(JUDGING), ...Object.keys(OBSERVING)].toSorted()).toEqual(Object.keys(RELAY_CHECKS).toSorted());
});

describe.each(Object.entries(JUDGING))('The check %s', (name, { holds, breaks, mismatch }) => {
  const check = name as keyof typeof RELAY_CHECKS;

  it('passes a gateway that keeps the clause', () => {
    expect(judgeBothEnds(check, holds)).toEqual({ kind: 'holds' });
  });

  it(`finds ${mismatch}`, () => {
    expect(judgeBothEnds(check, breaks)).toMatchObject({ kind: 'broken', findings: [{ mismatch }] });
  });
});

it.each(Object.entries(OBSERVING))('The observation %s tells two gateways apart', (name, { seen, unseen }) => {
  const check = name as keyof typeof RELAY_CHECKS;
  const [first, second] = [judgeBothEnds(check, seen), judgeBothEnds(check, unseen)];
  expect([first.kind, second.kind]).toEqual(['observed', 'observed']);
  expect(first).not.toEqual(second);
});

describe('A gateway that still waits for an upstream that has failed', () => {
  const waitingFor = (at: number) =>
    failing(plain({ failure: failure('timeout', { limit: 'first-byte-timeout', at }) }, FAILED));

  it('hangs after ten seconds', () => {
    expect(judgeBothEnds('failure-known', waitingFor(12_000))).toMatchObject({ findings: [{ mismatch: 'hangs' }] });
  });

  it('is not judged if a time limit of the run ended the call before', () => {
    const judged = judgeBothEnds('failure-known', waitingFor(5_000));
    expect(judged).toEqual({ kind: 'inconclusive', reason: { kind: 'relay-waiting' } });
  });
});

it("A fault of the upstream that is passed on is not the gateway's", () => {
  const judged = judgeBothEnds('front', atFront(plain({ json: OTHER_OBJECT }, { json: OTHER_OBJECT })));
  expect(judged).toEqual({ kind: 'skipped', reason: { kind: 'no-occasion', of: 'front-answer' } });
});

it('A fault beside text that was altered is found at the front', () => {
  const other = { ...OTHER_OBJECT, ...(completion('Something else.') as object) };
  expect(judgeBothEnds('front', atFront(plain({ json: other }, { json: PROPER })))).toMatchObject({ kind: 'broken' });
});
