/** What the rounds of a watch found: which cases are still open, and what each round changed. */
import type { LiveRound } from '../../render/html/view.ts';
import { verdictLine } from '../../render/verdict-line.ts';
import type { Report } from '../../report/report.ts';
import { count, listAll } from '../../text/layout.ts';
import { openCases, openClauses } from '../choose-cases.ts';

export interface Round extends LiveRound {
  /** How many clauses are open. */
  readonly left: number;
}

/** Open is what is broken or could not be judged. */
export class Rounds {
  /** The newest report of each case. */
  readonly #reports = new Map<string, Report>();
  readonly #all: Round[] = [];

  get all(): readonly Round[] {
    return this.#all;
  }

  /** Cases that are open, each with the report that says so. */
  get #open(): ReadonlyMap<string, Report> {
    const reports = [...new Set(this.#reports.values())];
    return new Map(
      reports.flatMap((report) => {
        const isNewest = (id: string): boolean => this.#reports.get(id) === report;
        return openCases(report).flatMap(({ id }) => (isNewest(id) ? [[id, report] as const] : []));
      }),
    );
  }

  /** The cases that are open, or the one that was chosen; none if there is no such case. */
  toAsk(chosen?: string): ReadonlyMap<string, Report> {
    if (chosen === undefined) return this.#open;
    const report = this.#reports.get(chosen);
    return new Map(report ? [[chosen, report]] : []);
  }

  /** `isWhole`: it asked all cases, not only those that were open. */
  add(report: Report, isWhole: boolean): Round {
    const before = this.#openClauses();
    for (const { id } of report.cases) this.#reports.set(id, report);
    const after = this.#openClauses();
    const mended = [...before].filter((clause) => !after.has(clause));
    const fresh = this.#all.length === 0 ? [] : [...after].filter((clause) => !before.has(clause));
    const { requests, completions } = report.cost.used;
    const [verdict = ''] = verdictLine(report).split(/:(?= )/);
    const changes = [
      ...(mended.length > 0 ? [`${mended.length} mended`] : []),
      ...(fresh.length > 0 ? [`${fresh.length} new (${listAll(fresh)})`] : []),
      `${after.size} left`,
    ];
    const parts = [
      `round ${this.#all.length + 1}: ${changes.join(', ')}`,
      `${count(requests, 'request')}, ${count(completions, 'completion')}`,
      ...(isWhole ? [verdict] : []),
    ];
    const round = { report, fresh, left: after.size, line: parts.join(' · ') };
    this.#all.push(round);
    return round;
  }

  #openClauses(): ReadonlySet<string> {
    return new Set([...this.#open].flatMap(([id, report]) => openClauses(report, id)));
  }
}
