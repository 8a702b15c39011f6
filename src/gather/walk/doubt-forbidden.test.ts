import { describe, expect, it } from 'vitest';
import { gatewayFor, quickRun } from '../../../test/kit/real-run.ts';
import { FAULTS, type FaultId } from '../../gateway/index.ts';
import type { Report } from '../../report/report.ts';
import { formatNotice } from '../../exchange/notice.ts';

async function run(forbiddenModel: string, ...faults: readonly FaultId[]): Promise<Report> {
  const gateway = await gatewayFor({ modifiers: faults.map((fault) => FAULTS[fault]) });
  return quickRun(gateway.baseUrl, { only: ['auth/restricted-*'], forbiddenModel }, gateway.keys);
}

const said = ({ notices }: Report): readonly string[] =>
  notices.filter(({ kind }) => kind === 'forbidden-unlisted').map(formatNotice);

const doubt = (model: string): string =>
  `The model list has no "${model}" (--forbidden-model). That the restricted key neither lists nor calls it may prove nothing.`;

describe('a forbidden model', () => {
  it('that the list of the full key does not have is doubted, with the one that may be meant', async () => {
    const report = await run('Sea-Large');
    expect(said(report)).toEqual([`${doubt('Sea-Large')} Did you mean "sea-large"?`]);
    expect(report.outcome.exit).toBe(0);
  });

  it('is not taken for one that the restricted key may call, nor for a name of another kind', async () => {
    expect(said(await run('sea-smal')).join('')).not.toContain('sea-small');
    expect(said(await run('x'))).toEqual([doubt('x')]);
  });

  it('that is listed is not doubted', async () => {
    expect(said(await run('sea-large'))).toEqual([]);
  });

  it('that is answered is not doubted, listed or not: it exists', async () => {
    const report = await run('Sea-Large', 'chat-model-substituted', 'auth-restricted-call-answered');
    expect(report.outcome.exit).toBe(1);
    expect(said(report)).toEqual([]);
  });
});
