// The evidence for one server: each broken clause with a request, what was expected, and the answer as it came.
import { posix } from 'node:path';
import { foldFindings } from '../../build/src/render/fold.js';
import { formatFinding } from '../../build/src/render/finding-text.js';
import { formatFurther } from '../../build/src/render/finding-text.js';
import { code, prose } from '../../build/src/render/markdown/markdown-text.js';
import { REPORTS } from './measured.mjs';
/** @import { Report } from '../../build/src/index.js' */
/** @import { RootCause } from '../../build/src/render/fold.js' */
/** @import { JudgedServer } from './judge.mjs' */

/** Of one clause, so many causes are shown. */
const MAX_CAUSES = 2;
/** Characters of an answer. */
const MAX_ANSWER = 400;

/** @param {string} name of a server */
export function evidenceOf(name) {
  return `${REPORTS}/${name}.md`;
}

/**
 * For a heading.
 * @param {JudgedServer} server
 */
export function titleOf({ title, version = '' }) {
  return `${title} ${version}`.trimEnd();
}

/**
 * @param {JudgedServer} server
 * @returns {string}
 */
export function evidencePage(server) {
  const { measured, recording, v1, notes = {}, notItsOwn = {} } = server;
  const file = posix.relative(REPORTS, recording);
  const causes = foldFindings(v1);
  const clauses = [...new Set(causes.map(({ expectation }) => expectation.clause))].filter((id) => !(id in notItsOwn));
  const sections = clauses.map((clause) =>
    sectionOf(
      v1,
      clause,
      causes.filter(({ expectation }) => expectation.clause === clause),
      notes[clause],
    ),
  );
  return `# ${titleOf(server)}: evidence

<!-- Generated from the recording by \`npm run servers\`. -->

Measured on ${measured}. The whole exchange is in [${posix.basename(file)}](${file}); \`wirecheck judge\` judges it again.
Answers are cut to ${MAX_ANSWER} characters here.
${sections.join('')}`;
}

/**
 * @param {Report} report
 * @param {string} clause
 * @param {readonly RootCause[]} entries
 * @param {string | undefined} note
 */
function sectionOf(report, clause, entries, note) {
  const [first] = entries;
  if (!first) return '';
  const { requirement } = formatFinding(report, first);
  const more = entries.length - MAX_CAUSES;
  return `
<a id="${clause}"></a>

## ${clause} (${first.expectation.level})

${requirement}

${note === undefined ? '' : `${note}\n\n`}${entries
    .slice(0, MAX_CAUSES)
    .map((entry) => causeOf(report, entry))
    .join('\n')}${more > 0 ? `\n${more} more in the recording.\n` : ''}`;
}

/**
 * @param {Report} report
 * @param {RootCause} entry
 */
function causeOf(report, entry) {
  const { expected, actual, also, request } = formatFinding(report, entry);
  const further = formatFurther(entry);
  return `${request === undefined ? 'The run as a whole' : code(request, MAX_ANSWER)}: expected ${prose(expected ?? '')}, got ${code(actual ?? '', MAX_ANSWER)}${further === '' ? '' : ` (${further})`}${also === undefined ? '' : `; also ${code(also, MAX_ANSWER)}`}

${answerOf(report, entry)}`;
}

/**
 * Status, content type and the beginning of the body, indented so that nothing in it can end the block.
 * @param {Report} report
 * @param {RootCause} entry
 */
function answerOf({ exchanges }, { finding }) {
  const attempt = exchanges.find(({ id }) => id === finding?.exchange)?.attempts[finding?.attempt ?? 0];
  const answer = attempt?.answer;
  if (!answer) return `    no answer${attempt?.failure ? ` (${attempt.failure.kind})` : ''}\n`;
  const type = answer.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'no content type';
  const { text } = answer.body;
  const shown = text.length > MAX_ANSWER ? `${text.slice(0, MAX_ANSWER)}…` : text;
  const lines = [`HTTP ${answer.status}, ${type}`, ...(shown === '' ? ['(empty)'] : shown.split(/\r\n|\r|\n/))];
  return `${lines.map((line) => `    ${line}`.trimEnd()).join('\n')}\n`;
}
