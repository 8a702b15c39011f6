import { describe, expect, it } from 'vitest';
import { loadContract } from '../contract/read-contract.ts';
import type { Case } from '../suite/case.ts';
import { loadRunSuites, loadSuites } from '../suite/read-suites.ts';
import type { Plan } from './plan.ts';
import { STEPS } from './known-steps.ts';
import { planOf, suiteOf, step, ids } from '../../test/kit/plans.ts';

const chosenIds = ({ cases, partial }: Plan): readonly string[] =>
  cases.map(({ id }) => id).filter((id) => !partial.includes(id));

describe('choice', () => {
  it('--only also sends the dependencies of a case, but judges only the case', () => {
    const plan = planOf({ only: ['chat/system-message'] });
    expect(chosenIds(plan)).toEqual(['chat/system-message']);
    expect(ids(plan)).toEqual([
      'models',
      'bare-key',
      'chat',
      'chat-bare',
      STEPS.brief,
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
      STEPS.brief,
      STEPS.restrictedList,
      'auth/restricted-allowed',
      'auth/restricted-forbidden',
    ]);
    const tolerance = planOf({}, [], loadSuites(['tolerance'], loadContract()));
    expect(ids(tolerance)).toContain(STEPS.brief);
    expect(step(tolerance, 'tolerance/unknown-fields-together')?.needs).toContain(STEPS.brief);
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
      'auth/restricted-allowed-stream restricted-key forbidden-model',
      'auth/restricted-forbidden restricted-key forbidden-model',
      'auth/restricted-forbidden-stream restricted-key forbidden-model',
      'auth/exhausted-key exhausted-key',
      'auth/exhausted-key-stream exhausted-key',
      'auth/limited-key limited-key',
      ...['models', 'chat', 'chat-stream'].map((base) => `auth/revoked-key[${base}] revoked-key`),
      'chat/parallel[plain] parallel',
      'chat/parallel[stream] parallel',
      'parameters/larger-body largest-body',
      'parameters/context-exceeded context-tokens',
      'parameters/context-exceeded-stream context-tokens',
      'errors/idle-pauses patient',
    ]);
    const complete = planOf(
      { forbiddenModel: 'x', openapi: 'x.yaml', parallel: 2, largestBody: 1, contextTokens: 100, patient: true },
      ['restricted', 'exhausted', 'limited', 'revoked'],
    );
    expect(complete.omissions).toEqual([]);
    expect(omitted(planOf({ forbiddenModel: 'x' }, ['exhausted', 'limited']))).toContain(
      'auth/restricted-list restricted-key',
    );
    expect(ids(planOf()).filter((id) => /restricted|exhausted|limited/.test(id))).toEqual([]);
  });
});
