import { describe, expect, it } from 'vitest';
import { loadContract } from '../contract/load-contract.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import type { Ask, Case, ExtraKey } from '../suite/case.ts';
import { loadRequests } from '../suite/load-requests.ts';
import { loadRunSuites, loadSuites } from '../suite/load-suites.ts';
import { makePlan } from './make-plan.ts';
import { type Plan, type Step, WAVES, BRIEF_STEP, RESTRICTED_LIST_STEP } from './plan.ts';

const suites = loadSuites([], loadContract());

function planOf(changes: Partial<Settings> = {}, keys: readonly ExtraKey[] = [], from = suites): Plan {
  return makePlan(from, loadRequests(), { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...changes }, keys);
}

/** A suite of made-up cases. */
function suiteOf(...cases: readonly (Partial<Ask> & { readonly id: string; readonly on?: string })[]) {
  const made = cases.map(({ id, on = 'chat', ...ask }): Case => {
    const base = loadRequests().get(on);
    if (!base) throw new Error(`no ${on}`);
    return {
      id,
      suite: 'own',
      title: id,
      source: { file: 'own.yaml', line: 1 },
      ask: { base, edits: [], sample: false, closing: false, ...ask },
      over: [],
      needs: [],
      expect: [{ clause: 'errors.code', check: 'answered', options: {} }],
    };
  });
  return [{ name: 'own', title: 'Own', cases: made }];
}

const step = (plan: Plan, id: string): Step | undefined => plan.steps.find((planned) => planned.id === id);
const ids = ({ steps }: Plan): readonly string[] => steps.map(({ id }) => id);
const chosenIds = ({ cases, partial }: Plan): readonly string[] =>
  cases.map(({ id }) => id).filter((id) => !partial.includes(id));

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
      status: 403,
    });
    expect(planOf({ modelsSample: 0 }).stepsOf['models/listed-models-answer']).toEqual([]);
  });
});

