/** The levels that a target changes for itself, beside those of the config file. */
import type { Level } from '../../contract/contract.ts';
import { Mistakes } from '../../mistakes.ts';
import type { FilePlace } from '../../contract/yaml/yaml-document.ts';
import { CHANGED_LEVELS } from '../../settings/settings-without-flag.ts';
import { levelsOf } from '../settings/config-file.ts';
import type { Inputs } from '../settings/read-settings.ts';

type Path = readonly (string | number)[];

/** `placeOf`: of a part of the target in the targets file. */
export function withLevels(
  inputs: Inputs,
  levels: Readonly<Record<string, Level>>,
  placeOf: (...path: Path) => FilePlace,
): Inputs {
  if (Object.keys(levels).length === 0) return inputs;
  const { inFile } = CHANGED_LEVELS;
  const { config: own } = inputs;
  // A level that only the config file changes has its place there.
  const isOwn = (key: string, path: Path): boolean => key !== inFile || path.some((id) => !Object.hasOwn(levels, id));
  const config: Inputs['config'] = {
    file: own?.file ?? placeOf().file,
    values: { ...own?.values, [inFile]: { ...levelsOf(own), ...levels } },
    placeOf: (key, ...path) => (own && isOwn(key, path) ? own.placeOf(key, ...path) : placeOf(key, ...path)),
    mistakes: own?.mistakes ?? new Mistakes(),
  };
  return { ...inputs, config };
}
