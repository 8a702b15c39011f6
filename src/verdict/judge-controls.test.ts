import { describe, expect, it } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import type { Plan } from '../plan/plan.ts';
import type { Case } from '../suite/case.ts';
import type { Check } from './check.ts';
import { CHECKS } from './checks/index.ts';
import { checkInput, COMPLETION, plainExchange, streamExchange } from '../../test/kit/exchanges.ts';
import { formatObservations } from './observation.ts';
import { noBasis, noControlFor } from './reading/control.ts';
import { formatReason } from './reason.ts';
import { BROKEN, caseOf, judge } from '../../test/kit/judging.ts';

describe('the control of a case', () => {
  /** The id of the control that the check is given. */
  const tellsControl: Check = {
    summary: 'x',
    execute: ({ control }) => ({
      kind: 'observed',
      observations: [{ name: 'outcome', value: { kind: 'step', step: control?.id ?? 'none' } }],
    }),
  };
  const controlOf = (testCase: Case, stepsOf: Plan['stepsOf'], exchanges: readonly Exchange[]): string | undefined =>
    judge({
      cases: [testCase],
      stepsOf: { ...stepsOf, [testCase.id]: [testCase.id] },
      exchanges: [...exchanges, plainExchange({ step: testCase.id, status: 400 })],
      checks: { it: tellsControl },
    })[0]?.observations.map(({ value }) => formatObservations([value]).join())[0];
  const answer = (step: string, id = step) => plainExchange({ step, id, json: COMPLETION });
  const edit = (control: string) => caseOf('own/edit', 'errors.code', 'it', { control });

  it('A control is found by the name of its request', () => {
    expect(controlOf(edit('chat-stream'), {}, [answer('chat'), answer('chat-stream')])).toBe('chat-stream');
    expect(controlOf(edit('chat-stream'), {}, [answer('chat')])).toBe('none');
  });

  it('The chat control is the one that was answered', () => {
    const refused = plainExchange({ step: 'chat', status: 404 });
    expect(controlOf(edit('chat'), {}, [refused, answer('chat', 'chat~2')])).toBe('chat~2');
    expect(controlOf(edit('chat'), {}, [refused, answer('chat-bare')])).toBe('chat-bare');
    expect(controlOf(edit('chat'), {}, [refused])).toBe('chat');
  });

  it('A control may be a case: one that shares the control, and one that was covered by another', () => {
    expect(controlOf(edit('chat/reply'), { 'chat/reply': ['chat', 'chat-bare'] }, [answer('chat')])).toBe('chat');
    expect(controlOf(edit('own/part'), { 'own/part': ['own/cover', 'own/part'] }, [answer('own/cover')])).toBe(
      'own/cover',
    );
    const refused = plainExchange({ step: 'own/cover', status: 400 });
    expect(controlOf(edit('own/part'), { 'own/part': ['own/cover', 'own/part'] }, [refused, answer('own/part')])).toBe(
      'own/part',
    );
    expect(controlOf(edit('own/part'), { 'own/part': ['own/cover', 'own/part'] }, [refused])).toBe('none');
  });

  it('A request that must be answered has its basis as control, or else the plain one', () => {
    expect(
      controlOf(caseOf('own/a', 'errors.code', 'it', { basis: 'own/b' }), { 'own/b': ['own/b'] }, [answer('own/b')]),
    ).toBe('own/b');
    expect(controlOf(caseOf('own/a', 'errors.code', 'it', {}), {}, [answer('chat')])).toBe('chat');
    const refused = plainExchange({ step: 'chat', status: 422 });
    expect(controlOf(caseOf('own/a', 'errors.code', 'it', { basis: 'own/b' }), {}, [refused])).toBe('chat');
  });
});

