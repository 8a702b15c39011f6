/** A page of the terminal report: the input of every section, and the colours. */
import type { Report } from '../../report/report.ts';
import type { RenderOptions } from '../format.ts';

/** No information is carried by colour alone. */
export const TONES = ['bad', 'unsure', 'warn', 'good', 'quiet', 'strong'] as const;
export type Tone = (typeof TONES)[number];
export type Paint = (tone: Tone, text: string) => string;

/** SGR codes. `util.styleText` is not used: whether it looks at NO_COLOR differs between the Node versions we run on. */
const SGR: Record<Tone, number> = { bad: 31, unsure: 35, warn: 33, good: 32, quiet: 2, strong: 1 };

export function painter(colour: boolean): Paint {
  return colour ? (tone, text) => `\u001b[${SGR[tone]}m${text}\u001b[0m` : (_tone, text) => text;
}

export interface Page {
  readonly report: Report;
  readonly options: RenderOptions;
  readonly paint: Paint;
}

/** Lines, without an empty one at either end; none if there is nothing to say. */
export type Section = readonly string[];
