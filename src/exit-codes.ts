/** Every exit code of wirecheck. */
export const EXIT = { passed: 0, failed: 1, usage: 2, notJudged: 3, bug: 70, interrupted: 130 } as const;

type ExitName = keyof typeof EXIT;

export type Exit<Name extends ExitName> = (typeof EXIT)[Name];
/** The exit of a run with a report; a usage error comes without one. Its bug is in a check of the user's own. */
export type RunExit = Exit<'passed' | 'failed' | 'notJudged' | 'bug' | 'interrupted'>;
/** The exit of a comparison, or of a board. */
export type SummaryExit = Exit<'passed' | 'failed' | 'notJudged'>;

/** Meanings in the order of the help. */
export type ExitMeanings = Partial<Record<ExitName, string>>;

export const EXIT_MEANINGS = {
  passed: 'conforms',
  failed: 'a "must" clause is broken',
  usage: 'usage error, nothing was sent',
  notJudged: 'not judged',
  bug: 'a bug in wirecheck',
  interrupted: 'interrupted',
} satisfies Record<ExitName, string>;

/** `0 conforms; 1 a "must" clause is broken` and so on. */
export function formatExits(meanings: ExitMeanings): string {
  const entries = Object.entries(meanings) as [ExitName, string][];
  return entries.map(([name, meaning]) => `${EXIT[name]} ${meaning}`).join('; ');
}

const PRECEDENCE: readonly ExitName[] = ['usage', 'bug', 'interrupted', 'failed', 'notJudged', 'passed'];

/** The exit code of several runs: the first that holds. */
export function firstExit(codes: readonly number[]): number {
  return EXIT[PRECEDENCE.find((name) => codes.includes(EXIT[name])) ?? 'passed'];
}