describe('choice', () => {
  it('--only also sends the dependencies of a case, but judges only the case', () => {
    const plan = planOf({ only: ['chat/system-message'] });
    expect(chosenIds(plan)).toEqual(['chat/system-message']);
    expect(ids(plan)).toEqual([
      'models',
      'bare-key',
      'chat',
      'chat-bare',
      BRIEF_STEP,
      'chat/conversation',
      'chat/system-message',
    ]);
  });

  it('The forbidden model and the exhausted key are also asked streamed, on the same controls', () => {
    const plan = planOf({ forbiddenModel: 'x' }, ['restricted', 'exhausted']);
    const asked = ['auth/restricted-forbidden-stream', 'auth/exhausted-key-stream'].map((id) => step(plan, id));
    expect(asked).toMatchObject([
      { control: 'auth/restricted-allowed', seeks: 'refusal', template: { mode: 'stream', key: 'restricted' } },
      { control: 'chat', seeks: 'any', template: { mode: 'stream', key: 'exhausted' } },
    ]);
  });

  it('--only and --suite also send the requests whose answers supply values', () => {
    expect(ids(planOf({ only: ['auth/restricted-forbidden'], forbiddenModel: 'x' }, ['restricted']))).toEqual([
      'models',
      'bare-key',
      'chat',
      'chat-bare',
      BRIEF_STEP,
      RESTRICTED_LIST_STEP,
      'auth/restricted-allowed',
      'auth/restricted-forbidden',
    ]);
    const tolerance = planOf({}, [], loadSuites(['tolerance'], loadContract()));
    expect(ids(tolerance)).toContain(BRIEF_STEP);
    expect(step(tolerance, 'tolerance/unknown-fields-together')?.needs).toContain(BRIEF_STEP);
  });

  it('--only also sends the cases that a case examines', () => {
    const [suite] = suiteOf({ id: 'own/a', on: 'chat-stream' });
    const looking: Case = { ...suite!.cases[0]!, id: 'own/b', over: ['own/a', '*'] };
    const { ask: _, ...over } = looking;
    const plan = planOf({ only: ['own/b'] }, [], [{ ...suite!, cases: [over, ...suite!.cases] }]);
    expect(plan.cases.map(({ id }) => id)).toEqual(['own/b']);
    expect(ids(plan)).toEqual(['models', 'bare-key', 'chat', 'chat-bare', 'own/a']);
  });

  it('A selection without chat sends no chat request', () => {
    expect(ids(planOf({ only: ['models/list', 'auth/missing-key[models]'] }))).toEqual([
      'models',
      'bare-key',
      'auth/missing-key[models]',
    ]);
  });

  const errorBodies = ['json', 'object', 'message', 'type', 'code', 'message-not-empty'].map(
    (part) => `errors/every-error-body[${part}]`,
  );

  it('--only and --suite do not keep the bodies of errors from being judged, on what the chosen cases send', () => {
    const only = planOf({ only: ['auth/missing-key[models]'] });
    expect(only.cases.map(({ id }) => id)).toEqual(['auth/missing-key[models]', ...errorBodies]);
    expect(only.partial).toEqual(errorBodies);
    const suite = planOf({}, [], loadRunSuites(['auth'], loadContract()));
    expect(suite.cases.map(({ id }) => id)).toEqual(expect.arrayContaining(['auth/unknown-key[chat]', ...errorBodies]));
    expect(suite.partial).toEqual(errorBodies);
  });

  it('A run of all cases has no partial one, nor has one that sends nothing; --skip leaves them out', () => {
    expect(planOf().partial).toEqual([]);
    expect(planOf({ only: ['errors/*'] }).partial).toEqual([]);
    expect(planOf({ only: ['versioning/base-address'] }).cases).toHaveLength(1);
    expect(planOf({ only: ['auth/*'], skip: ['errors/*'] }).partial).toEqual([]);
  });

  it('--skip overrides --only', () => {
    const { cases } = planOf({ only: ['auth/*'], skip: ['*[chat*', 'auth/key-*'] });
    expect(cases.map(({ id }) => id)).toContain('auth/missing-key[models]');
    expect(cases.filter(({ id }) => id.includes('[chat') || id.startsWith('auth/key-'))).toEqual([]);
  });

  it('A case that needs an extra key is omitted, with the settings that would enable it', () => {
    const omitted = ({ omissions }: Plan) =>
      omissions
        .map(({ case: id, reason }) => [id, ...(reason.kind === 'needs' ? reason.settings : [])].join(' '))
        .filter((line) => !line.endsWith('openapi'));
    expect(omitted(planOf())).toEqual([
      'auth/restricted-list restricted-key forbidden-model',
      'auth/restricted-allowed restricted-key forbidden-model',
      'auth/restricted-forbidden restricted-key forbidden-model',
      'auth/restricted-forbidden-stream restricted-key forbidden-model',
      'auth/exhausted-key exhausted-key',
      'auth/exhausted-key-stream exhausted-key',
      'auth/limited-key limited-key',
      'chat/parallel[plain] parallel',
      'chat/parallel[stream] parallel',
    ]);
    const complete = planOf({ forbiddenModel: 'x', openapi: 'x.yaml', parallel: 2 }, [
      'restricted',
      'exhausted',
      'limited',
    ]);
    expect(complete.omissions).toEqual([]);
    expect(omitted(planOf({ forbiddenModel: 'x' }, ['exhausted', 'limited']))).toContain(
      'auth/restricted-list restricted-key',
    );
    expect(ids(planOf()).filter((id) => /restricted|exhausted|limited/.test(id))).toEqual([]);
  });
});

describe('the tokens of a reply', () => {
  const bounds = (plan: Plan, bound: Step['bound']) =>
    plan.steps.filter((planned) => planned.bound === bound).map(({ id }) => id);

  it('are limited by max_tokens in all but a few steps', () => {
    const plan = planOf();
    expect(bounds(plan, 'nothing')).toEqual(['chat-bare', 'chat/only-required-fields']);
    expect(bounds(plan, 'first-text')).toEqual([
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
});
