/** All relays that the self-test tries. */
import { ANSWER_RELAYS, ODD_FORM_RELAYS, STREAM_RELAYS } from './faulty-answers.ts';
import { FAILURE_RELAYS, PATIENCE_RELAYS } from './faulty-failures.ts';
import { FRONT_RELAYS, KEY_RELAYS, REQUEST_RELAYS } from './faulty-requests.ts';
import { FAILOVER_RELAYS, LEGAL_FAILOVERS } from './failovers.ts';
import { LEGAL_RELAYS } from './legal.ts';
import type { FaultyRelay, LegalRelay } from './relay-modifier.ts';

/** Relays that break the contract, which a checker has to find. */
export const FAULTY_RELAYS: Readonly<Record<string, FaultyRelay>> = {
  ...ANSWER_RELAYS,
  ...STREAM_RELAYS,
  ...ODD_FORM_RELAYS,
  ...REQUEST_RELAYS,
  ...FAILURE_RELAYS,
  ...PATIENCE_RELAYS,
  ...KEY_RELAYS,
  ...FRONT_RELAYS,
  ...FAILOVER_RELAYS,
};

/** Relays in which a checker must find nothing broken. */
export const RIGHT_RELAYS: Readonly<Record<string, LegalRelay>> = { ...LEGAL_RELAYS, ...LEGAL_FAILOVERS };
