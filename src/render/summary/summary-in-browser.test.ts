/** The summary in a real browser: readable for everybody, and short on paper. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_BROWSER, lookAt, LOOKS, startViewer, type Viewer } from '../../../test/kit/browser.ts';
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

  it('fits on two sheets of paper', async () => {
    const watched = await viewer.open(page);
    const pdf = (await watched.page.pdf({ format: 'A4' })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0).toBeLessThanOrEqual(2);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});
