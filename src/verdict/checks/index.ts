/** Every check by its name, as suites write it. */
import type { Check } from '../check.ts';
import { PLAIN_CHECKS } from './plain.ts';
import { STREAM_CHECKS } from './stream/index.ts';

export const CHECKS = { ...PLAIN_CHECKS, ...STREAM_CHECKS } as const satisfies Record<string, Check>;
export type CheckName = keyof typeof CHECKS;