describe('a control that was not answered to its end', () => {
  const CHUNK = { choices: [{ index: 0, delta: { content: 'The' } }] };
  const cut = { kind: 'cut', detail: 'closed' } as const;
  const stalled = { kind: 'limit', limit: 'idle-timeout' } as const;
  const events = [CHUNK, CHUNK, CHUNK];

  it.each<[string, Exchange, string]>([
    ['a cut stream', streamExchange({ step: 'chat', events, end: cut }), ' was cut off after 3 events'],
    ['a stalled stream', streamExchange({ step: 'chat', events, end: stalled }), ' stalled after 3 events'],
    ['a cut body', plainExchange({ step: 'chat', text: '{"choices":', end: cut }), ' was cut off'],
  ])('is told from none: %s', (_, control, words) => {
    const refused = checkInput(plainExchange({ status: 400 }), { control });
    expect(formatReason(noControlFor(refused))).toBe(`the answer to the control${words}, so a refusal proves nothing`);
    expect(formatReason(noBasis(control))).toBe(`the answer to the request it builds on${words}`);
    expect(formatReason({ ...noBasis(control), answer: { status: 500 } })).toBe(
      `500, and the answer to the request it builds on${words}`,
    );
    const [sent] = judge({
      cases: [caseOf('own/edit', 'errors.code', 'refused', { control: 'chat' })],
      stepsOf: { 'own/edit': ['own/edit'] },
      exchanges: [control, plainExchange({ step: 'own/edit', status: 400 })],
      checks: { refused: CHECKS.refused },
    });
    expect(sent?.reason && formatReason(sent.reason)).toBe(formatReason(noControlFor(refused)));
    const [unsent] = judge({
      cases: [caseOf('own/edit', 'errors.code', 'refused', { basis: 'chat' })],
      stepsOf: { 'own/edit': ['own/edit'] },
      exchanges: [control],
      checks: { refused: CHECKS.refused },
    });
    expect(unsent?.reason && formatReason(unsent.reason)).toBe(`the answer to the request it builds on${words}`);
  });

  it('is not answered if it was refused', () => {
    const control = plainExchange({ step: 'chat', status: 503, text: '{', end: cut });
    expect(formatReason(noBasis(control))).toBe('the request it builds on was not answered');
    expect(formatReason(noBasis(undefined))).toBe('the request it builds on was not answered');
  });
});

describe('covers', () => {
  const refusedAlone: Check = {
    summary: 'x',
    expectsAnswer: true,
    execute: ({ exchanges }) => (exchanges[0]?.id === 'own/good' ? { kind: 'holds' } : BROKEN),
  };
  const cover = caseOf('own/cover', 'errors.code', 'answered', {});
  const part = (id: string) => caseOf(id, 'errors.type', 'answered', { coveredBy: 'own/cover' });
  const parts = (...ids: readonly string[]) => ({
    cases: [cover, ...ids.map(part)],
    stepsOf: { 'own/cover': ['own/cover'], ...Object.fromEntries(ids.map((id) => [id, ['own/cover', id]])) },
    exchanges: ['own/cover', ...ids].map((step) => plainExchange({ step, status: step === 'own/good' ? 200 : 400 })),
    checks: { answered: refusedAlone },
  });

  it('A cover is skipped if one of its parts fails by itself', () => {
    const verdicts = judge(parts('own/good', 'own/bad')).map(({ case: id, verdict }) => [id, verdict]);
    expect(verdicts).toEqual([
      ['own/cover', 'skipped'],
      ['own/good', 'pass'],
      ['own/bad', 'fail'],
    ]);
  });

  it.each(['should', 'observe'] as const)('A cover is skipped if one of its parts is refused at level %s', (level) => {
    const verdicts = judge({ ...parts('own/good', 'own/bad'), settings: { levels: { 'errors.type': level } } });
    expect(verdicts[0]).toMatchObject({
      ...{ case: 'own/cover', verdict: 'skipped', findings: [] },
      reason: { kind: 'no-occasion', of: 'combined-request' },
    });
    expect(verdicts[2]?.verdict).toBe(level === 'should' ? 'warn' : 'observed');
    const all = judge({ ...parts('own/good'), settings: { levels: { 'errors.type': level } } });
    expect(all[0]).toMatchObject({ case: 'own/cover', verdict: 'fail' });
  });

  it('A cover is skipped if the request that one of its parts changes is refused, too', () => {
    const unjudged: Check = {
      summary: 'x',
      expectsAnswer: true,
      execute: ({ exchanges }) =>
        exchanges[0]?.id === 'own/cover' ? BROKEN : { kind: 'inconclusive', reason: { kind: 'basis-unanswered' } },
    };
    const verdicts = judge({ ...parts('own/bad'), checks: { answered: unjudged } });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['skipped', 'inconclusive']);
  });

  it('A cover fails if all of its parts pass', () => {
    expect(judge(parts('own/good')).map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
  });

  it('A part that was never sent is not judged by the answer to its cover', () => {
    const { exchanges, ...rest } = parts('own/bad');
    const verdicts = judge({
      ...rest,
      exchanges: exchanges.slice(0, 1),
      ending: { kind: 'budget', setting: 'max-requests' },
    });
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['fail', 'inconclusive']);
  });
});
