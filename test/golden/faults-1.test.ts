import { it } from 'vitest';
import { expectGolden } from '../kit/golden.ts';

it('faults give their committed verdicts, live and recorded (share 1 of 3)', { timeout: 900_000 }, () =>
  expectGolden('fault', 0, 3),
);
