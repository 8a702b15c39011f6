import { hang } from '../text/layout.ts';

const LABEL = 12;

/** A labelled paragraph of an explanation. */
export function say(label: string, text: string, width: number): string[] {
  return hang(`  ${label.padEnd(LABEL)}`, text, width);
}
