/** Requests whose connections were refused or closed in mid-run, and are asked again. */
import { expect, it } from 'vitest';
import { expectationOf, gatewayFor, quickRun, withVerdict } from '../../../test/kit/real-run.ts';
import { type Connect, openConnections, type Wire } from '../../exchange/transport/dispatcher.ts';

const EDIT = 'parameters/temperature-out-of-range[just-above]';

/** The first attempts at the edit fail with these codes, one after another. */
function failing(codes: string[]): Connect {
  const through = (wire: Wire): Wire => ({
    dispatch(request, handler) {
      const body = Buffer.from((request.body ?? '') as string | Uint8Array);
      const code = body.includes('"temperature":2.0000001') ? codes.shift() : undefined;
      if (code === undefined) return wire.dispatch(request, handler);
      handler.onResponseError?.({} as never, Object.assign(new Error(code), { code }));
      return true;
    },
    destroy: () => wire.destroy(),
  });
  return (settings, tap) => {
    const wires = openConnections(settings, tap);
    return { pool: through(wires.pool), fresh: () => through(wires.fresh()), held: () => through(wires.held()) };
  };
}

const REFUSED = ['ECONNREFUSED', 'ECONNREFUSED', 'ECONNREFUSED'];

it.each([
  ['answered when it is asked again is judged by that', [], [400], []],
  ['closed once, and then answered, is judged by the answer', ['ECONNRESET'], [undefined, 400], []],
  ['closed twice breaks the contract', ['ECONNRESET', 'ECONNRESET'], [undefined, undefined], ['errors.json']],
])('An edit whose connection was refused, and that is %s', async (_, codes, statuses, broken) => {
  const gateway = await gatewayFor();
  const only = [EDIT, 'errors/every-error-body[json]'];
  const connect = failing([...REFUSED, ...codes]);
  const report = await quickRun(gateway.baseUrl, { only }, { full: gateway.keys.full }, { connect });
  const { attempts = [] } = report.exchanges.find(({ id }) => id === EDIT) ?? {};
  expect(attempts.slice(REFUSED.length).map(({ answer }) => answer?.status)).toEqual(statuses);
  expect(withVerdict(report, 'fail').map((each) => each.split(' ')[1])).toEqual(broken);
  const isJudged = broken.length === 0;
  expect(expectationOf(report, EDIT, 'limits.temperature')?.verdict).toBe(isJudged ? 'pass' : 'inconclusive');
});
