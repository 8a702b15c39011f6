/** Why there is no time to the first text, for every format that shows it. */
import type { NoFirstText } from '../report/first-text-time.ts';

export const NO_FIRST_TEXT = {
  'checker-late': 'wirecheck itself was too late to measure it',
  'no-stream': 'no stream with text was measured',
} as const satisfies Record<NoFirstText, string>;
