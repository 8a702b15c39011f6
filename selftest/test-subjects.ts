/** All that the self-test tries: what breaks the contract in a known way, and what is unusual and keeps it. */
import { FAULTS, VARIANTS } from '../src/gateway/index.ts';
import type { SubjectName } from '../src/subjects/subjects.ts';
import { FAULTY_CLIENTS, RIGHT_CLIENTS } from './clients/catalogue.ts';
import { FAULTY_UNDER_LOAD, RIGHT_UNDER_LOAD } from './load/catalogue.ts';
import { FAULTY_RELAYS, RIGHT_RELAYS } from './relays/catalogue.ts';
import type { Broken, Titled } from './rows.ts';

interface Kind {
  readonly side: SubjectName;
  readonly goal: string;
  readonly rows: Readonly<Record<string, Titled & Partial<Broken>>>;
}

export const TEST_KINDS = {
  fault: { side: 'gateway', goal: 'faults caught', rows: FAULTS },
  variant: { side: 'gateway', goal: 'variants left alone', rows: VARIANTS },
  'faulty client': { side: 'client', goal: 'faulty clients caught', rows: FAULTY_CLIENTS },
  'odd client': { side: 'client', goal: 'odd clients left alone', rows: RIGHT_CLIENTS },
  'faulty relay': { side: 'relay', goal: 'faulty relays caught', rows: FAULTY_RELAYS },
  'legal relay': { side: 'relay', goal: 'legal relays left alone', rows: RIGHT_RELAYS },
  'faulty under load': { side: 'load', goal: 'faults under load caught', rows: FAULTY_UNDER_LOAD },
  'honest under load': { side: 'load', goal: 'honest targets under load left alone', rows: RIGHT_UNDER_LOAD },
} satisfies Record<string, Kind>;

export type TestKind = keyof typeof TEST_KINDS;

/** A row of a catalogue, with what it changes. */
export interface TestSubject extends Titled, Partial<Broken> {
  readonly id: string;
  readonly kind: TestKind;
  readonly side: SubjectName;
}

/** The subjects of one side, or of all. */
export function listSubjects(side?: SubjectName): readonly TestSubject[] {
  return Object.entries<Kind>(TEST_KINDS)
    .filter(([, kind]) => side === undefined || kind.side === side)
    .flatMap(([kind, { side: own, rows }]) =>
      Object.entries(rows).map(([id, row]) => ({ ...row, id, kind: kind as TestKind, side: own })),
    );
}
