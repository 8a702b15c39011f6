/** Reads a profile: a file of the user, or one of the package by its name. Every complaint is a sentence at its line. */
import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { type Json, memberOf } from '../../json.ts';
import { Mistakes } from '../../mistakes.ts';
import { didYouMean } from '../../text/suggestion.ts';
import { cannotRead, UsageError } from '../../usage-error.ts';
import { checkForm, type IsSound } from '../file-schema.ts';
import { listPackageFiles, readPackageFile } from '../package-files.ts';
import { parseYaml, type Path, type YamlDocument } from '../yaml/yaml-document.ts';
import { digestOf } from '../digest.ts';
import type { Profile, ProfileFile } from './profile.ts';
import { readOwnClauses } from './own-clauses.ts';
import { isOnlyObserved, readChange } from './read-change.ts';
import { type ListedChange, refuseRepeated } from './repeated-changes.ts';

interface Place {
  readonly file: string;
  readonly line?: number;
}

const FOLDER = 'profiles';
const SUFFIX = '.yaml';

/** Profiles of the package, by name. */
export function builtInProfiles(): readonly string[] {
  return listPackageFiles(FOLDER).map((file) => basename(file, SUFFIX));
}

/** `name`: a file, or a profile of the package. `at`: where it was named, if in a file. */
export function loadProfile(name: string, cwd: string, at?: Place): Profile {
  const names = builtInProfiles();
  if (names.includes(name)) return readProfile(readPackageFile(`${FOLDER}/${name}${SUFFIX}`), name, cwd);
  if (!/\.ya?ml$/.test(name)) {
    const guess = didYouMean(name, names) || ` Use one of ${names.join(', ')}, or a .yaml file.`;
    throw new UsageError(`Unknown profile "${name}".${guess}`, { ...at, code: 'UNKNOWN_NAME' });
  }
  const path = resolve(cwd, name);
  return readProfile(readFile('the profile', path, name, at), name, dirname(path));
}

function readFile(what: string, path: string, name: string, at?: Place): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw cannotRead(what, name, error, at);
  }
}

/** `folder`: its suite is relative to it. Throws for every mistake in the file, in form or in meaning. */
export function readProfile(text: string, file: string, folder: string): Profile {
  const document = parseYaml(text, file);
  const mistakes = new Mistakes();
  refuseVariables(document, [], mistakes);
  const isSound = checkForm('profile', document, mistakes);
  const written = (document.value ?? {}) as ProfileFile;
  const { profile: name, version, about, suite } = written;
  if (typeof name === 'string') mistakes.attempt(() => refuseTakenName(name, document), true);
  const listed = readChanges(document, isSound, mistakes);
  refuseRepeated(listed, document, mistakes);
  const own = listed.map(([, change]) => change);
  const hasSuite = typeof suite === 'string' && isSound('suite');
  const suiteDocument = hasSuite ? mistakes.attempt(() => readSuite(suite, folder, document)) : undefined;
  const cases = suiteDocument && { file: resolve(folder, suiteDocument.file), value: suiteDocument.value as Json };
  // Without the suite that was named, nobody knows what it judges.
  if (suite === undefined || suiteDocument) refuseUnjudged(listed, cases?.value, document, mistakes);
  const changes = [...own, ...(mistakes.attempt(() => clausesBeside(own, suiteDocument)) ?? [])];
  mistakes.throwAny();
  return {
    name,
    version,
    ...(about !== undefined && { about }),
    file,
    ...(cases && { suite: cases }),
    changes,
    // The name of the suite file does not matter; its contents do.
    digest: digestOf({ ...written, ...(cases && { suite: cases.value }) }),
  };
}

function readChanges(document: YamlDocument, isSound: IsSound, mistakes: Mistakes): readonly ListedChange[] {
  const changes: unknown = memberOf(document.value, 'changes');
  const entries = Array.isArray(changes) ? (changes as ProfileFile['changes']) : [];
  return entries.flatMap((entry, index): readonly ListedChange[] => {
    const place = { document, index, isSound: (key: string) => isSound('changes', index, key) };
    const change = mistakes.attempt(() => readChange(entry, place, mistakes), true);
    return change ? [[index, change]] : [];
  });
}

function readSuite(suite: string, folder: string, document: YamlDocument): YamlDocument {
  const at = { file: document.file, line: document.lineOf(['suite']) };
  return parseYaml(readFile('the suite', resolve(folder, suite), suite, at), suite);
}

/** Those that the suite brings along. They have no line in the profile. */
function clausesBeside(changes: Profile['changes'], suite: YamlDocument | undefined): Profile['changes'] {
  return (suite ? readOwnClauses(suite) : []).map(({ line = 1, ...change }) => {
    const before = changes.find((other) => other.kind === 'clause' && other.clause === change.clause);
    if (!before) return change;
    const at = { file: suite?.file ?? '', line };
    throw new UsageError(`${change.clause} is already a change of the profile. Keep one of the two.`, at);
  });
}

/** Reports print profiles, and a variable may hold a secret. */
function refuseVariables(document: YamlDocument, path: Path, mistakes: Mistakes, value = document.value): void {
  if (typeof value === 'string' && value.includes('${')) {
    const at = { file: document.file, line: document.lineOf(path) };
    mistakes.attempt(() => {
      throw new UsageError('${…} is not replaced in a profile, since reports print it. Write the value itself.', at);
    });
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    refuseVariables(document, [...path, name], mistakes, name);
    refuseVariables(document, [...path, name], mistakes, member);
  }
}

/** Its verdicts would look like those of v1, or of a profile of the package. The latter is read under its own name. */
function refuseTakenName(name: string, document: YamlDocument): void {
  if (document.file === name || !['v1', ...builtInProfiles()].includes(name)) return;
  const whose = name === 'v1' ? 'the contract itself' : "a profile of wirecheck's";
  throw new UsageError(`${name} is ${whose}. Choose another name.`, {
    file: document.file,
    line: document.lineOf(['profile']),
  });
}

/** A clause that no case can break would be a promise that always seems kept. */
function refuseUnjudged(
  changes: readonly ListedChange[],
  cases: unknown,
  document: YamlDocument,
  mistakes: Mistakes,
): void {
  const text = JSON.stringify(cases ?? null);
  for (const [index, change] of changes) {
    const isOwn = change.kind === 'clause';
    if (!isOwn && (change.kind !== 'level' || !isOnlyObserved(change.clause))) continue;
    if (text.includes(`"clause":${JSON.stringify(change.clause)}`)) continue;
    const remedy = cases === undefined ? 'Name the suite that does, as suite' : 'Add one to the suite';
    const problem = isOwn
      ? `no case judges ${change.clause}`
      : `${change.clause} is only observed: no case of wirecheck can break it, so one of yours has to`;
    mistakes.attempt(() => {
      throw new UsageError(`${problem}. ${remedy}.`, {
        file: document.file,
        line: document.lineOf(['changes', index, 'clause']),
      });
    });
  }
}
