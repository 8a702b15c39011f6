import { it } from 'vitest';
import { expectGolden } from '../kit/golden.ts';

it('variants give their committed verdicts, live and recorded', { timeout: 900_000 }, () =>
  expectGolden('variant', 0, 1),
);
