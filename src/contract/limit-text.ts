/** The limits of a parameter in words. */
import type { Range } from './contract.ts';

/** `below 0 or above 2`; undefined if there is no limit. */
export function formatOutside({ minimum, maximum }: Range): string | undefined {
  const parts = [
    ...(minimum === undefined ? [] : [`below ${minimum}`]),
    ...(maximum === undefined ? [] : [`above ${maximum}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' or ');
}

/** `from 0 to 2`, `of 1 or more` */
export function formatInside({ minimum, maximum }: Range): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `of ${minimum} or more`;
  return maximum === undefined ? 'of any size' : `of ${maximum} or less`;
}
