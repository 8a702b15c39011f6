/** All that the self-test tries under load. */
import { HONEST_LOAD_GATEWAYS, LOAD_GATEWAYS } from './gateways.ts';
import { HONEST_LOAD_RELAYS, LOAD_RELAYS } from './relays.ts';
import type { FaultyRow, LoadRow } from './load-row.ts';

/** Gateways and relays that break the contract under load, which a checker has to find. */
export const FAULTY_UNDER_LOAD: Readonly<Record<string, FaultyRow>> = { ...LOAD_GATEWAYS, ...LOAD_RELAYS };

/** Gateways and relays in which a checker must find nothing broken, however they cope with load. */
export const RIGHT_UNDER_LOAD: Readonly<Record<string, LoadRow>> = { ...HONEST_LOAD_GATEWAYS, ...HONEST_LOAD_RELAYS };
