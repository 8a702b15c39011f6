import { expect, it } from 'vitest';
import { checkInput, failure, modelsExchange, runView } from '../../../test/kit/exchanges.ts';
import { BROWSER_CHECKS } from './browsers.ts';

const ORIGIN = 'https://wirecheck.example';
const ALLOW = 'access-control-allow-origin';

/** An exchange of a page. */
const asked = (parts: Parameters<typeof modelsExchange>[0], headers: readonly (readonly [string, string])[] = []) =>
  modelsExchange({ ...parts, request: { headers: [['origin', ORIGIN], ...headers], ...parts?.request } });

const LIST = asked({ id: 'list', headers: { [ALLOW]: '*' } });

const judge = (check: keyof typeof BROWSER_CHECKS, exchange: ReturnType<typeof asked>, list = LIST) =>
  BROWSER_CHECKS[check].execute(checkInput(exchange, { run: runView({ exchanges: [list, exchange] }) }));

it('records which origins may read an answer', () => {
  expect(judge('allowed-origin', LIST)).toMatchObject({ observations: [{ name: 'allowed-origin' }] });
  expect(judge('allowed-origin', asked({}))).toEqual({
    kind: 'observed',
    observations: [{ name: 'allowed-origin', value: 'none' }],
  });
});

it('an error that a page may not read is broken if it may read the list', () => {
  const refused = (headers: Record<string, string>) => asked({ id: 'refused', status: 401, headers });
  expect(judge('errors-readable', refused({ [ALLOW]: ORIGIN })).kind).toBe('holds');
  expect(judge('errors-readable', refused({}))).toMatchObject({
    kind: 'broken',
    findings: [{ mismatch: 'absent', expected: { kind: 'origin-allowed' } }],
  });
  expect(judge('errors-readable', refused({ [ALLOW]: 'https://other.example' }))).toMatchObject({
    findings: [{ mismatch: 'value', actual: { kind: 'header' } }],
  });
  expect(judge('errors-readable', refused({}), asked({ id: 'list' })).kind).toBe('skipped');
  expect(judge('errors-readable', asked({ status: 200 })).kind).toBe('skipped');
  expect(judge('errors-readable', asked({ failure: failure('closed') })).kind).toBe('inconclusive');
});

it('a preflight has to succeed, and to allow the origin and the headers', () => {
  const preflight = (status: number, allowed: string, origin = '*') =>
    asked({ id: 'preflight', status, headers: { [ALLOW]: origin, 'access-control-allow-headers': allowed } }, [
      ['access-control-request-headers', 'authorization,content-type'],
    ]);
  expect(judge('preflight', preflight(204, 'Content-Type, Authorization')).kind).toBe('holds');
  expect(judge('preflight', preflight(200, '*')).kind).toBe('holds');
  expect(judge('preflight', preflight(401, '*'))).toMatchObject({ findings: [{ mismatch: 'status' }] });
  expect(judge('preflight', preflight(204, 'content-type'))).toMatchObject({
    findings: [{ expected: { kind: 'header-allowed', header: 'authorization' } }],
  });
  expect(judge('preflight', preflight(204, '*', 'null')).kind).toBe('broken');
  expect(judge('preflight', asked({ failure: failure('timeout') })).kind).toBe('inconclusive');
});
