/** `over` may name cases of any suite, so it is checked after all of them are read. */
import type { YamlDocument } from '../contract/yaml/yaml-document.ts';
import { memberOf } from '../json.ts';
import type { Mistakes } from '../mistakes.ts';
import { didYouMean } from '../text/suggestion.ts';
import { UsageError } from '../usage-error.ts';
import { SELECTIONS } from './case.ts';

/** Of every entry, also of one that has another mistake. `written`: ids that may not be read, without labels. */
export function checkOver(
  document: YamlDocument,
  ids: readonly string[],
  written: readonly string[],
  mistakes: Mistakes,
): void {
  const known = [...SELECTIONS, ...ids];
  for (const [at, entry] of listIn(document.value, 'cases').entries()) {
    for (const [index, name] of listIn(entry, 'over').entries()) {
      if (typeof name !== 'string' || known.includes(name)) continue;
      if (written.includes(name.replace(/\[.*$/, ''))) continue;
      const line = document.lineOf(['cases', at, 'over', index]);
      const message = `over names "${name}", which is not a case.${didYouMean(name, known)}`;
      mistakes.note(new UsageError(message, { file: document.file, line }));
    }
  }
}

function listIn(holder: unknown, key: string): readonly unknown[] {
  const list = memberOf(holder, key);
  return Array.isArray(list) ? list : [];
}
