import { describe, expect, it } from 'vitest';
import type { Plan, Step } from './plan.ts';
import { WAVES } from './known-steps.ts';
import { planOf, suiteOf, step, ids } from '../../test/kit/plans.ts';

describe('sharing', () => {
  const cold = { kind: 'set', pointer: '/temperature', value: 0 } as const;

  it('Identical requests for the same purpose share one step', () => {
    const plan = planOf({}, [], suiteOf({ id: 'own/a', edits: [cold] }, { id: 'own/b', edits: [cold] }));
    expect(plan.stepsOf).toEqual({ 'own/a': ['own/a'], 'own/b': ['own/a'] });
  });

  it('A case with the same request as a control shares its step, in any order', () => {
    const alone = { id: 'own/a', on: 'chat-stream' };
    const edit = { id: 'own/b', on: 'chat-stream', control: 'chat-stream', edits: [cold] };
    for (const order of [
      [alone, edit],
      [edit, alone],
    ]) {
      const plan = planOf({}, [], suiteOf(...order));
      expect(plan.stepsOf['own/a']).toEqual(['chat-stream']);
      expect(ids(plan).filter((id) => id === 'own/a' || id === 'chat-stream')).toEqual(['chat-stream']);
    }
  });

  it('The same request is sent again as an edit, in the closing wave, and if it repeats', () => {
    const plan = planOf(
      {},
      [],
      suiteOf(
        { id: 'own/a' },
        { id: 'own/b', closing: true },
        { id: 'own/c', repeat: { until: 429, most: 2 } },
        { id: 'own/d', control: 'chat' },
      ),
    );
    expect(ids(plan)).toEqual(['models', 'bare-key', 'chat', 'chat-bare', 'own/c', 'own/d', 'own/b']);
  });

  it('No two steps of a wave send the same request for the same purpose', () => {
    const plan = planOf();
    const seen = plan.steps
      .filter(({ sampled, when }) => sampled === undefined && !when)
      .map((planned) => JSON.stringify([planned.template, planned.seeks, planned.wave]));
    expect(seen.filter((text, place) => seen.indexOf(text) !== place)).toEqual([]);
  });
});

describe('order', () => {
  it('Steps are in the order of the waves, after the steps that they need', () => {
    const plan = planOf({ forbiddenModel: 'x' }, ['restricted', 'exhausted', 'limited']);
    const places = plan.steps.map(({ wave }) => WAVES.indexOf(wave));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    for (const { id, needs, when, wave } of plan.steps) {
      for (const other of [...needs, ...(when ? [when.step] : [])]) {
        const before = step(plan, other);
        expect(before, `${id} rests on ${other}`).toBeDefined();
        expect(WAVES.indexOf(before?.wave ?? 'closing')).toBeLessThanOrEqual(WAVES.indexOf(wave));
      }
    }
  });

  it.each<[string, Step['wave']]>([
    ['models', 'list'],
    ['chat', 'control'],
    ['chat/conversation', 'positive'],
    ['chat-stream', 'positive'],
    ['parameters/temperature-out-of-range[just-above]', 'edit'],
    ['errors/not-json[nan]', 'malformed'],
    ['parameters/model-missing[chat]', 'malformed'],
    ['auth/unknown-key[chat]', 'credential'],
    ['chat/reply-again', 'closing'],
    ['streaming/in-pieces', 'closing'],
  ])('%s is sent in the wave %s', (id, wave) => {
    expect(step(planOf(), id)?.wave).toBe(wave);
  });

  it('A step seeks the answer that its case expects', () => {
    const plan = planOf({ forbiddenModel: 'x' }, ['restricted', 'exhausted', 'limited']);
    const seeks = (id: string) => step(plan, id)?.seeks;
    expect(seeks('chat')).toBe('answer');
    expect(seeks('parameters/temperature-out-of-range[just-above]')).toBe('refusal');
    expect(seeks('auth/missing-key[models]')).toBe('unauthorized');
    expect(seeks('auth/lower-case-scheme')).toBe('either');
    expect(seeks('chat/empty-content')).toBe('either');
    expect(seeks('auth/exhausted-key')).toBe('any');
    expect(seeks('errors/unknown-path')).toBe('any');
    expect(seeks('auth/restricted-forbidden')).toBe('refusal');
  });
});

