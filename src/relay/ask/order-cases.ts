/** Which cases can be asked, and in which order. */
import type { Settings } from '../../settings.ts';
import { canCompareModels, namedModels } from '../named-models.ts';
import type { Calls, RelayCase } from '../relay-case.ts';

/** Some cases need a setting or a key that the user did not give. */
export function isAskable({ calls }: RelayCase, settings: Settings, hasSecondKey: boolean): boolean {
  const conditions: Partial<Record<Calls, boolean>> = {
    none: false,
    'two-keys': hasSecondKey,
    models: canCompareModels(namedModels(settings)),
    silence: settings.patient,
    idle: settings.patient,
  };
  return conditions[calls] ?? true;
}

/** Failures for which gateways take an upstream or its key out of service come last, broken connections before them. */
export function harmOf({ script: { status } }: RelayCase): number {
  if (status === undefined) return 1;
  return status === 401 || status === 402 || status === 403 ? 2 : 0;
}

/** Milliseconds that the script takes, roughly. */
export function durationOf({ script: { delay, pieces, pause }, mode, calls }: RelayCase): number {
  return delay + (mode === 'stream' ? pieces * pause : 0) + (calls === 'two-keys' ? 1 : 0);
}
