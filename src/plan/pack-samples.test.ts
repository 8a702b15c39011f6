import { describe, expect, it } from 'vitest';
import { loadContract } from '../contract/read-contract.ts';
import { isObject } from '../json.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings.ts';
import { loadRequests, loadRunSuites } from '../suite/read-suites.ts';
import { BUILT_IN_SUITES } from '../suite/suite-names.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { makePlan } from './make-plan.ts';
import { packSteps } from './add-samples.ts';
import type { Step } from './plan.ts';

function packsOf(ids: readonly string[], changes: Partial<Settings> = {}) {
  const settings = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1/v1', ...changes };
  const suites = loadRunSuites(BUILT_IN_SUITES, loadContract());
  const plan = makePlan({ suites, requests: loadRequests(), checks: CHECKS }, settings, []);
  return packSteps(plan, new Set(ids), settings, CHECKS);
}

const bodyOf = ({ template: { body } }: Step) => (body?.kind === 'json' && isObject(body.value) ? body.value : {});

describe('valid requests of later rounds', () => {
  it('are combined if each of their edits keeps its effect', () => {
    const members = ['parameters/max-tokens-minimum', 'chat/conversation'];
    const [pack, ...more] = packsOf(members);
    expect(more).toEqual([]);
    expect(pack?.members).toEqual(members);
    expect(pack?.step).toMatchObject({ id: 'parameters/max-tokens-minimum#together', firstRound: 2, seeks: 'answer' });
    expect(bodyOf(pack!.step)).toMatchObject({ temperature: 0.7, max_tokens: 1 });
    expect(bodyOf(pack!.step)['messages']).toHaveLength(7);
  });

  it.each([
    ['two values of one field', ['parameters/max-tokens-minimum', 'parameters/in-range-together']],
    ['temperature and top_p, which may be refused together', ['chat/conversation', 'parameters/in-range-together']],
    ['two lists of messages', ['chat/conversation', 'chat/assistant-last-together']],
    ['a stream and a plain request', ['parameters/in-range-together', 'streaming/unknown-fields']],
    ['an Accept header and a value of stream', ['chat/accept-event-stream', 'parameters/in-range-together']],
    ['a request whose reply is looked at', ['streaming/unknown-fields', 'streaming/non-ascii-text']],
    ['a request that must be refused', ['parameters/in-range-together', 'parameters/top-p-out-of-range[far-above]']],
    ['a request with nothing added', ['parameters/in-range-together', 'chat/only-required-fields']],
    ['a request that is sent on a condition', ['parameters/in-range-together', 'chat/system-message']],
  ])('are not combined: %s', (_, ids) => {
    expect(packsOf(ids)).toEqual([]);
  });

  it('keep an edit that only one of them makes', () => {
    const [pack] = packsOf(['parameters/max-tokens-minimum', 'tolerance/other-case-together']);
    expect(bodyOf(pack!.step)).toMatchObject({ max_tokens: 1, wirecheck_unknown: { nested: [1, 2, 3] } });
  });
});
