/** Reads `--targets FILE`. */
import { checkForm, type IsSound } from '../../contract/file-schema.ts';
import { parseYaml, type YamlDocument } from '../../contract/yaml/yaml-document.ts';
import { isObject, memberOf } from '../../json.ts';
import { Mistakes } from '../../mistakes.ts';
import { toFileNames } from '../../text/file-name.ts';
import { inert } from '../../text/inert.ts';
import { UsageError } from '../../usage-error.ts';
import { readTextFile } from '../files/read-text.ts';
import type { TargetEntry, TargetsFile } from './targets-file.ts';

/** A target as the file has it: which variables are set does not matter yet. */
export interface ListedTarget {
  readonly name: string;
  /** Of its folder, unlike that of every other target in the file. */
  readonly folder: string;
  readonly entry: TargetEntry;
  /** In the list. */
  readonly index: number;
  readonly document: YamlDocument;
  /** Says which parts of the file have the right form. */
  readonly isSound: IsSound;
}

export interface TargetsList {
  readonly targets: readonly ListedTarget[];
  /** In the form of the file. They are thrown with those that show when targets are prepared. */
  readonly mistakes: Mistakes;
}

export function loadTargets(file: string, cwd: string): TargetsList {
  const document = parseYaml(readTextFile('the targets file', file, cwd), file);
  const mistakes = new Mistakes();
  refuseKeys(document, mistakes);
  const isSound = checkForm('targets', document, mistakes);
  refuseTwins(document, mistakes);
  const entries = entriesIn(document);
  const names = entries.map(nameOf);
  const folders = toFileNames(names, 'target');
  const targets = entries.map((entry, index) => {
    const name = names[index] ?? '';
    return { name, folder: folders[index] ?? name, entry: entry as TargetEntry, index, document, isSound };
  });
  // Without one, no more mistakes can be found.
  if (targets.length === 0) mistakes.throwAny();
  return { targets, mistakes };
}

function entriesIn({ value }: YamlDocument): readonly object[] {
  const { targets } = (value ?? {}) as Partial<TargetsFile>;
  return Array.isArray(targets) ? targets.map((target: unknown) => (isObject(target) ? target : {})) : [];
}

/** Empty without one. */
function nameOf(target: object): string {
  const name = memberOf(target, 'name');
  return typeof name === 'string' ? name.trim() : '';
}

function refuseTwins(document: YamlDocument, mistakes: Mistakes): void {
  const written = entriesIn(document).map(nameOf);
  for (const [index, name] of written.entries()) {
    if (name === '' || written.indexOf(name) === index) continue;
    const at = { file: document.file, line: document.lineOf(['targets', index, 'name']) };
    mistakes.attempt(() => {
      throw new UsageError(`the name ${inert(name, 100)} is already used. Choose another.`, at);
    });
  }
}

/** Runs before the schema does, whose message would not say where a key belongs. */
function refuseKeys(document: YamlDocument, mistakes: Mistakes): void {
  for (const [index, target] of entriesIn(document).entries()) {
    const key = Object.keys(target).find((name) => /^api[-_]?key$/i.test(name));
    if (key === undefined) continue;
    mistakes.attempt(() => {
      throw new UsageError(
        `${key} must be left out of a file that is shared: name the variable that holds it, as apiKeyEnv.`,
        { file: document.file, line: document.lineOf(['targets', index, key]) },
      );
    });
  }
}
