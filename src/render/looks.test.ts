import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SHADES } from './looks.ts';

it('Every shade has a colour in the stripe of the report: a shape without one is black', () => {
  const css = readFileSync(new URL('html/assets/overview.css', import.meta.url), 'utf8');
  const filled = Array.from(css.matchAll(/((?:\.f-[a-z]+[,\s]*)+)\{\s*fill:/g), ([, names = '']) => names).join();
  for (const shade of SHADES) expect(filled).toMatch(new RegExp(`\\.f-${shade}\\b`));
});
