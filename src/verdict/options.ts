import type { CheckInput } from './check.ts';

/** A text among the options of a check. The suite's schema has seen to its type; a check called with another is a bug. */
export function textOption(options: CheckInput['options'], name: string, otherwise?: string): string {
  const value = options[name] ?? otherwise;
  if (typeof value !== 'string') throw new Error(`The option ${name} must be a text.`);
  return value;
}
