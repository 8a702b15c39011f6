/** The formats of a report by name, and the files that a run writes. The formats themselves load once there is a report. */
export const FORMAT_NAMES = [
  'terminal',
  'json',
  'html',
  'junit',
  'markdown',
  'sarif',
  'github',
  'badge',
  'agent',
  'prometheus',
  'summary',
] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

export const FORMAT_LIST = FORMAT_NAMES.join(', ');

/** What a run writes unless told otherwise. */
export const DEFAULT_FILES = {
  json: 'report.json',
  html: 'report.html',
  junit: 'junit.xml',
  markdown: 'report.md',
} as const satisfies { readonly [Name in FormatName]?: string };
export const DEFAULT_FILE_LIST = 'report.json, report.html, junit.xml and report.md';
