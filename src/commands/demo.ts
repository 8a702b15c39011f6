/** `wirecheck demo`: the embedded gateway, checked with every key that it lends. */
import { startGateway } from '../gateway/index.ts';
import { checkTarget } from './check-target.ts';
import { readChosen } from './choose-cases.ts';
import { type Departures, readDepartures } from './departures.ts';
import type { Flags } from './settings/merge-settings.ts';
import { readTold } from './settings/read-settings.ts';
import { DEMO_SETTINGS } from './settings/command-settings.ts';
import type { Surroundings } from './surroundings.ts';

export async function demoCommand(flags: Flags, departures: Departures, around: Surroundings): Promise<number> {
  const told = readTold(DEMO_SETTINGS, flags, around);
  const gateway = await startGateway(readDepartures(departures));
  try {
    const settings = { ...readChosen(told, gateway.baseUrl), forbiddenModel: gateway.forbiddenModel };
    return await checkTarget(settings, gateway.keys, told, around);
  } finally {
    await gateway.close();
  }
}
