import { it } from 'vitest';
import { VARIANTS, type GatewayOptions } from '../src/gateway/index.ts';
import { expectSameReports } from './kit/judge-both-ways.ts';

const SUBJECTS: readonly (readonly [string, GatewayOptions])[] = [
  ['conforming.ndjson.gz', {}],
  ...Object.keys(VARIANTS).map((id) => [`${id}.ndjson`, { variant: id as keyof typeof VARIANTS }] as const),
];

it(
  'a recording gives the report of the run that made it, without a fault and on every variant',
  { timeout: 600_000 },
  () => expectSameReports(SUBJECTS),
);
