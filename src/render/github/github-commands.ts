/**
 * Workflow commands: lines by which a program tells GitHub's runner what to do. Whatever a target says must neither be
 * one nor end one.
 */

import { count, disarm } from '../../text/layout.ts';

/**
 * For lines that land in a log as they are: the runner reads `::command::` at the start of a line, behind any blanks, and
 * nowhere else.
 */
export function disarmLines(text: string): string {
  return disarm(text).replaceAll(/^([^\S\n]*:):/gm, String.raw`$1\u{3a}`);
}

const LEVELS: readonly Annotation['level'][] = ['error', 'warning', 'notice'];
/** GitHub shows ten annotations of each kind for a step; the verdict or the result is one of them. */
const MAX_ANNOTATIONS = 9;

export interface Annotation {
  readonly level: 'error' | 'warning' | 'notice';
  readonly properties: Readonly<Record<string, string | number>>;
  readonly message: string;
}

/** The result, then the annotations that GitHub shows, the worst first. `readOn`: where the others are. */
export function writeAnnotations(
  result: { readonly isPassed: boolean; readonly title: string; readonly lines: readonly string[] },
  annotations: readonly Annotation[],
  readOn: string,
): string {
  const shown = LEVELS.flatMap((each) => annotations.filter(({ level }) => level === each).slice(0, MAX_ANNOTATIONS));
  const left = annotations.length - shown.length;
  const more = left === 0 ? [] : [`${count(left, 'more cause')} not annotated here: see ${readOn}.`];
  const { isPassed, title, lines } = result;
  const commands = [
    workflowCommand(isPassed ? 'notice' : 'error', { title }, [...lines, ...more].join('\n')),
    ...shown.map(({ level, properties, message }) => workflowCommand(level, properties, message)),
  ];
  return `${commands.join('\n')}\n`;
}

/** Always one line. */
export function workflowCommand(
  name: Annotation['level'],
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const list = Object.entries(properties).map(
    ([key, value]) => `${key}=${dataText(String(value)).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  return `::${name}${list.length === 0 ? '' : ` ${list.join(',')}`}::${dataText(message)}`;
}

/** The percent sign is escaped first, because the other escapes contain it. */
function dataText(text: string): string {
  return disarm(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}
