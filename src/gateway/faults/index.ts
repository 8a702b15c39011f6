/** Every fault: a departure from the contract that a checker has to find. */
import type { Fault } from '../modifier.ts';
import { AUTH_FAULTS } from './auth.ts';

const FAULT_TABLE = {
  ...AUTH_FAULTS,
} satisfies Record<string, Fault>;

export type FaultId = keyof typeof FAULT_TABLE;
export const FAULTS: Readonly<Record<FaultId, Fault>> = FAULT_TABLE;
