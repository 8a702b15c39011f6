/**
 * Workflow commands: lines by which a program tells GitHub's runner what to do. Whatever a target says must neither be
 * one nor end one.
 */

import { disarm } from '../../text/inert.ts';

/**
 * For lines that land in a log as they are: the runner reads `::command::` at the start of a line, behind any blanks, and
 * nowhere else.
 */
export function disarmLines(text: string): string {
  return disarm(text).replaceAll(/^([^\S\n]*:):/gm, String.raw`$1\u{3a}`);
}

export type CommandName = 'error' | 'warning' | 'notice';

const NAMES: readonly CommandName[] = ['error', 'warning', 'notice'];
/** GitHub shows ten annotations of each kind for a step; the verdict or the result is one of them. */
const MAX_ANNOTATIONS = 9;

/** Those that GitHub shows, the worst first. */
export function pickAnnotated<Item>(items: readonly Item[], nameOf: (item: Item) => CommandName): readonly Item[] {
  return NAMES.flatMap((name) => items.filter((item) => nameOf(item) === name).slice(0, MAX_ANNOTATIONS));
}

/** Always one line. */
export function workflowCommand(
  name: CommandName,
  properties: Readonly<Record<string, string | number>>,
  message: string,
): string {
  const list = Object.entries(properties).map(([key, value]) => `${key}=${propertyText(String(value))}`);
  return `::${name}${list.length === 0 ? '' : ` ${list.join(',')}`}::${dataText(message)}`;
}

/** The percent sign is escaped first, because the other escapes contain it. */
function dataText(text: string): string {
  return disarm(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function propertyText(text: string): string {
  return dataText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
