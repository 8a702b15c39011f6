/** The sentences of a board, for all of its formats. */
import { EXIT } from '../../exit-codes.ts';
import { groupBy } from '../../report/counts.ts';
import { inert } from '../../text/inert.ts';
import { count } from '../../text/layout.ts';
import type { Board, BoardRun } from './board.ts';

/** `2 of 8 targets fail, 1 not judged`. */
export function formatBoardVerdict({ targets }: Board): string {
  const exits = targets.map(({ latest }) => latest.exit);
  const failing = exits.filter((exit) => exit === EXIT.failed).length;
  const undecided = exits.filter((exit) => exit === EXIT.notJudged || exit === EXIT.interrupted).length;
  const all = count(targets.length, 'target');
  const rest = undecided === 0 ? '' : `, ${undecided} not judged`;
  if (failing > 0) return `${failing} of ${all} ${failing === 1 ? 'fails' : 'fail'}${rest}`;
  if (undecided > 0) return `${undecided} of ${all} not judged`;
  return targets.length === 1 ? 'The target passes' : `All ${all} pass`;
}

/** `1 must and 2 should clauses broken`. */
export function formatBroken({ broken, outcome }: BoardRun): string {
  const words = (['must', 'should'] as const).filter((level) => broken[level] > 0);
  if (words.length === 0) return outcome === 'not-judged' ? 'not judged' : 'nothing broken';
  const last = words.at(-1);
  return `${words.map((level) => `${broken[level]} ${level}`).join(' and ')} ${last && broken[last] === 1 ? 'clause' : 'clauses'} broken`;
}

export function listBoardNotices(board: Board): readonly string[] {
  return [...noticeOfProfiles(board), ...noticeOfVersions(board)];
}

function noticeOfProfiles({ targets }: Board): readonly string[] {
  const profiles = groupBy(targets, ({ latest }) => latest.profile ?? 'v1');
  if (profiles.size < 2) return [];
  const listed = [...profiles].map(([profile, own]) => `${profile} (${count(own.length, 'target')})`);
  return [
    `These targets were judged by different contracts: ${listed.join(', ')}. Their verdicts do not mean the same.`,
  ];
}

function noticeOfVersions({ contracts, targets }: Board): readonly string[] {
  if (contracts.length < 2) return [];
  const listed = contracts.map(({ hash, targets: number }) => `${shortHash(hash)} (${count(number, 'target')})`);
  const others = targets.filter(({ latest }) => latest.contract !== contracts[0]?.hash).length;
  return [
    `These reports were made with ${contracts.length} versions of the contract and suites: ${listed.join(', ')}. ${count(others, 'target')} ${others === 1 ? 'differs' : 'differ'} from the first and ${others === 1 ? 'is' : 'are'} marked; check ${others === 1 ? 'it' : 'them'} again with one version to compare them.`,
  ];
}

export function shortHash(hash: string): string {
  return hash.slice(0, 8);
}

/** The clauses that most targets break; must clauses first. */
export function mostBroken({ clauses }: Board): Board['clauses'] {
  return clauses
    .filter(({ broken }) => broken > 0)
    .toSorted((a, b) => Number(b.level === 'must') - Number(a.level === 'must') || b.broken - a.broken);
}

/** To the minute. */
export function formatTime(instant: string): string {
  return `${inert(instant, 40).slice(0, 16).replace('T', ' ')} UTC`;
}