describe('cases that depend on others', () => {
  it('A covered case is sent only if its cover was not answered, and either answer counts', () => {
    const plan = planOf();
    expect(plan.stepsOf['chat/system-message']).toEqual(['chat/conversation', 'chat/system-message']);
    expect(step(plan, 'chat/system-message')).toMatchObject({
      when: { kind: 'unanswered', step: 'chat/conversation' },
      needs: expect.arrayContaining(['chat/conversation']),
    });
  });

  it('A case that a milder refusal answers is sent only if there was none', () => {
    const [mild, far] = ['just-above', 'far-above'].map((label) => `parameters/top-p-out-of-range[${label}]`);
    const plan = planOf();
    expect(plan.stepsOf[far!]).toEqual([mild, far]);
    expect(step(plan, far!)).toMatchObject({
      when: { kind: 'unrefused', step: mild },
      needs: [mild],
      least: { requests: 0 },
    });
  });

  it('A covered case can be a control or a cover itself: then its own step counts', () => {
    const covered = { id: 'own/b', edits: [{ kind: 'set', pointer: '/top_p', value: 0 } as const], coveredBy: 'own/a' };
    const edit = (id: string, value: number) => ({
      id,
      control: 'own/b',
      edits: [...covered.edits, { kind: 'set', pointer: '/top_p', value } as const],
    });
    const first = { id: 'own/a', edits: [{ kind: 'set', pointer: '/user', value: 'x' } as const] };
    const plan = planOf({}, [], suiteOf(first, covered, edit('own/c', 2), edit('own/d', 3)));
    expect([step(plan, 'own/c')?.control, step(plan, 'own/d')?.control]).toEqual(['own/b', 'own/b']);
  });

  it('Each model of the sample is called once, and again after a 403', () => {
    const plan = planOf({ modelsSample: 2 });
    const own = plan.stepsOf['models/listed-models-answer'];
    expect(own).toEqual(
      [1, 2].flatMap((place) => [`models/listed-models-answer#${place}`, `models/listed-models-answer#${place}-again`]),
    );
    expect(step(plan, 'models/listed-models-answer#2')?.sampled).toBe(1);
    expect(step(plan, 'models/listed-models-answer#2-again')?.when).toEqual({
      kind: 'status',
      step: 'models/listed-models-answer#2',
      statuses: [403],
    });
    expect(planOf({ modelsSample: 0 }).stepsOf['models/listed-models-answer']).toEqual([]);
  });
});

describe('large bodies', () => {
  const MiB = 1024 * 1024;

  it('are sent last of the malformed requests, and only if messages are required', () => {
    const large = step(planOf(), 'parameters/large-body');
    expect(large).toMatchObject({
      wave: 'large',
      when: { kind: 'refused', step: 'parameters/messages-missing[chat]' },
      template: { filler: { kind: 'letters', count: 2 * MiB } },
      least: { requests: 1, completions: 0 },
    });
  });

  it('grow as long as the one before was not refused for its size', () => {
    const plan = planOf({ largestBody: 8 * MiB });
    expect(plan.stepsOf['parameters/larger-body']).toEqual([
      'parameters/large-body',
      'parameters/larger-body#1',
      'parameters/larger-body#2',
    ]);
    expect(step(plan, 'parameters/larger-body#2')).toMatchObject({
      when: { kind: 'taken', step: 'parameters/larger-body#1' },
      template: { filler: { count: 8 * MiB } },
    });
  });
});

describe('the tokens of a reply', () => {
  const bounds = (plan: Plan, bound: Step['bound']) =>
    plan.steps.filter((planned) => planned.bound === bound).map(({ id }) => id);

  it('are limited by max_tokens in all but a few steps', () => {
    const plan = planOf();
    expect(bounds(plan, 'nothing')).toEqual(['chat-bare', 'chat/only-required-fields']);
    expect(bounds(plan, 'first-text')).toEqual([
      'streaming/without-limit-together',
      'parameters/stream-without-max-tokens',
      'parameters/null-alone[max-tokens]',
      'parameters/max-tokens-below-minimum-streamed',
    ]);
    expect(bounds(plan, 'time')).toEqual(plan.steps.filter(({ wave }) => wave === 'max-tokens').map(({ id }) => id));
    expect(bounds(plan, 'time')).toHaveLength(5);
  });

  it('An edit of a case that sets max_tokens, and a request that is no edit, keep their limit', () => {
    const short = { kind: 'set', pointer: '/max_tokens', value: 1 } as const;
    const hot = { kind: 'set', pointer: '/temperature', value: 9 } as const;
    const plan = planOf(
      {},
      [],
      suiteOf({ id: 'own/a', edits: [short] }, { id: 'own/b', edits: [short, hot], control: 'own/a' }),
    );
    expect(['own/a', 'own/b'].map((id) => step(plan, id)?.bound)).toEqual(['max-tokens', 'max-tokens']);
  });

  it('A request with an invalid max_tokens is stopped, whether or not it is an edit of a control', () => {
    const none = { kind: 'set', pointer: '/max_tokens', value: 0 } as const;
    const hot = { kind: 'set', pointer: '/temperature', value: 1 } as const;
    const streamed = { id: 'own/c', on: 'chat-stream', edits: [none] };
    const plan = planOf(
      {},
      [],
      suiteOf({ id: 'own/a', edits: [none] }, { id: 'own/b', edits: [none, hot], control: 'chat' }, streamed),
    );
    expect(['own/a', 'own/b', 'own/c'].map((id) => step(plan, id)?.bound)).toEqual(['time', 'time', 'first-text']);
  });
});
