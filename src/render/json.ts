/** The report itself, as a file for other tools and for `wirecheck render`. */
import type { Report } from '../report/report.ts';
import type { Format } from './format.ts';
import { inertJson } from '../text/inert.ts';

/** Fields that a reader looks for first come first. */
const ORDER = [
  'format',
  'version',
  'edition',
  'editionDigest',
  'reportDigest',
  'recordingDigest',
  'product',
  'tool',
  'target',
  'outcome',
  'causes',
  'ending',
  'strict',
  'provenance',
  'notices',
  'waivers',
  'baseline',
  'counts',
  'areas',
  'cost',
  'time',
  'tolerance',
  'clauses',
  'cases',
  'observations',
  'exchanges',
] as const satisfies readonly (keyof Report)[];

export const json: Format = {
  summary: 'everything, for other tools and for `wirecheck render`',
  render: (report) => {
    const ordered = Object.fromEntries(ORDER.filter((name) => name in report).map((name) => [name, report[name]]));
    return `${inertJson(JSON.stringify({ ...ordered, ...report }, null, 2))}\n`;
  },
};
