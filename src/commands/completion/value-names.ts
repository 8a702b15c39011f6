/** The names that a flag or an argument takes, from the tables that its command reads. */
import { builtInProfiles } from '../../contract/profile/read-profile.ts';
import { schemaNames } from '../../contract/published-schemas.ts';
import { FAULTS, VARIANTS } from '../../gateway/index.ts';
import { BOARD_FORMAT_NAMES } from '../../render/board/board-formats.ts';
import { COMPARISON_FORMAT_NAMES } from '../../render/comparison/comparison.ts';
import { FAIL_ON } from '../../report/comparison/comparison.ts';
import { FORMAT_NAMES } from '../../settings/format-names.ts';
import { loadAllClauses } from '../../subjects/subjects.ts';
import { BUILT_IN_SUITES } from '../../suite/suite-names.ts';
import { BOARD_FAIL_ON } from '../board.ts';
import { CIS } from '../files/starter-files.ts';
import { LIST_NAMES } from '../list.ts';
import { CONFIG_NAMES } from '../relay-configs.ts';
import { SHELLS } from './shells.ts';

type Names = () => readonly string[];

const clauses: Names = () => loadAllClauses().map(({ id }) => id);

/** By flag, or by command and flag where commands differ. */
const NAMES: Readonly<Record<string, Names>> = {
  '--reporter': () => FORMAT_NAMES,
  'compare --reporter': () => COMPARISON_FORMAT_NAMES,
  'board --reporter': () => BOARD_FORMAT_NAMES,
  'compare --fail-on': () => FAIL_ON,
  'board --fail-on': () => BOARD_FAIL_ON,
  '--profile': builtInProfiles,
  '--suite': () => BUILT_IN_SUITES,
  '--only': clauses,
  '--print-config': () => CONFIG_NAMES,
  '--ci': () => CIS,
  '--fault': () => Object.keys(FAULTS),
  '--variant': () => Object.keys(VARIANTS),
  'list argument': () => LIST_NAMES,
  'explain argument': clauses,
  'waive argument': clauses,
  'schema argument': schemaNames,
  'profile argument': builtInProfiles,
  'completion argument': () => SHELLS,
};

/** `flag`: such as `--suite`, or `argument`. None for a value that is free. */
export function namesFor(command: string, flag: string): readonly string[] {
  return (NAMES[`${command} ${flag}`] ?? NAMES[flag])?.() ?? [];
}
