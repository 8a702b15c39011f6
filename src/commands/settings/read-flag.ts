/** Values of flags that are no settings. */
import type { ValueType } from '../../settings/value-types.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';

export function readNumber(flag: string, text: string, type: ValueType<number>): number {
  const number = type.parse(text);
  if (number === undefined) throw new UsageError(`${flag} is "${text}": it must be ${type.allowed}.`);
  return number;
}

/** One of `names`, the first by default. */
export function readChoice<Name extends string>(
  flag: string,
  text: string | undefined,
  names: readonly [Name, ...(readonly Name[])],
): Name {
  const found = text === undefined ? names[0] : names.find((name) => name === text);
  if (found !== undefined) return found;
  const quoted = names.map((name) => `"${name}"`);
  const choices = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  throw new UsageError(`${flag} is "${inert(text ?? '', 40)}": it must be ${choices}.`);
}
