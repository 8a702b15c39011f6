/** Each check on data: evidence that it passes, and evidence in which it finds what it is for. */
import { describe, expect, it } from 'vitest';
import { failure } from '../../../../test/kit/exchanges.ts';
import { chunk, completion, judgeBothEnds, OTHER_MARK, plain, streamed } from '../../../../test/kit/relay-evidence.ts';
import {
  atFront,
  controls,
  ERROR,
  FAILED,
  failing,
  JUDGING,
  messages,
  OTHER_OBJECT,
  PROPER,
} from '../../../../test/kit/relay-examples.ts';
import { FAILING } from '../../../../test/kit/relay-failing.ts';
import { FAILING_OVER, OBSERVING_FAILOVER } from '../../../../test/kit/relay-failover.ts';
import { OBSERVING } from '../../../../test/kit/relay-observed.ts';
import { RELAY_CHECKS } from './judge-relay.ts';

const JUDGED = { ...JUDGING, ...FAILING, ...FAILING_OVER };
const OBSERVED = { ...OBSERVING, ...OBSERVING_FAILOVER };

it('Every check has examples on data', () => {
  const examples = { ...JUDGED, ...OBSERVED };
  expect(Object.keys(examples).toSorted()).toEqual(Object.keys(RELAY_CHECKS).toSorted());
});

describe.each(Object.entries(JUDGED))('The check %s', (name, { holds, breaks, mismatch }) => {
  const check = name as keyof typeof RELAY_CHECKS;

  it('passes a gateway that keeps the clause', () => {
    expect(judgeBothEnds(check, holds)).toEqual({ kind: 'holds' });
  });

  it(`finds ${mismatch}`, () => {
    expect(judgeBothEnds(check, breaks)).toMatchObject({ kind: 'broken', findings: [{ mismatch }] });
  });
});

it.each(Object.entries(OBSERVED))('The observation %s tells two gateways apart', (name, { seen, unseen }) => {
  const check = name as keyof typeof RELAY_CHECKS;
  const [first, second] = [judgeBothEnds(check, seen), judgeBothEnds(check, unseen)];
  expect([first.kind, second.kind]).toEqual(['observed', 'observed']);
  expect(first).not.toEqual(second);
});

describe('A gateway that still waits for an upstream that has failed', () => {
  const waitingFor = (at: number) =>
    failing(plain({ failure: failure('timeout', { limit: 'first-byte-timeout', at }) }, FAILED));

  it('hangs after 20 s, which is not a completion that it made up', () => {
    expect(judgeBothEnds('failure-answered', waitingFor(21_000))).toMatchObject({ findings: [{ mismatch: 'hangs' }] });
    expect(judgeBothEnds('failure-known', waitingFor(21_000))).toMatchObject({
      reason: { kind: 'see-clause', clause: 'relay.failure-answered' },
    });
  });

  it('is not judged if a time limit of the run ended the call before', () => {
    const judged = judgeBothEnds('failure-answered', waitingFor(5_000));
    expect(judged).toEqual({ kind: 'inconclusive', reason: { kind: 'relay-waiting' } });
  });
});

it('An error in a 200 is one for a client that waits for events only as an event', () => {
  const json = { text: JSON.stringify(ERROR) };
  const asJson = judgeBothEnds('failure-form', failing(streamed(json, json)));
  expect(asJson).toMatchObject({ findings: [{ mismatch: 'error-as-success' }] });
  expect(judgeBothEnds('failure-form', failing(streamed({ events: [ERROR] }, json)))).toEqual({ kind: 'holds' });
});

it('A 5xx after a call met the close of an idle connection says so', () => {
  const met = { failure: failure('closed', { code: 'IDLE_CLOSED' }) };
  const pauses = { questions: [plain({ ...FAILED, status: 502 }, met)] };
  expect(judgeBothEnds('after-pause', pauses)).toMatchObject({ findings: [{ actual: { afterIdleClose: true } }] });
});

it("A fault of the upstream that is passed on is not the gateway's", () => {
  const judged = judgeBothEnds('front', atFront(plain({ json: OTHER_OBJECT }, { json: OTHER_OBJECT })));
  expect(judged).toEqual({ kind: 'skipped', reason: { kind: 'no-occasion', of: 'front-answer' } });
});

it('A fault beside text that was altered is found at the front', () => {
  const other = { ...OTHER_OBJECT, ...(completion('Something else.') as object) };
  expect(judgeBothEnds('front', atFront(plain({ json: other }, { json: PROPER })))).toMatchObject({ kind: 'broken' });
});

