/** `wirecheck demo`: checks the reference gateway with all its keys. */
import { COMMAND } from '../contract/package-files.ts';
import { EXIT } from '../exit-codes.ts';
import { type Gateway, startGateway } from '../gateway/index.ts';
import { checkTarget } from './run.ts';
import { readSelected } from './choose-cases.ts';
import { readModifiers } from './gateway.ts';
import { promisesOf } from '../scripted/gateway-promises.ts';
import { chooseProfile, readInputs } from './settings/read-settings.ts';
import { DEMO_SETTINGS } from './settings/command-settings.ts';
import type { Call, OwnOptions } from './command-row.ts';

export async function demoCommand({ flags, options, io }: Call): Promise<number> {
  const inputs = readInputs(DEMO_SETTINGS, flags, io);
  const seed = inputs.merged.get('seed');
  const profile = chooseProfile(inputs.merged, io.cwd);
  const gateway = await startGateway({
    ...readModifiers(options),
    ...(profile && { promises: promisesOf(profile) }),
    ...(seed !== undefined && { seed }),
  });
  try {
    const settings = { ...readSelected(inputs, gateway.baseUrl), forbiddenModel: gateway.forbiddenModel };
    if (options.plan) {
      const { showPlan } = await import('./plan.ts');
      showPlan(settings, gateway.keys, { what: 'a run on the reference gateway', json: options.json }, inputs);
      return EXIT.passed;
    }
    // Shown first, since the last line is the verdict. A gateway without faults leaves nothing to repeat.
    if (options.fault && !inputs.merged.get('quiet')) io.stderr.write(`${formatHint(gateway, options, seed)}\n\n`);
    return await checkTarget(settings, gateway.keys, inputs);
  } finally {
    await gateway.close();
  }
}

/** The commands of the report work unchanged on the same port and with the same faults. */
function formatHint(
  { baseUrl }: Gateway,
  { fault = [], variant = [], oneIn }: OwnOptions,
  seed: number | undefined,
): string {
  const flags = [
    `--port ${new URL(baseUrl).port}`,
    ...fault.map((id) => `--fault ${id}`),
    ...variant.map((id) => `--variant ${id}`),
    ...(oneIn === undefined ? [] : [`--one-in ${oneIn}`]),
    ...(seed === undefined ? [] : [`--seed ${seed}`]),
  ];
  return `The gateway stops after this run. To use a Repeat command, start it again: ${COMMAND} gateway ${flags.join(' ')}`;
}
