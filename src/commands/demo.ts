/** `wirecheck demo`: checks the reference gateway with all its keys. */
import { COMMAND } from '../contract/package-files.ts';
import { type Gateway, startGateway } from '../gateway/index.ts';
import { checkTarget } from './run.ts';
import { dirname, relative } from 'node:path';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { argument } from '../text/shell-text.ts';
import { readSelected } from './choose-cases.ts';
import { type Outputs, readOutputs, wantsNoProgress } from './files/outputs.ts';
import { readModifiers } from './gateway.ts';
import { promisesOf } from '../scripted/gateway-promises.ts';
import { chooseProfile, readInputs } from './settings/read-settings.ts';
import { DEMO_SETTINGS } from './settings/command-settings.ts';
import type { Call, CommandIo, OwnOptions } from './command-row.ts';

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
      const { showRunPlan } = await import('./plan.ts');
      return showRunPlan(settings, gateway.keys, { what: 'a run on the reference gateway', ...options }, inputs);
    }
    // Shown first, since the last line is the verdict. A gateway without faults leaves nothing to repeat.
    if (options.fault && !inputs.merged.get('quiet')) io.stderr.write(`${formatHint(gateway, options, seed)}\n\n`);
    const exit = await checkTarget(settings, gateway.keys, inputs, options);
    const outputs = readOutputs(inputs.merged, io);
    if (!wantsNoProgress(inputs.merged, outputs)) io.stderr.write(formatNext(outputs, options, io));
    return exit;
  } finally {
    await gateway.close();
  }
}

/** What to do next. On stderr, so that the last line on stdout is the verdict. */
function formatNext({ files }: Outputs, options: OwnOptions, { cwd }: CommandIo): string {
  const page = files.find(({ format }) => format === 'html');
  const seen = page
    ? `open ${argument(relative(cwd, dirname(page.path)) || '.')}`
    : ['demo', ...flagsOf(options)].join(' ');
  const last = options.fault ? ['see it pass', 'demo'] : ['see a broken one', 'demo --fault error-code-integer'];
  const steps = [
    ['see the page', `${COMMAND} ${seen}`],
    ['check yours', `${KEY_VARIABLES.full}=… ${COMMAND} run https://gateway.example/v1`],
    [last[0], `${COMMAND} ${last[1]}`],
  ];
  return `\nNext:\n${steps.map(([what = '', command]) => `  ${`${what}:`.padEnd(18)}${command}\n`).join('')}`;
}

/** The commands of the report work unchanged on the same port and with the same faults. */
function formatHint({ baseUrl }: Gateway, options: OwnOptions, seed: number | undefined): string {
  const flags = [
    `--port ${new URL(baseUrl).port}`,
    ...flagsOf(options),
    ...(seed === undefined ? [] : [`--seed ${seed}`]),
  ];
  return `The gateway stops after this run. To use a Repeat command, start it again: ${COMMAND} gateway ${flags.join(' ')}
Then set ${KEY_VARIABLES.full} to the full key that it prints.`;
}

function flagsOf({ fault = [], variant = [], oneIn }: OwnOptions): readonly string[] {
  return [
    ...fault.map((id) => `--fault ${id}`),
    ...variant.map((id) => `--variant ${id}`),
    ...(oneIn === undefined ? [] : [`--one-in ${oneIn}`]),
  ];
}
