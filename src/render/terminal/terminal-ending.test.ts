import { expect, it } from 'vitest';
import { broken } from '../../../test/kit/sample-reports.ts';
import { render } from '../index.ts';

it('A command to try is on a line of its own, whole', () => {
  const report = broken({ ending: { kind: 'not-this-api', status: 404, nearby: 'https://gateway.example/api/v1' } });
  expect(render(report, 'terminal', { width: 60 })).toContain(
    '\nTry: npx --no-install wirecheck run https://gateway.example/api/v1\n',
  );
});
