/** The profile of a run in words, the same in every format. Text of the user's files is raw: each format makes it inert. */
import type { ProfileChange } from '../contract/profile/profile.ts';
import type { ChangeReport, ProfileReport } from '../report/profile-report.ts';
import type { Report } from '../report/report.ts';
import { count } from '../text/layout.ts';
import { shortJson } from '../text/short-json.ts';

/** `acme-gateway 3 (v1 with 6 changes, 1 of them a safety clause)`, or `v1 with 1 change` for changed levels alone. */
export function formatProfile({ name, version = '', basedOn, changes, safetyChanges }: ProfileReport): string {
  const words = `${basedOn} with ${count(changes.length, 'change')}${formatSafety(safetyChanges)}`;
  return name === undefined ? words : `${name} ${version} (${words})`;
}

function formatSafety(number: number): string {
  if (number === 0) return '';
  return `, ${number} of them ${number === 1 ? 'a safety clause' : 'safety clauses'}`;
}

/** Enough to tell profiles apart; the whole digest stands beside the list of changes. */
export function shortDigest({ digest }: Pick<ProfileReport, 'digest'>): string {
  return digest.slice(0, 12);
}

const MAX_VALUE = 200;

/** What is changed, beside what v1 says. */
function formatChange({ change, levelWas, limitWas = {}, typeWas, safety }: ChangeReport): string {
  switch (change.kind) {
    case 'level':
      return `${change.clause} is ${change.level} (v1: ${levelWas ?? 'unknown'})${safety ? ', a safety clause' : ''}`;
    case 'clause':
      return `${change.clause} is new, ${change.level}: ${change.summary}`;
    case 'limit':
      return [
        ...formatBound(`the minimum of ${change.field}`, change.min, limitWas.minimum),
        ...formatBound(`the maximum of ${change.field}`, change.max, limitWas.maximum),
      ].join(', ');
    case 'required':
      return `${change.field} is required (v1: optional)`;
    case 'field':
      return `${change.field} is ${change.types.join(' or ')} (v1: ${typeWas ?? 'unknown'})`;
    case 'add':
      return `every chat request has ${Object.entries(change.fields)
        .map(([pointer, value]) => `${pointer}: ${shortJson(value, MAX_VALUE)}`)
        .join(', ')}`;
  }
}

function formatBound(name: string, bound: number | null | undefined, before: number | undefined): readonly string[] {
  if (bound === undefined) return [];
  return [`${name} is ${bound === null ? 'lifted' : bound} (v1: ${before ?? 'none'})`];
}

/** Each change with its reason. */
export function listChanges(profile: ProfileReport): readonly { readonly what: string; readonly why: string }[] {
  return profile.changes.map((each) => ({
    what: formatChange(each).replace(/\.$/, ''),
    why: each.change.why ?? whyUnnamed(profile, each.change),
  }));
}

/** Only changes of a profile file have a reason of their own. */
function whyUnnamed({ levelPlaces }: ProfileReport, change: ProfileChange): string {
  if (change.kind === 'clause') return 'Brought by a suite.';
  const place = change.kind === 'level' ? levelPlaces?.[change.clause] : undefined;
  return place ? `Set in ${place.file}:${place.line}.` : `Set by ${BY_SETTING}.`;
}

/** Where the file is not known: of a recording, or of a program that uses the library. */
const BY_SETTING = 'the setting levels';

/** What changes the level of a clause: `targets.yaml:10`, `the profile acme-gateway`. */
export function formatLevelSource({ profile }: Pick<Report, 'profile'>, clause: string): string {
  const place = profile?.levelPlaces?.[clause];
  if (place) return `${place.file}:${place.line}`;
  return profile?.name === undefined ? BY_SETTING : `the profile ${profile.name}`;
}
