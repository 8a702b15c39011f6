/** What a plain and a streamed reply have in common: texts, token counts, and the facts of the call. */
import type { Mode } from '../../plan/plan.ts';
import type { EventForm, Reply } from '../script.ts';

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export interface CallFacts {
  readonly mode: Mode;
  readonly model: string;
  /** The word of this reply: no other reply has it. */
  readonly mark: string;
  readonly acceptsGzip: boolean;
  /** The request asks for a chunk with the token counts. */
  readonly wantsUsage: boolean;
}

export function usageOf({ usage }: Reply): Usage | undefined {
  if (usage === null) return undefined;
  const { prompt, completion } = usage;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

export function sendsUsage({ usageChunk }: EventForm, { wantsUsage }: CallFacts): boolean {
  return wantsUsage || usageChunk === 'always';
}

/** The text of each choice. Only the first has the very text of the script. */
export function textsOf({ text, times, choices }: Reply, mark: string): readonly string[] {
  const whole = Array.from({ length: times }, () => text)
    .join('')
    .replaceAll('${mark}', mark);
  return Array.from({ length: choices }, (_, index) => (index === 0 ? whole : `Choice ${index + 1}: ${whole}`));
}
