import { it } from 'vitest';
import { FAULTS, type GatewayOptions } from '../src/gateway/index.ts';
import { expectSameReports } from './kit/judge-both-ways.ts';

const SUBJECTS = Object.keys(FAULTS).map((id): readonly [string, GatewayOptions] => [
  `${id}.ndjson`,
  { fault: id as keyof typeof FAULTS },
]);

it('a recording gives the report of the run that made it, on every fault', { timeout: 600_000 }, () =>
  expectSameReports(SUBJECTS),
);
