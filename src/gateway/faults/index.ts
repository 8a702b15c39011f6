/** All faults: violations of the contract that a checker has to find. */
import type { Fault } from '../modifier.ts';
import { AUTH_FAULTS } from './auth.ts';
import { CHOICES_FAULTS } from './choices.ts';
import { CHUNKS_FAULTS } from './chunks.ts';
import { COMPLETION_FAULTS } from './completion.ts';
import { ERRORS_FAULTS } from './errors.ts';
import { MODELS_FAULTS } from './models.ts';
import { PARAMETERS_FAULTS } from './parameters.ts';
import { STREAMING_FAULTS } from './streaming.ts';
import { TRANSPORT_FAULTS } from './transport.ts';
import { TYPES_FAULTS } from './types.ts';

const FAULT_TABLE = {
  ...AUTH_FAULTS,
  ...MODELS_FAULTS,
  ...COMPLETION_FAULTS,
  ...CHOICES_FAULTS,
  ...PARAMETERS_FAULTS,
  ...TYPES_FAULTS,
  ...STREAMING_FAULTS,
  ...CHUNKS_FAULTS,
  ...ERRORS_FAULTS,
  ...TRANSPORT_FAULTS,
} satisfies Record<string, Fault>;

export type FaultId = keyof typeof FAULT_TABLE;
export const FAULTS: Readonly<Record<FaultId, Fault>> = FAULT_TABLE;
