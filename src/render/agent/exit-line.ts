/** The exit code of a run and what it means, for readers that see the output but not the code. */
import { EXIT, EXIT_MEANINGS } from '../../exit-codes.ts';
import type { OutcomeName, Report } from '../../report/report.ts';

const MEANINGS: Readonly<Record<OutcomeName, (report: Report) => string>> = {
  conforms: () => EXIT_MEANINGS.passed,
  'conforms-in-part': () => 'no "must" clause that was judged is broken',
  'conforms-but-waived': () => 'every failure is waived',
  'no-new-violations': () => 'every failure is waived or in the baseline',
  'unused-waivers': () => 'a waiver is unused (--fail-on-unused-waivers)',
  'does-not-conform': ({ strict }) => (strict ? 'a "must" or "should" clause failed (--strict)' : EXIT_MEANINGS.failed),
  'not-judged': () => EXIT_MEANINGS.notJudged,
};

/** Whatever the verdict is. */
const EXCEPTIONS: Readonly<Partial<Record<number, string>>> = {
  [EXIT.interrupted]: EXIT_MEANINGS.interrupted,
  [EXIT.bug]: 'a check of your own threw an error',
};

export function exitLine(report: Report): string {
  const { name, exit } = report.outcome;
  const meaning = EXCEPTIONS[exit] ?? MEANINGS[name](report);
  return formatExitLine(exit, meaning);
}

export function formatExitLine(exit: number, meaning: string): string {
  return `Exit code ${exit}: ${meaning}`;
}
