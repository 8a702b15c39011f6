/** The clauses that a finding can be about, as SARIF's rules. */
import { KIND_WORDS, formatLevelSource, ownerOf } from '../profile-text.ts';
import { commandToExplain } from '../../report/repeat/repeat-command.ts';
import type { ClauseReport, Report } from '../../report/report.ts';
import { inert, inertJson } from '../../text/inert.ts';

type Level = ClauseReport['level'];

const RULE_LEVEL: Record<Level, 'error' | 'warning' | undefined> = {
  must: 'error',
  should: 'warning',
  observe: undefined,
  none: undefined,
};

export function rulesOf(report: Report) {
  const { clauses, strict } = report;
  return clauses.flatMap((clause) => {
    const level = RULE_LEVEL[clause.level];
    return level === undefined ? [] : [ruleOf(report, clause, strict ? 'error' : level)];
  });
}

function ruleOf(report: Report, clause: ClauseReport, level: 'error' | 'warning') {
  const id = inert(clause.id);
  return {
    id,
    shortDescription: { text: sarifMessage(inert(clause.summary, 400)) },
    help: { text: sarifMessage(helpOf(report, clause)) },
    defaultConfiguration: { level },
    properties: { tags: [clause.level, clause.kind], part: inert(clause.part) },
  };
}

function helpOf(report: Report, { id, part, kind, level, levelWas, why, summary }: ClauseReport): string {
  return [
    inert(summary, 400),
    `Level ${level}${levelWas === undefined ? '' : ` (${levelWas} in v1; changed by ${inert(formatLevelSource(report, id), 300)})`}, ${ownerOf(report, id) ?? KIND_WORDS[kind]}${part === '-' ? '' : `, part ${inert(part)} of the contract`}.`,
    ...(why === undefined ? [] : [inert(why, 600)]),
    `More: ${inert(commandToExplain(report, [id]))}`,
  ].join('\n');
}

/** A file with one run. */
export function sarifLog(run: object): string {
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${inertJson(JSON.stringify(log, null, 2))}\n`;
}

/** RFC 3986, segment by segment: a name may contain any character, and Windows has another separator. */
export function sarifUri(file: string): string {
  return inert(file.replaceAll('\\', '/'), 1000).split('/').map(encodeURIComponent).join('/');
}

/**
 * The text of a SARIF message. By sections 3.11.5 and 3.11.6 of the standard even a plain one has placeholders in
 * braces and links in brackets, so text that is neither writes the braces twice and the brackets with a backslash.
 */
export function sarifMessage(text: string): string {
  return text.replaceAll(/[{}]/g, '$&$&').replaceAll(/[[\]]/g, String.raw`\$&`);
}
