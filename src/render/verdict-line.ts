/** The last line of every run: what was found, in capitals, with the short reason. */
import type { Report } from '../report/report.ts';
import type { VerdictName } from './fold.ts';
import { count } from './layout.ts';

export function verdictLine(report: Report): string {
  const { name, mustClauses, mustJudged } = report.outcome;
  switch (name) {
    case 'conforms':
      return `CONFORMS: all ${mustClauses} must clauses judged, none broken${warnings(report)}`;
    case 'conforms-in-part':
      return `CONFORMS IN PART: ${mustJudged} of ${mustClauses} must clauses judged${warnings(report)}`;
    case 'does-not-conform':
      return `DOES NOT CONFORM: ${broken(report)}${interrupted(report)}`;
    case 'not-judged':
      return `NOT JUDGED: ${unjudged(report)}`;
  }
}

function warnings(report: Report): string {
  const warned = clausesWith(report, ['warn']);
  return warned === 0 ? '' : `, ${count(warned, 'warning')}`;
}

function interrupted(report: Report): string {
  return report.ending.kind === 'interrupted' ? ' (interrupted before the end)' : '';
}

function broken(report: Report): string {
  const must = clausesWith(report, ['fail'], 'must');
  const should = clausesWith(report, ['fail'], 'should');
  const parts = [
    ...(must > 0 ? [count(must, 'must clause')] : []),
    ...(should > 0 ? [`${count(should, 'should clause')} (--strict)`] : []),
  ];
  return `${parts.join(' and ')} broken, in ${count(report.counts.cases.fail, 'case')}`;
}

function clausesWith(report: Report, verdicts: readonly VerdictName[], level?: string): number {
  return report.clauses.filter(
    (clause) =>
      clause.verdict !== undefined &&
      verdicts.includes(clause.verdict) &&
      (level === undefined || clause.level === level),
  ).length;
}

function unjudged(report: Report): string {
  const { ending } = report;
  switch (ending.kind) {
    case 'unreachable':
      return 'the target could not be reached';
    case 'key-refused':
      return `the key was refused with ${ending.status}`;
    case 'not-this-api':
      return 'nothing at the base URL answers like this API';
    case 'no-model':
      return 'there is no model to call';
    case 'stopped-answering':
      return 'the target stopped answering';
    case 'budget':
      return `--${ending.setting} ran out`;
    case 'interrupted':
      return 'interrupted';
    case 'bailed':
    case 'complete':
      return noCaseRan(report) ? 'no case ran' : `${inconclusive(report)} inconclusive`;
  }
}

function noCaseRan(report: Report): boolean {
  return Object.entries(report.counts.cases).every(([verdict, number]) => verdict === 'skipped' || number === 0);
}

function inconclusive(report: Report): string {
  const must = clausesWith(report, ['inconclusive'], 'must');
  const should = report.strict ? clausesWith(report, ['inconclusive'], 'should') : 0;
  return [
    ...(must > 0 || should === 0 ? [count(must, 'must clause')] : []),
    ...(should > 0 ? [count(should, 'should clause')] : []),
  ].join(' and ');
}
