/** A badge, in the shape that https://shields.io/badges/endpoint-badge reads. */
import type { Report } from '../report/report.ts';
import type { Format } from './format.ts';
import { verdictInBrief } from './verdict-line.ts';

type Outcome = Report['outcome']['name'];

const COLOUR: Record<Outcome, string> = {
  conforms: 'brightgreen',
  'conforms-in-part': 'yellowgreen',
  'conforms-but-waived': 'yellow',
  'no-new-violations': 'yellow',
  'unused-waivers': 'orange',
  'does-not-conform': 'red',
  'not-judged': 'lightgrey',
};

export const badge: Format = {
  summary: 'JSON for a shields.io badge',
  render: renderBadgeJson,
};

export function renderBadgeJson(report: Report): string {
  const { name } = report.outcome;
  return `${JSON.stringify({ schemaVersion: 1, label: 'wirecheck', message: verdictInBrief(report), color: COLOUR[name] })}\n`;
}
