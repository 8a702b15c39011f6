/** What an error answer says of its reason. Faults that say different things are different, if each says the same every time. */
import type { Symptom } from './symptoms.ts';

/** `code` and `message` are empty if the answer has none. */
export interface Said {
  readonly status: string;
  readonly code: string;
  /** Without what is different in each answer. */
  readonly message: string;
}

const ASPECTS = ['status', 'code', 'message'] as const satisfies readonly (keyof Said)[];

/** Undefined if the symptom is not about a status. */
export function saidIn({ finding: { actual } }: Symptom): Said | undefined {
  if (actual.kind !== 'status') return undefined;
  const { status, code, message } = actual;
  return {
    status: String(status),
    code: code?.quote ?? '',
    message: withoutValues(message?.quote ?? ''),
  };
}

/** Without quotations, numbers, ids and whatever is not ASCII: they may repeat the request. */
function withoutValues(message: string): string {
  const plain = message.replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '#');
  return plain.replaceAll(/\S+/g, (word) => (/[^ -~]|\d/.test(word) ? '#' : word));
}

/** Whether an answer may have the reason of these: it agrees with them wherever they agree among themselves. */
export function isSaidLike(
  known: readonly Said[],
  said: Said | undefined,
  aspects: readonly (keyof Said)[] = ASPECTS,
): boolean {
  const [first] = known;
  if (!first || !said) return true;
  const isSteady = (aspect: keyof Said): boolean => known.every((other) => other[aspect] === first[aspect]);
  return aspects.every((aspect) => !isSteady(aspect) || said[aspect] === first[aspect]);
}
