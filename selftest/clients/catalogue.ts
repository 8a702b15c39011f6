/** All clients that the self-test tries. */
import type { ClientModifier, FaultyClient } from './client-modifier.ts';
import { FAILURE_CLIENTS } from './faulty/failures.ts';
import { READING_CLIENTS } from './faulty/reading.ts';
import { REQUEST_CLIENTS } from './faulty/requests.ts';
import { VALUE_CLIENTS } from './faulty/values.ts';
import { ODD_CLIENTS } from './odd.ts';

/** Clients that break the contract, which a checker has to find. */
export const FAULTY_CLIENTS: Readonly<Record<string, FaultyClient>> = {
  ...REQUEST_CLIENTS,
  ...VALUE_CLIENTS,
  ...READING_CLIENTS,
  ...FAILURE_CLIENTS,
};

/** Clients in which a checker must find nothing broken. */
export const RIGHT_CLIENTS: Readonly<Record<string, ClientModifier>> = ODD_CLIENTS;

export function findClient(name: string): ClientModifier {
  const found = FAULTY_CLIENTS[name] ?? RIGHT_CLIENTS[name];
  if (found === undefined) throw new Error(`No client is named ${name}.`);
  return found;
}
