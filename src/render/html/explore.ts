/** An exploration: what was drawn, which pairs of fields, and the smallest request of each finding beside one that passes. */
import { pointerTokens } from '../../json.ts';
import type { ExploredFinding, ExploreReport } from '../../report/explore-report.ts';
import type { ExchangeReport } from '../../report/report.ts';
import { requestsOfFinding } from '../../report/explored-requests.ts';
import { count } from '../../text/layout.ts';
import {
  exploreCommandOf,
  formatDifferences,
  formatDrawn,
  formatPairs,
  formatReached,
  formatReplay,
  formatUnsure,
  SILENCES,
  visibleJson,
} from '../explore-text.ts';
import { element, html, type HtmlPiece, type Markup, when } from './markup.ts';
import { renderCard, renderFacts, renderFold, renderShellCommand, renderTable, type SectionParts } from './parts.ts';
import type { View } from './view.ts';

type Row = readonly [term: string, value: HtmlPiece];

/** Characters of a body. */
const MOST_SHOWN = 2_100;

export function explored(view: View): SectionParts | undefined {
  const { explore, provenance } = view.report;
  const unsure = explore && formatUnsure(explore);
  return (
    explore && {
      id: 'explored',
      title: 'Explored',
      lead: html`${formatDrawn(explore)}. Seed ${provenance.seed}.`,
      body: html`${explore.findings.filter((finding) => !view.entries.some((entry) => entry.finding?.exchange === finding.exchange)).map((finding) => renderExplored(view, finding))}
        <p>${formatPairs(explore)}.</p>
        ${unsure !== undefined && html`<p>Not sure: ${unsure}.</p>`} ${renderPairs(explore)}`,
    }
  );
}

/**
 * What a finding has beside its facts: the requests that fail and pass, and the command that goes by the path. An entry shows
 * the one request that fails, with its answer.
 */
export function exploredRows({ report }: View, exchange: string | undefined, isOfEntry = true): readonly Row[] {
  const finding = report.explore?.findings.find((each) => each.exchange === exchange);
  if (!finding) return [];
  const { exchanges, provenance } = report;
  const failing = requestsOfFinding(exchanges, finding);
  const passing = finding.neighbour === undefined ? [] : requestsOfFinding(exchanges, { exchange: finding.neighbour });
  const arrived = exchanges.filter(({ cause }) => cause === finding.exchange).slice(0, 1);
  const command = `${exploreCommandOf(report)} ${formatReplay(finding, provenance.seed)}`;
  return [
    ['Fails', renderRequests(isOfEntry && failing.length === 1 ? [] : failing, true)],
    ['At the upstream', renderRequests(arrived, false)],
    ['Passes', renderRequests(passing, false)],
    ['By its path', renderShellCommand(command, 'the command')],
  ];
}

function renderExplored(view: View, finding: ExploredFinding): Markup {
  const { silence, path } = finding;
  const repeat = view.report.target.upstream ? undefined : view.exchange(finding.exchange)?.repeat;
  return renderCard(
    silence === undefined ? `Draw ${path}` : `Unanswered: ${SILENCES[silence]}`,
    renderFacts([
      ['Found', `${formatReached(finding)} (${path})`],
      ...exploredRows(view, finding.exchange, false),
      ['Difference', formatDifferences(finding)],
      ['Repeat', when(repeat, (curl) => renderShellCommand(curl, 'the command that sends it again'))],
    ]),
  );
}

/** A sequence shows all its requests, with what came of each. */
function renderRequests(exchanges: readonly ExchangeReport[], isFailing: boolean): Markup | undefined {
  if (exchanges.length === 0) return undefined;
  return html`${exchanges.map(({ body = '', attempts }, index) => {
    const { answer } = attempts.at(-1) ?? {};
    const outcome = answer ? `answered with ${answer.status}` : 'not answered';
    const fails = isFailing && index === exchanges.length - 1 ? ', this one fails' : '';
    const place = `Request ${index + 1} of ${exchanges.length}, ${outcome}${fails}:`;
    return html`${exchanges.length > 1 && html`<p>${place}</p>`}
      <pre>${visibleJson(body.slice(0, MOST_SHOWN))}</pre>`;
  })}`;
}

