import { beforeAll, describe, expect, it } from 'vitest';
import { modifier, noticesOf, observe, observeOnce, said } from './kit/compare-runs.ts';
import { checkFile } from '../src/contract/file-schema.ts';
import { drop } from '../src/gateway/change.ts';
import { errorAnswer } from '../src/gateway/change-answer.ts';
import { isChat } from '../src/gateway/call-tests.ts';
import { compareRuns } from '../src/report/comparison/compare.ts';
import { observeReport, type ObservedRun } from '../src/report/comparison/observed-run.ts';
import { withoutBodies } from '../src/report/without-bodies.ts';

let conforming: ObservedRun;
beforeAll(async () => {
  conforming = await observeOnce('conforming', 'old');
});

describe('two runs compared', { timeout: 120_000 }, () => {
  it('leave out cases that were inconclusive, skipped or flaky in either', async () => {
    const flaky = modifier({
      only: isChat,
      before: ({ attempt }) => (attempt === 1 ? errorAnswer(503) : undefined),
      completion: drop('/usage'),
    });
    const found = compareRuns(conforming, await observe(flaky, 'new'));
    expect(said(found)).toEqual([]);
    expect(found.compared.casesLeftOut.flaky).toBeGreaterThan(20);
  });

  it('are not compared if one of them judged nothing', async () => {
    const refused = await observe({}, 'new', {}, 'sk-service-wrong-key-of-the-test');
    const found = compareRuns(conforming, refused);
    expect(found.exit).toBe(3);
    expect(found.compared.casesLeftOut.inconclusive).toBeGreaterThan(20);
    expect(found.obstacles).toEqual([
      { kind: 'incomplete', source: 'new', ending: expect.objectContaining({ kind: 'key-refused', status: 401 }) },
    ]);
  });

  it('are not compared if the newer one could not judge as much as the older one', async () => {
    const found = compareRuns(conforming, await observe({ fault: 'transport-not-http' }, 'new'));
    expect(found.exit).toBe(3);
    expect(found.obstacles).toEqual([
      { kind: 'undecided', cases: expect.arrayContaining([expect.any(String)]), older: 'old', newer: 'new' },
    ]);
  });

  it('show nothing of what only one of them asked, and say so', async () => {
    const part = await observe({}, 'part', { only: ['models/*', 'streaming/*'] });
    const more = compareRuns(part, conforming);
    expect(said(more)).toEqual([]);
    expect(more.exit).toBe(0);
    expect(noticesOf(more)).toEqual([
      { kind: 'wrong-order', older: 'old', newer: 'part' },
      { kind: 'only-here', source: 'old', cases: expect.any(Array) as unknown },
    ]);
    expect(more.compared.casesOnlyIn).toEqual({ old: 0, new: expect.any(Number) as unknown });
    const fewer = compareRuns(conforming, part);
    expect(said(fewer)).toEqual([]);
    expect(fewer.exit).toBe(3);
    expect(fewer.obstacles).toMatchObject([{ kind: 'lacking', older: 'old', newer: 'part' }]);
    expect(fewer.obstacles[0]).toHaveProperty('cases', expect.arrayContaining(['chat/only-required-fields']));
    expect(compareRuns(conforming, conforming).notices).toEqual([{ kind: 'same-run' }]);
  });

  it('are not compared if one has no bodies, unless there is a breaking change anyway', async () => {
    const { report: lacking } = await observeOnce('no usage', 'new');
    const plain = observeReport(conforming.report, 'old');
    const bare = compareRuns(plain, observeReport(withoutBodies(lacking), 'new'));
    // What is left is what the run itself found in them.
    expect(said(bare)).toEqual(['warning clause-broken /usage']);
    expect(bare.exit).toBe(3);
    expect(bare.obstacles).toEqual([{ kind: 'without-bodies', source: 'new' }]);
    expect(noticesOf(bare)).toEqual([]);
    expect(bare.new.withoutBodies).toBe(true);
    expect(() => checkFile('comparison', { file: 'c.json', value: JSON.parse(JSON.stringify(bare)) })).not.toThrow();
    const turned = compareRuns(observeReport(withoutBodies(conforming.report), 'old'), conforming);
    expect(turned.exit).toBe(3);
    expect(turned.obstacles).toEqual([{ kind: 'without-bodies', source: 'old' }]);
    const refused = await observe({ fault: 'error-every-chat-503' }, 'new');
    expect(compareRuns(plain, observeReport(withoutBodies(refused.report), 'new')).exit).toBe(1);
  });
});
