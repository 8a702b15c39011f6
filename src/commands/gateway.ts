/** `wirecheck gateway`: serves the embedded gateway until it is interrupted. */
import {
  type Fault,
  type FaultId,
  FAULTS,
  type Gateway,
  type Modifier,
  startGateway,
  type VariantId,
  VARIANTS,
} from '../gateway/index.ts';
import { UsageError } from '../usage-error.ts';
import { type Departures, readDepartures } from './departures.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import type { Surroundings } from './surroundings.ts';
import { integer, time } from '../settings/value-types.ts';

export interface GatewayFlags extends Departures {
  readonly port: string;
  readonly host: string;
  readonly latency?: string;
}

const PORT = integer(0, 65_535);

export async function gatewayCommand(flags: GatewayFlags, { stdout, onInterrupt }: Surroundings): Promise<number> {
  const port = PORT.parse(flags.port);
  if (port === undefined) throw new UsageError(`--port is "${flags.port}"; it must be ${PORT.allowed}.`);
  const latencyMs = readLatency(flags.latency);
  const gateway = await listen({ ...readDepartures(flags), port, host: flags.host, latencyMs });
  const interrupted = new Promise<void>((resolve) => onInterrupt(resolve));
  stdout.write(introduction(gateway, flags));
  await interrupted;
  await gateway.close();
  return 0;
}

function readLatency(text: string | undefined): number {
  if (text === undefined || text === '0') return 0;
  const latency = time.parse(text);
  if (latency === undefined) throw new UsageError(`--latency is "${text}"; it must be 0 or ${time.allowed}.`);
  return latency;
}

async function listen(
  options: Parameters<typeof startGateway>[0] & { readonly host: string; readonly port: number },
): Promise<Gateway> {
  try {
    return await startGateway(options);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall !== 'listen' && syscall !== 'getaddrinfo') throw error;
    throw new UsageError(
      `The gateway cannot listen on ${options.host} port ${options.port} (${code}): choose others with --host and --port.`,
    );
  }
}

function introduction({ baseUrl, keys, models, forbiddenModel }: Gateway, departures: Departures): string {
  return `The embedded gateway listens at ${baseUrl} (Ctrl-C ends it).
${behaviour(departures).join('\n')}

  full key        ${keys.full}
  restricted key  ${keys.restricted}  (may not call ${forbiddenModel})
  exhausted key   ${keys.exhausted}
  limited key     ${keys.limited}
  models          ${models.join(', ')}

Check it from another terminal, with the full key or with all of them:

  ${KEY_VARIABLES.full}=${keys.full} npx --no-install wirecheck run ${baseUrl}

  ${KEY_VARIABLES.full}=${keys.full} \\
  ${KEY_VARIABLES.restricted}=${keys.restricted} \\
  ${KEY_VARIABLES.exhausted}=${keys.exhausted} \\
  ${KEY_VARIABLES.limited}=${keys.limited} \\
  npx --no-install wirecheck run ${baseUrl} --forbidden-model ${forbiddenModel}
`;
}

/** What is to be expected of a run on it. */
function behaviour({ fault, variant }: Departures): readonly string[] {
  if (fault.length + variant.length === 0) return ['It follows the contract: --fault ID lets it break clauses.'];
  return [
    ...fault.map((id) => {
      const { title, breaks }: Fault = FAULTS[id as FaultId];
      return `Fault ${id} is on: ${title} (breaks ${breaks.join(', ')})`;
    }),
    ...variant.map((id) => {
      const { title }: Modifier = VARIANTS[id as VariantId];
      return `Variant ${id} is on: ${title} (odd but legal)`;
    }),
  ];
}
