/** `wirecheck demo`: the embedded gateway, checked with every key that it lends. */
import { type Gateway, startGateway } from '../gateway/index.ts';
import { checkTarget } from './run.ts';
import { readSelected } from './choose-cases.ts';
import { type Departures, readDepartures } from './departures.ts';
import type { Flags } from './settings/merge-settings.ts';
import { readInputs } from './settings/read-settings.ts';
import { DEMO_SETTINGS } from './settings/command-settings.ts';
import type { Surroundings } from './surroundings.ts';

export async function demoCommand(flags: Flags, departures: Departures, around: Surroundings): Promise<number> {
  const inputs = readInputs(DEMO_SETTINGS, flags, around);
  const gateway = await startGateway(readDepartures(departures));
  try {
    const settings = { ...readSelected(inputs, gateway.baseUrl), forbiddenModel: gateway.forbiddenModel };
    // Said first, since the last line is the verdict. One that conforms leaves nothing to repeat.
    if (departures.fault.length > 0 && !inputs.merged.get('quiet'))
      around.stderr.write(`${howToRepeat(gateway, departures)}\n\n`);
    return await checkTarget(settings, gateway.keys, inputs, around);
  } finally {
    await gateway.close();
  }
}

/** On the same port and with the same faults, the commands of the report work as they stand there. */
function howToRepeat({ baseUrl }: Gateway, { fault, variant }: Departures): string {
  const flags = [
    `--port ${new URL(baseUrl).port}`,
    ...fault.map((id) => `--fault ${id}`),
    ...variant.map((id) => `--variant ${id}`),
  ];
  return `The gateway ends with this run. To try a command under Repeat, start it again (it shows its keys): wirecheck gateway ${flags.join(' ')}`;
}
