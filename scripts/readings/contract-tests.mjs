// The parts of `docs/contract.md` that say how each part of the contract is tested. A test keeps the file equal to this.
import { loadAllClauses, loadOtherCases, SUBJECTS } from '../../build/src/subjects/subjects.js';
/** @import { Clause } from '../../build/src/contract/contract.js' */

/** More cases than this are counted. */
const MAX_CASES = 4;

/**
 * The page with the lists of every part made anew, between their markers.
 *
 * @param {string} page
 */
export function withTests(page) {
  const clauses = loadAllClauses();
  const cases = casesByClause();
  return page.replaceAll(
    /(<!-- tests of part (\d|-): made by `npm run readings` -->\n)[^]*?(<!-- end of tests -->)/g,
    (_, begin, part, end) => {
      const own = clauses.filter((clause) => partsOf(clause).includes(part));
      return `${begin}\n${testsOf(own, cases)}\n${end}`;
    },
  );
}

/**
 * `2, 5.4` is about the parts 2 and 5.
 *
 * @param {Clause} clause
 */
function partsOf({ part }) {
  return part.split(', ').map((each) => each.split('.')[0]);
}

/** Ids of cases as their file has them: an entry may stand for several requests. */
function casesByClause() {
  /** @type {Map<string, Set<string>>} */
  const found = new Map();
  for (const { id, expect } of [...SUBJECTS.gateway.cases([]), ...loadOtherCases()]) {
    for (const { clause } of expect) {
      const ids = found.get(clause) ?? new Set();
      found.set(clause, ids.add(id.replace(/\[.*/, '')));
    }
  }
  return found;
}

/**
 * @param {readonly Clause[]} clauses
 * @param {ReadonlyMap<string, ReadonlySet<string>>} cases
 */
function testsOf(clauses, cases) {
  const isTested = (/** @type {Clause} */ { level }) => level === 'must' || level === 'should';
  const tested = clauses.filter(isTested);
  const others = clauses.filter((clause) => !isTested(clause));
  return [
    ...(tested.length === 0
      ? []
      : [
          folded(
            `Tested by ${counted(tested.length, 'clause')}`,
            ['clause', 'says', 'level', 'cases'],
            tested.map(({ id, summary, level, scope }) => [code(id), summary, level, listCases(cases.get(id), scope)]),
          ),
        ]),
    ...(others.length === 0
      ? []
      : [
          folded(
            `Not judged: ${counted(others.length, 'clause')}`,
            ['clause', 'says', 'reason'],
            others.map((clause) => [code(clause.id), clause.summary, reasonOf(clause)]),
          ),
        ]),
  ].join('\n');
}

/** @param {Clause} clause */
function reasonOf({ level, why }) {
  if (level === 'none') return `Outside: ${why}`;
  return why === undefined ? 'Recorded, and never judged: the contract leaves it open.' : `Recorded: ${why}`;
}

/** Of clauses that no case of a run judges. @type {Readonly<Partial<Record<Clause['scope'], string>>>} */
const WITHOUT_CASE = {
  comparison: '`wirecheck compare`, from two runs',
  description: 'the published description, with `--openapi`',
};

/**
 * @param {ReadonlySet<string> | undefined} ids
 * @param {Clause['scope']} scope
 */
function listCases(ids, scope) {
  const all = [...(ids ?? [])];
  if (all.length === 0) return WITHOUT_CASE[scope] ?? 'every run';
  const more = all.length - MAX_CASES;
  return `${all.slice(0, MAX_CASES).map(code).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * @param {string} title
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
function folded(title, head, rows) {
  const [names, ...lines] = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`);
  const table = `${names}|${'---|'.repeat(head.length)}\n${lines.join('')}`;
  return `<details>\n<summary>${title}</summary>\n\n${table}\n</details>\n`;
}

/**
 * @param {number} number
 * @param {string} noun
 */
function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}
