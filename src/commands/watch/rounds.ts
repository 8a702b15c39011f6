/** What the rounds of a watch found: which cases are still open, and what each round changed. */
import { type Ending, formatEnding } from '../../exchange/ending.ts';
import type { LiveRound } from '../../render/html/view.ts';
import { verdictLine } from '../../render/verdict-line.ts';
import { joinRound } from '../../report/join-round.ts';
import { countsAsFailed, isBroken } from '../../report/counts.ts';
import type { Report } from '../../report/report.ts';
import { count, listAll } from '../../text/layout.ts';
import { openCases, openClauses } from '../choose-cases.ts';
import type { Trigger } from './triggers.ts';

/** Open is what is broken or could not be judged. */
export class Rounds {
  readonly all: LiveRound[] = [];
  #ending: Ending = { kind: 'complete' };
  /** Charged completions of all rounds. */
  completions = 0;

  /** What is known after the last round. */
  get report(): Report | undefined {
    return this.all.at(-1)?.report;
  }

  /** Everything is due: nothing that counts is known to be broken, or nothing is known at all. */
  get isDue(): boolean {
    const { cases = [], counts } = this.report ?? {};
    const isBroken = cases.some(({ expectations }) => expectations.some(countsAsFailed));
    return !this.isUsedUp && (counts?.cases.pass === 0 || (this.#ending.kind === 'complete' && !isBroken));
  }

  /** `--max-completions` or `--max-requests` ended the last round, and holds for all of them. */
  get isUsedUp(): boolean {
    return this.#ending.kind === 'budget' && this.#ending.setting !== 'max-time';
  }

  /** The cases that a trigger names, each with the report that shows what it found; none if everything is due. */
  toAsk(trigger: Trigger): ReadonlyMap<string, Report> {
    const { report } = this;
    if (!report || this.isUsedUp) return new Map();
    const open = trigger.has(undefined) && !this.isDue ? openCases(report) : [];
    const named = report.cases.filter(({ id }) => trigger.has(id));
    return new Map([...open, ...named].map(({ id }) => [id, report]));
  }

  /** What is known with this round, which may still go on. */
  join(round: Report): Report {
    return this.report ? joinRound(this.report, round, this.all.length + 1) : round;
  }

  /** `isWhole`: it asked all cases, not only those that were open. */
  add(round: Report, isWhole: boolean): LiveRound {
    const { report: known } = this;
    const isNew = !known || (isWhole && round.ending.kind === 'complete');
    const report = isNew ? round : this.join(round);
    const [before, after] = [clausesOpen(known), clausesOpen(report)];
    const mended = [...before].filter((clause) => !after.has(clause));
    const broken = report.clauses.filter(({ verdict }) => verdict !== undefined && isBroken({ verdict }));
    const fresh = known ? broken.flatMap(({ id }) => (after.has(id) && !before.has(id) ? [id] : [])) : [];
    const { requests, completions } = round.cost.used;
    const [verdict = ''] = verdictLine(report).split(/:(?= )/);
    const changes = [
      ...(mended.length > 0 ? [`${mended.length} mended`] : []),
      ...(fresh.length > 0 ? [`${fresh.length} new (${listAll(fresh)})`] : []),
      `${after.size} left`,
    ];
    const parts = [
      `round ${this.all.length + 1}: ${changes.join(', ')}`,
      `${count(requests, 'request')}, ${count(completions, 'completion')}`,
      ...(isNew ? [verdict] : []),
      ...(round.ending.kind === 'complete' ? [] : [formatEnding(round.ending)]),
    ];
    this.#ending = round.ending;
    this.completions += completions;
    const added = { report, fresh, line: parts.join(' · ') };
    this.all.push(added);
    return added;
  }
}

function clausesOpen(report: Report | undefined): ReadonlySet<string> {
  return new Set(report && openCases(report).flatMap(({ id }) => openClauses(report, id)));
}
