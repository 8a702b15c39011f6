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

  it('fits on one sheet of paper, with the details on others', async () => {
    const ids = Array.from({ length: 12 }, (_, at) => `errors.clause-${at}`);
    const failed = ids.map((id) => expectation(id, { verdict: 'fail', findings: [finding({ fingerprint: id })] }));
    const clauses = [...oneOfEverything().clauses, ...ids.map((id) => clause(id, { verdict: 'fail' }))];
    const report = oneOfEverything({ clauses, cases: [...oneOfEverything().cases, oneCase('a/b', failed)] });
    const watched = await viewer.open(render(report, 'summary', { file: 'summary.html' }));
    const sheets = async () =>
      (await watched.page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect(await sheets()).toBeGreaterThan(1);
    await watched.page.evaluate('document.getElementById("details").remove()');
    expect(await sheets()).toBe(1);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
