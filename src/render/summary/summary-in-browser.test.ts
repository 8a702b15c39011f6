/** The summary in a real browser: readable for everybody, and short on paper. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_BROWSER, lookAt, LOOKS, startViewer, type Viewer } from '../../../test/kit/browser.ts';
import { clause, expectation, finding, oneCase } from '../../../test/kit/sample-reports.ts';
import { oneOfEverything } from '../../../test/kit/sample-pages.ts';
import { render } from '../index.ts';

describe.runIf(HAS_BROWSER)('the page of a summary', () => {
  let viewer: Viewer;
  const page = render(oneOfEverything(), 'summary', { file: 'summary.html' });
  beforeAll(async () => {
    viewer = await startViewer();
  });
  afterAll(() => viewer.close());

  it.each(LOOKS)('can be read by everybody, %s and %s wide', async (...look) => {
    expect(await lookAt(viewer, page, look)).toEqual([]);
  });

  it('has what is broken and what was not judged on one sheet of paper, whatever their number', async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `errors.clause-${at}`);
    const verdictOf = (id: string) => (id.endsWith('5') ? 'warn' : 'fail');
    const failed = ids.map((id) =>
      expectation(id, { verdict: verdictOf(id), findings: [finding({ fingerprint: id })] }),
    );
    const clauses = [...oneOfEverything().clauses, ...ids.map((id) => clause(id, { verdict: verdictOf(id) }))];
    const told = { title: 'Acceptance of the third round. '.repeat(6), note: 'The vendor was told. '.repeat(95) };
    const cases = [...oneOfEverything().cases, oneCase('a/b', failed)];
    const report = oneOfEverything({ clauses, cases, ...told });
    const watched = await viewer.open(render(report, 'summary', { file: 'summary.html' }));
    const sheets = async () =>
      (await watched.page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(await sheets()).toBeGreaterThan(1);
    await watched.page.evaluate(
      'document.getElementById("details").remove(), document.getElementById("guide").remove()',
    );
    expect(await sheets()).toBe(1);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
