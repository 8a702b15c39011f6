/** The page of a run under load, in a browser. `html-in-browser.test.ts` says if there is none. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HAS_BROWSER, lookAt, LOOKS, startViewer, unfold, type Viewer } from '../../../test/kit/browser.ts';
import { LOAD, stage, underLoad } from '../../../test/kit/load-reports.ts';
import { render } from '../index.ts';

/** Stages with the same times, whose lines end at the same place. */
const flat = stage(1).times;
const FLAT = underLoad({ load: { ...LOAD, stages: [1, 4, 256].map((inFlight) => stage(inFlight, { times: flat })) } });

describe.runIf(HAS_BROWSER)('the page of a run under load', () => {
  let viewer: Viewer;
  beforeAll(async () => {
    viewer = await startViewer();
  });
  afterAll(() => viewer.close());

  it.each(LOOKS)('can be read in %s, %i pixels wide', async (...look) => {
    expect(await lookAt(viewer, render(underLoad(), 'html'), look, unfold)).toEqual([]);
  });

  it('keeps every text of a drawing inside it, and no two names over one another', async () => {
    for (const report of [underLoad(), FLAT]) {
      for (const width of [420, 1280]) {
        const { page, troubles, close } = await viewer.open(render(report, 'html'), '', {
          viewport: { width, height: 900 },
        });
        const plots = page.locator('.plot');
        expect(await plots.count()).toBe(3);
        for (const plot of await plots.all()) {
          const frame = await plot.boundingBox();
          const right = (frame?.x ?? 0) + (frame?.width ?? 0);
          const names = await Promise.all((await plot.locator('.name').all()).map((name) => name.boundingBox()));
          for (const name of names) expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(right + 1);
          const [first = 0, second = 0, third = 0] = names.map((name) => name?.y ?? 0).toSorted((a, b) => a - b);
          expect(Math.min(second - first, third - second)).toBeGreaterThan(12);
        }
        expect(troubles).toEqual([]);
        await close();
      }
    }
  });
});
