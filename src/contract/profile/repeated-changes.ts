/** Changes of a profile that are about the same thing. */
import type { Mistakes } from '../../mistakes.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import type { YamlDocument } from '../yaml/yaml-document.ts';
import type { ProfileChange } from './profile.ts';

/** A change, and its place in the list. */
export type ListedChange = readonly [index: number, change: ProfileChange];

/** A change twice would leave open which of the two holds. */
export function refuseRepeated(changes: readonly ListedChange[], document: YamlDocument, mistakes: Mistakes): void {
  const lines = new Map<string, number>();
  for (const [index, change] of changes) {
    const kind = change.kind === 'level' ? 'clause' : change.kind;
    for (const name of namesOf(change)) {
      const line = document.lineOf(['changes', index, kind, ...(kind === 'add' ? [name] : [])]);
      const known = [...lines.keys()].find((each) => overlap(each, `${kind} ${name}`));
      if (known !== undefined) {
        const message = `${inert(known, 100)} is already on line ${lines.get(known)}. Keep one of the two.`;
        mistakes.attempt(() => {
          throw new UsageError(message, { file: document.file, line });
        });
      } else lines.set(`${kind} ${name}`, line);
    }
  }
}

/** An added field may be inside another. */
function overlap(name: string, other: string): boolean {
  return name === other || name.startsWith(`${other}/`) || other.startsWith(`${name}/`);
}

function namesOf(change: ProfileChange): readonly string[] {
  if (change.kind === 'add') return Object.keys(change.fields);
  return [change.kind === 'level' || change.kind === 'clause' ? change.clause : change.field];
}
