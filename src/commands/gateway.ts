/** `wirecheck gateway` */
import { COMMAND } from '../contract/package-files.ts';
import {
  type Fault,
  type FaultId,
  FAULTS,
  type Gateway,
  type OneIn,
  startGateway,
  type VariantId,
  VARIANTS,
} from '../gateway/index.ts';
import type { Profile } from '../contract/profile/profile.ts';
import { loadProfile } from '../contract/profile/read-profile.ts';
import { promisesOf } from '../scripted/gateway-promises.ts';
import { inert } from '../text/layout.ts';
import { requireName } from '../text/suggestion.ts';
import { UsageError, usageError } from '../usage-error.ts';
import { KEY_VARIABLES } from '../settings/settings-without-flag.ts';
import { formatJson } from '../json.ts';
import { integer, time } from '../settings/value-types.ts';
import { readNumber } from './settings/merge-settings.ts';
import type { Call, OwnOptions } from './command-row.ts';

const PORT = integer(0, 65_535);
const SEED = integer(0, 4_294_967_295);
const REPLICAS = integer(2, 1000);

export async function gatewayCommand({ options, io: { stdout, cwd, onInterrupt } }: Call): Promise<void> {
  const { host = '', json } = options;
  const port = readNumber('--port', options.port, PORT);
  const latencyMs = readLatency(options.latency);
  const seed = readNumber('--seed', options.seed, SEED);
  const profile = options.profile === undefined ? undefined : loadProfile(options.profile, cwd);
  const promises = profile ? { promises: promisesOf(profile) } : {};
  const behaviour = { ...readModifiers(options), ...promises, latencyMs, seed };
  const gateway = await startGateway({ ...behaviour, port, host }).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') throw error;
    throw usageError.CANNOT_LISTEN(
      `Cannot listen on ${host} port ${port} (${error.code}): choose another with --host or --port.`,
    );
  });
  const { baseUrl, keys, models, forbiddenModel } = gateway;
  const interrupted = new Promise<void>((resolve) => onInterrupt(resolve));
  stdout.write(
    json ? formatJson({ baseUrl, keys, models, forbiddenModel }) : formatIntroduction(gateway, options, profile),
  );
  await interrupted;
  await gateway.close();
}

function readLatency(text: string | undefined): number {
  if (text === undefined || /^0(ms|s|m|h)?$/.test(text)) return 0;
  const latency = time.parse(text);
  if (latency === undefined) throw new UsageError(`--latency is "${text}": it must be 0 or ${time.allowed}.`);
  return latency;
}

function formatIntroduction(gateway: Gateway, options: OwnOptions, profile?: Profile): string {
  const { baseUrl, keys, models, forbiddenModel } = gateway;
  const flag = profile ? ` --profile ${inert(options.profile ?? '', 200)}` : '';
  return `The reference gateway listens at ${baseUrl} (press Ctrl-C to stop it).
${formatModifiers(options, profile).join('\n')}

  full key        ${keys.full}
  restricted key  ${keys.restricted}  (may not call ${forbiddenModel})
  exhausted key   ${keys.exhausted}
  limited key     ${keys.limited}
  revoked key     ${keys.revoked}
  expired key     ${keys.expired}
  models          ${models.join(', ')}

Check it from another terminal, with the full key alone or also with the extra keys:

  ${KEY_VARIABLES.full}=${keys.full} ${COMMAND} run ${baseUrl}${flag}

  ${KEY_VARIABLES.full}=${keys.full} \\
  ${KEY_VARIABLES.restricted}=${keys.restricted} \\
  ${KEY_VARIABLES.exhausted}=${keys.exhausted} \\
  ${KEY_VARIABLES.limited}=${keys.limited} \\
  ${KEY_VARIABLES.revoked}=${keys.revoked} \\
  ${KEY_VARIABLES.expired}=${keys.expired} \\
  ${COMMAND} run ${baseUrl}${flag} --forbidden-model ${forbiddenModel}
`;
}

/** The findings to expect of a run. */
function formatModifiers({ fault = [], variant = [], oneIn }: OwnOptions, profile?: Profile): readonly string[] {
  const contract = profile ? `${profile.name ?? ''} ${profile.version ?? ''}` : 'the contract';
  if (fault.length + variant.length === 0) return [`It follows ${contract}; --fault ID makes it misbehave.`];
  return [
    ...fault.map((id) => {
      const { title, breaks }: Fault = FAULTS[id as FaultId];
      return `Fault ${id} is on: ${title} (breaks ${breaks.join(', ')})`;
    }),
    ...variant.map((id) => {
      const { title } = VARIANTS[id as VariantId];
      return `Variant ${id} is on: ${title} (unusual but legal)`;
    }),
    ...(oneIn === undefined ? [] : [readOneIn(oneIn)]).map(
      ({ replicas, per }) => `Only on one of ${replicas} replicas; each ${per} goes to a replica chosen at random.`,
    ),
  ];
}

function readOneIn(text: string): OneIn {
  const [, count = '', per = 'request'] = /^(\d+)(?:\/(request|connection))?$/.exec(text) ?? [];
  const replicas = REPLICAS.parse(count);
  if (replicas === undefined) {
    throw new UsageError(
      `--one-in is "${inert(text, 80)}": it must be ${REPLICAS.allowed}, alone or followed by /request or /connection.`,
    );
  }
  return { replicas, per: per === 'connection' ? 'connection' : 'request' };
}

/** Reads `--fault`, `--variant` and `--one-in`, which `demo` has as well. */
export function readModifiers({ fault = [], variant = [], oneIn }: OwnOptions) {
  if (oneIn !== undefined && fault.length + variant.length === 0)
    throw usageError.CONFLICT('--one-in needs a fault or a variant: add --fault ID or --variant ID.');
  return {
    ...(oneIn !== undefined && { oneIn: readOneIn(oneIn) }),
    faults: fault.map((id) => findKnown('fault', id, Object.keys(FAULTS) as FaultId[], VARIANTS)),
    variants: variant.map((id) => findKnown('variant', id, Object.keys(VARIANTS) as VariantId[], FAULTS)),
  };
}

const OTHER = { fault: 'variant', variant: 'fault' } as const;

function findKnown<Id extends string>(what: 'fault' | 'variant', id: string, ids: readonly Id[], others: object): Id {
  if (Object.hasOwn(others, id))
    throw usageError.UNKNOWN_NAME(`${id} is a ${OTHER[what]}, not a ${what}: use --${OTHER[what]} ${id}.`);
  return requireName(`Unknown ${what}`, id, ids, { otherwise: `\`${COMMAND} list ${what}s\` lists them.` });
}
