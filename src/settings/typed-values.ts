/** Values of `Settings` as a program gives them: typed, with fixed units, and not parsed. */
import { percent, rate, share, size, time, toggle, type ValueType } from './value-types.ts';

interface NumberForm {
  /** Of what it counts. */
  readonly unit: string;
  readonly least: number;
  /** Default: the maximum of the value in the config file. */
  readonly most?: number;
  readonly isWhole?: true;
}

/** By what stands for the value in help. */
const FORMS: Readonly<Record<string, NumberForm>> = {
  [time.placeholder]: { unit: ' of milliseconds', least: 1 },
  [size.placeholder]: { unit: ' of bytes', least: 1 },
  [rate.placeholder]: { unit: ' of requests per second', least: 0.001 },
  [percent.placeholder]: { unit: ' of per cent', least: 0, most: 100 },
  [share.placeholder]: { unit: ', the N of 1/N,', least: 1, most: 100, isWhole: true },
};

/** What the value must be; undefined if it is that. */
export function findDemand(type: ValueType<unknown>, value: unknown): string | undefined {
  const { range, placeholder, schema, allowed } = type;
  const form: NumberForm | undefined = range
    ? { unit: '', least: range[0], most: range[1], isWhole: true }
    : FORMS[placeholder];
  if (form) {
    const { unit, least, isWhole, most = Number(schema['maximum']) } = form;
    const isInRange = typeof value === 'number' && value >= least && value <= most;
    return isInRange && (!isWhole || Number.isInteger(value))
      ? undefined
      : `${isWhole ? 'a whole number' : 'a number'}${unit} from ${least} to ${most}`;
  }
  if (type === toggle) return typeof value === 'boolean' ? undefined : allowed;
  return typeof value === 'string' && type.parse(value) !== undefined ? undefined : allowed;
}
