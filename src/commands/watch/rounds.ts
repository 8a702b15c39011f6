/** What the rounds of a watch found: which cases are still open, and what each round changed. */
import type { LiveRound } from '../../render/html/view.ts';
import { verdictLine } from '../../render/verdict-line.ts';
import { joinRound } from '../../report/join-round.ts';
import { isBroken } from '../../report/counts.ts';
import type { Report } from '../../report/report.ts';
import { count, listAll } from '../../text/layout.ts';
import { openCases, openClauses } from '../choose-cases.ts';

/** Open is what is broken or could not be judged. */
export class Rounds {
  readonly #all: LiveRound[] = [];
  /** Charged completions of all rounds. */
  completions = 0;

  get all(): readonly LiveRound[] {
    return this.#all;
  }

  /** What is known after the last round. */
  get report(): Report | undefined {
    return this.#all.at(-1)?.report;
  }

  /** The cases that are open, or the one that was chosen; none if there is no such case. */
  toAsk(chosen?: string): ReadonlyMap<string, Report> {
    const { report } = this;
    if (!report) return new Map();
    const cases = chosen === undefined ? openCases(report) : report.cases.filter(({ id }) => id === chosen);
    return new Map(cases.map(({ id }) => [id, report]));
  }

  /** `isWhole`: it asked all cases, not only those that were open. */
  add(round: Report, isWhole: boolean): LiveRound {
    const { report: known } = this;
    const number = this.#all.length + 1;
    const isNew = !known || (isWhole && round.ending.kind === 'complete');
    const report = isNew ? round : joinRound(known, round, number);
    const [before, after] = [clausesOpen(known), clausesOpen(report)];
    const mended = [...before].filter((clause) => !after.has(clause));
    const broken = new Set(report.clauses.filter(hasBroken).map(({ id }) => id));
    const fresh = known ? [...after].filter((clause) => !before.has(clause) && broken.has(clause)) : [];
    const { requests, completions } = round.cost.used;
    const [verdict = ''] = verdictLine(report).split(/:(?= )/);
    const changes = [
      ...(mended.length > 0 ? [`${mended.length} mended`] : []),
      ...(fresh.length > 0 ? [`${fresh.length} new (${listAll(fresh)})`] : []),
      `${count(after.size, 'clause')} left`,
    ];
    const parts = [
      `round ${number}: ${changes.join(', ')}`,
      `${count(requests, 'request')}, ${count(completions, 'completion')}`,
      ...(isNew ? [verdict] : []),
    ];
    this.completions += completions;
    this.#all.push({ report, fresh, left: after.size, line: parts.join(' · ') });
    return this.#all[number - 1] as LiveRound;
  }
}

function clausesOpen(report: Report | undefined): ReadonlySet<string> {
  return new Set(report && openCases(report).flatMap(({ id }) => openClauses(report, id)));
}

const hasBroken = ({ verdict }: Report['clauses'][number]): boolean => verdict !== undefined && isBroken({ verdict });