function renderPairs(explore: ExploreReport): Markup {
  const { pairs } = explore;
  const rows = pairs.map(({ fields, values }) => [fields.join(' with '), values]);
  const name = 'Pairs of fields that were drawn together';
  return html`${renderTriangle(explore)}
  ${renderFold(name, renderTable({ name, heads: ['Fields', 'Pairs of values'], rows }), { kind: 'numbers' })}`;
}

/** Pixels from one square to the next, and the room for the longest name. */
const STEP = 14;
const NAME_WIDTH = 178;
/** Pairs of values from which a square is darker. */
const DARKER = [1, 5, 25, 100];

/** A square for each pair of fields, and a mark where a finding needs one field or two. A name is that of its row and of its column. */
function renderTriangle({ pairs, missing, findings }: ExploreReport): Markup | undefined {
  const together = new Map(pairs.map(({ fields, values }) => [fields.join(' with '), values]));
  const fields = [...new Set([...pairs.map((pair) => pair.fields), ...missing].flat())].filter(
    (name) => !name.startsWith('violation of '),
  );
  if (fields.length < 2) return undefined;
  const marks = findings.flatMap((finding) => {
    const places = [...new Set(fieldsOf(finding, fields).map((name) => fields.indexOf(name)))].toSorted(
      (a, b) => b - a,
    );
    const [row, column = row, ...more] = places;
    // A finding may need more than two fields, or what is no field here, such as the model.
    return row === undefined || column === undefined || column < 0 || more.length > 0 ? [] : [[row, column] as const];
  });
  const size = fields.length * STEP;
  return html`<figure class="triangle">
    <div class="scroll" tabindex="0" role="region" aria-label="Pairs of fields as squares">
      <svg
        role="img"
        aria-label="${`${count(pairs.length, 'pair')} of fields; findings as marks`}"
        width="${size + NAME_WIDTH}"
        height="${size}"
      >
        ${fields.flatMap((row, at) => [
          ...fields.slice(0, at).map((column, before) => {
            const values = together.get(`${column} with ${row}`) ?? together.get(`${row} with ${column}`) ?? 0;
            const shade = DARKER.filter((least) => values >= least).length;
            const place = html`x="${before * STEP}" y="${at * STEP}" width="${STEP - 2}" height="${STEP - 2}"`;
            return html`<rect class="d${shade}" ${place}
              ><title>${column} with ${row}: ${count(values, 'pair')} of values</title></rect
            >`;
          }),
          element('text', { x: (at + 1) * STEP + 4, y: (at + 1) * STEP - 4 }, row),
        ])}
        ${marks.map(([row, column]) =>
          element('circle', { class: 'found', cx: column * STEP + STEP / 2 - 1, cy: row * STEP + STEP / 2 - 1, r: 4 }),
        )}
      </svg>
    </div>
    <figcaption>
      Each square is a pair of fields: that of its row and that of its column. Its colour is stronger with more pairs of
      values, and it is empty if the two were not drawn together. A red dot is a finding that needs both fields or,
      beside a name, that one.
    </figcaption>
  </figure>`;
}

/** The fields in which the failing request of a finding differs from the one that passes, and those that it needs beside them. */
function fieldsOf({ difference, beside = [], length }: ExploredFinding, fields: readonly string[]): readonly string[] {
  return [...difference, ...beside].flatMap(({ pointer }) => {
    // In a sequence, a pointer begins with the number of the request.
    const [first = '', , inside] = pointerTokens(pointer).slice(length > 1 ? 1 : 0);
    if (first === '(spelling)') return ['spelling'];
    if (first === '' || first === 'model') return [first];
    if (first !== 'messages') return [fields.includes(first) ? first : 'unknown field'];
    if (inside === undefined) return ['messages'];
    return [inside === 'content' ? 'text' : inside === 'role' ? 'roles' : 'unknown field in a message'];
  });
}
