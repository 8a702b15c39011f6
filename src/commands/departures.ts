/** `--fault ID` and `--variant ID` of the commands that start the embedded gateway. */
import { type FaultId, FAULTS, type GatewayOptions, type VariantId, VARIANTS } from '../gateway/index.ts';
import { didYouMean } from '../text/suggestion.ts';
import { inert } from '../text/inert.ts';
import { UsageError } from '../usage-error.ts';

export interface Departures {
  readonly fault: readonly string[];
  readonly variant: readonly string[];
}

export function readDepartures({ fault, variant }: Departures): Pick<GatewayOptions, 'faults' | 'variants'> {
  return {
    faults: fault.map((id) => known('fault', id, Object.keys(FAULTS) as FaultId[], VARIANTS)),
    variants: variant.map((id) => known('variant', id, Object.keys(VARIANTS) as VariantId[], FAULTS)),
  };
}

const OTHER = { fault: 'variant', variant: 'fault' } as const;

function known<Id extends string>(what: 'fault' | 'variant', id: string, ids: readonly Id[], others: object): Id {
  const found = ids.find((each) => each === id);
  if (found !== undefined) return found;
  if (Object.hasOwn(others, id)) {
    throw new UsageError(`${id} is a ${OTHER[what]}, not a ${what}: write --${OTHER[what]} ${id}.`);
  }
  const guess = didYouMean(id, ids) || ` \`wirecheck list ${what}s\` shows them.`;
  throw new UsageError(`There is no ${what} "${inert(id, 80)}".${guess}`);
}