describe('A success without the text of the upstream', () => {
  const empty = { questions: [streamed({ events: ['[DONE]'] }, {})] };

  it('loses text, whatever the form of the answer', () => {
    expect(judgeBothEnds('text', empty)).toMatchObject({
      findings: [{ mismatch: 'text-lost', actual: { kind: 'empty-reply' } }],
    });
  });

  it('loses it even if the gateway left before the text was written', () => {
    const left = { text: '', end: { kind: 'aborted', why: 'left' } } as const;
    const judged = judgeBothEnds('text', { questions: [streamed({ text: '' }, left)] });
    expect(judged).toMatchObject({ findings: [{ mismatch: 'text-lost' }] });
  });

  it('loses it in an answer that has no events', () => {
    const judged = judgeBothEnds('text', {
      questions: [streamed({ text: JSON.stringify(completion('A reply.')) }, {})],
    });
    expect(judged).toMatchObject({ findings: [{ mismatch: 'text-lost', actual: { kind: 'answer' } }] });
  });

  it('has not lost it where finish_reason tells the failure', () => {
    const told = { questions: [streamed({ events: [chunk('The mark', 'error'), '[DONE]'] }, {})] };
    expect(judgeBothEnds('text', told)).toMatchObject({ reason: { clause: 'relay.understood' } });
    expect(judgeBothEnds('understood', told)).toMatchObject({ findings: [{ mismatch: 'not-understood' }] });
  });

  it('is one finding', () => {
    expect(judgeBothEnds('understood', empty)).toMatchObject({ reason: { kind: 'see-clause', clause: 'relay.text' } });
  });
});

it('Text in an event named chunk counts, whether the gateway passes the name on or not', () => {
  const named = {
    reads: [{ at: 5, text: `event: chunk\ndata: ${JSON.stringify(chunk('Hi.', 'stop'))}\n\ndata: [DONE]\n\n` }],
  };
  const unnamed = { events: [chunk('Hi.', 'stop'), '[DONE]'] };
  const lost = { events: [chunk('', 'stop'), '[DONE]'] };
  const kinds = [named, unnamed, lost].map(
    (front) => judgeBothEnds('text', { questions: [streamed(front, named)] }).kind,
  );
  expect(kinds).toEqual(['holds', 'holds', 'broken']);
});

it("A refusal of the request by the upstream may be told as such, a refusal of the gateway's key may not", () => {
  const kinds = [401, 402, 403, 404, 413, 500].map((status) => {
    const question = plain({ ...FAILED, status: 400 }, { ...FAILED, status });
    return judgeBothEnds('failure-blame', failing(question)).kind;
  });
  expect(kinds).toEqual(['broken', 'skipped', 'skipped', 'skipped', 'skipped', 'broken']);
});

describe('Every reply of the run', () => {
  const other = completion(`Mark ${OTHER_MARK}.`);

  it('may come from a cache, if the request is the same', () => {
    const cached = controls(plain({}, {}), plain({ id: 'r' }));
    expect(judgeBothEnds('every-own-reply', cached).kind).toBe('holds');
    expect(judgeBothEnds('every-text', cached).kind).toBe('holds');
  });

  it('is not judged where an error is told in its place, or nothing came of it', () => {
    const failed = { json: { choices: [{ index: 0, message: { content: 'No.' }, finish_reason: 'error' }] } };
    const cooling = controls(plain(FAILED), plain({ id: 'r', ...failed }), streamed({ id: 's', events: [chunk('')] }));
    expect(judgeBothEnds('every-text', cooling).kind).toBe('skipped');
  });

  it('is not made up while the gateway recovers', () => {
    const judged = judgeBothEnds('every-text', controls(plain({ json: completion('One moment, please.') })));
    expect(judged).toMatchObject({ findings: [{ mismatch: 'invented' }] });
  });

  it('is left to other checks in place of a failure', () => {
    const made = completion('Sorry, no answer.');
    expect(judgeBothEnds('every-text', failing(plain({ json: made }, FAILED))).kind).toBe('skipped');
    expect(judgeBothEnds('every-text', { questions: [plain({ json: made }, {})] }).kind).toBe('broken');
  });

  it('is counted with all others that are wrong', () => {
    const wrong = [1, 2, 3].map((number) => plain({ id: `q${number}`, sent: messages(`${number}`) }, { json: other }));
    expect(judgeBothEnds('every-own-reply', controls(plain({}, {}), ...wrong))).toMatchObject({
      findings: [{ mismatch: 'foreign-reply', more: 2 }],
    });
  });
});
