import { expect, it } from 'vitest';
import { broken } from '../../../test/kit/sample-reports.ts';
import { render } from '../index.ts';

it('A command to try is on a line of its own, whole', () => {
  const report = broken({ ending: { kind: 'not-this-api', status: 404, nearby: 'https://gateway.example/api/v1' } });
  expect(render(report, 'terminal', { width: 60 })).toContain(
    '\nTry: npx --no-install wirecheck run https://gateway.example/api/v1\n',
  );
});

it.each(['markdown', 'summary', 'agent'] as const)('So it is in %s, with no setting but those of the run', (format) => {
  const ending = { kind: 'not-this-api', status: 404, nearby: 'https://gateway.example/api/v1' } as const;
  const report = broken({ ending });
  const only = Array.from({ length: 40 }, (_, at) => `chat/number-${at}`);
  const provenance = { ...report.provenance, settings: { only } };
  const flags = only.map((id) => ` --only ${id}`).join('');
  const command = `npx --no-install wirecheck run https://gateway.example/api/v1${flags}`;
  const quoted = format === 'agent' ? `${command}\n` : `\`${command}\``;
  expect(render({ ...report, provenance }, format)).toContain(`Try: ${quoted}`);
});
