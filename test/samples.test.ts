import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeSamples, SAMPLES_FOLDER } from './kit/samples.ts';

const AGAIN = 'Look at what changed, then write the samples again with `npm run samples`.';

let made: ReadonlyMap<string, string>;
beforeAll(async () => void (made = await makeSamples()));

describe('the samples', () => {
  it('are those of the formats that there are, and no others', () => {
    const stored = readdirSync(SAMPLES_FOLDER, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.png'))
      .map((entry) => join(entry.parentPath, entry.name).slice(SAMPLES_FOLDER.length + 1));
    expect(stored.toSorted(), AGAIN).toEqual([...made.keys()].toSorted());
  });

  it('are what the formats give today', () => {
    for (const [path, text] of made) {
      // Not toBe: the difference of two long texts would take longer to show than anybody waits.
      expect(readFileSync(join(SAMPLES_FOLDER, path), 'utf8') === text, `${path} has changed. ${AGAIN}`).toBe(true);
    }
  });

  it('show a gateway that conforms and one that does not', () => {
    expect(made.get('conforming/terminal.txt')?.trimEnd().split('\n').at(-1)).toMatch(/^CONFORMS: /);
    expect(made.get('broken/terminal.txt')?.trimEnd().split('\n').at(-1)).toMatch(/^DOES NOT CONFORM: /);
  });

  it('come out the same each time', async () => {
    expect([...(await makeSamples())].every(([path, text]) => made.get(path) === text)).toBe(true);
  });
});
