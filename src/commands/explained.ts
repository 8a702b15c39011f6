/** What all explanations share: the suites they look names up in, and the layout of their lines. */
import { type Fault, FAULTS } from '../gateway/index.ts';
import type { Case, Suite } from '../suite/case.ts';
import type { ChosenContract } from '../contract/profile/apply-profile.ts';
import { hang } from '../text/layout.ts';

export interface Explained {
  readonly chosen: ChosenContract;
  readonly suites: readonly Suite[];
  readonly cases: readonly Case[];
  readonly width: number;
}

const LABEL = 18;

/** A labelled paragraph of an explanation. */
export function labelled(label: string, text: string, width: number): string[] {
  return hang(`  ${label.padEnd(LABEL)}`, text, width);
}

/** A label and its text. Without a text, there is no line. */
export type Line = readonly [label: string, text: string | undefined];

/** An example may have several lines, which are kept. */
export function linesOf(lines: readonly Line[], width: number): string[] {
  return lines.flatMap(([label, text = '']) =>
    text === ''
      ? []
      : text
          .trimEnd()
          .split('\n')
          .flatMap((line, index) => labelled(index === 0 ? label : '', line, width)),
  );
}

/** The faults that break a clause. */
export function faultsOf(clause: string): readonly [id: string, fault: Fault][] {
  return Object.entries<Fault>(FAULTS).filter(([, { breaks }]) => breaks.includes(clause));
}
