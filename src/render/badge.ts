/** A badge, in the shape that https://shields.io/badges/endpoint-badge reads. */
import type { Report } from '../report/report.ts';
import type { Format } from './format.ts';
import { OUTCOME_LOOKS } from './looks.ts';
import { verdictInBrief } from './verdict-line.ts';

export const badge: Format = {
  summary: 'JSON for a shields.io badge',
  render: renderBadgeJson,
};

export function renderBadgeJson(report: Report): string {
  const { name } = report.outcome;
  return `${JSON.stringify({ schemaVersion: 1, label: 'wirecheck', message: verdictInBrief(report), color: OUTCOME_LOOKS[name].badge })}\n`;
}
