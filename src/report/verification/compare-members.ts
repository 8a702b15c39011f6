/** The members in which two reports on one recording differ, without those that may. */
import { count } from '../../text/layout.ts';
import { isObject, pointerOf } from '../../json.ts';
import { shortJson } from '../../text/short-json.ts';
import type { Difference } from './verification.ts';

export type MemberDifference = Extract<Difference, { readonly kind: 'member' }>;

/**
 * Members that no recording can show: words of whoever made the report, and the machine that judged. Digests are compared
 * with the files.
 */
export const NEVER_RECORDED: readonly string[] = [
  '/title',
  '/note',
  '/product',
  '/target/name',
  '/profile/levelPlaces',
  '/provenance/node',
  '/provenance/platform',
];

const DIGESTS: readonly string[] = ['/reportDigest', '/recordingDigest'];
/** The recording has no login of a proxy, so a report of it does not say that there was one. */
const PROXY = '/provenance/settings/proxy';
/** The path of the file that was judged. */
const FILE_OF_NOTICE = /^\/notices\/\d+\/file$/;

function mayDiffer(pointer: string): boolean {
  return NEVER_RECORDED.includes(pointer) || DIGESTS.includes(pointer) || FILE_OF_NOTICE.test(pointer);
}

/** Characters of a value. */
const SHOWN = 80;

type Path = readonly (string | number)[];

/** Both values come from JSON that is not nested deeply. */
export function* compareMembers(reported: unknown, judged: unknown, path: Path = []): Generator<MemberDifference> {
  const pointer = pointerOf(path);
  if (reported === judged || mayDiffer(pointer)) return;
  if (Array.isArray(reported) && Array.isArray(judged)) {
    if (reported.length !== judged.length) yield lengths(pointer, reported.length, judged.length);
    const both = Math.min(reported.length, judged.length);
    for (let index = 0; index < both; index++) {
      yield* compareMembers(reported[index], judged[index], [...path, index]);
    }
  } else if (isObject(reported) && isObject(judged)) {
    for (const name of new Set([...Object.keys(reported), ...Object.keys(judged)])) {
      yield* compareMembers(ownMember(reported, name), ownMember(judged, name), [...path, name]);
    }
  } else if (pointer !== PROXY || ownMember(reported, 'shown') !== judged) {
    yield {
      kind: 'member',
      pointer,
      ...(reported !== undefined && { reported: shortJson(reported, SHOWN) }),
      ...(judged !== undefined && { judged: shortJson(judged, SHOWN) }),
    };
  }
}

function ownMember(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function lengths(pointer: string, reported: number, judged: number): MemberDifference {
  return { kind: 'member', pointer, reported: count(reported, 'item'), judged: count(judged, 'item') };
}
