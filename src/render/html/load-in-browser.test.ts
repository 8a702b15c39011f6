/** The page of a run under load, in a browser. `html-in-browser.test.ts` says if there is none. */
import type { Locator } from 'playwright-core';
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

  it.each([
    [underLoad(), 420],
    [underLoad(), 1280],
    [FLAT, 420],
    [FLAT, 1280],
  ])('keeps every name of a line inside its drawing, and no two over one another', async (report, width) => {
    const watched = await viewer.open(render(report, 'html'), '', { viewport: { width, height: 900 } });
    const plots = await watched.page.locator('.plot').all();
    expect(plots).toHaveLength(3);
    for (const plot of plots) await expectReadable(plot);
    expect(watched.troubles).toEqual([]);
    await watched.close();
  });
});

async function expectReadable(plot: Locator): Promise<void> {
  const frame = await plot.boundingBox();
  const right = (frame?.x ?? 0) + (frame?.width ?? 0);
  const names = await Promise.all((await plot.locator('.name').all()).map((name) => name.boundingBox()));
  for (const name of names) expect((name?.x ?? 0) + (name?.width ?? 0)).toBeLessThanOrEqual(right + 1);
  const [first = 0, second = 0, third = 0] = names.map((name) => name?.y ?? 0).toSorted((a, b) => a - b);
  expect(Math.min(second - first, third - second)).toBeGreaterThan(12);
}
