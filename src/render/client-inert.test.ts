/** Whatever a client prints comes out of every format inert. */
import { expect, it } from 'vitest';
import type { Report } from '../report/report.ts';
import { quoteText } from '../text/quote.ts';
import { FORMAT_NAMES } from '../settings/format-names.ts';
import { FULL_REPORT } from '../../test/kit/reports.ts';
import { clientMatrixPage } from './client-matrix/matrix-html.ts';
import { render } from './index.ts';

const POISON = '\u001b[2J<script>alert(1)</script>\n::error::pwned\n\u202Eevil ]]> </pre> `x` ${y}';

const [testCase] = FULL_REPORT.cases;
const [expectation] = testCase?.expectations ?? [];
const [finding] = expectation?.findings ?? [];
const poisoned = {
  ...FULL_REPORT,
  target: { baseUrl: 'http://x/v1', client: { name: POISON, command: [POISON], version: POISON } },
  cases: [
    {
      ...testCase,
      client: {
        ...testCase?.client,
        text: POISON,
        said: quoteText(POISON),
        complaint: quoteText(POISON),
        signal: POISON,
      },
      expectations: [
        {
          ...expectation,
          excused: undefined,
          findings: [
            {
              ...finding,
              expected: { kind: 'exact-text', text: quoteText(POISON) },
              actual: { kind: 'gave-up', signal: POISON, complaint: quoteText(POISON) },
            },
          ],
        },
      ],
    },
  ],
} as unknown as Report;

it.each(FORMAT_NAMES)('as %s', (format) => {
  const text = render(poisoned, format, { detail: 'verbose', width: 100, colour: false });
  expect(text).not.toContain('\u001b[2J');
  expect(text).not.toContain('\u202E');
  expect(text).not.toMatch(/^::error::pwned/m);
  if (format === 'html') expect(text).not.toContain('<script>alert');
});

it('in the matrix', () => {
  const page = clientMatrixPage([{ report: poisoned, page: POISON }, { report: poisoned }]);
  for (const text of ['\u001b', '\u202E', '<script>alert', '\n::error::']) expect(page).not.toContain(text);
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).toContain('&lt;script&gt;alert(1)');
});
