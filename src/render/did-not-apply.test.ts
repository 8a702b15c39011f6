import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { DID_NOT_APPLY, didNotApply } from './did-not-apply.ts';
import { expectation } from '../../test/kit/sample-reports.ts';

const VERDICT = fileURLToPath(new URL('../verdict', import.meta.url));
const sources = readdirSync(VERDICT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.includes('.test.'))
  .map((file) => readFileSync(join(VERDICT, file), 'utf8'))
  .join('\n');

const skipped = (reason: string, enabledBy: readonly string[] = []) =>
  expectation('a.b', { verdict: 'skipped', reason, enabledBy });

describe('an expectation that did not apply', () => {
  it.each(DID_NOT_APPLY)('has a reason that a check still gives: %s', (reason) => {
    expect([`'${reason}`, `\`${reason}`].some((start) => sources.includes(start))).toBe(true);
  });

  it.each([
    'needs what was not given',
    'the stream carried no text; a larger stream-tokens may help where the model thinks first',
    'this key is not used up',
    'a reason of a check of your own',
  ])('is not one that may need attention: %s', (reason) => {
    expect(didNotApply(skipped(reason))).toBe(false);
  });

  it('is not one that a setting enables', () => {
    expect(didNotApply(skipped('the answer was not an error'))).toBe(true);
    expect(didNotApply(skipped('the answer was not an error', ['openapi']))).toBe(false);
  });
});
